//===- TableTma.cpp - Rows of bulk and tensor copies ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Data Movement and Conversion Instructions: Bulk Copy, Tensor Copy, tensormap.replace,
// tensormap.cp_fenceproxy, st.async, red.async.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

static const InstructionSource rows[] = {
    {"cp", Op::BulkCommit, C::Async, "async bulk commit_group", "", 90},
    {"cp", Op::BulkWait, C::Async, "async bulk wait_group read?", "i", 90},
    {"cp", Op::Bulk, C::Async, "async bulk weak? shared::cta|shared::cluster global mbarrier::complete_tx::bytes",
     "m,m,a:u32,m", 90},
    {"cp", Op::Bulk, C::Async,
     "async bulk weak? shared::cta|shared::cluster global mbarrier::complete_tx::bytes L2::cache_hint",
     "m,m,a:u32,m,a:b64", 90},
    {"cp", Op::Bulk, C::Async,
     "async bulk weak? shared::cluster global mbarrier::complete_tx::bytes multicast::cluster", "m,m,a:u32,m,a:u16",
     90},
    {"cp", Op::Bulk, C::Async,
     "async bulk weak? shared::cluster global mbarrier::complete_tx::bytes multicast::cluster L2::cache_hint",
     "m,m,a:u32,m,a:u16,a:b64", 90},
    {"cp", Op::Bulk, C::Async, "async bulk weak? shared::cluster shared::cta mbarrier::complete_tx::bytes",
     "m,m,a:u32,m", 90},
    {"cp", Op::Bulk, C::Async, "async bulk weak? global shared::cta bulk_group", "m,m,a:u32", 90},
    {"cp", Op::Bulk, C::Async, "async bulk weak? global shared::cta bulk_group L2::cache_hint", "m,m,a:u32,a:b64", 90},
    {"cp", Op::Bulk, C::Async, "async bulk weak? global shared::cta bulk_group cp_mask", "m,m,a:u32,a:u16", 100},
    {"cp", Op::Bulk, C::Async, "async bulk weak? global shared::cta bulk_group L2::cache_hint cp_mask",
     "m,m,a:u32,a:b64,a:u16", 100},
    {"cp", Op::Bulk, C::Async, "async bulk prefetch L2 global", "m,a:u32", 90},
    {"cp", Op::Bulk, C::Async, "async bulk prefetch L2 global L2::cache_hint", "m,a:u32,a:b64", 90},
    // Table of operations and types of cp.reduce.async.bulk.
    {"cp", Op::Bulk, C::Async,
     "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes add u32|s32|u64", "m,m,a:u32,m", 90},
    {"cp", Op::Bulk, C::Async,
     "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes min|max u32|s32", "m,m,a:u32,m", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes inc|dec u32",
     "m,m,a:u32,m", 90},
    {"cp", Op::Bulk, C::Async,
     "reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes and|or|xor b32", "m,m,a:u32,m", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group add u32|s32|u64|f32|f64", "m,m,a:u32",
     90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group add noftz f16|bf16", "m,m,a:u32", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group min|max u32|s32|u64|s64|f16|bf16",
     "m,m,a:u32", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group inc|dec u32", "m,m,a:u32", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group and|or|xor b32|b64", "m,m,a:u32", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group L2::cache_hint add u32|s32|u64|f32|f64",
     "m,m,a:u32,a:b64", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group L2::cache_hint add noftz f16|bf16",
     "m,m,a:u32,a:b64", 90},
    {"cp", Op::Bulk, C::Async,
     "reduce async bulk global shared::cta bulk_group L2::cache_hint min|max u32|s32|u64|s64|f16|bf16",
     "m,m,a:u32,a:b64", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group L2::cache_hint inc|dec u32",
     "m,m,a:u32,a:b64", 90},
    {"cp", Op::Bulk, C::Async, "reduce async bulk global shared::cta bulk_group L2::cache_hint and|or|xor b32|b64",
     "m,m,a:u32,a:b64", 90},
    // Assemblers take the modifiers of tensor copies in several orders; the binder sorts them out.
    {"cp", Op::TensorCopy, C::Async, "async bulk tensor $dim $tma $tma $tma $tma? $tma? $tma? $tma?", "*", 90},
    {"cp", Op::TensorCopy, C::Async, "reduce async bulk tensor $dim $tma $tma $tma $tma $tma? $tma?", "*", 90},
    {"cp", Op::TensorCopy, C::Async, "async bulk prefetch tensor $dim $tmaload? L2 global $tmaload? L2::cache_hint?",
     "*", 90},
    {"tensormap", Op::TensormapReplace, C::Async, "replace tile global_address global|shared::cta? b1024 b64", "m,a",
     90},
    {"tensormap", Op::TensormapReplace, C::Async, "replace tile rank global|shared::cta? b1024 b32", "m,a", 90},
    {"tensormap", Op::TensormapReplace, C::Async,
     "replace tile box_dim|global_dim|element_stride global|shared::cta? b1024 b32", "m,i,a", 90},
    {"tensormap", Op::TensormapReplace, C::Async, "replace tile global_stride global|shared::cta? b1024 b64", "m,i,a",
     90},
    {"tensormap", Op::TensormapReplace, C::Async,
     "replace tile elemtype|interleave_layout|swizzle_mode|fill_mode global|shared::cta? b1024 b32", "m,i", 90},
    {"tensormap", Op::TensormapReplace, C::Async, "replace tile swizzle_atomicity global|shared::cta? b1024 b32", "m,i",
     100},
    {"tensormap", Op::TensormapCopyFence, C::Async,
     "cp_fenceproxy global shared::cta tensormap::generic release $scope sync aligned", "m,m,i", 90},
    // Generic proxy, completion by mbarrier.
    {"st", Op::StoreAsync, C::Async,
     "async weak? shared::cluster? mbarrier::complete_tx::bytes v2|v4? b32|b64|u32|u64|s32|s64|f32|f64", "m,S,m", 90},
    {"red", Op::StoreAsync, C::Async,
     "async relaxed? cluster? shared::cluster? mbarrier::complete_tx::bytes inc|dec u32", "m,a,m", 90},
    {"red", Op::StoreAsync, C::Async,
     "async relaxed? cluster? shared::cluster? mbarrier::complete_tx::bytes min|max u32|s32", "m,a,m", 90},
    {"red", Op::StoreAsync, C::Async,
     "async relaxed? cluster? shared::cluster? mbarrier::complete_tx::bytes and|or|xor b32", "m,a,m", 90},
    {"red", Op::StoreAsync, C::Async,
     "async relaxed? cluster? shared::cluster? mbarrier::complete_tx::bytes add u32|s32|u64", "m,a,m", 90},
};

InstructionSources tileiras::emu::tmaInstructions() { return rows; }
