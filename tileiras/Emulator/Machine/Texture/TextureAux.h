//===- TextureAux.h - What a texture instruction needs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_TEXTURE_TEXTUREAUX_H
#define TILEIRAS_EMULATOR_MACHINE_TEXTURE_TEXTUREAUX_H

#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Texture/Texture.h"

namespace tileiras::emu {

/// What .trap, .clamp and .zero do with coordinates outside a surface.
enum class SurfaceBorder : uint8_t { Trap, Clamp, Zero };
enum class TextureQueryKind : uint8_t {
  Width,
  Height,
  Depth,
  DataType,
  Order,
  Normalized,
  Layers,
  Levels,
  Samples,
  Layout
};

struct TextureAux {
  TextureShape shape = TextureShape::D2; ///< of the instruction; D1 also reads Linear
  uint8_t dimensions = 2;
  bool layered = false;
  Row handle = 0;
  Row layer = 0, coords[3] = {};
  // tex, tld4
  bool byIndex = false, gather = false, withLevel = false, withGradient = false, hasOffset = false;
  uint8_t component = 0;
  Row level = 0, gradient[2][3] = {}, offset[3] = {};
  Type type = Type::None; ///< of the result; F16X2 packs two channels
  // suld, sust, sured
  enum class Access : uint8_t { Load, Store, Reduce } access = Access::Load;
  bool formatted = false; ///< .p: coordinates count pixels, and values are converted
  SurfaceBorder border = SurfaceBorder::Trap;
  ReduceOp reduce = ReduceOp::Add;
  uint8_t bytes = 4; ///< of an element
  // all
  uint8_t count = 4; ///< elements
  Row data[4] = {};
  uint8_t registerBytes = 4;
  uint32_t residency = 0; ///< predicate; 0: none
  TextureQueryKind query = TextureQueryKind::Width;
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_TEXTURE_TEXTUREAUX_H
