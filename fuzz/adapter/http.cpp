#include "fuzz/adapter/http.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/object_json.h"
#include "core/cluster/update.h"
#include "fuzz/adapter/bodies.h"
#include "fuzz/adapter/query.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

using nlohmann::json;
using Refused = std::unexpected<std::string>;

// --- a call, as a request --------------------------------------------------------------------------------------------

namespace {

Reason reason_in(const json& call) {
  const std::string word = text_at(call, "reason");
  for (std::size_t i = 0; i < reason_count && !word.empty(); ++i)
    if (name_of(static_cast<Reason>(i)) == word) return static_cast<Reason>(i);
  return Reason::unstated;
}

std::expected<Request, std::string> with_method(Request request, const Target& target, const json& call,
                                                const Text& ns) {
  const std::string method = text_at(call, "method");
  const json& body = member_of(call, "body");
  const std::string there =
      target.elsewhere.empty() ? sent_namespace(ns).str() : target.elsewhere.substr(0, target.elsewhere.find('/'));
  if (target.subresource == "status" && method == "GET" && (target.kind == Kind::set || target.kind == Kind::pod))
    return request;  // the whole object
  if (target.subresource == "status" && target.kind == Kind::set && method == "PUT")
    return with_status(std::move(request), body, there);
  if (target.subresource == "status" && target.kind == Kind::set && method == "PATCH")
    return with_patch(std::move(request), call, ns);
  if (target.subresource == "eviction" && target.kind == Kind::pod && method == "POST") {  // no budget forbids any
    request.verb = Verb::remove;
    return with_options(std::move(request), member_of(body, "deleteOptions"), {});
  }
  if (!target.subresource.empty()) return Refused("a subresource that is not served");
  if (method == "POST" && target.name.empty()) {
    request.verb = Verb::create;
    return with_object(std::move(request), body, ns, there);
  }
  if (target.name.empty()) return Refused("a deletion of many, where every object has a name");
  if (method == "GET") return request;
  if (method == "PUT" || (method == "PATCH" && target.kind == Kind::set)) {
    request.verb = Verb::update;
    return with_object(std::move(request), body, ns, there);
  }
  if (method == "DELETE") {
    request.verb = Verb::remove;
    return with_options(std::move(request), body, text_at(call, "query"));
  }
  if (method == "PATCH") return with_patch(std::move(request), call, ns);
  return Refused("a method that is not served");
}

}  // namespace

Text line_in(const json& call) {
  constexpr std::size_t longest = 200;
  std::string line = text_at(call, "line");
  const bool plain = std::ranges::all_of(line, [](char c) { return c > ' ' && c <= '~'; });
  return plain && line.size() <= longest ? Text(std::move(line)) : Text();
}

std::expected<Request, std::string> request_of(const json& call, const Text& ns) {
  const std::string path = text_at(call, "path");
  const std::string query = text_at(call, "query");
  const bool is_dry = query.contains("dryRun");
  const auto target = is_dry ? Refused("a dry run, which is not served") : target_of(path, ns);
  Request request;
  if (target) {
    request.kind = target->kind;
    request.name = target->name;
    request.reason = reason_in(call);
    request.line = line_in(call);
    request.may_be_old = !argument(query, "resourceVersion").empty();
  }
  auto asked = target ? with_method(std::move(request), *target, call, ns) : Refused(target.error());
  if (asked && !target->elsewhere.empty()) asked->name = target->elsewhere + asked->name.str();
  if (asked) return asked;
  return Refused("the adapter called " + text_at(call, "method") + " " + path + ", " + asked.error());
}

// --- a request, as a call --------------------------------------------------------------------------------------------

