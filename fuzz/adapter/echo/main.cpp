// The reference controller as a program of its own: it is shown what any adapter is shown, and asks what any adapter
// may ask. Trials through it must equal trials in process, call by call (external_test.cpp); so nothing is lost or made
// up on the way. It is called with the name of a table and speaks the protocol (../PROTOCOL.md) on standard input and
// output; it says that it is like the release of its table.
// `--silent` leaves out the reasons of its calls, as programs that know no reasons do; `--latest` asks for the latest
// events alone; `--handlers` has event handlers of its own, `--deaf` such as hear of sets alone, and
// `--late` such as gather events for a second; `--lists` reads all that it works on in lists of what is stored;
// `--applies` writes by server-side apply what can be written so; `--posts` writes its events itself, where otherwise
// they are told at the end of a turn.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/api/codec.h"
#include "core/cluster/store.h"
#include "core/controller/queue.h"
#include "core/controller/reference.h"
#include "core/controller/releases.h"
#include "core/controller/rules_table.h"
#include "fuzz/adapter/answer.h"
#include "fuzz/adapter/hello.h"
#include "fuzz/adapter/http.h"
#include "fuzz/adapter/recorded.h"
#include "fuzz/adapter/target.h"
#include "properties/scenario/gate_names.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;

/// The harness went back on a call: the process that made it has died there.
struct Died {};

json read_message(const std::string& line) {
  json message;
  FieldErrors errors;
  if (!parse_json(line, message, errors)) throw std::runtime_error("a line that is no JSON: " + errors.front().text());
  return message;
}

void write(const json& message) {
  std::cout << message.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
}

/// What a cache holds of one kind. Objects live until the next reset, as the door promises.
template <class T>
class Cache {
 public:
  /// What came of what.
  Change<T> take(const std::string& event, const json& object) {
    FieldErrors errors;
    T& read = kept_.emplace_back();
    if (!from_json(object, read, errors))
      throw std::runtime_error("an object that cannot be read: " + errors.front().text());
    if (event == "DELETED") return {live_.erase(read.meta.name), nullptr};
    return {live_.put(&read), &read};
  }
  /// In the order of these names; of its own names when they are none.
  Listing<T> listing(const json& names) {
    if (names.is_null()) return live_.listing();
    listed_.clear();
    for (const json& name : names) listed_.push_back(live_.find(Text(name.get<std::string>())));
    return {listed_, live_.all()};
  }

 private:
  std::deque<T> kept_;
  Index<T> live_;
  std::vector<const T*> listed_;
};

/// Of one namespace.
struct Caches {
  Cache<StatefulSet> sets;
  Cache<Pod> pods;
  Cache<Claim> claims;
  Cache<Revision> revisions;

  /// What its event handlers make of it, once they are run.
  std::function<void(WorkQueue&, Time)> take(const std::string& event, const json& object, bool hears_of_pods) {
    const std::string kind = object.at("kind");
    if (kind == "StatefulSet")
      return [change = sets.take(event, object)](WorkQueue& queue, Time) { queue.on_set(change.before, change.after); };
    if (kind == "Pod")
      return [this, hears_of_pods, change = pods.take(event, object)](WorkQueue& queue, Time now) {
        const View seen{{sets.listing({}), pods.listing({}), {}, {}}};
        if (hears_of_pods) queue.on_pod(change.before, change.after, seen, now);
      };
    if (kind == "PersistentVolumeClaim") claims.take(event, object);
    else revisions.take(event, object);
    return [](WorkQueue&, Time) {};
  }
};

Gates gates_in(const json& message) {
  Gates gates;
  properties::each_gate(gates, [&](const properties::Gate& gate, bool on) {
    gates.*gate.controller = message.at("gates").value(std::string(gate.name), on);
  });
  return gates;
}

class Echo final : private Api {
 public:
  struct Options {
    bool silent = false, latest = false, handlers = false, deaf = false, late = false, queue = false, lossy = false,
         hasty = false, workers = false, lists = false, applies = false, posts = false;
  };
  Echo(const Rules& rules, Options options) : rules_(rules), options_(options) {}

