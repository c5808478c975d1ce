//===- EmulatorParserTest.cpp - PTX front end -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTestUtil.h"

#include "tileiras/Emulator/PTX/ControlFlow.h"
#include "tileiras/Emulator/PTX/InstructionTable.h"
#include "tileiras/Emulator/PTX/Lexer.h"
#include "tileiras/Emulator/PTX/Parser.h"
#include "tileiras/Emulator/PTX/Verifier.h"

#include <bit>

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

TEST(EmulatorLexer, Tokens) {
  Lexer lexer("ld.global.v4.f32 %r1, -0x1F 0b101 017 42U 0f3F800000 0d3FF0000000000000 1.5 2e3 \"a\\\"b\" // c\n/* d\n "
              "*/ $L:x<<2 .L2::128B");
  std::vector<std::string> text;
  std::vector<uint64_t> values;
  Token last;
  for (Token t = lexer.next(); t.kind != Tok::End; t = lexer.next()) {
    ASSERT_NE(t.kind, Tok::Error) << lexer.error();
    text.push_back(std::string(t.text));
    if (t.kind == Tok::Int || t.kind == Tok::Float32 || t.kind == Tok::Float64)
      values.push_back(t.intValue);
    last = t;
  }
  EXPECT_EQ(text, (std::vector<std::string>{"ld",
                                            "global",
                                            "v4",
                                            "f32",
                                            "%r1",
                                            ",",
                                            "-",
                                            "0x1F",
                                            "0b101",
                                            "017",
                                            "42U",
                                            "0f3F800000",
                                            "0d3FF0000000000000",
                                            "1.5",
                                            "2e3",
                                            "a\\\"b",
                                            "$L",
                                            ":",
                                            "x",
                                            "<<",
                                            "2",
                                            "L2::128B"}));
  EXPECT_EQ(values, (std::vector<uint64_t>{31, 5, 15, 42, 0x3f800000, 0x3ff0000000000000, std::bit_cast<uint64_t>(1.5),
                                           std::bit_cast<uint64_t>(2000.0), 2}));
  EXPECT_EQ(last.loc.line, 3u);
  EXPECT_EQ(last.loc.column, 13u);
}

/// First message for a module whose kernel body is `body` (on line 6).
std::string bodyError(const std::string &body, const std::string &target = "sm_80") {
  return parseError(ptx(".visible .entry k(.param .u64 p)\n{\n" + body + "\n}\n", target));
}
void expectError(const std::string &body, const std::string &message) {
  std::string got =
      bodyError(".reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<4>; .reg .pred %p<2>; .reg .b16 %h<2>;\n" + body);
  EXPECT_NE(got.find(message), std::string::npos) << body << "\n" << got;
}

