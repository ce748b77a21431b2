#include "core/controller/door.h"

namespace ordeal {

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::unstated: return "unstated";
    case Reason::confirm_set: return "confirm-set";
    case Reason::adopt_pod: return "adopt-pod";
    case Reason::release_pod: return "release-pod";
    case Reason::adopt_revision: return "adopt-revision";
    case Reason::record_revision: return "record-revision";
    case Reason::bump_revision: return "bump-revision";
    case Reason::truncate_history: return "truncate-history";
    case Reason::provide_claim: return "provide-claim";
    case Reason::restore_claim: return "restore-claim";
    case Reason::retain_claim: return "retain-claim";
    case Reason::create_pod: return "create-pod";
    case Reason::repair_pod: return "repair-pod";
    case Reason::replace_terminal: return "replace-terminal";
    case Reason::scale_down: return "scale-down";
    case Reason::update_pod: return "update-pod";
    case Reason::replace_broken: return "replace-broken";
    case Reason::recreate_pod: return "recreate-pod";
    case Reason::write_status: return "write-status";
  }
  return "unknown";
}

std::string_view name_of(Verb verb) {
  switch (verb) {
    case Verb::get: return "get";
    case Verb::create: return "create";
    case Verb::update: return "update";
    case Verb::update_status: return "update-status";
    case Verb::remove: return "delete";
    case Verb::patch_owners: return "patch-owners";
    case Verb::patch: return "patch";
  }
  return "unknown";
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::set: return "set";
    case Kind::pod: return "pod";
    case Kind::claim: return "claim";
    case Kind::revision: return "revision";
  }
  return "unknown";
}

std::string_view name_of(Code code) {
  switch (code) {
    case Code::ok: return "ok";
    case Code::conflict: return "conflict";
    case Code::already_exists: return "already-exists";
    case Code::not_found: return "not-found";
    case Code::forbidden: return "forbidden";
    case Code::invalid: return "invalid";
    case Code::timeout: return "timeout";
    case Code::internal: return "internal";
    case Code::unavailable: return "unavailable";
    case Code::too_many_requests: return "too-many-requests";
    case Code::bad_request: return "bad-request";
  }
  return "unknown";
}

}  // namespace ordeal
