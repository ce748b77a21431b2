// How every document for programs is written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ordeal::fuzz {

/// Indented, with a newline at its end. A name may hold any bytes: what is no UTF-8 is replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::fuzz
