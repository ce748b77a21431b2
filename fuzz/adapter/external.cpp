#include "fuzz/adapter/external.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "core/api/codec.h"
#include "core/api/encode.h"
#include "core/api/names.h"
#include "core/controller/queue.h"
#include "core/controller/reference.h"
#include "core/controller/releases.h"
#include "fuzz/adapter/http.h"
#include "fuzz/adapter/recognise.h"
#include "fuzz/engine/legible.h"
#include "properties/scenario/gate_names.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;

void append_line(std::string& lines, const json& message) {
  lines += go_encode(message);
  lines += '\n';
}

/// Even an empty list has a version; 0 would mean any.
json reached_json(const View& seen) {
  json out = json::object();
  for (const Kind kind : every_kind) {
    const auto version = static_cast<std::uint64_t>(seen.reached[static_cast<std::size_t>(kind)]);
    out[resource_of(kind)] = std::to_string(std::max<std::uint64_t>(version, 1));
  }
  return out;
}

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

std::string text_at(const json& message, const char* key) {
  const auto found = message.find(key);
  return found != message.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::int64_t> number_at(const json& message, const char* key) {
  const auto found = message.find(key);
  if (found == message.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

/// The beginning of something an adapter wrote, fit for a message.
std::string excerpt(std::string_view text) {
  constexpr std::size_t shown = 80;
  std::string out(text.substr(0, shown));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out + (text.size() > shown ? "..." : "");
}

/// A member that is null is as good as none.
bool says(const json& message, const char* key) {
  const auto found = message.find(key);
  return found != message.end() && !found->is_null();
}

/// What it says in a member that is a text, or should be one.
std::string words_in(const json& member) {
  return excerpt(member.is_string() ? member.get<std::string>() : member.dump());
}

}  // namespace

json gates_json(const Gates& gates) {
  json out = json::object();
  properties::each_gate(gates, [&](const properties::Gate& gate, bool on) { out[std::string(gate.name)] = on; });
  return out;
}

// --- the program -----------------------------------------------------------------------------------------------------

void Adapter::start_if_needed() {
  if (process_) return;
  if (failed_starts_ >= starts_at_most) throw Broken(why_not_started_);
  ++starts_;
  turn_ = 0;
  try {
    start();
    failed_starts_ = 0;
  } catch (const Broken& broken) {
    ++failed_starts_;
    why_not_started_ = broken.what();
    throw;
  }
}

void Adapter::start() {
  try {
    process_ = std::make_unique<Subprocess>(command_, patience_);
  } catch (const Broken& broken) {
    give_up(broken.what());
  }
  greet();
}

void Adapter::greet() {
  std::string line;
  append_line(line, {{"type", "hello"}, {"protocol", protocol_version}});
  send(line);
  const json hello = receive();
  if (text_at(hello, "type") != "hello") give_up("the adapter did not say hello but: " + excerpt(hello.dump()));
  const auto version = number_at(hello, "protocol");
  if (version != protocol_version)
    give_up("the adapter speaks protocol " + (version ? std::to_string(*version) : std::string("?")) +
            ", and this is protocol " + std::to_string(protocol_version));
  take_likeness(hello);
  take_gates(hello);
  take_wish(hello);
  take_start(hello);
}

void Adapter::take_likeness(const json& hello) {
  like_ = says(hello, "like") ? find_release(text_at(hello, "like")) : nullptr;
  if (says(hello, "like") && like_ == nullptr)
    give_up("the adapter says that it is like " + excerpt(hello["like"].dump()) +
            ", which is no release known here; one is \"kubernetes@1.31.14\"");
}

void Adapter::take_gates(const json& hello) {
  fixed_gates_.clear();
  if (!says(hello, "gates")) return;
  const json& said = hello["gates"];
  if (!said.is_object()) give_up("the adapter says what gates it has in no object: " + excerpt(said.dump()));
  for (const auto& [name, value] : said.items()) {
    if (!properties::is_gate(name))
      give_up("the adapter says how a gate is that is none of those in reset: " + excerpt(name));
    if (!value.is_boolean())
      give_up("the adapter says that gate " + name + " is neither true nor false: " + excerpt(value.dump()));
    fixed_gates_.emplace_back(properties::row_of(name).controller, value.get<bool>());
  }
}

void Adapter::take_wish(const json& hello) {
  const std::string wish = text_at(hello, "events");
  if (says(hello, "events") && wish != "each" && wish != "latest")
    give_up("the adapter wants neither each event nor the latest, but " + excerpt(hello["events"].dump()));
  wants_latest_ = wish == "latest";
  has_handlers_ = says_yes(hello, "handlers", "whether it has event handlers");
  has_live_caches_ = says_yes(hello, "liveCaches", "whether its caches are live");
  keeps_queue_ = says_yes(hello, "queue", "whether its work queue is its own");
  rests_by_events_ = says_yes(hello, "restByEvents", "whether it leaves the rest to events");
  has_several_workers_ = says_yes(hello, "severalWorkers", "whether it has several workers");
}

/// Which caches it does not wait for when it starts, by resource.
void Adapter::take_start(const json& hello) {
  starts_without_.reset();
  if (!says(hello, "startsWithout")) return;
  const json& said = hello["startsWithout"];
  if (!said.is_array())
    give_up("the adapter names the caches that it starts without in no list: " + excerpt(said.dump()));
  starts_without_.emplace();
  for (const json& resource : said) {
    const auto kind = std::ranges::find_if(every_kind, [&](Kind k) { return resource == resource_of(k); });
    if (kind == std::end(every_kind))
      give_up("the adapter starts without a cache of what it is told nothing of: " + excerpt(resource.dump()));
    (*starts_without_)[static_cast<std::size_t>(*kind)] = true;
  }
}

bool Adapter::says_yes(const json& message, const char* member, const std::string& what) {
  if (!says(message, member)) return false;
  const json& said = message[member];
  if (!said.is_boolean()) give_up("the adapter says " + what + " by neither true nor false: " + excerpt(said.dump()));
  return said.get<bool>();
}

Gates Adapter::acting(Gates told) {
  start_if_needed();
  for (const auto& [gate, is_on] : fixed_gates_) told.*gate = is_on;
  return told;
}

const Release* Adapter::like() {
  start_if_needed();
  return like_;
}

bool Adapter::has_handlers() {
  start_if_needed();
  return has_handlers_;
}

bool Adapter::has_live_caches() {
  start_if_needed();
  return has_live_caches_;
}

bool Adapter::has_several_workers() {
  start_if_needed();
  return has_several_workers_;
}

bool Adapter::rests_by_events() {
  start_if_needed();
  return rests_by_events_;
}

bool Adapter::keeps_queue() {
  start_if_needed();
  return keeps_queue_;
}

std::optional<Kinds> Adapter::starts_without() {
  start_if_needed();
  return starts_without_;
}

void Adapter::send(std::string_view lines) {
  try {
    process_->write(lines);
  } catch (const Broken& broken) {
    give_up(broken.what());
  }
}

json Adapter::receive() {
  std::string_view line;
  try {
    line = process_->read_line();
  } catch (const Broken& broken) {
    give_up(broken.what());
  }
  json message;
  FieldErrors errors;
  if (!parse_json(line, message, errors) || !message.is_object())
    give_up("the adapter wrote what is no JSON object: " + excerpt(line));
  return message;
}

void Adapter::expect_silence() {
  if (process_->has_unread()) give_up("the adapter spoke without being asked");
}

void Adapter::give_up(const std::string& reason) {
  std::string said = process_ ? process_->last_words() : std::string();
  process_.reset();
  while (!said.empty() && said.back() == '\n') said.pop_back();
  throw Broken(legible(said.empty() ? reason : reason + "\nits standard error ends:\n" + said));
}

// --- a sync ----------------------------------------------------------------------------------------------------------

void External::restart() {
  forget();
  adapter_->written().clear();
  reset_ = true;
}

Traits External::traits() const {
  const Release* said = adapter_->like();
  Traits traits = said != nullptr ? traits_of(said->rules) : outside_traits(name_);
  traits.watches_every_namespace = true;
  traits.live_caches = adapter_->has_live_caches();
  traits.keeps_queue = adapter_->keeps_queue();
  traits.rest_by_events = adapter_->rests_by_events();
  traits.several_workers = adapter_->has_several_workers();
  traits.starts_without = adapter_->starts_without();
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
  if (watches && !adapter_->wants_latest()) tell_each(listing.events, *shown.reached);
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

/// A creation's path does not name what it creates. Empty when nothing else does.
std::string name_in_body(const json& call) {
  const auto body = call.find("body");
  if (body == call.end() || !body->is_object()) return {};
  const auto metadata = body->find("metadata");
  return metadata == body->end() || !metadata->is_object() ? std::string() : text_at(*metadata, "name");
}

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

std::string External::answer_one(const json& call, bool together, const Key& key, Api& api) {
  if (is_event(call)) {
    if (++turn_.events > most_events)
      adapter_->give_up("the adapter wrote more than " + std::to_string(most_events) + " events in one sync");
    return go_encode(answer_to_event(call));
  }
  auto request = request_of(call, key.ns);
  if (!request) adapter_->give_up(request.error());
  request->together = together;
  if (auto* pod = std::get_if<Pod>(&request->body)) recognise_template(*pod, key, *turn_.seen);
  const Reply reply = api.call(*request);
  const std::string_view object = reply.ok() ? adapter_->written().of(reply) : std::string_view();
  if (object.empty()) return go_encode(answer_to(*request, reply, key.ns));
  return R"({"body":)" + std::string(object) + R"(,"status":)" + std::to_string(status_of_success(request->verb)) + "}";
}

SyncResult External::result_of(const json& done, const Key& key) {
  SyncResult result;
  if (const auto error = done.find("error"); error != done.end() && !error->is_null()) {
    result.failed = true;
    result.what = words_in(*error);
    if (const auto status = number_at(done, "status"))
      result.code =
          code_of_answer(std::in_range<int>(*status) ? static_cast<int>(*status) : 0, text_at(done, "reason"));
  }
  const bool keeps_queue = adapter_->keeps_queue();
  (result.failed && keeps_queue ? result.retry_after : result.requeue_after) = delay_in(done, "requeueAfterMs");
  if (!result.failed && !keeps_queue) back_off_if_asked(done, key, result.requeue_after);
  result.touched = touched_in(done);
  result.alone = alone_in(done);
  return result;
}

/// A requeue with back-off is one after a time, which grows as long as it is asked for turn after turn.
void External::back_off_if_asked(const json& done, const Key& key, std::optional<Time>& requeue_after) {
  if (!adapter_->says_yes(done, "requeueRateLimited", "whether it is to be run again with back-off")) {
    requeues_.erase(key);
    return;
  }
  const Time due = back_off(requeues_[key]++);
  requeue_after = requeue_after ? std::min(*requeue_after, due) : due;
}

/// "Pod web-0, Pod web-1": what the adapter has seen its controller change in place. Nothing when it does not look.
std::optional<Text> External::touched_in(const json& done) {
  if (!says(done, "touched")) return std::nullopt;
  const json& names = done["touched"];
  const auto is_text = [](const json& name) { return name.is_string(); };
  if (!names.is_array() || !std::ranges::all_of(names, is_text))
    adapter_->give_up("the adapter names what was changed in its caches in no list of texts: " + excerpt(names.dump()));
  std::string text;
  for (const json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return Text(excerpt(text));
}

/// Whether its work queue kept the set from all other workers. Nothing when it does not say.
std::optional<bool> External::alone_in(const json& done) {
  if (!says(done, "alone")) return std::nullopt;
  return adapter_->says_yes(done, "alone", "whether no other worker could have had the set");
}

/// The clock of the trial goes as far as it is asked to; so nobody may ask for the end of time.
std::optional<Time> External::delay_in(const json& message, const char* member) {
  constexpr std::int64_t longest_ms =
      std::int64_t{100} * 365 * 24 * 60 * 60 * 1000;  // minReadySeconds alone may be 68 years
  if (!says(message, member)) return std::nullopt;
  const auto after = number_at(message, member);
  if (!after || *after < 0 || *after > longest_ms)
    adapter_->give_up("the adapter asks to be run again after " + excerpt(message[member].dump()) +
                      " ms, which is no whole number from 0 to a hundred years (" + std::to_string(longest_ms) + ")");
  return Time{*after};
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

std::vector<Wake> External::asked(Time now) {
  if (turn_.lasts || unheard_ == 0) return {};
  unheard_ = 0;
  adapter_->expect_silence();
  turn_.id = adapter_->next_turn();
  append_line(lines_, {{"type", "handle"}, {"id", turn_.id}, {"time", time_text(now)}});
  send_lines();
  const json handled = adapter_->receive();
  if (text_at(handled, "type") != "handled" || number_at(handled, "id") != turn_.id)
    adapter_->give_up("the adapter was to run its event handlers, and wrote: " + excerpt(handled.dump()));
  return wakes_in(handled);
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
  if (!said.is_array()) adapter_->give_up("the adapter names the sets to be woken in no list: " + excerpt(said.dump()));
  if (said.size() > most_wakes)
    adapter_->give_up("the adapter wakes " + std::to_string(said.size()) + " sets at once, and " +
                      std::to_string(most_wakes) + " are the most");
  for (const json& one : said)
    if (const auto wake = wake_in(one)) wakes.push_back(*wake);
  return wakes;
}

/// Nothing for a set of another namespace, where none is synced.
std::optional<Wake> External::wake_in(const json& said) {
  const std::string key = said.is_object() ? text_at(said, "key") : std::string();
  const std::size_t slash = key.find('/');
  if (slash == key.npos) adapter_->give_up("the adapter wakes no set NAMESPACE/NAME: " + excerpt(said.dump()));
  const auto after = delay_in(said, "afterMs");
  if (key.substr(0, slash) != sent_namespace(ns_).view()) return std::nullopt;
  return Wake{{ns_, Text(key.substr(slash + 1))}, after.value_or(Time{})};
}

}  // namespace ordeal::fuzz
