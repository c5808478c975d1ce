//===- Handlers.h - Handlers that exist once --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What Compile.cpp links instructions to, besides the vectorised families of Isa.h.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_EXEC_HANDLERS_H
#define TILEIRAS_EMULATOR_MACHINE_EXEC_HANDLERS_H

#include "tileiras/Emulator/Machine/Program.h"

namespace tileiras::emu {

enum class VideoOp : uint8_t { Add, Sub, AbsDiff, Min, Max, Shl, Shr, Mad, Set, Average };
struct VideoPlan {
  VideoOp op = VideoOp::Add;
  uint8_t lanes = 1, mode = 0; ///< mode: wrap of shifts, comparison of vset, scale of vmad
  bool signedD = false, signedA = false, signedB = false, saturate = false;
  uint8_t second = 0;      ///< with the third source: 1 add, 2 min, 3 max
  uint8_t negate = 0;      ///< vmad: 1 the product, 2 the third source; 3: .po, one more
  uint8_t selectD = 0;     ///< scalar: 0 all, 1 to 4 byte, 5 and 6 half; SIMD: mask of elements, which others are of c
  uint8_t selectA[4] = {}; ///< scalar: as selectD in [0]; SIMD: which element of {b, a} each element is
  uint8_t selectB[4] = {};
};

namespace handlers {
// Control flow (ExecControl.cpp).
void blockHead(Warp &, const Inst &, uint32_t); ///< imm block number, e instruction count
void jump(Warp &, const Inst &, uint32_t);      ///< to target, all lanes
void branch(Warp &, const Inst &, uint32_t);    ///< lanes of the mask to target
void branchIndexed(Warp &, const Inst &, uint32_t);
void call(Warp &, const Inst &, uint32_t); ///< CallAux
void ret(Warp &, const Inst &, uint32_t);
void exitThread(Warp &, const Inst &, uint32_t);
void trap(Warp &, const Inst &, uint32_t);
void nop(Warp &, const Inst &, uint32_t);
void fence(Warp &, const Inst &, uint32_t);
void nanosleep(Warp &, const Inst &, uint32_t);
// Stack.
void alloca_(Warp &, const Inst &, uint32_t);
void stackSave(Warp &, const Inst &, uint32_t);
void stackRestore(Warp &, const Inst &, uint32_t);
// Predicates.
void predMov(Warp &, const Inst &, uint32_t); ///< d = a ^ flip(flags 1)
void predAnd(Warp &, const Inst &, uint32_t); ///< flags: 1 flips a, 2 flips b
void predOr(Warp &, const Inst &, uint32_t);
void predXor(Warp &, const Inst &, uint32_t);
// Special registers and addresses: imm = Special, or offset; count = bytes of the row.
void readSpecial(Warp &, const Inst &, uint32_t);
void readSpecialPred(Warp &, const Inst &, uint32_t);
void localAddress(Warp &, const Inst &, uint32_t);  ///< d = imm + frame's local base
void sharedAddress(Warp &, const Inst &, uint32_t); ///< d = imm + own rank
void isspacep(Warp &, const Inst &, uint32_t);      ///< imm = Space
void widenHalf(Warp &, const Inst &, uint32_t);     ///< f16 (flags 1: bf16) to f32; Convert.cpp
void addImmediate(Warp &, const Inst &, uint32_t);  ///< d = a + imm, 64 bits (cvta); count bytes of both rows
void mapa(Warp &, const Inst &, uint32_t);
void getctarank(Warp &, const Inst &, uint32_t);
// mov between vectors and scalars: count elements of imm bytes, MemAux::rows; flags: bytes of the scalar.
void packMov(Warp &, const Inst &, uint32_t);
void unpackMov(Warp &, const Inst &, uint32_t);
void move128(Warp &, const Inst &, uint32_t);
void video(Warp &, const Inst &, uint32_t); ///< VideoPlan in aux; ExecVideo.cpp
// Textures and surfaces (ExecTexture.cpp): TextureAux.
void textureFetch(Warp &, const Inst &, uint32_t);
void textureQuery(Warp &, const Inst &, uint32_t);
void surfaceAccess(Warp &, const Inst &, uint32_t);
void isTexture(Warp &, const Inst &, uint32_t); ///< predicate d; flags: 1 a surface
// Warp-wide; members row in e.
void voteAll(Warp &, const Inst &, uint32_t);
void voteAny(Warp &, const Inst &, uint32_t);
void voteUni(Warp &, const Inst &, uint32_t);
void voteBallot(Warp &, const Inst &, uint32_t);
void matchAny(Warp &, const Inst &, uint32_t);
void matchAll(Warp &, const Inst &, uint32_t);
void activemask(Warp &, const Inst &, uint32_t);
void elect(Warp &, const Inst &, uint32_t);
void barWarp(Warp &, const Inst &, uint32_t);
Handler redux(const Instruction &inst);
// CTA barriers: rows a = number, b = threads (if count), pred c (flags of Inst: see releaseBarrier).
void barSync(Warp &, const Inst &, uint32_t);
void barArrive(Warp &, const Inst &, uint32_t);
void barRed(Warp &, const Inst &, uint32_t);
void clusterArrive(Warp &, const Inst &, uint32_t);
void clusterWait(Warp &, const Inst &, uint32_t);
/// Stores of 32 bytes without the elements of MemAux::sink. ExecMatrix.cpp, which has the helpers for lane addresses.
void storePartially(Warp &, const Inst &, uint32_t);
/// st.bulk: zeros; number of bytes in b. There, too.
void storeBulk(Warp &, const Inst &, uint32_t);
// Matrices and asynchronous copies (ExecMatrix.cpp). MemAux, MatrixAux; members row in e.
void ldmatrix(Warp &, const Inst &, uint32_t); ///< flags: 1 trans
void stmatrix(Warp &, const Inst &, uint32_t);
/// flags: 1 m16n16, 2 elements of 4 bits, 4 elements of 6 bits; count matrices.
void ldmatrix8(Warp &, const Inst &, uint32_t);
void stmatrix8(Warp &, const Inst &, uint32_t);
void movmatrix(Warp &, const Inst &, uint32_t);
void mma(Warp &, const Inst &, uint32_t); ///< ExecMma.cpp
// wmma (ExecWmma.cpp): WmmaAux, or MatrixAux.
void wmmaLoad(Warp &, const Inst &, uint32_t);
void wmmaStore(Warp &, const Inst &, uint32_t);
void wmmaMma(Warp &, const Inst &, uint32_t);
/// aux destination (MemAux::second: source, its address row in b); count bytes; flags: 1 source size in c, 2 ignore
/// predicate in c, 4 predicate negated.
void cpAsync(Warp &, const Inst &, uint32_t);
void cpAsyncCommit(Warp &, const Inst &, uint32_t);
void cpAsyncWait(Warp &, const Inst &, uint32_t); ///< imm groups may stay pending
void cpAsyncWaitAll(Warp &, const Inst &, uint32_t);
// mbarrier (ExecMbarrier.cpp): MemAux. Flags bit 6: .relaxed; e: scope.
void mbarrierInit(Warp &, const Inst &, uint32_t); ///< count in b
void mbarrierInval(Warp &, const Inst &, uint32_t);
/// flags: 1 count in b, 2 transaction bytes in c, 4 drop, 8 noComplete, 16 token to d.
void mbarrierArrive(Warp &, const Inst &, uint32_t);
void mbarrierTx(Warp &, const Inst &, uint32_t); ///< bytes in b; flags: 1 complete_tx
void mbarrierPendingCount(Warp &, const Inst &, uint32_t);
void mbarrierWait(Warp &, const Inst &, uint32_t); ///< predicate d; b: token, or parity if flags & 1; flags: 2 try_wait
// Bulk and tensor copies (ExecTma.cpp): TmaAux.
void tmaCopy(Warp &, const Inst &, uint32_t);
void bulkCommit(Warp &, const Inst &, uint32_t);
void bulkWait(Warp &, const Inst &, uint32_t);              ///< imm groups may stay pending; flags: 1 .read
void tensormapReplace(Warp &, const Inst &, uint32_t);      ///< value in b; e: TensormapField | ordinal << 8
void tensormapCopyFence(Warp &, const Inst &, uint32_t);    ///< imm: scope
void storeAsync(Warp &, const Inst &, uint32_t);            ///< count: bytes of an element; flags: 1 reduction
void cpAsyncMbarrierArrive(Warp &, const Inst &, uint32_t); ///< flags: 1 noinc
// wgmma (ExecWgmma.cpp).
void wgmma(Warp &, const Inst &, uint32_t);       ///< WgmmaAux; members row in e
void wgmmaFence(Warp &, const Inst &, uint32_t);  ///< members row in e
void wgmmaCommit(Warp &, const Inst &, uint32_t); ///< members row in e
void wgmmaWait(Warp &, const Inst &, uint32_t);   ///< imm groups may stay pending; members row in e
// tcgen05 (ExecTcgen05.cpp): TensorAux, or MemAux for alloc and commit; whole-warp instructions have members row in e.
void tensorAlloc(Warp &, const Inst &, uint32_t);      ///< MemAux; columns in b; count: cta_group
void tensorDealloc(Warp &, const Inst &, uint32_t);    ///< address a, columns b; count: cta_group
void tensorRelinquish(Warp &, const Inst &, uint32_t); ///< count: cta_group
void tensorLoad(Warp &, const Inst &, uint32_t);
void tensorStore(Warp &, const Inst &, uint32_t);
void tensorWait(Warp &, const Inst &, uint32_t);   ///< flags: 1 st
void tensorFence(Warp &, const Inst &, uint32_t);  ///< flags: 1 after_thread_sync
void tensorCommit(Warp &, const Inst &, uint32_t); ///< MemAux; mask in b if flags & 1; count: cta_group
void tensorCopy(Warp &, const Inst &, uint32_t);   ///< descriptor in b
void tensorShift(Warp &, const Inst &, uint32_t);
void tensorMma(Warp &, const Inst &, uint32_t);
/// setmaxnreg (ExecRegisters.cpp): imm registers; flags: 1 inc; members row in e.
void setMaxRegisters(Warp &, const Inst &, uint32_t);
// clusterlaunchcontrol (ExecLaunchControl.cpp); the response is a row of 16 bytes, as of move128.
void launchTryCancel(Warp &, const Inst &, uint32_t);  ///< TmaAux: dst, bar, multicast
void launchIsCanceled(Warp &, const Inst &, uint32_t); ///< predicate d, response a
void launchFirstBlock(Warp &, const Inst &, uint32_t); ///< MemAux: count rows, from coordinate e; response a
/// Before an instruction that touches registers which asynchronous instructions use: `count` numbers of 32 bits in
/// imm; flags: 1, 2: it writes the first, second; 4: it is a move.
void touchAsync(Warp &, const Inst &, uint32_t);
} // namespace handlers

/// atom and red (ExecAtomic.cpp); MemAux in aux with `plan`, sources in b and c, destination d if count.
Handler selectAtomic(const Instruction &inst, uint64_t &plan);

enum class ReduceOp : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };
/// Reduces `bytes` bytes of elements onto memory, each element atomically. `global`: as red does it there.
void atomicReduce(ReduceOp op, Type type, void *where, const void *values, uint64_t bytes, bool global);

/// printf, assertions, ...: functions the driver provides. Number > 0, or 0 if `name` is none of them.
int findBuiltin(std::string_view name);
/// Whether a launch needs a device heap for it.
bool usesHeap(int builtin);
/// Runs a builtin for the lanes in mask, with the arguments in the callers' .param variables.
void callBuiltin(Warp &warp, const Inst &inst, const CallAux &aux, uint32_t mask);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_EXEC_HANDLERS_H
