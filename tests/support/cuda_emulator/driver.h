// Shared by the parts of the driver (libcuda): results, handles, and the one lock.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "abi.h"

#define API extern "C" __attribute__((visibility("default")))

enum Result : int {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    OUT_OF_RESOURCES = 701,
    LAUNCH_FAILED = 719,
    NOT_SUPPORTED = 801,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_UNMATCHED = 903,
    CAPTURE_UNJOINED = 904,
    CAPTURED_EVENT = 907,
    UNKNOWN = 999,
};

/// What the environment asks for, read once.
struct Settings {
    long fail_alloc, fail_launch, version, devices;
    bool reverse;
};
const Settings& settings();

struct Counters {
    unsigned long allocations, launches, graph_launches, gemms;
};
extern Counters counters;

/// Every entry point holds this lock: calls from several host threads run one after another.
extern std::recursive_mutex everything;

/// The first fault of device code. As in CUDA it stays: the context is of no use any more.
extern Result sticky;
void fault(Result result, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// What stands against a call that needs the driver started, a current context and no earlier fault.
Result ready();

/// Takes the lock for the rest of the function and leaves it if the call cannot go on.
#define ENTER()                                              \
    std::lock_guard<std::recursive_mutex> held(everything);  \
    if (Result problem = ready()) return problem

// --- memory ---
constexpr unsigned char POISON = 0xAB;
constexpr size_t TOTAL_MEMORY = size_t(4) << 30;

/// Whether the bytes lie inside one allocation of device memory.
bool in_device_memory(uint64_t address, size_t bytes);
/// Looks at the guard bytes of every allocation; a changed one is a fault.
Result check_guards();

// --- modules and kernels ---
using Run = void (*)(const void* arguments, EmuBlock* block);

struct Module;
struct Function {
    Module* module;
    std::string name;
    Run run;
    unsigned bound;  // of __launch_bounds__, or 1024
    std::vector<std::pair<void*, size_t>> shared;
    size_t shared_bytes;  // of its own arrays, for the limit of 48 KiB
};
std::shared_ptr<Module> module_of(Function* function);
bool is_function(Function* function);
size_t argument_bytes(const Function& function);
EmuIndex* index_of(const Function& function);

/// Runs every block of the grid; a fault is reported by fault().
void run_grid(const Function& function, EmuDim grid, EmuDim block, const void* arguments);

// --- streams and graphs ---
struct Stream;
/// Does the work now, or records it where the stream is capturing.
Result submit(Stream* stream, std::function<void()> work);
bool is_capturing(Stream* stream);
/// What an allocation or another call that waits for the device gets while a stream captures.
Result forbidden_by_capture();
