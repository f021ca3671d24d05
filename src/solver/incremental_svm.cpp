#include "solver/incremental_svm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "simd/vector_ops.hpp"
#include "solver/vectors.hpp"

namespace kinglet {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// An example whose squared distance from the span of the margin, relative to its squared length, is below this counts
// as inside the span.
constexpr double kSpan = 1e-10;
// Rates below these are rounding errors: of coefficients on the margin, and of f relative to its largest possible rate.
constexpr double kNoRate = 1e-13;
constexpr double kNoFlow = 1e-9;
// Rounding errors of flows relative to their terms, including the error of the inverse.
constexpr double kRounding = 1e-14;
constexpr std::size_t kNumbers = 8;  // doubles per example: state and scratch

}  // namespace

IncrementalSvm::IncrementalSvm(const Settings& settings) : settings_(settings), inverse_(settings.bias) {}

void IncrementalSvm::append(double value) {
  values_.push_back(value);
  roots_.push_back(0);
  for (std::size_t twin = 0; twin < settings_.twins; ++twin) {
    signs_.push_back(0);
    boxes_.push_back(0);
    coefficients_.push_back(0);
    places_.push_back(Place::apart);
    sides_.push_back(0);
    wants_.push_back(0);
    touched_.push_back(0);
  }
}

void IncrementalSvm::learn(ExampleStore& store, std::size_t slot, double y, double box) {
  KINGLET_ASSERT(!is_learned(slot) && box > 0);
  signs_[slot] = y;
  boxes_[slot] = box;
  // The caller's value of f may be in single precision.
  values_[site(slot)] = value_at(store.exact_row(site(slot)));
  roots_[site(slot)] = std::sqrt(std::max(0.0, store.self_kernel(site(slot))));
  set_place(slot, Place::out);
  start();
  if (slack(slot) > tolerance()) {
    seek(store, slot);
    settle(store);
  }
  note_changes();
}

void IncrementalSvm::unlearn(ExampleStore& store, std::size_t slot) {
  KINGLET_ASSERT(is_learned(slot));
  start();
  leave_margin(slot);
  const bool had_part = coefficients_[slot] != 0;
  if (had_part) force(store, slot, 0);
  signs_[slot] = 0;
  set_place(slot, Place::apart);
  if (had_part) settle(store);
  note_changes();
}

void IncrementalSvm::set_box(ExampleStore& store, std::size_t slot, double box) {
  KINGLET_ASSERT(is_learned(slot) && box > 0);
  start();
  if (alpha(slot) > box) {
    leave_margin(slot);
    force(store, slot, box);
  }
  boxes_[slot] = box;
  if (places_[slot] != Place::margin) {
    const double a = alpha(slot);
    set_place(slot, a == 0 ? Place::out : a == box ? Place::full : Place::loose);
  }
  settle(store);
  note_changes();
}

double IncrementalSvm::violation(std::size_t slot) const {
  const double g = slack(slot);
  switch (places_[slot]) {
    case Place::apart:
      return 0;
    case Place::out:
      return std::max(0.0, g);
    case Place::full:
      return std::max(0.0, -g);
    case Place::margin:
    case Place::loose:
      break;
  }
  return std::abs(g);
}

double IncrementalSvm::objective() const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += coefficients_[i] * (signs_[i] - value(i) / 2);
  return sum;
}

double IncrementalSvm::value_at(const double* row) const {
  if (settings_.twins == 1) return dot(row, coefficients_.data(), sites());
  double sum = 0;
  for (std::size_t i = 0; i < sites(); ++i) {
    double own = 0;
    for (std::size_t twin = 0; twin < settings_.twins; ++twin) own += coefficients_[i * settings_.twins + twin];
    sum += own * row[i];
  }
  return sum;
}

