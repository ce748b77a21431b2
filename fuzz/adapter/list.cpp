#include "fuzz/adapter/list.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "fuzz/adapter/answer.h"
#include "fuzz/adapter/http.h"
#include "fuzz/adapter/message.h"
#include "fuzz/adapter/query.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;
using Refused = std::unexpected<std::string>;
using Operator = SelectorRequirement::Operator;

// --- selectors -------------------------------------------------------------------------------------------------------

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// At commas, but for those between parentheses.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')' && depth > 0) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

/// "(a, b)"; nothing when it is no such list.
std::optional<std::vector<Text>> values_in(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  std::vector<Text> values;
  for (const std::string_view value : split(text.substr(1, text.size() - 2))) values.emplace_back(value);
  return values;
}

bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '/';
  });
}
bool is_key(std::string_view text) { return !text.empty() && is_word(text); }

std::optional<SelectorRequirement> requirement_in(std::string_view text) {
  if (text.starts_with('!') && is_key(trimmed(text.substr(1))))
    return SelectorRequirement{trimmed(text.substr(1)), Operator::does_not_exist, {}};
  if (is_key(text)) return SelectorRequirement{text, Operator::exists, {}};
  struct Form {
    std::string_view sign;
    Operator op;
  };
  for (const auto& [sign, op] : {Form{" notin ", Operator::not_in}, Form{" in ", Operator::in}}) {
    const std::size_t at = text.find(sign);
    if (at == text.npos) continue;
    const auto values = values_in(trimmed(text.substr(at + sign.size())));
    if (!values || !is_key(trimmed(text.substr(0, at)))) return std::nullopt;
    return SelectorRequirement{trimmed(text.substr(0, at)), op, *values};
  }
  for (const auto& [sign, op] : {Form{"!=", Operator::not_in}, Form{"==", Operator::in}, Form{"=", Operator::in}}) {
    const std::size_t at = text.find(sign);
    if (at == text.npos) continue;
    const std::string_view key = trimmed(text.substr(0, at)), value = trimmed(text.substr(at + sign.size()));
    if (!is_key(key) || !is_word(value)) return std::nullopt;
    return SelectorRequirement{key, op, {value}};
  }
  return std::nullopt;
}

std::expected<LabelSelector, std::string> selector_in(const std::string& text) {
  LabelSelector selector;
  if (text.empty()) return selector;
  for (const std::string_view part : split(text)) {
    auto requirement = requirement_in(part);
    if (!requirement) return Refused("labelSelector: cannot be read (found: \"" + text + "\")");
    selector.match_expressions.push_back(std::move(*requirement));
  }
  return selector;
}

std::expected<std::optional<Text>, std::string> name_in(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t value = text.find_first_not_of('=', std::min(text.find('='), text.size()));
  if (!text.starts_with("metadata.name=") || text.contains(',') || value == text.npos)
    return Refused("fieldSelector: of metadata.name alone (found: \"" + text + "\")");
  return Text(text.substr(value));
}

}  // namespace

std::expected<std::optional<List>, std::string> list_of(const json& call, const Text& ns) {
  if (text_at(call, "method") != "GET") return std::nullopt;
  const std::string path = text_at(call, "path"), query = text_at(call, "query");
  const auto target = target_of(path, ns);
  if (!target || !target->name.empty()) return std::nullopt;
  const auto refused = [&](const std::string& why) { return Refused("the adapter called GET " + path + ", " + why); };
  if (const std::string watch = argument(query, "watch"); watch == "true" || watch == "1")
    return refused("a watch: the adapter is told of each event");
  auto labels = selector_in(argument(query, "labelSelector"));
  if (!labels) return refused(labels.error());
  auto name = name_in(argument(query, "fieldSelector"));
  if (!name) return refused(name.error());
  return List{.kind = target->kind,
              .is_elsewhere = !target->elsewhere.empty(),
              .labels = std::move(*labels),
              .name = std::move(*name),
              .may_be_old = !argument(query, "resourceVersion").empty(),
              .line = line_in(call)};
}

namespace {

bool is_asked_for(const List& list, const ObjectMeta& meta) {
  return (!list.name || *list.name == meta.name) && list.labels.matches(meta.labels.get());
}

/// With the read the world may have moved: its labels may be others, and it may be gone.
bool is_found(const List& list, const Reply& reply) {
  return with_type(list.kind, [&]<class T>(std::type_identity<T>) {
    const T* object = reply.as<T>();
    return object != nullptr && is_asked_for(list, object->meta);
  });
}

/// Of what is stored by now, or shown, each once, in their order.
std::vector<Text> names_of(const List& list, const Api& api, const View& shown) {
  std::vector<Text> names;
  const auto take = [&](const ObjectMeta& meta) {
    if (is_asked_for(list, meta)) names.push_back(meta.name);
  };
  for (const ObjectMeta* meta : api.stored(list.kind)) take(*meta);
  with_type(list.kind, [&]<class T>(std::type_identity<T>) {
    for (const T* object : shown.of<T>().by_name) take(object->meta);
  });
  std::ranges::sort(names);
  const auto [first, last] = std::ranges::unique(names);
  names.erase(first, last);
  return names;
}

}  // namespace

Listed carry_out(const List& list, Api& api, const View& shown, bool together) {
  Listed listed;
  if (list.is_elsewhere) return listed;
  listed.asked.kind = list.kind;
  listed.asked.may_be_old = list.may_be_old;
  listed.asked.together = together;
  listed.asked.line = list.line;
  const auto read = [&](const Text& name, OfList place) {
    listed.asked.name = name;
    listed.asked.of_list = place;
    return api.call(listed.asked);
  };
  const std::vector<Text> before = names_of(list, api, shown);
  if (before.empty()) return listed;
  const Reply first = read(before.front(), OfList::first);
  if (!first.ok() && first.code != Code::not_found) {
    listed.failed = first;
    return listed;
  }
  for (const Text& name : names_of(list, api, shown)) {  // with the first read the world may have moved
    const Reply reply = name == before.front() ? first : read(name, OfList::further);
    if (is_found(list, reply)) listed.found.push_back(reply);
  }
  return listed;
}

json answer_to(const List& list, const Listed& listed, const Text& ns) {
  if (listed.failed) return answer_to(listed.asked, *listed.failed, ns);
  json items = json::array();
  Version newest{1};
  for (const Reply& reply : listed.found) {
    json item = answer_to(listed.asked, reply, ns)["body"];
    item.erase("apiVersion");  // as those of a typed list have none
    item.erase("kind");
    items.push_back(std::move(item));
    newest = std::max(newest, reply.version());
  }
  return {{"status", 200},
          {"body",
           {{"apiVersion", version_of(list.kind)},
            {"kind", list_kind_of(list.kind)},
            {"metadata", {{"resourceVersion", std::to_string(static_cast<std::uint64_t>(newest))}}},
            {"items", std::move(items)}}}};
}

}  // namespace ordeal::fuzz
