#include "fuzz/adapter/external.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "core/api/codec.h"
#include "core/api/encode.h"
#include "core/api/names.h"
#include "core/controller/queue.h"
#include "core/controller/reference.h"
#include "core/controller/releases.h"
#include "fuzz/adapter/answer.h"
#include "fuzz/adapter/done.h"
#include "fuzz/adapter/http.h"
#include "fuzz/adapter/message.h"
#include "fuzz/adapter/recognise.h"
#include "fuzz/adapter/recorded.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;

/// How a cache lists one kind, when that is not by name.
template <class T>
void add_order(json& order, Kind kind, const Listing<T>& listing) {
  if (std::ranges::equal(listing.all, listing.by_name)) return;
  json& names = order[resource_of(kind)] = json::array();
  for (const T* object : listing.all) names.push_back(object->meta.name.str());
}

json order_json(const View& seen) {
  json order = json::object();
  add_order(order, Kind::set, seen.sets);
  add_order(order, Kind::pod, seen.pods);
  add_order(order, Kind::claim, seen.claims);
  add_order(order, Kind::revision, seen.revisions);
  return order;
}

/// How far the caches have come, as more members of a message.
std::string come_so_far(const View& seen) {
  std::string members = R"(,"reached":)" + go_encode(reached_json(seen));
  if (const json order = order_json(seen); !order.empty()) members += R"(,"order":)" + go_encode(order);
  return members;
}

}  // namespace

// --- a sync ----------------------------------------------------------------------------------------------------------

void External::restart() {
  forget();
  adapter_->written().clear();
  reset_ = true;
}

Traits External::traits() const {
  const Hello& said = adapter_->hello();
  Traits traits = said.like != nullptr ? traits_of(said.like->rules) : outside_traits(name_);
  traits.watches_every_namespace = true;
  traits.live_caches = said.has_live_caches;
  traits.keeps_queue = said.keeps_queue;
  traits.rest_by_events = said.rests_by_events;
  traits.several_workers = said.has_several_workers;
  traits.starts_without = said.starts_without;
  return traits;
}

void External::forget() {
  requeues_.clear();
  shown_ = {};
  elsewhere_ = nullptr;
  lines_.clear();
  turn_.lasts = false;
  unheard_ = 0;
  died_.reset();
}

/// What was told to an earlier start of the program is told again. A reset comes first, when one is due.
void External::begin_telling() {
  adapter_->start_if_needed();
  if (told_ != adapter_->starts()) {
    forget();
    reset_ = true;
    told_ = adapter_->starts();
  }
  if (std::exchange(reset_, false)) append_line(lines_, {{"type", "reset"}, {"gates", gates_json(gates_)}});
}

SyncResult External::sync(const Key& key, const View& seen, Api& api, Time now) {
  if (died_) throw ControllerDied{*died_};
  const Turn interrupted = std::exchange(turn_, {.seen = &seen});
  ask(key, seen, now);
  turn_.lasts = true;
  const SyncResult result = serve(key, api);
  turn_.lasts = false;
  if (interrupted.lasts) turn_ = interrupted;
  return result;
}

/// What has changed in the caches, and the question.
void External::ask(const Key& key, const View& seen, Time now) {
  begin_telling();
  adapter_->expect_silence();
  if (seen.elsewhere != nullptr && std::exchange(elsewhere_, seen.elsewhere) == nullptr) show_all(*seen.elsewhere);
  show(seen);
  json sync = {{"type", "sync"},
               {"id", turn_.id = adapter_->next_turn()},
               {"key", sent_namespace(key.ns).str() + "/" + key.name.str()},
               {"time", time_text(now)},
               {"reached", reached_json(seen)}};
  if (json order = order_json(seen); !order.empty()) sync["order"] = std::move(order);
  append_line(lines_, sync);
  send_lines();
}

void External::show(const View& seen) {
  show(seen.sets);
  show(seen.pods);
  show(seen.claims);
  show(seen.revisions);
  reached_ = seen.reached;
}

template <class T>
void External::tell(const char* type, const T& object, bool by_list) {
  lines_.append(R"({"object":)")
      .append(adapter_->written().of(object))
      .append(R"(,"type":")")
      .append(type)
      .append(by_list ? "\",\"unknown\":true}\n" : "\"}\n");
}

/// What is gone is shown as it was last, under the version by which it went, if that is known.
template <class T>
void External::tell_gone(const Change<T>& event) {
  if (event.version == Version::none) return tell("DELETED", *event.before, true);
  T gone = *event.before;
  gone.meta.version = event.version;
  tell("DELETED", gone);
}

void External::send_lines() {
  adapter_->send(lines_);
  lines_.clear();
}

/// Of another namespace, where nothing ever changes.
void External::show_all(const View& elsewhere) {
  for (const StatefulSet* set : elsewhere.sets.all) tell("ADDED", *set);
  for (const Pod* pod : elsewhere.pods.all) tell("ADDED", *pod);
  for (const Claim* claim : elsewhere.claims.all) tell("ADDED", *claim);
  for (const Revision* revision : elsewhere.revisions.all) tell("ADDED", *revision);
}

