//===- CutlassSchedulerOps.td - Tile schedulers of cutlass --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which tile of a product a block computes next:
//
//     dp                  a block a tile: the grid is (tiles_m, tiles_n, tiles_l)
//     static_persistent   `units` blocks; block u computes the tiles u, u + units, ...
//     streamk             `units` blocks; what would be left over for the last round, and a round before it, is divided among all
//                         of them by steps along k, so that a tile may be computed by several blocks, whose sums `fixup` adds up in
//                         the order of k in a workspace; the rest as above
//     SM100               a grid as of dp, whose blocks take over others that have not started (clusterlaunchcontrol)
//
// Tiles are numbered along m first. A block goes through its part of the k steps from behind: it begins with the beginning of a tile,
// for which nobody has to be waited, and waits for blocks before it only.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTLASS_IR_CUTLASSSCHEDULEROPS_TD
#define TILEIRAS_DIALECT_CUTLASS_IR_CUTLASSSCHEDULEROPS_TD

include "tileiras/Dialect/Cutlass/IR/Cutlass.td"

class Cutlass_SchedulerOp<string mnemonic, string what, list<Trait> traits = []> : Op<Cutlass_Dialect, "tile_scheduler." # mnemonic, traits> {
  let summary = what;
}
class Cutlass_SchedulerEffectOp<string mnemonic, string what, list<Trait> traits = []>
    : Cutlass_SchedulerOp<mnemonic, what, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)>;

defvar Cutlass_AnyScheduler = AnyTypeOf<[Cutlass_SchedulerParamsType, Cutlass_SchedulerType]>;

//===----------------------------------------------------------------------===//
// What there is to do
//===----------------------------------------------------------------------===//

class Cutlass_MakeParamsOp<string kind> : Cutlass_SchedulerOp<"make_" # kind # "_params", "of a product of m x n x k, l times, in tiles of constant extents", [Pure]> {
  let description = [{
    ```mlir
    %p = cutlass.tile_scheduler.make_streamk_params (%m, %n, %k, %l) tile [64, 64, 32] units %u : !cutlass.tile_scheduler_params<streamk>
    ```
  }];
  let arguments = (ins I32:$m, I32:$n, I32:$k, I32:$l, DenseI32ArrayAttr:$tile, Optional<I32>:$units);
  let results = (outs Cutlass_SchedulerParamsType:$result);
  let assemblyFormat = "`(` $m `,` $n `,` $k `,` $l `)` `tile` $tile (`units` $units^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}
def Cutlass_MakeDPParamsOp : Cutlass_MakeParamsOp<"dp">;
def Cutlass_MakeStaticPersistentParamsOp : Cutlass_MakeParamsOp<"static_persistent">;
def Cutlass_MakeStreamKParamsOp : Cutlass_MakeParamsOp<"streamk">;

class Cutlass_CreateParamsOp<string kind> : Cutlass_SchedulerOp<"create_" # kind # "_params", "of so many tiles, and so many steps along k in each", [Pure]> {
  let arguments = (ins I32:$tiles_m, I32:$tiles_n, I32:$tiles_l, I32:$k_tiles, Optional<I32>:$units);
  let results = (outs Cutlass_SchedulerParamsType:$result);
  let assemblyFormat = "$tiles_m `,` $tiles_n `,` $tiles_l `steps` $k_tiles (`units` $units^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}
def Cutlass_CreateDPParamsOp : Cutlass_CreateParamsOp<"dp">;
def Cutlass_CreateStaticPersistentParamsOp : Cutlass_CreateParamsOp<"static_persistent">;
def Cutlass_CreateStreamKParamsOp : Cutlass_CreateParamsOp<"streamk">;

