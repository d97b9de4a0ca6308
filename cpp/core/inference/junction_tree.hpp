// A junction tree: what is multiplied and summed in which order to answer one kind of question, without numbers.
//
// S. Lauritzen, D. Spiegelhalter, "Local computations with probabilities on graphical structures and their application
// to expert systems", JRSS B 50 (1988). Observed variables are fixed, so they are not in the tree; neither are
// variables that are not asked for and have no observed descendants. Cliques are those of an elimination order, less
// those inside another one. All tables have their axes in one order: the variable that is summed out first varies
// fastest. So the variables that a clique sums out before it tells its parent are always the innermost ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/clusters.hpp"
#include "core/inference/network_tables.hpp"
#include "core/inference/question.hpp"
#include "core/inference/walk.hpp"

namespace qnml {

class JunctionTree {
 public:
  static constexpr std::uint32_t kNone = Cluster::kNone;

  struct Factor {
    std::uint32_t variable;
    std::vector<NetworkTables::Axis> axes;
    std::size_t size;
    std::size_t own_stride;  // of the variable itself, 0 if it is fixed
    std::size_t start;       // in the workspace
    Walk walk;               // through the table of the clique
  };
  struct Clique {
    std::vector<std::uint32_t> variables;  // outermost first
    std::vector<std::uint32_t> factors;
    std::vector<std::uint32_t> children;
    std::uint32_t parent = kNone;
    std::uint32_t kept = 0;  // how many of its variables the parent has, too: the first ones
    std::size_t size = 1;
    std::size_t residual = 1;  // entries of the innermost variables, which the parent does not have
    std::size_t table = 0, message = 0, answer = 0;  // where they begin in the workspace
    Walk in_parent;                                  // the message, through the table of the parent
    bool takes_max = false;                          // maximises instead of summing
    bool is_needed = false;                          // by an answer: messages from the root must come here
  };
  // Where the marginal of a wanted variable is read.
  struct Source {
    std::uint32_t variable;
    std::size_t start;     // in the answer
    std::uint32_t clique;  // kNone if the variable is fixed
    bool from_separator;   // that between the clique and its parent
    Walk walk;
  };

  // Plans with a forecast of more than `most_entries` are not made: only `entries` and `largest` are set.
  JunctionTree(const NetworkTables& tables, Question question, double most_entries);

  bool is_made() const { return is_made_; }
  double entries() const { return entries_; }        // of all tables together
  double operations() const { return operations_; }  // multiplications and additions, about
  std::size_t width() const { return largest_.size() - (largest_.empty() ? 0 : 1); }
  const std::vector<std::uint32_t>& largest() const { return largest_; }  // variables of the largest clique

  const NetworkTables& tables() const { return *tables_; }
  const Question& question() const { return question_; }
  const std::vector<Clique>& cliques() const { return cliques_; }  // children before parents
  const std::vector<Factor>& factors() const { return factors_; }
  const std::vector<std::uint32_t>& constants() const { return constants_; }  // families all of which is fixed
  const std::vector<Source>& sources() const { return sources_; }
  std::size_t answer_size() const { return answer_size_; }
  std::size_t workspace() const { return workspace_; }
  // Of a joint question: the clique that has the wanted variables, kNone if all are fixed; and those free, in the order
  // of the axes of the answer.
  std::uint32_t joint_clique() const { return joint_clique_; }
  const std::vector<std::uint32_t>& joint_axes() const { return joint_axes_; }
  const Walk& joint_walk() const { return joint_walk_; }

 private:
  void forecast(const QuestionGraph& graph, const Clusters& clusters);
  void make_cliques(const QuestionGraph& graph, const Clusters& clusters);
  void place_factors(const QuestionGraph& graph, const Clusters& clusters);
  Factor make_factor(std::uint32_t variable, const Clique& clique, std::span<const std::uint32_t> members) const;
  void lay_out();
  void find_sources();
  void find_joint();
  std::size_t outer_size(const Clique& clique) const { return clique.size / clique.residual; }
  std::span<const std::uint32_t> separator(const Clique& clique) const;
  Walk walk_of(std::span<const std::uint32_t> variables, std::span<const std::uint32_t> some) const;

  const NetworkTables* tables_;
  Question question_;
  bool is_made_ = false;
  double entries_ = 0.0;
  double operations_ = 0.0;
  std::vector<std::uint32_t> largest_;
  std::vector<Clique> cliques_;
  std::vector<Factor> factors_;
  std::vector<std::uint32_t> constants_;
  std::vector<Source> sources_;
  std::size_t answer_size_ = 0;
  std::size_t workspace_ = 0;
  std::uint32_t joint_clique_ = kNone;
  std::vector<std::uint32_t> joint_axes_;
  Walk joint_walk_;
};

}  // namespace qnml