/// Tells each watch event of itself; after a new list (a restart, a relist), one event for each object that differs
/// from what was told.
template <class T>
void External::show(const Listing<T>& listing) {
  Shown<T>& shown = shown_.of<T>();
  const Version reached = turn_.seen->reached[static_cast<std::size_t>(kind_v<T>)];
  const bool watches = shown.reached && listing.listed <= *shown.reached && *shown.reached <= reached;
  if (watches && !adapter_->hello().wants_latest) tell_each(listing.events, *shown.reached);
  else tell_differences<T>(shown.held.all(), listing.by_name);
  shown.held.assign(listing.by_name);
  shown.reached = reached;
}

template <class T>
void External::tell_each(std::span<const Change<T>> events, Version after) {
  for (auto event = std::ranges::upper_bound(events, after, {}, &Change<T>::version); event != events.end(); ++event) {
    const bool same_object =
        event->before != nullptr && event->after != nullptr && event->before->meta.uid == event->after->meta.uid;
    if (event->after != nullptr) tell(same_object ? "MODIFIED" : "ADDED", *event->after);
    else tell_gone(*event);
  }
}

/// Both lists are sorted by name and objects never change, so one walk over the two finds every difference.
template <class T>
void External::tell_differences(std::span<const T* const> before, std::span<const T* const> now) {
  std::size_t i = 0, j = 0;
  while (i < before.size() || j < now.size()) {
    if (i < before.size() && j < now.size() && before[i] == now[j]) {
      ++i, ++j;
      continue;
    }
    const bool goes = j == now.size() || (i < before.size() && !(now[j]->meta.name < before[i]->meta.name));
    const bool comes = i == before.size() || (j < now.size() && !(before[i]->meta.name < now[j]->meta.name));
    const bool same_object = goes && comes && before[i]->meta.uid == now[j]->meta.uid;
    if (goes && !same_object) tell("DELETED", *before[i]);
    if (comes) tell(same_object ? "MODIFIED" : "ADDED", *now[j]);
    i += goes ? 1u : 0u;
    j += comes ? 1u : 0u;
  }
}

/// Nobody asks for them, and whoever writes them without end has to be stopped: one for each of its calls, and many
/// more.
constexpr std::size_t most_events = 100'000;

SyncResult External::serve(const Key& key, Api& api) {
  for (;;) {
    const json message = adapter_->receive();
    const std::string type = text_at(message, "type");
    if (type != "calls" && type != "done")
      adapter_->give_up("the adapter wrote a message of no known type: " + excerpt(message.dump()));
    if (number_at(message, "id") != turn_.id)
      adapter_->give_up("the adapter answered what it was not asked: " + excerpt(message.dump()));
    if (type == "done" && says(message, "died")) throw ControllerDied{words_in(message["died"])};
    if (type == "done") return result_of(message, key);
    const auto calls = message.find("calls");
    if (calls == message.end() || !calls->is_array() || calls->empty())
      adapter_->give_up("the adapter made a call of nothing");
    answer(*calls, key, api);
    adapter_->send(replies_);
  }
}

namespace {

/// A creation's path does not name what it creates. Empty when nothing else does.
std::string name_in_body(const json& call) { return text_at(member_of(member_of(call, "body"), "metadata"), "name"); }

/// Where a call stands among those that are made at the same time: by method, then by path, names that end in numbers
/// by these, and deletions from the highest number down, as if one had come after the other.
std::tuple<std::string, std::string, std::int64_t> place_among(const json& call) {
  std::string method = text_at(call, "method"), path = text_at(call, "path");
  if (method == "POST") path += "/" + name_in_body(call);
  const Member member = parse_member(path);
  const std::int64_t number = ordeal::number(member.ordinal);
  if (member.ordinal != Ordinal::none) path = std::string(member.parent);
  return {method, path, method == "DELETE" ? -number : number};
}

}  // namespace

/// Calls made at the same time are carried out in an order of their own, whatever order they came in.
void External::answer(const json& calls, const Key& key, Api& api) {
  std::vector<std::size_t> order(calls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const json& call : calls)
    if (!call.is_object()) adapter_->give_up("the adapter made a call that is no object: " + excerpt(call.dump()));
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(place_among(calls[i]), i); });
  std::vector<std::string> replies(calls.size());
  bool together = false;  // events are no requests
  for (const std::size_t i : order) {
    replies[i] = answer_one(calls[i], together, key, api);
    together |= !is_event(calls[i]);
  }
  replies_.clear();
  std::string members;
  if (turn_.seen->reached != reached_) {
    show(*turn_.seen);
    replies_ = std::exchange(lines_, {});
    members = come_so_far(*turn_.seen);
  }
  replies_ += R"({"id":)" + std::to_string(turn_.id) + members + R"(,"replies":[)";
  for (const std::string& reply : replies) replies_.append(replies_.back() == '[' ? "" : ",").append(reply);
  replies_ += "],\"type\":\"replies\"}\n";
}

constexpr const char* connection_lost = R"({"status":0})";
bool External::loses(const Request& request, const Reply& reply) const {
  return adapter_->hello().loses_connections && is_lost(request, reply);
}

