#include "report/page.hpp"

#include "core/assert.hpp"
#include "kinglet/error.hpp"
#include "report/report.hpp"

namespace kinglet::report {
namespace {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Appends `page` up to `mark` and then `content`; returns what follows the mark.
std::string_view fill_in(std::string& out, std::string_view page, std::string_view mark, std::string_view content) {
  const auto at = page.find(mark);
  KINGLET_ASSERT(at != std::string_view::npos);
  out.append(page.substr(0, at)).append(content);
  return page.substr(at + mark.size());
}

}  // namespace

#ifndef KINGLET_HAS_PAGE
std::span<const std::string_view> page_parts() { return {}; }
#endif

bool can_render() { return !page_parts().empty(); }

std::string render(const Report& report, std::string_view page) {
  std::string out;
  page = fill_in(out, page, "{{title}}", html_text(report.title));
  page = fill_in(out, page, "{{report}}", to_json(report));
  return out.append(page);
}

std::string render(const Report& report) {
  if (!can_render()) throw Error("this program was built without reports (CMake option KINGLET_BUILD_REPORT)");
  std::string page;
  for (const std::string_view part : page_parts()) page += part;
  return render(report, page);
}

}  // namespace kinglet::report
