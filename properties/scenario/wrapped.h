// Arguments of steps, counted round: files may hold any number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ordeal::properties {

/// Which of `count` things a number means; `count` is not 0.
inline std::uint32_t wrapped(std::int32_t number, std::size_t count) {
  return static_cast<std::uint32_t>(number) % static_cast<std::uint32_t>(count);
}

}  // namespace ordeal::properties
