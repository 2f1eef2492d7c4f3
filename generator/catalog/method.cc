// SPDX-License-Identifier: Apache-2.0
#include "catalog/method.h"

#include "catalog/entry.h"
#include "catalog/renames.h"

namespace sizesheet {

const std::vector<std::string>& described_kinds() {
  static const std::vector<std::string> kinds{"full", "lora", "qlora"};
  return kinds;
}

Method read_method(ObjectReader reader) {
  Method method;
  method.raw = reader.whole();
  method.id = read_id(reader, "id");
  method.title = read_filled_text(reader, "title");
  method.short_title = read_filled_text(reader, "short_title");
  method.description = read_filled_text(reader, "description");
  ObjectReader request = reader.object("request");
  request.one_of("kind", ids(kMethodKinds));
  method.request = reader.raw("request");  // its other keys are the request's own business
  method.was = read_was(reader);
  method.source = read_source(reader);
  method.date = read_date(reader, "date");
  reader.done();
  return method;
}

}  // namespace sizesheet
