//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Remarks.h"

#include "mlir/IR/Remarks.h"
#include "tileiras/Compiler/OutputFile.h"
#include "tileiras/Explorer/RemarkCollector.h"
#include "llvm/Remarks/RemarkFormat.h"
#include "llvm/Remarks/RemarkSerializer.h"

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

namespace {
/// Keeps YAML documents in memory: the file appears when it is complete, or not at all.
class YamlStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit YamlStreamer(std::string &text) : os(text) {
    serializer = llvm::cantFail(llvm::remarks::createRemarkSerializer(llvm::remarks::Format::YAML, os));
  }
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    serializer->emit(remark.generateRemark());
  }

private:
  llvm::raw_string_ostream os;
  std::unique_ptr<llvm::remarks::RemarkSerializer> serializer;
};
} // namespace

Status RemarkFlags::enable(MLIRContext &context, bool verbose, std::string &error) {
  if (!any() && !verbose)
    return Status::Success;
  bool toFile = format == "yaml";
  if (!toFile && format != "command-line") {
    error = "invalid --remark-format: '" + format + "' is not yaml or command-line";
    return Status::InvalidConfiguration;
  }
  if (any() && toFile && file.empty()) {
    error = "--remark-format=yaml needs --remarks-output-file";
    return Status::InvalidConfiguration;
  }
  remark::RemarkCategories filter;
  filter.all = explorer::remarkPattern(any() ? llvm::StringRef(categories) : "all", error);
  if (!filter.all)
    return Status::InvalidConfiguration;
  filter.passed = filter.missed = filter.analysis = filter.failed = filter.all;
  std::unique_ptr<YamlStreamer> streamer;
  if (any() && toFile)
    streamer = std::make_unique<YamlStreamer>(yaml.emplace());
  bool print = !streamer;
  if (failed(remark::enableOptimizationRemarks(context, std::move(streamer),
                                               std::make_unique<remark::RemarkEmittingPolicyAll>(), filter, print))) {
    error = "remarks cannot be enabled";
    return Status::InvalidConfiguration;
  }
  return Status::Success;
}

Status RemarkFlags::write(std::string &error) const {
  if (!yaml)
    return Status::Success;
  if (llvm::Error failure = writeOutputFile(file, *yaml)) {
    error = "cannot write remarks to '" + file + "': " + llvm::toString(std::move(failure));
    return Status::AllocationFailure;
  }
  return Status::Success;
}

} // namespace tileiras