def Cutlass_ParamsGetValueOp : Cutlass_SchedulerOp<"params_get_value", "a number of the parameters: tiles_m, tiles_n, tiles_l, k_tiles, units, or streamk_tiles, how many of the tiles are divided by steps", [Pure]> {
  let arguments = (ins Cutlass_SchedulerParamsType:$params, StrAttr:$name);
  let results = (outs I32:$result);
  let assemblyFormat = "$params $name attr-dict `:` qualified(type($params))";
  let hasVerifier = 1;
}
def Cutlass_GetGridShapeOp : Cutlass_SchedulerOp<"get_grid_shape", "the grid to launch", [Pure]> {
  let arguments = (ins Cutlass_SchedulerParamsType:$params);
  let results = (outs I32:$x, I32:$y, I32:$z);
  let assemblyFormat = "$params attr-dict `:` qualified(type($params))";
}
def Cutlass_GetWorkspaceSizesOp : Cutlass_SchedulerOp<"get_workspace_sizes", "bytes of the workspace for sums and of that for flags; `tile_bytes` are those of the sums of a tile", [Pure]> {
  let arguments = (ins Cutlass_SchedulerParamsType:$params, I32Attr:$tile_bytes);
  let results = (outs I64:$sums, I64:$flags);
  let assemblyFormat = "$params `tile_bytes` $tile_bytes attr-dict `:` qualified(type($params))";
}
def Cutlass_InitializeWorkspaceOp : Cutlass_SchedulerEffectOp<"initialize_workspace", "zeroes the flags, by the `threads` threads of one block"> {
  let arguments = (ins Cutlass_SchedulerParamsType:$params, LLVM_AnyPointer:$flags, I32:$thread, I32Attr:$threads);
  let assemblyFormat = "$params `,` $flags `by` $thread `of` $threads attr-dict `:` qualified(type($params)) `,` qualified(type($flags))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// What to do next
//===----------------------------------------------------------------------===//

class Cutlass_CreateInfoOp<string kind> : Cutlass_SchedulerOp<"create_" # kind # "_work_tile_info", "tile (m, n, l), so many steps from a first one on, if there is one", [Pure]> {
  let description = [{
    The parameters say which number the tile has, by which sums in a workspace are found and the scheduler goes on.
    What comes next is what would come behind the whole tile.
  }];
  let arguments = (ins Cutlass_SchedulerParamsType:$params, I32:$m, I32:$n, I32:$l, I32:$k_start, I32:$k_count, I1:$valid);
  let results = (outs Cutlass_WorkTileInfoType:$result);
  let assemblyFormat = "$params `,` $m `,` $n `,` $l `steps` $k_start `,` $k_count `valid` $valid attr-dict `:` qualified(type($params)) `->` qualified(type($result))";
  let hasVerifier = 1;
}
def Cutlass_CreateDPInfoOp : Cutlass_CreateInfoOp<"dp">;
def Cutlass_CreateStaticPersistentInfoOp : Cutlass_CreateInfoOp<"static_persistent">;
def Cutlass_CreateStreamKInfoOp : Cutlass_CreateInfoOp<"streamk">;

def Cutlass_CreateSM100SchedulerOp : Cutlass_SchedulerEffectOp<"create_SM100_scheduler", "a scheduler that takes over blocks; all threads of the block execute it, and meet (sm_100 and later)"> {
  let arguments = (ins Cutlass_SchedulerParamsType:$params);
  let results = (outs Cutlass_SchedulerType:$result);
  let assemblyFormat = "$params attr-dict `:` qualified(type($params)) `->` qualified(type($result))";
  let hasVerifier = 1;
}
def Cutlass_GetWorkidResponsePtrOp : Cutlass_SchedulerOp<"get_workid_response_ptr", "where the hardware's answer arrives: 16 bytes, and an mbarrier behind them", [Pure]> {
  let arguments = (ins Cutlass_SchedulerType:$scheduler);
  let results = (outs LLVM_PointerInAddressSpace<3>:$result);
  let assemblyFormat = "$scheduler attr-dict `:` qualified(type($scheduler)) `->` qualified(type($result))";
}

