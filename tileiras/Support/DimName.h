//===- DimName.h - Names of dimensions of layouts ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A dimension of a layout is called "register", "lane", "dim0", ... Its name is a number: equal names are equal
// numbers, so that looking one up compares words and not text, and copying a layout copies no strings. The names that
// the compiler has by itself are constants; any other text gets a number when it is first used, and keeps it until the
// process ends (layouts in tests and in notations of other tools; the set of such names is small and comes from code,
// not from input).
//
//     DimName lane = kLane;                 // a constant
//     layout.inSize("thread");              // text becomes a name where one is expected
//     "no dimension " + name.str()          // and back
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_DIMNAME_H
#define TILEIRAS_SUPPORT_DIMNAME_H

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace tileiras {

class DimName {
public:
  /// Dimensions of tiles that are constants; higher ones are ordinary names.
  static constexpr uint32_t kTileDims = 16;

  /// Text of any length; the same text is the same name. Safe in several threads.
  DimName(std::string_view text) : id(intern(text)) {}
  DimName(const std::string &text) : id(intern(text)) {}
  DimName(const char *text) : id(intern(text)) {}

  /// Lives as long as the process.
  std::string_view view() const;
  std::string str() const { return std::string(view()); }
  operator std::string_view() const { return view(); }
  operator std::string() const { return str(); }

  /// "dim0", "dim1", ...: a coordinate of a tile.
  static DimName tileDim(int index) {
    return uint32_t(index) < kTileDims ? DimName(Id(kFirstTileDim + uint32_t(index))) : moreTileDim(index);
  }
  bool isTileDim() const { return view().starts_with("dim"); }

  constexpr bool operator==(const DimName &) const = default;
  template <typename Text>
    requires std::convertible_to<const Text &, std::string_view>
  friend bool operator==(const DimName &name, const Text &text) {
    return name.view() == std::string_view(text);
  }
  /// Some order, the same within a process.
  constexpr auto operator<=>(const DimName &) const = default;
  constexpr uint32_t number() const { return id; }

  // The names that the compiler has by itself, in the order of the table in DimName.cpp.
  enum Id : uint32_t { Register, Lane, Warp, Block, Offset, Row, Column, kFirstTileDim };
  constexpr DimName(Id id) : id(id) {}

private:
  static uint32_t intern(std::string_view text);
  static DimName moreTileDim(int index);

  uint32_t id;
};

inline constexpr DimName kRegister = DimName::Register;
inline constexpr DimName kLane = DimName::Lane;
inline constexpr DimName kWarp = DimName::Warp;
inline constexpr DimName kBlock = DimName::Block;
inline constexpr DimName kOffset = DimName::Offset;

/// "dim0", "dim1", ...
inline DimName dimName(int index) { return DimName::tileDim(index); }

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_DIMNAME_H
