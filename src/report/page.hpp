// The HTML page that reports are written into, as web/build.mjs built it, split into parts. Empty if the program was
// built without reports.
#pragma once

#include <span>
#include <string_view>

namespace kinglet::report {

std::span<const std::string_view> page_parts();

}  // namespace kinglet::report
