"""Whether two commits differ in a number, or only by noise."""
import random
import statistics

ROUNDS = 2000


def interval(before, after, rounds=ROUNDS):
    """(ratio of the medians, its 95 % interval) by bootstrap: the values are drawn again, with the same seed each time."""
    source, ratios = random.Random(1), []
    for _ in range(rounds):
        one, two = statistics.median(source.choices(before, k=len(before))), statistics.median(source.choices(after, k=len(after)))
        if one:
            ratios.append(two / one)
    ratios.sort()
    middle = statistics.median(before)
    if not middle or not ratios:
        return None
    return statistics.median(after) / middle, ratios[int(0.025 * len(ratios))], ratios[min(int(0.975 * len(ratios)), len(ratios) - 1)]


def verdict(before, after, better="less"):
    """(word, ratio, low, high): `same` when the values are equal, `noise` when the interval has 1 in it, `few` of less than three values that differ."""
    if sorted(before) == sorted(after):
        return "same", 1.0, 1.0, 1.0
    found = interval(before, after)
    if found is None:
        return "few", None, None, None
    if min(len(before), len(after)) < 3:
        return ("few", *found)
    ratio, low, high = found
    if low <= 1 <= high:
        return "noise", ratio, low, high
    return ("better" if (ratio < 1) == (better == "less") else "WORSE"), ratio, low, high
