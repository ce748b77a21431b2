// Text in columns, for reports that people read.
#pragma once

#include <string>
#include <string_view>

namespace ordeal::fuzz {

/// With spaces behind it, up to a width; a longer text stays as it is.
std::string padded(std::string_view text, std::size_t width);
/// The same with the spaces in front.
std::string right(std::string_view text, std::size_t width);
/// Words in lines of at most so many columns, the first after `first`, the others below it; each ends in a newline. A
/// word that is longer than a line has one of its own.
std::string wrapped(const std::string& first, const std::string& words, std::size_t columns = 78);
/// Fit for a cell of a table in Markdown.
std::string markdown_cell(std::string_view words);

}  // namespace ordeal::fuzz
