// A file descriptor with an owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace ordeal::fuzz {

/// Closed when its owner goes, however that ends.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  int get() const { return number_; }  // -1: there is none
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

}  // namespace ordeal::fuzz
