//===- TmaDescriptor.cpp - Tensor maps built on the device ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels are launched with plain arguments, so nobody but themselves can make tensor maps. Each module has a table of
// them in global memory (zeroed when it is loaded), found by what they are made of:
//
//     bytes 0..127    the tensor map
//     bytes 128..135  0 free, 1 somebody is building it; if it is ready, a number for all that the type says
//     bytes 144..     the rest of the key: base, run-time strides, run-time extents, two of these in a word
//
// A warp looks an entry up at a place that the key gives, all lanes at that one, which is a sector of memory and nearly
// always the right one. If it is not, each lane looks at one of the 32 entries from there on. Where none has the key,
// the first free one is claimed by compare-and-swap, built with tensormap.replace, and published: fence.proxy.tensormap
// release, then a release store of the state (PTX ISA, "fence.proxy", "tensormap.replace"). Who finds a ready one has
// loaded the state with acquire. What others are building before the first free entry is waited for, as it may have the
// key. Entries are never written again, so whoever uses one, in whatever block or launch, need not be waited for.
// Before the others use the map, the lane that found it executes the acquire fence of the tensormap proxy, and they
// meet.
//
// Maps that are made one after the other are looked up at the same time, by a warp each.
//
// All lanes go through the same loop together. One thread with a loop of its own would cost every kernel the uniform
// registers behind it: ptxas does not take a warp for being together again.
//
// No entry within reach, or values that no tensor map can have: the address is null.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Conversion/TileASToLLVM/Lowering.h"
#include "tileiras/Conversion/TileASToLLVM/TileAccess.h"
#include "tileiras/Conversion/TileASToLLVM/Tma.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/TargetTable.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::tilellvm;
using P = LLVM::ICmpPredicate;

namespace {

constexpr llvm::StringLiteral kTable = "tileir_tensormaps";
constexpr int64_t kEntries = 1024, kEntryBytes = 256, kState = 128, kKey = 144;
/// What an entry says that is not ready; no number of a type is one of these.
enum State { Free, Claimed, OutOfReach, States };

class DescriptorTable {
public:
  DescriptorTable(Emitter &e, nv_tileas::MakeTiledTmaDescOp op, Value view)
      : e(e), type(op.getView().getType()), memref(e, view, type.getSource()),
        atom(*nv_tileas::getTmaAtom(op.getAtom())), elementBytes(nv_tileas::getStorageBytes(type.getElementType())),
        isSigned(op.getIsSigned()), signature(numberOfType()) {
    key.push_back(LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(64), memref.base));
    llvm::copy_if(memref.strides, std::back_inserter(key), [](Value v) { return bool(v); });
    // From 1 to 2^32 in a map, so that the lower half says which.
    Value first;
    for (Value v : memref.sizes) {
      if (!v)
        continue;
      Value half = e.resize(e.resize(v, e.intTy(32)), e.intTy(64));
      if (first)
        key.back() = e.ori(first, e.shl(half, 32));
      else
        key.push_back(half);
      first = first ? Value() : half;
    }
  }

  /// Whether a tensor map can have these values: base, extents, strides (cuTensorMapEncodeTiled).
  Value canBeDescribed() {
    Value all = isMultiple(key[0], 16);
    for (int t = 0; t < int(type.getRank()); ++t) {
      unsigned d = type.getDimMap()[t];
      if (Value extent = memref.sizes[d])
        all = e.andi(all, e.icmp(P::ult, e.sub(extent, e.i64(1)), e.i64(nv_tileas::kMaxTmaExtent)));
      if (Value stride = memref.strides[d]) {
        // From 16 bytes to 2^40.
        Value least = e.i64(16 / elementBytes), range = e.i64((int64_t(1) << 40) / elementBytes - 16 / elementBytes);
        Value fits = e.andi(isMultiple(stride, 16 / elementBytes), e.icmp(P::ult, e.sub(stride, least), range));
        all = e.andi(all, fits);
      }
    }
    return all;
  }