void IncrementalSvm::remove(std::size_t removed) {
  const auto drop = [](auto& values, std::size_t at) {
    values[at] = values.back();
    values.pop_back();
  };
  for (std::size_t twin = settings_.twins; twin-- > 0;) {
    const std::size_t slot = removed * settings_.twins + twin, last = size() - 1;
    KINGLET_ASSERT(coefficients_[slot] == 0);
    leave_margin(slot);
    if (slot != last && places_[last] == Place::margin) {
      *std::ranges::find(margin_, static_cast<std::uint32_t>(last)) = static_cast<std::uint32_t>(slot);
    }
    for (auto* values : {&signs_, &boxes_, &coefficients_, &sides_, &wants_}) drop(*values, slot);
    drop(places_, slot);
    drop(touched_, slot);
  }
  for (auto* values : {&values_, &roots_}) drop(*values, removed);
}

// --- places ----------------------------------------------------------------------------------------------------------

void IncrementalSvm::set_place(std::size_t slot, Place place) {
  places_[slot] = place;
  sides_[slot] = place == Place::out ? 1 : place == Place::full ? -1 : 0;
  wants_[slot] = sides_[slot] * signs_[slot];
}

// A barred example causes no events.
void IncrementalSvm::bar(std::size_t slot, std::vector<std::uint32_t>& list) {
  sides_[slot] = wants_[slot] = 0;
  list.push_back(static_cast<std::uint32_t>(slot));
}

void IncrementalSvm::unbar(std::vector<std::uint32_t>& list) {
  for (const std::uint32_t slot : list) set_place(slot, places_[slot]);
  list.clear();
}

void IncrementalSvm::make_column(const double* row) {
  column_.assign(inverse_.border(), 1.0);
  for (const std::uint32_t m : margin_) column_.push_back(row[site(m)]);
}

// The squared length to which a squared distance is compared. With a bias, distances from the other examples matter,
// not from 0.
double IncrementalSvm::largest_own(ExampleStore& store, std::size_t slot) const {
  const double own = store.self_kernel(site(slot));
  return settings_.bias && !margin_.empty() ? std::max(own, store.self_kernel(site(margin_[0]))) : own;
}

// Σ √k(x, x) |share| over the margin and the example itself.
double IncrementalSvm::spread_of(std::size_t slot, std::span<const double> shares) const {
  double sum = roots_[site(slot)];
  for (std::size_t j = 0; j < margin_.size(); ++j)
    sum += roots_[site(margin_[j])] * std::abs(shares[inverse_.border() + j]);
  return sum;
}

bool IncrementalSvm::try_join(ExampleStore& store, std::size_t slot) {
  const double* row = store.exact_row(site(slot));
  const double own = row[site(slot)];
  make_column(row);
  if (!margin_.empty()) {
    const std::span<const double> shares = inverse_.solve(column_), residual = inverse_.residual();
    // ‖φ − Σ shares φ_S‖², in the form that is least sensitive to errors of the shares.
    const double pivot =
        own - dot(column_.data(), shares.data(), shares.size()) - dot(residual.data(), shares.data(), shares.size());
    const double spread = spread_of(slot, shares);
    if (!(pivot > kSpan * largest_own(store, slot) + kRounding * spread * spread)) return false;
    inverse_.include(column_, own, pivot);
  } else {
    if (!settings_.bias && !(own > 0)) return false;
    inverse_.include(column_, own, own);
  }
  margin_.push_back(static_cast<std::uint32_t>(slot));
  set_place(slot, Place::margin);
  return true;
}

// Returns false if the example is in the span of the margin.
bool IncrementalSvm::join(ExampleStore& store, std::size_t slot) {
  if (inverse_.has_drifted()) rebuild_margin(store);
  return try_join(store, slot);
}

void IncrementalSvm::leave(std::size_t position, Place place) {
  const std::size_t slot = margin_[position];
  inverse_.exclude(position);
  margin_[position] = margin_.back();
  margin_.pop_back();
  set_place(slot, place);
  unbar(dependent_);  // the span is now smaller
}

// If it is there.
void IncrementalSvm::leave_margin(std::size_t slot) {
  if (places_[slot] != Place::margin) return;
  const auto found = std::ranges::find(margin_, static_cast<std::uint32_t>(slot));
  leave(static_cast<std::size_t>(found - margin_.begin()), Place::loose);
  const double a = alpha(slot);
  if (a == 0 || a == boxes_[slot]) place_at_bound(slot);
}

