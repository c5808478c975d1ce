//===- TableWarp.cpp - Rows of warps, barriers, fences and control -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

static const InstructionSource rows[] = {
    // Warp-wide.
    {"shfl", Op::Shfl, C::Warp, "sync up|down|bfly|idx b32", "e,a,a:b32,a:b32,a:b32", 30},
    {"vote", Op::VoteAll, C::Warp, "sync all pred", "p,P,a:b32", 30},
    {"vote", Op::VoteAny, C::Warp, "sync any pred", "p,P,a:b32", 30},
    {"vote", Op::VoteUni, C::Warp, "sync uni pred", "p,P,a:b32", 30},
    {"vote", Op::VoteBallot, C::Warp, "sync ballot b32", "d,P,a:b32", 30},
    {"match", Op::MatchAny, C::Warp, "any sync b32|b64", "d:b32,a,a:b32", 70},
    {"match", Op::MatchAll, C::Warp, "all sync b32|b64", "e:b32,a,a:b32", 70},
    {"redux", Op::Redux, C::Warp, "sync add|min|max $xy32", "d,a,a:b32", 80},
    {"redux", Op::Redux, C::Warp, "sync and|or|xor b32", "d,a,a:b32", 80},
    {"redux", Op::Redux, C::Warp, "sync min|max abs? NaN? f32", "d,a,a:b32", 100},
    {"activemask", Op::Activemask, C::Warp, "b32", "d", 30},
    {"elect", Op::Elect, C::Warp, "sync", "e:b32,a:b32", 90},
    // Barriers and fences.
    {"bar", Op::BarWarp, C::Warp, "warp sync", "a:b32", 30},
    {"bar", Op::BarSync, C::Barrier, "cta? sync", "a:u32,a:u32?", 0},
    {"bar", Op::BarArrive, C::Barrier, "cta? arrive", "a:u32,a:u32", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red popc u32", "d,a:u32,P", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red popc u32", "d,a:u32,a:u32,P", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red and|or pred", "p,a:u32,P", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red and|or pred", "p,a:u32,a:u32,P", 0},
    {"barrier", Op::BarSync, C::Barrier, "cta? sync aligned?", "a:u32,a:u32?", 30},
    {"barrier", Op::BarArrive, C::Barrier, "cta? arrive aligned?", "a:u32,a:u32", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red popc aligned? u32", "d,a:u32,P", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red popc aligned? u32", "d,a:u32,a:u32,P", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red and|or aligned? pred", "p,a:u32,P", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red and|or aligned? pred", "p,a:u32,a:u32,P", 30},
    {"barrier", Op::ClusterArrive, C::Barrier, "cluster arrive release|relaxed? aligned?", "", 90},
    {"barrier", Op::ClusterWait, C::Barrier, "cluster wait acquire? aligned?", "", 90},
    {"membar", Op::Fence, C::Fence, "cta|gl|sys", "", 0},
    {"membar", Op::Fence, C::Fence, "proxy alias|async|async.global", "", 70},
    {"fence", Op::Fence, C::Fence, "sc|acq_rel|acquire|release? $scope", "", 70},
    {"fence", Op::Fence, C::Fence, "acquire|release sync_restrict::* cluster", "", 90},
    {"fence", Op::Fence, C::Fence, "mbarrier_init release cluster", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy alias", "", 70},
    {"fence", Op::Fence, C::Fence, "proxy async global|shared::cta|shared::cluster?", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy async::* acquire|release sync_restrict::* cluster", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy tensormap::generic release $scope", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy tensormap::generic acquire $scope", "m,i", 90},
    // Control flow and the rest.
    {"bra", Op::Bra, C::Branch, "uni?", "l", 0},
    {"brx", Op::Brx, C::Branch, "idx uni?", "a:u32,t", 30},
    {"call", Op::Call, C::Call, "uni?", "*", 0},
    {"ret", Op::Ret, C::Call, "uni?", "", 0},
    {"exit", Op::Exit, C::Branch, "", "", 0},
    {"trap", Op::Trap, C::Other, "", "", 0},
    {"brkpt", Op::Brkpt, C::Other, "", "", 0},
    {"nanosleep", Op::Nanosleep, C::Other, "u32", "a", 70},
    {"pmevent", Op::Nop, C::Other, "mask?", "i", 20},
    {"setmaxnreg", Op::Setmaxnreg, C::Other, "inc|dec sync aligned u32", "i", 90},
    {"griddepcontrol", Op::Nop, C::Other, "launch_dependents|wait", "", 90},
    {"alloca", Op::Alloca, C::Other, "u32|u64", "d,a,i?", 52},
    {"stacksave", Op::StackSave, C::Other, "u32|u64", "d", 52},
    {"stackrestore", Op::StackRestore, C::Other, "u32|u64", "a", 52},
};

InstructionSources tileiras::emu::warpInstructions() { return rows; }
