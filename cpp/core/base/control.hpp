// Progress and cancellation of a long computation: one flag to read, one share of the work to report.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

namespace qnml {

class Control {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr const char* kNoStage = "starting";  // before the first stage

  Control() = default;
  // Stops this many seconds after `other`: for short work that is worth finishing when the time is over.
  Control(Control& other, double grace_seconds) : other_(&other), grace_(in_ticks(grace_seconds)) {}

  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  void set_deadline(double seconds) {
    deadline_ = Clock::now() + in_ticks(seconds);
    has_deadline_ = true;
    timed_out_.store(false, std::memory_order_relaxed);
  }
  // For the next stage, after one with its own deadline; a requested stop remains in force. Neither this nor
  // set_deadline may be called while other threads use this object.
  void lift_deadline() {
    has_deadline_ = false;
    timed_out_.store(false, std::memory_order_relaxed);
  }

  // Cheap enough to call every few microseconds.
  bool is_stopped() {
    if (is_interrupted() || is_timed_out()) return true;
    const bool is_over = (has_deadline_ && Clock::now() >= deadline_) || (other_ != nullptr && is_grace_over());
    if (is_over) timed_out_.store(true, std::memory_order_relaxed);
    return is_over;
  }
  bool has_deadline() const { return has_deadline_; }
  bool is_interrupted() const { return stopped_.load(std::memory_order_relaxed); }
  bool is_timed_out() const { return timed_out_.load(std::memory_order_relaxed); }

  // `stage` is what people see while it runs: a string literal, which outlives every reader.
  void start_stage(const char* stage, double work) {
    done_.store(0.0);
    work_.store(work);
    stage_.store(stage);
  }
  void advance(double by) {
    double before = done_.load(std::memory_order_relaxed);
    while (!done_.compare_exchange_weak(before, before + by, std::memory_order_relaxed)) {
    }
  }
  const char* stage() const { return stage_.load(); }
  double share_done() const { return work_.load() > 0 ? done_.load() / work_.load() : 0.0; }

 private:
  // At most thirty years: a larger number of ticks would overflow 64 bits and lie in the past.
  static Clock::duration in_ticks(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e9)));
  }

  // Measured from the time at which the stop of `other` is first noticed.
  bool is_grace_over() {
    if (!other_->is_stopped()) return false;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep seen = kNotSeen;
    if (other_seen_.compare_exchange_strong(seen, now)) seen = now;
    return now - seen >= grace_.count();
  }

  static constexpr Clock::rep kNotSeen = std::numeric_limits<Clock::rep>::min();

  std::atomic<bool> stopped_{false};
  std::atomic<bool> timed_out_{false};
  std::atomic<const char*> stage_{kNoStage};
  std::atomic<double> done_{0.0};
  std::atomic<double> work_{0.0};
  bool has_deadline_ = false;
  Clock::time_point deadline_{};
  Control* other_ = nullptr;
  Clock::duration grace_{};
  std::atomic<Clock::rep> other_seen_{kNotSeen};
};

}  // namespace qnml
