#include "fuzz/adapter/bodies.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/fields.h"
#include "core/api/object_json.h"
#include "fuzz/adapter/query.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;
using Refused = std::unexpected<std::string>;

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
Request with(Request request, const json& body, const Text& ns) {
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
  const std::string name = text_at(member_of(body, "metadata"), "name");
  if (name.contains('/')) return Refused("metadata.name: must be no path (found: \"" + name + "\")");
  request.name = name;
  return request;
}

std::expected<Request, std::string> with_what_is_read(Request request, const json& body, const Text& ns) {
  switch (request.kind) {
    case Kind::pod: return with<Pod>(std::move(request), body, ns);
    case Kind::claim: return with<Claim>(std::move(request), body, ns);
    case Kind::revision: return with<Revision>(std::move(request), body, ns);
    case Kind::set: break;
  }
  return with_set(std::move(request), body);
}

/// None, when it is no number.
Version read_version(const std::string& digits) {
  const bool whole = !digits.empty() && digits.size() < 20 && digits.find_first_not_of("0123456789") == digits.npos;
  return whole ? static_cast<Version>(std::stoull(digits)) : Version::none;
}

/// Why an API server takes the body for none of the object that the request is about, whatever is stored; empty: it
/// does. What is not said is taken from the URL, but for the name of an object that is there.
std::string objection_to_body(const Request& request, const json& body, std::string_view ns) {
  const json& metadata = member_of(body, "metadata");
  const std::string version = text_at(body, "apiVersion"), kind = text_at(body, "kind"),
                    name = text_at(metadata, "name"), of = text_at(metadata, "namespace");
  const bool is_other = (!version.empty() && version != version_of(request.kind)) ||
                        (!kind.empty() && kind + "List" != list_kind_of(request.kind));
  if (is_other) return "the object is of another type than the request is for: " + version + ", Kind=" + kind;
  if (request.verb == Verb::create) return {};
  if (name != request.name.view())
    return "the name of the object (" + name + ") does not match the name on the URL (" + request.name.str() + ")";
  if (!of.empty() && of != ns) return "the namespace of the object (" + of + ") does not match that of the URL";
  return {};
}

/// With an objection to its body what comes of a request is known.
void refuse_another(Request& request, const json& body, std::string_view ns) {
  if (const std::string why = objection_to_body(request, body, ns); !why.empty())
    refuse(request, Code::bad_request, why);
}

}  // namespace

std::expected<Request, std::string> with_object(Request request, const json& body, const Text& ns,
                                                std::string_view there) {
  auto asked = with_what_is_read(std::move(request), body, ns);
  if (asked) refuse_another(*asked, body, there);
  return asked;
}

Request with_status(Request request, const json& body, std::string_view there) {
  StatefulSetStatus status;
  FieldErrors errors;
  if (!from_json(member_of(body, "status"), status, errors)) refuse_unread(request, errors);
  ObjectMeta meta;
  if (from_json(member_of(body, "metadata"), meta, errors))
    request.meta = std::make_shared<const ObjectMeta>(std::move(meta));
  request.verb = Verb::update_status;
  request.version = read_version(text_at(member_of(body, "metadata"), "resourceVersion"));
  request.uid = read_uid(text_at(member_of(body, "metadata"), "uid"));
  request.body = status;
  refuse_another(request, body, there);
  return request;
}

// --- of deletions ----------------------------------------------------------------------------------------------------

