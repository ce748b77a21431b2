#include "fuzz/adapter/http.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/api/codec.h"
#include "core/api/object_json.h"
#include "core/cluster/admitted.h"
#include "core/cluster/update.h"
#include "fuzz/adapter/query.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;
using Refused = std::unexpected<std::string>;

struct Answer {
  Code code;
  int status;
  std::string_view reason;
};
constexpr std::array<Answer, 11> answers{{{Code::ok, 200, ""},
                                          {Code::conflict, 409, "Conflict"},
                                          {Code::already_exists, 409, "AlreadyExists"},
                                          {Code::not_found, 404, "NotFound"},
                                          {Code::forbidden, 403, "Forbidden"},
                                          {Code::invalid, 422, "Invalid"},
                                          {Code::timeout, 504, "Timeout"},
                                          {Code::internal, 500, "InternalError"},
                                          {Code::unavailable, 503, "ServiceUnavailable"},
                                          {Code::too_many_requests, 429, "TooManyRequests"},
                                          {Code::bad_request, 400, "BadRequest"}}};

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

// --- bodies ----------------------------------------------------------------------------------------------------------

void refuse(Request& request, Code code, const std::string& why) {
  request.refused = std::make_shared<const Reply>(Reply{.code = code, .why = Text(why)});
}

/// What an API server cannot decode, or what lacks a field that it asks for, which it looks at afterwards.
void refuse_unread(Request& request, const FieldErrors& errors) {
  const auto wrong = std::ranges::find_if(errors, [](const FieldError& error) { return !error.value.empty(); });
  if (wrong != errors.end()) refuse(request, Code::bad_request, wrong->text());
  else refuse(request, Code::invalid, errors.front().text());
}

/// With what of the object could be read.
template <class T>
Request with_object(Request request, const json& body, const Text& ns) {
  T object;
  FieldErrors errors;
  if (!from_json(body, object, errors)) refuse_unread(request, errors);
  if (object.meta.ns.empty() || object.meta.ns == sent_namespace(ns)) object.meta.ns = ns;
  if (request.name.empty()) request.name = object.meta.name;  // a creation names its object in the body
  request.version = object.meta.version;
  request.uid = request.verb == Verb::create ? Uid::none : object.meta.uid;
  request.body = std::move(object);
  return request;
}

/// A write of a whole set is refused, whatever it says: only its user may.
std::expected<Request, std::string> with_set(Request request, const json& body) {
  if (!request.name.empty()) return request;
  const std::string name = text_of(member_of(member_of(body, "metadata"), "name"));
  if (name.contains('/')) return Refused("metadata.name: must be no path (found: \"" + name + "\")");
  request.name = name;
  return request;
}

std::expected<Request, std::string> with_object(Request request, const json& body, const Text& ns) {
  switch (request.kind) {
    case Kind::pod: return with_object<Pod>(std::move(request), body, ns);
    case Kind::claim: return with_object<Claim>(std::move(request), body, ns);
    case Kind::revision: return with_object<Revision>(std::move(request), body, ns);
    case Kind::set: break;
  }
  return with_set(std::move(request), body);
}

Version version_in(const json& metadata) {
  const std::string digits = text_of(member_of(metadata, "resourceVersion"));
  const bool whole = !digits.empty() && digits.size() < 20 && digits.find_first_not_of("0123456789") == digits.npos;
  return whole ? static_cast<Version>(std::stoull(digits)) : Version::none;
}

Request with_status(Request request, const json& body) {
  StatefulSetStatus status;
  FieldErrors errors;
  if (!from_json(member_of(body, "status"), status, errors)) refuse_unread(request, errors);
  ObjectMeta meta;
  if (from_json(member_of(body, "metadata"), meta, errors))
    request.meta = std::make_shared<const ObjectMeta>(std::move(meta));
  request.verb = Verb::update_status;
  request.version = version_in(member_of(body, "metadata"));
  request.uid = read_uid(text_of(member_of(member_of(body, "metadata"), "uid")));
  request.body = status;
  return request;
}

/// Why an API server takes the body for none of the object that the request is about, whatever is stored; empty: it
/// does. What is not said is taken from the URL, but for the name of an object that is there.
std::string objection_to_body(const Request& request, const json& body, std::string_view ns) {
  const json& metadata = member_of(body, "metadata");
  const std::string version = text_of(member_of(body, "apiVersion")), kind = text_of(member_of(body, "kind")),
                    name = text_of(member_of(metadata, "name")), of = text_of(member_of(metadata, "namespace"));
  const bool is_other = (!version.empty() && version != version_of(request.kind)) ||
                        (!kind.empty() && kind + "List" != list_kind_of(request.kind));
  if (is_other) return "the object is of another type than the request is for: " + version + ", Kind=" + kind;
  if (request.verb == Verb::create) return {};
  if (name != request.name.view())
    return "the name of the object (" + name + ") does not match the name on the URL (" + request.name.str() + ")";
  if (!of.empty() && of != ns) return "the namespace of the object (" + of + ") does not match that of the URL";
  return {};
}

