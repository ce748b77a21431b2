#include "properties/evidence/before.h"

#include <algorithm>

#include "core/cluster/update.h"
#include "properties/evidence/lookup.h"

namespace ordeal::properties {
namespace {

/// Besides what an update may change.
bool same_rest(const Pod& sent, const Pod& seen) {
  return alike(sent.volumes, seen.volumes) && sent.hostname == seen.hostname && sent.subdomain == seen.subdomain &&
         same(sent.made_from, seen.made_from);
}
bool same_rest(const Claim& sent, const Claim& seen) { return same(sent.spec, seen.spec); }
bool same_rest(const Revision& sent, const Revision& seen) { return same(sent.data.bytes, seen.data.bytes); }

template <class T>
bool says_the_same(const T& sent, const T& shown) {
  return sent.meta.name == shown.meta.name && changes_nothing(sent, shown) && same_rest(sent, shown);
}

}  // namespace

bool is_as_shown(const View& seen, const Call& read) {
  const ObjectMeta *shown = meta_shown_before(seen, read.request), *there = meta_read(read);
  return shown != nullptr && there != nullptr && shown->version == there->version;
}

bool is_among(const OwnerReference& owner, const ObjectMeta* meta) {
  if (meta == nullptr) return false;
  const auto owners = owners_of(*meta);
  return std::ranges::find(owners, owner) != owners.end();
}

bool was_met_unseen(const View& seen, const Call& call, const OwnerReference& owner) {
  return call.request.partial && is_among(owner, meta_stored_before(call)) &&
         !is_among(owner, meta_shown_before(seen, call.request));
}

bool drops_owner(const View& seen, const Call& update, const OwnerReference& owner) {
  if (!is_among(owner, meta_stored_before(update)) || is_among(owner, &meta_of(update.request))) return false;
  return update.committed || is_among(owner, meta_shown_before(seen, update.request));
}

bool writes_as_shown(const View& seen, const Request& update) {
  return with_type(update.kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, StatefulSet>) return false;
    else {
      const T* shown = seen.of<T>().find(update.name);
      return shown != nullptr && says_the_same(std::get<T>(update.body), *shown);
    }
  });
}

bool keeps_finalizers(const Cluster& truth, const Pod& shown, const Pod& sent) {
  if (same(shown.meta.finalizers, sent.meta.finalizers)) return true;
  if (shown.meta.finalizers == nullptr || shown.made_from == nullptr) return false;
  const auto log = truth.pods().log();
  const auto made = std::ranges::find_if(
      log, [&](const Change<Pod>& c) { return c.before == nullptr && c.after->meta.uid == shown.meta.uid; });
  const auto may_go = [&](const Text& finalizer) {
    const auto& of_the_template = shown.made_from->finalizers;
    return made != log.end() && made->after->meta.has_finalizer(finalizer) &&
           std::ranges::find(of_the_template, finalizer) == of_the_template.end();
  };
  const auto is_held = [&](const Text& finalizer) { return shown.meta.has_finalizer(finalizer); };
  const auto stays = [&](const Text& finalizer) { return sent.meta.has_finalizer(finalizer); };
  return std::ranges::all_of(*shown.meta.finalizers, [&](const Text& f) { return stays(f) || may_go(f); }) &&
         (sent.meta.finalizers == nullptr || std::ranges::all_of(*sent.meta.finalizers, is_held));
}

bool lets_go(const Cluster& truth, const View& seen, const Request& request) {
  if (request.verb != Verb::update || request.kind != Kind::pod) return false;
  const Pod* shown = seen.pods.find(request.name);
  if (shown == nullptr || same(shown->meta.finalizers, request.pod().meta.finalizers)) return false;
  Pod sent = request.pod();
  if (!keeps_finalizers(truth, *shown, sent)) return false;
  sent.meta.finalizers = shown->meta.finalizers;
  return says_the_same(sent, *shown);
}

}  // namespace ordeal::properties
