//===- Launch.h - One kernel launch, whatever runs it -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A LaunchRequest says what to run (entry, grid), on which arrays, with which arguments. An
// Engine runs it and leaves the results in the request's buffers:
//
//   reference   evaluates the cuda_tile module itself (tileiras/Reference)
//   emulator    executes PTX on the CPU (tileiras/Emulator)
//   cuda        loads PTX or a cubin into the CUDA driver
//
// Two engines that ran copies of one request are compared with `compareBuffers`.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_RUNTIME_LAUNCH_H
#define TILEIRAS_RUNTIME_LAUNCH_H

#include "tileiras/Runtime/Array.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tileiras {

struct Grid {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// A 64-bit word of a buffer that holds the address of another buffer's first element.
struct Relocation {
  uint64_t byteOffset;
  int buffer;
};

/// An allocation of device memory. Kernels get the address of element (0, ..., 0), which is
/// `array.byteOffset` bytes into the allocation.
struct Buffer {
  std::string name;
  Array array;
  bool poison = false;      ///< Nobody has written it: loads before a store are suspicious.
  uint64_t alignment = 256; ///< Of the allocation, a power of two.
  std::vector<Relocation> relocations;
  std::string expectFile; ///< .npy with the wanted result, empty if none.
  bool hasTolerance = false;
  Tolerance tolerance; ///< Overrides the tolerance of the run.
};

/// A tensor map (CUtensorMap) of a buffer, as the engine's encoder makes it. Dimension 0 is the innermost; numbers
/// are those of cuTensorMapEncodeTiled and its kin, enumerations too.
struct TensorMapArg {
  enum class Mode : uint8_t { Tiled, Im2col, Im2colWide };
  std::string name;
  int buffer = -1;
  Mode mode = Mode::Tiled;
  unsigned type = 0;                   ///< CUtensorMapDataType
  std::vector<uint64_t> dims, strides; ///< strides: bytes, of dimensions 1 to rank - 1
  std::vector<uint32_t> box, steps;
  unsigned interleave = 0, swizzle = 0, l2 = 0, fill = 0;
  std::vector<int> lower, upper; ///< im2col: outermost first
  uint32_t channels = 0, pixels = 0;
};

/// One kernel parameter: a scalar, the address of a buffer, or a tensor map.
struct KernelArg {
  int buffer = -1; ///< Index into LaunchRequest::buffers, or -1.
  DType type = DType::I64;
  uint64_t bits = 0;
  int map = -1; ///< Index into LaunchRequest::maps, or -1.
  unsigned bytes() const { return map >= 0 ? 128 : buffer >= 0 ? 8 : unsigned(storageBytes(type, 1)); }
};

struct LaunchRequest {
  std::string entry; ///< May be empty when there is only one.
  Grid grid;
  uint64_t blocks = 0; ///< Only the first so many tile blocks are run; 0: all.
  /// Emulator: launches in one memory, each with the arrays as they are given. What a module keeps in variables of its
  /// own, such as tensor maps, stays; the outcome is that of the last, or of the first that fails.
  uint64_t launches = 1;
  Grid block; ///< (1,1,1): the thread count is the kernel's own.
  uint32_t dynamicSharedBytes = 0;
  std::vector<Buffer> buffers;
  std::vector<TensorMapArg> maps;
  std::vector<KernelArg> args;
  /// Called with (done, total) tile blocks, if set.
  std::function<void(uint64_t, uint64_t)> progress;
};

struct RunOutcome {
  bool ok = false;
  std::vector<std::string> reports; ///< Located messages; not empty when !ok.
  std::string output;               ///< What the kernel printed.
  std::vector<std::pair<std::string, std::string>> stats;
  double seconds = 0;
};

/// Writes the addresses of `buffers`, whose allocations start at `bases`, to where relocations want
/// them. Between runs those words are 0, so that engines with different addresses compare equal.
void relocate(std::vector<Buffer> &buffers, const std::vector<uint64_t> &bases);
/// Takes out the addresses again, unless the kernel has overwritten them.
void unrelocate(std::vector<Buffer> &buffers, const std::vector<uint64_t> &bases);

class Engine {
public:
  virtual ~Engine() = default;
  virtual const char *name() const = 0;
  virtual RunOutcome run(LaunchRequest &request) = 0;
};

struct BufferComparison {
  std::string name;
  bool ok = true;
  Comparison comparison;
  std::string text; ///< One line for people.
};

/// Compares every buffer of two finished runs of one request: the elements by the tolerance, and
/// the bytes that belong to no element (strided gaps, leading offset) exactly.
std::vector<BufferComparison> compareBuffers(const std::vector<Buffer> &actual, const std::vector<Buffer> &expected,
                                             const Tolerance &tolerance);

/// One byte per byte of the allocation: whether some element of the array lives there.
std::vector<bool> elementBytes(const Array &array);

/// The CUDA driver, loaded at run time.
class CudaEngine : public Engine {
public:
  /// What to run: PTX text or a cubin.
  virtual void setImage(std::string image) = 0;
};

/// `libcuda` names the driver library, empty for the system's own. Null with a message when there is
/// no driver, device or context.
std::unique_ptr<CudaEngine> makeCudaEngine(int device, const std::string &libcuda, std::string &error);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_LAUNCH_H