  /// The address of the ready entry with our key, i64; 0 if there is none and no room.
  Value find() {
    Type word = e.intTy(32);
    Value first = hash(), lane = e.lane();
    Value home = entryAt(e, first);
    Value entry = entryAt(e, e.andi(e.add(first, e.resize(lane, e.intTy(64))), e.i64(kEntries - 1)));
    Value mine = LLVM::ShlOp::create(e.b, e.loc, e.i32(1), lane);
    auto loop = scf::WhileOp::create(
        e.b, e.loc, TypeRange{word, word}, e.i32(1),
        [&](OpBuilder &b, Location loc, ValueRange reach) {
          Emitter in(b, loc);
          Value inReach = in.icmp(P::ult, lane, reach[0]);
          Value now = in.select(inReach, load(in, in.select(inReach, entry, home)), in.i64(OutOfReach));
          Value same = hasKey(in, entry, now), free = ballot(in, in.icmp(P::eq, now, in.i64(Free))),
                claimed = ballot(in, in.icmp(P::eq, now, in.i64(Claimed)));
          Value none = in.icmp(P::eq, ballot(in, same), in.i32(0));
          Value firstFree = in.andi(free, in.sub(in.i32(0), free));
          Value before = in.andi(claimed, in.sub(firstFree, in.i32(1)));
          Value claims = in.andi(in.andi(none, in.icmp(P::eq, before, in.i32(0))), in.icmp(P::eq, mine, firstFree));
          Value found = ballot(in, in.ori(same, claim(in, entry, claims)));
          // All 32 the next time; a constant would make LLVM write the first time out by itself.
          Value seen = in.ori(free, claimed), next = in.ori(seen, in.i32(32));
          Value hope = in.ori(in.icmp(P::ne, seen, in.i32(0)), in.icmp(P::eq, reach[0], in.i32(1)));
          scf::ConditionOp::create(b, loc, in.andi(in.icmp(P::eq, found, in.i32(0)), hope), {found, next});
        },
        [&](OpBuilder &b, Location loc, ValueRange last) { scf::YieldOp::create(b, loc, last[1]); });
    Value found = loop.getResult(0), number = LLVM::CountTrailingZerosOp::create(e.b, e.loc, word, found, false);
    Value any = e.icmp(P::ne, found, e.i32(0));
    e.onlyIf(e.andi(any, e.icmp(P::eq, number, lane)), [&](Emitter &one) {
      Value map = LLVM::AddrSpaceCastOp::create(one.b, one.loc, one.ptrTy(0), entry);
      NVVM::FenceProxyAcquireOp::create(one.b, one.loc, NVVM::MemScopeKind::GPU, map, one.i32(128));
    });
    Value slot = e.andi(e.add(first, e.resize(number, e.intTy(64))), e.i64(kEntries - 1));
    return e.select(any, LLVM::PtrToIntOp::create(e.b, e.loc, e.intTy(64), entryAt(e, slot)), e.i64(0));
  }

private:
  Value isMultiple(Value v, int64_t of) { return e.icmp(P::eq, e.andi(v, e.i64(of - 1)), e.i64(0)); }

  /// A number for what the types say, above those of State.
  int64_t numberOfType() {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << type.getSource() << " order";
    for (int32_t d : atom.order)
      os << ' ' << type.getDimMap()[d];
    os << " box";
    for (int32_t d : atom.order)
      os << ' ' << atom.box[d];
    os << " swizzle " << atom.swizzle << '/' << atom.atomBytes;
    if (isSigned)
      os << " signed";
    if (type.getRounded())
      os << " rounded";
    return int64_t(llvm::xxh3_64bits(text) | States);
  }

  /// Where to look first.
  Value hash() {
    Value sum = e.i64(signature);
    uint64_t factor = 0x9E3779B97F4A7C15; // odd
    for (Value v : key) {
      sum = e.add(sum, e.mul(v, e.i64(int64_t(factor))));
      factor = factor * 0xBF58476D1CE4E5B9 | 1;
    }
    return e.lshr(sum, 64 - llvm::Log2_64(kEntries));
  }

  Value entryAt(Emitter &in, Value slot) {
    Value table = LLVM::AddressOfOp::create(in.b, in.loc, in.ptrTy(kGlobal), kTable);
    return in.offsetBytes(table, in.mul(slot, in.i64(kEntryBytes)));
  }
  static Value load(Emitter &in, Value entry) {
    return inlinePtx(in, in.intTy(64), in.offsetBytes(entry, kState), "ld.acquire.gpu.global.b64 $0, [$1];",
                     "=l,l,~{memory}", Access::Any);
  }

  static Value ballot(Emitter &in, Value condition) {
    return NVVM::VoteSyncOp::create(in.b, in.loc, in.intTy(32), in.i32(-1), condition, NVVM::VoteSyncKind::ballot);
  }

  /// Builds the entry where `claims` is true, unless somebody else has claimed it meanwhile. Whether it has.
  Value claim(Emitter &in, Value entry, Value claims) {
    auto branch = scf::IfOp::create(in.b, in.loc, TypeRange{in.intTy(1)}, claims, true);
    OpBuilder::InsertionGuard guard(in.b);
    in.b.setInsertionPointToStart(branch.thenBlock());
    Value before = inlinePtx(in, in.intTy(64), in.offsetBytes(entry, kState),
                             "atom.relaxed.gpu.global.cas.b64 $0, [$1], 0, 1;", "=l,l,~{memory}", Access::Any);
    // Assemblers before that of PTX 8.6 took strides in units of 16 bytes.
    before.getDefiningOp()->setAttr(::tileiras::kPtxVersionAttr, in.b.getI32IntegerAttr(86));
    Value ours = in.icmp(P::eq, before, in.i64(Free));
    in.onlyIf(ours, [&](Emitter &one) { build(one, entry); });
    scf::YieldOp::create(in.b, in.loc, ours);
    in.b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(in.b, in.loc, in.i1(false));
    return branch.getResult(0);
  }

