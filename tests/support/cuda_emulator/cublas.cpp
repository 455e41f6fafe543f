// libcublas: handles and GemmEx. The driver runs the products in stream order.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>

#include "formats.h"
#include "gemm.h"

#define API extern "C" __attribute__((visibility("default")))

// Of the emulator's libcuda.
extern "C" int emu_submit(void* stream, void (*run)(const void*), const void* arguments, size_t bytes);
extern "C" int emu_in_device_memory(const void* address, size_t bytes);
extern "C" void emu_illegal_address(const char* what);
extern "C" int emu_ready();

namespace {

enum Status { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum Compute {
    COMPUTE_16F = 64,
    COMPUTE_16F_PEDANTIC = 65,
    COMPUTE_32F = 68,
    COMPUTE_32F_PEDANTIC = 69,
    COMPUTE_TF32 = 77,
};
constexpr int MATH_TF32 = 3;

struct Handle {
    void* stream = nullptr;
    int math = 0;
};

std::mutex lock;
std::set<Handle*> handles;

bool known(Handle* handle) {
    std::lock_guard<std::mutex> held(lock);
    return handles.count(handle) != 0;
}

/// Elements from the first to the last of a matrix in memory.
int64_t extent(int64_t rows, int64_t columns, int64_t leading) {
    return rows == 0 || columns == 0 ? 0 : (columns - 1) * leading + rows;
}

bool inside(const void* matrix, int64_t elements, int64_t stride, int64_t batch, Type type) {
    int64_t last = stride * (batch - 1);
    auto* first = static_cast<const char*>(matrix) + (last < 0 ? last : 0) * bytes_of(type);
    return emu_in_device_memory(first, size_t((last < 0 ? -last : last) + elements) * size_t(bytes_of(type)));
}

void run(const void* arguments) {
    const Gemm& g = *static_cast<const Gemm*>(arguments);
    bool reads = g.k > 0 && g.alpha != 0;
    int64_t a = g.transpose_a ? extent(g.k, g.m, g.lda) : extent(g.m, g.k, g.lda);
    int64_t b = g.transpose_b ? extent(g.n, g.k, g.ldb) : extent(g.k, g.n, g.ldb);
    bool valid = (!reads || (inside(g.a, a, g.stride_a, g.batch, g.operands) &&
                             inside(g.b, b, g.stride_b, g.batch, g.operands))) &&
                 inside(g.c, extent(g.m, g.n, g.ldc), g.stride_c, g.batch, g.result);
    if (!valid) return emu_illegal_address("a matrix product reaches outside device memory");
    multiply(g);
}

/// Which combinations cuBLAS's table for GemmEx allows, of the types that the emulator knows.
bool supported(int compute, int a, int b, int c) {
    if (a != b) return false;
    switch (compute) {
        case COMPUTE_16F:
        case COMPUTE_16F_PEDANTIC: return a == R_16F && c == R_16F;
        case COMPUTE_32F:
        case COMPUTE_32F_PEDANTIC: return (a == R_16F || a == R_16BF || a == R_32F) && (c == a || c == R_32F);
        case COMPUTE_TF32: return a == R_32F && c == R_32F;
        default: return false;
    }
}

struct Matrix {
    const void* data;
    int type;
    int64_t leading, stride;
};

int product(Handle* handle, int operation_a, int operation_b, int64_t m, int64_t n, int64_t k, const void* alpha,
            Matrix a, Matrix b, const void* beta, Matrix c, int64_t batch, int compute) {
    if (!known(handle)) return NOT_INITIALIZED;
    auto operation = [](int value) { return value >= 0 && value <= 2; };
    bool sizes = m >= 0 && n >= 0 && k >= 0 && batch >= 0 && operation(operation_a) && operation(operation_b);
    if (!sizes || !alpha || !beta) return INVALID_VALUE;
    if (!supported(compute, a.type, b.type, c.type)) return NOT_SUPPORTED;
    auto least = [](int64_t rows) { return rows > 1 ? rows : 1; };
    if (a.leading < least(operation_a ? k : m) || b.leading < least(operation_b ? n : k) || c.leading < least(m))
        return INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0) return SUCCESS;
    if (!a.data || !b.data || !c.data) return INVALID_VALUE;
    bool half = compute == COMPUTE_16F || compute == COMPUTE_16F_PEDANTIC;
    auto scale = [half](const void* value) {
        return half ? half_to_float(*static_cast<const uint16_t*>(value)) : *static_cast<const float*>(value);
    };
    Gemm gemm = {};
    gemm.transpose_a = operation_a != 0;
    gemm.transpose_b = operation_b != 0;
    gemm.tf32 = compute == COMPUTE_TF32 || (compute == COMPUTE_32F && a.type == R_32F && handle->math == MATH_TF32);
    gemm.half = half;
    gemm.operands = Type(a.type);
    gemm.result = Type(c.type);
    gemm.m = m, gemm.n = n, gemm.k = k, gemm.batch = batch;
    gemm.lda = a.leading, gemm.ldb = b.leading, gemm.ldc = c.leading;
    gemm.stride_a = a.stride, gemm.stride_b = b.stride, gemm.stride_c = c.stride;
    gemm.alpha = scale(alpha), gemm.beta = scale(beta);
    gemm.a = a.data, gemm.b = b.data, gemm.c = const_cast<void*>(c.data);
    return emu_submit(handle->stream, run, &gemm, sizeof gemm) ? EXECUTION_FAILED : SUCCESS;
}

}  // namespace