  void run() {
    std::string line;
    while (std::getline(std::cin, line)) handle(read_message(line));
  }

 private:
  void handle(const json& message) {
    const std::string type = message.at("type");
    if (type == "hello") return greet();
    if (type == "reset") return reset(gates_in(message));
    if (type == "sync") return sync(message);
    if (type == "handle") return run_handlers(message);
    take(message);
  }

  void take(const json& event) {
    const json& object = event.at("object");
    news_.push_back((*caches_)[object.at("metadata").at("namespace")].take(event.at("type"), object, !options_.deaf));
  }

  void run_handlers(const json& message) {
    const Time now = *read_time(message.at("time").get<std::string>());
    WorkQueue queue;
    queue.serve(controller_->traits());
    for (const auto& tell : std::exchange(news_, {})) tell(queue, now);
    json wakes = json::array();
    while (const auto key = queue.take(now))
      wakes.push_back({{"key", key->ns.str() + "/" + key->name.str()}, {"afterMs", options_.late ? 1000 : 0}});
    while (const auto due = queue.next_due())
      while (const auto key = queue.take(*due))
        wakes.push_back({{"key", key->ns.str() + "/" + key->name.str()}, {"afterMs", (*due - now).ms}});
    write({{"type", "handled"}, {"id", message.at("id")}, {"wakes", wakes}});
  }

  void greet() {
    json hello = {{"type", "hello"}, {"protocol", protocol_version}, {"name", "echo"}};
    if (find_release(rules_.name) != nullptr) hello["like"] = rules_.name;
    if (options_.latest) hello["events"] = "latest";
    if (options_.handlers || options_.deaf || options_.late) hello["handlers"] = true;
    if (rules_.live_caches) hello["liveCaches"] = true;
    if (options_.hasty) hello["startsWithout"] = {resource_of(Kind::revision)};
    if (options_.queue) hello["queue"] = true;
    if (options_.workers) hello["severalWorkers"] = true;
    if (options_.posts) hello["recordsEvents"] = true;
    write(hello);
  }

  void reset(const Gates& gates) {
    caches_ = std::make_unique<EveryNamespace>();
    answered_.clear();
    news_.clear();
    queue_.clear();
    for (auto* worker : {&controller_, &other_worker_}) *worker = make_reference(rules_, gates);
  }

  void sync(const json& message) {
    try {
      run_turn(message);
    } catch (const Died&) {
      if (!instead_.is_null()) handle(std::exchange(instead_, nullptr));
    }
  }

  /// The other worker's, while this one waits for an answer.
  void run_other_turn(const json& message) {
    const auto id = id_;
    const Text ns = ns_;
    const View seen = seen_;
    std::swap(controller_, other_worker_);
    run_turn(message);
    std::swap(controller_, other_worker_);
    id_ = id, ns_ = ns, seen_ = seen;
  }

  void run_turn(const json& message) {
    id_ = message.at("id");
    const std::string key = message.at("key");
    const std::size_t slash = key.find('/');
    ns_ = Text(key.substr(0, slash));
    show(message);
    const Key set{ns_, Text(key.substr(slash + 1))};
    const Time now = *read_time(message.at("time").get<std::string>());
    try {
      if (const Code code = options_.lists ? list_all() : Code::ok; code != Code::ok)
        return tell({.failed = true, .code = code, .what = "a list failed", .requeue_after = {}}, {});
      const SyncResult result = controller_->sync(set, seen_, *this, now);
      tell(result, options_.queue ? queue_up(set, result, now) : result.requeue_after);
    } catch (const ControllerDied&) {
      write({{"type", "done"}, {"id", id_}, {"died", "by its table"}});
    }
  }

  /// How far the caches have come, and in what order they list.
  void show(const json& message) {
    const json order = message.value("order", json::object());
    const auto names = [&](Kind kind) { return order.value(resource_of(kind), json()); };
    Caches& caches = (*caches_)[ns_.str()];
    seen_ = {{caches.sets.listing(names(Kind::set)), caches.pods.listing(names(Kind::pod)),
              caches.claims.listing(names(Kind::claim)), caches.revisions.listing(names(Kind::revision))}};
    for (const Kind kind : every_kind)
      seen_.reached[static_cast<std::size_t>(kind)] =
          static_cast<Version>(std::stoull(message.at("reached").at(resource_of(kind)).get<std::string>()));
  }

