//===- TableVideo.cpp - Rows of the video instructions ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

// PTX ISA, "Video Instructions" and "SIMD Video Instructions"; the binder reads selectors and masks of operands.
static const InstructionSource rows[] = {
    {"vadd", Op::Video, C::Integer, "$xy32 $xy32 $xy32 sat? $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vsub", Op::Video, C::Integer, "$xy32 $xy32 $xy32 sat? $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vabsdiff", Op::Video, C::Integer, "$xy32 $xy32 $xy32 sat? $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vmin", Op::Video, C::Integer, "$xy32 $xy32 $xy32 sat? $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vmax", Op::Video, C::Integer, "$xy32 $xy32 $xy32 sat? $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vshl", Op::Video, C::Integer, "$xy32 $xy32 u32 sat? clamp|wrap $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vshr", Op::Video, C::Integer, "$xy32 $xy32 u32 sat? clamp|wrap $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vmad", Op::Video, C::Integer, "$xy32 $xy32 $xy32 po? sat? shr7|shr15?", "d:b32,a:b32,a:b32,a:b32", 20},
    {"vset", Op::Video, C::Integer, "$xy32 $xy32 eq|ne|lt|le|gt|ge $vop?", "d:b32,a:b32,a:b32,a:b32?", 20},
    {"vadd2", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vadd4", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vsub2", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vsub4", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vavrg2", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vavrg4", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vabsdiff2", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vabsdiff4", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vmin2", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vmin4", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vmax2", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vmax4", Op::VideoSimd, C::Integer, "$xy32 $xy32 $xy32 sat|add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vset2", Op::VideoSimd, C::Integer, "$xy32 $xy32 eq|ne|lt|le|gt|ge add?", "d:b32,a:b32,a:b32,a:b32", 30},
    {"vset4", Op::VideoSimd, C::Integer, "$xy32 $xy32 eq|ne|lt|le|gt|ge add?", "d:b32,a:b32,a:b32,a:b32", 30},
};

InstructionSources tileiras::emu::videoInstructions() { return rows; }
