//===- TableTexture.cpp - Rows of textures and surfaces ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

// PTX ISA, "Texture Instructions" and "Surface Instructions", in unified mode. The binder checks the operands.
static const InstructionSource rows[] = {
    {"tex", Op::Texture, C::Load, "level|grad|base? $geom v4 u32|s32|f32|f16 s32|f32", "*", 20},
    {"tex", Op::Texture, C::Load, "level|grad|base? $geom v2 f16x2 s32|f32", "*", 53},
    {"tld4", Op::TextureGather, C::Load, "r|g|b|a 2d|a2d|cube|acube v4 u32|s32|f32 f32", "*", 20},
    {"txq", Op::TextureQuery, C::Other,
     "width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples "
     "b32",
     "*", 20},
    {"txq", Op::TextureQuery, C::Other, "level width|height|depth b32", "*", 30},
    {"suq", Op::SurfaceQuery, C::Other,
     "width|height|depth|channel_data_type|channel_order|array_size|memory_layout b32", "*", 20},
    {"suld", Op::SurfaceLoad, C::Load, "b $sugeom $cop? v2|v4? b8|b16|b32|b64 trap|clamp|zero", "*", 20},
    {"sust", Op::SurfaceStore, C::Store, "b $sugeom $cop? v2|v4? b8|b16|b32|b64 trap|clamp|zero", "*", 20},
    {"sust", Op::SurfaceStore, C::Store, "p $sugeom $cop? v2|v4? b32 trap|clamp|zero", "*", 20},
    {"sured", Op::SurfaceReduce, C::Atomic, "b add $sugeom u32|s32|u64 trap|clamp|zero", "*", 20},
    {"sured", Op::SurfaceReduce, C::Atomic, "b min|max $sugeom u32|s32|u64|s64 trap|clamp|zero", "*", 20},
    {"sured", Op::SurfaceReduce, C::Atomic, "b|p and|or $sugeom b32 trap|clamp|zero", "*", 20},
    {"sured", Op::SurfaceReduce, C::Atomic, "p add|min|max $sugeom b32 trap|clamp|zero", "*", 20},
    {"istypep", Op::IsTexture, C::Compare, "texref|surfref|samplerref", "p,a:u64", 30},
};

InstructionSources tileiras::emu::textureInstructions() { return rows; }
