//===- FakeTool.h - A script that stands for ptxas --------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_UNITTESTS_COMPILER_FAKETOOL_H
#define TILEIRAS_UNITTESTS_COMPILER_FAKETOOL_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace tileiras {

/// A shell script that stands for ptxas.
class FakeTool {
public:
  explicit FakeTool(llvm::StringRef body) {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("fake-tool", folder));
    path = (folder + "/ptxas").str();
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    os << "#!/bin/sh\n" << body << "\n";
    os.close();
    EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
  }
  ~FakeTool() { llvm::sys::fs::remove_directories(folder); }

  llvm::SmallString<64> folder;
  std::string path;
};

} // namespace tileiras

#endif // TILEIRAS_UNITTESTS_COMPILER_FAKETOOL_H