std::string External::answer_list(const List& list, bool together, const Key& key, Api& api) {
  const Listed listed = carry_out(list, api, *turn_.seen, together);
  if (listed.failed && loses(listed.asked, *listed.failed)) return connection_lost;
  return go_encode(answer_to(list, listed, key.ns));
}

std::string External::answer_one(const json& call, bool together, const Key& key, Api& api) {
  if (is_event(call)) {
    if (++turn_.events > most_events)
      adapter_->give_up("the adapter wrote more than " + std::to_string(most_events) + " events in one sync");
    if (auto event = event_in(call)) turn_.recorded.push_back(std::move(*event));
    return go_encode(answer_to_event(call));
  }
  const auto list = list_of(call, key.ns);
  if (!list) adapter_->give_up(list.error());
  if (*list) return answer_list(**list, together, key, api);
  auto request = request_of(call, key.ns);
  if (!request) adapter_->give_up(request.error());
  request->together = together;
  recognise_template(*request, key, *turn_.seen);
  const Reply reply = api.call(*request);
  const std::string_view object = reply.ok() ? adapter_->written().of(reply) : std::string_view();
  if (loses(*request, reply)) return connection_lost;
  if (object.empty()) return go_encode(answer_to(*request, reply, key.ns));
  return R"({"body":)" + std::string(object) + R"(,"status":)" + std::to_string(status_of_success(*request, reply)) +
         "}";
}

SyncResult External::result_of(const json& done, const Key& key) try {
  const bool keeps_queue = adapter_->hello().keeps_queue;
  SyncResult result = read_done(done, keeps_queue);
  if (adapter_->hello().records_events && !result.events) result.events.emplace();
  if (result.events) std::ranges::move(turn_.recorded, std::back_inserter(*result.events));
  if (result.failed || keeps_queue) return result;
  if (wants_back_off(done)) {
    const Time due = back_off(requeues_[key]++);
    result.rate_limited = true;
    result.requeue_after = std::min(result.requeue_after.value_or(due), due);
  } else {
    requeues_.erase(key);
  }
  return result;
} catch (const Broken& broken) {
  adapter_->give_up(broken.what());
}

// --- event handlers of its own -----------------------------------------------------------------------------------------

/// Told at once, since a list of now would not show it.
template <class T>
void External::hear_of(const Change<T>& event, const View& seen) {
  if (died_) return;
  begin_telling();
  ++unheard_;
  ns_ = event.object().meta.ns;
  Shown<T>& shown = shown_.of<T>();
  shown.reached = seen.reached[static_cast<std::size_t>(kind_v<T>)];
  if (event.after != nullptr) {
    shown.held.put(event.after);
    tell(event.before != nullptr ? "MODIFIED" : "ADDED", *event.after);
  } else {
    shown.held.erase(event.before->meta.name);
    tell_gone(event);
  }
}

std::vector<Wake> External::asked(Time now) try {
  if (turn_.lasts || unheard_ == 0) return {};
  unheard_ = 0;
  adapter_->expect_silence();
  turn_.id = adapter_->next_turn();
  append_line(lines_, {{"type", "handle"}, {"id", turn_.id}, {"time", time_text(now)}});
  send_lines();
  const json handled = adapter_->receive();
  if (text_at(handled, "type") != "handled" || number_at(handled, "id") != turn_.id)
    throw Broken("the adapter was to run its event handlers, and wrote: " + excerpt(handled.dump()));
  return wakes_in(handled);
} catch (const Broken& broken) {
  adapter_->give_up(broken.what());
}

/// Of a process that died in a handler all sets: it ends in the turn of whichever is next.
std::vector<Wake> External::wakes_in(const json& handled) {
  constexpr std::size_t most_wakes = 10'000;  // a queue is made for few keys
  std::vector<Wake> wakes;
  if (says(handled, "died")) {
    died_ = words_in(handled["died"]);
    for (const StatefulSet* set : shown_.sets.held.all()) wakes.push_back({{ns_, set->meta.name}});
    return wakes;
  }
  if (!says(handled, "wakes")) return wakes;
  const json& said = handled["wakes"];
  if (!said.is_array()) throw Broken("the adapter names the sets to be woken in no list: " + excerpt(said.dump()));
  if (said.size() > most_wakes)
    throw Broken("the adapter wakes " + std::to_string(said.size()) + " sets at once, and " +
                 std::to_string(most_wakes) + " are the most");
  for (const json& one : said)
    if (const auto wake = wake_in(one)) wakes.push_back(*wake);
  return wakes;
}

/// Nothing for a set of another namespace, where none is synced.
std::optional<Wake> External::wake_in(const json& said) {
  const std::string key = text_at(said, "key");
  const std::size_t slash = key.find('/');
  if (slash == key.npos) throw Broken("the adapter wakes no set NAMESPACE/NAME: " + excerpt(said.dump()));
  const auto after = delay_in(said, "afterMs");
  if (key.substr(0, slash) != sent_namespace(ns_).view()) return std::nullopt;
  return Wake{{ns_, Text(key.substr(slash + 1))}, after.value_or(Time{})};
}

}  // namespace ordeal::fuzz