API int cublasCreate_v2(Handle** handle) {
    if (!handle) return INVALID_VALUE;
    if (emu_ready()) return NOT_INITIALIZED;  // no context, or a lost one
    std::lock_guard<std::mutex> held(lock);
    *handle = new Handle;
    handles.insert(*handle);
    return SUCCESS;
}

API int cublasDestroy_v2(Handle* handle) {
    std::lock_guard<std::mutex> held(lock);
    if (!handles.erase(handle)) return NOT_INITIALIZED;
    delete handle;
    return SUCCESS;
}

API int cublasSetStream_v2(Handle* handle, void* stream) {
    if (!known(handle)) return NOT_INITIALIZED;
    handle->stream = stream;
    return SUCCESS;
}

API int cublasSetWorkspace_v2(Handle* handle, void* workspace, size_t bytes) {
    if (!known(handle)) return NOT_INITIALIZED;
    bool aligned = reinterpret_cast<uintptr_t>(workspace) % 256 == 0;
    bool valid = bytes == 0 || (aligned && emu_in_device_memory(workspace, bytes));
    return valid ? SUCCESS : INVALID_VALUE;
}

API int cublasSetMathMode(Handle* handle, int mode) {
    if (!known(handle)) return NOT_INITIALIZED;
    handle->math = mode & 15;
    return SUCCESS;
}

API int cublasGetVersion_v2(Handle*, int* version) {
    *version = 130000;
    return SUCCESS;
}

API const char* cublasGetStatusString(int status) {
    switch (status) {
        case SUCCESS: return "CUBLAS_STATUS_SUCCESS";
        case NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
        case INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
        case EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
        case NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
        default: return "CUBLAS_STATUS unknown";
    }
}

// The same four functions with 32-bit and 64-bit sizes.
#define GEMM_EX(NAME, INT)                                                                                            \
    API int NAME(Handle* handle, int ta, int tb, INT m, INT n, INT k, const void* alpha, const void* a, int a_type,   \
                 INT lda, const void* b, int b_type, INT ldb, const void* beta, void* c, int c_type, INT ldc,         \
                 int compute, int) {                                                                                  \
        return product(handle, ta, tb, m, n, k, alpha, {a, a_type, lda, 0}, {b, b_type, ldb, 0}, beta,                \
                       {c, c_type, ldc, 0}, 1, compute);                                                              \
    }
#define GEMM_STRIDED_EX(NAME, INT)                                                                                    \
    API int NAME(Handle* handle, int ta, int tb, INT m, INT n, INT k, const void* alpha, const void* a, int a_type,   \
                 INT lda, long long stride_a, const void* b, int b_type, INT ldb, long long stride_b,                 \
                 const void* beta, void* c, int c_type, INT ldc, long long stride_c, INT batch, int compute, int) {   \
        return product(handle, ta, tb, m, n, k, alpha, {a, a_type, lda, stride_a}, {b, b_type, ldb, stride_b}, beta,  \
                       {c, c_type, ldc, stride_c}, batch, compute);                                                   \
    }
GEMM_EX(cublasGemmEx, int)
GEMM_EX(cublasGemmEx_64, int64_t)
GEMM_STRIDED_EX(cublasGemmStridedBatchedEx, int)
GEMM_STRIDED_EX(cublasGemmStridedBatchedEx_64, int64_t)