  /// Whether the entry is ready and ours; the key of one that is not ready may be written.
  Value hasKey(Emitter &in, Value entry, Value now) {
    auto branch = scf::IfOp::create(in.b, in.loc, TypeRange{in.intTy(1)}, in.icmp(P::eq, now, in.i64(signature)), true);
    OpBuilder::InsertionGuard guard(in.b);
    in.b.setInsertionPointToStart(branch.thenBlock());
    Value all;
    for (auto [i, v] : llvm::enumerate(key)) {
      Value there = LLVM::LoadOp::create(in.b, in.loc, in.intTy(64), in.offsetBytes(entry, kKey + 8 * int64_t(i)), 8);
      Value same = in.icmp(P::eq, there, v);
      all = all ? in.andi(all, same) : same;
    }
    scf::YieldOp::create(in.b, in.loc, all);
    in.b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(in.b, in.loc, in.i1(false));
    return branch.getResult(0);
  }

  void build(Emitter &in, Value entry) {
    auto replace = [&](StringRef field, ValueRange values) {
      SmallVector<Value> arguments = {entry};
      llvm::append_range(arguments, values);
      LLVM::CallIntrinsicOp::create(in.b, in.loc, in.b.getStringAttr(("llvm.nvvm.tensormap.replace." + field).str()),
                                    arguments);
    };
    replace("global.address", key[0]);
    replace("rank", in.i32(type.getRank() - 1));
    replace("elemtype", in.i32(*nv_tileas::getTmaElementCode(type, isSigned)));
    replace("interleave.layout", in.i32(0));
    replace("swizzle.mode", in.i32(atom.swizzle == 0 ? 0 : llvm::Log2_32(atom.swizzle) - 4));
    if (atom.atomBytes == 32)
      replace("swizzle.atomicity", in.i32(1));
    replace("fill.mode", in.i32(0));
    for (auto [k, t] : llvm::enumerate(atom.order)) {
      unsigned d = type.getDimMap()[t];
      Value ordinal = in.i32(k);
      replace("global.dim", {ordinal, in.resize(memref.size(in, d), in.intTy(32))});
      replace("box.dim", {ordinal, in.i32(atom.box[t])});
      replace("element.stride", {ordinal, in.i32(1)});
      if (k > 0)
        replace("global.stride", {in.i32(k - 1), strideBytes(in, d)});
    }
    for (auto [i, v] : llvm::enumerate(key))
      LLVM::StoreOp::create(in.b, in.loc, v, in.offsetBytes(entry, kKey + 8 * int64_t(i)), 8);
    NVVM::FenceProxyReleaseOp::create(in.b, in.loc, NVVM::MemScopeKind::GPU);
    inlinePtx(in, Type(), ValueRange{in.offsetBytes(entry, kState), in.i64(signature)},
              "st.release.gpu.global.b64 [$0], $1;", "l,l,~{memory}", Access::Any);
  }

  /// Along a dimension of one element nobody steps, its stride only has to be one that a tensor map takes.
  Value strideBytes(Emitter &in, unsigned d) {
    if (memref.strides[d])
      return in.mul(memref.strides[d], in.i64(elementBytes));
    int64_t bytes = memref.type.getStrides()[d] * elementBytes;
    return in.i64(memref.type.getShape()[d] == 1 ? 16 : bytes);
  }

  Emitter &e;
  nv_tileaa::TiledViewType type;
  MemRefParts memref;
  nv_tileas::TmaAtom atom;
  int64_t elementBytes;
  bool isSigned;
  int64_t signature;
  SmallVector<Value> key; ///< behind `signature`
};

