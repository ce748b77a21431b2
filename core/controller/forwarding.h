// A controller that is another one but for what is overridden: for whatever looks on at turns, or changes a word of
// them.
#pragma once

#include <memory>
#include <utility>

#include "core/controller/door.h"

namespace ordeal {

class Forwarding : public Controller {
 public:
  /// `inner` outlives it.
  explicit Forwarding(Controller& inner) : inner_(inner) {}
  explicit Forwarding(std::unique_ptr<Controller> inner) : owned_(std::move(inner)), inner_(*owned_) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    return inner_.sync(key, seen, api, now);
  }
  void restart() override { inner_.restart(); }
  Traits traits() const override { return inner_.traits(); }
  Handlers* handlers() override { return inner_.handlers(); }
  Gates acting(const Gates& started_with) const override { return inner_.acting(started_with); }
  std::string_view name() const override { return inner_.name(); }

 private:
  const std::unique_ptr<Controller> owned_;  // null: somebody else's

 protected:
  Controller& inner_;
};

}  // namespace ordeal