namespace {

/// Nobody waits longer; less than nothing is for the API server to mend.
constexpr std::int64_t longest_grace = std::numeric_limits<std::int32_t>::max();
/// What no object has, so that a condition on it never holds: as of a text that is no number.
constexpr auto never = static_cast<Version>(std::numeric_limits<std::int64_t>::max());

constexpr std::array<std::string_view, propagation_count> propagations{"Background", "Foreground", "Orphan"};

void read_preconditions(const Field& preconditions, Request& request) {
  if (!preconditions.is_map()) return;
  Text uid, version;
  preconditions["uid"].read(uid);
  preconditions["resourceVersion"].read(version);
  request.uid = read_uid(uid);
  request.version = read_version(version.str());
  if (!version.empty() && request.version == Version::none) request.version = never;
}

void read_grace(const Field& grace, Request& request) {
  if (!grace.present()) return;
  std::int64_t seconds = 0;
  grace.read(seconds);
  request.grace = std::min(seconds, longest_grace);
}

/// `orphanDependents` is how old clients say it.
void read_propagation(const Field& options, Request& request) {
  const Field policy = options["propagationPolicy"], old = options["orphanDependents"];
  Text word;
  bool orphans = false;
  policy.read(word);
  old.read(orphans);
  if (orphans) request.propagation = Propagation::orphan;
  if (!policy.present()) return;
  const auto named = std::ranges::find(propagations, word.view());
  if (old.present()) refuse(request, Code::invalid, "orphanDependents and propagationPolicy cannot both be set");
  else if (named == propagations.end())
    refuse(request, Code::invalid,
           "propagationPolicy: must be Background, Foreground or Orphan (found: \"" + word.str() + "\")");
  else request.propagation = static_cast<Propagation>(named - propagations.begin());
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

}  // namespace

std::string_view word_of(Propagation propagation) { return propagations[static_cast<std::size_t>(propagation)]; }

std::expected<Request, std::string> with_options(Request request, const json& body, const std::string& query) {
  const json options = body.is_null() ? options_in(query) : body;
  if (!member_of(options, "dryRun").empty()) return Refused("a dry run, which is not served");
  FieldErrors errors;
  const Field read(options, errors);
  if (read.is_map()) {
    read_preconditions(read["preconditions"], request);
    read_grace(read["gracePeriodSeconds"], request);
    read_propagation(read, request);
  }
  if (!errors.empty()) refuse_unread(request, errors);
  return request;
}

// --- of patches ------------------------------------------------------------------------------------------------------

namespace {

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
  out.object_uid = read_uid(text_at(metadata, "uid"));
  if (!is_whole) {
    out.remove = read_uid(text_at(owners[0], "uid"));
    return out;
  }
  Owners added;
  FieldErrors errors;
  if (!from_json(owners, added, errors)) return std::nullopt;
  out.add = added.front();
  return out;
}

/// One of operations is a list of maps, any other is a map.
void refuse_shapeless(Request& request, const json& patch, PatchType type) {
  FieldErrors errors;
  const Field field(patch, errors, "patch");
  field.require();
  if (type != PatchType::operations) field.is_map();
  else if (field.is_list())
    for (std::size_t i = 0; i < field.size(); ++i)
      if (const Field operation = field[i]; !operation.is_map()) operation.require();
  if (!errors.empty()) refuse_unread(request, errors);
}

std::expected<Request, std::string> with_partial(Request request, const json& patch, const std::string& content_type) {
  const auto form = std::ranges::find(patch_forms, media_type(content_type), &PatchForm::content_type);
  if (form == patch_forms.end())
    return Refused("a patch of a type that is not served (found: \"" + content_type + "\")");
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
  refuse_shapeless(request, patch, form->type);
  return request;
}

/// What it is a creation of, if there is no such object, is read here; what else it comes to depends on what is stored.
std::expected<Request, std::string> with_apply(Request request, const json& config, const std::string& query,
                                               const Text& ns) {
  if (config.is_string()) return Refused("an apply in YAML, which is served as JSON alone");
  Apply apply{.manager = Text(argument(query, "fieldManager")),
              .forces = is_set(query, "force"),
              .json = std::make_shared<const std::string>(written(config))};
  Request creation = request;
  creation.verb = Verb::create;
  auto made = with_what_is_read(std::move(creation), config, ns);
  if (!made) apply.unreadable = Text(made.error());
  else if (made->refused) apply.unreadable = made->refused->why;
  else apply.creation = std::make_shared<const Request>(std::move(*made));
  request.verb = Verb::patch;
  request.body = std::move(apply);
  refuse_shapeless(request, config, PatchType::merge);
  return request;
}

}  // namespace

std::string_view content_type_of(const Request& request) {
  if (std::holds_alternative<Apply>(request.body)) return apply_form;
  const PatchType type = request.verb == Verb::patch ? request.patch().type : PatchType::strategic;
  return std::ranges::find(patch_forms, type, &PatchForm::type)->content_type;
}

std::expected<Request, std::string> with_patch(Request request, const json& call, const Text& ns) {
  const json& body = member_of(call, "body");
  const std::string content_type = text_at(call, "contentType");
  return media_type(content_type) == apply_form ? with_apply(std::move(request), body, text_at(call, "query"), ns)
                                                : with_partial(std::move(request), body, content_type);
}

}  // namespace ordeal::fuzz
