"""What numpy and PyTorch take for an exponent histogram of 64 Mi FP32 values, for docs/measurements/histogram.md.

    python3 benches/peers/histogram.py [THREADS]

Needs numpy and torch. Prints GB of input per second, the best of five passes each.
"""

import os
import sys
import time

THREADS = int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count()
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import numpy as np
import torch

torch.set_num_threads(THREADS)
COUNT = 64 << 20


def gradients():
    """Magnitudes spread over some thirty binades, either sign."""
    rng = np.random.default_rng(0)
    values = rng.standard_normal(COUNT, dtype=np.float32)
    values *= np.exp2(rng.integers(-30, -10, COUNT, dtype=np.int8).astype(np.float32))
    return values


def with_numpy(values):
    with np.errstate(divide="ignore"):
        return np.histogram(np.log2(np.abs(values)), bins=277, range=(-149, 128))


def with_torch(values):
    _, exponents = torch.frexp(values)
    return torch.bincount(exponents.long() + 149, minlength=279)


def best(name, count, values):
    """The best of five passes; processor time too, which a busy machine distorts less."""
    wall, processor = [], []
    for _ in range(5):
        start = time.perf_counter(), time.process_time()
        count(values)
        wall.append(time.perf_counter() - start[0])
        processor.append(time.process_time() - start[1])
    size = 4 * COUNT / 1e9
    print(f"{name}: {size / min(wall):.3f} GB/s ({min(wall):.3f} s), {size / min(processor):.3f} GB a processor second",
          flush=True)


if __name__ == "__main__":
    print(f"numpy {np.__version__}, torch {torch.__version__}, {THREADS} threads, {COUNT} values")
    values = gradients()
    best("numpy histogram(log2(abs))", with_numpy, values)
    best("torch frexp + bincount", with_torch, torch.from_numpy(values))
