// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-print-decomposed-tv-layout))' -verify-diagnostics -o /dev/null

#b = #nv_tileas.blocked<size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [2, 1], order = [1, 0]>
#x = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[3], [4], [8], [16], [32]], warp = []>

nv_tileaa.func @f(%s: f32) {
  // expected-remark @below {{layout of result #0: (32,2,1,2):(2,64,0,1)}}
  %a = nv_tileaa.splat %s : f32 -> tensor<8x16xf32, #b>
  // A swizzled register layout has no (shape):(stride) form.
  // expected-remark @below {{layout of result #0: bases }}
  %c = nv_tileaa.splat %s : f32 -> tensor<64xf32, #x>
  nv_tileaa.return
}
