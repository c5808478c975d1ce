//===- NVGPUExtension.td - Operations that MLIR's nvgpu lacks -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The operations of docs/seeds.md that MLIR 22's nvgpu dialect lacks, under the names given there, in MLIR's own dialect.
// NVGPUExtension.h says how they get in.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSION_TD
#define TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSION_TD

include "mlir/Dialect/NVGPU/IR/NVGPU.td"
include "mlir/Dialect/NVGPU/IR/NVGPUTypes.td"
include "tileiras/Dialect/NVGPU/IR/NVGPUExtensionEnums.td"

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

class NVGPUX_Op<string mnemonic, list<Trait> traits = []> : Op<NVGPU_Dialect, mnemonic, traits>;

/// A tensor map in memory: the descriptor (an address in global, constant or parameter memory) or 128 bytes of a memref.
def NVGPU_TensorMapPlace : AnyTypeOf<[NVGPU_TensorMapDescriptor, AnyMemRef], "tensormap descriptor or memref of it">;
def NVGPU_F32x2 : VectorOfLengthAndType<[2], [F32]>;
def NVGPU_PackedFloat : AnyTypeOf<[VectorOfLengthAndType<[2], [F16]>, VectorOfLengthAndType<[2], [BF16]>,
                                   VectorOfLengthAndType<[2], [F32]>], "vector of two f16, bf16 or f32">;

def NVGPU_MBarrierInvalOp : NVGPUX_Op<"mbarrier.inval"> {
  let summary = "Invalidates an mbarrier object";
  let description = [{
    The memory of the barrier may then be used for something else, or for another `nvgpu.mbarrier.init`. Nobody may wait on
    or arrive at the barrier any more.

    Example:
    ```mlir
    nvgpu.mbarrier.inval %barriers[%c0] : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins NVGPU_MBarrierGroup:$barriers, Index:$mbarId, Optional<I1>:$predicate);
  let assemblyFormat = "$barriers `[` $mbarId `]` (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)";
}

def NVGPU_TmaAsyncReduceOp : NVGPUX_Op<"tma.async.reduce", [AttrSizedOperandSegments]> {
  let summary = "TMA asynchronous reduction";
  let description = [{
    Combines a tile in shared memory with a tile of the tensor in global memory, element by element, and leaves the result
    there: `global = redop(global, shared)`. Like a TMA store it completes through bulk groups
    (`nvvm.cp.async.bulk.commit.group`, `nvvm.cp.async.bulk.wait_group`).

    Example:
    ```mlir
    nvgpu.tma.async.reduce %tile to %desc[%x, %y], add : memref<32x32xf32, 3> -> !nvgpu.tensormap.descriptor<...>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemReadAt<0, FullEffect>]>:$src,
                       Arg<NVGPU_TensorMapDescriptor, "", [MemWriteAt<0, FullEffect>]>:$tensorMapDescriptor,
                       Variadic<Index>:$coordinates, Optional<I64>:$l2CacheHint, Optional<I1>:$predicate,
                       NVGPU_TmaReduxKind:$redop);
  let assemblyFormat = [{
    $src `to` $tensorMapDescriptor `[` $coordinates `]` `,` $redop (`l2_cache_hint` `=` $l2CacheHint^)?
      (`,` `predicate` `=` $predicate^)? attr-dict `:` type($src) `->` type($tensorMapDescriptor)
  }];
  let hasVerifier = 1;
}

def NVGPU_TensorMapCreateDescriptorOp : NVGPUX_Op<"tensormap.create.descriptor"> {
  let summary = "Copies a tensor map to where it can be edited";
  let description = [{
    Copies the 128 bytes of the tensor map `src` to `dst`, usually to shared memory, where `nvgpu.tensormap.update.*` change
    single fields. The executing thread copies. `nvgpu.tensormap.publish` makes the edited map one that TMA may use.

    Example:
    ```mlir
    nvgpu.tensormap.create.descriptor %desc to %mailbox : !nvgpu.tensormap.descriptor<...>, memref<128xi8, 3>
    ```
  }];
  let arguments = (ins Arg<NVGPU_TensorMapPlace, "", [MemWrite]>:$dst, Arg<NVGPU_TensorMapPlace, "", [MemRead]>:$src);
  let assemblyFormat = "$src `to` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def NVGPU_TensorMapInitOp : NVGPUX_Op<"tensormap.init"> {
  let summary = "Makes a tensor map out of its type";
  let description = [{
    Writes what the type of a descriptor says into 128 bytes that need not hold a tensor map yet: number of dimensions, element
    type, box, swizzle, interleave, what is read out of bounds; element strides of 1. What only the kernel knows is left to
    `nvgpu.tensormap.update.global_address`, `.global_dim` and, from the second dimension on, `.global_stride`. The L2
    promotion of the type is not in reach of the instructions.

    The last dimension of the type is the innermost one, dimension 0 of the `update` operations.

    Example:
    ```mlir
    nvgpu.tensormap.init %mailbox as !nvgpu.tensormap.descriptor<...> : memref<128xi8, 3>
    ```
  }];
  let arguments = (ins Arg<NVGPU_TensorMapPlace, "", [MemWrite]>:$dst, TypeAttr:$map);
  let assemblyFormat = "$dst `as` $map attr-dict `:` type($dst)";
  let hasVerifier = 1;
}

