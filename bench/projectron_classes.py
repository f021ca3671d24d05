#!/usr/bin/env python3
"""Does the multi-class Projectron++ of BSGD's table 3 project only on support vectors of the same class? A plain version with both choices.

    python3 bench/projectron_classes.py [FOLDER]

On a mistake with label y and rival r, the update is u = e_y - e_r times k(x, .). With d = K^-1 k over the vectors that may carry it, either all or those
whose label was y when they were added, it is added as a vector if its distance from their span is above the threshold, and expressed by them
otherwise. Correct examples with a margin below 1 make a step along their projection (src/budget/projectronpp.cpp has the formula). The threshold
is searched on the first shuffle until there are B = 100 vectors, within 5 %. Letter with standardised features, three shuffles; less
than a minute of processor time.
"""

import lzma
import pathlib
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUDGET, CLASSES, FEATURES, SHUFFLES, STEPS = 100, 26, 16, 3, 12
GAMMAS = (0.0332, 0.0664, 0.1328)  # around the one of the table
PUBLISHED = "47.23 ± 0.99"


def read(path):
    rows, labels = [], []
    with lzma.open(path, "rt") as lines:
        for line in lines:
            label, *entries = line.split()
            row = numpy.zeros(FEATURES)
            for index, value in (entry.split(":") for entry in entries):
                row[int(index) - 1] = float(value)
            rows.append(row)
            labels.append(int(float(label)) - 1)
    return numpy.array(rows), numpy.array(labels)


class Span:
    """Vectors that share one kernel matrix, and its inverse."""

    def __init__(self):
        self.members, self.inverse = [], numpy.zeros((0, 0))

    def project(self, kernel):
        shares = self.inverse @ kernel[self.members]
        length = kernel[self.members] @ shares
        return shares, length, max(0.0, 1 - length)

    def include(self, member, shares, residual):
        border = numpy.append(shares, -1)
        grown = numpy.zeros((len(border), len(border)))
        grown[:-1, :-1] = self.inverse
        self.inverse = grown + numpy.outer(border, border) / max(residual, 1e-9)
        self.members.append(member)


class Projectron:
    """At most `most` vectors: more cannot be searched for."""

    def __init__(self, gamma, threshold, same_class, most):
        self.gamma, self.threshold, self.most = gamma, threshold, most
        self.x, self.a, self.size = numpy.zeros((most, FEATURES)), numpy.zeros((most, CLASSES)), 0
        self.spans = [Span() for _ in range(CLASSES)] if same_class else [Span()] * CLASSES

    def kernel(self, x):
        return numpy.exp(-self.gamma * ((self.x[: self.size] - x) ** 2).sum(1))

    def learn(self, x, label):
        """False if there is no room for another vector."""
        kernel = self.kernel(x)
        scores = kernel @ self.a[: self.size]
        others = scores.copy()
        others[label] = -numpy.inf
        rival = int(others.argmax())
        margin = scores[label] - scores[rival]
        if margin >= 1:
            return True
        span = self.spans[label]
        shares, length, residual = span.project(kernel)
        if margin > 0:  # u = e_y - e_r, so ‖u‖² = 2
            within = 1 - margin - numpy.sqrt(2 * residual) / self.threshold
            if within <= 0 or length <= 0:
                return True
            step = min((1 - margin) / (2 * length), within / length, 1)
        elif residual <= self.threshold**2:
            step = 1
        else:
            if self.size == self.most:
                return False
            self.x[self.size], self.a[self.size, label], self.a[self.size, rival] = x, 1, -1
            span.include(self.size, shares, residual)
            self.size += 1
            return True
        self.a[span.members, label] += step * shares
        self.a[span.members, rival] -= step * shares
        return True

    def accuracy(self, rows, labels):
        right = sum((self.kernel(x) @ self.a[: self.size]).argmax() == label for x, label in zip(rows, labels))
        return 100 * right / len(labels)


def train(gamma, threshold, same_class, rows, labels, seed, most=4 * BUDGET):
    model = Projectron(gamma, threshold, same_class, most)
    for i in numpy.random.default_rng(seed).permutation(len(rows)):
        if not model.learn(rows[i], labels[i]):
            return None
    return model


def search(gamma, same_class, rows, labels):
    """Bisection over 1 - threshold²: the larger, the more vectors."""
    few, many = 1e-4, 1.0
    for _ in range(STEPS):
        middle = numpy.sqrt(few * many)
        threshold = numpy.sqrt(1 - middle)
        model = train(gamma, threshold, same_class, rows, labels, 0)
        if model is None or model.size > 1.05 * BUDGET:
            many = middle
        elif model.size < 0.95 * BUDGET:
            few = middle
        else:
            break
    return threshold


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    rows, labels = read(folder / "letter.scale.xz")
    tested, truth = read(folder / "letter.scale.t.xz")
    mean, deviation = rows.mean(0), rows.std(0)
    rows, tested = (rows - mean) / deviation, (tested - mean) / deviation
    print("| projects on | gamma | threshold | support vectors | test accuracy % | published |\n|---|---|---|---|---|---|")
    kinds = [(same_class, gamma) for same_class in (False, True) for gamma in GAMMAS]
    for same_class, gamma in kinds:
        threshold = search(gamma, same_class, rows, labels)
        models = [train(gamma, threshold, same_class, rows, labels, seed) for seed in range(SHUFFLES)]
        found = [model.accuracy(tested, truth) for model in models]
        name = "vectors of the same class" if same_class else "all vectors"
        print(f"| {name} | {gamma} | {threshold:.4f} | {numpy.mean([model.size for model in models]):.0f} | {numpy.mean(found):.2f} ± {numpy.std(found, ddof=1):.2f} | "
              f"{PUBLISHED} |", flush=True)


if __name__ == "__main__":
    main()