TEST(EmulatorParser, Errors) {
  // With positions.
  EXPECT_EQ(bodyError("  .reg .b32 %r<2>;\n  add.u32 %r0, %r1, %r2;"),
            "test.ptx:7:21: error: undefined register '%r2'\n");
  EXPECT_EQ(bodyError("  frobnicate.u32 1;"), "test.ptx:6:3: error: unsupported instruction 'frobnicate.u32'\n");
  EXPECT_EQ(bodyError("  .reg .b32 %r<2>;\n  bra $L;"), "test.ptx:7:7: error: undefined label '$L'\n");
  expectError("add.u32.foo %r0, %r1, %r2;",
              "unsupported instruction 'add.u32.foo': no form of 'add' has these modifiers");
  expectError("add.u32 %r0, %r1;", "'add' takes 3 operands, found 2");
  expectError("add.u32 %r0, %r1, %rd1;", "register '%rd1' of type .b64 does not fit type .u32");
  expectError("add.f32 %f0, %f1, 1;", "integer constant where type .f32 is expected");
  expectError("add.s32 %r0, %f1, %r1;", "register '%f1' of type .f32 does not fit type .s32");
  expectError("add.u32 5, %r1, %r2;", "expected a destination register");
  expectError("add.u32 %r0, _, %r2;", "'_' cannot be read");
  expectError("st.global.v4.b32 [%rd0], {%r0, _, %r1, %r2};", "'_' cannot be read");
  expectError("st.global.v4.b64 [%rd0], {_, _, _, _};", "a vector of nothing but '_' is not stored");
  expectError("add.u32 %r0, %nosuch, %r2;", "undefined register '%nosuch'");
  expectError("mov.u32 %r0, nowhere;", "undefined name 'nowhere'");
  expectError("mov.u32 %r0, %tid.q;", "'%tid' has no component '.q'");
  expectError("mov.u32 %rd0, %r1;", "does not fit type .u32");
  expectError("@%r1 mov.u32 %r0, %r1;", "guard '%r1' is not a predicate");
  expectError("setp.eq.u32 %r0, %r1, %r2;", "does not fit type .pred");
  expectError("selp.u32 %r0, %r1, %r2, %r3;", "does not fit type .pred");
  expectError("ld.global.u32 %r0, %rd1;", "expected an address in brackets");
  expectError("ld.global.u32 %r0, [%f1+1.5];", "address offset must be an integer");
  expectError("ld.global.u32 %h0, [%rd1];", "does not fit type .u32");
  expectError("ld.global.v2.u32 %r0, [%rd1];", "expected a vector of 2 registers");
  expectError("ld.global.v2.u32 {%r0,%r1,%r2}, [%rd1];", "expected a vector of 2 registers");
  expectError("ld.global.u32 %r0, [%h1];", "must have 32 or 64 bits");
  expectError("st.const.u32 [%rd0], %r1;", "constant memory cannot be written");
  expectError("add.u32 %r0, %r1, %r2", "expected ';' after the instruction");
  expectError("cvt.u32.f32 %r0, %f1;", "needs .rni, .rzi, .rmi or .rpi");
  expectError("cvt.f32.s32 %f0, %r1;", "needs a rounding modifier");
  expectError("L: L: ret;", "label 'L' is defined twice");
  expectError(".reg .b32 %r0; .reg .b32 %r0;", "register '%r0' is declared twice");
  expectError(".reg .b33 %x;", "unknown type '.b33'");
  expectError("call nofunc, (%r0);", "undefined name 'nofunc'");
  expectError("wgmma.fence.sync.aligned;", "'wgmma.fence.sync.aligned' needs sm_90, the module's target is sm_80");
  expectError("add.bf16 %h0, %h0, %h1;", "'add.bf16' needs sm_90, the module's target is sm_80");
  expectError("mov.u32 %r0, 99999999999999999999;", "integer literal does not fit in 64 bits");
  expectError("mov.f32 %f0, 0f3F;", "floating-point literal needs 8 hexadecimal digits");
  expectError("lop3.b32 %r0, %r1, %r2, %r3, %r1;", "expected an integer constant");
  expectError("fma.f32 %f0, %f1, %f2, %f3;", "no form of 'fma' has these modifiers"); // rounding is not optional
  // Modules.
  EXPECT_NE(parseError("").find("starts with .version"), std::string::npos);
  EXPECT_NE(parseError(".version 8.0\n").find("no .target"), std::string::npos);
  for (const char *version : {"0.9", "1.6", "5.1", "6.6", "7.9", "8.9", "10.0"})
    EXPECT_NE(parseError(ptx("", "sm_80", version)).find("there is no PTX " + std::string(version)), std::string::npos);
  for (const char *version : {"7.0", "7.8", "8.0", "8.8", "9.0", "9.3"})
    EXPECT_TRUE(parse(ptx("", "sm_80", version)));
  EXPECT_NE(parseError(ptx("", "sm_90a", "7.8")).find("target sm_90a needs .version 8.0, the module's is 7.8"),
            std::string::npos);
  EXPECT_TRUE(parse(ptx("", "sm_90", "7.8")));
  EXPECT_NE(parseError(ptx("", "sm_100f", "8.7")).find("target sm_100f needs .version 8.8"), std::string::npos);
  EXPECT_NE(parseError(".version 8.0\n.target bogus\n").find("2:9: error: unknown target option 'bogus'"),
            std::string::npos);
  EXPECT_NE(parseError(".version 8.0\n.target sm_80\n.address_size 32\n").find("only .address_size 64"),
            std::string::npos);
  EXPECT_NE(parseError(ptx(".entry k() { ret;")).find("the body of 'k' is never closed"), std::string::npos);
  EXPECT_NE(parseError(ptx(".entry k() { ret; }\n.entry k() { ret; }")).find("defined twice"), std::string::npos);
  EXPECT_NE(parseError(ptx(".global .u32 a[2] = {1,2,3};")).find("too many initialisers for 'a'"), std::string::npos);
  EXPECT_NE(parseError(ptx(".global .u64 a = missing;")).find("undefined symbol 'missing'"), std::string::npos);
  EXPECT_NE(parseError(ptx(".bogus x;")).find("unknown or misplaced directive '.bogus'"), std::string::npos);
  EXPECT_NE(parseError(ptx("/* open")).find("comment is never closed"), std::string::npos);
  EXPECT_NE(parseError(ptx(".extern .func f(.param .b32 a);\n.entry k() { .param .b32 x; call f, (x); ret; }"))
                .find("call of undefined function 'f'"),
            std::string::npos);
  EXPECT_NE(parseError(ptx(".func f(.param .b32 a) { ret; }\n.entry k() { call f; ret; }"))
                .find("has 0 arguments, the function has 1"),
            std::string::npos);
  EXPECT_NE(parseError(ptx(".extern .global .u32 g;\n.entry k() { .reg .b32 r; ld.global.u32 r, [g]; ret; }"))
                .find("extern variable 'g' has no definition"),
            std::string::npos);
}