class NVGPU_TensorMapUpdate<string name> : NVGPUX_Op<"tensormap.update." # name> {
  let hasVerifier = 1;
}

def NVGPU_TensorMapUpdateGlobalAddressOp : NVGPU_TensorMapUpdate<"global_address"> {
  let summary = "Replaces the address of a tensor map's tensor";
  let description = [{
    Example:
    ```mlir
    nvgpu.tensormap.update.global_address %mailbox, %address : memref<128xi8, 3>
    ```
  }];
  let arguments = (ins Arg<NVGPU_TensorMapPlace, "", [MemWrite]>:$descriptor, I64:$value);
  let assemblyFormat = "$descriptor `,` $value attr-dict `:` type($descriptor)";
}

class NVGPU_TensorMapUpdateDimension<string name, string what> : NVGPU_TensorMapUpdate<name> {
  let summary = "Replaces " # what # " of one dimension of a tensor map";
  let description = "`ord` counts dimensions from the innermost one, which is 0, as the tensor map does.\n\n"
                    "Example:\n```mlir\nnvgpu.tensormap.update." # name #
                    " %mailbox, %value {ord = 0 : i32} : memref<128xi8, 3>\n```";
  let arguments = (ins Arg<NVGPU_TensorMapPlace, "", [MemWrite]>:$descriptor, I32:$value, I32Attr:$ord);
  let assemblyFormat = "$descriptor `,` $value attr-dict `:` type($descriptor)";
}
def NVGPU_TensorMapUpdateBoxDimOp : NVGPU_TensorMapUpdateDimension<"box_dim", "the extent of the box">;
def NVGPU_TensorMapUpdateGlobalDimOp : NVGPU_TensorMapUpdateDimension<"global_dim", "the extent of the tensor">;
def NVGPU_TensorMapUpdateElementStrideOp : NVGPU_TensorMapUpdateDimension<"element_stride", "the element stride">;

def NVGPU_TensorMapUpdateGlobalStrideOp : NVGPU_TensorMapUpdate<"global_stride"> {
  let summary = "Replaces the stride of one dimension of a tensor map's tensor";
  let description = [{
    In bytes. `ord` 0 is the stride of the second innermost dimension: the innermost one has none.

    Example:
    ```mlir
    nvgpu.tensormap.update.global_stride %mailbox, %bytes {ord = 0 : i32} : memref<128xi8, 3>
    ```
  }];
  let arguments = (ins Arg<NVGPU_TensorMapPlace, "", [MemWrite]>:$descriptor, I64:$value, I32Attr:$ord);
  let assemblyFormat = "$descriptor `,` $value attr-dict `:` type($descriptor)";
}

