// JSON text by nlohmann's event interface, whose parser keeps its own stack: no depth of nesting can exhaust ours.
#include <cctype>
#include <iterator>

#include "core/api/document_builder.h"
#include "core/api/text_reader.h"

namespace ordeal {

namespace {

using nlohmann::json;

/// How far the parser has read. It reads one byte beyond a number, which may be the end of the line.
struct Progress {
  std::size_t offset = 0;
  int line = 1, line_before = 1;
  std::size_t line_start = 0;
  Spot spot() const { return {line, static_cast<int>(offset - line_start)}; }
  Spot spot_before() const { return {line_before, 0}; }
};

/// The bytes as an input iterator that counts lines. The parser copies iterators, so the count lives outside.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Progress* progress) : at_(at), progress_(progress) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++progress_->offset;
    progress_->line_before = progress_->line;
    if (*at_ == '\n') {
      ++progress_->line;
      progress_->line_start = progress_->offset;
    }
    ++at_;
    return *this;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  Progress* progress_;
};

/// nlohmann's message without its prefix: "syntax error while parsing value - ...".
std::string plain_message(std::string_view what) {
  const std::size_t column = what.find(", column ");
  const std::size_t colon = column == std::string_view::npos ? what.find("] ") : what.find(": ", column);
  return std::string(colon == std::string_view::npos ? what : what.substr(colon + 2));
}

/// nlohmann's event handler. False stops the parser.
struct Events {
  DocumentBuilder& builder;
  const Progress& progress;

  bool null() { return builder.scalar(nullptr, progress.spot()); }
  bool boolean(bool value) { return builder.scalar(value, progress.spot()); }
  bool number_integer(json::number_integer_t value) { return builder.scalar(value, progress.spot_before()); }
  bool number_unsigned(json::number_unsigned_t value) { return builder.scalar(value, progress.spot_before()); }
  bool number_float(json::number_float_t value, const json::string_t&) {
    return builder.scalar(value, progress.spot_before());
  }
  bool string(json::string_t& value) { return builder.scalar(std::move(value), progress.spot()); }
  bool binary(json::binary_t&) { return false; }
  bool start_object(std::size_t) { return builder.open(false, progress.spot()); }
  bool key(json::string_t& value) { return builder.key(std::move(value), progress.spot()); }
  bool end_object() { return builder.close(); }
  bool start_array(std::size_t) { return builder.open(true, progress.spot()); }
  bool end_array() { return builder.close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    return builder.fail("is not valid JSON: " + plain_message(error.what()), progress.spot());
  }
};

/// Reads one value at progress.offset. False when it could not, and nothing after it can be read either; the error is
/// recorded. Duplicate keys are recorded too, but are no reason to stop. `to_the_end`: nothing may follow the value.
bool read_value(std::string_view bytes, bool to_the_end, Progress& progress, FieldErrors& errors, Lines* lines,
                json& out) {
  DocumentBuilder builder(errors, lines);
  Events events{builder, progress};
  const CountingIterator begin(bytes.data() + progress.offset, &progress), end(bytes.data() + bytes.size(), &progress);
  const bool whole = json::sax_parse(begin, end, &events, json::input_format_t::json, /*strict=*/to_the_end);
  out = builder.take();
  return whole;
}

/// Skips white space and lines "---" between values.
void skip_between(std::string_view bytes, Progress& progress) {
  CountingIterator at(bytes.data() + progress.offset, &progress);
  while (progress.offset < bytes.size()) {
    const bool separator = progress.offset == progress.line_start && bytes.substr(progress.offset).starts_with("---");
    if (separator) ++ ++ ++at;
    else if (std::isspace(static_cast<unsigned char>(*at)) != 0) ++at;
    else return;
  }
}

}  // namespace

std::vector<TextDocument> read_json_text(std::string_view bytes, FieldErrors& errors) {
  std::vector<TextDocument> documents;
  if (!check_text(bytes, errors)) return documents;
  Progress progress;
  skip_between(bytes, progress);
  while (progress.offset < bytes.size() && room_for_another(documents, errors)) {
    TextDocument document;
    if (!read_value(bytes, /*to_the_end=*/false, progress, errors, &document.lines, document.value)) break;
    documents.push_back(std::move(document));
    skip_between(bytes, progress);
  }
  return documents;
}

bool parse_json(std::string_view bytes, json& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  if (!check_text(bytes, errors)) return false;
  Progress progress;
  const bool whole = read_value(bytes, /*to_the_end=*/true, progress, errors, nullptr, out);
  return whole && errors.size() == errors_before;
}

}  // namespace ordeal