// Recomputes the inverse. Examples that turn out to be in the span of the others leave the margin.
void IncrementalSvm::rebuild_margin(ExampleStore& store) {
  const std::vector<std::uint32_t> before = std::exchange(margin_, {});
  inverse_.clear();
  for (const std::uint32_t slot : before) {
    const double a = alpha(slot);
    if (try_join(store, slot)) continue;
    set_place(slot, Place::loose);
    if (a == 0 || a == boxes_[slot]) place_at_bound(slot);
  }
}

// --- one direction and its first event -------------------------------------------------------------------------------

// flow_ += Σ_S rates k(x_j, ·)
void IncrementalSvm::add_rows(ExampleStore& store) {
  const double* rates = rates_.data() + inverse_.border();
  for (std::size_t j = 0; j < margin_.size(); j += 2) {
    const bool is_pair = j + 1 < margin_.size();
    const double* first = store.exact_row(site(margin_[j]));
    const double* second = is_pair ? store.exact_row(site(margin_[j + 1])) : first;
    simd::add_two_scaled(rates[j], first, is_pair ? rates[j + 1] : 0, second, flow_.size(), flow_.data());
  }
}

void IncrementalSvm::find_direction(ExampleStore& store, std::size_t c) {
  const double* row = store.exact_row(site(c));
  flow_.assign(row, row + sites());
  flow_.resize(round_up(sites(), kPadding));
  rates_.clear();
  spread_ = roots_[site(c)];
  if (margin_.empty()) return;
  make_column(row);
  const std::span<const double> shares = inverse_.solve(column_);
  for (const double share : shares) rates_.push_back(-share);
  spread_ = spread_of(c, rates_);
  add_rows(store);
}

// The example on the margin that reaches a bound first.
void IncrementalSvm::first_of_margin(double direction, Event& first) const {
  for (std::size_t j = 0; j < margin_.size(); ++j) {
    const std::size_t m = margin_[j];
    const double rate = direction * signs_[m] * rates_[inverse_.border() + j];  // of α
    if (std::abs(rate) <= kNoRate) continue;
    const double goal = rate < 0 ? 0 : boxes_[m];
    const double length = std::max(0.0, (goal - alpha(m)) / rate);
    if (length < first.length) first = {length, Ending::leaves, j, goal};
  }
}

// The example outside the margin that reaches g = 0 first. Examples that are already wrong are left for later. A flow
// below `noise` times the lengths of both counts as 0. Few examples come before the best so far, so divisions are rare.
void IncrementalSvm::first_outside(const Move& move, double noise, Event& first) const {
  const double lift = inverse_.border() == 1 && !margin_.empty() ? rates_[0] : 0;
  const double own = roots_[site(move.c)], wrong = -tolerance();
  for (std::size_t at = 0, i = 0; at < sites(); ++at) {
    const double flow = -move.direction * (flow_[at] + lift), value = values_[at] + bias_;
    const double least = noise * (roots_[at] + own);
    if (std::abs(flow) <= least) {
      i += settings_.twins;
      continue;
    }
    for (std::size_t twin = 0; twin < settings_.twins; ++twin, ++i) {
      const double rate = wants_[i] * flow, gap = wants_[i] * value - sides_[i];
      if (!(rate > least) || gap < wrong || gap >= first.length * rate) continue;
      first = {std::max(0.0, gap / rate), Ending::joins, i, 0};
    }
  }
}

IncrementalSvm::Event IncrementalSvm::next_event(ExampleStore& store, const Move& move) {
  find_direction(store, move.c);
  Event first{std::abs(move.target - alpha(move.c)), Ending::target, move.c, move.target};
  const double lift = inverse_.border() == 1 ? rates_[0] : 0;
  const double flow = flow_[site(move.c)] + lift;  // ‖δ‖²
  const bool is_outside = flow > kSpan * largest_own(store, move.c) + kRounding * spread_ * spread_;
  if (move.stops_on_margin && is_outside) {
    const double length = std::abs(slack(move.c)) / flow;
    if (length <= first.length) first = {length, Ending::on_margin, move.c, 0};
  }
  first_of_margin(move.direction, first);
  if (is_outside) first_outside(move, kNoFlow * std::sqrt(flow) + kRounding * spread_, first);
  return first;
}

