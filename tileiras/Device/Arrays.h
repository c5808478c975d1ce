//===- Arrays.h - CUDA arrays -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arrays are allocations of device memory, row by row: what is opaque on a GPU is plain here, so copies, textures and
// surfaces are checked like any other access. All calls with the device's lock held.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_ARRAYS_H
#define TILEIRAS_DEVICE_ARRAYS_H

#include "tileiras/Device/Device.h"
#include "tileiras/Emulator/Machine/Texture/Texture.h"

namespace tileiras::device {

struct Array {
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {};
  emu::TexelFormat format;
  emu::TextureShape shape = emu::TextureShape::D2;
  emu::TextureImage image;
  bool level = false; ///< of a mipmapped array, which owns it
};

/// The array of a handle; null if there is none.
Array *arrayOf(CUarray handle);

/// Number of a CUarray_format with channels of its own or as many as are asked for; false if it is not supported.
bool texelFormat(int format, unsigned channels, emu::TexelFormat &result);

/// Where a box of an array begins; false if the box does not lie in the array. `x` and `width` are bytes.
bool boxOf(const Array &array, size_t x, size_t y, size_t z, size_t width, size_t height, size_t depth,
           Device::Box &box);

/// What allocation and free nodes of graphs do. The memory is there from the making of the node on, at one address; a
/// node that frees it makes it the graph's, which gives it back at its end.
Work allocationWork(Device &device, uint64_t address, size_t bytes);
Work freeWork(Device &device, Graph &graph, uint64_t address);

/// A copy of boxes, of memory or of arrays, in a stream.
CUresult copyOf(Device &device, const CUDA_MEMCPY3D &c, Stream &stream, const char *name);

} // namespace tileiras::device

#endif // TILEIRAS_DEVICE_ARRAYS_H
