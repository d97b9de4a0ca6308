#include "core/scores/regret.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/numbers/special.hpp"

namespace qnml {
namespace {

// C(N, r) = sum over k of t_k with t_k = N^(k falling) (r-1)^(k rising) / (N^k k!). Every term is positive, and
//   t_{k+1} / t_k = (N - k)(r - 1 + k) / (N (k + 1)),
// which decreases with k beyond the peak. The three functions below give log t_k without severe cancellation.

// log of N^(k falling) / N^k.
double log_falling_share(double n, double k) {
  const double rest = n - k;
  if (rest < 1.0) return log_gamma(n + 1.0) - k * std::log(n);
  const double x = k / n;
  // -(rest + 1/2) log(1 - x) - k, with -log(1 - x) = x + e.
  const double e = -log1p_minus(-x);
  return -k * x + 0.5 * x + (rest + 0.5) * e + (stirling_rest(n) - stirling_rest(rest));
}

// log of a^(k rising) / k!, for a > 0.
double log_rising_share(double a, double k) {
  if (a <= k + 1.0) return log_rising(k + 1.0, a - 1.0) - log_gamma(a);
  return log_rising(a, k) - log_gamma(k + 1.0);
}

double log_term(double n, double a, double k) { return log_falling_share(n, k) + log_rising_share(a, k); }

// The k with the largest t_k: the root of k^2 + (r - 1) k - N (r - 2) = 0, written without cancellation.
double peak(double n, double r) {
  if (r <= 2.0) return 0.0;
  const double b = r - 1.0;
  const double root = 2.0 * n * (r - 2.0) / (b + std::sqrt(b) * std::sqrt(b + 4.0 * n * ((r - 2.0) / b)));
  return std::clamp(std::floor(root), 0.0, n);
}

// Terms below this fraction of the sum so far do not change a double; the tail beyond them falls geometrically.
constexpr double kNegligible = 1e-19;

// From this many rows on, a recurrence over few levels is shorter than a sum of O(sqrt(N)) terms.
constexpr std::int64_t kManyRows = std::int64_t{1} << 32;
constexpr double kFewLevels = 65'536.0;

// A step of the sum takes three times as long as a step of the recurrence, and there are up to 10 sqrt(N) steps.
constexpr double kTermsPerRoot = 30.0;

double regret_by_terms(std::int64_t rows, const LevelProduct& levels) {
  const auto n = static_cast<double>(rows);
  const double r = levels.value;
  if (rows == 0 || r == 1.0) return 0.0;
  // The last bit of a sum of logarithms depends on their order. The product of the levels does not, as long as it fits.
  const double log_r = std::isinf(r) ? levels.log : std::log(r);
  if (rows == 1) return log_r;
  if (r > 1e290) {
    // Only the term k = N matters: every earlier term is at most N^2 / r times as large. (r-1)^(N rising) equals r^N to
    // double precision.
    return n * (log_r - std::log(n));
  }
  const double a = r - 1.0;
  const double top = peak(n, r);
  // Sum t_k / t_top outwards from the peak.
  double above = 0.0;
  double term = 1.0;
  for (double k = top; k < n; k += 1.0) {
    term *= (n - k) / n * ((a + k) / (k + 1.0));
    above += term;
    if (term <= kNegligible * above) break;
  }
  double below = 0.0;
  term = 1.0;
  for (double k = top; k > 0.0; k -= 1.0) {
    term *= n / (n - k + 1.0) * (k / (a + k - 1.0));
    below += term;
    if (term <= kNegligible * below) break;
  }
  if (top == 0.0) return std::log1p(above);
  return log_term(n, a, top) + std::log1p(above + below);
}

// C(N, 2) = 1 + Q(N), where Q is Ramanujan's function.
// Q(N) + R(N) = N! e^N / N^N and R(N) - Q(N) = 2/3 + 8/(135 N) - ... (Flajolet, Grabner, Kirschenhofer, Prodinger
// 1995). From here on, the five terms used are exact to double precision (tested in tests/scores/test_regret.py).
constexpr std::int64_t kAsymptoticFrom = 300;

double two_level_constant(std::int64_t rows) {
  if (rows < kAsymptoticFrom) return std::exp(regret_by_terms(rows, LevelProduct::of(2.0)));
  const auto n = static_cast<double>(rows);
  const double y = 1.0 / n;
  const double difference =
      2.0 / 3 + y * (8.0 / 135 - y * (16.0 / 2835 + y * (32.0 / 8505 - y * (17984.0 / 12629925))));
  return 1.0 + 0.5 * (std::sqrt(2.0 * std::numbers::pi * n) * std::exp(stirling_rest(n)) - difference);
}

// Recurrence over levels, for r >= 2: C(m, s+2) = C(m, s+1) + (m/s) C(m, s), rescaled before it can overflow.
double regret_by_levels(std::int64_t rows, std::int64_t r) {
  const auto n = static_cast<double>(rows);
  double lower = 1.0;
  double upper = two_level_constant(rows);
  double scale = 0.0;
  for (std::int64_t s = 1; s + 2 <= r; ++s) {
    const double next = upper + n / static_cast<double>(s) * lower;
    lower = upper;
    upper = next;
    if (upper > 1e200) {
      scale += std::log(1e200);
      lower *= 1e-200;
      upper *= 1e-200;
    }
  }
  return scale + std::log(upper);
}

}  // namespace

double regret(std::int64_t rows, const LevelProduct& levels) {
  const double r = levels.value;
  // The sum has O(sqrt(N)) terms, the recurrence r steps.
  const bool is_short = rows >= kManyRows && r >= 2.0 && r == std::floor(r) && r <= kFewLevels;
  return is_short ? regret_by_levels(rows, static_cast<std::int64_t>(r)) : regret_by_terms(rows, levels);
}

double regret(std::int64_t rows, double r) { return regret(rows, LevelProduct::of(r)); }

std::vector<double> regret_table(std::int64_t rows, std::int64_t r) {
  std::vector<double> table(static_cast<std::size_t>(rows) + 1, 0.0);
  if (r == 1) return table;
  for (std::int64_t m = 1; m <= rows; ++m) {
    // The shorter of the two: r levels, or the terms around the largest.
    const auto levels = static_cast<double>(r);
    const bool has_many_levels = levels > kTermsPerRoot * std::sqrt(static_cast<double>(m));
    table[static_cast<std::size_t>(m)] =
        has_many_levels ? regret_by_terms(m, LevelProduct::of(levels)) : regret_by_levels(m, r);
  }
  return table;
}

std::vector<double> regrets_by_levels(std::int64_t rows, std::size_t most_levels) {
  std::vector<double> regrets(most_levels, 0.0);
  if (most_levels < 2 || rows == 0) return regrets;
  regrets[1] = regret(rows, 2.0);
  const auto n = static_cast<double>(rows);
  for (std::size_t r = 1; r + 2 <= most_levels; ++r) {
    const double fewer = regrets[r];  // of r + 1 levels
    regrets[r + 1] = fewer + std::log1p(n / static_cast<double>(r) * std::exp(regrets[r - 1] - fewer));
  }
  return regrets;
}

namespace {

// (Gamma(x + 1/2) / Gamma(x))^2 - x + 1/4, which falls like 1/(32 x): computing the difference directly would lose all
// digits. From x = 50 on, the six terms used are exact to 1e-12 of the sum (tested in tests/scores/test_regret.py).
double squared_ratio_rest(double x) {
  if (x < 50.0) return std::exp(2.0 * log_rising(x, 0.5)) - x + 0.25;
  const double y = 1.0 / x;
  return y * (1.0 / 32 +
              y * (1.0 / 128 - y * (5.0 / 2048 + y * (23.0 / 8192 - y * (53.0 / 65536 + y * (593.0 / 262144))))));
}

}  // namespace

double regret_szpankowski(double n, double r) {
  if (n == 0.0 || r == 1.0) return 0.0;
  const double x = (r - 1.0) / 2.0;
  const double ratio = std::exp(log_rising(x, 0.5));  // Gamma(r/2) / Gamma((r-1)/2)
  // The last two terms of eq. (6) share the leading parts r^3/18 - r^2/12, which are cancelled analytically here.
  const double last = -(4.0 * r * squared_ratio_rest(x) + 2.0) * r + 3.0;
  return std::numbers::sqrt2 * r * ratio / (3.0 * std::sqrt(n)) + x * std::log(n / 2.0) - log_gamma(r / 2.0) +
         0.5 * std::log(std::numbers::pi) + last / (36.0 * n);
}

double regret_szpankowski_weinberger(double n, double r) {
  if (n == 0.0) return 0.0;
  const double alpha = r / n;
  // C = 1 + d with d = (sqrt(1 + 4/alpha) - 1)/2, so that alpha d C = 1. With u = 1/d = alpha C:
  //   log alpha + 2 log C = log1p(u)  and  1/C = alpha d = u/(1 + u).
  // For large alpha, 1/C cancels against alpha log C; for small alpha, against log1p(u).
  const double z = 4.0 / alpha;
  const double d = 0.5 * z / (std::sqrt(1.0 + z) + 1.0);
  const double u = 1.0 / d;
  const double main =
      u > 1.0 ? std::log1p(u) + alpha * log1p_minus(d) : log1p_minus(u) + u * (u / (1.0 + u)) + alpha * std::log1p(d);
  return n * main - 0.5 * std::log(1.0 + d + 2.0 / alpha);
}

}  // namespace qnml
