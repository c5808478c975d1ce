//===- Image.cpp - PTX in what programs hand to a driver --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Image.h"

#include <cstring>
#include <dlfcn.h>

using namespace tileiras::device;

namespace {

constexpr uint32_t FatbinMagic = 0xba55ed50, WrapperMagic = 0x466243b1, ElfMagic = 0x464c457f;

template <typename T> T at(const uint8_t *bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

/// What __cudaRegisterFatBinary and cuModuleLoadFatBinary are given: a pointer to the fatbin.
struct Wrapper {
  uint32_t magic, version;
  const void *data;
  const void *more;
};

/// Entry of a fatbin. Offsets within: kind 0, header size 4, payload size 8, compressed size 16, target 28, flags 40,
/// size when decompressed 56.
struct Entry {
  uint16_t kind;
  uint32_t target;
  uint64_t flags, payload, compressed, whole;
  const uint8_t *data;
};
constexpr uint16_t KindPtx = 1;
constexpr uint64_t FlagLz4 = 0x2000, FlagZstd = 0x8000;

/// zstd is loaded when a fatbin needs it: no program has to have it.
bool decompressZstd(const uint8_t *data, size_t size, std::vector<uint8_t> &out, std::string &error) {
  using Decompress = size_t (*)(void *, size_t, const void *, size_t);
  static Decompress decompress = [] {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<Decompress>(dlsym(library, "ZSTD_decompress")) : nullptr;
  }();
  if (!decompress) {
    error =
        "the fatbin is compressed with zstd, and libzstd.so.1 cannot be loaded (or compile with nvcc --no-compress)";
    return false;
  }
  if (decompress(out.data(), out.size(), data, size) == out.size())
    return true;
  error = "a compressed entry of the fatbin is damaged";
  return false;
}

Image refuse(std::string why) {
  Image image;
  image.error = std::move(why);
  return image;
}

Image textImage(const char *text, size_t size) {
  Image image;
  image.ptx.assign(text, size);
  // PTX in fatbins and buffers ends with zero bytes.
  while (!image.ptx.empty() && !image.ptx.back())
    image.ptx.pop_back();
  return image;
}

Image ofElf(const uint8_t *elf) {
  const uint64_t table = at<uint64_t>(elf, 0x28);
  const unsigned size = at<uint16_t>(elf, 0x3a), count = at<uint16_t>(elf, 0x3c), names = at<uint16_t>(elf, 0x3e);
  if (size >= 64 && names < count) {
    const uint64_t strings = at<uint64_t>(elf, table + uint64_t(names) * size + 0x18);
    for (unsigned s = 0; s != count; ++s) {
      const uint8_t *header = elf + table + uint64_t(s) * size;
      const char *name = reinterpret_cast<const char *>(elf + strings + at<uint32_t>(header, 0));
      if (!std::strcmp(name, ".nv_debug_ptx_txt") || !std::strcmp(name, ".tileiras.ptx"))
        return textImage(reinterpret_cast<const char *>(elf + at<uint64_t>(header, 0x18)), at<uint64_t>(header, 0x20));
    }
  }
  return refuse("the cubin has no PTX in it; this device executes PTX");
}

Image ofFatbin(const uint8_t *fatbin, unsigned sm) {
  const uint8_t *p = fatbin + at<uint16_t>(fatbin, 6), *end = p + at<uint64_t>(fatbin, 8);
  Entry best{};
  std::string seen;
  while (p + 64 <= end) {
    Entry e;
    e.kind = at<uint16_t>(p, 0);
    const uint32_t header = at<uint32_t>(p, 4);
    e.payload = at<uint64_t>(p, 8);
    e.compressed = at<uint32_t>(p, 16);
    e.target = at<uint32_t>(p, 28);
    e.flags = at<uint64_t>(p, 40);
    e.whole = at<uint64_t>(p, 56);
    e.data = p + header;
    if (header < 64 || e.data + e.payload > end)
      return refuse("the fatbin is damaged");
    seen += (seen.empty() ? "" : ", ") + std::string(e.kind == KindPtx ? "PTX" : "cubin") + " for sm_" +
            std::to_string(e.target);
    if (e.kind == KindPtx && e.target <= sm && (!best.data || e.target > best.target))
      best = e;
    p = e.data + e.payload;
  }
  if (!best.data)
    return refuse("the fatbin has no PTX for sm_" + std::to_string(sm) + " or below (it has " + seen + ")");
  if (!(best.flags & (FlagLz4 | FlagZstd)))
    return textImage(reinterpret_cast<const char *>(best.data), best.payload);
  std::vector<uint8_t> text(best.whole);
  std::string error = "a compressed entry of the fatbin is damaged";
  if (best.flags & FlagZstd ? decompressZstd(best.data, best.compressed, text, error)
                            : decompressLz4(best.data, best.compressed, text))
    return textImage(reinterpret_cast<const char *>(text.data()), text.size());
  return refuse(error);
}

} // namespace

bool tileiras::device::decompressLz4(const uint8_t *data, size_t size, std::vector<uint8_t> &out) {
  size_t from = 0, to = 0;
  auto length = [&](size_t start, size_t &result) { // continued in bytes while they are 255
    result = start;
    if (start != 15)
      return true;
    for (uint8_t more = 255; more == 255; result += more) {
      if (from == size)
        return false;
      more = data[from++];
    }
    return true;
  };
  while (from < size) {
    const uint8_t token = data[from++];
    size_t literals, match;
    if (!length(token >> 4, literals) || literals > size - from || literals > out.size() - to)
      return false;
    std::memcpy(out.data() + to, data + from, literals);
    from += literals;
    to += literals;
    if (from == size)
      break; // the last sequence has no match
    if (size - from < 2)
      return false;
    const size_t distance = at<uint16_t>(data, from);
    from += 2;
    if (!length(token & 15, match))
      return false;
    match += 4;
    if (!distance || distance > to || match > out.size() - to)
      return false;
    for (; match; --match, ++to) // may overlap
      out[to] = out[to - distance];
  }
  return to == out.size();
}

Image tileiras::device::ptxOfImage(const void *image, unsigned sm, size_t size) {
  if (!image)
    return refuse("there is no image");
  const uint8_t *bytes = static_cast<const uint8_t *>(image);
  if (size && size < 16)
    return refuse("the image is too small");
  // The first bytes of a text may be fewer than four.
  uint32_t magic = 0;
  for (unsigned k = 0; k != 4 && (!k || bytes[k - 1]); ++k)
    magic |= uint32_t(bytes[k]) << 8 * k;
  if (magic == WrapperMagic)
    return ptxOfImage(static_cast<const Wrapper *>(image)->data, sm);
  if (magic == FatbinMagic)
    return ofFatbin(bytes, sm);
  if (magic == ElfMagic)
    return ofElf(bytes);
  const char *text = static_cast<const char *>(image);
  size_t length = size ? strnlen(text, size) : std::strlen(text);
  if (!std::memchr(text, '.', length))
    return refuse("the image is neither PTX, nor a cubin, nor a fatbin");
  return textImage(text, length);
}
