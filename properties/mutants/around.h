// What decoys are made of: the strict reference, with something around it.
#pragma once

#include <memory>
#include <utility>

#include "core/controller/forwarding.h"
#include "core/controller/reference.h"
#include "core/controller/rules_table.h"

namespace ordeal::properties {

using Made = std::unique_ptr<Controller>;

/// The strict reference with rows of its table replaced.
template <class Change>
Made strict_but(const Gates& gates, Change change) {
  Rules rules = strict_rules();
  change(rules);
  return make_reference(rules, gates);
}

/// A controller that does something else than its inner one with requests, views or results.
class Around : public Forwarding, protected Api {
 public:
  explicit Around(Made inner) : Forwarding(std::move(inner)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    api_ = &api;
    seen_ = &seen;
    return inner_.sync(key, seen, *this, now);
  }

 protected:
  Reply call(Request request) override { return api_->call(std::move(request)); }

  Api* api_ = nullptr;
  const View* seen_ = nullptr;
};
inline Made strict(const Gates& gates) { return make_reference(strict_rules(), gates); }

/// The status that is to be written is the one that is shown.
inline bool says_what_is_shown(const Request& request, const View& seen) {
  const StatefulSet* shown = seen.sets.find(request.name);
  return shown != nullptr && shown->status == request.status();
}

/// Reads an object.
inline Reply look_at(Api& api, Kind kind, const Text& name) {
  Request look;
  look.kind = kind;
  look.name = name;
  return api.call(std::move(look));
}

}  // namespace ordeal::properties
