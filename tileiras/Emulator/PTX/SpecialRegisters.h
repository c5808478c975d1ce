//===- SpecialRegisters.h - %tid and its relatives --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_PTX_SPECIALREGISTERS_H
#define TILEIRAS_EMULATOR_PTX_SPECIALREGISTERS_H

#include "tileiras/Emulator/PTX/Types.h"

namespace tileiras::emu {

/// PTX ISA, section Special Registers. Vectors appear once per component.
enum class Special : uint8_t {
  None,
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  Clock,
  ClockHi,
  Clock64,
  GlobalTimer,
  GlobalTimerLo,
  GlobalTimerHi,
  DynamicSmemSize,
  TotalSmemSize,
  AggrSmemSize,
  ReservedSmemBegin,
  ReservedSmemEnd,
  ReservedSmemCap,
  ReservedSmem0,
  ReservedSmem1,
  ClusteridX,
  ClusteridY,
  ClusteridZ,
  NclusteridX,
  NclusteridY,
  NclusteridZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterCtarank,
  ClusterNctarank,
  IsExplicitCluster,
  CurrentGraphExec,
  Envreg, ///< all %envregN read as 0, but for the next two
  /// %envreg1 and %envreg2: the address of two words, their size in bytes and the grid barrier of a cooperative launch
  /// (cooperative_groups/details/driver_abi.h of the toolkit); 0 of any other launch.
  GridWorkspaceHigh,
  GridWorkspaceLow,
  Pm,   ///< all %pmN read as 0
  Zero, ///< the w component of vectors
};

struct SpecialRow {
  const char *name; ///< with the percent sign
  Special id;       ///< of component x for vectors
  bool isVector;    ///< has .x .y .z .w
  Type type;
};

/// Null if `name` ("%tid", "%envreg3") is not a special register.
const SpecialRow *findSpecial(std::string_view name);

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_PTX_SPECIALREGISTERS_H
