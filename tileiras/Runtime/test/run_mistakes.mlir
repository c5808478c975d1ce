// Every mistake is one line that says what to do, with the status of its kind.

// RUN: bash -c "tileiras-run %s; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: --entry is needed: the module has 'a' 'b'
// RUN: bash -c "tileiras-run %s --entry=c; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no entry 'c': the module has 'a' 'b'
// RUN: bash -c "tileiras-run %s --entry=a i32=1; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: entry 'a' takes 2 arguments, got 1; its signature is (tile<ptr<f16>>, tile<i32>)
// RUN: bash -c "tileiras-run %s --entry=a x:f32[4] i32=1; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: argument 0: array 'x' holds f32, the entry takes tile<ptr<f16>>
// RUN: bash -c "tileiras-run %s --entry=b --engine=gpu; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=ENGINE
// ENGINE: error: unknown engine 'gpu' (known: reference emulator cuda)
// RUN: bash -c "tileiras-run %s --entry=b --engine=cuda --libcuda=%t.missing; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: error: no CUDA driver
// RUN: bash -c "tileiras-run %s --entry=b --grids=1; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: unknown option '--grids=1' (see --help)
// RUN: bash -c "tileiras-run %s --entry=b --grid=0; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: bad grid '0'
// RUN: bash -c "tileiras-run %s --entry=b --dump=z=z.npy; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: error: --dump=z=z.npy: expected NAME=FILE with the name of an array
// RUN: bash -c "tileiras-run %t.missing; test \$? -eq 1" 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot read '{{.*}}.missing': No such file or directory
// RUN: bash -c "echo 'cuda_tile.module @m { entry @k( }' | tileiras-run -; test \$? -eq 3" 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: error:
// RUN: bash -c "tileiras-run %s --entry=b --engine=reference --max-steps=100; test \$? -eq 6" 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: run_mistakes.mlir:[[#]]:{{.*}} error: stopped after 100 operations

cuda_tile.module @kernels {
  entry @a(%x: tile<ptr<f16>>, %n: tile<i32>) {
    return
  }
  entry @b() {
    loop {
      continue
    }
    return
  }
}
