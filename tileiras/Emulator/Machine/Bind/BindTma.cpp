//===- BindTma.cpp - Bulk and tensor copies, tensor maps --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The modifiers of tensor copies may come in many orders; the instruction table accepts them all, and here is checked
// which of them there are.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Bind/Binder.h"

#include "tileiras/Emulator/Machine/Async/Tma.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"

using namespace tileiras::emu;

namespace {

bool reduceOf(const Instruction &inst, ReduceOp &op) {
  static constexpr std::pair<std::string_view, ReduceOp> ops[] = {
      {"add", ReduceOp::Add}, {"min", ReduceOp::Min}, {"max", ReduceOp::Max}, {"inc", ReduceOp::Inc},
      {"dec", ReduceOp::Dec}, {"and", ReduceOp::And}, {"or", ReduceOp::Or},   {"xor", ReduceOp::Xor}};
  for (auto &[name, value] : ops)
    if (inst.has(name)) {
      op = value;
      return true;
    }
  return false;
}

} // namespace

TmaAux &Binder::newTmaAux(Inst &i) {
  auto aux = std::make_shared<TmaAux>();
  i.aux = aux.get();
  program.auxes.push_back(aux);
  return *aux;
}

/// Address operand `op`, in `space` unless a variable says otherwise.
bool Binder::tmaAddress(const Instruction &inst, const Operand &op, Space space, TmaAddress &out) {
  if (op.kind != Operand::Mem)
    return error(op.loc, "expected an address in brackets");
  const Operand &base = op.parts[0];
  if (base.kind == Operand::Name)
    return error(base.loc, "undefined name '" + std::string(base.name) + "'");
  if (base.kind == Operand::Reg && regBits(base) != 32 && regBits(base) != 64)
    return error(base.loc, "an address register must have 32 or 64 bits");
  if (base.kind != Operand::Reg && base.kind != Operand::Var && base.kind != Operand::Int)
    return error(base.loc, "expected an address");
  Inst scratch;
  address(inst, op, scratch, out.aux);
  if (base.kind != Operand::Var)
    out.aux.space = space;
  else if (space != Space::Generic && out.aux.space != space)
    return error(base.loc, "variable '" + base.var->name + "' is not in ." + spaceName(space) + " space");
  out.row = scratch.a;
  out.offset = scratch.imm;
  return true;
}

/// Source operand of exactly this width; false after an error.
bool Binder::tmaSource(const Operand &op, Type type, Row &row) {
  if (op.kind == Operand::Name)
    return error(op.loc, "undefined name '" + std::string(op.name) + "'");
  if (op.kind == Operand::Reg && (fn.registers[op.reg].type == Type::Pred || regBits(op) != typeBits(type)))
    return error(op.loc, "register '" + fn.registers[op.reg].name + "' does not have " +
                             std::to_string(typeBits(type)) + " bits");
  if (op.kind != Operand::Reg && op.kind != Operand::Int && op.kind != Operand::Special)
    return error(op.loc, "expected a register or a constant");
  row = source(op, type);
  return true;
}

/// Vector operand `{...}` of `count` values.
bool Binder::tmaVector(const Operand &op, unsigned count, Type type, Row *rows, const char *what) {
  if (op.kind != Operand::Vector || op.parts.size() != count)
    return error(op.loc, "expected " + std::to_string(count) + " " + what + " in braces");
  for (unsigned k = 0; k != count; ++k)
    if (!tmaSource(op.parts[k], type, rows[k]))
      return false;
  return true;
}

