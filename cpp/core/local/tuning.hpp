// All tuning constants of the local searches.
//
// They trade time against the score of the network that is found; none of them affects correctness. Each comment says
// what the constant controls and where its value comes from. "Chosen by hand" means that no measurement is recorded.
// `python -m benchmarks.large` measures the settings as a whole; docs/benchmarks.md reports it, including how often the
// proven optimum is found on samples that were not used to choose any setting.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qnml::tuning {

// One value for each effort. "usual" is the default effort.
template <class T>
struct PerEffort {
  T quick;
  T usual;
  T thorough;
};

// Work in rows x families below which starting threads does not pay. Chosen by hand.
inline constexpr double kLeastWorkForThreads = 2e6;

// Samples with more rows count as large: counting then dominates the time, and searches end in poor local optima less
// often. Chosen by hand, between the 1,000 and the 10,000 rows of the benchmark samples.
inline constexpr std::size_t kManyRows = 5000;

// Memory, as shares of the memory limit. Chosen by hand.
namespace memory {
inline constexpr double kFamilyCacheShare = 0.5;
inline constexpr double kParentSetsShare = 0.25;
inline constexpr double kProofShare = 0.25;
inline constexpr double kGainingParentsShare = 0.1;
// Absolute limits that apply as well, in bytes. Chosen by hand.
inline constexpr double kMostFamilyCache = 4e9;
inline constexpr double kMostGainingParents = 64e6;
inline constexpr double kMostClimbGains = 256e6;  // hill climbing: the gains of families it may return to
}  // namespace memory

// Choice of candidate parents.
namespace screening {
// With more variables, children choose parents among screened candidates only. Chosen by hand.
inline constexpr int kAllCandidatesUpTo = 200;
// Candidates per child: the best single parents. Chosen by hand.
inline constexpr int kCandidates = 40;
// The order search considers all variables up to this number, because screening misses variables that gain only
// together with another: it cost 900 nats of BIC on win95pts with 10,000 rows. The limit itself is chosen by hand.
inline constexpr int kAllForOrdersUpTo = 2000;
}  // namespace screening

// Limit on the families that one stage may score at quick and default effort: kFamilies + per pair * n^2. Without it an
// order search under BDeu took 100 times as long as under BIC on munin1 (186 variables, 1,000 rows). No search on the
// five benchmark networks of up to 76 variables reaches it; docs/large-networks.md, "Work limit", lists those that do.
namespace work {
inline constexpr double kFamilies = 2e6;
inline constexpr double kFamiliesPerPair = 40.0;
// For the last climb, which starts from a good network. With the full limit it took nine tenths of the time under BDeu
// on networks of 1,000 variables.
inline constexpr double kFamiliesPerPairLast = 10.0;
}  // namespace work

// Hill climbing (hill_climb).
namespace climb {
// Climbs with different tie-breaking rules; there are four rules. With four rules and perturbations of up to a quarter
// of the arcs, quick hill climbing ended above bnlearn's in all of thirty benchmark cases; before, below in ten.
inline constexpr int kStarts = 4;
// With more variables one climb takes seconds, so there is only one. Chosen by hand.
inline constexpr int kSeveralStartsUpTo = 1000;
// Length of the tabu list, and moves without a better network before the tabu search ends. Chosen by hand.
inline constexpr PerEffort<int> kTabu{10, 100, 1000};
// Perturbations. At quick effort as many as variables, within these bounds. Chosen by hand.
inline constexpr int kLeastQuickShakes = 40;
inline constexpr int kMostQuickShakes = 200;
inline constexpr int kUsualShakes = 200;
inline constexpr int kThoroughShakes = 5000;
// Perturbations of the climb that follows an order search. Chosen by hand.
inline constexpr PerEffort<int> kShakesAfterOrders{0, 50, 5000};
// Arcs changed by one perturbation: at most one in kArcsPerShaken, within the bounds. With fewer the climb returns to
// where it came from. The share was measured together with kStarts. Perturbations of more than fifty arcs rarely paid;
// those trials are not recorded, and neither are any for the lower bound.
inline constexpr std::size_t kArcsPerShaken = 4;
inline constexpr std::size_t kLeastShaken = 4;
inline constexpr std::size_t kMostShaken = 50;
// Partners of a child rescored by one thread at a time. Chosen by hand.
inline constexpr std::size_t kPartnersPerTask = 64;
}  // namespace climb

