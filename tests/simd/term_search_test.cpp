// The searches among terms against plain loops, for every instruction set.
#include "simd/term_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Few different numbers, so that there are equals; the padding holds what would win.
struct Terms {
  Terms(Random& random, std::size_t n, std::size_t outputs)
      : count(n),
        stride(round_up(n, 16)),
        coefficients(outputs * stride, 0.0F),
        k(stride, 1.0F),
        to_neighbour(stride, 1.0F),
        neighbours_to_new(stride, 0.0F),
        self_kernels(stride, 1.0),
        neighbours_kernels(stride, 1.0),
        values(stride, 1e9),
        births(stride, 0),
        labels(stride, 1) {
    const auto some = [&] { return 0.25 * static_cast<double>(random.below(5)); };
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t c = 0; c < outputs; ++c) coefficients[c * stride + j] = static_cast<float>(some() + 0.25);
      k[j] = static_cast<float>(0.9 * some());
      to_neighbour[j] = static_cast<float>(0.9 * some());
      neighbours_to_new[j] = static_cast<float>(some());
      self_kernels[j] = 1 + some();
      neighbours_kernels[j] = 1 + some();
      values[j] = some() - 0.5;
      labels[j] = static_cast<std::uint32_t>(random.below(2));
    }
    std::iota(births.begin(), births.begin() + static_cast<std::ptrdiff_t>(n), 1);
    for (std::size_t j = n; j > 1; --j) std::swap(births[j - 1], births[random.below(j)]);
  }

  std::size_t count;
  std::size_t stride;
  AlignedFloats coefficients;
  AlignedFloats k;
  AlignedFloats to_neighbour;
  AlignedFloats neighbours_to_new;
  std::vector<double> self_kernels;
  std::vector<double> neighbours_kernels;
  std::vector<double> values;
  std::vector<std::uint64_t> births;
  std::vector<std::uint32_t> labels;
};

template <class Body>
void for_many_terms(Body body) {
  for_every_isa([&] {
    Random random(1);
    for (const std::size_t n : {1U, 2U, 7U, 8U, 9U, 16U, 17U, 48U, 100U}) {
      for (int i = 0; i < 20; ++i) body(random, n);
    }
  });
}

TEST(LargestMarginSearch, AgreesWithAPlainLoop) {
  for_many_terms([](Random& random, std::size_t n) {
    const Terms terms(random, n, 1);
    const auto margin = [&](std::size_t j) {
      const double without = terms.values[j] - static_cast<double>(terms.coefficients[j]) * terms.self_kernels[j];
      return terms.labels[j] == 1 ? without : -without;
    };
    double most = -kInfinity;
    for (std::size_t j = 0; j < n; ++j) most = std::max(most, margin(j));
    std::size_t want = n;
    for (std::size_t j = 0; j < n; ++j) {
      if (margin(j) < most - 1e-9) continue;
      if (want == n || terms.births[j] < terms.births[want]) want = j;
    }
    const LargestMargin got = largest_margin({terms.values.data(), terms.coefficients.data(), terms.self_kernels.data(),
                                              terms.labels.data(), terms.births.data(), 1e-6},
                                             n);
    ASSERT_EQ(got.slot, want) << n;
    ASSERT_EQ(got.margin, margin(want)) << n;
  });
}

