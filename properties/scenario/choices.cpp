#include "properties/scenario/choices.h"

#include <algorithm>
#include <limits>

#include "properties/scenario/split_mix.h"

namespace ordeal::properties {

namespace {

constexpr std::size_t bytes_for(std::uint32_t bound) {
  if (bound == 0) return 0;
  if (bound <= 0xFF) return 1;
  return bound <= 0xFFFF ? 2 : 4;
}

}  // namespace

std::size_t Choices::weighted(std::span<const std::uint32_t> weights) {
  std::uint64_t total = 0;
  for (const std::uint32_t weight : weights) total += weight;
  if (total == 0) return 0;
  constexpr std::uint64_t widest = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t left = up_to(static_cast<std::uint32_t>(std::min(total - 1, widest)));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (left < weights[i]) return i;
    left -= weights[i];
  }
  return 0;  // not reached: left < total
}

std::uint64_t Seeded::next() { return split_mix(state_ += split_mix_step); }

// Multiply and shift: the top 32 bits of a 64-bit product. Uneven by less than one part in 2^32 / (bound + 1), which no
// campaign can notice, and the same on every platform.
std::uint32_t Seeded::up_to(std::uint32_t bound) {
  if (bound == 0) return 0;
  const std::uint64_t drawn = next() >> 32;
  return static_cast<std::uint32_t>((drawn * (std::uint64_t{bound} + 1)) >> 32);
}

std::uint64_t seed_of_trial(std::uint64_t run_seed, std::uint64_t index) { return split_mix(run_seed, index); }

std::uint32_t Bytes::up_to(std::uint32_t bound) {
  const std::size_t end = std::min(part_, bytes_.size());
  std::uint64_t value = 0;
  for (std::size_t i = 0, n = bytes_for(bound); i < n; ++i, ++at_)
    if (at_ < end) value |= std::uint64_t{bytes_[at_]} << (8 * i);
  return static_cast<std::uint32_t>(value % (std::uint64_t{bound} + 1));
}

void Bytes::part() {
  at_ = part_;
  if (part_ < bytes_.size()) part_ += part_size;
}

std::uint32_t Recorded::up_to(std::uint32_t bound) {
  return at_ < answers_.size() ? std::min(answers_[at_++], bound) : 0;
}

std::uint32_t Recorder::up_to(std::uint32_t bound) { return answers_.emplace_back(inner_->up_to(bound)); }

bool Exhaustive::next() {
  at_ = 0;
  if (!started_) return started_ = true;
  while (!digits_.empty() && digits_.back().value == digits_.back().bound) digits_.pop_back();
  if (digits_.empty()) return false;
  ++digits_.back().value;
  return true;
}

std::uint32_t Exhaustive::up_to(std::uint32_t bound) {
  if (at_ == digits_.size()) digits_.push_back({0, bound});
  return std::min(digits_[at_++].value, bound);
}

}  // namespace ordeal::properties