/// The request, unless there is an objection to its body: then what comes of it is known.
std::expected<Request, std::string> with_its_body(std::expected<Request, std::string> request, const json& body,
                                                  std::string_view ns) {
  if (!request) return request;
  if (const std::string why = objection_to_body(*request, body, ns); !why.empty())
    refuse(*request, Code::bad_request, why);
  return request;
}

/// Seconds that any clock can be moved by; less than nothing is for the API server to mend.
constexpr std::int64_t longest_grace = std::numeric_limits<std::int32_t>::max();
bool is_bearable(const json& grace) {
  if (grace.is_number_unsigned()) return grace.get<std::uint64_t>() <= std::uint64_t{longest_grace};
  return grace.is_number_integer() && grace.get<std::int64_t>() <= longest_grace;
}

constexpr std::array<std::string_view, propagation_count> propagations{"Background", "Foreground", "Orphan"};

/// Nothing, when it is none of these.
std::optional<Propagation> propagation_in(const json& options) {
  const json &policy = member_of(options, "propagationPolicy"), &orphans = member_of(options, "orphanDependents");
  if (policy.is_null()) return orphans == true ? Propagation::orphan : Propagation::background;
  const auto named = std::ranges::find(propagations, text_of(policy));
  if (named == propagations.end()) return std::nullopt;
  return static_cast<Propagation>(named - propagations.begin());
}

/// As an API server takes them from the URL of a request without a body.
json options_in(const std::string& query) {
  json options = json::object();
  if (const std::string grace = argument(query, "gracePeriodSeconds"); !grace.empty()) {
    const json number = json::parse(grace, nullptr, /*allow_exceptions=*/false);
    options["gracePeriodSeconds"] = number.is_number_integer() ? number : json(grace);
  }
  if (const std::string policy = argument(query, "propagationPolicy"); !policy.empty())
    options["propagationPolicy"] = policy;
  if (is_set(query, "orphanDependents")) options["orphanDependents"] = true;
  return options;
}

/// DeleteOptions, all of which may be absent.
std::expected<Request, std::string> with_options(Request request, const json& options) {
  if (!member_of(options, "dryRun").empty()) return Refused("a dry run, which is not served");
  const json& preconditions = member_of(options, "preconditions");
  request.uid = read_uid(text_of(member_of(preconditions, "uid")));
  request.version = version_in(preconditions);
  const std::optional<Propagation> propagation = propagation_in(options);
  if (!propagation)
    return Refused("propagationPolicy: must be Background, Foreground or Orphan (found: " + options.dump() + ")");
  request.propagation = *propagation;
  const json& grace = member_of(options, "gracePeriodSeconds");
  if (grace.is_null()) return request;
  if (!is_bearable(grace))
    return Refused("gracePeriodSeconds: must be a whole number up to " + std::to_string(longest_grace) +
                   " (found: " + grace.dump() + ")");
  request.grace = grace.get<std::int64_t>();
  return request;
}

