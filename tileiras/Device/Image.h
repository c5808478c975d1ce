//===- Image.h - PTX in what programs hand to a driver ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// cuModuleLoadData and its neighbours take PTX text, a cubin (ELF) or a fatbin that holds several of both. This device
// executes PTX, so it takes the PTX out of them: of a fatbin the entry for the highest target that the device runs,
// decompressed if need be; of a cubin the text that `tileiras` leaves in it (section .nv_debug_ptx_txt or
// .tileiras.ptx). A cubin without is refused.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_IMAGE_H
#define TILEIRAS_DEVICE_IMAGE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tileiras::device {

struct Image {
  std::string ptx;
  std::string error; ///< why there is no PTX; empty: there is
};

/// `sm`: of the device (90). The size of an image is found in its own header; PTX ends with a zero byte unless `size`
/// is given.
Image ptxOfImage(const void *image, unsigned sm, size_t size = 0);

/// LZ4 block format. False if the data are damaged or do not give exactly out.size() bytes.
bool decompressLz4(const uint8_t *data, size_t size, std::vector<uint8_t> &out);

} // namespace tileiras::device

#endif // TILEIRAS_DEVICE_IMAGE_H
