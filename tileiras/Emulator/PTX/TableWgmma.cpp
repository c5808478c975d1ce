//===- TableWgmma.cpp - Rows of the warpgroup matrix instructions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". sm_90a only, which the binder checks; it also checks the
// shape and the operands, whose number depends on the types and on where A lives.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

static const InstructionSource rows[] = {
    {"wgmma", Op::WgmmaFence, C::Fence, "fence sync aligned", "", 90},
    {"wgmma", Op::WgmmaCommit, C::Async, "commit_group sync aligned", "", 90},
    {"wgmma", Op::WgmmaWait, C::Async, "wait_group sync aligned", "i", 90},
    {"wgmma", Op::Wgmma, C::Matrix, "mma_async sp? sync aligned m64n* f16|f32 f16 f16", "*", 90},
    {"wgmma", Op::Wgmma, C::Matrix, "mma_async sp? sync aligned m64n* f32 bf16 bf16", "*", 90},
    {"wgmma", Op::Wgmma, C::Matrix, "mma_async sp? sync aligned m64n* f32 tf32 tf32", "*", 90},
    {"wgmma", Op::Wgmma, C::Matrix, "mma_async sp? sync aligned m64n* f16|f32 e4m3|e5m2 e4m3|e5m2", "*", 90},
    {"wgmma", Op::Wgmma, C::Matrix, "mma_async sp? sync aligned m64n* satfinite? s32 s8|u8 s8|u8 satfinite?", "*", 90},
    {"wgmma", Op::Wgmma, C::Matrix, "mma_async sync aligned m64n* s32 b1 b1 and popc", "*", 90},
};

InstructionSources tileiras::emu::wgmmaInstructions() { return rows; }
