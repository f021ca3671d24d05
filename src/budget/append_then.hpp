// Adds a term and then makes room for it; if this fails, nothing is changed.
#pragma once

#include <cstddef>

#include "expansion/expansion.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

// Appends the term and calls act(slot of the term). If act throws Error, having changed nothing, undo(slot) is called
// and the term is removed again.
template <class Act, class Undo>
void append_then(Expansion& f, const Term& term, Act act, Undo undo) {
  const std::size_t newest = f.append(term);
  try {
    act(newest);
  } catch (const Error&) {
    undo(newest);
    f.remove(newest);
    throw;
  }
}
template <class Act>
void append_then(Expansion& f, const Term& term, Act act) {
  append_then(f, term, act, [](std::size_t) {});
}

}  // namespace kinglet
