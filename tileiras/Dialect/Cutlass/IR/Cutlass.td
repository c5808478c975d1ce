//===- Cutlass.td - The cutlass dialect ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How the warps of a kernel work together, as CUTLASS names it: pipelines of stages between producers and consumers,
// barriers, and schedulers that say which tile a block computes next. No tiles and no layouts: a kernel in gpu, cute or
// nv_tileas uses these operations beside its own, and convert-cutlass-to-nvvm makes mbarriers and arithmetic of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTLASS_IR_CUTLASS_TD
#define TILEIRAS_DIALECT_CUTLASS_IR_CUTLASS_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cutlass_Dialect : Dialect {
  let name = "cutlass";
  let cppNamespace = "::mlir::cutlass";
  let summary = "Pipelines, barriers and tile schedulers";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Cutlass_Enum<string name, string what, list<I32EnumAttrCase> cases> : I32EnumAttr<name, what, cases> {
  let cppNamespace = "::mlir::cutlass";
}

def Cutlass_Mode : Cutlass_Enum<"ParticipantMode", "which threads of a group of warps arrive", [
  I32EnumAttrCase<"Cooperative", 0, "cooperative">, I32EnumAttrCase<"WarpSpecialized", 1, "warp_specialized">,
  I32EnumAttrCase<"StridedMod", 2, "strided_mod">, I32EnumAttrCase<"StridedDiv", 3, "strided_div">,
  I32EnumAttrCase<"Cluster", 4, "cluster">]>;

def Cutlass_PipelineKind : Cutlass_Enum<"PipelineKind", "who fills the stages of a pipeline", [
  I32EnumAttrCase<"Async", 0, "async">, I32EnumAttrCase<"Tma", 1, "tma">, I32EnumAttrCase<"TmaStore", 2, "tma_store">]>;

def Cutlass_SchedulerKind : Cutlass_Enum<"SchedulerKind", "how tiles are divided among blocks", [
  I32EnumAttrCase<"DP", 0, "dp">, I32EnumAttrCase<"StaticPersistent", 1, "static_persistent">,
  I32EnumAttrCase<"StreamK", 2, "streamk">]>;

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

def Cutlass_GroupAttr : AttrDef<Cutlass_Dialect, "Group"> {
  let mnemonic = "group";
  let summary = "warps that take part in something, and which of their threads arrive";
  let description = [{
    `#cutlass.group<cooperative, warps = 4 from 1>`: warps 1 to 4 of the block.

    | mode | who takes part | who arrives | arrivals |
    |---|---|---|---|
    | `cooperative` | all these warps | every thread | 32 for a warp |
    | `warp_specialized` | all these warps | one lane of each, for all its lanes | 1 for a warp |
    | `strided_mod`, `stride = s which r` | the warps whose number here modulo s is r | likewise | likewise |
    | `strided_div`, `stride = s which r` | the warps whose number here divided by s is r | likewise | likewise |
    | `cluster`, `blocks = b` | all these warps, in each of the b blocks of a cluster | one lane of each for every block, there | b for a warp |

    Warps that take no part in a strided group and execute an operation all the same do nothing.
  }];
  let parameters = (ins EnumParameter<Cutlass_Mode>:$mode, "int32_t":$warps, DefaultValuedParameter<"int32_t", "0">:$from,
                        DefaultValuedParameter<"int32_t", "0">:$stride, DefaultValuedParameter<"int32_t", "0">:$which,
                        DefaultValuedParameter<"int32_t", "1">:$blocks);
  let assemblyFormat = [{
    `<` $mode `,` `warps` `=` $warps (`from` $from^)? (`stride` $stride^)? (`which` $which^)? (`blocks` $blocks^)? `>`
  }];
  let extraClassDeclaration = [{
    /// What a phase of a barrier waits for.
    int32_t getArrivals() const;
    /// Warps that take part, in a block.
    int32_t getParticipants() const;
    bool isStrided() const { return getMode() == ParticipantMode::StridedMod || getMode() == ParticipantMode::StridedDiv; }
  }];
  let genVerifyDecl = 1;
}

class Cutlass_Type<string name, string mnem, string what> : TypeDef<Cutlass_Dialect, name> {
  let mnemonic = mnem;
  let summary = what;
}

def Cutlass_ParticipantsType : Cutlass_Type<"Participants", "participants", "who fills a pipeline, and who empties it"> {
  let parameters = (ins "::mlir::cutlass::GroupAttr":$producer, "::mlir::cutlass::GroupAttr":$consumer);
  let assemblyFormat = "`<` `producer` `=` $producer `,` `consumer` `=` $consumer `>`";
}

def Cutlass_PipelineType : Cutlass_Type<"Pipeline", "pipeline", "stages with two mbarriers each, full and empty"> {
  let description = [{
    `!cutlass.pipeline<async, 3, producer = <cooperative, warps = 1>, consumer = <warp_specialized, warps = 4 from 1>>`: three
    stages that threads fill (`async`); `<tma, 3 bytes 16384, ...>`: that tensor copies of so many bytes fill. `tma_store` has no
    barriers: its stages are read by tensor copies, whose bulk groups say when that is done; it has no consumers among the threads, and
    its groups are not looked at.
  }];
  let parameters = (ins EnumParameter<Cutlass_PipelineKind>:$kind, "int32_t":$stages,
                        DefaultValuedParameter<"int32_t", "0">:$bytes, "::mlir::cutlass::GroupAttr":$producer,
                        "::mlir::cutlass::GroupAttr":$consumer);
  let assemblyFormat = [{
    `<` $kind `,` $stages (`bytes` $bytes^)? `,` `producer` `=` $producer `,` `consumer` `=` $consumer `>`
  }];
  let genVerifyDecl = 1;
}

def Cutlass_PipelineStateType : Cutlass_Type<"PipelineState", "pipeline_state", "which stage, in which phase, and how many before: {index, phase, count}"> {
  let parameters = (ins "int32_t":$stages);
  let assemblyFormat = "`<` $stages `>`";
  let genVerifyDecl = 1;
}

def Cutlass_SeqBarType : Cutlass_Type<"SeqBar", "seq_bar", "barriers that let groups of warps pass one after the other"> {
  let description = [{
    `!cutlass.seq_bar<2, 3, warps = 4>`: three groups of four warps, in order, two turns under way.
  }];
  let parameters = (ins "int32_t":$depth, "int32_t":$length, "int32_t":$warps);
  let assemblyFormat = "`<` $depth `,` $length `,` `warps` `=` $warps `>`";
  let genVerifyDecl = 1;
}
def Cutlass_SeqBarStateType : Cutlass_Type<"SeqBarState", "seq_bar_state", "a group's place in the sequence"> {
  let parameters = (ins "int32_t":$depth, "int32_t":$length);
  let assemblyFormat = "`<` $depth `,` $length `>`";
}

def Cutlass_SchedulerParamsType : Cutlass_Type<"SchedulerParams", "tile_scheduler_params", "how many tiles there are, and who computes them"> {
  let parameters = (ins EnumParameter<Cutlass_SchedulerKind>:$kind);
  let assemblyFormat = "`<` $kind `>`";
}
def Cutlass_SchedulerType : Cutlass_Type<"Scheduler", "tile_scheduler", "a scheduler that asks the hardware (sm_100 and later): where the answer arrives">;
def Cutlass_WorkTileInfoType : Cutlass_Type<"WorkTileInfo", "work_tile_info", "a tile, or a part of it along k, or none">;

#endif // TILEIRAS_DIALECT_CUTLASS_IR_CUTLASS_TD
