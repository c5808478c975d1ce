//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which PTX version a kernel needs. The version is kept low because an older
// ptxas then still assembles the text; the "PTX ISA Notes" of each instruction
// are where the numbers come from.
//
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/PtxNeeds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/NVGPU/Contract.h"
#include "tileiras/Support/LoweringFacts.h"

using namespace mlir;

namespace tileiras {

namespace {
/// A piece of the name of an operation, an intrinsic or an instruction (in PTX that came with the module), and the
/// version that brought it. Only versions above the least one are worth a row.
struct Feature {
  const char *text;
  int version;
};

const Feature features[] = {
    {"e4m3", 81}, // cvt to and from fp8 on sm_89
    {"e5m2", 81},
    {"f8x2", 81},
    {"st.async", 81},
    {"red.async", 81},
    {"tensormap", 83},           // tensormap.replace, .cp_fenceproxy, fence.proxy.tensormap
    {"fence.proxy.acquire", 83}, // NVVM's names for fence.proxy.tensormap::generic
    {"fence.proxy.release", 83},
    {".b128", 83},
    {"tcgen05", 86},
    {"clusterlaunchcontrol", 86},
    {"st.bulk", 86},
    {"sync_restrict", 86},
    {"f32x2 ", 86}, // packed f32 arithmetic
    {".f32x2", 86},
    {"e2m1", 86},
    {"e2m3", 86},
    {"e3m2", 86},
    {"ue8m0", 86},
    {"f4x2", 86},
    {"f6x2", 86},
    {".b8x16", 86}, // ldmatrix/stmatrix of 8-bit and packed elements
    {"m16n16", 86},
    {"m16n8.", 86},
    {".shared::cta.global", 86}, // bulk copies into the own block's window
    {"swizzle.atomicity", 87},   // tensormap.replace
    {"mma.block_scale", 87},
    {"mma.block.scale", 87}, // LLVM's name
    {"kind::f8f6f4", 87},
    {"kind::mxf", 87},
    {".v8.b32", 88}, // 32-byte global accesses
    {".v8.f32", 88},
    {".v4.b64", 88},
    {"blocksareclusters", 90},
};

int versionOfName(StringRef text) {
  int version = 0;
  for (const Feature &feature : features)
    if (feature.version > version && text.contains(feature.text))
      version = feature.version;
  return version;
}

/// mma.sync on fp8 operands came later (8.4) than the conversions.
bool isFp8Mma(StringRef text) {
  return (text.contains("mma.sync") || text.starts_with("llvm.nvvm.mma.")) &&
         (text.contains("e4m3") || text.contains("e5m2"));
}

/// Of scalars and pointers, each at a multiple of its size.
uint64_t parameterBytes(LLVM::LLVMFuncOp func) {
  uint64_t bytes = 0;
  for (Type type : func.getArgumentTypes()) {
    uint64_t size = type.isIntOrFloat() ? std::max(1u, type.getIntOrFloatBitWidth() / 8) : 8;
    bytes = llvm::alignTo(bytes, size) + size;
  }
  return bytes;
}

bool isWideAccess(Operation *op) {
  Type type;
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    type = load.getType();
  else if (auto store = dyn_cast<LLVM::StoreOp>(op))
    type = store.getValue().getType();
  auto vector = dyn_cast_if_present<VectorType>(type);
  return vector && vector.getElementType().isIntOrFloat() &&
         vector.getNumElements() * vector.getElementTypeBitWidth() == 256;
}
} // namespace

/// Versions by name of an operation or of an intrinsic: each repeats hundreds of times and is looked at once.
using KnownNames = llvm::SmallDenseMap<const void *, int>;

static void addNeeds(Operation *op, PtxNeeds &needs, KnownNames &known) {
  auto need = [&](int v) { needs.version = std::max(needs.version, v); };
  if (auto func = dyn_cast<LLVM::LLVMFuncOp>(op)) {
    if (func->hasAttr(NVVM::NVVMDialect::getBlocksAreClustersAttrName()))
      need(90);
    if (parameterBytes(func) > 4352) // PTX ISA "Kernel Function Parameter Attributes"
      need(81);
  } else if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    auto [entry, isNew] = known.try_emplace(call.getIntrinAttr().getAsOpaquePointer(), 0);
    if (isNew)
      entry->second = std::max(versionOfName(call.getIntrin()), isFp8Mma(call.getIntrin()) ? 84 : 0);
    need(entry->second);
  } else if (auto copy = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op)) {
    if (copy.getIsCTAOnly())
      need(86);
  } else if (auto mma = dyn_cast<NVVM::MmaOp>(op)) {
    for (std::optional<NVVM::MMATypes> type : {mma.getMultiplicandAPtxType(), mma.getMultiplicandBPtxType()})
      if (type == NVVM::MMATypes::e4m3 || type == NVVM::MMATypes::e5m2)
        need(84);
  } else if (auto redux = dyn_cast<NVVM::ReduxOp>(op)) {
    if (isa<FloatType>(redux.getType()))
      need(86);
  } else if (auto product = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op)) {
    needs.asynchronousProducts = true;
    for (NVVM::WGMMATypes type : {product.getTypeA(), product.getTypeB()})
      if (type == NVVM::WGMMATypes::e4m3 || type == NVVM::WGMMATypes::e5m2)
        need(81);
  } else if (isWideAccess(op)) {
    need(88);
  }
}

/// PTX that came with the module. Ours says what it needs.
static void addNeedsOfText(Operation *op, StringRef text, PtxNeeds &needs) {
  if (auto version = op->getAttrOfType<IntegerAttr>(kPtxVersionAttr)) {
    needs.version = std::max(needs.version, int(version.getInt()));
    return;
  }
  if (op->hasAttr(kAccessFact))
    return;
  needs.version = std::max({needs.version, versionOfName(text), isFp8Mma(text) ? 84 : 0});
  needs.asynchronousProducts |= text.contains("wgmma.mma_async");
}

PtxNeeds findPtxNeeds(Operation *root) {
  PtxNeeds needs;
  KnownNames names;
  Operation *recorded = nullptr; // the gpu.module around, if it has a record
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op)) {
      auto products = op->getAttrOfType<BoolAttr>(kAsyncProductsAttr);
      auto version = op->getAttrOfType<IntegerAttr>(kPtxVersionAttr);
      recorded = products ? op : nullptr;
      needs.asynchronousProducts |= products && products.getValue();
      needs.version = std::max(needs.version, version ? int(version.getInt()) : 0);
      return;
    }
    auto [known, isNew] = names.try_emplace(op->getName().getAsOpaquePointer(), 0);
    if (isNew)
      known->second = versionOfName(op->getName().getStringRef());
    needs.version = std::max(needs.version, known->second);
    addNeeds(op, needs, names);
    if (recorded && recorded->isProperAncestor(op))
      return;
    if (auto inlineAsm = dyn_cast<LLVM::InlineAsmOp>(op))
      addNeedsOfText(op, inlineAsm.getAsmString(), needs);
    else if (auto inlinePtx = dyn_cast<NVVM::InlinePtxOp>(op))
      addNeedsOfText(op, inlinePtx.getPtxCode(), needs);
  });
  return needs;
}

void recordPtxNeeds(Operation *module) {
  PtxNeeds needs = findPtxNeeds(module);
  Builder builder(module->getContext());
  module->setAttr(kPtxVersionAttr, builder.getI32IntegerAttr(needs.version));
  module->setAttr(kAsyncProductsAttr, builder.getBoolAttr(needs.asynchronousProducts));
}

} // namespace tileiras
