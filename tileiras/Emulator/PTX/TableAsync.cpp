//===- TableAsync.cpp - Rows of asynchronous copies -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

static const InstructionSource rows[] = {
    {"cp", Op::CpAsync, C::Async, "async ca|cg shared|shared::cta global L2::*? L2::*?", "m,m,i,a:u32?,a:b64?", 80},
    {"cp", Op::CpAsync, C::Async, "async ca|cg shared|shared::cta global L2::*? L2::*?", "m,m,i,P,a:b64?", 80},
    {"cp", Op::CpAsync, C::Async, "async ca|cg shared|shared::cta global L2::cache_hint L2::*?", "m,m,i,a:b64", 80},
    {"cp", Op::CpAsyncCommit, C::Async, "async commit_group", "", 80},
    {"cp", Op::CpAsyncWait, C::Async, "async wait_group", "i", 80},
    {"cp", Op::CpAsyncWaitAll, C::Async, "async wait_all", "", 80},
};

InstructionSources tileiras::emu::asyncInstructions() { return rows; }
