#include "properties/invariants/identity.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/before.h"
#include "properties/evidence/claims.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::identity {
namespace {

/// What identity invariants ask about a creation: the pod as requested, and the set it is for.
struct Creation {
  const Pod& pod;
  const StatefulSet& set;
  /// None when the name is not the set's.
  Ordinal ordinal() const {
    const Member member = parse_member(pod.meta.name);
    return member.parent == set.meta.name.view() ? member.ordinal : Ordinal::none;
  }
};
std::optional<Creation> creation(const Moment& m) {
  if (m.facts->set == nullptr) return std::nullopt;
  return Creation{m.call->request.pod(), *m.facts->set};
}

Judgement has_label(const Moment& m, const Text& key, std::string_view wanted) {
  const Pod& pod = m.call->request.pod();
  const Text* held = pod.meta.label(key);
  return Judgement::of(held != nullptr && *held == wanted, [&] {
    return words("pod ", pod.meta.name, " was ", m.call->request.verb == Verb::create ? "created" : "updated",
                 " with label ", key, "=", held ? held->view() : "(none)", " instead of ", wanted);
  });
}

const Revision* labelled_revision(const Facts& facts, const Pod& pod) {
  const Text* label = pod.meta.label(label_revision);
  return label != nullptr ? facts.revision_named(*label) : nullptr;
}

/// What a new pod has to be made from, by the revision it is labelled with; null when that is not known.
const PodTemplate* template_of_new_pod(const Moment& m) {
  const Revision* revision = m.facts->set != nullptr ? labelled_revision(*m.facts, m.call->request.pod()) : nullptr;
  return revision != nullptr ? revision->data.decoded.get() : nullptr;
}

const Text* first_missing(const StringMap& wanted, const Shared<StringMap>& held) {
  for (const auto& [key, value] : wanted)
    if (!is_identity_label(key) && (held == nullptr || !held->has(key, value))) return &key;
  return nullptr;
}

/// What only a user may give, and did not give it to pods; or null. `of_set`: what the set itself bears.
const Text* first_unasked(const StringMap& wanted, const Shared<StringMap>& held, const Shared<StringMap>& of_set) {
  if (held == nullptr) return nullptr;
  for (const auto& [key, value] : *held)
    if ((!has_prefix(key) || is_of_the_set(of_set, key, value)) && !is_identity_label(key) &&
        wanted.find(key) == nullptr)
      return &key;
  return nullptr;
}

bool is_claim_template(const StatefulSet& set, const Text& name) {
  return std::ranges::any_of(set.spec->claim_templates, [&](const ClaimTemplate& t) { return t.name == name; });
}

/// Labels that an update in place may not touch are the same.
bool same_but_identity(const Shared<StringMap>& a, const Shared<StringMap>& b) {
  if (a == b) return true;
  static const StringMap none;
  const StringMap &left = a ? *a : none, &right = b ? *b : none;
  const auto counts = [](const StringMap::Entry& e) { return e.first != label_pod_name && e.first != label_pod_index; };
  const auto has_all = [&](const StringMap& of, const StringMap& in) {
    return std::ranges::all_of(of, [&](const StringMap::Entry& e) { return !counts(e) || in.has(e.first, e.second); });
  };
  return has_all(left, right) && has_all(right, left);
}

/// It is sent as it was shown, or as the pod's own name has it.
bool is_its_own(const Text& label, std::string_view own, const Pod& seen, const Pod& sent) {
  const Text* was = seen.meta.label(label);
  const Text* now = sent.meta.label(label);
  if (now == nullptr) return was == nullptr;
  return *now == own || (was != nullptr && *was == *now);
}

std::span<const Volume> volumes_of(const Pod& pod) {
  return pod.volumes ? std::span<const Volume>(*pod.volumes) : std::span<const Volume>{};
}

/// It leaves them as they are stored: others cannot be had, they are immutable.
bool leaves_volumes(const Call& call) {
  return call.pod_before != nullptr && std::ranges::equal(volumes_of(call.request.pod()), volumes_of(*call.pod_before));
}

/// Holds when the pod has, for each claim template, one volume of that name, bound to its own claim.
Judgement own_claims(const StatefulSet& set, const Pod& pod, Ordinal ordinal) {
  for (const ClaimTemplate& claim_template : set.spec->claim_templates) {
    const Text claim = claim_name(claim_template.name, set.meta.name, ordinal);
    int bound = 0, of_that_name = 0;
    for (const Volume& volume : volumes_of(pod)) {
      of_that_name += volume.name == claim_template.name ? 1 : 0;
      bound += volume.name == claim_template.name && volume.claim == claim ? 1 : 0;
    }
    if (bound != 1 || of_that_name != 1)
      return Judgement::broken(words("pod ", pod.meta.name, " has ", of_that_name, " volumes named ",
                                     claim_template.name, ", ", bound, " of them bound to claim ", claim));
  }
  return Judgement::held();
}

/// Holds when the pod's volumes, but for those of claim templates, are the wanted ones.
Judgement other_volumes(const StatefulSet& set, const Pod& pod, std::span<const Volume> wanted) {
  const std::span<const Volume> held = volumes_of(pod);
  for (const Volume& volume : wanted)
    if (!is_claim_template(set, volume.name) && std::ranges::find(held, volume) == held.end())
      return Judgement::broken(words("pod ", pod.meta.name, " lacks volume ", volume.name, ", which it should have"));
  for (const Volume& volume : held)
    if (!is_claim_template(set, volume.name) && std::ranges::find(wanted, volume) == wanted.end())
      return Judgement::broken(words("pod ", pod.meta.name, " has a volume ", volume.name, " nobody asked for"));
  return Judgement::held();
}

/// The pod of the view that an update is about: by name, or by UID when the name itself is what is updated.
const Pod* updated_pod(const Moment& m) {
  const Pod& wanted = m.call->request.pod();
  if (const Pod* pod = m.sync->seen.pods.find(m.call->request.name)) return pod;
  for (const Pod* pod : m.facts->claimed)
    if (pod->meta.uid == wanted.meta.uid) return pod;
  return nullptr;
}

/// Null when it is nothing.
const char* changed_beyond_identity(const Moment& m, const Pod& seen, const Pod& sent) {
  if (!same_but_identity(seen.meta.labels, sent.meta.labels)) return "other labels";
  if (!same(seen.meta.annotations, sent.meta.annotations)) return "annotations";
  if (!same(seen.meta.owners, sent.meta.owners)) return "owners";
  if (!same(seen.made_from, sent.made_from)) return "spec";
  if (!keeps_finalizers(m.truth, seen, sent)) return "finalizers";
  if (!(seen.hostname == sent.hostname)) return "hostname";
  return seen.subdomain == sent.subdomain ? nullptr : "subdomain";
}

}  // namespace

