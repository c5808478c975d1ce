//===- LaunchArgs.h - Kernel arguments as text -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The argument language of tileiras-run (docs/tileiras-run.md):
//
//   arg    := [NAME ':'] TYPE '=' NUMBER                                        scalar
//           | ['out:'] [NAME ':'] TYPE ['[' dims ']'] ['{' options '}'] ['=' init]  array
//           | [NAME ':'] 'list=' NAME (',' NAME)*                     list of arrays
//           | [NAME ':'] 'map=' NAME ['{' map options '}']            tensor map of an array (TensorMapArgs.cpp)
//   dims   := INT ('x' INT)*            empty brackets: one element, no dimensions
//   init   := zeros | ones | iota[(lo=X)] | NUMBER | poison | special | bits
//           | random[(lo=X,hi=Y,seed=N)] | normal[(mean=X,std=Y,seed=N)] | FILE.npy
//   option := strides=AxB | offset=BYTES | align=BYTES | pass=ptr|array|array64|none
//           | tol=TOLERANCE | expect=FILE.npy
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_RUNTIME_LAUNCHARGS_H
#define TILEIRAS_RUNTIME_LAUNCHARGS_H

#include "tileiras/Runtime/Launch.h"

#include <string>
#include <string_view>

namespace tileiras {

/// How an array becomes kernel parameters.
enum class PassMode : uint8_t {
  Pointer, ///< its address
  Array,   ///< address, every extent as i32, every stride (in elements) as i32: cuTile's convention
  Array64, ///< the same with i64
  None,    ///< not at all: only as an element of a list
};
bool parsePassMode(std::string_view text, PassMode &mode);

struct ArgDefaults {
  PassMode pass = PassMode::Pointer;
  uint64_t seed = 0; ///< The n-th array gets seed + n unless it says its own.
};

/// Appends what `spec` describes to the request. False with a message on a bad spec.
bool parseLaunchArg(std::string_view spec, const ArgDefaults &defaults, LaunchRequest &request, std::string &error);

/// `NAME{options}` of a `map=` argument; appends to request.maps and request.args.
bool parseTensorMapArg(std::string_view text, const std::string &name, LaunchRequest &request, std::string &error);

/// "4", "4x2", "4,2,1".
bool parseGrid(std::string_view text, Grid &grid, std::string &error);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_LAUNCHARGS_H
