"""PyTorch's eager step of the MLP 784-256-10 at batch 64, SGD 0.01, on the CPU: the peer of `cargo bench --bench step`.

    pip install torch --index-url https://download.pytorch.org/whl/cpu    (or: pip install torch)
    python3 benches/peers/step.py [threads]
"""

import statistics
import sys
import time

import torch

THREADS = int(sys.argv[1]) if len(sys.argv) > 1 else 2
torch.set_num_threads(THREADS)
torch.manual_seed(0)

images = torch.rand(64, 784)
labels = torch.randint(0, 10, (64,))


def build():
    model = torch.nn.Sequential(torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    return model, torch.optim.SGD(model.parameters(), lr=0.01)


def step(model, optimizer, hook=None):
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.cross_entropy(model(images), labels)
    loss.backward()
    if hook is not None:
        for parameter in model.parameters():
            hook(parameter.grad)
    optimizer.step()
    return loss.item()


def frexp_bincount(gradient):
    exponents = torch.frexp(gradient.flatten()).exponent
    torch.bincount((exponents + 200).clamp(min=0), minlength=400)


def measure(name, hook=None):
    model, optimizer = build()
    for _ in range(200):
        step(model, optimizer, hook)
    batches = []
    for _ in range(50):
        start = time.perf_counter()
        for _ in range(20):
            step(model, optimizer, hook)
        batches.append((time.perf_counter() - start) / 20 * 1e3)
    print(f"{name}: median {statistics.median(batches):.3f} ms, best {min(batches):.3f} ms")


print(f"torch {torch.__version__}, {THREADS} threads")
measure("eager step")
measure("eager step, every gradient through frexp + bincount", frexp_bincount)