def Cutlass_InitialWorkTileInfoOp : Cutlass_SchedulerOp<"initial_work_tile_info", "what the block begins with", [Pure]> {
  let arguments = (ins Cutlass_AnyScheduler:$scheduler);
  let results = (outs Cutlass_WorkTileInfoType:$result);
  let assemblyFormat = "$scheduler attr-dict `:` qualified(type($scheduler)) `->` qualified(type($result))";
}
class Cutlass_NextWorkOp<string mnemonic, string what, Type type = Cutlass_AnyScheduler> : Cutlass_SchedulerEffectOp<mnemonic, what> {
  let arguments = (ins type:$scheduler, Cutlass_WorkTileInfoType:$info);
  let results = (outs Cutlass_WorkTileInfoType:$result);
  let assemblyFormat = "$scheduler `,` $info attr-dict `:` qualified(type($scheduler)) `,` qualified(type($info)) `->` qualified(type($result))";
}
def Cutlass_AdvanceToNextWorkOp : Cutlass_NextWorkOp<"advance_to_next_work", "goes on; of SM100: one thread asks the hardware. Which tile it is, get_current_work says"> {
  let description = [{
    What a scheduler of SM100 has answered before, all threads have read: `query_next_work` or `get_current_work` have been executed since.
  }];
}
def Cutlass_GetCurrentWorkOp : Cutlass_NextWorkOp<"get_current_work", "the tile that advance_to_next_work has gone to; of SM100: waits for the answer, and the threads meet">;
def Cutlass_FetchNextWorkOp : Cutlass_NextWorkOp<"fetch_next_work", "advance_to_next_work and get_current_work">;
def Cutlass_QueryNextWorkOp : Cutlass_NextWorkOp<"query_next_work", "waits for the hardware's answer; all threads of the block execute it, and meet", Cutlass_SchedulerType>;
def Cutlass_StaticFetchNextWorkOp : Cutlass_NextWorkOp<"static_fetch_next_work", "the tile `units` further, whatever else the scheduler would say", Cutlass_SchedulerParamsType>;

class Cutlass_InfoNumberOp<string mnemonic, string what> : Cutlass_SchedulerOp<mnemonic, what, [Pure]> {
  let arguments = (ins Cutlass_WorkTileInfoType:$info);
  let results = (outs I32:$result);
  let assemblyFormat = "$info attr-dict `:` qualified(type($info))";
}
def Cutlass_GetWorkKTileStartOp : Cutlass_InfoNumberOp<"get_work_k_tile_start", "the first step along k">;
def Cutlass_GetWorkKTileCountOp : Cutlass_InfoNumberOp<"get_work_k_tile_count", "how many steps along k">;
def Cutlass_InfoGetValueOp : Cutlass_SchedulerOp<"work_tile_info_get_value", "a number of the work: m, n, l, k_start, k_count, valid (0 or 1), tile", [Pure]> {
  let arguments = (ins Cutlass_WorkTileInfoType:$info, StrAttr:$name);
  let results = (outs I32:$result);
  let assemblyFormat = "$info $name attr-dict `:` qualified(type($info))";
  let hasVerifier = 1;
}
def Cutlass_InfoSetValueOp : Cutlass_SchedulerOp<"work_tile_info_set_value", "the work with another number; who changes m, n or l sets tile, too, for the operations that ask for it", [Pure, AllTypesMatch<["info", "result"]>]> {
  let arguments = (ins Cutlass_WorkTileInfoType:$info, StrAttr:$name, I32:$value);
  let results = (outs Cutlass_WorkTileInfoType:$result);
  let assemblyFormat = "$info $name `=` $value attr-dict `:` qualified(type($info))";
  let hasVerifier = 1;
}
def Cutlass_InfoToCoordOp : Cutlass_SchedulerOp<"work_tile_info_to_coord_mnkl", "the tile's coordinates, and the first step along k", [Pure]> {
  let arguments = (ins Cutlass_WorkTileInfoType:$info);
  let results = (outs I32:$m, I32:$n, I32:$k, I32:$l);
  let assemblyFormat = "$info attr-dict `:` qualified(type($info))";
}
def Cutlass_InfoToCtaCoordOp : Cutlass_SchedulerOp<"work_tile_info_to_cta_coord", "coordinates of this block's part, where the work is that of a cluster of m x n blocks", [Pure]> {
  let arguments = (ins Cutlass_WorkTileInfoType:$info, DenseI32ArrayAttr:$cluster);
  let results = (outs I32:$m, I32:$n, I32:$l);
  let assemblyFormat = "$info `cluster` $cluster attr-dict `:` qualified(type($info))";
  let hasVerifier = 1;
}
def Cutlass_ComputeEpilogueOp : Cutlass_SchedulerOp<"compute_epilogue", "whether it is for this block to write the tile: it has the last of its steps", [Pure]> {
  let arguments = (ins Cutlass_SchedulerParamsType:$params, Cutlass_WorkTileInfoType:$info);
  let results = (outs I1:$result);
  let assemblyFormat = "$params `,` $info attr-dict `:` qualified(type($params)) `,` qualified(type($info))";
}

