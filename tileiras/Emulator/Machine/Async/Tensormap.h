//===- Tensormap.h - Tensor maps --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Tensors, Tensor-map: a 128-byte opaque object that describes a tensor in global memory and the box that
// one tensor copy moves. Its bytes are undocumented, so they are of our own making: every field as `tensormap.replace`
// sees it (sizes less one, so that a map built on the device from zeroed memory has sensible defaults), a magic number,
// and a checksum by which bytes that are no tensor map are recognised.
//
// The encoders take what cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide take, and
// enforce the same requirements (CUDA Driver API, Tensor Map Object Management).
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_ASYNC_TENSORMAP_H
#define TILEIRAS_EMULATOR_MACHINE_ASYNC_TENSORMAP_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tileiras::emu {

constexpr uint64_t TensormapBytes = 128;

/// Element types, with the codes of tensormap.replace .elemtype. (The driver's enumeration differs: f64 is 8, bf16 9
/// and f32_ftz 10 there.)
enum class TensorType : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F32Ftz,
  F64,
  BF16,
  TF32,
  TF32Ftz,
  B4x16,    ///< CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B: packed nibbles
  B4x16P64, ///< 16U4_ALIGN16B: 8 bytes of nibbles and 8 bytes of padding in shared memory
  B6x16P32, ///< 16U6_ALIGN16B: 12 bytes and 4 bytes of padding; stores take 16 bytes with one element each
};
enum class TensorInterleave : uint8_t { None, B16, B32 };
/// In the order of CUtensorMapSwizzle, and the 96-byte mode of sm_103a.
enum class TensorSwizzle : uint8_t { None, B32, B64, B128, B128Atom32, B128Atom32Flip8, B128Atom64, B96 };
enum class TensorL2Promotion : uint8_t { None, B64, B128, B256 };
enum class TensorFill : uint8_t { Zero, NaN };
enum class TensorMode : uint8_t { Tiled, Im2col, Im2colWide };

const char *tensorTypeName(TensorType t);
bool parseTensorType(std::string_view name, TensorType &t);
/// Of a CUtensorMapDataType; false if there is no such type.
bool tensorTypeOfDriver(unsigned code, TensorType &t);
const char *tensorSwizzleName(TensorSwizzle s);
bool parseTensorSwizzle(std::string_view name, TensorSwizzle &s);

/// Bits of one element in global memory: 4 to 64.
unsigned tensorTypeBits(TensorType t);
/// Bytes of a row of the swizzle pattern; 0 for None.
unsigned tensorSwizzleSpan(TensorSwizzle s);

/// Where the byte at shared address `a` of the box's plain image lands (PTX ISA, Tensors, Swizzling Modes). A function
/// of the absolute address, not of the distance from the start of the buffer.
inline uint64_t tensorSwizzle(TensorSwizzle s, uint64_t a) {
  switch (s) {
  case TensorSwizzle::None:
    return a;
  case TensorSwizzle::B32:
  case TensorSwizzle::B96:
    return a ^ (a >> 7 & 1) << 4;
  case TensorSwizzle::B64:
    return a ^ (a >> 7 & 3) << 4;
  case TensorSwizzle::B128:
    return a ^ (a >> 7 & 7) << 4;
  case TensorSwizzle::B128Atom32:
    return a ^ (a >> 7 & 3) << 5;
  case TensorSwizzle::B128Atom32Flip8:
    return a ^ (a >> 7 & 3) << 5 ^ (a >> 7 & 1) << 3;
  case TensorSwizzle::B128Atom64:
    return a ^ (a >> 7 & 1) << 6;
  }
  return a;
}

