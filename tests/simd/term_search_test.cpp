// The searches over all terms compared with plain loops, for every instruction set.
#include "simd/term_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/random.hpp"
#include "simd/every_isa.hpp"

namespace kinglet::simd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Terms whose numbers take few different values, so that ties occur. The padding holds values that win if it is
// searched.
struct Terms {
  Terms(Random& random, std::size_t n, std::size_t outputs)
      : count(n),
        stride(round_up(n, 16)),
        coefficients(outputs * stride, 0.0F),
        k(stride, 1.0F),
        to_neighbour(stride, 1.0F),
        neighbours(stride, kNoNeighbour),
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
      neighbours[j] = static_cast<std::uint32_t>(random.below(n));
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
  std::vector<std::uint32_t> neighbours;
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

// Adds no, one or two terms to f, then searches.
TEST(LargestMarginSearch, AgreesWithAPlainLoop) {
  for_many_terms([](Random& random, std::size_t n) {
    Terms terms(random, n, 1);
    std::vector<double> own(terms.stride);
    std::vector<float> signs(terms.stride, 1.0F);
    double largest_own = 0;
    for (std::size_t j = 0; j < n; ++j) {
      own[j] = static_cast<double>(terms.coefficients[j]) * terms.self_kernels[j];
      largest_own = std::max(largest_own, std::abs(own[j]));
      signs[j] = terms.labels[j] == 1 ? 1.0F : -1.0F;
    }
    const std::array<GainedTerm, 2> both{
        {{static_cast<float>(random.normal()), terms.k.data()}, {1.0F, terms.to_neighbour.data()}}};
    const std::span<const GainedTerm> gained = std::span(both).first(random.below(3));
    std::vector<double> values = terms.values;
    for (const GainedTerm& term : gained) {
      for (std::size_t j = 0; j < n; ++j)
        values[j] += static_cast<double>(term.weight) * static_cast<double>(term.k[j]);
    }
    const auto margin = [&](std::size_t j) {
      const double without = values[j] - own[j];
      return terms.labels[j] == 1 ? without : -without;
    };
    double most = -kInfinity;
    for (std::size_t j = 0; j < n; ++j) most = std::max(most, margin(j));
    std::size_t want = n;
    for (std::size_t j = 0; j < n; ++j) {
      if (margin(j) < most - 1e-9) continue;
      if (want == n || terms.births[j] < terms.births[want]) want = j;
    }
    const Margins margins{terms.values.data(), own.data(), signs.data(), terms.births.data(), 1e-6, largest_own};
    std::vector<double> tops(tops_for(n));
    ASSERT_EQ(add_to_margins(margins, gained, n, tops.data()), most) << n;
    for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(terms.values[j], values[j]) << n << ' ' << j;
    const LargestMargin got = largest_margin(margins, n, most, tops.data());
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
          query.neighbours = terms.neighbours.data();
          query.to_neighbour = terms.to_neighbour.data();
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
          const auto n_to_new = static_cast<double>(terms.k[terms.neighbours[r]]);
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

// Points of the plane with a Gaussian kernel; the last one is the new vector. Many are close together or equal.
struct Plane {
  Plane(Random& random, std::size_t n) : count(n), stride(round_up(n, 16)) {
    std::vector<double> points;
    const double spread = random.below(2) == 0 ? 0.1 : 1.0;
    for (std::size_t i = 0; i < 2 * (n + 1); ++i) points.push_back(spread * std::round(8 * random.normal()) / 8);
    const auto kernel = [&](std::size_t i, std::size_t j) {
      return static_cast<float>(
          std::exp(-std::pow(points[2 * i] - points[2 * j], 2) - std::pow(points[2 * i + 1] - points[2 * j + 1], 2)));
    };
    coefficients.assign(stride, 0.0F);
    to_new.assign(stride, 1.0F);
    to_neighbour.assign(stride, 1.0F);
    to_lost.assign(stride, 1.0F);
    self_kernels.assign(stride, 1.0);
    births.assign(stride, 0);
    neighbours.assign(stride, kNoNeighbour);
    for (std::size_t j = 0; j < n; ++j) {
      coefficients[j] = static_cast<float>(0.1 + random.uniform());
      to_new[j] = kernel(j, n);
      births[j] = j + 1;
      to_neighbour[j] = -1;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == j || kernel(i, j) <= to_neighbour[j]) continue;
        neighbours[j] = static_cast<std::uint32_t>(i);
        to_neighbour[j] = kernel(i, j);
      }
      to_lost[j] = random.below(3) == 0 ? to_neighbour[j] : std::min(1.0F, to_neighbour[j] * 1.2F);
    }
  }
  Projections query(const std::vector<std::uint32_t>& known, const AlignedFloats& bounds) const {
    return {.to_new = to_new.data(),
            .inverse = 1,
            .outputs = {coefficients.data(), stride, 1},
            .self_kernels = self_kernels.data(),
            .births = births.data(),
            .neighbours = known.data(),
            .to_neighbour = bounds.data(),
            .neighbours_kernels = self_kernels.data(),
            .bounded = true,
            .largest_to_new = static_cast<double>(
                *std::max_element(to_new.begin(), to_new.begin() + static_cast<std::ptrdiff_t>(count))),
            .span = 1e-4};
  }

  std::size_t count;
  std::size_t stride;
  AlignedFloats coefficients;
  AlignedFloats to_new;
  AlignedFloats to_neighbour;
  AlignedFloats to_lost;  // kernel value with a removed neighbour: at least to_neighbour
  std::vector<double> self_kernels;
  std::vector<std::uint64_t> births;
  std::vector<std::uint32_t> neighbours;
};

TEST(LeastLossSearch, FindsTheSameWithNeighboursThatAreOnlyLookedForWhenTheyMayWin) {
  std::size_t hidden = 0, looked_for = 0;
  for_many_terms([&](Random& random, std::size_t n) {
    if (n == 1) return;
    const Plane plane(random, n);
    Projections all = plane.query(plane.neighbours, plane.to_neighbour);
    const std::size_t want = least_loss(all, n);
    all.bounded = false;
    ASSERT_EQ(least_loss(all, n), want) << n;
    auto known = plane.neighbours;
    AlignedFloats bounds = plane.to_neighbour;
    for (std::size_t j = 0; j < n; ++j) {
      if (random.below(3) == 0) continue;
      ++hidden;
      known[j] = kNoNeighbour;
      bounds[j] = plane.to_lost[j];
    }
    std::size_t got = least_loss(plane.query(known, bounds), n);
    while (known[got] == kNoNeighbour) {
      ++looked_for;
      known[got] = plane.neighbours[got];
      bounds[got] = plane.to_neighbour[got];
      got = least_loss(plane.query(known, bounds), n);
    }
    ASSERT_EQ(got, want) << n;
  });
  EXPECT_LT(looked_for, hidden / 2);
}

TEST(NearestSearch, AgreesWithAPlainLoop) {
  for_many_terms([](Random& random, std::size_t n) {
    const Terms terms(random, n, 1);
    const std::size_t skipped = random.below(2 * n);
    const auto distance = [&](std::size_t j) { return terms.self_kernels[j] - 2 * static_cast<double>(terms.k[j]); };
    std::size_t want = n;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == skipped) continue;
      const bool older = want < n && distance(j) == distance(want) && terms.births[j] < terms.births[want];
      if (want == n || distance(j) < distance(want) || older) want = j;
    }
    const Distances distances{terms.k.data(), terms.self_kernels.data(), terms.births.data()};
    ASSERT_EQ(nearest(distances, n, skipped), want) << n << ' ' << skipped;
  });
}

TEST(Newcomers, BecomeTheNeighboursOfThoseNearer) {
  for_many_terms([](Random& random, std::size_t n) {
    const Terms terms(random, n, 1);
    const Newcomer newcomer{terms.k.data(), 1.25, terms.neighbours_kernels.data(), 1};
    std::vector<std::uint32_t> neighbours = terms.neighbours;
    AlignedFloats to_neighbour = terms.to_neighbour;
    auto want = neighbours;
    AlignedFloats want_kernels = to_neighbour;
    for (std::size_t j = 0; j < n; ++j) {
      const double before = terms.neighbours_kernels[j] - 2 * static_cast<double>(to_neighbour[j]);
      if (want[j] == newcomer.slot) want[j] = kNoNeighbour;
      if (!(1.25 - 2 * static_cast<double>(terms.k[j]) < before)) continue;
      want[j] = newcomer.slot;
      want_kernels[j] = terms.k[j];
    }
    make_neighbour(newcomer, n, neighbours.data(), to_neighbour.data());
    ASSERT_EQ(neighbours, want) << n;
    ASSERT_EQ(to_neighbour, want_kernels) << n;
  });
}

}  // namespace
}  // namespace kinglet::simd