/// cp.async.bulk, cp.reduce.async.bulk, cp.async.bulk.prefetch.
bool Binder::bindBulk(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  TmaAux &x = newTmaAux(i);
  bool reduce = inst.has("reduce"), fromGlobal = false;
  Space first = spaceOf(inst); // the destination comes first
  if (inst.has("prefetch")) {
    x.kind = TmaKind::BulkPrefetch;
    if (!tmaAddress(inst, ops[0], Space::Global, x.src) || !tmaSource(ops[1], Type::U32, x.size))
      return true;
    return finish(i, handlers::tmaCopy);
  }
  if (reduce) {
    reduceOf(inst, x.reduce);
    x.type = inst.type();
    x.kind = first == Space::Global ? TmaKind::BulkReduceGlobal : TmaKind::BulkReduceShared;
  } else if (first == Space::Global) {
    x.kind = TmaKind::BulkStore;
  } else {
    fromGlobal = inst.has("global");
    x.kind = fromGlobal ? TmaKind::BulkLoad : TmaKind::BulkRemote;
    x.ownCta = fromGlobal && inst.has("shared::cta");
  }
  if (!tmaAddress(inst, ops[0], first, x.dst) ||
      !tmaAddress(inst, ops[1], fromGlobal ? Space::Global : Space::Shared, x.src) ||
      !tmaSource(ops[2], Type::U32, x.size))
    return true;
  size_t at = 3;
  if (x.hasBarrier() && !tmaAddress(inst, ops[at++], Space::Shared, x.bar))
    return true;
  x.multicast = inst.has("multicast::cluster");
  x.byteMask = inst.has("cp_mask");
  if (x.multicast && !tmaSource(ops[at++], Type::U16, x.mask))
    return true;
  if (inst.has("L2::cache_hint"))
    ++at; // the policy: a hint to the caches, checked by the verifier
  if (x.byteMask && !tmaSource(ops[at++], Type::U16, x.mask))
    return true;
  return finish(i, handlers::tmaCopy);
}

/// cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, cp.async.bulk.prefetch.tensor.
bool Binder::bindTensorCopy(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  TmaAux &x = newTmaAux(i);
  unsigned count[8] = {};
  enum { Destination, Mode, Completion, Multicast, Group, Hint, Reduce, Other };
  bool toGlobal = false, fromShared = false, isPrefetch = inst.has("prefetch");
  Space firstSpace = spaceOf(inst);
  bool scatter = false;
  for (std::string_view m : inst.mods) {
    if (m.size() == 2 && m[1] == 'd' && m[0] >= '1' && m[0] <= '5') {
      x.dim = uint8_t(m[0] - '0');
    } else if (m == "tile" || m == "tile::gather4" || m == "tile::scatter4" || m.substr(0, 6) == "im2col") {
      ++count[Mode];
      scatter = m == "tile::scatter4";
      x.mode = m == "tile"                       ? TmaMode::Tile
               : m == "tile::gather4" || scatter ? TmaMode::Gather4
               : m == "im2col"                   ? TmaMode::Im2col
               : m == "im2col::w"                ? TmaMode::Im2colW
               : m == "im2col::w::128"           ? TmaMode::Im2colW128
                                                 : TmaMode::Im2colNoOffs;
    } else if (m == "mbarrier::complete_tx::bytes" || m == "bulk_group") {
      ++count[Completion];
    } else if (m == "multicast::cluster") {
      ++count[Multicast];
      x.multicast = true;
    } else if (m == "cta_group::1" || m == "cta_group::2") {
      ++count[Group];
      x.pair = m == "cta_group::2";
    } else if (m == "L2::cache_hint") {
      ++count[Hint];
    }
  }
  bool isReduce = inst.has("reduce");
  bool grouped = inst.has("bulk_group");
  toGlobal = firstSpace == Space::Global && !isPrefetch;
  fromShared = toGlobal && inst.has("shared::cta");
  bool load = !toGlobal && !isPrefetch;
  auto refuse = [&](std::string what) { return error(inst.loc, std::move(what)), true; };
  for (unsigned n : count)
    if (n > 1)
      return refuse("a modifier is given twice");
  if (isReduce && !reduceOf(inst, x.reduce))
    return refuse("a reduction needs an operation");
  if (!isReduce && reduceOf(inst, x.reduce))
    return refuse("only cp.reduce.async.bulk.tensor has an operation");
  if (toGlobal && !fromShared)
    return refuse("the source of a store is .shared::cta");
  if (load && !inst.has("global"))
    return refuse("the source of a load is .global");
  if (isReduce && !toGlobal)
    return refuse("reductions go to .global");
  if (!isPrefetch && (toGlobal != grouped || count[Completion] != 1))
    return refuse(toGlobal ? "a store needs .bulk_group" : "a load needs .mbarrier::complete_tx::bytes");
  x.ownCta = load && inst.has("shared::cta");
  if (x.multicast && (!load || x.ownCta))
    return refuse(".multicast::cluster needs the destination .shared::cluster");
  if (count[Group] && !load)
    return refuse(".cta_group needs completion by mbarrier");
  bool isStoreMode = scatter || x.mode == TmaMode::Im2colNoOffs;
  bool isLoadMode = x.mode != TmaMode::Tile && !isStoreMode;
  if ((toGlobal && isLoadMode) || (!toGlobal && isStoreMode) || (isReduce && scatter))
    return refuse("this mode does not exist for this direction");
  bool newMode = x.mode == TmaMode::Gather4 || x.mode == TmaMode::Im2colW || x.mode == TmaMode::Im2colW128;
  if ((newMode || count[Group]) && program.ast->sm < 100)
    return refuse("'" + std::string(inst.text.substr(0, inst.text.find_first_of(" \t"))) +
                  "' needs sm_100, the module's target is " + program.ast->target);
  bool im2col = x.mode != TmaMode::Tile && x.mode != TmaMode::Gather4;
  if (im2col && x.dim < 3)
    return refuse("im2col needs 3 to 5 dimensions");
  if (x.mode == TmaMode::Gather4 && x.dim != 2)
    return refuse("gather4 and scatter4 need 2 dimensions");
  x.kind = isReduce     ? TmaKind::TensorReduce
           : toGlobal   ? TmaKind::TensorStore
           : isPrefetch ? TmaKind::TensorPrefetch
                        : TmaKind::TensorLoad;

  bool wantsInfo = isLoadMode && im2col;
  size_t expected = (isPrefetch ? 1 : toGlobal ? 2 : 3) + (wantsInfo ? 1 : 0) + (x.multicast ? 1 : 0) + count[Hint];
  if (ops.size() != expected)
    return refuse("this form takes " + std::to_string(expected) + " operands, found " + std::to_string(ops.size()));
  size_t at = 0;
  if (load && !tmaAddress(inst, ops[at++], Space::Shared, x.dst))
    return true;
  const Operand &map = ops[at++];
  if (!tmaAddress(inst, map, Space::Generic, x.map))
    return true;
  if (map.parts.size() != 2)
    return error(map.loc, "expected a tensor map and its coordinates, [map, {x, ...}]"), true;
  x.coordCount = x.mode == TmaMode::Gather4 ? 5 : x.dim;
  if (!tmaVector(map.parts[1], x.coordCount, Type::S32, x.coords, "coordinates"))
    return true;
  if (load && !tmaAddress(inst, ops[at++], Space::Shared, x.bar))
    return true;
  if (toGlobal && !tmaAddress(inst, ops[at++], Space::Shared, x.src))
    return true;
  if (wantsInfo) {
    x.infoCount = x.mode == TmaMode::Im2col ? uint8_t(x.dim - 2) : 2;
    if (!tmaVector(ops[at++], x.infoCount, Type::U16, x.info, "im2col values"))
      return true;
  }
  if (x.multicast && !tmaSource(ops[at++], Type::U16, x.mask))
    return true;
  Row policy;
  if (count[Hint] && !tmaSource(ops[at++], Type::B64, policy))
    return true;
  return finish(i, handlers::tmaCopy);
}

