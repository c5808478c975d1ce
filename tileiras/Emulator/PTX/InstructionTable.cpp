//===- InstructionTable.cpp - The instruction set as data -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/PTX/InstructionTable.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>

using namespace tileiras::emu;

namespace {

using C = InstClass;

const std::map<std::string_view, std::string_view> &groups() {
  static const std::map<std::string_view, std::string_view> map = {
      {"$rnd", "rn|rz|rm|rp"},
      {"$int", "u16|u32|u64|s16|s32|s64"},
      {"$xy32", "u32|s32"},
      {"$cc", "u32|s32|u64|s64"},
      {"$cmp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan"},
      {"$bool", "and|or|xor"},
      {"$any", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
      {"$cvt", "u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64"},
      {"$mem", "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f16|f16x2|bf16|bf16x2|f32|f64"},
      {"$scope", "cta|cluster|gpu|sys"},
      {"$space", "global|shared|shared::cta|shared::cluster|local|const|param|param::entry|param::func"},
      {"$cop", "ca|cg|cs|lu|cv|wb|wt"},
      {"$level", "L1::*|L2::*"},
      {"$vec", "v2|v4|v8"},
      {"$spc", "global|shared|shared::cta|shared::cluster|local|const|param|param::entry"},
      {"$atomspace", "global|shared|shared::cta|shared::cluster"},
  };
  return map;
}

struct Source {
  std::string_view opcode;
  Op op;
  InstClass cls;
  std::string_view words, operands;
  unsigned sm;
};

// PTX ISA, chapter Instruction Set, in its order.
const Source sources[] = {
    // Integer arithmetic.
    {"add", Op::Add, C::Integer, "u16|u32|u64|s16|s64", "d,a,a", 0},
    {"add", Op::Add, C::Integer, "sat? s32", "d,a,a", 0},
    {"add", Op::Add, C::Integer, "u16x2|s16x2", "d,a,a", 90},
    {"add", Op::AddCC, C::Integer, "cc $cc", "d,a,a", 0},
    {"addc", Op::AddCC, C::Integer, "cc? $cc", "d,a,a", 0},
    {"sub", Op::Sub, C::Integer, "u16|u32|u64|s16|s64", "d,a,a", 0},
    {"sub", Op::Sub, C::Integer, "sat? s32", "d,a,a", 0},
    {"sub", Op::SubCC, C::Integer, "cc $cc", "d,a,a", 0},
    {"subc", Op::SubCC, C::Integer, "cc? $cc", "d,a,a", 0},
    {"mul", Op::Mul, C::Integer, "hi|lo $int", "d,a,a", 0},
    {"mul", Op::MulWide, C::Integer, "wide u16|s16|u32|s32", "dw,a,a", 0},
    {"mad", Op::Mad, C::Integer, "hi|lo $int", "d,a,a,a", 0},
    {"mad", Op::Mad, C::Integer, "hi sat s32", "d,a,a,a", 0},
    {"mad", Op::MadWide, C::Integer, "wide u16|s16|u32|s32", "dw,a,a,aw", 0},
    {"mad", Op::MadCC, C::Integer, "hi|lo cc $cc", "d,a,a,a", 0},
    {"madc", Op::MadCC, C::Integer, "hi|lo cc? $cc", "d,a,a,a", 0},
    {"mul24", Op::Mul24, C::Integer, "hi|lo $xy32", "d,a,a", 0},
    {"mad24", Op::Mad24, C::Integer, "hi|lo $xy32", "d,a,a,a", 0},
    {"mad24", Op::Mad24, C::Integer, "hi sat s32", "d,a,a,a", 0},
    {"sad", Op::Sad, C::Integer, "$int", "d,a,a,a", 0},
    {"div", Op::Div, C::Integer, "$int", "d,a,a", 0},
    {"rem", Op::Rem, C::Integer, "$int", "d,a,a", 0},
    {"abs", Op::Abs, C::Integer, "s16|s32|s64", "d,a", 0},
    {"neg", Op::Neg, C::Integer, "s16|s32|s64", "d,a", 0},
    {"min", Op::Min, C::Integer, "u16|u32|u64|s16|s64|u16x2", "d,a,a", 0},
    {"min", Op::Min, C::Integer, "relu? s32|s16x2", "d,a,a", 0},
    {"max", Op::Max, C::Integer, "u16|u32|u64|s16|s64|u16x2", "d,a,a", 0},
    {"max", Op::Max, C::Integer, "relu? s32|s16x2", "d,a,a", 0},
    {"popc", Op::Popc, C::Integer, "b32|b64", "d:u32,a", 0},
    {"clz", Op::Clz, C::Integer, "b32|b64", "d:u32,a", 0},
    {"bfind", Op::Bfind, C::Integer, "shiftamt? $cc", "d:u32,a", 0},
    {"brev", Op::Brev, C::Integer, "b32|b64", "d,a", 0},
    {"bfe", Op::Bfe, C::Integer, "$cc", "d,a,a:u32,a:u32", 0},
    {"bfi", Op::Bfi, C::Integer, "b32|b64", "d,a,a,a:u32,a:u32", 0},
    {"bmsk", Op::Bmsk, C::Integer, "clamp|wrap b32", "d,a,a", 70},
    {"szext", Op::Szext, C::Integer, "clamp|wrap $xy32", "d,a,a:u32", 70},
    {"fns", Op::Fns, C::Integer, "b32", "d,a,a:b32,a:s32", 30},
    {"dp4a", Op::Dp4a, C::Integer, "$xy32 $xy32", "d:b32,a:b32,a:b32,a:b32", 61},
    {"dp2a", Op::Dp2a, C::Integer, "lo|hi $xy32 $xy32", "d:b32,a:b32,a:b32,a:b32", 61},
    // Floating point.
    {"add", Op::Add, C::Float32, "$rnd? ftz? sat? f32", "d,a,a", 0},
    {"add", Op::Add, C::Float32, "$rnd? ftz? f32x2", "d,a,a", 100},
    {"add", Op::Add, C::Float64, "$rnd? f64", "d,a,a", 0},
    {"add", Op::Add, C::Half, "rn? ftz? sat? f16|f16x2", "d,a,a", 53},
    {"add", Op::Add, C::Half, "rn? bf16|bf16x2", "d,a,a", 90},
    // Mixed precision (PTX ISA, "Mixed Precision Floating Point Instructions"): one operand is widened first.
    {"add", Op::Add, C::Float32, "rn? sat? f32 f16|bf16", "d,a1,a", 100},
    {"sub", Op::Sub, C::Float32, "rn? sat? f32 f16|bf16", "d,a1,a", 100},
    {"fma", Op::Fma, C::Float32, "rn sat? f32 f16|bf16", "d,a1,a1,a", 100},
    {"sub", Op::Sub, C::Float32, "$rnd? ftz? sat? f32", "d,a,a", 0},
    {"sub", Op::Sub, C::Float32, "$rnd? ftz? f32x2", "d,a,a", 100},
    {"sub", Op::Sub, C::Float64, "$rnd? f64", "d,a,a", 0},
    {"sub", Op::Sub, C::Half, "rn? ftz? sat? f16|f16x2", "d,a,a", 53},
    {"sub", Op::Sub, C::Half, "rn? bf16|bf16x2", "d,a,a", 90},
    {"mul", Op::Mul, C::Float32, "$rnd? ftz? sat? f32", "d,a,a", 0},
    {"mul", Op::Mul, C::Float32, "$rnd? ftz? f32x2", "d,a,a", 100},
    {"mul", Op::Mul, C::Float64, "$rnd? f64", "d,a,a", 0},
    {"mul", Op::Mul, C::Half, "rn? ftz? sat? f16|f16x2", "d,a,a", 53},
    {"mul", Op::Mul, C::Half, "rn? bf16|bf16x2", "d,a,a", 90},
    {"fma", Op::Fma, C::Float32, "$rnd ftz? sat? f32", "d,a,a,a", 20},
    {"fma", Op::Fma, C::Float32, "$rnd ftz? f32x2", "d,a,a,a", 100},
    {"fma", Op::Fma, C::Float64, "$rnd f64", "d,a,a,a", 0},
    {"fma", Op::Fma, C::Half, "rn ftz? sat? relu? f16|f16x2", "d,a,a,a", 53},
    {"fma", Op::Fma, C::Half, "rn relu? bf16|bf16x2", "d,a,a,a", 80},
    {"fma", Op::Fma, C::Half, "rn oob relu? f16|f16x2|bf16|bf16x2", "d,a,a,a", 90},
    {"mad", Op::Fma, C::Float32, "$rnd? ftz? sat? f32", "d,a,a,a", 0},
    {"mad", Op::Fma, C::Float64, "$rnd f64", "d,a,a,a", 0},
    {"div", Op::Div, C::Special, "approx|full ftz? f32", "d,a,a", 0},
    {"div", Op::Div, C::Special, "$rnd ftz? f32", "d,a,a", 20},
    {"div", Op::Div, C::Special, "$rnd f64", "d,a,a", 0},
    {"abs", Op::Abs, C::Float32, "ftz? f32", "d,a", 0},
    {"abs", Op::Abs, C::Float64, "f64", "d,a", 0},
    {"abs", Op::Abs, C::Half, "ftz? f16|f16x2|bf16|bf16x2", "d,a", 53},
    {"neg", Op::Neg, C::Float32, "ftz? f32", "d,a", 0},
    {"neg", Op::Neg, C::Float64, "f64", "d,a", 0},
    {"neg", Op::Neg, C::Half, "ftz? f16|f16x2|bf16|bf16x2", "d,a", 53},
    {"min", Op::Min, C::Float32, "ftz? NaN? xorsign? abs? f32", "d,a,a", 0},
    {"min", Op::Min3, C::Float32, "ftz? NaN? abs? f32", "d,a,a,a", 100},
    {"min", Op::Min, C::Float64, "f64", "d,a,a", 0},
    {"min", Op::Min, C::Half, "ftz? NaN? xorsign? abs? f16|f16x2|bf16|bf16x2", "d,a,a", 80},
    {"max", Op::Max, C::Float32, "ftz? NaN? xorsign? abs? f32", "d,a,a", 0},
    {"max", Op::Max3, C::Float32, "ftz? NaN? abs? f32", "d,a,a,a", 100},
    {"max", Op::Max, C::Float64, "f64", "d,a,a", 0},
    {"max", Op::Max, C::Half, "ftz? NaN? xorsign? abs? f16|f16x2|bf16|bf16x2", "d,a,a", 80},
    {"rcp", Op::Rcp, C::Special, "approx ftz? f32", "d,a", 0},
    {"rcp", Op::Rcp, C::Special, "$rnd ftz? f32", "d,a", 20},
    {"rcp", Op::Rcp, C::Special, "$rnd f64", "d,a", 0},
    {"rcp", Op::Rcp, C::Special, "approx ftz f64", "d,a", 20},
    {"sqrt", Op::Sqrt, C::Special, "approx ftz? f32", "d,a", 0},
    {"sqrt", Op::Sqrt, C::Special, "$rnd ftz? f32", "d,a", 20},
    {"sqrt", Op::Sqrt, C::Special, "$rnd f64", "d,a", 0},
    {"rsqrt", Op::Rsqrt, C::Special, "approx ftz? f32|f64", "d,a", 0},
    {"sin", Op::Sin, C::Special, "approx ftz? f32", "d,a", 0},
    {"cos", Op::Cos, C::Special, "approx ftz? f32", "d,a", 0},
    {"lg2", Op::Lg2, C::Special, "approx ftz? f32", "d,a", 0},
    {"ex2", Op::Ex2, C::Special, "approx ftz? f32", "d,a", 0},
    {"ex2", Op::Ex2, C::Special, "approx f16|f16x2", "d,a", 75},
    {"ex2", Op::Ex2, C::Special, "approx ftz bf16|bf16x2", "d,a", 90},
    {"tanh", Op::Tanh, C::Special, "approx f32|f16|f16x2|bf16|bf16x2", "d,a", 75},
    {"copysign", Op::Copysign, C::Float32, "f32|f64", "d,a,a", 20},
    {"testp", Op::Testp, C::Compare, "finite|infinite|number|notanumber|normal|subnormal f32|f64", "p,a", 20},
    // Comparison and selection.
    {"set", Op::Set, C::Compare, "$cmp ftz? u32|s32|f32|u16|s16|f16|bf16 $any|f16|bf16", "d,a1,a1", 0},
    {"set", Op::Set, C::Compare, "$cmp $bool ftz? u32|s32|f32|u16|s16|f16|bf16 $any|f16|bf16", "d,a1,a1,P", 0},
    {"set", Op::Set, C::Compare, "$cmp ftz? f16x2|bf16x2 f16x2|bf16x2", "d,a1,a1", 53},
    {"set", Op::Set, C::Compare, "$cmp $bool ftz? f16x2|bf16x2 f16x2|bf16x2", "d,a1,a1,P", 53},
    {"setp", Op::Setp, C::Compare, "$cmp ftz? $any|f16|bf16", "q,a,a", 0},
    {"setp", Op::Setp, C::Compare, "$cmp $bool ftz? $any|f16|bf16", "q,a,a,P", 0},
    {"setp", Op::SetpX2, C::Compare, "$cmp ftz? f16x2|bf16x2", "q,a,a", 53},
    {"setp", Op::SetpX2, C::Compare, "$cmp $bool ftz? f16x2|bf16x2", "q,a,a,P", 53},
    {"selp", Op::Selp, C::Compare, "$any|f16|bf16", "d,a,a,P", 0},
    {"slct", Op::Slct, C::Compare, "ftz? $any s32|f32", "d,a,a,a1", 0},
    // Logic and shift.
    {"and", Op::And, C::Logic, "pred", "p,P,P", 0},
    {"or", Op::Or, C::Logic, "pred", "p,P,P", 0},
    {"xor", Op::Xor, C::Logic, "pred", "p,P,P", 0},
    {"not", Op::Not, C::Logic, "pred", "p,P", 0},
    {"and", Op::And, C::Logic, "b16|b32|b64", "d,a,a", 0},
    {"or", Op::Or, C::Logic, "b16|b32|b64", "d,a,a", 0},
    {"xor", Op::Xor, C::Logic, "b16|b32|b64", "d,a,a", 0},
    {"not", Op::Not, C::Logic, "b16|b32|b64", "d,a", 0},
    {"cnot", Op::Cnot, C::Logic, "b16|b32|b64", "d,a", 0},
    {"lop3", Op::Lop3, C::Logic, "b32", "d,a,a,a,i", 50},
    {"lop3", Op::Lop3Bool, C::Logic, "or|and b32", "e,a,a,a,i,P", 70},
    {"shf", Op::Shf, C::Logic, "l|r clamp|wrap b32", "d,a,a,a:u32", 32},
    {"shl", Op::Shl, C::Logic, "b16|b32|b64", "d,a,a:u32", 0},
    {"shr", Op::Shr, C::Logic, "b16|b32|b64|$int", "d,a,a:u32", 0},
    {"prmt", Op::Prmt, C::Logic, "b32 f4e|b4e|rc8|ecl|ecr|rc16?", "d,a,a,a", 20},
    // Data movement and conversion.
    {"mov", Op::Mov, C::Move, "pred", "p,P", 0},
    {"mov", Op::Mov, C::Move, "b16|b32|b64|b128|$any|f16|f16x2|bf16|bf16x2", "*", 0},
    {"cvt", Op::Cvt, C::Convert, "rn|rz|rm|rp|rna|rni|rzi|rmi|rpi? ftz? sat? $cvt $cvt", "d~,a1~", 0},
    {"cvt", Op::Cvt, C::Convert, "rn|rz relu? satfinite? f16|bf16 f32", "d,a1", 80},
    {"cvt", Op::Cvt, C::Convert, "rn|rz relu? satfinite? f16x2|bf16x2 f32", "d,a1,a1", 80},
    {"cvt", Op::Cvt, C::Convert, "rna satfinite? tf32 f32", "d,a1", 80},
    {"cvt", Op::Cvt, C::Convert, "rn|rz satfinite? relu? satfinite? tf32 f32", "d,a1", 90},
    {"cvt", Op::Cvt, C::Convert, "rn satfinite relu? e4m3x2|e5m2x2 f32", "d,a1,a1", 89},
    {"cvt", Op::Cvt, C::Convert, "rn satfinite relu? e4m3x2|e5m2x2 f16x2", "d,a1", 89},
    {"cvt", Op::Cvt, C::Convert, "rn relu? f16x2 e4m3x2|e5m2x2", "d,a1", 89},
    {"cvt", Op::CvtPack, C::Convert, "pack sat u16|s16 s32", "d:b32,a1,a1", 72},
    {"cvt", Op::CvtPack, C::Convert, "pack sat u8|s8|u4|s4|u2|s2 s32 b32", "d:b32,a:s32,a:s32,a:b32", 72},
    {"cvta", Op::Cvta, C::Move, "to? $spc u64", "d,a", 20},
    {"cvta", Op::Cvta, C::Move, "to? $spc u32", "d,a", 20},
    {"isspacep", Op::Isspacep, C::Compare, "$spc", "p,a:u64", 20},
    {"mapa", Op::Mapa, C::Integer, "shared::cluster? u32|u64", "d,a,a:u32", 90},
    {"getctarank", Op::Getctarank, C::Integer, "shared::cluster? u32|u64", "d:u32,a", 90},
    {"ld", Op::Ld, C::Load,
     "weak|volatile|relaxed|acquire|mmio? relaxed? $scope? $space? $cop? nc? $level? $level? $level? $vec? $mem",
     "D~,m,a:b64?", 0},
    {"ldu", Op::Ld, C::Load, "global? $vec? $mem", "D~,m", 0},
    {"st", Op::St, C::Store,
     "weak|volatile|relaxed|release|mmio? relaxed? $scope? $space? $cop? $level? $level? $level? $vec? $mem",
     "m,S~,a:b64?", 0},
    {"prefetch", Op::Prefetch, C::Other, "global|local? L1|L2|L2::*", "m", 20},
    {"prefetchu", Op::Prefetch, C::Other, "L1", "m", 20},
    {"prefetch", Op::Prefetch, C::Other, "const|param? tensormap", "m", 90},
    {"applypriority", Op::Prefetch, C::Other, "global? L2::*", "m,i", 80},
    {"discard", Op::Prefetch, C::Other, "global? L2", "m,i", 80},
    {"createpolicy", Op::CreatePolicy, C::Other, "fractional L2::* L2::*? b64", "d,*", 80},
    {"createpolicy", Op::CreatePolicy, C::Other, "range global? L2::* L2::*? b64", "d,*", 80},
    {"createpolicy", Op::CreatePolicy, C::Other, "cvt L2 b64", "d,*", 80},
    // Atomics.
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? and|or|xor|exch|cas L2::cache_hint? b32|b64|b128",
     "d,m,a,a?", 0},
    {"atom", Op::Atom, C::Atomic, "relaxed|acquire|release|acq_rel? $scope? $atomspace? cas L2::cache_hint? b16",
     "d,m,a,a", 70},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? add L2::cache_hint? u32|s32|u64|f32|f64", "d,m,a,a:b64?", 0},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? min|max L2::cache_hint? u32|s32|u64|s64", "d,m,a,a:b64?", 0},
    {"atom", Op::Atom, C::Atomic, "relaxed|acquire|release|acq_rel? $scope? $atomspace? inc|dec L2::cache_hint? u32",
     "d,m,a,a:b64?", 0},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? add noftz L2::cache_hint? f16|f16x2", "d,m,a,a:b64?", 70},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? $atomspace? add noftz L2::cache_hint? bf16|bf16x2", "d,m,a,a:b64?", 90},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? global? add L2::cache_hint? v2|v4 f32", "D,m,S,a:b64?", 90},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? global? add|min|max noftz L2::cache_hint? v2|v4|v8 f16|bf16",
     "D,m,S,a:b64?", 90},
    {"atom", Op::Atom, C::Atomic,
     "relaxed|acquire|release|acq_rel? $scope? global? add|min|max noftz L2::cache_hint? v2|v4 f16x2|bf16x2",
     "D,m,S,a:b64?", 90},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? and|or|xor L2::cache_hint? b32|b64", "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? add L2::cache_hint? u32|s32|u64|f32|f64",
     "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? min|max L2::cache_hint? u32|s32|u64|s64",
     "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? inc|dec L2::cache_hint? u32", "m,a,a:b64?", 0},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? add noftz L2::cache_hint? f16|f16x2",
     "m,a,a:b64?", 70},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? $atomspace? add noftz L2::cache_hint? bf16|bf16x2",
     "m,a,a:b64?", 90},
    {"red", Op::Red, C::Atomic, "relaxed|release? $scope? global? add L2::cache_hint? v2|v4 f32", "m,S,a:b64?", 90},
    {"red", Op::Red, C::Atomic,
     "relaxed|release? $scope? global? add|min|max noftz L2::cache_hint? v2|v4|v8 f16|bf16", "m,S,a:b64?", 90},
    {"red", Op::Red, C::Atomic,
     "relaxed|release? $scope? global? add|min|max noftz L2::cache_hint? v2|v4 f16x2|bf16x2", "m,S,a:b64?", 90},
    // Warp-wide.
    {"shfl", Op::Shfl, C::Warp, "sync up|down|bfly|idx b32", "e,a,a:b32,a:b32,a:b32", 30},
    {"vote", Op::VoteAll, C::Warp, "sync all pred", "p,P,a:b32", 30},
    {"vote", Op::VoteAny, C::Warp, "sync any pred", "p,P,a:b32", 30},
    {"vote", Op::VoteUni, C::Warp, "sync uni pred", "p,P,a:b32", 30},
    {"vote", Op::VoteBallot, C::Warp, "sync ballot b32", "d,P,a:b32", 30},
    {"match", Op::MatchAny, C::Warp, "any sync b32|b64", "d:b32,a,a:b32", 70},
    {"match", Op::MatchAll, C::Warp, "all sync b32|b64", "e:b32,a,a:b32", 70},
    {"redux", Op::Redux, C::Warp, "sync add|min|max $xy32", "d,a,a:b32", 80},
    {"redux", Op::Redux, C::Warp, "sync and|or|xor b32", "d,a,a:b32", 80},
    {"redux", Op::Redux, C::Warp, "sync min|max abs? NaN? f32", "d,a,a:b32", 100},
    {"activemask", Op::Activemask, C::Warp, "b32", "d", 30},
    {"elect", Op::Elect, C::Warp, "sync", "e:b32,a:b32", 90},
    // Barriers and fences.
    {"bar", Op::BarWarp, C::Warp, "warp sync", "a:b32", 30},
    {"bar", Op::BarSync, C::Barrier, "cta? sync", "a:u32,a:u32?", 0},
    {"bar", Op::BarArrive, C::Barrier, "cta? arrive", "a:u32,a:u32", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red popc u32", "d,a:u32,P", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red popc u32", "d,a:u32,a:u32,P", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red and|or pred", "p,a:u32,P", 0},
    {"bar", Op::BarRed, C::Barrier, "cta? red and|or pred", "p,a:u32,a:u32,P", 0},
    {"barrier", Op::BarSync, C::Barrier, "cta? sync aligned?", "a:u32,a:u32?", 30},
    {"barrier", Op::BarArrive, C::Barrier, "cta? arrive aligned?", "a:u32,a:u32", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red popc aligned? u32", "d,a:u32,P", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red popc aligned? u32", "d,a:u32,a:u32,P", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red and|or aligned? pred", "p,a:u32,P", 30},
    {"barrier", Op::BarRed, C::Barrier, "cta? red and|or aligned? pred", "p,a:u32,a:u32,P", 30},
    {"barrier", Op::ClusterArrive, C::Barrier, "cluster arrive release|relaxed? aligned?", "", 90},
    {"barrier", Op::ClusterWait, C::Barrier, "cluster wait acquire? aligned?", "", 90},
    {"membar", Op::Fence, C::Fence, "cta|gl|sys", "", 0},
    {"membar", Op::Fence, C::Fence, "proxy alias|async|async.global", "", 70},
    {"fence", Op::Fence, C::Fence, "sc|acq_rel|acquire|release? $scope", "", 70},
    {"fence", Op::Fence, C::Fence, "acquire|release sync_restrict::* cluster", "", 90},
    {"fence", Op::Fence, C::Fence, "mbarrier_init release cluster", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy alias", "", 70},
    {"fence", Op::Fence, C::Fence, "proxy async global|shared::cta|shared::cluster?", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy async::* acquire|release sync_restrict::* cluster", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy tensormap::generic release $scope", "", 90},
    {"fence", Op::Fence, C::Fence, "proxy tensormap::generic acquire $scope", "m,i", 90},
    // Asynchronous copies of Ampere, matrix fragments, matrix multiplication.
    {"cp", Op::CpAsync, C::Async, "async ca|cg shared|shared::cta global L2::*? L2::*?", "m,m,i,a:u32?,a:b64?", 80},
    {"cp", Op::CpAsync, C::Async, "async ca|cg shared|shared::cta global L2::*? L2::*?", "m,m,i,P,a:b64?", 80},
    {"cp", Op::CpAsync, C::Async, "async ca|cg shared|shared::cta global L2::cache_hint L2::*?", "m,m,i,a:b64", 80},
    {"cp", Op::CpAsyncCommit, C::Async, "async commit_group", "", 80},
    {"cp", Op::CpAsyncWait, C::Async, "async wait_group", "i", 80},
    {"cp", Op::CpAsyncWaitAll, C::Async, "async wait_all", "", 80},
    {"ldmatrix", Op::Ldmatrix, C::Load, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16", "D:b32,m", 75},
    {"stmatrix", Op::Stmatrix, C::Store, "sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16", "m,S:b32", 90},
    {"movmatrix", Op::Movmatrix, C::Matrix, "sync aligned m8n8 trans b16", "d:b32,a:b32", 75},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k8 row col f16|f32 f16 f16 f16|f32", "*", 75},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k16 row col f16|f32 f16 f16 f16|f32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m8n8k16 row col satfinite? s32 s8|u8 s8|u8 s32", "*", 75},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k16|m16n8k32 row col satfinite? s32 s8|u8 s8|u8 s32", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k16|m16n8k32 row col f16|f32 e4m3|e5m2 e4m3|e5m2 f16|f32", "*", 89},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k32 row col kind::f8f6f4 f16|f32 e4m3|e5m2 e4m3|e5m2 f16|f32", "*", 120},
    {"mma", Op::Mma, C::Matrix, "sync aligned kind::f8f6f4 m16n8k32 row col f16|f32 e4m3|e5m2 e4m3|e5m2 f16|f32", "*", 120},
    {"mma", Op::Mma, C::Matrix, "sync aligned m8n8k4 row col $rnd? f64 f64 f64 f64 $rnd?", "*", 80},
    {"mma", Op::Mma, C::Matrix, "sync aligned m16n8k4|m16n8k8|m16n8k16 row col $rnd? f64 f64 f64 f64 $rnd?", "*", 90},
    // Control flow and the rest.
    {"bra", Op::Bra, C::Branch, "uni?", "l", 0},
    {"brx", Op::Brx, C::Branch, "idx uni?", "a:u32,t", 30},
    {"call", Op::Call, C::Call, "uni?", "*", 0},
    {"ret", Op::Ret, C::Call, "uni?", "", 0},
    {"exit", Op::Exit, C::Branch, "", "", 0},
    {"trap", Op::Trap, C::Other, "", "", 0},
    {"brkpt", Op::Brkpt, C::Other, "", "", 0},
    {"nanosleep", Op::Nanosleep, C::Other, "u32", "a", 70},
    {"pmevent", Op::Nop, C::Other, "mask?", "i", 20},
    {"setmaxnreg", Op::Nop, C::Other, "inc|dec sync aligned u32", "i", 90},
    {"griddepcontrol", Op::Nop, C::Other, "launch_dependents|wait", "", 90},
    {"alloca", Op::Alloca, C::Other, "u32|u64", "d,a,i?", 52},
    {"stacksave", Op::StackSave, C::Other, "u32|u64", "d", 52},
    {"stackrestore", Op::StackRestore, C::Other, "u32|u64", "a", 52},
};

/// "$any|f16?" -> {b16, b32, ..., f16}, optional.
WordSpec parseWordSpec(std::string_view text) {
  WordSpec spec;
  if (!text.empty() && text.back() == '?') {
    spec.optional = true;
    text.remove_suffix(1);
  }
  while (!text.empty()) {
    size_t bar = text.find('|');
    std::string_view item = text.substr(0, bar);
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
    if (item[0] == '$') {
      WordSpec group = parseWordSpec(groups().at(item));
      spec.choices.insert(spec.choices.end(), group.choices.begin(), group.choices.end());
    } else {
      spec.choices.push_back(item);
    }
  }
  return spec;
}

OperandSpec parseOperandSpec(std::string_view text) {
  OperandSpec spec;
  spec.kind = text[0];
  text.remove_prefix(1);
  if (!text.empty() && text.back() == '?') {
    spec.optional = true;
    text.remove_suffix(1);
  }
  if (!text.empty() && text.back() == '~') {
    spec.relaxed = true;
    text.remove_suffix(1);
  }
  if (text == "w") {
    spec.typeIndex = -2;
  } else if (!text.empty() && text[0] == ':') {
    spec.typeIndex = -1;
    spec.fixedType = parseType(text.substr(1));
  } else if (!text.empty()) {
    spec.typeIndex = int8_t(text[0] - '0');
  }
  return spec;
}

struct Table {
  std::vector<InstructionRow> rows;
  std::unordered_map<std::string_view, std::vector<const InstructionRow *>> byOpcode;
  Table() {
    for (const Source &s : sources) {
      InstructionRow row{s.opcode, s.op, s.cls, s.words, s.operands, s.sm, {}, {}};
      for (std::string_view rest = s.words; !rest.empty();) {
        size_t blank = rest.find(' ');
        row.wordSpecs.push_back(parseWordSpec(rest.substr(0, blank)));
        rest = blank == std::string_view::npos ? std::string_view() : rest.substr(blank + 1);
      }
      for (std::string_view rest = s.operands; !rest.empty();) {
        size_t comma = rest.find(',');
        row.operandSpecs.push_back(parseOperandSpec(rest.substr(0, comma)));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
      }
      rows.push_back(std::move(row));
    }
    for (const InstructionRow &row : rows)
      byOpcode[row.opcode].push_back(&row);
  }
};

const Table &table() {
  static const Table t;
  return t;
}

bool choiceMatches(std::string_view choice, std::string_view word) {
  if (!choice.empty() && choice.back() == '*')
    return word.substr(0, choice.size() - 1) == choice.substr(0, choice.size() - 1);
  return choice == word;
}

/// Optional components make the match ambiguous in principle, hence the backtracking.
bool matchFrom(const InstructionRow &row, size_t component, const std::vector<std::string_view> &words, size_t word) {
  if (component == row.wordSpecs.size())
    return word == words.size();
  const WordSpec &spec = row.wordSpecs[component];
  if (word < words.size())
    for (std::string_view choice : spec.choices)
      if (choiceMatches(choice, words[word]) && matchFrom(row, component + 1, words, word + 1))
        return true;
  return spec.optional && matchFrom(row, component + 1, words, word);
}

} // namespace

const std::vector<InstructionRow> &tileiras::emu::instructionTable() { return table().rows; }

const std::vector<const InstructionRow *> &tileiras::emu::rowsOf(std::string_view opcode) {
  static const std::vector<const InstructionRow *> none;
  auto it = table().byOpcode.find(opcode);
  return it == table().byOpcode.end() ? none : it->second;
}

bool tileiras::emu::matchWords(const InstructionRow &row, const std::vector<std::string_view> &words,
                               std::vector<Type> &types, std::vector<std::string_view> &mods) {
  if (!matchFrom(row, 0, words, 0))
    return false;
  types.clear();
  mods.clear();
  for (std::string_view word : words) {
    Type t = parseType(word);
    if (t != Type::None)
      types.push_back(t);
    else
      mods.push_back(word);
  }
  return true;
}

const char *tileiras::emu::instClassName(InstClass c) {
  static const char *const names[] = {"integer", "logic",  "float32", "float64", "half",    "convert", "compare",
                                      "move",    "special", "load",   "store",   "atomic",  "branch",  "call",
                                      "barrier", "warp",   "fence",   "async",   "matrix",  "other"};
  static_assert(sizeof(names) / sizeof(names[0]) == NumInstClasses);
  return names[unsigned(c)];
}
