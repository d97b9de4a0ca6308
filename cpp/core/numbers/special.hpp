// Logarithms of gamma functions and their differences, without the cancellation of the textbook forms.
// std::lgamma is avoided: it writes a global sign on common platforms, which is a data race between threads.
#pragma once

namespace qnml {

// log(1 + x) - x for x > -1, accurate near zero, where the two terms cancel.
double log1p_minus(double x);

// log Gamma(x) for x > 0.
double log_gamma(double x);

// log Gamma(x + n) - log Gamma(x) for x > 0 and real n > -x, accurate even if x is much larger than n.
// For x below the smallest normal number, pass log_x, the logarithm of x: there Gamma(x) equals 1/x to double
// precision.
double log_rising(double x, double n);
double log_rising_tiny(double log_x, double n);

// The same for x that may exceed the range of doubles and is then infinite: only the factor x^n remains.
double log_rising_huge(double x, double log_x, double n);

// The remainder of Stirling's formula: log n! - [(n + 1/2) log n - n + log(2 pi)/2], for n >= 1.
double stirling_rest(double n);

}  // namespace qnml
