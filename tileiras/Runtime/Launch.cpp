//===- Launch.cpp - One kernel launch, whatever runs it ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/Launch.h"

#include <cstring>

using namespace tileiras;

static uint64_t firstElement(const std::vector<Buffer> &buffers, const std::vector<uint64_t> &bases, int buffer) {
  return bases[size_t(buffer)] + uint64_t(buffers[size_t(buffer)].array.byteOffset);
}

void tileiras::relocate(std::vector<Buffer> &buffers, const std::vector<uint64_t> &bases) {
  for (Buffer &buffer : buffers)
    for (const Relocation &relocation : buffer.relocations) {
      uint64_t address = firstElement(buffers, bases, relocation.buffer);
      std::memcpy(buffer.array.bytes.data() + relocation.byteOffset, &address, 8);
    }
}

void tileiras::unrelocate(std::vector<Buffer> &buffers, const std::vector<uint64_t> &bases) {
  for (Buffer &buffer : buffers)
    for (const Relocation &relocation : buffer.relocations) {
      uint64_t address = firstElement(buffers, bases, relocation.buffer), zero = 0;
      uint8_t *word = buffer.array.bytes.data() + relocation.byteOffset;
      if (std::memcmp(word, &address, 8) == 0)
        std::memcpy(word, &zero, 8);
    }
}

std::vector<bool> tileiras::elementBytes(const Array &array) {
  std::vector<bool> covered(array.bytes.size(), false);
  unsigned bits = storageBits(array.type);
  array.forEach([&](const std::vector<int64_t> &, int64_t offset) {
    int64_t first = array.byteOffset + offset * bits / 8;
    int64_t last = array.byteOffset + (offset * bits + bits - 1) / 8;
    for (int64_t i = first; i <= last; ++i)
      covered[size_t(i)] = true;
  });
  return covered;
}

std::vector<BufferComparison> tileiras::compareBuffers(const std::vector<Buffer> &actual,
                                                       const std::vector<Buffer> &expected,
                                                       const Tolerance &tolerance) {
  std::vector<BufferComparison> results;
  for (size_t i = 0; i < expected.size() && i < actual.size(); ++i) {
    const Array &a = actual[i].array, &e = expected[i].array;
    const Tolerance &own = expected[i].hasTolerance ? expected[i].tolerance : tolerance;
    BufferComparison result;
    result.name = expected[i].name;
    result.comparison = compare(a, e, own);
    result.ok = result.comparison.ok();
    result.text = result.comparison.describe(e.type);
    std::vector<bool> covered = elementBytes(e);
    for (size_t byte = 0; byte < covered.size() && byte < a.bytes.size(); ++byte) {
      if (covered[byte] || a.bytes[byte] == e.bytes[byte])
        continue;
      result.ok = false;
      result.text += "; byte " + std::to_string(byte) + ", which belongs to no element, differs";
      break;
    }
    results.push_back(std::move(result));
  }
  return results;
}
