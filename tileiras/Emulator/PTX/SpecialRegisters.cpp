//===- SpecialRegisters.cpp - %tid and its relatives ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/SpecialRegisters.h"

using namespace tileiras::emu;

static const SpecialRow rows[] = {
    {"%tid", Special::TidX, true, Type::U32},
    {"%ntid", Special::NtidX, true, Type::U32},
    {"%ctaid", Special::CtaidX, true, Type::U32},
    {"%nctaid", Special::NctaidX, true, Type::U32},
    {"%laneid", Special::LaneId, false, Type::U32},
    {"%warpid", Special::WarpId, false, Type::U32},
    {"%nwarpid", Special::NwarpId, false, Type::U32},
    {"%smid", Special::SmId, false, Type::U32},
    {"%nsmid", Special::NsmId, false, Type::U32},
    {"%gridid", Special::GridId, false, Type::U64},
    {"%lanemask_eq", Special::LanemaskEq, false, Type::U32},
    {"%lanemask_le", Special::LanemaskLe, false, Type::U32},
    {"%lanemask_lt", Special::LanemaskLt, false, Type::U32},
    {"%lanemask_ge", Special::LanemaskGe, false, Type::U32},
    {"%lanemask_gt", Special::LanemaskGt, false, Type::U32},
    {"%clock", Special::Clock, false, Type::U32},
    {"%clock_hi", Special::ClockHi, false, Type::U32},
    {"%clock64", Special::Clock64, false, Type::U64},
    {"%globaltimer", Special::GlobalTimer, false, Type::U64},
    {"%globaltimer_lo", Special::GlobalTimerLo, false, Type::U32},
    {"%globaltimer_hi", Special::GlobalTimerHi, false, Type::U32},
    {"%dynamic_smem_size", Special::DynamicSmemSize, false, Type::U32},
    {"%total_smem_size", Special::TotalSmemSize, false, Type::U32},
    {"%aggr_smem_size", Special::AggrSmemSize, false, Type::U32},
    {"%reserved_smem_offset_begin", Special::ReservedSmemBegin, false, Type::U32},
    {"%reserved_smem_offset_end", Special::ReservedSmemEnd, false, Type::U32},
    {"%reserved_smem_offset_cap", Special::ReservedSmemCap, false, Type::U32},
    {"%reserved_smem_offset_0", Special::ReservedSmem0, false, Type::U32},
    {"%reserved_smem_offset_1", Special::ReservedSmem1, false, Type::U32},
    {"%clusterid", Special::ClusteridX, true, Type::U32},
    {"%nclusterid", Special::NclusteridX, true, Type::U32},
    {"%cluster_ctaid", Special::ClusterCtaidX, true, Type::U32},
    {"%cluster_nctaid", Special::ClusterNctaidX, true, Type::U32},
    {"%cluster_ctarank", Special::ClusterCtarank, false, Type::U32},
    {"%cluster_nctarank", Special::ClusterNctarank, false, Type::U32},
    {"%is_explicit_cluster", Special::IsExplicitCluster, false, Type::Pred},
    {"%current_graph_exec", Special::CurrentGraphExec, false, Type::U64},
};
static const SpecialRow workspace[] = {{"%envreg1", Special::GridWorkspaceHigh, false, Type::B32},
                                       {"%envreg2", Special::GridWorkspaceLow, false, Type::B32}};
static const SpecialRow envreg = {"%envreg", Special::Envreg, false, Type::B32};
static const SpecialRow pm = {"%pm", Special::Pm, false, Type::U32};
static const SpecialRow pm64 = {"%pm_64", Special::Pm, false, Type::U64};

/// `prefix` followed by a number below `limit`, then `suffix`.
static bool numbered(std::string_view name, std::string_view prefix, unsigned limit, std::string_view suffix = "") {
  if (name.substr(0, prefix.size()) != prefix || name.size() < prefix.size() + suffix.size() + 1 ||
      name.substr(name.size() - suffix.size()) != suffix)
    return false;
  unsigned n = 0;
  for (char c : name.substr(prefix.size(), name.size() - prefix.size() - suffix.size())) {
    if (c < '0' || c > '9')
      return false;
    n = n * 10 + unsigned(c - '0');
    if (n >= limit)
      return false;
  }
  return true;
}

const SpecialRow *tileiras::emu::findSpecial(std::string_view name) {
  for (const SpecialRow &row : rows)
    if (name == row.name)
      return &row;
  for (const SpecialRow &row : workspace)
    if (name == row.name)
      return &row;
  if (numbered(name, "%envreg", 32))
    return &envreg;
  if (numbered(name, "%pm", 8))
    return &pm;
  if (numbered(name, "%pm", 8, "_64"))
    return &pm64;
  return nullptr;
}
