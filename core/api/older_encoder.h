// What Kubernetes' encoders wrote before 1.34 (kubernetes/kubernetes#130989): a creation time that nobody had set as
// null, wherever there is metadata. The bytes of a revision's data, and so its name, depend on it. Covered by
// template_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace ordeal {

/// `data`: bytes of a revision, as they are written today (PodTemplate::patch).
std::string with_null_times(std::string_view data);

}  // namespace ordeal