//===----------------------------------------------------------------------===//
// Sums of a tile that several blocks compute
//===----------------------------------------------------------------------===//

def Cutlass_FixupOp : Cutlass_SchedulerEffectOp<"fixup", "adds up the sums of a tile that several blocks compute", [AttrSizedOperandSegments, AllTypesMatch<["sums", "result"]>]> {
  let description = [{
    The block with the first steps leaves its sums in `workspace`, the next ones add theirs, always in the order of k, and the one with the last steps
    gets the sum of all, for which `compute_epilogue` is true. All threads that have sums execute it.

    ```mlir
    %sum = cutlass.tile_scheduler.fixup %params, %info, %sums, %workspace, %flags by %thread of 128 : !params, !cutlass.work_tile_info, vector<16xf32>, !llvm.ptr<1>, !llvm.ptr<1>
    ```
  }];
  let arguments = (ins Cutlass_SchedulerParamsType:$params, Cutlass_WorkTileInfoType:$info, AnyVectorOfNonZeroRank:$sums,
                       LLVM_AnyPointer:$workspace, LLVM_AnyPointer:$flags, I32:$thread, I32Attr:$threads,
                       Optional<I32>:$sync_id, Optional<I32>:$sync_threads);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $params `,` $info `,` $sums `,` $workspace `,` $flags `by` $thread `of` $threads (`sync` $sync_id^ `,` $sync_threads)? attr-dict
    `:` qualified(type($params)) `,` qualified(type($info)) `,` qualified(type($sums)) `,` qualified(type($workspace)) `,` qualified(type($flags))
  }];
  let hasVerifier = 1;
}
class Cutlass_FixupStepOp<string mnemonic, string what> : Cutlass_SchedulerEffectOp<mnemonic, what, [AttrSizedOperandSegments]> {
  let arguments = (ins Cutlass_WorkTileInfoType:$info, LLVM_AnyPointer:$flags, I32:$thread, Optional<I32>:$sync_id, Optional<I32>:$sync_threads);
  let assemblyFormat = "$info `,` $flags `by` $thread (`sync` $sync_id^ `,` $sync_threads)? attr-dict `:` qualified(type($info)) `,` qualified(type($flags))";
  let hasVerifier = 1;
}
def Cutlass_FixupWaitOp : Cutlass_FixupStepOp<"fixup_wait", "waits until all steps of the tile before those of this block have been added up">;
def Cutlass_FixupIncrementOp : Cutlass_FixupStepOp<"fixup_increment", "those of this block have been, too">;

//===----------------------------------------------------------------------===//
// What a run is observed by
//===----------------------------------------------------------------------===//

class Cutlass_ReportOp<string mnemonic, string what> : Cutlass_SchedulerEffectOp<mnemonic, what> {
  let arguments = (ins LLVM_AnyPointer:$where);
  let assemblyFormat = "$where attr-dict `:` qualified(type($where))";
}
def Cutlass_ModsReportMainloopStartOp : Cutlass_ReportOp<"mods_report_mainloop_start", "stores the time in ns (%globaltimer, 64 bits)">;
def Cutlass_ModsReportMainloopEndOp : Cutlass_ReportOp<"mods_report_mainloop_end", "stores the time in ns (%globaltimer, 64 bits)">;
def Cutlass_ModsReportSmidOp : Cutlass_ReportOp<"mods_report_smid", "stores the number of the multiprocessor (%smid, 32 bits)">;
def Cutlass_ModsThrottleOp : Cutlass_SchedulerEffectOp<"mods_throttle", "sleeps for about so many ns"> {
  let arguments = (ins I32:$ns);
  let assemblyFormat = "$ns attr-dict";
}

#endif // TILEIRAS_DIALECT_CUTLASS_IR_CUTLASSSCHEDULEROPS_TD
