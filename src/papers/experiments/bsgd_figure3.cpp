// BSGD, figure 3: what four more passes gain for BPegasos with merging and 500 support vectors.
#include <fmt/format.h>

#include "papers/paper.hpp"
#include "papers/paper_settings.hpp"

namespace kinglet::papers {
namespace bsgd_figure3_cells {

constexpr const char* kSets[] = {"banana", "gauss",     "adult",  "ijcnn1",  "checkerboard", "dna",     "satimage",
                                 "usps",   "pendigits", "letter", "shuttle", "covertype",    "waveform"};

std::vector<PaperCell> cells(bool) {
  std::vector<PaperCell> list;
  for (const char* set : kSets) {
    for (const std::uint64_t passes : {1, 5}) {
      PaperCell cell{
          .row = "BPegasos+merge", .column = set, .variant = passes == 1 ? "1 pass" : "5 passes", .set = set};
      cell.options = {{"algo", "bpegasos"}, {"budget", "500"}};
      cell.settings = paper_settings("bsgd", cell.row, set, "500");
      cell.passes = passes;
      list.push_back(std::move(cell));
    }
  }
  return list;
}

void conclude(PaperResult& result) {
  std::size_t gained = 0, compared = 0;
  for (const char* set : kSets) {
    const CellResult* one = find_cell(result, "BPegasos+merge", set, "1 pass");
    const CellResult* five = find_cell(result, "BPegasos+merge", set, "5 passes");
    if (one == nullptr || five == nullptr) continue;
    ++compared;
    gained += five->ours.mean > one->ours.mean ? 1 : 0;
  }
  if (compared < std::size(kSets)) return;  // not measured everywhere yet
  result.claims.push_back({"more passes improve the accuracy on most data sets", 2 * gained > compared,
                           fmt::format("on {} of {}", gained, compared)});
}

}  // namespace bsgd_figure3_cells

extern const PaperExperiment bsgd_figure3;
const PaperExperiment bsgd_figure3{
    .name = "bsgd-figure3",
    .title = "Five passes compared with one",
    .source = "Wang, Crammer, Vucetic: Breaking the Curse of Kernelization, JMLR 13 (2012), figure 3",
    .protocol = "BPegasos with merging, B = 500, with the settings for one pass; five runs. Phoneme is not available.",
    .runs = 5,
    .cells = bsgd_figure3_cells::cells,
    .conclude = bsgd_figure3_cells::conclude};

}  // namespace kinglet::papers
