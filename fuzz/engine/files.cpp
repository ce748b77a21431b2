#include "fuzz/engine/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, Close>;

std::unexpected<std::string> failed(const std::string& path, int error) {
  return std::unexpected(path + ": " + std::strerror(error));
}

template <class Iterator>
std::expected<std::vector<std::string>, std::string> files_of(const std::string& directory) {
  std::vector<std::string> files;
  std::string at = directory;
  std::error_code error;
  for (Iterator next(directory, error), end; !error && next != end; next.increment(error)) {
    at = next->path().string();
    if (next->is_regular_file(error)) files.push_back(at);
    error.clear();  // a link to nowhere is no file
  }
  if (error) return std::unexpected(at + ": " + error.message());
  std::ranges::sort(files);
  return files;
}

/// Everything must have reached the disk, or the error says why not.
int write_all(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  int error = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
  if (std::fflush(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::fsync(::fileno(file)) != 0 && errno != EINVAL) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

std::expected<std::string, std::string> read_file(const std::string& path, std::size_t limit) {
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) return failed(path, EISDIR);
  const File file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return failed(path, errno);
  std::string bytes;
  char block[1 << 16];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) {
    bytes.append(block, n);
    if (bytes.size() > limit) return std::unexpected(path + ": is larger than " + std::to_string(limit) + " bytes");
  }
  if (std::ferror(file.get())) return failed(path, errno);
  return bytes;
}

std::expected<std::vector<std::string>, std::string> files_below(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return std::vector{path};
  return files_of<fs::recursive_directory_iterator>(path);
}

std::expected<std::vector<std::string>, std::string> files_in(const std::string& directory) {
  std::error_code error;
  if (fs::status(directory, error).type() == fs::file_type::not_found) return {};
  return files_of<fs::directory_iterator>(directory);
}

std::expected<std::vector<std::string>, std::string> scenario_files_below(const std::string& path) {
  auto files = files_below(path);
  if (files && *files != std::vector{path})
    std::erase_if(*files, [](const std::string& file) { return !file.ends_with(".json"); });
  return files;
}

Done write_file(const std::string& path, std::string_view bytes) {
  const fs::path parent = fs::path(path).parent_path();
  std::error_code error;
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) return std::unexpected(parent.string() + ": " + error.message());
  const fs::file_status there = fs::status(path, error);
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    if (const int why = write_all(path, bytes); why != 0) return failed(path, why);
    return {};
  }
  const std::string target = fs::exists(there) ? fs::canonical(path, error).string() : path;
  const std::string neighbour = target + ".part-" + std::to_string(::getpid());
  if (const int why = write_all(neighbour, bytes); why != 0) {
    fs::remove(neighbour, error);
    return failed(path, why);
  }
  fs::rename(neighbour, target, error);
  if (!error) return {};
  const std::string why = error.message();
  fs::remove(neighbour, error);
  return std::unexpected(path + ": " + why);
}

}  // namespace ordeal::fuzz