TEST(LeastLossSearch, AgreesWithAPlainLoop) {
  for (const std::size_t outputs : {1U, 3U}) {
    for (const bool with_neighbours : {false, true}) {
      for_many_terms([&](Random& random, std::size_t n) {
        const Terms terms(random, n, outputs);
        Projections query{.to_new = terms.k.data(),
                          .inverse = 0.8,
                          .outputs = {terms.coefficients.data(), terms.stride, outputs},
                          .self_kernels = terms.self_kernels.data(),
                          .births = terms.births.data(),
                          .span = 0.3};
        if (with_neighbours) {
          query.to_neighbour = terms.to_neighbour.data();
          query.neighbours_to_new = terms.neighbours_to_new.data();
          query.neighbours_kernels = terms.neighbours_kernels.data();
        }
        const auto loss = [&](std::size_t r) {
          double weight = 0;
          for (std::size_t c = 0; c < outputs; ++c) {
            const auto a = static_cast<double>(terms.coefficients[c * terms.stride + r]);
            weight += a * a;
          }
          const auto to_new = static_cast<double>(terms.k[r]);
          const double from_new = std::max(0.0, terms.self_kernels[r] - to_new * to_new * query.inverse);
          if (!with_neighbours) return weight * from_new;
          const auto n_to_new = static_cast<double>(terms.neighbours_to_new[r]);
          const double rest = terms.neighbours_kernels[r] - n_to_new * n_to_new * query.inverse;
          if (!(rest > query.span * terms.neighbours_kernels[r])) return weight * from_new;
          const double product = static_cast<double>(terms.to_neighbour[r]) - to_new * n_to_new * query.inverse;
          return weight * std::max(0.0, from_new - product * product / rest);
        };
        std::size_t want = 0;
        for (std::size_t r = 1; r < n; ++r) {
          const bool older = loss(r) == loss(want) && terms.births[r] < terms.births[want];
          if (loss(r) < loss(want) || older) want = r;
        }
        ASSERT_EQ(least_loss(query, n), want) << n << ' ' << outputs;
      });
    }
  }
}

TEST(NearestSearch, AgreesWithAPlainLoop) {
  for_many_terms([](Random& random, std::size_t n) {
    const Terms terms(random, n, 1);
    const std::size_t skipped = random.below(2 * n);
    std::size_t want = n;
    double least = kInfinity;
    for (std::size_t j = 0; j < n; ++j) {
      const double distance = terms.self_kernels[j] - 2 * static_cast<double>(terms.k[j]);
      if (j == skipped || !(distance < least)) continue;
      least = distance;
      want = j;
    }
    ASSERT_EQ(nearest(terms.k.data(), terms.self_kernels.data(), n, skipped), want) << n << ' ' << skipped;
  });
}

TEST(Newcomers, BecomeTheNeighboursOfThoseNearer) {
  for_many_terms([](Random& random, std::size_t n) {
    const Terms terms(random, n, 1);
    const Newcomer newcomer{terms.k.data(), 1.25, terms.neighbours_kernels.data(), static_cast<std::uint32_t>(n), 1};
    std::vector<std::uint32_t> neighbours(terms.stride, 7);
    for (std::size_t j = 0; j < n; ++j) neighbours[j] = static_cast<std::uint32_t>(random.below(n));
    AlignedFloats to_neighbour = terms.to_neighbour;
    auto want = neighbours;
    AlignedFloats want_kernels = to_neighbour;
    for (std::size_t j = 0; j < n; ++j) {
      const double before = terms.neighbours_kernels[j] - 2 * static_cast<double>(to_neighbour[j]);
      if (neighbours[j] == newcomer.leaving || !(1.25 - 2 * static_cast<double>(terms.k[j]) < before)) continue;
      want[j] = newcomer.slot;
      want_kernels[j] = terms.k[j];
    }
    make_neighbour(newcomer, n, neighbours.data(), to_neighbour.data());
    ASSERT_EQ(neighbours, want) << n;
    ASSERT_EQ(to_neighbour, want_kernels) << n;
  });
}

TEST(Places, AreThoseOfTheValue) {
  for_many_terms([](Random& random, std::size_t n) {
    std::vector<std::uint32_t> values(round_up(n, 16), 3);
    std::vector<std::uint32_t> want;
    for (std::size_t j = 0; j < n; ++j) {
      values[j] = static_cast<std::uint32_t>(random.below(6));
      if (values[j] == 3) want.push_back(static_cast<std::uint32_t>(j));
    }
    std::vector<std::uint32_t> got(n);
    got.resize(places_of(3, values.data(), n, got.data()));
    ASSERT_EQ(got, want) << n;
  });
}

}  // namespace
}  // namespace kinglet::simd