/// A decoded tensor map. Dimension 0 is the dense one.
struct Tensormap {
  TensorMode mode = TensorMode::Tiled;
  TensorType type = TensorType::U8;
  unsigned rank = 1;
  uint64_t address = 0;
  uint64_t dims[5] = {1, 1, 1, 1, 1};
  uint64_t strides[4] = {}; ///< bytes; of dimensions 1 to rank-1. Interleaved: see sliceBytes()
  uint32_t box[5] = {1, 1, 1, 1, 1};
  uint32_t elementStrides[5] = {1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorL2Promotion l2 = TensorL2Promotion::None;
  TensorFill fill = TensorFill::Zero;
  // Im2col: bounding box of the filter's base, as offsets from the first and last element; W, H, D.
  int32_t lower[3] = {}, upper[3] = {};
  uint32_t channels = 1, pixels = 1;

  /// Interleaved layouts (NC/8HWC8, NC/16HWC16) keep the channels of a pixel in slices of 16 or 32 bytes. The driver
  /// documents neither the meaning of dimension 0 nor which strides are meant. Here: dimension 0, its box and its
  /// coordinate count channels; one slice of all pixels is followed by the next at distance strides[0]; pixels of
  /// dimension 1 lie side by side; strides[k] belongs to dimension k + 1 for k > 0. 0 without interleave.
  unsigned sliceBytes() const {
    return interleave == TensorInterleave::None ? 0 : interleave == TensorInterleave::B16 ? 16 : 32;
  }
  /// Elements (dimension 0) of one box row.
  uint32_t rowElements() const { return mode == TensorMode::Tiled ? box[0] : channels; }
  /// Elements of dimension k that a tiled copy moves.
  uint32_t boxCount(unsigned k) const {
    return k == 0 && interleave == TensorInterleave::None ? box[0]
                                                          : (box[k] + elementStrides[k] - 1) / elementStrides[k];
  }
};

/// Empty if the map obeys the requirements of the encoders, else what is wrong.
std::string validateTensormap(const Tensormap &map);

/// The object's bytes. Does not validate.
void encodeTensormap(const Tensormap &map, uint8_t (&bytes)[TensormapBytes]);
/// Empty, or why `bytes` cannot be used as a tensor map. Validates.
std::string decodeTensormap(const uint8_t *bytes, Tensormap &map);

/// cuTensorMapEncodeTiled. Returns an error text, empty on success.
std::string encodeTiled(uint8_t (&bytes)[TensormapBytes], TensorType type, unsigned rank, uint64_t address,
                        const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
                        const uint32_t *elementStrides, TensorInterleave interleave = TensorInterleave::None,
                        TensorSwizzle swizzle = TensorSwizzle::None, TensorL2Promotion l2 = TensorL2Promotion::None,
                        TensorFill fill = TensorFill::Zero);
/// cuTensorMapEncodeIm2col. The corners have rank - 2 entries, outermost first (D, H, W).
std::string encodeIm2col(uint8_t (&bytes)[TensormapBytes], TensorType type, unsigned rank, uint64_t address,
                         const uint64_t *dims, const uint64_t *strides, const int *lowerCorner, const int *upperCorner,
                         uint32_t channels, uint32_t pixels, const uint32_t *elementStrides,
                         TensorInterleave interleave = TensorInterleave::None,
                         TensorSwizzle swizzle = TensorSwizzle::None, TensorL2Promotion l2 = TensorL2Promotion::None,
                         TensorFill fill = TensorFill::Zero);
/// cuTensorMapEncodeIm2colWide. `pixels` is ignored by im2col::w::128 copies.
std::string encodeIm2colWide(uint8_t (&bytes)[TensormapBytes], TensorType type, unsigned rank, uint64_t address,
                             const uint64_t *dims, const uint64_t *strides, int lowerCornerWidth, int upperCornerWidth,
                             uint32_t channels, uint32_t pixels, const uint32_t *elementStrides, TensorSwizzle swizzle,
                             TensorL2Promotion l2 = TensorL2Promotion::None, TensorFill fill = TensorFill::Zero);

/// Fields of tensormap.replace.
enum class TensormapField : uint8_t {
  GlobalAddress,
  Rank,
  BoxDim,
  GlobalDim,
  GlobalStride,
  ElementStride,
  ElemType,
  InterleaveLayout,
  SwizzleMode,
  SwizzleAtomicity,
  FillMode
};
/// Replaces one field in place. All-zero bytes count as an empty template. Returns an error text.
std::string replaceTensormapField(uint8_t *bytes, TensormapField field, unsigned ordinal, uint64_t value);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_ASYNC_TENSORMAP_H
