#include "fuzz/report/columns.h"

#include <algorithm>

namespace ordeal::fuzz {

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string right(std::string_view text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + std::string(text);
}

std::string wrapped(const std::string& first, const std::string& words, std::size_t columns) {
  std::string text, line = first;
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (line.size() + word.size() > columns && line.size() > first.size()) {
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
      line.assign(first.size(), ' ');
    }
    line += word + " ";
    at = end + 1;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return text + line + "\n";
}

std::string markdown_cell(std::string_view words) {
  std::string text;
  for (const char c : words) {
    if (c == '|') text += "\\|";
    else if (c == '<') text += "&lt;";
    else if (c == '>') text += "&gt;";
    else text += c == '\n' ? ' ' : c;
  }
  return text;
}

}  // namespace ordeal::fuzz