  /// When the echo's own queue has the next turn of that set.
  std::optional<Time> queue_up(const Key& set, const SyncResult& result, Time now) {
    if (options_.lossy && result.failed) return std::nullopt;
    queue_.done(set, result, now);
    const auto due = queue_.next_due(set);
    if (!due) return std::nullopt;
    queue_.take(*due);
    return *due - now;
  }

  void tell(const SyncResult& result, std::optional<Time> requeue_after) {
    json done = {{"type", "done"}, {"id", id_}};
    if (result.failed) done["error"] = std::string(result.what);
    if (result.failed && result.code != Code::ok) {
      done["status"] = status_of(result.code);
      done["reason"] = reason_of(result.code);
    }
    if (requeue_after) done["requeueAfterMs"] = requeue_after->ms;
    if (result.events && !options_.posts) done["events"] = events_json(*result.events);
    if (result.events && options_.posts) post(*result.events);
    write(done);
  }

  /// As a client's recorder does, but at once.
  void post(const std::vector<Event>& events) {
    for (json body : events_json(events)) {
      body["involvedObject"] = {{"kind", "StatefulSet"}, {"name", body["about"]}};
      body.erase("about");
      ask({{"method", "POST"}, {"path", "/api/v1/namespaces/" + ns_.str() + "/events"}, {"body", body}});
    }
  }

  Reply call(Request request) override {
    if (options_.silent) request.reason = Reason::unstated;
    if (request.verb == Verb::update_status && !options_.applies) bring_metadata(request);
    const json asked = options_.applies && can_be_applied(request) ? as_apply(request) : call_of(request, ns_);
    return reply_in(ask(asked), request.kind);
  }

  /// A status is sent with all of its set, as clients do who have read one.
  void bring_metadata(Request& request) const {
    if (const StatefulSet* shown = seen_.sets.find(request.name))
      request.meta = std::make_shared<const ObjectMeta>(shown->meta);
  }

  /// Not what has to fail when the object is there already, whoever's it is, nor what takes an owner away that somebody
  /// else may have written.
  bool can_be_applied(const Request& request) const {
    switch (request.verb) {
      case Verb::create: return request.kind == Kind::claim;
      case Verb::update: return !drops_owner(request);
      case Verb::update_status: return true;
      case Verb::patch_owners: return request.owner_patch().add.has_value();
      default: return false;
    }
  }

  bool drops_owner(const Request& request) const {
    const Claim* shown = request.kind == Kind::claim ? seen_.claims.find(request.name) : nullptr;
    if (shown == nullptr || !shown->meta.owners) return false;
    const auto& wanted = request.claim().meta.owners;
    return std::ranges::any_of(*shown->meta.owners, [&](const OwnerReference& owner) {
      return !wanted || std::ranges::find(*wanted, owner) == wanted->end();
    });
  }

  /// Who applies drops what it applied before and does not say now, so an adoption is another manager's; and only that,
  /// so a count of nothing is said, too, which another program may have written.
  json as_apply(const Request& request) const {
    json call = call_of(request, ns_);
    if (request.verb == Verb::create) call["path"] = call["path"].get<std::string>() + "/" + request.name.str();
    json& body = call["body"];
    if (request.verb == Verb::patch_owners) {
      body["apiVersion"] = version_of(request.kind);
      body["kind"] = request.kind == Kind::pod ? "Pod" : "ControllerRevision";
      body["metadata"]["name"] = request.name.str();
    }
    if (request.verb == Verb::update_status)
      for (const char* count : {"readyReplicas", "currentReplicas", "updatedReplicas"})
        if (!body["status"].contains(count)) body["status"][count] = 0;
    call["method"] = "PATCH";
    call["contentType"] = "application/apply-patch+yaml";
    call["query"] =
        std::string("fieldManager=echo") + (request.verb == Verb::patch_owners ? "-adopts" : "") + "&force=true";
    return call;
  }

