"""Cuts the embedded subset out of the full Fashion-MNIST files: the first 600 training and the first 100 test images
of each class, in the order of the full files, as gzipped IDX.

    python3 subset.py /usr/share/datasets/fashion-mnist .

The full files are Debian's package dataset-fashion-mnist, or Zalando's own (MIT, see LICENSE-fashion-mnist).
"""

import gzip
import pathlib
import struct
import sys
import zlib

PER_CLASS = {"train": 600, "t10k": 100}


def read(path):
    data = gzip.open(path).read()
    rank = data[3]
    shape = struct.unpack(f">{rank}I", data[4 : 4 + 4 * rank])
    return shape, data[4 + 4 * rank :]


def write(path, shape, data):
    header = bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31, 9)  # 31: a gzip stream, whose header then holds no time
    path.write_bytes(squeeze.compress(header + data) + squeeze.flush())


def main(source, target):
    for split, per_class in PER_CLASS.items():
        (count, rows, columns), pixels = read(source / f"{split}-images-idx3-ubyte.gz")
        _, labels = read(source / f"{split}-labels-idx1-ubyte.gz")
        taken, kept = [0] * 10, []
        for index in range(count):
            if taken[labels[index]] < per_class:
                taken[labels[index]] += 1
                kept.append(index)
        size = rows * columns
        images = b"".join(pixels[i * size : (i + 1) * size] for i in kept)
        write(target / f"{split}-images-idx3-ubyte.gz", (len(kept), rows, columns), images)
        write(target / f"{split}-labels-idx1-ubyte.gz", (len(kept),), bytes(labels[i] for i in kept))


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
