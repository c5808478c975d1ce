//===- InstructionTable.h - The instruction set as data ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One row per instruction form. A row says which words may follow the opcode, in which order, and what the operands
// are; the verifier checks every instruction against these rows and nothing else, so an instruction that has no row
// is refused by name. To teach the emulator a new instruction, add a row in Table*.cpp and its execution in
// Machine/Bind*.cpp.
//
// Words: components separated by blanks, each a list of alternatives separated by `|`; a trailing `?` makes the
// component optional; an alternative ending in `*` matches by prefix; `$name` stands for a group (see the .cpp). Where
// only one of the components names types, the words may come in any order, as assemblers take them.
//
// Operands: separated by commas. First letter:
//   d  destination register              a  source: register, constant, special register, address of a variable
//   D  ld destination: may be a vector   S  st source: may be a vector
//   e  destination, optionally `d|p`     q  destination predicate, optionally `p|q`
//   p  destination predicate             P  source predicate, may be negated
//   m  address                           i  integer constant
//   l  label                             t  branch table
//   V  vector of four sources            R, r  registers, one or any vector: destinations, sources
//   *  anything, checked by the binder
// then the type: a digit N for the Nth type word (default 0), `w` for twice the width of type 0, or `:type`.
// `~` lets the register be wider than the type (ld, st, cvt); `?` makes the operand optional.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_INSTRUCTIONTABLE_H
#define TILEIRAS_EMULATOR_PTX_INSTRUCTIONTABLE_H

#include "tileiras/Emulator/PTX/InstClass.h"
#include "tileiras/Emulator/PTX/Types.h"

#include <string_view>
#include <vector>

namespace tileiras::emu {

enum class Op : uint16_t {
  Add,
  Sub,
  Mul,
  MulWide,
  Mad,
  MadWide,
  AddCC,
  SubCC,
  MadCC,
  Mul24,
  Mad24,
  Sad,
  Div,
  Rem,
  Abs,
  Neg,
  Min,
  Max,
  Min3,
  Max3,
  Popc,
  Clz,
  Bfind,
  Brev,
  Bfe,
  Bfi,
  Bmsk,
  Szext,
  Fns,
  Dp4a,
  Dp2a,
  And,
  Or,
  Xor,
  Not,
  Cnot,
  Lop3,
  Lop3Bool,
  Shf,
  Shl,
  Shr,
  Prmt,
  Fma,
  Rcp,
  Sqrt,
  Rsqrt,
  Sin,
  Cos,
  Lg2,
  Ex2,
  Tanh,
  Copysign,
  Testp,
  Setp,
  SetpX2,
  Set,
  Selp,
  Slct,
  Video,
  VideoSimd,
  Mov,
  Cvt,
  CvtPack,
  Cvta,
  Isspacep,
  Mapa,
  Getctarank,
  Ld,
  St,
  StBulk,
  Prefetch,
  CreatePolicy,
  Atom,
  Red,
  Shfl,
  VoteAll,
  VoteAny,
  VoteUni,
  VoteBallot,
  MatchAny,
  MatchAll,
  Redux,
  Activemask,
  Elect,
  BarSync,
  BarArrive,
  BarRed,
  BarWarp,
  ClusterArrive,
  ClusterWait,
  Fence,
  Nanosleep,
  Setmaxnreg,
  Nop,
  Bra,
  Brx,
  Call,
  Ret,
  Exit,
  Trap,
  Brkpt,
  Alloca,
  StackSave,
  StackRestore,
  MbarrierInit,
  MbarrierInval,
  MbarrierTx,
  MbarrierArrive,
  MbarrierWait,
  MbarrierPendingCount,
  CpAsyncMbarrierArrive,
  Bulk,
  BulkCommit,
  BulkWait,
  TensorCopy,
  TensormapReplace,
  TensormapCopyFence,
  StoreAsync,
  Wgmma,
  WgmmaFence,
  WgmmaCommit,
  WgmmaWait,
  CpAsync,
  CpAsyncCommit,
  CpAsyncWait,
  CpAsyncWaitAll,
  Ldmatrix,
  Stmatrix,
  Ldmatrix8,
  Stmatrix8,
  Movmatrix,
  Mma,
  WmmaLoad,
  WmmaStore,
  WmmaMma,
  Tcgen05Alloc,
  Tcgen05Dealloc,
  Tcgen05Relinquish,
  Tcgen05Ld,
  Tcgen05St,
  Tcgen05Wait,
  Tcgen05Fence,
  Tcgen05Commit,
  Tcgen05Cp,
  Tcgen05Shift,
  Tcgen05Mma,
  LaunchTryCancel,
  LaunchIsCanceled,
  LaunchFirstBlock,
  Texture,
  TextureGather,
  TextureQuery,
  SurfaceLoad,
  SurfaceStore,
  SurfaceReduce,
  SurfaceQuery,
  IsTexture,
};

struct OperandSpec {
  char kind = 0;
  int8_t typeIndex = 0; ///< -1: fixedType, -2: twice the width of type 0
  Type fixedType = Type::None;
  bool relaxed = false;
  bool optional = false;
};

struct WordSpec {
  std::vector<std::string_view> choices;
  bool optional = false;
};

struct InstructionRow {
  std::string_view opcode;
  Op op;
  InstClass cls;
  std::string_view words, operands;
  unsigned sm = 0; ///< first target that has it
  bool anyOrder = false;
  // Made from the texts above.
  std::vector<WordSpec> wordSpecs;
  std::vector<OperandSpec> operandSpecs;
};

/// Rows of one opcode; empty if the opcode is unknown.
const std::vector<const InstructionRow *> &rowsOf(std::string_view opcode);
const std::vector<InstructionRow> &instructionTable();

/// Matches the words after the opcode; fills types and other words in order.
bool matchWords(const InstructionRow &row, const std::vector<std::string_view> &words, std::vector<Type> &types,
                std::vector<std::string_view> &mods);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_INSTRUCTIONTABLE_H
