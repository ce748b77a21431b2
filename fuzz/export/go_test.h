// A Go test for k8s.io/kubernetes/pkg/controller/statefulset of one release, which fails as long as a story can happen
// there.
//
// The test is one file of that package. It holds what the controller's caches held in the trial, as JSON, and the
// answers its calls got; it fills the stores of informers with the one, answers by the other from client-go's fake
// clientset, runs the controller's own sync, and compares what it asks for.
//
//   - A promise about a call or a sync: the one sync in which it was broken. The test fails when the calls that the
//     promise speaks of are made there again; for a sync as a whole, when it does again what it did.
//   - A promise about the end: every sync of the trial. The test fails when all go as they went, so that the story ends
//     in the same way; what was done otherwise is logged. A release that differs in another way passes, too: the test
//     tells this story and no other.
//
// Calls are the same by verb, resource and name, and by what is written but for versions, times and the order of what
// has a name. Times are moved, so that the sync happens now. Lists come in the order of a map, as in any informer.
// Covered by export_test.cpp, and against real releases by ci/try-export.
#pragma once

#include <expected>
#include <string>

#include "fuzz/report/report.h"
#include "properties/world/program.h"

namespace ordeal::fuzz {

/// To be compiled in `release` ("1.37.1"), by default in the one that is accused: packages differ. An error is a
/// sentence about why this finding cannot be told so: the controller is no release of Kubernetes, or the promise
/// compares trials.
std::expected<std::string, std::string> export_go_test(const Shown& shown, const Report& report,
                                                       properties::Program& program, const std::string& release = "");

/// The part that is the same in each, from go_test.go.txt.
std::string_view go_test_support();

}  // namespace ordeal::fuzz
