// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/fonts/room.h"

#include <cstddef>
#include <memory>

namespace sizesheet::pdf {

void require_room_for_a_font() {
  constexpr std::size_t kRoom = std::size_t{8} << 20U;
  const std::unique_ptr<volatile char[]> room(new volatile char[kRoom]);
  room[kRoom - 1] = 0;  // so that the compiler keeps the allocation
}

}  // namespace sizesheet::pdf
