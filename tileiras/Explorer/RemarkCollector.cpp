//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Explorer/RemarkCollector.h"

#include "tileiras/Remark/FilePosition.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
namespace json = llvm::json;

namespace tileiras::explorer {

std::string utf8(StringRef text) { return json::isUTF8(text) ? text.str() : json::fixUTF8(text); }

void addPosition(json::Object &object, Location loc) {
  std::optional<FileLineColLoc> position = findFilePosition(loc);
  if (!position)
    return;
  object["file"] = utf8(position->getFilename().getValue());
  object["line"] = position->getLine();
  object["column"] = position->getColumn();
}

static json::Object describe(Diagnostic &diagnostic) {
  static constexpr const char *names[] = {"note", "warning", "error", "remark"};
  json::Object object;
  object["severity"] = names[static_cast<int>(diagnostic.getSeverity())];
  object["message"] = utf8(diagnostic.str());
  addPosition(object, diagnostic.getLocation());
  json::Array notes;
  for (Diagnostic &note : diagnostic.getNotes())
    notes.push_back(describe(note));
  if (!notes.empty())
    object["notes"] = std::move(notes);
  return object;
}

DiagnosticCollector::DiagnosticCollector(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
          diagnostics.push_back(describe(diagnostic));
        return failure(); // somebody else prints it
      }) {}

namespace {
class Streamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Streamer(json::Array &remarks) : remarks(remarks) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    json::Object object;
    object["kind"] = StringRef(remark.getRemarkTypeString()).lower();
    object["category"] = remark.getCategoryName();
    object["name"] = remark.getRemarkName();
    object["function"] = utf8(remark.getFunction());
    addPosition(object, remark.getLocation());
    json::Object arguments;
    for (const remark::detail::Remark::Arg &argument : remark.getArgs())
      arguments[argument.key] = utf8(argument.val);
    object["args"] = std::move(arguments);
    remarks.push_back(std::move(object));
  }

private:
  json::Array &remarks;
};
} // namespace

std::optional<std::string> remarkPattern(StringRef list, std::string &error) {
  SmallVector<StringRef> names;
  list.split(names, ',', -1, /*KeepEmpty=*/false);
  std::string result;
  for (StringRef name : names) {
    if (name == "all")
      return ".*";
    if (!llvm::is_contained(remarks::kCategories, name)) {
      error = "invalid --remarks: '" + name.str() + "' is not all, " +
              llvm::join(llvm::ArrayRef(remarks::kCategories), ", ");
      return std::nullopt;
    }
    result += (result.empty() ? "^(" : "|") + name.str();
  }
  return result.empty() ? "^$" : result + ")$";
}

bool collectRemarks(MLIRContext &context, StringRef categories, json::Array &remarks, std::string &error) {
  if (categories.empty())
    return true;
  remark::RemarkCategories filter;
  filter.all = remarkPattern(categories, error);
  if (!filter.all)
    return false;
  filter.passed = filter.missed = filter.analysis = filter.failed = filter.all;
  if (failed(remark::enableOptimizationRemarks(context, std::make_unique<Streamer>(remarks),
                                               std::make_unique<remark::RemarkEmittingPolicyAll>(), filter,
                                               /*printAsEmitRemarks=*/false))) {
    error = "remarks cannot be enabled";
    return false;
  }
  return true;
}

} // namespace tileiras::explorer
