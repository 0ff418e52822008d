"""Statistics over replications with their 95 % intervals, as analysis/statistics of the program computes them."""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

NAN = math.nan


class Estimate(NamedTuple):
    """A statistic over n replications with its 95 % interval and their standard deviation."""

    value: float
    low: float
    high: float
    n: int
    sd: float


@functools.cache
def quantile(degrees: int) -> float:
    """The 97.5 % quantile of Student's t for a whole number of degrees of freedom.

    It bisects the distribution function in the angle atan(t / sqrt(degrees)), which is a finite sum
    (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """

    def inside(angle: float) -> float:  # the probability of [-t, t]
        cosine, odd = math.cos(angle), degrees % 2
        total, term = 0.0, cosine if odd else 1.0
        for k in range(2 + odd, degrees + 1, 2):
            total += term
            term *= cosine * cosine * (k - 1) / k
        total *= math.sin(angle)
        return (angle + total) * 2 / math.pi if odd else total

    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if inside(middle) < 0.95 else (low, middle)
    return math.tan(low) * math.sqrt(degrees)


def deviation(values: Sequence[float]) -> float:
    """The standard deviation with n - 1."""
    if len(values) < 2:
        return NAN
    return 0.0 if len(set(values)) == 1 else statistics.stdev(values)


def mean(values: Sequence[float]) -> float:
    """The mean; if all values are equal, exactly this value."""
    if not values:
        return NAN
    return values[0] if len(set(values)) == 1 else math.fsum(values) / len(values)


def median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else NAN


def trimmed(values: Sequence[float]) -> float:
    """The mean without the smallest and the largest of at least three values."""
    return mean(sorted(values)[1:-1]) if len(values) > 2 else NAN


def _interval(value: float, error: float, degrees: int) -> tuple[float, float]:
    """Student's interval around a value with this standard error."""
    if degrees < 1 or math.isnan(error):
        return NAN, NAN
    half = quantile(degrees) * error
    return value - half, value + half


def _mean_interval(values: Sequence[float]) -> tuple[float, float]:
    return _interval(mean(values), deviation(values) / math.sqrt(max(len(values), 1)), len(values) - 1)


def _median_interval(values: Sequence[float]) -> tuple[float, float]:
    """The narrowest symmetric pair of order statistics that covers the median with at least 95 %."""
    n, rank = len(values), 0
    while rank < n // 2 and 2 * sum(math.comb(n, k) for k in range(rank + 1)) <= 0.05 * 2**n:
        rank += 1
    ordered = sorted(values)
    return (ordered[rank - 1], ordered[n - rank]) if rank else (NAN, NAN)


def _trimmed_interval(values: Sequence[float]) -> tuple[float, float]:
    """Student's t with the winsorised deviation (Tukey and McLaughlin 1963)."""
    n = len(values)
    if n < 4:
        return NAN, NAN
    kept = sorted(values)[1:-1]
    winsorised = deviation([kept[0], *kept, kept[-1]]) * math.sqrt((n - 1) / (n - 3))
    return _interval(trimmed(values), winsorised / math.sqrt(n - 2), n - 3)


def granularity(lists: Iterable[Sequence[float]]) -> float:
    """What one event adds to values, such as 1 to counts: the greatest common divisor of the differences within lists.

    It is 0 if no list has different values, or if it is less than a millionth of the largest value, as of real numbers.
    """
    common, widest, largest = 0.0, 0.0, 0.0
    for values in lists:
        present = [v for v in values if not math.isnan(v)]
        for v in present:
            difference = abs(v - present[0])
            widest, largest = max(widest, difference), max(largest, abs(v))
            common = _common_divisor(common, difference, 1e-9 * largest)
            if common == 0:
                continue
            if common < 1e-6 * largest:
                return 0.0
            common = widest / round(widest / common)  # else the rounding errors of remainders add up
    return common


def _common_divisor(a: float, b: float, tiny: float) -> float:
    """Euclid's algorithm, where remainders of at most tiny are rounding errors."""
    while a > 0:
        rest = abs(b - a * round(b / a))
        if rest <= tiny:
            return a
        a, b = rest, a
    return 0.0 if b <= tiny else b


def _widened(found: Estimate, kept: Sequence[float], event: float) -> Estimate:
    """The estimate. If all n values that enter it are equal, its interval reaches ln(40)/n events to both sides.

    With that many events in a replication on average, n replications have none with a probability of 2.5 %.
    """
    if not math.isnan(found.low) and len(set(kept)) == 1:
        half = event * math.log(40) / len(kept)
        return found._replace(low=found.value - half, high=found.value + half)
    return found


STATISTICS: dict[str, tuple[Callable[[Sequence[float]], float], Callable[[Sequence[float]], tuple[float, float]]]] = {
    "mean": (mean, _mean_interval),
    "median": (median, _median_interval),
    "trimmed": (trimmed, _trimmed_interval),
}


def estimate(statistic: str, values: Sequence[float], event: float = 0) -> Estimate:
    """The statistic of the values that are not NaN. An event in a replication adds `event` to its value."""
    values = [v for v in values if not math.isnan(v)]
    of, interval = STATISTICS[statistic]
    found = Estimate(of(values), *interval(values), len(values), deviation(values))
    if statistic == "median":
        return found
    return _widened(found, sorted(values)[1:-1] if statistic == "trimmed" else values, event)


def jackknife(n: int, of: Callable[[list[int]], float], event: float = 0) -> Estimate:
    """A function of n replications, passed as indices, with the interval of its pseudo-values (Tukey 1958)."""
    every = list(range(n))
    value = of(every) if n else NAN
    pseudo = [n * value - (n - 1) * of(every[:k] + every[k + 1 :]) for k in every] if n > 1 else []
    pseudo = [p for p in pseudo if not math.isnan(p)]
    sd = deviation(pseudo)
    found = Estimate(value, *_interval(value, sd / math.sqrt(max(len(pseudo), 1)), len(pseudo) - 1), n, sd)
    return _widened(found, pseudo, event)
