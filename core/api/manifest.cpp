// Files as people have them: one object, several documents, or a List; the kinds that matter picked out, the others
// named.
#include <algorithm>
#include <array>

#include "core/api/document_builder.h"
#include "core/api/fields.h"
#include "core/api/nearest.h"
#include "core/api/object_json.h"
#include "core/api/text_reader.h"
#include "core/api/validation.h"

namespace ordeal {

namespace {

/// The field itself or one below it: "spec.replica" does not hold "spec.replicas".
bool is_within(std::string_view path, std::string_view above) {
  if (!path.starts_with(above)) return false;
  return path.size() == above.size() || above.empty() || path[above.size()] == '.' || path[above.size()] == '[';
}

using nlohmann::json;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// What a document says it is.
struct Identity {
  std::string api_version, kind, name;
  std::string_view group() const {
    const std::size_t slash = api_version.find('/');
    return slash == std::string::npos ? std::string_view{} : std::string_view(api_version).substr(0, slash);
  }
};

constexpr std::array<std::string_view, 1> set_kind = {"StatefulSet"};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

class ManifestReader {
 public:
  explicit ManifestReader(Documents& out) : out_(out) {}

  void read(TextDocument document) {
    const Identity list = identity_of(document.value);
    const bool is_list = list.kind.ends_with("List") && document.value.contains("items");
    if (!is_list) return read_object(document.value, std::move(document.lines), "", {});
    const Field whole(document.value, out_.errors);
    const Field items = whole["items"];
    const std::size_t errors_before = out_.errors.size();
    const bool readable = items.is_list();
    locate(errors_before, document.lines, "");
    if (!readable) return;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string prefix = "items[" + std::to_string(i) + "]";
      if (full(out_.errors)) return;
      read_object(items[i].value(), lines_below(document.lines, prefix), prefix, kind_of_items(list));
    }
  }

 private:
  /// The items of a StatefulSetList may leave out what the list says already.
  static Identity kind_of_items(const Identity& list) {
    const std::string kind = list.kind.substr(0, list.kind.size() - 4);
    return kind.empty() ? Identity{} : Identity{list.api_version, kind, {}};
  }

  static Identity identity_of(const json& value) {
    return {text_at(value, "apiVersion"), text_at(value, "kind"), text_at(member_of(value, "metadata"), "name")};
  }

  /// The part of a line table below `prefix`, with paths relative to it.
  static Lines lines_below(const Lines& lines, std::string_view prefix) {
    Lines below;
    const auto begin =
        std::ranges::lower_bound(lines.of_path, prefix, {}, [](const auto& e) -> std::string_view { return e.first; });
    for (auto at = begin; at != lines.of_path.end() && at->first.starts_with(prefix); ++at) {
      std::string_view rest = std::string_view(at->first).substr(prefix.size());
      if (rest.starts_with('.')) rest.remove_prefix(1);
      below.of_path.emplace_back(rest, at->second);
    }
    std::ranges::sort(below.of_path);
    return below;
  }

  /// Gives the errors from `first` on their lines, and their place in a list.
  void locate(std::size_t first, const Lines& lines, const std::string& prefix) {
    for (std::size_t i = first; i < out_.errors.size(); ++i) {
      FieldError& error = out_.errors[i];
      if (error.line == 0) error.line = lines.of(error.path);
      if (!prefix.empty()) error.path = error.path.empty() ? prefix : prefix + "." + error.path;
    }
  }

  void read_object(const json& value, Lines lines, const std::string& prefix, const Identity& assumed) {
    const std::size_t errors_before = out_.errors.size();
    Identity identity = identity_of(value);
    const Field whole(value, out_.errors);
    if (!whole.present()) whole.fault("must be a map");
    if (whole.is_map()) {
      if (identity.kind.empty()) identity.kind = assumed.kind;
      if (identity.api_version.empty()) identity.api_version = assumed.api_version;
      read_kind(whole, identity, lines);
    }
    locate(errors_before, lines, prefix);
  }

