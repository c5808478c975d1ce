//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Remarks.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Remark/RemarkStreamer.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace tileiras {

RemarkFlags::RemarkFlags(cl::OptionCategory &category)
    : categories("remarks", cl::desc("Report optimization remarks: all, or categories separated by commas"),
                 cl::value_desc("list"), cl::cat(category)),
      format("remark-format", cl::desc("yaml or command-line"), cl::init("command-line"), cl::value_desc("format"),
             cl::cat(category)),
      file("remarks-output-file", cl::desc("File for --remark-format=yaml"), cl::value_desc("file"),
           cl::cat(category)) {}

/// "all", or "schedule,layout" -> ^(schedule|layout). Names are taken literally.
static std::string pattern(llvm::StringRef list) {
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ',', -1, /*KeepEmpty=*/false);
  std::string result;
  for (llvm::StringRef name : names) {
    if (name == "all")
      return ".*";
    result += (result.empty() ? "^(" : "|") + llvm::Regex::escape(name);
  }
  return result.empty() ? "^$" : result + ")";
}

Status RemarkFlags::enable(MLIRContext &context, std::string &error) const {
  if (!any())
    return Status::Success;
  bool yaml = format == "yaml";
  if (!yaml && format != "command-line") {
    error = "invalid --remark-format: '" + format + "' is not yaml or command-line";
    return Status::InvalidConfiguration;
  }
  remark::RemarkCategories filter;
  filter.all = pattern(categories);
  auto policy = std::make_unique<remark::RemarkEmittingPolicyAll>();
  if (!yaml) {
    if (failed(remark::enableOptimizationRemarks(context, nullptr, std::move(policy), filter,
                                                 /*printAsEmitRemarks=*/true))) {
      error = "remarks cannot be enabled";
      return Status::InvalidConfiguration;
    }
    return Status::Success;
  }
  if (file.empty()) {
    error = "--remark-format=yaml needs --remarks-output-file";
    return Status::InvalidConfiguration;
  }
  if (failed(remark::enableOptimizationRemarksWithLLVMStreamer(context, file, llvm::remarks::Format::YAML,
                                                               std::move(policy), filter))) {
    error = "cannot write remarks to '" + file + "'";
    return Status::AllocationFailure;
  }
  return Status::Success;
}

} // namespace tileiras
