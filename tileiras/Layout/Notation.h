//===- Notation.h - Layouts in any of the usual notations -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads what people paste: CuTe's `(8,64):(64,1)` and `S<3,4,3> o 0 o ...`, our `#nv_tileas.linear<...>`, `blocked` and
// `shared`, and Triton's `#ttg.blocked`, `linear`, `nvidia_mma` (versions 2 and 3), `dot_op`, `swizzled_shared` and
// `nvmma_shared`.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_NOTATION_H
#define TILEIRAS_LAYOUT_NOTATION_H

#include "tileiras/Layout/Linear.h"

namespace tileiras::cute {

struct AnyLayout {
  enum class Kind {
    Function,    ///< CuTe: coordinate -> offset, in `function`
    Distributed, ///< (register, lane, warp, block) -> coordinate, in `linear`
    Shared       ///< offset -> coordinate, in `linear`
  };
  Kind kind = Kind::Function;
  ComposedLayout function;
  LinearLayout linear;
  int elementBits = 0; ///< 0 where the notation does not say
};

/// Layouts that do not name their tile need its shape. Nothing, and why in `error`, if the text is none of the above.
std::optional<AnyLayout> parseAnyLayout(std::string_view text, const std::vector<int32_t> &shape,
                                        std::string *error = nullptr);

} // namespace tileiras::cute

#endif // TILEIRAS_LAYOUT_NOTATION_H