  void read_kind(const Field& whole, const Identity& identity, const Lines& lines) {
    if (identity.kind.empty()) whole["kind"].fault(whole["kind"].present() ? "must be text" : "is required");
    if (identity.api_version.empty())
      whole["apiVersion"].fault(whole["apiVersion"].present() ? "must be text" : "is required");
    if (identity.kind.empty() || identity.api_version.empty()) return;
    const bool apps = is_one_of(identity.group(), {"", "apps", "extensions"});
    if (identity.kind == "StatefulSet" && apps) {
      read_as<StatefulSet>(whole, identity, lines, {"apps/v1", "apps/v1beta2", "apps/v1beta1"});
    } else if (identity.kind == "StatefulSet" && identity.group() == "apps.kruise.io") {
      read_as<StatefulSet>(whole, identity, lines, {"apps.kruise.io/v1beta1", "apps.kruise.io/v1alpha1"});
      note_left_out(whole, identity);
    } else if (identity.kind == "ControllerRevision" && apps) {
      read_as<Revision>(whole, identity, lines, {"apps/v1", "apps/v1beta2", "apps/v1beta1"});
    } else if (identity.api_version == "v1" && identity.kind == "Pod") {
      read_as<Pod>(whole, identity, lines, {"v1"});
    } else if (identity.api_version == "v1" && identity.kind == "PersistentVolumeClaim") {
      read_as<Claim>(whole, identity, lines, {"v1"});
    } else if (identity.api_version == "v1" && identity.kind == "Service") {
      read_as<Service>(whole, identity, lines, {"v1"});
    } else if (const std::string meant = apps ? did_you_mean(identity.kind, set_kind) : ""; !meant.empty()) {
      whole["kind"].fault("is no kind that there is" + meant);
    } else {
      out_.skipped.push_back(identity.kind + (identity.name.empty() ? "" : " " + identity.name));
    }
  }

  /// What asks for nothing else than what is done here is not worth a word.
  void note_left_out(const Field& whole, const Identity& identity) {
    const auto note = [&](const Field& map, std::initializer_list<std::string_view> members) {
      for (const std::string_view member : members) {
        const Field field = map[member];
        if (field.present() && field.value() != false && field.value() != "ReCreate")
          out_.left_out.push_back(field.path() + " of StatefulSet " + identity.name);
      }
    };
    const Field spec = whole["spec"], strategy = spec["updateStrategy"], rolling = strategy["rollingUpdate"];
    note(spec, own_of_kruise);
    note(rolling, own_of_kruise_rolling);
  }

  template <class T>
  void read_as(const Field& whole, const Identity& identity, const Lines& lines,
               std::initializer_list<std::string_view> versions) {
    if (!is_one_of(identity.api_version, versions)) whole["apiVersion"].read_word(versions);
    T object;
    const std::size_t errors_before = out_.errors.size();
    const bool good = from_json(whole.value(), object, out_.errors);
    if constexpr (std::is_same_v<T, StatefulSet>)
      if (!good) add_admission_errors(object, errors_before);
    out_.read.push_back({std::move(object), lines});
  }

  /// A set that could not be read is never validated by anybody, so what else is wrong with it is said here.
  void add_admission_errors(StatefulSet& set, std::size_t first) {
    apply_defaults(set);
    const std::size_t last = out_.errors.size();
    for (FieldError& error : validate_create(set)) {
      const bool follows = std::any_of(
          out_.errors.begin() + static_cast<std::ptrdiff_t>(first),
          out_.errors.begin() + static_cast<std::ptrdiff_t>(last),
          [&](const FieldError& read) { return is_within(read.path, error.path) || is_within(error.path, read.path); });
      if (!follows) add_error(out_.errors, std::move(error));
    }
  }

  Documents& out_;
};

}  // namespace

Documents read_manifest(std::string_view bytes) {
  Documents out;
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const std::string_view text = bytes.substr(std::min(first, bytes.size()));
  const bool is_json = (text.starts_with('{') && !text.starts_with("{{")) || text.starts_with('[');  // {{: a template
  auto documents = is_json ? read_json_text(bytes, out.errors) : read_yaml_text(bytes, out.errors);
  if (documents.empty() && out.errors.empty())
    add_error(out.errors, {{}, "holds no objects: the file is empty", {}, 0, 0});
  ManifestReader reader(out);
  for (TextDocument& document : documents)
    if (!full(out.errors)) reader.read(std::move(document));
  return out;
}

}  // namespace ordeal