// Order search (best_order, parent_growth).
namespace orders {
// Chains at default effort. If a greedy equivalence search follows (score-equivalent scores), half the chains and a
// quarter of the rounds reached the same scores in less time.
inline constexpr int kQuickChains = 1;
inline constexpr int kUsualChains = 4;
inline constexpr int kUsualChainsBeforeClasses = 2;
inline constexpr int kThoroughChains = 8;
inline constexpr int kUsualRounds = 20;
inline constexpr int kUsualRoundsBeforeClasses = 5;
inline constexpr int kThoroughRounds = 200;
// Perturbations per chain and round: at most (default) or at least (thorough) this number; otherwise n. Chosen by hand.
inline constexpr int kUsualShakes = 30;
inline constexpr int kThoroughShakes = 50;
// Rounds without a better network before the search ends. Chosen by hand.
inline constexpr int kUsualPatience = 2;
inline constexpr int kThoroughPatience = 10;
// Default effort: a round that gains a smaller share of the score counts as one without a better network. Chosen by
// hand.
inline constexpr double kUsualLeastGain = 1e-5;

// Small networks, at default effort and with few rows, get many short chains and perturbations that re-root subgraphs.
// Chains are cheap there, because they share most counts, and many short ones end higher than a few long ones. Before,
// one search in five on fresh samples of insurance (1,000 rows) ended below the optimum, by up to 0.7 % of the score;
// docs/benchmarks.md, "The proven optimum", has the rate now. The limit of 60 variables is chosen by hand.
inline constexpr int kSmallUpTo = 60;
// On at most this many variables more chains found nothing more if a greedy equivalence search follows.
inline constexpr int kTinyUpTo = 20;
// Chains of a small network: kSmallChainsTimesN / n, at most kMostSmallChains. Chosen by hand.
inline constexpr int kSmallChainsTimesN = 280;
inline constexpr int kMostSmallChains = 10;
inline constexpr int kSmallShakes = 16;
// Perturbations per n that re-root a subgraph (capped at half of the perturbations). Chosen by hand.
inline constexpr int kReroots = 12;
// Variables of a re-rooted subgraph: this number, plus up to n - 1 drawn at random. Chosen by hand.
inline constexpr std::size_t kLeastRerooted = 3;

// Any other perturbation makes up to kMostMoves moves. kArcReversals of kMoveKinds moves reverse an arc, the others go
// to any position. More moves are undone more often, fewer lead back to the same order. It starts with another
// order of the same network once in kRedrawEvery times, which brings other positions within one move. Chosen by hand.
inline constexpr std::size_t kMostMoves = 4;
inline constexpr std::size_t kArcReversals = 3;
inline constexpr std::size_t kMoveKinds = 4;
inline constexpr std::size_t kRedrawEvery = 4;

// Variables for each thread whose best positions are looked for ahead of their turn: few after one has moved, then
// twice as many each time, up to kMostAhead. Chosen by hand.
inline constexpr std::size_t kLeastAhead = 2;
inline constexpr std::size_t kMostAhead = 16;

// Weakest parents that may be exchanged for another variable. Exchanges gained 90 nats of BIC on alarm and reached the
// proven optimum on insurance, both with 1,000 rows. Exchanging every parent took most of the time on large families
// and found nothing more.
inline constexpr std::size_t kExchanged = 2;
// Best single parents next to which pairs of parents are tried. Chosen by hand.
inline constexpr int kPairPartners = 8;
// Pairs kept per child. Chosen by hand.
inline constexpr std::size_t kMostPairs = 100;
// All pairs of variables are tried as parents up to this number of variables. Without such a pair every seed ended 1.4
// nats below the optimum on alarm (37 variables, 1,000 rows, qNML). The limits are chosen by hand.
inline constexpr int kAllPairsUpTo = 40;
inline constexpr int kAllPairsThoroughUpTo = 100;
}  // namespace orders

