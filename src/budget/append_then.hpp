// Adding a term and then making room for it, so that an error leaves all as it was.
#pragma once

#include <cstddef>

#include "expansion/expansion.hpp"
#include "kinglet/error.hpp"

namespace kinglet {

// Appends the term and calls act(slot of the term), which changes nothing where it throws Error: then the term goes again,
// after undo(slot).
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
