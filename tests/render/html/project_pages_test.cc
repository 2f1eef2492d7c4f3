// SPDX-License-Identifier: Apache-2.0
// The whole project on pages: on the cards of models, in a column of the index where the sheet asks
// for one, and nowhere without a project.
#include <gtest/gtest.h>

#include <string>

#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/project_words.h"
#include "render/writers.h"
#include "sheet/project.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Json one_row_json() { return quarterly_of({"llama-3.1-8b"}, {"lora-r16"}, {"h100-sxm", "l40s"}); }

FileSet site_with(const Json& project, const Sheet** drawn = nullptr) {
  Json json = one_row_json();
  if (!project.is_null()) json["project"] = project;
  static Sheet sheet;
  sheet = built(spec_of(json));
  if (drawn != nullptr) *drawn = &sheet;
  FileSet files;
  write_site(sheet, builtin_templates(), 1, files);
  return files;
}

TEST(ProjectPages, NothingWithoutAProject) {
  const FileSet files = site_with(nullptr);
  EXPECT_EQ(files.at("models/llama-3.1-8b.html").find("The whole project"), std::string::npos);
  EXPECT_EQ(files.at("index.html").find("The whole project"), std::string::npos);
  EXPECT_EQ(files.at("index.html").find(">Project<"), std::string::npos);
}

TEST(ProjectPages, TheCardHasItAndTheIndexWhereAsked) {
  const Sheet* sheet = nullptr;
  const FileSet files = site_with({{"runs", 4}, {"engineering_hours", 16}}, &sheet);
  const ProjectCost& cost = *sheet->pick("llama-3.1-8b", "lora-r16")->project;
  const std::string& page = files.at("models/llama-3.1-8b.html");
  EXPECT_NE(page.find("<dt>The whole project</dt><dd>" + project_amount(cost)), std::string::npos);
  EXPECT_NE(page.find(project_parts(cost)), std::string::npos);
  EXPECT_EQ(files.at("index.html").find("The whole project"), std::string::npos) << "not asked for";
}

TEST(ProjectPages, TheIndexHasAColumnOfIt) {
  const Sheet* sheet = nullptr;
  const FileSet files = site_with({{"runs", 4}, {"index_column", true}}, &sheet);
  const std::string& index = files.at("index.html");
  EXPECT_NE(index.find(">$ in all</th>"), std::string::npos);
  const double usd = to_usd(sheet->pick("llama-3.1-8b", "lora-r16")->project->total_usd);
  EXPECT_NE(index.find("<td class=\"gap\" data-v=\"" + shortest(usd) + "\">"), std::string::npos);
  EXPECT_NE(files.at("rows.js").find(shortest(usd)), std::string::npos) << "for other GPUs";
}

}  // namespace
}  // namespace sizesheet
