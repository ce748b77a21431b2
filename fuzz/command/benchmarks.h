// What `ordeal bench` measures, and what the numbers mean to each other.
//
//   trial/32_steps            generating, simulating and judging scenarios of 32 steps, everything on, level strict;
//                             64 different ones per iteration, items are trials
//   .../unjudged              the same without a judge
//   .../in_syncs, /in_decisions   of that, the time inside the controller, its calls included or taken out
//   syncs/checked, /bare      a rolling life of a set with 3 replicas: updates, scaling, quiet syncs; per sync
//   sync/checked/N, /bare/N   one quiet sync of a settled set with N replicas; bytes per replica
//   generate                  one scenario
//   shrink                    one finding, from the scenario that found it to a checked minimum
#pragma once

#include <map>
#include <string>
#include <vector>

namespace ordeal::fuzz {

struct Measured {
  double seconds = 0;  // the median of one iteration
  std::map<std::string, double> counters;
};
using MeasuredByName = std::map<std::string, Measured>;

struct Ratio {
  std::string name;
  double value = 0;
  std::string about;
};

/// Registers all benchmarks with Google Benchmark.
void register_benchmarks();
/// Those whose benchmarks were measured.
std::vector<Ratio> ratios_of(const MeasuredByName& measured);

}  // namespace ordeal::fuzz
