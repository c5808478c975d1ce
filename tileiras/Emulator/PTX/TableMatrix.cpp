//===- TableMatrix.cpp - Rows of the matrix instructions --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionSource.h"

using namespace tileiras::emu;
using C = InstClass;

static const InstructionSource rows[] = {
    {"ldmatrix", Op::Ldmatrix, C::Load, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16", "D:b32,m", 75},
    {"stmatrix", Op::Stmatrix, C::Store, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16", "m,S:b32", 90},
    {"movmatrix", Op::Movmatrix, C::Matrix, "sync aligned m8n8 trans b16", "d:b32,a:b32", 75},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k8 row col f16|f32 f16 f16 f16|f32", "*", 75},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k16 row col f16|f32 f16 f16 f16|f32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m8n8k16 row col satfinite? s32 s8|u8 s8|u8 s32", "*", 75},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k16|m16n8k32 row col satfinite? s32 s8|u8 s8|u8 s32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k16|m16n8k32 row col f16|f32 e4m3|e5m2 e4m3|e5m2 f16|f32", "*", 89},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k32 row col kind::f8f6f4 f16|f32 e4m3|e5m2 e4m3|e5m2 f16|f32", "*", 120},
    {"mma", Op::Mma, C::Matrix, "sync aligned kind::f8f6f4 m16n8k32 row col f16|f32 e4m3|e5m2 e4m3|e5m2 f16|f32", "*", 120},
    {"mma", Op::Mma, C::Matrix, "sync aligned m8n8k4 row col $rnd? f64 f64 f64 f64 $rnd?", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k4|m16n8k8|m16n8k16 row col $rnd? f64 f64 f64 f64 $rnd?", "*", 90},
};

InstructionSources tileiras::emu::matrixInstructions() { return rows; }
