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
    // mbarrier (PTX ISA, Parallel Synchronization and Communication Instructions).
    {"mbarrier", Op::MbarrierInit, C::Barrier, "init shared|shared::cta? b64", "m,a:u32", 80},
    {"mbarrier", Op::MbarrierInval, C::Barrier, "inval shared|shared::cta? b64", "m", 80},
    {"mbarrier", Op::MbarrierTx, C::Barrier, "expect_tx relaxed? $scope? shared|shared::cta|shared::cluster? b64",
     "m,a:u32", 90},
    {"mbarrier", Op::MbarrierTx, C::Barrier, "complete_tx relaxed? $scope? shared|shared::cta|shared::cluster? b64",
     "m,a:u32", 90},
    {"mbarrier", Op::MbarrierArrive, C::Barrier,
     "arrive|arrive_drop release|relaxed? $scope? shared|shared::cta|shared::cluster? b64", "d:b64,m,a:u32?", 80},
    {"mbarrier", Op::MbarrierArrive, C::Barrier,
     "arrive|arrive_drop release|relaxed? $scope? shared|shared::cta|shared::cluster? b64", "m,a:u32?", 80},
    {"mbarrier", Op::MbarrierArrive, C::Barrier,
     "arrive|arrive_drop expect_tx release|relaxed? $scope? shared|shared::cta|shared::cluster? b64", "d:b64,m,a:u32",
     90},
    {"mbarrier", Op::MbarrierArrive, C::Barrier,
     "arrive|arrive_drop expect_tx release|relaxed? $scope? shared|shared::cta|shared::cluster? b64", "m,a:u32", 90},
    {"mbarrier", Op::MbarrierArrive, C::Barrier, "arrive|arrive_drop noComplete release? cta? shared|shared::cta? b64",
     "d:b64,m,a:u32", 80},
    {"mbarrier", Op::MbarrierWait, C::Barrier, "test_wait|try_wait acquire|relaxed? $scope? shared|shared::cta? b64",
     "p,m,a:b64,a:u32?", 80},
    {"mbarrier", Op::MbarrierWait, C::Barrier,
     "test_wait|try_wait parity acquire|relaxed? $scope? shared|shared::cta? b64", "p,m,a:u32,a:u32?", 80},
    {"mbarrier", Op::MbarrierPendingCount, C::Barrier, "pending_count b64", "d:u32,a:b64", 80},
    {"cp", Op::CpAsyncMbarrierArrive, C::Async, "async mbarrier arrive noinc? shared|shared::cta? b64", "m", 80},
    // clusterlaunchcontrol (the same chapter).
    {"clusterlaunchcontrol", Op::LaunchTryCancel, C::Async,
     "try_cancel async shared::cta? mbarrier::complete_tx::bytes multicast::cluster::all? b128", "m,m", 100},
    {"clusterlaunchcontrol", Op::LaunchIsCanceled, C::Special, "query_cancel is_canceled pred b128", "p,a:b128", 100},
    {"clusterlaunchcontrol", Op::LaunchFirstBlock, C::Special, "query_cancel get_first_ctaid v4 b32 b128",
     "D:b32,a:b128", 100},
    {"clusterlaunchcontrol", Op::LaunchFirstBlock, C::Special,
     "query_cancel get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z b32 b128", "d:b32,a:b128", 100},
};

InstructionSources tileiras::emu::asyncInstructions() { return rows; }
