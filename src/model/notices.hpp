// What a model has to say that is no error (Model::take_notices()). Each kind is said once.
#pragma once

#include <utility>
#include <vector>

#include "kinglet/message.hpp"

namespace kinglet {

class Notices {
 public:
  enum Kind : unsigned { much_memory, lower_budget, new_labels, full_budget, beyond_start, other_isa };

  void add(Kind kind, Message text) {
    if (is_said(kind)) return;
    said_ |= 1U << kind;
    waiting_.push_back(std::move(text));
  }
  void never(Kind kind) { said_ |= 1U << kind; }
  bool is_said(Kind kind) const { return (said_ >> kind & 1U) != 0; }
  std::vector<Message> take() { return std::exchange(waiting_, {}); }

 private:
  unsigned said_ = 0;  // a bit for each kind that was said or is never to be said
  std::vector<Message> waiting_;
};

}  // namespace kinglet