std::string written(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

constexpr std::string_view apply_form = "application/apply-patch+yaml";
std::string_view media_type(std::string_view content_type) { return content_type.substr(0, content_type.find(';')); }

struct PatchForm {
  std::string_view content_type;
  PatchType type;
};
constexpr std::array patch_forms{PatchForm{"application/merge-patch+json", PatchType::merge},
                                 PatchForm{"application/strategic-merge-patch+json", PatchType::strategic},
                                 PatchForm{"application/json-patch+json", PatchType::operations}};

/// How clients in Go adopt and release: one owner reference that is added, or that goes by its UID. Others come to the
/// same (Cluster::resolve), with what is stored at hand.
std::optional<OwnerPatch> owner_patch_in(const json& patch) {
  const json& metadata = member_of(patch, "metadata");
  const json& owners = member_of(metadata, "ownerReferences");
  const std::size_t members = member_of(metadata, "uid").is_null() ? 1 : 2;
  if (patch.size() != 1 || metadata.size() != members || !owners.is_array() || owners.size() != 1) return std::nullopt;
  const json& directive = member_of(owners[0], "$patch");
  if (const json& uid = member_of(metadata, "uid"); !uid.is_null() && !uid.is_string()) return std::nullopt;
  const bool is_whole = directive.is_null() && !member_of(owners[0], "controller").is_null() &&
                        !member_of(owners[0], "blockOwnerDeletion").is_null();
  if (!is_whole && directive != "delete") return std::nullopt;  // of an owner that is there the rest would stay
  OwnerPatch out;
  out.object_uid = read_uid(text_of(member_of(metadata, "uid")));
  if (!is_whole) {
    out.remove = read_uid(text_of(member_of(owners[0], "uid")));
    return out;
  }
  Owners added;
  FieldErrors errors;
  if (!from_json(owners, added, errors)) return std::nullopt;
  out.add = added.front();
  return out;
}

std::expected<Request, std::string> with_patch(Request request, const json& patch, const std::string& content_type) {
  const auto form = std::ranges::find(patch_forms, media_type(content_type), &PatchForm::content_type);
  if (form == patch_forms.end())
    return Refused("a patch of a type that is not served (found: \"" + content_type + "\")");
  const bool is_list = form->type == PatchType::operations;
  if (!(is_list ? patch.is_array() : patch.is_object()))
    return Refused(is_list ? "a patch that is no list of operations" : "a patch that is no object");
  const bool can_be_adopted = request.kind == Kind::pod || request.kind == Kind::revision;
  if (form->type == PatchType::strategic && can_be_adopted) {
    if (auto of_owners = owner_patch_in(patch)) {
      request.verb = Verb::patch_owners;
      request.body = std::move(*of_owners);
      return request;
    }
  }
  request.verb = Verb::patch;
  request.body = Patch{form->type, std::make_shared<const std::string>(written(patch))};
  return request;
}

/// What it is a creation of, if there is no such object, is read here; what else it comes to depends on what is stored.
std::expected<Request, std::string> with_apply(Request request, const json& config, const std::string& query,
                                               const Text& ns) {
  if (!config.is_object()) return Refused("an apply that is no object; YAML is served as JSON alone");
  Apply apply{.manager = Text(argument(query, "fieldManager")),
              .forces = is_set(query, "force"),
              .json = std::make_shared<const std::string>(written(config))};
  Request creation = request;
  creation.verb = Verb::create;
  auto made = with_object(std::move(creation), config, ns);
  if (!made) apply.unreadable = Text(made.error());
  else if (made->refused) apply.unreadable = made->refused->why;
  else apply.creation = std::make_shared<const Request>(std::move(*made));
  request.verb = Verb::patch;
  request.body = std::move(apply);
  return request;
}

// --- the words an adapter may add ------------------------------------------------------------------------------------

Reason reason_in(const json& call) {
  const std::string word = text_of(member_of(call, "reason"));
  for (std::size_t i = 0; i < reason_count && !word.empty(); ++i)
    if (name_of(static_cast<Reason>(i)) == word) return static_cast<Reason>(i);
  return Reason::unstated;
}

std::expected<Request, std::string> with_method(Request request, const Target& target, const json& call,
                                                const Text& ns) {
  const std::string method = text_of(member_of(call, "method"));
  const json& body = member_of(call, "body");
  const std::string content_type = text_of(member_of(call, "contentType"));
  const std::string there =
      target.elsewhere.empty() ? sent_namespace(ns).str() : target.elsewhere.substr(0, target.elsewhere.find('/'));
  const auto patched = [&] {
    return media_type(content_type) == apply_form
               ? with_apply(std::move(request), body, text_of(member_of(call, "query")), ns)
               : with_patch(std::move(request), body, content_type);
  };
  if (target.subresource == "status" && method == "GET" && (target.kind == Kind::set || target.kind == Kind::pod))
    return request;  // the whole object
  if (target.subresource == "status" && target.kind == Kind::set && method == "PUT")
    return with_its_body(with_status(std::move(request), body), body, there);
  if (target.subresource == "status" && target.kind == Kind::set && method == "PATCH") return patched();
  if (target.subresource == "eviction" && target.kind == Kind::pod && method == "POST") {  // no budget forbids any
    request.verb = Verb::remove;
    return with_options(std::move(request), member_of(body, "deleteOptions"));
  }
  if (!target.subresource.empty()) return Refused("a subresource that is not served");
  if (method == "POST" && target.name.empty()) {
    request.verb = Verb::create;
    return with_its_body(with_object(std::move(request), body, ns), body, there);
  }
  if (target.name.empty()) return Refused("a deletion of many, where every object has a name");
  if (method == "GET") return request;
  if (method == "PUT" || (method == "PATCH" && target.kind == Kind::set)) {
    request.verb = Verb::update;
    return with_its_body(with_object(std::move(request), body, ns), body, there);
  }
  if (method == "DELETE") {
    request.verb = Verb::remove;
    return with_options(std::move(request), body.is_null() ? options_in(text_of(member_of(call, "query"))) : body);
  }
  if (method == "PATCH") return patched();
  return Refused("a method that is not served");
}

/// A conflict comes of what the request asked to hold.
std::string_view conflict_of(const Request& request) {
  if (request.version == Version::none && request.uid != Uid::none) return "is another one than its UID names";
  if (request.uid == Uid::none) return "has changed since the version that the request names";
  return "has changed since the version that the request names, or is another one than its UID names";
}

/// What came of a request, for people.
std::string_view sentence_of(const Request& request, const Reply& reply) {
  if (!reply.why.empty()) return reply.why;
  switch (reply.code) {
    case Code::conflict: return conflict_of(request);
    case Code::already_exists: return "exists already";
    case Code::not_found: return "is not there";
    case Code::forbidden:
      if (request.verb == Verb::create) return "forbidden: exceeded quota: of-the-team";
      break;
    default: break;
  }
  return name_of(reply.code);
}

/// The fields that an apply was refused for.
json causes_json(const std::vector<FieldConflict>& conflicts) {
  json causes = json::array();
  for (const FieldConflict& conflict : conflicts)
    causes.push_back({{"reason", "FieldManagerConflict"},
                      {"message", "conflict with \"" + conflict.manager.str() + "\""},
                      {"field", conflict.field.str()}});
  return causes;
}

json status_json(const Request& request, const Reply& reply) {
  const std::string_view plural = resource_of(request.kind);
  const std::string what = std::string(plural) + " \"" + request.name.str() + "\"";
  json details = {{"name", request.name.str()}, {"kind", plural}};
  if (reply.code == Code::too_many_requests) details["retryAfterSeconds"] = retry_after_seconds;
  if (reply.managed_by) details["causes"] = causes_json(*reply.managed_by);
  return {{"apiVersion", "v1"},
          {"kind", "Status"},
          {"metadata", json::object()},
          {"status", "Failure"},
          {"message", what + ": " + std::string(sentence_of(request, reply))},
          {"reason", reason_of(reply.code)},
          {"details", std::move(details)},
          {"code", status_of(reply.code)}};
}

json object_in(const Reply& reply) {
  if (const auto* set = reply.as<StatefulSet>()) return to_json(*set);
  if (const auto* pod = reply.as<Pod>()) return seen_by_clients(*pod);
  if (const auto* claim = reply.as<Claim>()) return to_json(*claim);
  if (const auto* revision = reply.as<Revision>()) return to_json(*revision);
  return {{"apiVersion", "v1"}, {"kind", "Status"}, {"metadata", json::object()}, {"status", "Success"}};
}

}  // namespace

