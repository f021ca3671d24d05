#include "export/svc.hpp"

#include <fmt/format.h>

#include "export/pairs_of_classes.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

FlatModel flat_from_svc(const SvcParts& svc) {
  const std::size_t k = svc.classes.size();
  FlatModel out;
  out.kernel = svc.kernel;
  out.labels = svc.classes;
  out.decision = k == 2 ? Decision::sign : Decision::votes;
  out.functions = functions_for(out.decision, k);
  out.dimension = svc.dimension;
  out.biases.assign(svc.biases.begin(), svc.biases.end());
  std::size_t total = 0;
  for (const std::size_t count : svc.counts) total += count;
  const bool fits = k >= 2 && svc.counts.size() == k && svc.vectors.size() == total * svc.dimension &&
                    svc.coefficients.size() == total * (k - 1);
  if (!fits) throw Error("the parts of the support vector machine have inconsistent sizes");
  out.origin = fmt::format("an SVC with {} support vectors", total);
  std::vector<double> row(out.functions);
  std::size_t j = 0;
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < svc.counts[c]; ++i, ++j) {
      if (k == 2) {
        row[0] = svc.coefficients[j];
      } else {
        fill_pairs(&svc.coefficients[j], total, c, k, row);
      }
      out.append(svc.vectors.subspan(j * svc.dimension, svc.dimension), row);
    }
  }
  check_flat(out, "a support vector machine");
  return out;
}

}  // namespace kinglet