TEST(EmulatorParser, ManyErrorsAndGarbageEndQuickly) {
  std::string many = ".entry k() {\n";
  for (int i = 0; i != 1000; ++i)
    many += "bogus.u32 %r1;\n";
  std::vector<Diagnostic> errors;
  EXPECT_FALSE(Module::parse(ptx(many + "}"), "m", errors));
  EXPECT_LE(errors.size(), 21u);
  // Every prefix and every single-character deletion of a module gives errors or a module, never a crash or a hang.
  std::string text = ptx(R"(.visible .global .align 4 .u32 g[4] = {1, 2, {3}, 4};
.func (.reg .b32 %o) f(.reg .b32 %i) { add.u32 %o, %i, 1; ret; }
.visible .entry k(.param .u64 .ptr .global .align 4 p, .param .align 4 .b8 s[8]) .maxntid 32, 1, 1
{ .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p; .loc 1 2 3
  ld.param.u64 %rd0, [p]; { .reg .b32 t; mov.b32 t, 0f3F800000; } T: .branchtargets A, B;
  setp.lt.u32 %p, %r0, 4; @!%p brx.idx %r0, T; A: call (%r1), f, (%r0); B: st.global.v2.u32 [%rd0+-8], {%r1, _}; ret; })");
  for (size_t i = 0; i < text.size(); ++i) {
    errors.clear();
    Module::parse(text.substr(0, i), "m", errors);
    errors.clear();
    Module::parse(text.substr(0, i) + text.substr(i + 1), "m", errors);
    errors.clear();
    std::string noise = text;
    noise[i] = "{};.%@x0(\""[i % 10];
    Module::parse(noise, "m", errors);
  }
}

TEST(EmulatorParser, WhatCompilersEmit) {
  auto m = parse(R"(//
// Generated by a compiler
//
.version 8.7
.target sm_90a, debug
.address_size 64

	// .globl	kernel
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.visible .global .align 1 .b8 $str[7] = {104, 101, 108, 108, 111, 10};
.weak .global .align 8 .u64 table[2] = {generic($str), 0};
.global .attribute(.managed) .align 4 .b8 managed[8];
.global .align 1 .b8 bytes[8] = {0xFF(table), 0xFF00(table), 0xFF0000(table), 0xFF000000(table), 0xFF00000000(table), 0xFF0000000000(table), 0, 0};
.extern .shared .align 16 .b8 dynamic[];
.const .align 4 .f32 constants[3] = {0f3F800000, 2.5, 3};
.global .v4 .f32 vectors[2] = {{1.0, 2.0, 3.0, 4.0}, {5.0}};

.visible .entry kernel(
	.param .u64 .ptr .global .align 16 kernel_param_0,
	.param .align 64 .b8 kernel_param_1[128],
	.param .f32 kernel_param_2
)
.reqntid 128, 1, 1
.maxnreg 128
.minnctapersm 1
.reqnctapercluster 2, 1, 1
{
	.local .align 16 .b8 	__local_depot0[16];
	.reg .b64 	%SP;
	.reg .b64 	%SPL;
	.reg .pred 	%p<3>;
	.reg .b32 	%r<5>, %extra;
	.loc	1 10 0, function_name $L__info_string0, inlined_at 1 20 3
	.pragma "nounroll";
$L__func_begin0:
	mov.b64 	%SPL, __local_depot0;
	cvta.local.u64 	%SP, %SPL;
	setp.ne.b32 	%p1, %r1, 0;
	@%p1 bra 	$L__BB0_2;
	bra.uni 	$L__BB0_1;
$L__BB0_1:
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %SP;
	.param .b64 param1;
	st.param.b64 	[param1], %SP;
	.param .b32 retval0;
	call.uni (retval0), vprintf, (param0, param1);
	ld.param.b32 	%r2, [retval0+0];
	} // callseq 0
$L__BB0_2:
	ret;
$L__func_end0:

}
	.file	1 "/tmp/x.cu", 1700000000, 1234
	.section	.debug_abbrev
	{
.b8 1
.b8 17
.b32 .debug_abbrev
.b64 $L__func_begin0
	}
	.section	.debug_loc	{	}
)");
  ASSERT_TRUE(m);
  const KernelInfo *k = m->kernel("kernel");
  ASSERT_TRUE(k);
  EXPECT_EQ(m->target(), "sm_90a");
  ASSERT_EQ(k->params.size(), 3u);
  EXPECT_EQ(k->params[1].offset, 64u);
  EXPECT_EQ(k->params[1].size, 128u);
  EXPECT_EQ(k->params[2].offset, 192u);
  EXPECT_EQ(k->paramBytes, 196u);
  EXPECT_EQ(k->reqntid.x, 128u);
  EXPECT_EQ(k->reqnctapercluster.x, 2u);
  Memory memory;
  std::string error;
  ASSERT_TRUE(memory.load(*m, error));
  uint64_t table = memory.symbolAddress(*m, "table"), str = memory.symbolAddress(*m, "$str"),
           bytes = memory.symbolAddress(*m, "bytes");
  EXPECT_EQ(download<uint64_t>(memory, table, 2), (std::vector<uint64_t>{str, 0}));
  EXPECT_EQ(download<uint64_t>(memory, bytes, 1)[0], table);
  EXPECT_EQ(download<float>(memory, memory.symbolAddress(*m, "vectors"), 8),
            (std::vector<float>{1, 2, 3, 4, 5, 0, 0, 0}));
}

