//===- TileASPipelineTypes.td - Rings of stages, asynchronous copies -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINETYPES_TD
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINETYPES_TD

include "tileiras/Dialect/TileAS/IR/TileAS.td"

class TileAS_Type<string name, string mnem> : TypeDef<TileAS_Dialect, name> { let mnemonic = mnem; }

def TileAS_PipelineType : TileAS_Type<"Pipeline", "pipeline"> {
  let summary = "a ring of stages in shared memory, each with a full and an empty barrier";
  let description = [{
    stages: how many. elements: the shared tiles that one stage holds.
    Text: `!nv_tileas.pipeline<3 x (tensor<64x64xf16, #shared>, tensor<64xf32, #shared1>)>`.
  }];
  let parameters = (ins "int32_t":$stages, ArrayRefParameter<"::mlir::Type">:$elements);
  let assemblyFormat = "`<` $stages `x` ` ` `(` $elements `)` `>`";
  let genVerifyDecl = 1;
}
def TileAS_PipelineIteratorType : TileAS_Type<"PipelineIterator", "pipeline_iterator"> {
  let summary = "a place in the ring: a stage, and whether the round through the ring is even or odd";
  let description = [{ Of pipelines with these stages and elements. At run time two i32: the stage, and the parity, 0 or 1. }];
  let parameters = (ins "int32_t":$stages, ArrayRefParameter<"::mlir::Type">:$elements);
  let assemblyFormat = "`<` $stages `x` ` ` `(` $elements `)` `>`";
}
def TileAS_ProducerTokenType : TileAS_Type<"PipelineProducerToken", "producer_token"> {
  let summary = "a stage that a producer owns, from producer_acquire to producer_commit";
}
def TileAS_ConsumerTokenType : TileAS_Type<"PipelineConsumerToken", "consumer_token"> {
  let summary = "a stage that a consumer may read, from consumer_wait to consumer_release";
}

def TileAS_AsyncTokenType : TileAS_Type<"AsyncToken", "async.token"> {
  let summary = "an asynchronous operation that somebody has to wait for";
}
def TileAS_TmaDescriptorIterType : TileAS_Type<"TmaDescriptorIter", "tma_descriptor_iter"> {
  let summary = "a tensor map in global memory, as TMA reads it (make_tiled_tma_desc); at run time its address";
}

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASPIPELINETYPES_TD
