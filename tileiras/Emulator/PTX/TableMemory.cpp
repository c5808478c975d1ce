//===- TableMemory.cpp - Rows of data movement and atomics ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

static const InstructionSource rows[] = {
    // Data movement.
    {"mov", Op::Mov, C::Move, "pred", "p,P", 0},
    {"mov", Op::Mov, C::Move, "b16|b32|b64|b128|$any|f16|f16x2|bf16|bf16x2", "*", 0},
    {"cvta", Op::Cvta, C::Move, "to? $spc u64", "d,a", 20},
    {"cvta", Op::Cvta, C::Move, "to? $spc u32", "d,a", 20},
    {"isspacep", Op::Isspacep, C::Compare, "$spc", "p,a:u64", 20},
    {"mapa", Op::Mapa, C::Integer, "shared::cluster? u32|u64", "d,a,a:u32", 90},
    {"getctarank", Op::Getctarank, C::Integer, "shared::cluster? u32|u64", "d:u32,a", 90},
    {"ld", Op::Ld, C::Load,
     "weak|volatile|relaxed|acquire|mmio? relaxed? $scope? $space? $cop? nc? $level? $level? $level? $vec? $mem",
     "D~,m,a:b64?", 0},
    {"ldu", Op::Ld, C::Load, "global? $vec? $mem", "D~,m", 0},
    {"st", Op::St, C::Store,
     "weak|volatile|relaxed|release|mmio? relaxed? $scope? $space? $cop? $level? $level? $level? $vec? $mem",
     "m,S~,a:b64?", 0},
    {"prefetch", Op::Prefetch, C::Other, "global|local? L1|L2|L2::*", "m", 20},
    {"prefetchu", Op::Prefetch, C::Other, "L1", "m", 20},
    {"prefetch", Op::Prefetch, C::Other, "const|param? tensormap", "m", 90},
    {"applypriority", Op::Prefetch, C::Other, "global? L2::*", "m,i", 80},
    {"discard", Op::Prefetch, C::Other, "global? L2", "m,i", 80},
    {"createpolicy", Op::CreatePolicy, C::Other, "fractional L2::* L2::*? b64", "d,*", 80},
    {"createpolicy", Op::CreatePolicy, C::Other, "range global? L2::* L2::*? b64", "d,*", 80},
    {"createpolicy", Op::CreatePolicy, C::Other, "cvt L2 b64", "d,*", 80},
    // Atomics.
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? and|or|xor|exch|cas L2::cache_hint? b32|b64|b128",
     "d,m,a,a?", 0},
    {"atom", Op::Atom, C::Atomic, "relaxed|acquire|release|acq_rel? $scope? $atomspace? cas L2::cache_hint? b16",
     "d,m,a,a", 70},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? add L2::cache_hint? u32|s32|u64|f32|f64", "d,m,a,a:b64?", 0},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? min|max L2::cache_hint? u32|s32|u64|s64", "d,m,a,a:b64?", 0},
    {"atom", Op::Atom, C::Atomic, "relaxed|acquire|release|acq_rel? $scope? $atomspace? inc|dec L2::cache_hint? u32",
     "d,m,a,a:b64?", 0},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? add noftz L2::cache_hint? f16|f16x2", "d,m,a,a:b64?", 70},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? add noftz L2::cache_hint? bf16|bf16x2", "d,m,a,a:b64?", 90},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? global? add L2::cache_hint? v2|v4 f32", "D,m,S,a:b64?", 90},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? global? add|min|max noftz L2::cache_hint? v2|v4|v8 f16|bf16",
     "D,m,S,a:b64?", 90},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? global? add|min|max noftz L2::cache_hint? v2|v4 f16x2|bf16x2",
     "D,m,S,a:b64?", 90},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? and|or|xor L2::cache_hint? b32|b64", "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? add L2::cache_hint? u32|s32|u64|f32|f64",
     "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? min|max L2::cache_hint? u32|s32|u64|s64",
     "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? inc|dec L2::cache_hint? u32", "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? add noftz L2::cache_hint? f16|f16x2",
     "m,a,a:b64?", 70},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? add noftz L2::cache_hint? bf16|bf16x2",
     "m,a,a:b64?", 90},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? global? add L2::cache_hint? v2|v4 f32", "m,S,a:b64?", 90},
    {"red", Op::Red, C::Atomic,
     "relaxed|release? $scope? global? add|min|max noftz L2::cache_hint? v2|v4|v8 f16|bf16", "m,S,a:b64?", 90},
    {"red", Op::Red, C::Atomic,
     "relaxed|release? $scope? global? add|min|max noftz L2::cache_hint? v2|v4 f16x2|bf16x2", "m,S,a:b64?", 90},
};

InstructionSources tileiras::emu::memoryInstructions() { return rows; }
