//===- Cursor.h - Bounds-checked reading of bytes (internal) --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_BYTECODE_CURSOR_H
#define TILEIRAS_BYTECODE_CURSOR_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Endian.h"

namespace mlir::cuda_tile::bytecode {

/// A position in a stretch of the file. Every read checks what is left first.
class Cursor {
public:
  Cursor(MLIRContext *context, ArrayRef<uint8_t> file) : Cursor(context, file.data(), 0, file.size()) {}

  uint64_t offset() const { return position; }
  uint64_t remaining() const { return end - position; }
  bool atEnd() const { return position == end; }
  MLIRContext *getContext() const { return context; }

  /// An error at this position, or at another one.
  InFlightDiagnostic error() const { return errorAt(position); }
  InFlightDiagnostic errorAt(uint64_t where) const {
    return emitError(UnknownLoc::get(context)) << "error at offset " << where << ": ";
  }

  LogicalResult byte(uint8_t &value) {
    if (LLVM_UNLIKELY(atEnd()))
      return error() << "unexpected end of data";
    value = file[position++];
    return success();
  }

  LogicalResult varint(uint64_t &value) {
    if (LLVM_LIKELY(position < end && file[position] < 0x80)) {
      value = file[position++];
      return success();
    }
    return longVarint(value);
  }

  LogicalResult svarint(int64_t &value) {
    uint64_t raw;
    if (failed(varint(raw)))
      return failure();
    value = static_cast<int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
    return success();
  }

  /// The zigzag varint of a bit pattern. A pattern of 64 bits with the highest set is written as the negative number it
  /// is in two's complement, or, by cuTile Python, as the positive number: 65 bits.
  LogicalResult patternVarint(uint64_t &value) {
    uint64_t raw, above = 0;
    if (LLVM_LIKELY(position < end && file[position] < 0x80))
      raw = file[position++];
    else if (failed(longVarint(raw, &above)))
      return failure();
    if (above && (raw & 1))
      return error() << "bit pattern does not fit in 64 bits";
    value = (raw >> 1 | above << 63) ^ (~(raw & 1) + 1);
    return success();
  }

  /// A varint that numbers things of at least `bytesEach` bytes that follow in this stretch.
  LogicalResult count(uint64_t &value, uint64_t bytesEach, StringRef what) {
    uint64_t where = position;
    if (failed(varint(value)))
      return failure();
    if (value > remaining() / bytesEach)
      return errorAt(where) << value << " " << what << " cannot fit in the remaining " << remaining() << " bytes";
    return success();
  }

  /// A varint of at most 32 bits.
  LogicalResult u32(uint32_t &value, StringRef what) {
    uint64_t where = position, wide;
    if (failed(varint(wide)))
      return failure();
    if (wide > UINT32_MAX)
      return errorAt(where) << what << " " << wide << " does not fit in 32 bits";
    value = static_cast<uint32_t>(wide);
    return success();
  }

  template <typename T> LogicalResult fixed(T &value) {
    if (remaining() < sizeof(T))
      return error() << "unexpected end of data";
    value = llvm::support::endian::read<T, llvm::endianness::little>(file + position);
    position += sizeof(T);
    return success();
  }

  LogicalResult bytes(uint64_t size, ArrayRef<uint8_t> &value) {
    if (size > remaining())
      return error() << size << " bytes expected, but only " << remaining() << " remain";
    value = ArrayRef(file + position, size);
    position += size;
    return success();
  }

  /// Skips padding up to a multiple of `alignment` bytes from `base` (an offset of the file).
  LogicalResult align(uint64_t alignment, uint64_t base) {
    uint64_t padding = (alignment - (position - base) % alignment) % alignment;
    if (padding > remaining())
      return error() << "unexpected end of data";
    position += padding;
    return success();
  }

  /// The next `size` bytes as a stretch of their own; this cursor moves behind them. The caller has checked the size.
  Cursor take(uint64_t size) {
    Cursor part(context, file, position, position + size);
    position += size;
    return part;
  }

  /// A stretch of this one, from and to offsets relative to `base`. The caller has checked them.
  Cursor slice(uint64_t base, uint64_t from, uint64_t to) const {
    return Cursor(context, file, base + from, base + to);
  }

protected:
  Cursor(MLIRContext *context, const uint8_t *file, uint64_t position, uint64_t end)
      : context(context), file(file), position(position), end(end) {}

private:
  /// `above` takes bit 64 where it is allowed.
  LogicalResult longVarint(uint64_t &value, uint64_t *above = nullptr) {
    value = 0;
    uint64_t where = position;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      uint8_t next;
      if (failed(byte(next)))
        return failure();
      if (shift == 63 && next > (above ? 3 : 1))
        break;
      if (shift == 63 && above)
        *above = next >> 1;
      value |= uint64_t(next & 0x7F) << shift;
      if (next < 0x80)
        return success();
    }
    return errorAt(where) << "variable-length integer does not fit in 64 bits";
  }

  MLIRContext *context;
  const uint8_t *file;
  uint64_t position, end;
};

} // namespace mlir::cuda_tile::bytecode

#endif // TILEIRAS_BYTECODE_CURSOR_H
