#include "core/inference/row_marginals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/inference/domain.hpp"
#include "core/inference/junction_tree.hpp"
#include "core/inference/network_tables.hpp"
#include "core/inference/propagation.hpp"

namespace qnml {
namespace {

// Rows of a task. A tree is made for each, which takes about as long as answering a few rows.
constexpr std::size_t kMostRows = 256;

struct Task {
  std::size_t first;
  std::size_t count;
};

std::vector<Task> make_tasks(std::span<const std::uint64_t> starts, std::size_t rows) {
  std::vector<Task> tasks;
  for (std::size_t run = 0; run < starts.size(); ++run) {
    const std::size_t end = run + 1 < starts.size() ? starts[run + 1] : rows;
    for (std::size_t first = starts[run]; first < end; first += kMostRows)
      tasks.push_back({first, std::min(kMostRows, end - first)});
  }
  return tasks;
}

// Answers rows that miss the same cells.
class Answering {
 public:
  Answering(const NetworkTables& tables, const RowQuestions& questions, std::size_t first)
      : variables_(tables.variables()), tree_(tables, question(tables, questions, first), questions.most_entries) {
    if (tree_.is_made()) quick_ = std::make_unique<Propagation<Probabilities>>(tree_);
    evidence_.weights.resize(variables_);
    codes_.resize(variables_);
    evidence_.codes = codes_;
  }

  RowState answer(const std::int32_t* row, std::span<double> marginals, double& log_evidence, Control& control) {
    if (!tree_.is_made()) return RowState::kTooLarge;
    for (std::size_t v = 0; v < variables_; ++v) codes_[v] = std::max(row[v], 0);
    if (quick_->collect(evidence_, control)) return finish(*quick_, marginals, log_evidence, control);
    if (!careful_) careful_ = std::make_unique<Propagation<Logarithms>>(tree_);
    careful_->collect(evidence_, control);
    return finish(*careful_, marginals, log_evidence, control);
  }

 private:
  static Question question(const NetworkTables& tables, const RowQuestions& questions, std::size_t first) {
    Question question;
    question.wanted.assign(questions.wanted.begin(), questions.wanted.end());
    question.weighted.assign(tables.variables(), 0);
    for (std::size_t v = 0; v < tables.variables(); ++v)
      question.cells.push_back(questions.codes[first * tables.variables() + v] < 0 ? Cell::kFree : Cell::kSeen);
    return question;
  }

  template <class Domain>
  RowState finish(Propagation<Domain>& propagation, std::span<double> marginals, double& log_evidence,
                  Control& control) {
    log_evidence = propagation.log_total();
    if (log_evidence == -std::numeric_limits<double>::infinity()) return RowState::kImpossible;
    propagation.distribute(codes_, marginals, control);
    return RowState::kAnswered;
  }

  std::size_t variables_;
  JunctionTree tree_;
  std::vector<std::int32_t> codes_;
  Evidence evidence_;
  std::unique_ptr<Propagation<Probabilities>> quick_;
  std::unique_ptr<Propagation<Logarithms>> careful_;
};

}  // namespace

void marginals_of_rows(const NetworkTables& tables, const RowQuestions& questions, int threads, Control& control,
                       const RowAnswers& answers) {
  const std::size_t rows = answers.states.size();
  if (rows == 0) return;
  const std::size_t width = answers.marginals.size() / rows;
  const std::vector<Task> tasks = make_tasks(questions.starts, rows);
  control.start_stage("marginals", static_cast<double>(rows));
  parallel_for(tasks.size(), threads, [&](int, std::size_t number) {
    const Task& task = tasks[number];
    if (control.is_stopped()) return;
    Answering answering(tables, questions, task.first);
    for (std::size_t row = task.first; row < task.first + task.count; ++row) {
      if (control.is_stopped()) return;
      const std::span<double> mine = answers.marginals.subspan(row * width, width);
      answers.log_evidence[row] = std::numeric_limits<double>::quiet_NaN();
      answers.states[row] =
          answering.answer(questions.codes.data() + row * tables.variables(), mine, answers.log_evidence[row], control);
      if (answers.states[row] != RowState::kAnswered)
        std::fill(mine.begin(), mine.end(), std::numeric_limits<double>::quiet_NaN());
    }
    control.advance(static_cast<double>(task.count));
  });
}

}  // namespace qnml