// Greedy equivalence search (equivalence_search, class_steps).
namespace classes {
// Sets of neighbours tried as additional parents of a child, small ones first. 1,024 are all of them if no variable
// has more than ten undirected edges. Chosen by hand.
inline constexpr PerEffort<std::size_t> kMostCliques{1024, 1024, 65536};
// Perturbations at most. Chosen by hand.
inline constexpr PerEffort<int> kShakes{20, 2000, 20000};
// Perturbations in a row without a better class before the search ends. Chosen by hand.
inline constexpr int kQuickPatience = 20;
inline constexpr int kThoroughPatience = 5000;
// Default effort: min(n, kPatienceLinearFrom) * (n - kPatienceOffset) / kPatienceDivisor, twice as many with many rows,
// within bounds. Larger networks have more local optima. With this patience none of 27 searches on fresh samples of
// 10,000 rows ended in a poor local optimum, where 7 did with less.
inline constexpr int kPatienceLinearFrom = 100;
inline constexpr int kPatienceOffset = 10;
inline constexpr int kPatienceDivisor = 7;
inline constexpr int kPatienceFactorManyRows = 2;
inline constexpr int kLeastPatience = 40;
inline constexpr int kMostPatience = 600;
// After an order search, which leaves little to find in a small network, the number is scaled by n / kSmallUpTo on
// fewer variables. The lower bound is then kLeastTimesN / n, but at most kMostLeastAfterOrders: on tiny networks
// perturbations cost next to nothing. Chosen by hand.
inline constexpr int kLeastTimesN = 800;
inline constexpr int kLeastTimesNManyRows = 400;
inline constexpr int kMostLeastAfterOrders = 100;

// Random steps of one perturbation, and the distance from a variable within which they are made. Of the combinations
// tried on the sample networks (2 to 32 steps; distance 1 to 3 or unlimited) this one gave the best scores for its
// time.
inline constexpr int kShaken = 8;
inline constexpr int kShakenWithin = 2;
// Perturbations for each thread that are tried ahead, at most, before their results are compared. Chosen by hand.
inline constexpr std::size_t kMostAhead = 4;
// Rough number of deletions or turns per set of neighbours, to estimate the work. Chosen by hand.
inline constexpr double kStepsPerClique = 4.0;
}  // namespace classes

// Proof after the search, at default and thorough effort.
namespace proving {
// Rows visited. Default: rows * n^2 within the bounds, as a rule half the time of the search (docs/large-networks.md,
// "Upper bounds and proofs"). After an order search on up to kProvenUpTo variables kMoreVisits times as many, at most
// kMostVisitsOfOrders: about a second, which proves what can be proven in that time; on more variables it hardly ever
// proves anything. Thorough: minutes. The bounds are chosen by hand.
inline constexpr std::uint64_t kLeastVisits = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMostVisits = std::uint64_t{1} << 30;
inline constexpr int kProvenUpTo = 64;
inline constexpr std::uint64_t kMoreVisits = 512;
inline constexpr std::uint64_t kMostVisitsOfOrders = std::uint64_t{1} << 31;
inline constexpr std::uint64_t kThoroughVisits = std::uint64_t{1} << 38;
// Cases (nodes of the search tree) that branch and bound examines. Chosen by hand.
inline constexpr std::size_t kUsualCases = 500;
inline constexpr std::size_t kThoroughCases = 100'000;
}  // namespace proving

}  // namespace qnml::tuning