Judgement repaired_at_once(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || facts.recreating() || !meant_it(m)) return Judgement::not_applicable();
  bool applied = false;
  for (const Slot& slot : facts.slots) {
    if (facts.ordered && (slot.pod == nullptr || !facts.surely_healthy(*slot.pod))) break;  // it is waited for
    if (slot.pod == nullptr || slot.pod->meta.terminating() || Facts::terminal(*slot.pod)) continue;
    if (is_unrepairable(facts, slot)) continue;  // an update replaces it
    const Text* label = slot.pod->meta.label(label_pod_name);
    if (label != nullptr && *label == slot.pod->meta.name) continue;
    applied = true;
    const bool written = std::ranges::any_of(m.sync->calls, [&](const Call& call) {
      return call.is(Verb::update, Kind::pod) && call.request.name == slot.pod->meta.name;
    });
    if (!written)
      return Judgement::broken(words("pod ", slot.pod->meta.name, " lacks the label that names it, and was left so"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement one_process(const Moment& m) {
  const Change<Pod>& change = *m.pod_change;
  const bool started = change.after != nullptr && change.after->phase == Phase::running &&
                       (change.before == nullptr || change.before->phase != Phase::running);
  if (!started || m.history.force_deleted) return Judgement::not_applicable();
  const int instances = m.truth.kubelets().instances(change.after->meta.name);
  return Judgement::of(instances <= 1, [&] {
    return words(instances, " instances of pod ", change.after->meta.name, " run at the same time");
  });
}

Judgement old_gone_before_new(const Moment& m) {
  const Text& name = m.call->request.name;
  const auto speaks_of_it = [&](const Call& call) {
    return call.request.kind == Kind::pod && call.request.name == name;
  };
  const auto calls = calls_before(m);
  if (std::ranges::none_of(calls, speaks_of_it)) return Judgement::not_applicable();  // identity.no-second-pod
  const Pod* holder = as_known<Pod>(*m.sync, calls, name);
  // Whose name somebody else holds is asked for again and again: nothing tells when it is free.
  const bool was_told = holder != nullptr && holder != m.sync->seen.pods.find(name) && m.facts->set != nullptr &&
                        holder->meta.controlled_by(m.facts->set->meta.uid);
  return Judgement::of(!was_told, [&] {
    return words("pod ", name, " was created though an answer had told that one of that name is there",
                 holder->meta.terminating() ? ", on its way out" : "");
  });
}

Judgement canonical_name(const Moment& m) {
  const auto made = creation(m);
  if (!made) return Judgement::not_applicable();
  const Ordinal ordinal = made->ordinal();
  const bool fine = ordinal != Ordinal::none && made->pod.meta.name == pod_name(made->set.meta.name, ordinal);
  return Judgement::of(
      fine, [&] { return words("a pod named ", made->pod.meta.name, " was created for set ", made->set.meta.name); });
}

Judgement only_in_range(const Moment& m) {
  const auto made = creation(m);
  const Ordinal ordinal = made ? made->ordinal() : Ordinal::none;
  if (ordinal == Ordinal::none) return Judgement::not_applicable();
  return Judgement::of(m.facts->in_range(ordinal), [&] {
    return words("pod ", made->pod.meta.name, " was created outside the range of ", m.facts->range_text());
  });
}

Judgement no_second_pod(const Moment& m) {
  const auto made = creation(m);
  if (!made) return Judgement::not_applicable();
  const Pod* holder = m.sync->seen.pods.find(made->pod.meta.name);
  return Judgement::of(holder == nullptr || !m.facts->claims(*holder), [&] {
    return words("pod ", made->pod.meta.name, " was created though the set has it already",
                 holder->meta.terminating() ? ", terminating" : "");
  });
}

Judgement pod_name_label(const Moment& m) { return has_label(m, label_pod_name, m.call->request.pod().meta.name); }

Judgement pod_index_label(const Moment& m) {
  const auto made = creation(m);
  const Ordinal ordinal = made ? made->ordinal() : Ordinal::none;
  if (ordinal == Ordinal::none) return Judgement::not_applicable();
  return has_label(m, label_pod_index, decimal(number(ordinal)));
}

Judgement revision_label(const Moment& m) {
  const auto made = creation(m);
  if (!made) return Judgement::not_applicable();
  const auto named = [](const Text& revision) {
    return revision.empty() ? "(none that the turn could know)" : revision.view();
  };
  return Judgement::of(labelled_revision(*m.facts, made->pod) != nullptr, [&] {
    const Text* label = made->pod.meta.label(label_revision);
    return words("pod ", made->pod.meta.name, " was created with revision ", label ? label->view() : "(none)",
                 ", but current is ", named(m.facts->current_name), " and update is ", named(m.facts->update_name));
  });
}

namespace {

bool names_a_node_of_its_own(const Pod& pod, const PodTemplate& pod_template) {
  return !pod.node.empty() &&
         pod_template.document.find("\"nodeName\":\"" + pod.node.str() + "\"") == std::string::npos;
}

}  // namespace

Judgement made_from_its_revision(const Moment& m) {
  const auto made = creation(m);
  const Revision* revision = made ? labelled_revision(*m.facts, made->pod) : nullptr;
  if (revision == nullptr || revision->data.decoded == nullptr) return Judgement::not_applicable();
  if (names_a_node_of_its_own(made->pod, *revision->data.decoded))
    return Judgement::broken(
        words("pod ", made->pod.meta.name, " is for node ", made->pod.node, ", which its template does not name"));
  return Judgement::of(same(made->pod.made_from, revision->data.decoded), [&] {
    return words("pod ", made->pod.meta.name, " is labelled ", revision->meta.name, " but made from another template");
  });
}

Judgement own_namespace(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const ObjectMeta& made = meta_of(m.call->request);
  return Judgement::of(made.ns == m.facts->set->meta.ns, [&] {
    return words(name_of(m.call->request.kind), " ", made.name, " was created in namespace ",
                 made.ns.empty() ? "(none)" : made.ns.view(), " instead of ", m.facts->set->meta.ns);
  });
}

Judgement template_labels(const Moment& m) {
  const PodTemplate* from = template_of_new_pod(m);
  if (from == nullptr) return Judgement::not_applicable();
  const Pod& made = m.call->request.pod();
  const Text* missing = first_missing(from->labels, made.meta.labels);
  if (missing == nullptr) missing = first_missing(from->annotations, made.meta.annotations);
  if (missing != nullptr)
    return Judgement::broken(words("pod ", made.meta.name, " was created without ", *missing, " of its template"));
  const ObjectMeta& set = m.facts->set->meta;
  const Text* unasked = first_unasked(from->labels, made.meta.labels, set.labels);
  if (unasked == nullptr) unasked = first_unasked(from->annotations, made.meta.annotations, set.annotations);
  return Judgement::of(unasked == nullptr, [&] {
    return words("pod ", made.meta.name, " was created with ", *unasked, ", which is not of its template");
  });
}

Judgement template_finalizers(const Moment& m) {
  const PodTemplate* from = template_of_new_pod(m);
  if (from == nullptr || from->finalizers.empty()) return Judgement::not_applicable();
  const Pod& made = m.call->request.pod();
  for (const Text& wanted : from->finalizers)
    if (!made.meta.has_finalizer(wanted))
      return Judgement::broken(
          words("pod ", made.meta.name, " was created without finalizer ", wanted, " of its template"));
  return Judgement::held();
}

Judgement no_finalizer_of_its_own(const Moment& m) {
  const Request& request = m.call->request;
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const auto& held = meta_of(request).finalizers;
  const PodTemplate* from = request.kind == Kind::pod ? template_of_new_pod(m) : nullptr;
  if (held == nullptr || (request.kind == Kind::pod && from == nullptr)) return Judgement::held();
  const auto place = request.kind == Kind::claim ? place_of_call(m) : std::nullopt;
  const std::vector<Text>* wanted = from != nullptr ? &from->finalizers
                                    : place         ? place->from->finalizers.get()
                                                    : nullptr;
  const auto own = std::ranges::find_if(*held, [&](const Text& finalizer) {
    return wanted == nullptr || std::ranges::find(*wanted, finalizer) == wanted->end();
  });
  return Judgement::of(own == held->end(), [&] {
    return words(name_of(request.kind), " ", request.name, " was created with finalizer ", *own);
  });
}

Judgement hostname(const Moment& m) {
  const Pod& pod = m.call->request.pod();
  return Judgement::of(pod.hostname == pod.meta.name,
                       [&] { return words("pod ", pod.meta.name, " was created with hostname ", pod.hostname); });
}

namespace {

bool says_subdomain(const PodTemplate& pod_template, const Text& subdomain) {
  return pod_template.document.contains("\"subdomain\":\"" + subdomain.str() + "\"");
}

}  // namespace

Judgement subdomain(const Moment& m) {
  const auto made = creation(m);
  if (!made) return Judgement::not_applicable();
  const StatefulSetSpec& spec = *made->set.spec;
  const Text& given = made->pod.subdomain;
  // Without a service nobody governs the name: what the template says may stay.
  const bool is_of_template = spec.service_name.empty() && says_subdomain(*spec.pod_template, given);
  return Judgement::of(given == spec.service_name || is_of_template, [&] {
    return words("pod ", made->pod.meta.name, " was created in subdomain ", given.empty() ? "(none)" : given.view(),
                 " instead of ", spec.service_name.empty() ? "none" : spec.service_name.view());
  });
}

Judgement one_owner(const Moment& m) {
  const auto made = creation(m);
  if (!made) return Judgement::not_applicable();
  const Shared<Owners>& owners = made->pod.meta.owners;
  const auto controls = owners ? std::ranges::count_if(*owners, &OwnerReference::controller) : 0;
  const OwnerReference* controller = made->pod.meta.controller();
  const bool fine = controls == 1 && refers_to_set(*controller) && controller->uid == made->set.meta.uid &&
                    controller->name == made->set.meta.name;
  return Judgement::of(fine, [&] {
    return words("pod ", made->pod.meta.name, " was created with ", controls, " controllers",
                 controls == 1 ? ", not its set" : "");
  });
}

Judgement claim_volumes(const Moment& m) {
  const auto made = creation(m);
  if (!made || made->set.spec->claim_templates.empty()) return Judgement::not_applicable();
  const Ordinal ordinal = made->ordinal();
  if (ordinal == Ordinal::none) return Judgement::not_applicable();
  for (const Volume& volume : volumes_of(made->pod))
    if (is_claim_template(made->set, volume.name) && !volume.claim.empty() && !volume.json.empty())
      return Judgement::broken(
          words("pod ", made->pod.meta.name, " mounts its claim otherwise than was asked for: ", volume.json));
  return own_claims(made->set, made->pod, ordinal);
}

Judgement template_volumes(const Moment& m) {
  const auto made = creation(m);
  if (!made || made->pod.made_from == nullptr) return Judgement::not_applicable();
  return other_volumes(made->set, made->pod, made->pod.made_from->volumes);
}

Judgement update_keeps_volumes(const Moment& m) {
  const Pod* seen = updated_pod(m);
  const Pod& sent = m.call->request.pod();
  const Ordinal ordinal = parse_member(sent.meta.name).ordinal;
  if (m.facts->set == nullptr || seen == nullptr || ordinal == Ordinal::none) return Judgement::not_applicable();
  if (leaves_volumes(*m.call)) return Judgement::held();
  Judgement claims = own_claims(*m.facts->set, sent, ordinal);
  return claims.violation() != nullptr ? std::move(claims) : other_volumes(*m.facts->set, sent, volumes_of(*seen));
}

Judgement update_changes_identity_only(const Moment& m) {
  const Pod* seen = updated_pod(m);
  if (seen == nullptr || m.facts->irregular) return Judgement::not_applicable();
  const Pod& sent = m.call->request.pod();
  if (const char* changed = changed_beyond_identity(m, *seen, sent))
    return Judgement::broken(words("the update of pod ", seen->meta.name,
                                   " is to mend its name, its identity labels or its volumes, and changes its ",
                                   changed));
  const Ordinal ordinal = parse_member(sent.meta.name).ordinal;
  const bool says_its_own =
      is_its_own(label_pod_name, sent.meta.name, *seen, sent) &&
      (ordinal == Ordinal::none || is_its_own(label_pod_index, decimal(number(ordinal)), *seen, sent));
  return Judgement::of(says_its_own, [&] {
    return words("the update of pod ", seen->meta.name, " gives it identity labels that are not its own");
  });
}

Judgement repaired_with_its_index(const Moment& m) {
  const Pod* seen = updated_pod(m);
  if (seen == nullptr || m.facts->irregular) return Judgement::not_applicable();
  const ObjectMeta& sent = m.call->request.pod().meta;
  const auto is_named = [](const ObjectMeta& meta) {
    const Text* label = meta.label(label_pod_name);
    return label != nullptr && *label == meta.name;
  };
  const Ordinal ordinal = parse_member(sent.name).ordinal;
  if (is_named(seen->meta) || !is_named(sent) || ordinal == Ordinal::none) return Judgement::not_applicable();
  return has_label(m, label_pod_index, decimal(number(ordinal)));
}

Judgement update_only_own_pods(const Moment& m) {
  // web-07 is renamed by a request about web-7 (kubernetes/kubernetes#141094).
  if (m.facts->irregular || m.call->lets_go) return Judgement::not_applicable();
  const Pod* seen = updated_pod(m);
  const bool fine = m.facts->set != nullptr && seen != nullptr && m.facts->claims(*seen) &&
                    parse_member(seen->meta.name).ordinal != Ordinal::none;
  return Judgement::of(
      fine, [&] { return words("pod ", m.call->request.name, " was updated, but is not one of the set's members"); });
}

Judgement whole_range_at_rest(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_at_rest(m)) return Judgement::not_applicable();
  for (const Slot& slot : places_free(facts))
    if (slot.pod == nullptr) return Judgement::broken(words("there is no pod for ordinal ", number(slot.ordinal)));
  if (needs_a_human(facts)) return Judgement::not_applicable();
  return Judgement::of(facts.condemned.empty(), [&] {
    return words("pod ", facts.condemned.front()->meta.name, " is there, outside the range");
  });
}

}  // namespace ordeal::properties::identity