struct MakeTiledTmaDesc : TilePattern<nv_tileas::MakeTiledTmaDescOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(nv_tileas::MakeTiledTmaDescOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const ::tileiras::TargetInfo *target = nv_tileaa::getTarget(op);
    if (!target || !target->tensormapReplace)
      return op.emitOpError("needs tensormap.replace, which this target does not have");
    if (nv_tileas::getTmaAtom(op.getAtom())->atomBytes != 16 && !nv_tileas::hasWideAtoms(*target))
      return op.emitOpError("needs a swizzle with atoms of 32 bytes, which this target does not have");
    // PTX ISA, "tensormap.replace": there are no fields for bounding boxes and pixels.
    if (nv_tileas::getTmaAtom(op.getAtom())->isIm2col)
      return op.emitOpError("in im2col mode is made by the host (tma-descriptors=host)");
    Emitter e(rewriter, op.getLoc());
    makeTable(e);
    auto slot = op->getAttrOfType<DenseI64ArrayAttr>(nv_tileas::kSlotAttr);
    if (!slot)
      return op.emitOpError("has no place to be handed over");
    int64_t number = slot[1];
    if (number == 0)
      e.barrier(); // Nobody uses the scratch memory any more.
    Value result = sharedAddress(e, slot[0]);
    int warps = e.threads().numWarps;
    int mine = e.threads().firstLayoutWarp + int(number % warps);
    Value chosen = warps > 1 ? e.icmp(P::eq, uniformWarp(e), e.i32(mine)) : Value();
    e.onlyIf(chosen, [&](Emitter &warp) {
      DescriptorTable table(warp, op, adaptor.getView());
      auto branch = scf::IfOp::create(warp.b, warp.loc, TypeRange{warp.intTy(64)},
                                      warp.both(adaptor.getWanted(), table.canBeDescribed()), true);
      {
        OpBuilder::InsertionGuard guard(warp.b);
        warp.b.setInsertionPointToStart(branch.thenBlock());
        scf::YieldOp::create(warp.b, warp.loc, table.find());
        warp.b.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(warp.b, warp.loc, warp.i64(0));
      }
      warp.onlyIf(electedLane(warp),
                  [&](Emitter &one) { LLVM::StoreOp::create(one.b, one.loc, branch.getResult(0), result, 8); });
    });
    // Behind the last one of the run, where the warps have met.
    Operation *last = op;
    while (last->getAttrOfType<DenseI64ArrayAttr>(nv_tileas::kSlotAttr)[1] + 1 != slot[2])
      do
        last = last->getNextNode();
      while (!isa<nv_tileas::MakeTiledTmaDescOp>(last));
    if (last == op)
      e.barrier();
    else
      rewriter.setInsertionPointAfter(last);
    Value found = LLVM::LoadOp::create(e.b, e.loc, e.intTy(64), sharedAddress(e, slot[0]), 8);
    Value inTable = LLVM::IntToPtrOp::create(e.b, e.loc, e.ptrTy(kGlobal), found);
    Value map = LLVM::AddrSpaceCastOp::create(e.b, e.loc, e.ptrTy(0), inTable);
    rewriter.replaceOp(op, {map, e.icmp(P::ne, found, e.i64(0))});
    return success();
  }

  static void makeTable(Emitter &e) {
    Operation *table = e.symbolTable();
    if (SymbolTable::lookupSymbolIn(table, kTable))
      return;
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(&table->getRegion(0).front());
    auto type = LLVM::LLVMArrayType::get(e.intTy(8), kEntries * kEntryBytes);
    LLVM::GlobalOp::create(e.b, e.loc, type, /*isConstant=*/false, LLVM::Linkage::Internal, kTable,
                           LLVM::ZeroAttr::get(e.context()), /*alignment=*/128, kGlobal);
  }
};

} // namespace

void tilellvm::planTensorMaps(Operation *func) {
  func->walk([](Block *block) {
    SmallVector<nv_tileas::MakeTiledTmaDescOp> run;
    auto end = [&] {
      for (auto [i, op] : llvm::enumerate(run)) {
        auto offset = run.front()->getAttrOfType<IntegerAttr>(nv_tileas::kScratchOffsetAttr);
        if (offset)
          op->setAttr(nv_tileas::kSlotAttr,
                      DenseI64ArrayAttr::get(op.getContext(), {offset.getInt() + kTensorMapAddressBytes * int64_t(i),
                                                               int64_t(i), int64_t(run.size())}));
      }
      run.clear();
    };
    for (Operation &op : *block) {
      bool uses = llvm::any_of(op.getOperands(), [&](Value v) { return llvm::is_contained(run, v.getDefiningOp()); });
      auto make = dyn_cast<nv_tileas::MakeTiledTmaDescOp>(op);
      if (uses || (!make && !isa<nv_tileas::AllocTensorOp>(op) && !isMemoryEffectFree(&op)) ||
          int64_t(run.size()) == kMostTensorMapsInRun)
        end();
      if (make)
        run.push_back(make);
    }
    end();
  });
}

void tilellvm::populateTmaDescriptorPatterns(const TileLLVMTypeConverter &converter, RewritePatternSet &patterns,
                                             const LoweringOptions &options) {
  patterns.add<MakeTiledTmaDesc>(converter, patterns.getContext(), options);
}