Text line_in(const json& call) {
  constexpr std::size_t longest = 200;
  std::string line = text_of(member_of(call, "line"));
  const bool plain = std::ranges::all_of(line, [](char c) { return c > ' ' && c <= '~'; });
  return plain && line.size() <= longest ? Text(std::move(line)) : Text();
}
int status_of_success(const Request& request, const Reply& reply) {
  return request.verb == Verb::create || reply.created ? 201 : 200;
}
int status_of(Code code) { return answers[static_cast<std::size_t>(code)].status; }
std::string_view reason_of(Code code) { return answers[static_cast<std::size_t>(code)].reason; }

Code code_of_answer(int status, std::string_view reason) {
  if (status >= 200 && status < 300) return Code::ok;
  const auto at = std::ranges::find_if(answers, [&](const Answer& answer) {
    return answer.status == status && (reason.empty() || answer.reason == reason);
  });
  return at == answers.end() ? Code::internal : at->code;
}

std::expected<Request, std::string> request_of(const json& call, const Text& ns) {
  const std::string path = text_of(member_of(call, "path"));
  const std::string query = text_of(member_of(call, "query"));
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
  return Refused("the adapter called " + text_of(member_of(call, "method")) + " " + path + ", " + asked.error());
}

bool is_lost(const Request& request, const Reply& reply) {
  return reply.code == Code::timeout && !request.name.empty() && request.name.view().back() % 2 == 0;
}

json answer_to(const Request& request, const Reply& reply, const Text& ns) {
  if (!reply.ok()) return {{"status", status_of(reply.code)}, {"body", status_json(request, reply)}};
  json body = object_in(reply);
  if (body["kind"] != "Status") body["metadata"]["namespace"] = sent_namespace(ns).str();
  return {{"status", status_of_success(request, reply)}, {"body", std::move(body)}};
}

// --- the other side --------------------------------------------------------------------------------------------------

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
  if (request.propagation != Propagation::background)
    out["propagationPolicy"] = propagations[static_cast<std::size_t>(request.propagation)];
  return out;
}

std::string_view content_type_of(const Request& request) {
  if (std::holds_alternative<Apply>(request.body)) return apply_form;
  const PatchType type = request.verb == Verb::patch ? request.patch().type : PatchType::strategic;
  return std::ranges::find(patch_forms, type, &PatchForm::type)->content_type;
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