void IncrementalSvm::advance(const Move& move, double length) {
  const double by = move.direction * length;
  if (by == 0) return;
  coefficients_[move.c] += by;
  touched_[move.c] = 1;
  if (inverse_.border() == 1) bias_ += by * rates_[0];
  for (std::size_t j = 0; j < margin_.size(); ++j) {
    const std::size_t m = margin_[j];
    const double a = alpha(m) + signs_[m] * by * rates_[inverse_.border() + j];
    coefficients_[m] = signs_[m] * std::clamp(a, 0.0, boxes_[m]);
    touched_[m] = 1;
  }
  add_scaled(by, flow_.data(), values_.data(), sites());
}

// The margin is empty and the sum of coefficients is fixed: the bias moves until an example joins the margin. Returns
// whether this ends the move of c.
bool IncrementalSvm::move_bias(ExampleStore& store, const Move& move) {
  Event first{kNever, Ending::none, 0, 0};
  if (move.stops_on_margin) first = {std::abs(slack(move.c)), Ending::on_margin, move.c, 0};
  for (std::size_t i = 0; i < size(); ++i) {
    if (-wants_[i] * move.direction <= 0) continue;
    const double gap = wants_[i] * (value(i) + bias_) - sides_[i];
    if (gap >= -tolerance() && gap < first.length) first = {std::max(0.0, gap), Ending::joins, i, 0};
  }
  if (first.ending == Ending::none) return true;
  bias_ += move.direction * first.length;
  if (first.length > 0) unbar(left_);
  join(store, first.who);
  return first.ending == Ending::on_margin;
}

// Returns whether the move has ended.
bool IncrementalSvm::step(ExampleStore& store, Move& move) {
  if (settings_.bias && margin_.empty()) return move_bias(store, move);
  const Event event = next_event(store, move);
  advance(move, event.length);
  if (event.length > 1e-13 * boxes_[move.c]) unbar(left_);
  switch (event.ending) {
    case Ending::target:
      coefficients_[move.c] = signs_[move.c] * event.goal;
      return true;
    case Ending::on_margin:
      if (join(store, move.c)) return true;
      move.stops_on_margin = false;  // it is almost in the span, so it hardly changes f
      break;
    case Ending::leaves: {
      const std::size_t m = margin_[event.who];
      coefficients_[m] = signs_[m] * event.goal;
      touched_[m] = 1;
      leave(event.who, event.goal == 0 ? Place::out : Place::full);
      bar(m, left_);
      break;
    }
    case Ending::joins:
      if (!join(store, event.who)) bar(event.who, dependent_);
      break;
    case Ending::none:
      break;
  }
  if (inverse_.has_drifted()) rebuild_margin(store);
  return false;
}

// Returns whether c reached the end of its move.
bool IncrementalSvm::drive(ExampleStore& store, Move move) {
  if (move.target == alpha(move.c)) return true;
  move.direction = signs_[move.c] * (move.target > alpha(move.c) ? 1 : -1);
  set_place(move.c, Place::loose);
  bool ended = false;
  for (; events_left_ > 0 && !ended; --events_left_) ended = step(store, move);
  unbar(left_);
  unbar(dependent_);
  if (places_[move.c] != Place::margin) {
    const double a = alpha(move.c);
    if (a == 0 || a == boxes_[move.c]) place_at_bound(move.c);
  }
  return ended;
}

// Moves α_c to where g_c is 0, or as near as its box allows.
void IncrementalSvm::seek(ExampleStore& store, std::size_t c) {
  const double g = slack(c);
  drive(store, {.c = c, .target = g > 0 || (g == 0 && alpha(c) > 0) ? boxes_[c] : 0, .stops_on_margin = true});
}

void IncrementalSvm::force(ExampleStore& store, std::size_t c, double target) {
  drive(store, {.c = c, .target = target});
  if (alpha(c) != target) jump(store, c, target);
}

