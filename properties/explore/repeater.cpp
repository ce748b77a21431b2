#include "properties/explore/repeater.h"

#include <algorithm>
#include <stdexcept>

#include "core/controller/forwarding.h"
#include "core/controller/remembering.h"

namespace ordeal::properties {

class Repeater::Repeating final : public Forwarding, public Remembering {
 public:
  Repeating(const Repeater& all, Controller& inner, Remembering& memory)
      : Forwarding(inner), all_(all), memory_(memory) {}

  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    if (!all_.repeats_) return inner_.sync(key, seen, api, now);
    for (const Request& request : all_.turn_) api.call(request);
    throw std::logic_error("a turn was to be repeated up to a death, and nothing ended it");
  }
  OwnVersions remembered(const Key& key) const override { return memory_.remembered(key); }
  void remember(const Key& key, const OwnVersions& newest) override { memory_.remember(key, newest); }
  bool is_of(const Controller* inner) const { return &inner_ == inner; }

 private:
  const Repeater& all_;
  Remembering& memory_;
};

Repeater::Repeater(Program& inner) : inner_(inner) {}
Repeater::~Repeater() = default;

Controller* Repeater::process(std::size_t which, const Gates& gates) {
  Controller* inner = inner_.process(which, gates);
  auto* memory = dynamic_cast<Remembering*>(inner);
  if (memory == nullptr) return inner;
  const auto held = std::ranges::find_if(processes_, [&](const auto& process) { return process->is_of(inner); });
  if (held != processes_.end()) return held->get();
  return processes_.emplace_back(std::make_unique<Repeating>(*this, *inner, *memory)).get();
}

void Repeater::learn(std::span<const Call> turn) {
  turn_.clear();
  for (const Call& call : turn) turn_.push_back(call.request);
}

}  // namespace ordeal::properties
