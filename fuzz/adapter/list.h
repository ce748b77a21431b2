// Lists, as a client asks an API server for them: GET /api/v1/namespaces/NS/pods, with a labelSelector and a
// fieldSelector of metadata.name.
//
// At the door a list is a read of each object that is in it, or that a cache shows and it does not: so whoever judges
// knows what the turn was told. Nothing happens in between, and what fails, fails at the first. Covered by
// list_test.cpp.
#pragma once

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/controller/door.h"

namespace ordeal::fuzz {

struct List {
  Kind kind = Kind::set;
  bool is_elsewhere = false;  // in another namespace than that of the set, where there is nothing
  LabelSelector labels{};
  std::optional<Text> name{};
  bool may_be_old = false;
  Text line{};  // of the controller's code
};

/// Nothing when the call, an object, asks for no list; an error is a sentence about what is wrong with it.
std::expected<std::optional<List>, std::string> list_of(const nlohmann::json& call, const Text& ns);

/// What came of a list: the answers to its reads, or that to the first, which failed.
struct Listed {
  Request asked{};  // the last of them
  std::vector<Reply> found{};
  std::optional<Reply> failed{};
};
/// `shown`: what the caches of the process hold; `together`: asked for with another call.
Listed carry_out(const List& list, Api& api, const View& shown, bool together);

nlohmann::json answer_to(const List& list, const Listed& listed, const Text& ns);

}  // namespace ordeal::fuzz
