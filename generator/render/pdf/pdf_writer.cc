// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/pdf_writer.h"

#include "render/pdf/canvas.h"
#include "render/pdf/faces.h"
#include "render/pdf/lay_out.h"
#include "render/pdf/page_words.h"
#include "render/phrases.h"

namespace sizesheet {

void PdfWriter::write(const Sheet& sheet, FileSet& files) const {
  const pdf::Faces faces;
  const pdf::PageLayout layout = pdf::lay_out(sheet, paper_, faces.widths());
  if (warn_) {
    for (const std::string& warning : layout.warnings) warn_(warning);
  }
  const pdf::DocumentInfo info{
      sheet.meta.title + " " + sheet.meta.edition, "sizesheet " + sheet.meta.tool_version,
      pdf::workload_sentences(sheet).front() + " " + sentence_case(pdf::provenance(sheet)) + ".",
      sheet.meta.as_of};
  files["sheet.pdf"] = pdf::draw(layout, info, faces);
}

}  // namespace sizesheet
