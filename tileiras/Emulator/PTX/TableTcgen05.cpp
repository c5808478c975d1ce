//===- TableTcgen05.cpp - Rows of the tensor memory instructions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, "TensorCore 5th Generation Family Instructions". The binder checks the targets, of which only those of
// datacenter Blackwell have tensor memory, and the operands of ld, st and mma, whose number depends on the form.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

#define GROUP "cta_group::1|cta_group::2"
#define COUNT "x1|x2|x4|x8|x16|x32|x64|x128"
#define SHAPE "32x32b|16x64b|16x128b|16x256b|16x32bx2"
#define EXPAND "b8x16? b4x16_p64|b6x16_p32?"

static const InstructionSource rows[] = {
    {"tcgen05", Op::Tcgen05Alloc, C::Barrier, "alloc " GROUP " sync aligned shared::cta? b32", "m,a:u32", 100},
    {"tcgen05", Op::Tcgen05Dealloc, C::Barrier, "dealloc " GROUP " sync aligned b32", "a:u32,a:u32", 100},
    {"tcgen05", Op::Tcgen05Relinquish, C::Barrier, "relinquish_alloc_permit " GROUP " sync aligned", "", 100},
    {"tcgen05", Op::Tcgen05Ld, C::Load, "ld sync aligned " SHAPE " " COUNT " pack::16b? b32", "*", 100},
    {"tcgen05", Op::Tcgen05Ld, C::Load,
     "ld red sync aligned 32x32b|16x32bx2 x2|x4|x8|x16|x32|x64|x128 min|max abs? NaN? f32", "*,d:b32", 100},
    {"tcgen05", Op::Tcgen05Ld, C::Load, "ld red sync aligned 32x32b|16x32bx2 x2|x4|x8|x16|x32|x64|x128 min|max u32|s32",
     "*,d:b32", 100},
    {"tcgen05", Op::Tcgen05St, C::Store, "st sync aligned " SHAPE " " COUNT " unpack::16b? b32", "*", 100},
    {"tcgen05", Op::Tcgen05Wait, C::Async, "wait::ld|wait::st sync aligned", "", 100},
    {"tcgen05", Op::Tcgen05Fence, C::Fence, "fence::before_thread_sync|fence::after_thread_sync", "", 100},
    {"tcgen05", Op::Tcgen05Commit, C::Async, "commit " GROUP " mbarrier::arrive::one shared::cluster? b64", "m", 100},
    {"tcgen05", Op::Tcgen05Commit, C::Async,
     "commit " GROUP " mbarrier::arrive::one shared::cluster? multicast::cluster b64", "m,a:u16", 100},
    {"tcgen05", Op::Tcgen05Cp, C::Async, "cp " GROUP " 128x256b|128x128b|4x256b " EXPAND, "m,a:b64", 100},
    {"tcgen05", Op::Tcgen05Cp, C::Async, "cp " GROUP " 64x128b warpx2::02_13|warpx2::01_23 " EXPAND, "m,a:b64", 100},
    {"tcgen05", Op::Tcgen05Cp, C::Async, "cp " GROUP " 32x128b warpx4 " EXPAND, "m,a:b64", 100},
    {"tcgen05", Op::Tcgen05Shift, C::Async, "shift " GROUP " down", "m", 100},
    {"tcgen05", Op::Tcgen05Mma, C::Matrix,
     "mma sp? " GROUP " kind::f16|kind::tf32|kind::f8f6f4|kind::i8 ashift? collector::a::*?", "*", 100},
    {"tcgen05", Op::Tcgen05Mma, C::Matrix,
     "mma sp? " GROUP " kind::mxf8f6f4 block_scale scale_vec::1X|block32? collector::a::*?", "*", 100},
    {"tcgen05", Op::Tcgen05Mma, C::Matrix,
     "mma sp? " GROUP " kind::mxf4 block_scale scale_vec::2X|block32? collector::a::*?", "*", 100},
    {"tcgen05", Op::Tcgen05Mma, C::Matrix,
     "mma sp? " GROUP " kind::mxf4nvf4 block_scale scale_vec::2X|scale_vec::4X|block16|block32 collector::a::*?", "*",
     100},
    {"tcgen05", Op::Tcgen05Mma, C::Matrix,
     "mma ws sp? cta_group::1 kind::f16|kind::tf32|kind::f8f6f4|kind::i8 "
     "collector::b0::*|collector::b1::*|collector::b2::*|collector::b3::*?",
     "*", 100},
};

InstructionSources tileiras::emu::tcgen05Instructions() { return rows; }
