// Where every random decision of a scenario is taken, and the only place. Generators are written once against Choices.
// Covered by choices_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ordeal::properties {

class Choices {
 public:
  virtual ~Choices() = default;
  /// A whole number in [0, bound]. Zero is always the simplest answer.
  virtual std::uint32_t up_to(std::uint32_t bound) = 0;
  /// The next decision starts a new part. A byte source gives each part the same number of bytes, so that similar bytes
  /// stay similar scenarios; the others ignore it.
  virtual void part() {}
  /// False when the source has nothing more to say (bytes, recorded): generators then stop adding steps.
  virtual bool more() const { return true; }

  bool one_in(std::uint32_t n) { return n <= 1 || up_to(n - 1) == n - 1; }
  std::int32_t between(std::int32_t low, std::int32_t high) {
    const std::uint32_t width = static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(low);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(low) + up_to(width));
  }
  /// An index into weights, by weight; all zero gives 0.
  std::size_t weighted(std::span<const std::uint32_t> weights);
};

/// SplitMix64, its first outputs pinned by a test: the same numbers on every platform and with every library.
class Seeded final : public Choices {
 public:
  explicit Seeded(std::uint64_t seed) : state_(seed) {}
  std::uint32_t up_to(std::uint32_t bound) override;
  std::uint64_t next();

 private:
  std::uint64_t state_;
};
/// The seed of trial `index` of a run.
std::uint64_t seed_of_trial(std::uint64_t run_seed, std::uint64_t index);

/// Any bytes, such as a fuzzer's. They are read in parts of equal size: a decision takes one, two or four bytes of the
/// present part, by the size of its bound; zeros when the part, or the whole, runs out. `part` opens the next part.
class Bytes final : public Choices {
 public:
  static constexpr std::size_t part_size = 8;
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint32_t up_to(std::uint32_t bound) override;
  void part() override;
  bool more() const override { return part_ < bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t part_ = 0;  // where the next part begins, and the present one ends
  std::size_t at_ = 0;
};

/// The answers of an earlier run, out-of-range ones clamped; zeros when they run out.
class Recorded final : public Choices {
 public:
  explicit Recorded(std::vector<std::uint32_t> answers) : answers_(std::move(answers)) {}
  std::uint32_t up_to(std::uint32_t bound) override;
  bool more() const override { return at_ < answers_.size(); }

 private:
  std::vector<std::uint32_t> answers_;
  std::size_t at_ = 0;
};

/// Passes another source's answers on and writes them down.
class Recorder final : public Choices {
 public:
  explicit Recorder(Choices& inner) : inner_(&inner) {}
  std::uint32_t up_to(std::uint32_t bound) override;
  void part() override { inner_->part(); }
  bool more() const override { return inner_->more(); }
  const std::vector<std::uint32_t>& answers() const { return answers_; }

 private:
  Choices* inner_;
  std::vector<std::uint32_t> answers_;
};

/// Every sequence of answers, one after the other: `while (all.next()) generate(all);`
class Exhaustive final : public Choices {
 public:
  /// Moves to the next sequence; false when all were given.
  bool next();
  std::uint32_t up_to(std::uint32_t bound) override;

 private:
  struct Digit {
    std::uint32_t value, bound;
  };
  std::vector<Digit> digits_;
  std::size_t at_ = 0;
  bool started_ = false;
};

}  // namespace ordeal::properties
