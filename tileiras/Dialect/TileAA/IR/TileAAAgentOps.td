//===- TileAAAgentOps.td - Agents, queues, persistent kernels -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_IR_TILEAAAGENTOPS_TD
#define TILEIRAS_DIALECT_TILEAA_IR_TILEAAAGENTOPS_TD

// Included by TileAAOps.td. Declarative: a queue says that one agent gives values to another, not how. The rewrite to
// nv_tileas.async.pipeline says how (docs/seeds.md, "Queue-to-Pipeline Lowering").

def TileAA_CreateQueueOp : TileAA_Op<"create_queue", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a queue; what its entries hold is in its type";
  let arguments = (ins OptionalAttr<I32Attr>:$num_stages);
  let results = (outs TileAA_QueueType:$queue);
  let assemblyFormat = "attr-dict `:` type($queue)";
  let hasVerifier = 1;
}
def TileAA_QueuePutOp : TileAA_Op<"queue.put", [MemoryEffects<[MemRead, MemWrite]>, SingleBlock]> {
  let summary = "append an entry: what the region yields";
  let arguments = (ins TileAA_QueueType:$queue, Optional<AnySignlessInteger>:$index, OptionalAttr<I32Attr>:$producer_group);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$queue (`[` $index^ `:` type($index) `]`)? attr-dict `:` type($queue) $body";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}
def TileAA_QueueGetOp : TileAA_Op<"queue.get", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "take an entry; the region, if there is one, computes the results from it";
  let description = [{
    The block arguments of the region are the values of the entry; without a
    region they are the results.
  }];
  let arguments = (ins TileAA_QueueType:$queue, Optional<AnySignlessInteger>:$index, OptionalAttr<I32Attr>:$consumer_group);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = "$queue (`[` $index^ `:` type($index) `]`)? attr-dict `:` type($queue) `->` `(` type($results) `)` ($body^)?";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}
def TileAA_QueueYieldOp : TileAA_Op<"queue.yield", [Pure, ReturnLike, Terminator, ParentOneOf<["QueuePutOp", "QueueGetOp"]>]> {
  let summary = "the entry of a queue.put, the results of a queue.get";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}
def TileAA_ExecuteOp : TileAA_Op<"execute", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "agents that run side by side, one per region";
  let description = [{
    agent_ids: a name for each region. max_regs: its register budget per thread, in steps of 8 from 24 to 256.
  }];
  let arguments = (ins DenseI32ArrayAttr:$agent_ids, OptionalAttr<DenseI32ArrayAttr>:$max_regs);
  let regions = (region VariadicRegion<SizedRegion<1>>:$agents);
  let assemblyFormat = "$agent_ids attr-dict-with-keyword $agents";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Persistent kernels
//===----------------------------------------------------------------------===//

def TileAA_CancelNextProgramIdOp : TileAA_Op<"cancel_next_program_id", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "take over a tile block that has not started yet";
  let results = (outs TileAA_ProgramIdType:$result);
  let assemblyFormat = "attr-dict";
}
def TileAA_IsValidProgramIdOp : TileAA_Op<"is_valid_program_id", [Pure]> {
  let summary = "whether there was a tile block left to take over";
  let arguments = (ins TileAA_ProgramIdType:$id);
  let results = (outs I1:$result);
  let assemblyFormat = "$id attr-dict";
}

#endif // TILEIRAS_DIALECT_TILEAA_IR_TILEAAAGENTOPS_TD