bool Binder::bindTensormapReplace(const Instruction &inst, Inst &i) {
  static constexpr std::pair<std::string_view, TensormapField> fields[] = {
      {"global_address", TensormapField::GlobalAddress},
      {"rank", TensormapField::Rank},
      {"box_dim", TensormapField::BoxDim},
      {"global_dim", TensormapField::GlobalDim},
      {"global_stride", TensormapField::GlobalStride},
      {"element_stride", TensormapField::ElementStride},
      {"elemtype", TensormapField::ElemType},
      {"interleave_layout", TensormapField::InterleaveLayout},
      {"swizzle_mode", TensormapField::SwizzleMode},
      {"swizzle_atomicity", TensormapField::SwizzleAtomicity},
      {"fill_mode", TensormapField::FillMode}};
  const std::vector<Operand> &ops = inst.operands;
  TensormapField field = TensormapField::Rank;
  for (auto &[name, value] : fields)
    if (inst.has(name))
      field = value;
  TmaAux &x = newTmaAux(i);
  if (!tmaAddress(inst, ops[0], spaceOf(inst), x.dst))
    return true;
  uint64_t ordinal = 0;
  if (ops.size() == 3) {
    ordinal = ops[1].bits;
    if (ordinal > (field == TensormapField::GlobalStride ? 3u : 4u))
      return error(ops[1].loc, "ordinal " + std::to_string(ordinal) + " is out of range"), true;
  }
  // PTX ISA, tensormap.replace, Target ISA Notes.
  if (field == TensormapField::SwizzleMode && ops.back().bits > 3 && program.ast->sm < 103)
    return error(ops.back().loc, "swizzle mode " + std::to_string(ops.back().bits) +
                                     " needs sm_103, the module's target is " + program.ast->target),
           true;
  i.e = uint32_t(field) | uint32_t(ordinal) << 8;
  i.b = source(ops.back(), inst.type());
  return finish(i, handlers::tensormapReplace);
}

/// st.async and red.async with completion by mbarrier.
bool Binder::bindStoreAsync(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  TmaAux &x = newTmaAux(i);
  x.type = inst.type();
  i.flags = reduceOf(inst, x.reduce) ? 1 : 0;
  i.count = uint8_t(typeBits(x.type) / 8);
  Space space = inst.has("shared::cluster") ? Space::Shared : Space::Generic;
  if (!tmaAddress(inst, ops[0], space, x.dst) || !tmaAddress(inst, ops[2], space, x.bar))
    return true;
  std::vector<Operand> values = ops[1].kind == Operand::Vector ? ops[1].parts : std::vector<Operand>{ops[1]};
  x.dst.aux.count = 0;
  for (const Operand &v : values) {
    if (v.kind == Operand::Reg && regBits(v) != typeBits(x.type))
      return error(v.loc, "register '" + fn.registers[v.reg].name + "' does not fit type ." + typeName(x.type)), true;
    x.dst.aux.rows[x.dst.aux.count++] = source(v, x.type);
  }
  return finish(i, handlers::storeAsync);
}

Binder::Bound Binder::bindTma(const Instruction &inst, Inst &i) {
  const std::vector<Operand> &ops = inst.operands;
  switch (inst.row->op) {
  case Op::Bulk:
    return bindBulk(inst, i);
  case Op::TensorCopy:
    return bindTensorCopy(inst, i);
  case Op::BulkCommit:
    return finish(i, handlers::bulkCommit);
  case Op::BulkWait:
    i.imm = ops[0].bits;
    i.flags = inst.has("read") ? 1 : 0;
    return finish(i, handlers::bulkWait);
  case Op::TensormapReplace:
    return bindTensormapReplace(inst, i);
  case Op::TensormapCopyFence: {
    TmaAux &x = newTmaAux(i);
    if (ops[2].bits != 128)
      return error(ops[2].loc, "tensormap.cp_fenceproxy copies 128 bytes"), true;
    i.imm = scopeOf(inst);
    if (!tmaAddress(inst, ops[0], Space::Global, x.dst) || !tmaAddress(inst, ops[1], Space::Shared, x.src))
      return true;
    return finish(i, handlers::tensormapCopyFence);
  }
  case Op::StoreAsync:
    return bindStoreAsync(inst, i);
  default:
    return std::nullopt;
  }
}