  json ask(const json& call) {
    write({{"type", "calls"}, {"id", id_}, {"calls", json::array({call})}});
    json message = answer();
    if (message.at("type") != "replies") {
      instead_ = std::move(message);
      throw Died{};
    }
    if (message.contains("reached")) show(message);
    return message.at("replies").at(0);
  }

  /// In place of what the caches hold; or how a list failed.
  Code list_all() {
    Code code = Code::ok;
    for_each_type([&]<class T>(std::type_identity<T>) {
      if (code != Code::ok) return;
      const json answer = ask({{"method", "GET"}, {"path", collection_of(kind_v<T>, ns_)}});
      code = code_of_answer(answer.at("status"), answer.at("body").value("reason", ""));
      if (code != Code::ok) return;
      auto& listed = listed_.of<T>();
      listed.clear();
      for (const json& item : answer.at("body").at("items")) listed.push_back(read<T>(item));
      seen_.of<T>() = {listed, listed};
    });
    return code;
  }

  /// The next message that is no event and no sync of another worker's.
  json answer() {
    std::string line;
    while (std::getline(std::cin, line)) {
      json message = read_message(line);
      if (message.contains("object")) take(message);
      else if (message.at("type") == "sync") run_other_turn(message);
      else return message;
    }
    throw Died{};
  }

  template <class T>
  const T* read(const json& body) {
    FieldErrors errors;
    auto object = std::make_shared<T>();
    if (!from_json(body, *object, errors))
      throw std::runtime_error("a reply that cannot be read: " + errors.front().text());
    answered_.push_back(object);
    return object.get();
  }

  Reply reply_in(const json& answer, Kind kind) {
    const json& body = answer.at("body");
    const Code code = code_of_answer(answer.at("status"), body.value("reason", ""));
    if (code != Code::ok || body.value("kind", "") == "Status") return {code, {}};
    return with_type(kind, [&]<class T>(std::type_identity<T>) -> Reply { return {code, read<T>(body)}; });
  }

  const Rules& rules_;
  const Options options_;
  using EveryNamespace = std::map<std::string, Caches>;
  std::unique_ptr<EveryNamespace> caches_ = std::make_unique<EveryNamespace>();
  std::unique_ptr<Controller> controller_, other_worker_;
  WorkQueue queue_;
  std::vector<std::function<void(WorkQueue&, Time)>> news_;  // that the handlers are yet to hear
  std::deque<std::shared_ptr<const void>> answered_;         // what replies point to
  std::int64_t id_ = 0;
  Text ns_;
  View seen_;
  template <class T>
  using Listed = std::vector<const T*>;
  EachKind<Listed> listed_;
  json instead_;  // of replies: the next message
};

int main_of(int argc, char** argv) {
  const std::string table = argc > 1 ? argv[1] : "";
  const std::string_view option = argc > 2 ? argv[2] : "";
  const Release* release = find_release(table);
  if (table != "strict" && release == nullptr) {
    std::fprintf(stderr, "echo: the table must be strict or that of a release (found: %s)\n", table.c_str());
    return 2;
  }
  std::ios::sync_with_stdio(false);
  Echo(release == nullptr ? strict_rules() : release->rules, {.silent = option == "--silent",
                                                              .latest = option == "--latest",
                                                              .handlers = option == "--handlers",
                                                              .deaf = option == "--deaf",
                                                              .late = option == "--late",
                                                              .queue = option == "--queue" || option == "--lossy",
                                                              .lossy = option == "--lossy",
                                                              .hasty = option == "--hasty",
                                                              .workers = option == "--workers",
                                                              .lists = option == "--lists",
                                                              .applies = option == "--applies",
                                                              .posts = option == "--posts"})
      .run();
  return 0;
}

}  // namespace

}  // namespace ordeal::fuzz

int main(int argc, char** argv) {
  try {
    return ordeal::fuzz::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "echo: %s\n", error.what());
    return 1;
  }
}
