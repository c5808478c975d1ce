//===- Npy.cpp - Reading and writing .npy files -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The format: "\x93NUMPY", major, minor, header length (u16 in version 1, u32 after), a
// Python dictionary {'descr', 'fortran_order', 'shape'} padded to 64 bytes, the data.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/Array.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

using namespace tileiras;

namespace {

struct FileCloser {
  void operator()(FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, FileCloser>;

constexpr char kMagic[] = "\x93NUMPY";

std::string descriptor(DType type) {
  switch (type) {
  case DType::I1:
    return "|b1";
  case DType::I4:
    return "|u1";
  case DType::I8:
    return "|i1";
  case DType::I16:
    return "<i2";
  case DType::I32:
    return "<i4";
  case DType::I64:
    return "<i8";
  case DType::F16:
    return "<f2";
  case DType::BF16:
    return "<V2";
  case DType::F32:
    return "<f4";
  case DType::TF32:
    return "<f4";
  case DType::F64:
    return "<f8";
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E8M0FNU:
  case DType::F8E5M3FNU:
    return "|V1";
  case DType::F4E2M1FN:
    return "|u1";
  }
  return "";
}

int64_t fileElementBytes(DType type) { return std::max<int64_t>(1, storageBits(type) / 8); }

/// A file of raw bytes or unsigned integers of the right size fits every type; beyond that the
/// descriptor must be the type's own. ml_dtypes has used 'f1' for its 8-bit floats.
bool descriptorFits(DType type, const std::string &descr) {
  std::string own = descriptor(type);
  if (descr.size() < 3)
    return false;
  std::string kind = descr.substr(1), size = std::to_string(fileElementBytes(type));
  if (descr[0] == '>' && size != "1")
    return false;
  if (kind == own.substr(1) || kind == "V" + size || kind == "u" + size)
    return true;
  if (isInteger(type))
    return kind == "i" + size || (size == "1" && kind == "b1");
  return size == "1" && (kind == "f1" || kind == "i1");
}

/// The text after `'key':` in the header dictionary, without leading blanks.
bool findKey(const std::string &header, const char *key, std::string_view &value) {
  for (const char *quote : {"'", "\""}) {
    std::string needle = std::string(quote) + key + quote;
    size_t at = header.find(needle);
    if (at == std::string::npos)
      continue;
    at = header.find(':', at + needle.size());
    if (at == std::string::npos)
      return false;
    at = header.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos)
      return false;
    value = std::string_view(header).substr(at);
    return true;
  }
  return false;
}

bool parseHeader(const std::string &header, std::string &descr, bool &fortran, std::vector<int64_t> &shape,
                 std::string &error) {
  std::string_view value;
  if (!findKey(header, "descr", value) || (value[0] != '\'' && value[0] != '"')) {
    error = "no simple 'descr' in the header (structured types are not supported)";
    return false;
  }
  size_t end = value.find(value[0], 1);
  if (end == std::string_view::npos) {
    error = "unterminated 'descr'";
    return false;
  }
  descr = std::string(value.substr(1, end - 1));
  if (!findKey(header, "fortran_order", value)) {
    error = "no 'fortran_order' in the header";
    return false;
  }
  fortran = value.substr(0, 4) == "True";
  if (!findKey(header, "shape", value) || value[0] != '(') {
    error = "no 'shape' in the header";
    return false;
  }
  size_t i = 1;
  while (i < value.size() && value[i] != ')') {
    if (value[i] == ' ' || value[i] == ',') {
      ++i;
      continue;
    }
    int64_t dim = 0;
    size_t start = i;
    while (i < value.size() && value[i] >= '0' && value[i] <= '9' && dim < (int64_t(1) << 40))
      dim = dim * 10 + (value[i++] - '0');
    if (i == start || (i < value.size() && value[i] != ',' && value[i] != ')' && value[i] != 'L')) {
      error = "bad 'shape' in the header";
      return false;
    }
    if (i < value.size() && value[i] == 'L')
      ++i;
    shape.push_back(dim);
  }
  if (i == value.size()) {
    error = "bad 'shape' in the header";
    return false;
  }
  return true;
}

} // namespace

bool tileiras::writeNpy(const std::string &path, const Array &array, std::string &error) {
  std::string header = "{'descr': '" + descriptor(array.type) + "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : array.shape)
    header += std::to_string(dim) + (array.rank() == 1 ? "," : ", ");
  if (array.rank() > 1)
    header.resize(header.size() - 2);
  header += "), }";
  unsigned major = header.size() + 1 + 10 > 65535 ? 2 : 1;
  size_t prefix = 8 + (major == 1 ? 2 : 4);
  while ((prefix + header.size() + 1) % 64 != 0)
    header += ' ';
  header += '\n';

  File file(std::fopen(path.c_str(), "wb"));
  if (!file) {
    error = "cannot create '" + path + "': " + std::strerror(errno);
    return false;
  }
  std::string data(kMagic, 6);
  data += char(major);
  data += '\0';
  for (unsigned i = 0; i < prefix - 8; ++i)
    data += char(header.size() >> (8 * i) & 0xFF);
  data += header;
  int64_t size = fileElementBytes(array.type);
  array.forEach([&](const std::vector<int64_t> &, int64_t offset) {
    uint64_t bits = array.getAtOffset(offset);
    for (int64_t i = 0; i < size; ++i)
      data += char(bits >> (8 * i) & 0xFF);
  });
  // Beyond a limit on file sizes writing must fail, not end the process.
  auto before = std::signal(SIGXFSZ, SIG_IGN);
  bool ok = std::fwrite(data.data(), 1, data.size(), file.get()) == data.size();
  ok &= std::fflush(file.get()) == 0;
  std::signal(SIGXFSZ, before);
  if (!ok) {
    error = "cannot write '" + path + "': " + std::strerror(errno);
    // A part of an array must not be taken for one. Devices stay.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored))
      std::filesystem::remove(path, ignored);
  }
  return ok;
}

bool tileiras::readNpy(const std::string &path, DType type, Array &array, std::string &error) {
  auto fail = [&](const std::string &why) {
    error = "'" + path + "': " + why;
    return false;
  };
  File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return fail(std::strerror(errno));
  unsigned char start[12];
  if (std::fread(start, 1, 10, file.get()) != 10 || std::memcmp(start, kMagic, 6) != 0)
    return fail("not a .npy file");
  uint64_t length = start[8] | start[9] << 8;
  if (start[6] < 1 || start[6] > 3)
    return fail("unsupported .npy version " + std::to_string(start[6]));
  if (start[6] >= 2) {
    if (std::fread(start + 10, 1, 2, file.get()) != 2)
      return fail("truncated header");
    length |= uint64_t(start[10]) << 16 | uint64_t(start[11]) << 24;
  }
  if (length > (1 << 24))
    return fail("header is too long");
  std::string header(length, '\0');
  if (std::fread(header.data(), 1, length, file.get()) != length)
    return fail("truncated header");

  std::string descr, why;
  bool fortran = false;
  std::vector<int64_t> shape;
  if (!parseHeader(header, descr, fortran, shape, why))
    return fail(why);
  if (!descriptorFits(type, descr))
    return fail("holds '" + descr + "', which is not a storage of " + std::string(dtypeName(type)));
  int64_t count = 1;
  for (int64_t dim : shape)
    if (__builtin_mul_overflow(count, dim, &count) || count > (int64_t(1) << 36))
      return fail("array is too large");

  // Check the size before allocating for it.
  long dataStart = std::ftell(file.get());
  std::fseek(file.get(), 0, SEEK_END);
  int64_t available = std::ftell(file.get()) - dataStart;
  std::fseek(file.get(), dataStart, SEEK_SET);
  int64_t size = fileElementBytes(type);
  if (available < count * size)
    return fail("data ends after " + std::to_string(available) + " of " + std::to_string(count * size) + " bytes");
  std::vector<uint8_t> data(size_t(count * size));
  if (std::fread(data.data(), 1, data.size(), file.get()) != data.size())
    return fail("cannot read the data");

  array = Array::dense(type, shape);
  std::vector<int64_t> sourceStrides = Array::rowMajorStrides(shape);
  if (fortran) {
    int64_t step = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
      sourceStrides[i] = step;
      step *= shape[i];
    }
  }
  array.forEach([&](const std::vector<int64_t> &index, int64_t offset) {
    int64_t source = 0;
    for (size_t i = 0; i < index.size(); ++i)
      source += index[i] * sourceStrides[i];
    uint64_t bits = 0;
    std::memcpy(&bits, data.data() + source * size, size_t(size));
    array.setAtOffset(offset, type == DType::I1 ? bits != 0 : bits);
  });
  return true;
}
