// What a matrix product is asked to do. A plain value: a recorded product keeps a copy of it.
#pragma once
#include <cstdint>

enum Type : int { R_32F = 0, R_16F = 2, R_16BF = 14 };

struct Gemm {
    bool transpose_a, transpose_b;
    bool tf32;  // round the operands to TF32
    bool half;  // every product, partial sum and scaled result in FP16
    Type operands, result;
    int64_t m, n, k, lda, ldb, ldc, stride_a, stride_b, stride_c, batch;
    float alpha, beta;
    const void *a, *b;
    void* c;
};

inline int64_t bytes_of(Type type) { return type == R_32F ? 4 : 2; }

/// C = alpha op(A) op(B) + beta C for every matrix of the batch, column by column in memory.
void multiply(const Gemm& gemm);
