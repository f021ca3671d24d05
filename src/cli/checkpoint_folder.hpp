// The folder of `train --checkpoint`. One run at a time uses it: a lock on the file `lock` inside keeps others out. The
// system releases the lock when the process ends, however it ends; the file stays.
#pragma once

#include <string>

namespace kinglet::cli {

class CheckpointFolder {
 public:
  // Makes the folder if needed, locks it, and removes what killed runs left behind. Throws Error if another run uses
  // it.
  explicit CheckpointFolder(std::string folder);
  ~CheckpointFolder();
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  const std::string& checkpoint() const { return checkpoint_; }  // the path of the checkpoint
  bool has_checkpoint() const;
  void discard_checkpoint() const;

 private:
  void lock();
  void remove_leftovers() const;

  std::string folder_;
  std::string checkpoint_;
  int lock_ = -1;
};

}  // namespace kinglet::cli
