// libcuda: start, device, context, errors.
#include "driver.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

Counters counters;
std::recursive_mutex everything;
Result sticky = SUCCESS;

namespace {

bool started = false;
int retained = 0;
char primary;  // its address is the context's handle
thread_local void* current = nullptr;

long number(const char* name, long otherwise) {
    const char* text = getenv(name);
    return text && *text ? atol(text) : otherwise;
}

struct Named {
    int code;
    const char *name, *text;
};

const Named ERRORS[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not initiated in this stream"},
    {CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"},
    {CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT",
     "operation not permitted on an event last recorded in a capturing stream"},
    {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const Named* named(int code) {
    for (const Named& error : ERRORS)
        if (error.code == code) return &error;
    return nullptr;
}

Result device_fault(int device) {
    if (!started) return NOT_INITIALIZED;
    return device < 0 || device >= settings().devices ? INVALID_DEVICE : SUCCESS;
}

/// Attribute number and value, as CUdevice_attribute counts them; all others are 0.
const int ATTRIBUTES[][2] = {
    {1, 1024}, {2, 1024}, {3, 1024}, {4, 64},            // threads in a block, block sides
    {5, 2147483647}, {6, 65535}, {7, 65535},             // grid sides
    {8, 48 << 10}, {9, 64 << 10}, {10, 32},              // shared and constant memory, warp
    {11, 2147483647}, {12, 65536}, {13, 1000000},        // pitch, registers, clock in kHz
    {14, 512}, {15, 1}, {16, 2}, {19, 1},                // texture alignment, overlap, multiprocessors, mapped memory
    {31, 1}, {33, 1}, {36, 1000000}, {37, 128},          // concurrent kernels, bus, memory clock and width
    {38, 1 << 20}, {39, 2048}, {40, 1}, {41, 1},         // L2, threads of a multiprocessor, engines, unified addresses
    {75, 9}, {76, 0},                                    // compute capability
    {81, 48 << 10}, {82, 65536}, {97, 48 << 10}, {106, 32},
};

/// Writes the counts when the process ends, however it loaded the library.
struct AtExit {
    ~AtExit() {
        const char* path = getenv("HALFSCOPE_EMULATOR_COUNT");
        FILE* file = path && *path ? fopen(path, "w") : nullptr;
        if (!file) return;
        fprintf(file, "allocations %lu launches %lu graph_launches %lu gemms %lu\n", counters.allocations,
                counters.launches, counters.graph_launches, counters.gemms);
        fclose(file);
    }
} at_exit;

}  // namespace

const Settings& settings() {
    static const Settings read = [] {
        const char* order = getenv("HALFSCOPE_EMULATOR_ORDER");
        return Settings{number("HALFSCOPE_EMULATOR_FAIL_ALLOC", 0), number("HALFSCOPE_EMULATOR_FAIL_LAUNCH", 0),
                        number("HALFSCOPE_EMULATOR_DRIVER_VERSION", 13000), number("HALFSCOPE_EMULATOR_DEVICES", 1),
                        order && !strcmp(order, "reverse")};
    }();
    return read;
}

void fault(Result result, const char* format, ...) {
    if (sticky) return;
    sticky = result;
    va_list values;
    va_start(values, format);
    fputs("CUDA emulator: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
}

Result ready() {
    if (!started) return NOT_INITIALIZED;
    if (!current) return INVALID_CONTEXT;
    return sticky;
}

API int cuInit(unsigned) {
    std::lock_guard<std::recursive_mutex> held(everything);
    if (settings().devices == 0) return NO_DEVICE;  // as the driver of a machine whose device is gone
    started = true;
    return SUCCESS;
}

API int cuDriverGetVersion(int* version) {
    if (!version) return INVALID_VALUE;
    *version = int(settings().version);
    return SUCCESS;
}

API int cuGetErrorName(int code, const char** text) {
    const Named* error = named(code);
    *text = error ? error->name : nullptr;
    return error ? SUCCESS : INVALID_VALUE;
}

API int cuGetErrorString(int code, const char** text) {
    const Named* error = named(code);
    *text = error ? error->text : nullptr;
    return error ? SUCCESS : INVALID_VALUE;
}

API int cuDeviceGetCount(int* count) {
    if (!started) return NOT_INITIALIZED;
    *count = int(settings().devices);
    return SUCCESS;
}

API int cuDeviceGet(int* device, int ordinal) {
    if (Result problem = device_fault(ordinal)) return problem;
    *device = ordinal;
    return SUCCESS;
}

API int cuDeviceGetName(char* name, int length, int device) {
    if (Result problem = device_fault(device)) return problem;
    snprintf(name, size_t(length), "CUDA emulator (CPU, for tests)");
    return SUCCESS;
}

API int cuDeviceTotalMem_v2(size_t* bytes, int device) {
    if (Result problem = device_fault(device)) return problem;
    *bytes = TOTAL_MEMORY;
    return SUCCESS;
}

API int cuDeviceGetAttribute(int* value, int attribute, int device) {
    if (Result problem = device_fault(device)) return problem;
    *value = 0;
    for (const auto& row : ATTRIBUTES)
        if (row[0] == attribute) *value = row[1];
    return SUCCESS;
}

API int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
    if (Result problem = device_fault(device)) return problem;
    memcpy(uuid, "CUDA emulator   ", 16);
    uuid[15] = static_cast<unsigned char>(device);
    return SUCCESS;
}

API int cuDeviceGetUuid(unsigned char* uuid, int device) { return cuDeviceGetUuid_v2(uuid, device); }

API int cuDevicePrimaryCtxRetain(void** context, int device) {
    std::lock_guard<std::recursive_mutex> held(everything);
    if (Result problem = device_fault(device)) return problem;
    if (sticky) return sticky;
    retained++;
    *context = &primary;
    return SUCCESS;
}

API int cuDevicePrimaryCtxRelease_v2(int device) {
    std::lock_guard<std::recursive_mutex> held(everything);
    if (Result problem = device_fault(device)) return problem;
    if (retained == 0) return INVALID_CONTEXT;
    retained--;
    return SUCCESS;
}

API int cuCtxSetCurrent(void* context) {
    std::lock_guard<std::recursive_mutex> held(everything);
    if (!started) return NOT_INITIALIZED;
    if (context && (context != &primary || retained == 0)) return INVALID_CONTEXT;
    current = context;
    return SUCCESS;
}

API int cuCtxGetCurrent(void** context) {
    if (!started) return NOT_INITIALIZED;
    *context = current;
    return SUCCESS;
}

API int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    ENTER();
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return SUCCESS;
}

API int cuCtxSynchronize() {
    ENTER();
    if (Result problem = forbidden_by_capture()) return problem;
    return check_guards();
}
