// YAML text by yaml-cpp's event interface. The library is kept away from what it does not survive or gets wrong:
// documents are cut apart here ("---" in the first column begins one wherever it stands), so that one broken document
// does not hide the next and none is large; control characters are refused; an end marker after the text makes an
// unclosed quote an error; a document that is reported without progress ends the reading.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/api/document_builder.h"
#include "core/api/text_reader.h"

namespace ordeal {

namespace {

constexpr const char* unfilled_template = "is a template that was not filled in: give what `helm template` prints";

using nlohmann::json;

constexpr std::string_view end_marker = "\n...\n";

/// Thrown through the library when the builder has had enough; the reason is among the errors.
struct Stopped {};

class Events final : public YAML::EventHandler {
 public:
  Events(DocumentBuilder& builder, int line_offset) : builder_(builder), line_offset_(line_offset) {}

  void OnDocumentStart(const YAML::Mark& mark) override { started_at_ = mark.pos; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (builder_.wants_key()) refuse_key(mark);
    require(builder_.scalar(nullptr, spot(mark), anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (!builder_.wants_key()) return require(builder_.alias(anchor, spot(mark)));
    const json* meant = builder_.anchored(anchor);
    if (meant == nullptr || !meant->is_string()) refuse_key(mark);
    require(builder_.key(meant->get<std::string>(), spot(mark)));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (builder_.wants_key())
      return require(tag == "?" && text == "<<" ? builder_.merge_key(spot(mark)) : builder_.key(text, spot(mark)));
    require(builder_.scalar(value_of(mark, tag, text), spot(mark), anchor));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(true, mark, anchor);
  }
  void OnSequenceEnd() override { require(builder_.close()); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(false, mark, anchor);
  }
  void OnMapEnd() override { require(builder_.close()); }

  int started_at() const { return started_at_; }
  Spot spot(const YAML::Mark& mark) const { return {mark.line + 1 + line_offset_, mark.column + 1}; }

 private:
  void require(bool may_go_on) {
    if (!may_go_on) throw Stopped{};
  }
  [[noreturn]] void refuse_key(const YAML::Mark& mark, const char* why = "has a key that is not text") {
    builder_.fail(why, spot(mark));
    throw Stopped{};
  }
  void open(bool is_list, const YAML::Mark& mark, YAML::anchor_t anchor) {
    const bool is_template = !is_list && mark.pos == opened_at_ + 1;  // {{...}}
    if (builder_.wants_key() && is_template) refuse_key(mark, unfilled_template);
    if (builder_.wants_key()) refuse_key(mark);
    opened_at_ = mark.pos;
    require(builder_.open(is_list, spot(mark), anchor));
  }
  json value_of(const YAML::Mark& mark, const std::string& tag, const std::string& text) {
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return text;
    const bool resolves = tag == "?" || tag.empty() || tag == "tag:yaml.org,2002:int" ||
                          tag == "tag:yaml.org,2002:float" || tag == "tag:yaml.org,2002:bool" ||
                          tag == "tag:yaml.org,2002:null";
    if (!resolves) {
      builder_.fail("has a tag nobody here knows", spot(mark), tag);
      throw Stopped{};
    }
    json value = plain_scalar(text);
    const bool finite = !value.is_number_float() || std::isfinite(value.get<double>());
    if (!finite) builder_.fail("must be a finite number", spot(mark), text);
    return finite ? value : json(nullptr);
  }

  DocumentBuilder& builder_;
  int line_offset_;
  int started_at_ = -1;
  int opened_at_ = -1;  // the last list or map
};

/// One "---" document, or the text before the first.
struct Chunk {
  std::string_view text;
  int line_offset = 0;
};

bool is_separator(std::string_view line) {
  return line.starts_with("---") && (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r');
}

bool is_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// Cuts at separators, which stay with what follows; leaves out what holds blank lines only.
std::vector<Chunk> cut_apart(std::string_view text) {
  std::vector<Chunk> chunks;
  std::size_t begin = 0, at = 0;
  int line = 0, begin_line = 0;
  bool blank = true;
  const auto finish = [&](std::size_t end) {
    if (!blank) chunks.push_back({text.substr(begin, end - begin), begin_line});
    begin = end;
    begin_line = line;
    blank = true;
  };
  for (; at < text.size(); ++line) {
    const std::size_t newline = text.find('\n', at);
    const std::string_view content = text.substr(at, newline == std::string_view::npos ? newline : newline - at);
    const bool separates = is_separator(content);
    if (separates) finish(at);
    blank = blank && is_blank(separates ? content.substr(3) : content);
    at = newline == std::string_view::npos ? text.size() : newline + 1;
  }
  finish(text.size());
  return chunks;
}

std::string_view line_at(std::string_view text, int line) {
  std::size_t begin = 0;
  for (; line > 0 && begin < text.size(); --line) begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  text.remove_prefix(begin);
  return text.substr(0, text.find('\n'));
}

bool is_indented_by_tab(std::string_view line) {
  return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

/// The library's complaint in words that help: tabs and unclosed quotes show up as something else.
std::string explain(const YAML::Exception& error, std::string_view text) {
  if (line_at(text, error.mark.line).find("{{") != std::string_view::npos) return unfilled_template;
  if (error.msg == "illegal document indicator in scalar") return "is not valid YAML: a quoted string is never closed";
  if (is_indented_by_tab(line_at(text, error.mark.line)))
    return "is not valid YAML: the line is indented by a tab; only spaces may indent";
  return "is not valid YAML: " + error.msg;
}

/// Reads the documents of one chunk: one, or several with "..." between them.
void read_chunk(const Chunk& chunk, std::vector<TextDocument>& documents, FieldErrors& errors) {
  std::istringstream stream(std::string(chunk.text) + std::string(end_marker));
  YAML::Parser parser(stream);
  for (int previous = -1; room_for_another(documents, errors);) {
    TextDocument document;
    DocumentBuilder builder(errors, &document.lines);
    Events events(builder, chunk.line_offset);
    try {
      if (!parser.HandleNextDocument(events)) return;
      if (events.started_at() <= previous) {
        builder.fail("is not valid YAML: something follows the end of the document", {chunk.line_offset + 1, 0});
        return;
      }
    } catch (const Stopped&) {
      return;
    } catch (const YAML::Exception& error) {
      const int line = error.mark.is_null() ? 0 : error.mark.line + 1 + chunk.line_offset;
      add_error(errors, {{}, explain(error, chunk.text), {}, line, error.mark.is_null() ? 0 : error.mark.column + 1});
      return;
    }
    previous = events.started_at();
    document.value = builder.take();
    if (!document.value.is_null()) documents.push_back(std::move(document));
  }
}

/// YAML allows no control characters; the library takes some of them for the end of the text.
bool check_characters(std::string_view bytes, FieldErrors& errors) {
  const auto bad = std::ranges::find_if(
      bytes, [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == '\x7f'; });
  if (bad == bytes.end()) return true;
  const auto offset = static_cast<std::size_t>(bad - bytes.begin());
  add_error(errors, {{}, "holds a control character", {}, line_of(bytes, offset), 0});
  return false;
}

}  // namespace

std::vector<TextDocument> read_yaml_text(std::string_view bytes, FieldErrors& errors) {
  std::vector<TextDocument> documents;
  if (!check_text(bytes, errors) || !check_characters(bytes, errors)) return documents;
  for (const Chunk& chunk : cut_apart(bytes)) {
    if (!room_for_another(documents, errors)) break;
    if (chunk.text.size() > max_yaml_document_bytes) {
      add_error(errors, {{},
                         "is a document larger than " + std::to_string(max_yaml_document_bytes) + " bytes",
                         {},
                         chunk.line_offset + 1,
                         0});
      continue;
    }
    read_chunk(chunk, documents, errors);
  }
  return documents;
}

}  // namespace ordeal
