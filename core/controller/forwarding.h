// A controller that is another one but for what is overridden: for whatever looks on at turns, or changes a word of them.
#pragma once

#include "core/controller/door.h"

namespace ordeal {

class Forwarding : public Controller {
 public:
  /// `inner` outlives it.
  explicit Forwarding(Controller& inner) : inner_(inner) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override { return inner_.sync(key, seen, api, now); }
  void restart() override { inner_.restart(); }
  Traits traits() const override { return inner_.traits(); }
  Gates acting(const Gates& started_with) const override { return inner_.acting(started_with); }
  std::string_view name() const override { return inner_.name(); }

 protected:
  Controller& inner_;
};

}  // namespace ordeal
