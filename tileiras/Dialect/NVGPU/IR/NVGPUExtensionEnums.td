//===- NVGPUExtensionEnums.td - Enumerations of our operations -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Integers in the generic form and keywords in the pretty one: an attribute of the dialect's own would have to be known
// to its parser, which is MLIR's. In a file that does not include the dialect, or its enumerations were generated again.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSIONENUMS_TD
#define TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSIONENUMS_TD

include "mlir/IR/EnumAttr.td"

class NVGPU_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::nvgpu";
}

def NVGPU_PackedRounding : NVGPU_Enum<"PackedRounding", "rounding mode of a packed operation", [
  I32EnumAttrCase<"RN", 0, "rn">, I32EnumAttrCase<"RZ", 1, "rz">, I32EnumAttrCase<"RM", 2, "rm">,
  I32EnumAttrCase<"RP", 3, "rp">]>;

def NVGPU_PackedKind : NVGPU_Enum<"PackedKind", "what a packed register holds", [
  I32EnumAttrCase<"E4M3x2", 0, "e4m3x2">, I32EnumAttrCase<"E5M2x2", 1, "e5m2x2">,
  I32EnumAttrCase<"E2M3x2", 2, "e2m3x2">, I32EnumAttrCase<"E3M2x2", 3, "e3m2x2">,
  I32EnumAttrCase<"E2M1x2", 4, "e2m1x2">, I32EnumAttrCase<"UE8M0x2", 5, "ue8m0x2">,
  I32EnumAttrCase<"F16x2", 6, "f16x2">, I32EnumAttrCase<"BF16x2", 7, "bf16x2">]>;

def NVGPU_TmaReduxKind : NVGPU_Enum<"TmaReduxKind", "operation of a TMA reduction", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Min", 1, "min">, I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Inc", 3, "inc">, I32EnumAttrCase<"Dec", 4, "dec">, I32EnumAttrCase<"And", 5, "and">,
  I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">]>;

#endif // TILEIRAS_DIALECT_NVGPU_IR_NVGPUEXTENSIONENUMS_TD
