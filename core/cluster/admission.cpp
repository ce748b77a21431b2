#include "core/cluster/admission.h"

#include <algorithm>
#include <string>

#include "core/api/codec.h"
#include "core/api/names.h"
#include "core/api/syntax.h"
#include "core/cluster/cluster.h"

namespace ordeal {

namespace {

// Creating a pod is what a controller does most, and reading its labels was most of that. So what was read before is
// not read again: the keys that every controller writes, and what came with the template (PodTemplate::faults).

Text objects(std::string path, std::string sentence, std::string_view value = {}) {
  return FieldError{.path = std::move(path), .message = std::move(sentence), .value = std::string(value)}.text();
}

bool is_label_key(const Text& key) { return is_identity_label(key) || is_qualified_name(key); }

Text objection_to(const StringMap& labels, const PodTemplate* made_from = nullptr) {
  for (const auto& [key, value] : labels) {
    if (made_from != nullptr && made_from->labels.has(key, value)) continue;
    if (!is_label_value(value)) return objects("metadata.labels." + key.str(), says_label_value, value);
    if (!is_label_key(key)) return objects("metadata.labels", says_qualified_name, key);
  }
  return {};
}

constexpr std::size_t annotations_at_most = 256 * 1024;  // bytes of their keys and values

/// Their keys are taken in whatever case.
Text objection_to_annotations(const StringMap& annotations, const PodTemplate* made_from = nullptr) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : annotations) {
    bytes += key.view().size() + value.view().size();
    if (made_from != nullptr && made_from->annotations.has(key, value)) continue;
    std::string lower = key.str();
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 'a' - 'A') : c; });
    if (!is_qualified_name(lower)) return objects("metadata.annotations", says_qualified_name, key);
  }
  return bytes <= annotations_at_most
             ? Text()
             : objects("metadata.annotations", "must not hold more than 262144 bytes", std::to_string(bytes));
}

/// One that is not Kubernetes' own says whose it is.
bool is_finalizer(const Text& name) {
  const bool is_standard =
      name == finalizer_foreground || name == finalizer_orphan || name.view() == std::string_view("kubernetes");
  return is_standard || (name.view().contains('/') && is_qualified_name(name));
}

Text objection_to_finalizers(const std::vector<Text>& finalizers, const PodTemplate* made_from = nullptr) {
  if (made_from != nullptr && made_from->finalizers == finalizers) return {};
  const auto strange = std::ranges::find_if_not(finalizers, is_finalizer);
  return strange == finalizers.end()
             ? Text()
             : objects("metadata.finalizers", "must be a standard finalizer, or a qualified name with a prefix",
                       *strange);
}

Text objection_to(const ObjectMeta& meta, const PodTemplate* made_from = nullptr) {
  Text objection = meta.labels ? objection_to(*meta.labels, made_from) : Text();
  if (objection.empty() && meta.annotations) objection = objection_to_annotations(*meta.annotations, made_from);
  if (objection.empty() && meta.finalizers) objection = objection_to_finalizers(*meta.finalizers, made_from);
  return objection.empty() && meta.owners ? objection_to(*meta.owners) : objection;
}

Text objection_to_new(const ObjectMeta& meta) {
  return is_dns_subdomain(meta.name) ? objection_to(meta) : objects("metadata.name", says_dns_subdomain, meta.name);
}

/// The host name is nearly always the name, and then has the stricter grammar of the two.
Text objection_to_names(const Pod& pod) {
  const bool same = pod.hostname == pod.meta.name;
  if (!same && !is_dns_subdomain(pod.meta.name)) return objects("metadata.name", says_dns_subdomain, pod.meta.name);
  const bool fine = is_dns_label(pod.hostname) || (!same && pod.hostname.empty());
  return fine ? Text() : objects("spec.hostname", says_dns_label, pod.hostname);
}

/// An object on its way out takes no new finalizers.
Text objection_to_finalizers(const ObjectMeta& wanted, const ObjectMeta& stored) {
  if (!wanted.finalizers || alike(wanted.finalizers, stored.finalizers)) return {};
  if (!stored.terminating()) return objection_to_finalizers(*wanted.finalizers);
  for (const Text& name : *wanted.finalizers)
    if (!stored.has_finalizer(name))
      return objects("metadata.finalizers", "must not get another one while the object is being deleted", name);
  return {};
}

Text objection_to_change(const ObjectMeta& wanted, const ObjectMeta& stored) {
  if (wanted.deletion && !stored.deletion)  // of an object on its way out a change is passed over
    return objects("metadata.deletionTimestamp", "must not be set by an update");
  Text objection = wanted.labels && wanted.labels != stored.labels ? objection_to(*wanted.labels) : Text();
  if (objection.empty() && wanted.annotations && wanted.annotations != stored.annotations)
    objection = objection_to_annotations(*wanted.annotations);
  if (objection.empty() && wanted.owners && wanted.owners != stored.owners) objection = objection_to(*wanted.owners);
  return objection.empty() ? objection_to_finalizers(wanted, stored) : objection;
}

Text objection_to_change_of(const char* path) { return objects(path, "must not be changed by an update"); }

Text objection_to_data(const Revision& revision) {
  if (revision.data.bytes == nullptr) return objects("data", "is required");
  return revision.number >= 0 ? Text() : objects("revision", "must not be negative", std::to_string(revision.number));
}

}  // namespace

Text objection_to(const Owners& owners) {
  const char* path = "metadata.ownerReferences";
  for (const OwnerReference& o : owners)
    if (o.uid == Uid::none || o.name.empty() || o.kind.empty() || o.api_version.empty())
      return objects(path, "each must have an apiVersion, a kind, a name and a UID that was given to an object",
                     o.name);
  const auto controllers = std::ranges::count_if(owners, &OwnerReference::controller);
  return controllers <= 1 ? Text() : objects(path, "at most one may be the controller", std::to_string(controllers));
}

Text objection_to(const Pod& created) {
  if (!created.made_from) return objects("spec", "is required");
  if (!created.made_from->faults.empty()) return created.made_from->faults.front();
  Text objection = objection_to_names(created);
  return objection.empty() ? objection_to(created.meta, created.made_from.get()) : objection;
}

Text objection_to(const Claim& created) { return objection_to_new(created.meta); }

Text objection_to(const Revision& created) {
  Text objection = objection_to_data(created);
  if (objection.empty() && !created.data.bytes->starts_with('{')) objection = objects("data", "must be an object");
  return objection.empty() ? objection_to_new(created.meta) : objection;
}

Text objection_to(const Pod& wanted, const Pod& stored) {
  const bool same_spec = same(wanted.made_from, stored.made_from) && alike(wanted.volumes, stored.volumes) &&
                         wanted.hostname == stored.hostname && wanted.subdomain == stored.subdomain &&
                         wanted.node == stored.node;
  return same_spec ? objection_to_change(wanted.meta, stored.meta) : objection_to_change_of("spec");
}

Text objection_to(const Claim& wanted, const Claim& stored) {
  const bool same_spec = same(wanted.spec, stored.spec);
  return same_spec ? objection_to_change(wanted.meta, stored.meta) : objection_to_change_of("spec");
}

Text objection_to(const Revision& wanted, const Revision& stored) {
  if (Text objection = objection_to_data(wanted); !objection.empty()) return objection;
  const bool same_data = same(wanted.data.bytes, stored.data.bytes);
  return same_data ? objection_to_change(wanted.meta, stored.meta) : objection_to_change_of("data");
}

}  // namespace ordeal