TEST(EmulatorParser, ScopesAndShadowing) {
  auto v = runElementwise<uint32_t>(R"(
    { .reg .b32 %x; mov.u32 %x, 5; { .reg .b32 %x; mov.u32 %x, 100; add.u32 %t4, %x, %a0; L: setp.lt.u32 %p, %t4, 110; @%p add.u32 %t4, %t4, 1; @%p bra L; } add.u32 %d, %t4, %x; }
    { L: add.u32 %d, %d, 1; })",
                                    "b32", {"b32"}, "sm_80", std::vector<uint32_t>{1, 200});
  EXPECT_EQ(v, (std::vector<uint32_t>{116, 306}));
  // Constant expressions.
  auto c = runElementwise<uint32_t>("mov.u32 %d, (1 << 4) + 3 * -2 | 0x100; add.u32 %d, %d, WARP_SZ;", "b32", {"b32"},
                                    "sm_80", std::vector<uint32_t>{0});
  EXPECT_EQ(c[0], ((16 - 6) | 0x100) + 32u);
}

TEST(EmulatorParser, InstructionTableIsWellFormed) {
  for (const InstructionRow &row : instructionTable()) {
    for (const WordSpec &w : row.wordSpecs)
      EXPECT_FALSE(w.choices.empty()) << row.opcode << " " << row.words;
    for (const OperandSpec &o : row.operandSpecs) {
      EXPECT_NE(std::string("daDSeqpPmiltRrV*").find(o.kind), std::string::npos) << row.opcode << " " << row.operands;
      if (o.typeIndex == -1)
        EXPECT_NE(o.fixedType, Type::None) << row.opcode << " " << row.operands;
    }
  }
}

TEST(EmulatorParser, BlockOrderKeepsLoopsTogether) {
  // The exit of the inner loop stands before its body in the text; in layout order it must come after.
  std::vector<Diagnostic> errors;
  auto m = parsePTX(ptx(R"(.entry k() { .reg .pred %p<4>; .reg .b32 %r<4>;
    bra HEAD;
EXIT: add.u32 %r1, %r1, 1; ret;
HEAD: add.u32 %r1, %r1, 2; @%p1 bra EXIT;
BODY: add.u32 %r1, %r1, 3; @%p2 bra BODY;
    bra HEAD; })"),
                    "t", errors);
  ASSERT_TRUE(errors.empty() && verifyPTX(*m, errors));
  ControlFlow cf = buildControlFlow(m->functions[0]);
  std::vector<size_t> where(cf.blocks.size());
  for (size_t i = 0; i != cf.order.size(); ++i)
    where[cf.order[i]] = i;
  auto of = [&](const char *label) {
    for (size_t i = 0; i != m->functions[0].labels.size(); ++i)
      if (m->functions[0].labels[i].name == label)
        return where[cf.blockOfLabel[i]];
    return size_t(99);
  };
  EXPECT_EQ(cf.order[0], 0u);
  EXPECT_LT(of("HEAD"), of("BODY"));
  EXPECT_LT(of("BODY"), of("EXIT"));
}

} // namespace