// Moves straight to the target, without regard to the other examples.
void IncrementalSvm::jump(ExampleStore& store, std::size_t c, double target) {
  const double goal = signs_[c] * target;
  double rest = coefficients_[c] - goal;  // for the others, with a bias
  change(store, c, goal - coefficients_[c]);
  coefficients_[c] = goal;
  for (std::size_t i = 0; settings_.bias && rest != 0 && i < size(); ++i) {
    if (i == c || !is_learned(i)) continue;
    const double low = signs_[i] > 0 ? 0 : -boxes_[i], high = low + boxes_[i];
    const double before = coefficients_[i];
    const double after = std::clamp(before + rest, low, high);
    if (after == before) continue;
    leave_margin(i);
    change(store, i, after - before);
    coefficients_[i] = after;
    set_place(i, Place::loose);
    if (alpha(i) == 0 || alpha(i) == boxes_[i]) place_at_bound(i);
    rest -= after - before;
  }
}

void IncrementalSvm::note_changes() {
  for (std::size_t i = 0; i < size(); ++i) {
    if (touched_[i] == 0) continue;
    note_change(i);
    touched_[i] = 0;
  }
}

// --- state -----------------------------------------------------------------------------------------------------------

std::size_t IncrementalSvm::memory_bytes() const {
  const std::size_t numbers = kNumbers * signs_.capacity() + column_.capacity() + rates_.capacity();
  return numbers * sizeof(double) + 2 * places_.capacity() + margin_.capacity() * sizeof(std::uint32_t) +
         inverse_.memory_bytes();
}

// Vectors that grow may have up to twice the capacity that they need.
std::size_t IncrementalSvm::bytes(std::size_t count, std::size_t margin) {
  return 2 * (kNumbers * count + 2 * (margin + 1)) * sizeof(double) + 4 * count + 2 * margin * sizeof(std::uint32_t) +
         MarginInverse::bytes(margin + 1);
}

void IncrementalSvm::save(StateWriter& out) const {
  out.put_array(signs_);
  out.put_array(boxes_);
  out.put_array(coefficients_);
  for (const auto* values : {&values_, &roots_}) {
    std::vector<double> by_example(size());
    for (std::size_t i = 0; i < size(); ++i) by_example[i] = (*values)[site(i)];
    out.put_array(by_example);
  }
  out.put_array(margin_);
  out.put(bias_);
  out.put(fallbacks_);
  out.put(checks_);
  inverse_.save(out);
}

void IncrementalSvm::load(StateReader& in, std::size_t stored) {
  const std::size_t count = stored * settings_.twins;
  const auto is_finite = [](double v) { return std::isfinite(v); };
  for (auto* values : {&signs_, &boxes_, &coefficients_, &values_, &roots_}) {
    *values = in.get_array<double>();
    StateReader::require(values->size() == count, "a problem of the wrong size");
    StateReader::require(std::ranges::all_of(*values, is_finite), "a number is not finite");
  }
  for (auto* values : {&values_, &roots_}) {
    for (std::size_t i = 0; i < count; ++i) {
      StateReader::require((*values)[i] == (*values)[site(i) * settings_.twins], "twins that differ");
    }
    for (std::size_t i = 0; i < stored; ++i) (*values)[i] = (*values)[i * settings_.twins];
    values->resize(stored);
  }
  margin_ = in.get_array<std::uint32_t>();
  bias_ = in.get<double>();
  StateReader::require(std::isfinite(bias_) && (settings_.bias || bias_ == 0), "an invalid bias");
  fallbacks_ = in.get<std::uint64_t>();
  checks_ = in.get<std::uint64_t>();
  places_.assign(count, Place::apart);
  sides_.assign(count, 0.0);
  wants_.assign(count, 0.0);
  touched_.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const double a = alpha(i);
    StateReader::require(signs_[i] == 0 || std::abs(signs_[i]) == 1, "an invalid sign");
    StateReader::require(is_learned(i) ? boxes_[i] > 0 && a >= 0 && a <= boxes_[i] : coefficients_[i] == 0,
                         "a coefficient outside its box");
    if (is_learned(i)) set_place(i, a == 0 ? Place::out : a == boxes_[i] ? Place::full : Place::loose);
  }
  for (const std::uint32_t m : margin_) {
    StateReader::require(m < count && is_learned(m) && places_[m] != Place::margin, "an invalid margin");
    set_place(m, Place::margin);
  }
  inverse_.load(in, margin_.size());
}

}  // namespace kinglet
