// SPDX-License-Identifier: Apache-2.0
// Templates of one's own (`--templates`): drawn or refused with the name of the template.
#include "fuzz/target.h"
#include "render/html/templates/templates.h"
#include "support/refusal.h"

namespace sizesheet::fuzz {

void page_template(std::string_view bytes) {
  static const Json kValues = {{"title", "A & <b>"},
                               {"yes", true},
                               {"no", false},
                               {"none", Json::array()},
                               {"rows",
                                {{{"name", "first"}, {"cells", {"1", "2"}}},
                                 {{"name", "second"}, {"cells", Json::array()}}}},
                               {"inner", {{"name", "within"}}}};
  const auto [page, partial] = cut(bytes, "\n---\n");
  const TemplateSet templates{{"page.mustache", std::string(page)},
                              {"part.mustache", std::string(partial)}};
  refusal_of([&] {
    check_templates(templates, "templates");
    render_template(templates, "page.mustache", kValues);
  });
}

}  // namespace sizesheet::fuzz
