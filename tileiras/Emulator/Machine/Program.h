//===- Program.h - Pre-decoded code -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A PTX function is compiled once per module into an array of fixed-size instructions, each with a pointer to the
// routine that executes it for a whole warp ("handler"). Registers live in rows of 32 lanes side by side, so that a
// handler is one short loop which the C++ compiler turns into vector code.
//
// A row is named by its byte offset in the function's register frame; bit 31 selects the program's constant rows
// instead, which is how immediate operands look like registers. Predicates are one 32-bit mask each; predicate 0
// is always true.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_PROGRAM_H
#define TILEIRAS_EMULATOR_MACHINE_PROGRAM_H

#include "tileiras/Emulator/PTX/AST.h"
#include "tileiras/Emulator/PTX/InstructionTable.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tileiras::emu {

struct Warp;
struct Inst;
struct FunctionCode;

using Row = uint32_t;
constexpr Row ConstantBit = 0x80000000u;

/// Executes `inst` for the lanes in `mask` (never empty).
using Handler = void (*)(Warp &warp, const Inst &inst, uint32_t mask);

/// What a memory instruction needs beyond the plain fields.
struct MemAux {
  Space space = Space::Generic;
  bool uniform = false;     ///< no register in the address
  bool wideAddress = false; ///< 64-bit base register
  uint8_t count = 1;        ///< vector elements
  uint8_t bytes = 0;        ///< per element
  bool strong = false;      ///< .volatile, .relaxed, .acquire, .release, atomics
  bool acquire = false, release = false;
  uint8_t scope = 0;              ///< of a strong operation, as in MemoryOrder
  uint8_t registerBytes = 0;      ///< of the rows of an ordinary load or store
  bool frameRelative = false;     ///< offset counts from the frame's local memory
  bool ownShared = false;         ///< offset counts from the block's own shared memory
  Row rows[8] = {};               ///< destinations or sources
  bool sink[8] = {};              ///< `_`: destinations, or elements that a store leaves as they are
  Row results[8] = {};            ///< of vector atomics
  uint64_t plan = 0;              ///< of atomics
  const MemAux *second = nullptr; ///< cp.async: the source
};

/// mma.sync and wmma: fragments and shape.
struct MatrixAux {
  uint16_t m = 0, n = 0, k = 0;
  Type d = Type::None, a = Type::None, b = Type::None, c = Type::None;
  uint8_t bitsA = 0, bitsB = 0; ///< per element in a register
  bool saturate = false;
  uint8_t rounding = 0;           ///< f64: as directedFlags
  bool bitXor = false;            ///< b1: xor, else and
  bool volta = false;             ///< m8n8k4 of f16
  bool rowA = true, rowB = false; ///< layout words
  std::vector<Row> rd, ra, rb, rc;
  // mma.sp
  bool sparse = false, ordered = false;
  uint8_t selector = 0;
  Row metadata = 0;
  // .block_scale
  uint8_t scaleVec = 0; ///< scales per row; 0: none
  Type scaleType = Type::None;
  Row scaleA = 0, scaleB = 0, byteA = 0, threadA = 0, byteB = 0, threadB = 0;
};

/// wmma.load and wmma.store: `mem` is the address; its rows are unused.
struct WmmaAux {
  MemAux mem;
  uint16_t rows = 0, cols = 0; ///< of the matrix
  Type type = Type::None;
  uint8_t bits = 0; ///< per element
  bool rowMajor = true;
  bool hasStride = false;
  Row stride = 0; ///< elements between rows (columns)
  std::vector<Row> registers;
};

/// wgmma.mma_async.
struct WgmmaAux {
  uint32_t n = 0, k = 0;                               ///< k: logical, also if sparse
  Type d = Type::None, a = Type::None, b = Type::None; ///< None for a and b: single bits
  bool sparse = false, saturate = false, negate = false, aInRegisters = false, aMnMajor = false, bMnMajor = false;
  bool scaleFlip = false;
  uint16_t scale = 0;   ///< predicate
  uint8_t selector = 0; ///< sparse
  Row ra[4] = {};       ///< A, or ra[0]: its descriptor
  Row rb = 0, meta = 0;
  std::vector<Row> rd;
  std::vector<uint32_t> dNumbers, aNumbers; ///< FunctionCode::asyncNumber
  uint32_t aBits() const { return a == Type::None ? 1 : a == Type::TF32 ? 32 : typeBits(a); }
  uint32_t shape() const { return n << 16 | k << 4 | uint32_t(d == Type::F16) << 1 | uint32_t(sparse); }
};