def NVGPU_TensorMapPublishOp : NVGPUX_Op<"tensormap.publish"> {
  let summary = "Copies an edited tensor map to global memory, for TMA";
  let description = [{
    All threads of a warp together copy the 128 bytes of the tensor map `src` in shared memory to `dst` in global memory
    and release them to the tensormap proxy. Whoever uses `dst` executes `nvgpu.tma.fence.descriptor` first.

    Example:
    ```mlir
    nvgpu.tensormap.publish %mailbox to %slot : memref<128xi8, 3>, !nvgpu.tensormap.descriptor<...>
    ```
  }];
  let arguments = (ins Arg<NVGPU_TensorMapPlace, "", [MemWrite]>:$dst, Arg<AnyMemRef, "", [MemRead]>:$src);
  let assemblyFormat = "$src `to` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def NVGPU_StMatrixOp : NVGPUX_Op<"stmatrix"> {
  let summary = "Stores matrix fragments of a warp to shared memory";
  let description = [{
    The inverse of `nvgpu.ldmatrix`: one, two or four 8x8 matrices of 16-bit elements. The leading extent of `src` is the
    number of matrices, the trailing one what a thread holds of each (two 16-bit elements). Lane `i` names with `indices` the
    row that lane `i` of `nvgpu.ldmatrix` would read.

    Example:
    ```mlir
    nvgpu.stmatrix %fragment, %tile[%row, %column] {transpose} : vector<4x2xf16>, memref<16x16xf16, 3>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$src, Arg<AnyMemRef, "", [MemWriteAt<0, FullEffect>]>:$dst,
                       Variadic<Index>:$indices, UnitAttr:$transpose);
  let assemblyFormat = "$src `,` $dst `[` $indices `]` attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def NVGPU_CvtFpExtOp : NVGPUX_Op<"cvt_fpext", [Pure]> {
  let summary = "Extends two packed narrow floats";
  let description = [{
    `packed_kind` says what the low bits of `src` hold: two fp8 values (bits 0-7 and 8-15), two fp6 values (in the low six
    bits of each byte), two fp4 values (bits 0-3 and 4-7), or two scales of MX formats (`ue8m0x2`). The lower one becomes
    element 0. NVFP4 data is `e2m1x2` with scales `e4m3x2`, MXFP4 data `e2m1x2` with scales `ue8m0x2`. Every extension is
    exact, so there is no rounding mode to choose.

    Example:
    ```mlir
    %0 = nvgpu.cvt_fpext %packed, e4m3x2 : i32 -> vector<2xf16>
    ```
  }];
  let arguments = (ins I32:$src, NVGPU_PackedKind:$packedKind, UnitAttr:$relu);
  let results = (outs NVGPU_PackedFloat:$res);
  let assemblyFormat = "$src `,` $packedKind (`relu` $relu^)? attr-dict `:` type($src) `->` type($res)";
  let hasVerifier = 1;
}

def NVGPU_CvtFpTruncOp : NVGPUX_Op<"cvt_fptrunc", [Pure]> {
  let summary = "Rounds two floats to packed narrow ones";
  let description = [{
    Element 0 goes to the low bits of the result, element 1 above it, as `nvgpu.cvt_fpext` expects them; the other bits
    are zero. Values out of range become the largest finite value of fp8, fp6, fp4 and ue8m0. The rounding modes there are
    depend on the kind: `rn` for fp8, fp6, fp4; `rz` and `rp` for ue8m0; `rn` and `rz` for f16 and bf16.

    Example:
    ```mlir
    %0 = nvgpu.cvt_fptrunc %v, e2m1x2 : vector<2xf32> -> i32
    ```
  }];
  let arguments = (ins NVGPU_PackedFloat:$src, NVGPU_PackedKind:$packedKind,
                       DefaultValuedAttr<NVGPU_PackedRounding, "::mlir::nvgpu::PackedRounding::RN">:$rnd,
                       UnitAttr:$relu);
  let results = (outs I32:$res);
  let assemblyFormat = "$src `,` $packedKind (`,` $rnd^)? (`relu` $relu^)? attr-dict `:` type($src) `->` type($res)";
  let hasVerifier = 1;
}

def NVGPU_FmaPackedF32x2Op : NVGPUX_Op<"fma.packed.f32x2", [Pure, AllTypesMatch<["a", "b", "c", "res"]>]> {
  let summary = "Multiplies and adds two pairs of f32, rounding once";
  let description = [{
    Example:
    ```mlir
    %0 = nvgpu.fma.packed.f32x2 %a, %b, %c, rz ftz : vector<2xf32>
    ```
  }];
  let arguments = (ins NVGPU_F32x2:$a, NVGPU_F32x2:$b, NVGPU_F32x2:$c,
                       DefaultValuedAttr<NVGPU_PackedRounding, "::mlir::nvgpu::PackedRounding::RN">:$rnd, UnitAttr:$ftz);
  let results = (outs NVGPU_F32x2:$res);
  let assemblyFormat = "$a `,` $b `,` $c (`,` $rnd^)? (`ftz` $ftz^)? attr-dict `:` type($res)";
}

def NVGPU_MulPackedF32x2Op : NVGPUX_Op<"mul.packed.f32x2", [Pure, AllTypesMatch<["a", "b", "res"]>]> {
  let summary = "Multiplies two pairs of f32";
  let description = [{
    Example:
    ```mlir
    %0 = nvgpu.mul.packed.f32x2 %a, %b : vector<2xf32>
    ```
  }];
  let arguments = (ins NVGPU_F32x2:$a, NVGPU_F32x2:$b,
                       DefaultValuedAttr<NVGPU_PackedRounding, "::mlir::nvgpu::PackedRounding::RN">:$rnd, UnitAttr:$ftz);
  let results = (outs NVGPU_F32x2:$res);
  let assemblyFormat = "$a `,` $b (`,` $rnd^)? (`ftz` $ftz^)? attr-dict `:` type($res)";
}

#endif // TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSION_TD
