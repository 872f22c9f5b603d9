"""A small function in the form of NPBench."""


def relax(STEPS, x, weights, more=0.5):
    for _ in range(STEPS):
        x[1:-1] = weights[1:-2, 0] * x[:-2] + more * x[1:-1] + weights[1:-2, 1] * x[2:]