namespace {

const char* method_of(Verb verb) {
  switch (verb) {
    case Verb::get: return "GET";
    case Verb::create: return "POST";
    case Verb::update:
    case Verb::update_status: return "PUT";
    case Verb::remove: return "DELETE";
    case Verb::patch_owners:
    case Verb::patch: return "PATCH";
  }
  return "GET";
}

json preconditions_json(const Request& request) {
  json out = json::object();
  if (request.uid != Uid::none) out["uid"] = uid_text(request.uid);
  if (request.version != Version::none)
    out["resourceVersion"] = std::to_string(static_cast<std::uint64_t>(request.version));
  return out;
}

json options_json(const Request& request) {
  json out = {{"apiVersion", "v1"}, {"kind", "DeleteOptions"}};
  if (json preconditions = preconditions_json(request); !preconditions.empty())
    out["preconditions"] = std::move(preconditions);
  if (request.grace) out["gracePeriodSeconds"] = *request.grace;
  if (request.propagation != Propagation::background) out["propagationPolicy"] = word_of(request.propagation);
  return out;
}

json patch_json(const OwnerPatch& patch) {
  json metadata = {{"ownerReferences", json::array()}};
  if (patch.remove)
    metadata["ownerReferences"] = json::array({json{{"$patch", "delete"}, {"uid", uid_text(*patch.remove)}}});
  if (patch.add) metadata["ownerReferences"] = to_json(Owners{*patch.add});
  if (patch.object_uid != Uid::none) metadata["uid"] = uid_text(patch.object_uid);
  return {{"metadata", std::move(metadata)}};
}

/// Of a manager whose name needs no escaping.
std::string query_of(const Apply& apply) {
  return "fieldManager=" + apply.manager.str() + (apply.forces ? "&force=true" : "");
}

/// An object whose version and UID are those of the request: an update is conditional on them.
template <class T>
json object_json(const Request& request, T object) {
  object.meta.version = request.version;
  if (request.verb == Verb::update) object.meta.uid = request.uid;
  return to_json(object);
}

/// `name`: that of the request without the namespace.
json body_of(const Request& request, std::string_view name) {
  if (request.verb == Verb::remove) return options_json(request);
  if (request.verb == Verb::patch_owners) return patch_json(request.owner_patch());
  if (const auto* apply = std::get_if<Apply>(&request.body)) return json::parse(*apply->json);
  if (request.verb == Verb::patch) return json::parse(*request.patch().json);
  if (request.verb == Verb::update_status) {
    ObjectMeta brought;  // without what the server sets
    if (request.meta) take_meta(brought, *request.meta);
    json metadata = meta_json(brought);
    metadata.update(preconditions_json(request));
    metadata["name"] = name;
    return {{"apiVersion", "apps/v1"},
            {"kind", "StatefulSet"},
            {"metadata", metadata},
            {"status", to_json(request.status())}};
  }
  switch (request.kind) {
    case Kind::pod: return object_json(request, request.pod());
    case Kind::claim: return object_json(request, request.claim());
    case Kind::revision: return object_json(request, request.revision());
    case Kind::set: break;  // refused whatever it says, so what it said is not kept
  }
  return {{"apiVersion", "apps/v1"}, {"kind", "StatefulSet"}, {"metadata", {{"name", name}}}};
}

}  // namespace

json call_of(const Request& request, const Text& ns) {
  const std::string_view whole = request.name.view();
  const std::size_t slash = whole.find('/');  // behind another namespace
  std::string path = collection_of(request.kind, slash == whole.npos ? ns : Text(whole.substr(0, slash)));
  const std::string_view name = whole.substr(slash + 1);
  if (request.verb != Verb::create) path += "/" + std::string(name);
  if (request.verb == Verb::update_status || (request.verb == Verb::patch && request.kind == Kind::set))
    path += "/status";
  json call = {{"method", method_of(request.verb)}, {"path", std::move(path)}};
  if (request.verb != Verb::get) call["body"] = body_of(request, name);
  if (request.verb == Verb::patch_owners || request.verb == Verb::patch) call["contentType"] = content_type_of(request);
  if (request.may_be_old) call["query"] = "resourceVersion=0";
  if (const auto* apply = std::get_if<Apply>(&request.body)) call["query"] = query_of(*apply);
  if (request.reason != Reason::unstated) call["reason"] = name_of(request.reason);
  if (!request.line.empty()) call["line"] = request.line.str();
  return call;
}

json reached_json(const View& seen) {
  json out = json::object();
  for (const Kind kind : every_kind) {
    const auto version = static_cast<std::uint64_t>(seen.reached[static_cast<std::size_t>(kind)]);
    out[resource_of(kind)] = std::to_string(std::max<std::uint64_t>(version, 1));
  }
  return out;
}

}  // namespace ordeal::fuzz