/// tcgen05: which instruction of the family, and what it needs. See Tcgen05Layout.h.
enum class TensorKind : uint8_t { F16, TF32, F8F6F4, I8, MXF8F6F4, MXF4, MXF4NVF4 };
enum class TensorShape : uint8_t { S32x32, S16x64, S16x128, S16x256, S16x32x2 };
enum class TensorCollector : uint8_t { None, Fill, Use, LastUse, Discard };
enum class TensorMulticast : uint8_t { None, Warps02And13, Warps01And23, AllWarps };
struct TensorAux {
  struct Address {
    Row row = 0;
    uint32_t offset = 0; ///< added to the register
  };
  uint8_t group = 1; ///< .cta_group
  Address d;         ///< the tensor address; of D for mma
  // ld, st: registers, with their FunctionCode::asyncNumber for ld.
  TensorShape shape = TensorShape::S32x32;
  bool packed = false;
  uint32_t half = 0; ///< immHalfSplitoff
  std::vector<Row> rows;
  std::vector<uint32_t> numbers;
  uint8_t reduction = 0; ///< ld.red: 1 min, 2 max
  bool reduceAbs = false, reduceNaN = false;
  Type reduceType = Type::None;
  Row reduced = 0;
  // cp
  uint32_t copyRows = 0, copyBytes = 0; ///< bytes per row
  TensorMulticast multicast = TensorMulticast::None;
  uint8_t expandBits = 0; ///< source elements of 4 or 6 bits become bytes
  // mma
  TensorKind kind = TensorKind::F16;
  bool sparse = false, ws = false, aInTensor = false, ashift = false, blockScaled = false;
  uint8_t scaleVector = 0; ///< scales per 32 bytes of K: 1, 2, 4
  Address a, meta, sfa, sfb;
  Row aDescriptor = 0, bDescriptor = 0, idesc = 0, zeroMask = 0;
  bool hasZeroMask = false, enableFlip = false;
  uint16_t enable = 0; ///< predicate
  std::vector<Row> laneMask;
  uint8_t scaleD = 0; ///< D * 2^-scaleD is the input
  TensorCollector collector = TensorCollector::None;
  uint8_t collectorBuffer = 0; ///< 0: A; 1 + i: b<i>
};

struct CallAux {
  struct Copy {
    bool reg = false; ///< register rows instead of bytes of local memory
    unsigned regBytes = 0;
    Row from = 0, to = 0;
    bool predicate = false;
    uint64_t fromOffset = 0, toOffset = 0, size = 0; ///< frame-relative local offsets (caller, callee)
  };
  const FunctionCode *target = nullptr; ///< null: indirect
  std::vector<Copy> args, returns;
  const std::vector<CallAux> *candidates = nullptr; ///< indirect: the functions that may be called
  int builtin = 0;
};

struct BranchAux {
  std::vector<const Inst *> targets;
  std::vector<uint32_t> blocks;
};

struct alignas(64) Inst {
  Handler fn = nullptr;
  Row d = 0, a = 0, b = 0, c = 0;
  uint16_t guard = 0;     ///< predicate number
  uint8_t count = 0;      ///< free for the handler
  uint8_t flags = 0;      ///< free for the handler
  uint32_t guardFlip = 0; ///< ~0 for @!p
  uint64_t imm = 0;
  Row e = 0;
  uint32_t source = 0;       ///< index in FunctionCode::ast->body
  const void *aux = nullptr; ///< MemAux, CallAux, BranchAux
  const Inst *target = nullptr;
};
static_assert(sizeof(Inst) == 64);

/// Instruction counts of one basic block, by class.
struct BlockCounts {
  uint32_t total = 0;
  std::vector<std::pair<InstClass, uint32_t>> byClass;
};

struct FunctionCode {
  const Function *ast = nullptr;
  bool bound = false;
  std::vector<Inst> code;
  std::vector<uint32_t> regs; ///< row, or predicate number, of each register of `ast`
  uint32_t frameBytes = 0;    ///< register rows
  uint32_t predicates = 1;
  /// Registers that asynchronous instructions read or write after they were issued have rows of their own and a
  /// number each, by which the frame keeps track of them; -1: the others.
  std::vector<int32_t> asyncNumber;
  uint32_t asyncRegisters = 0;
  uint64_t localBytes = 0; ///< .local and .param variables of the body, formal parameters
  uint32_t number = 0;
  // Kernels: shared memory, counted from Program::sharedBase.
  uint32_t staticShared = 0;
  uint32_t dynamicStart = 0;
  std::vector<const Variable *> shared; ///< what the kernel may use; others may lie at the same addresses
};

/// A module ready to run.
struct Program {
  std::unique_ptr<ParsedModule> ast;
  std::deque<FunctionCode> functions; ///< by Function::number
  std::vector<BlockCounts> blocks;    ///< all functions' basic blocks
  /// Those of them that may change global memory other than by `atom`, and those that may look at what others change
  /// there: strong loads, atomic operations, nanosleep.
  std::vector<uint32_t> storingBlocks, pollingBlocks;
  std::vector<uint8_t> constantRowStorage;
  uint8_t *constantRows = nullptr; ///< 64-byte aligned
  uint64_t constBytes = 0;         ///< .const bank
  std::vector<uint8_t> constImage;
  uint32_t sharedBase = 0;   ///< first user byte of shared memory
  uint32_t staticShared = 0; ///< bytes behind sharedBase
  uint32_t dynamicSharedAlign = 16;
  std::deque<MemAux> memAux;
  std::deque<CallAux> callAux;
  std::deque<MatrixAux> matrixAux;
  std::deque<WgmmaAux> wgmmaAux;
  std::deque<WmmaAux> wmmaAux;
  std::deque<TensorAux> tensorAux;
  std::deque<std::vector<CallAux>> candidates;
  std::deque<BranchAux> branchAux;
  std::deque<std::shared_ptr<const void>> auxes; ///< of families with records of their own
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_PROGRAM_H
