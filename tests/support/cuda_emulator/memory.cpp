// libcuda: device and pinned memory, copies, fills.
#include <cstdlib>
#include <cstring>

#include "driver.h"

namespace {

/// Bytes before and after every allocation; also the alignment that cuMemAlloc promises.
constexpr size_t GUARD = 256;
constexpr unsigned char GUARD_BYTE = 0xC5;

struct Allocation {
    size_t bytes;
    size_t padded;  // up to the next multiple of the alignment; the rest belongs to the guard
};

std::map<uint64_t, Allocation> device;
std::map<uint64_t, size_t> pinned;
size_t used = 0;

bool may_allocate() {
    counters.allocations++;
    long nth = settings().fail_alloc;
    return nth == 0 || long(counters.allocations) < nth;
}

bool guards_whole(uint64_t address, const Allocation& allocation) {
    static const std::vector<unsigned char> expected(2 * GUARD, GUARD_BYTE);
    auto* data = reinterpret_cast<unsigned char*>(address);
    size_t after = allocation.padded - allocation.bytes + GUARD;
    return memcmp(data - GUARD, expected.data(), GUARD) == 0 &&
           memcmp(data + allocation.bytes, expected.data(), after) == 0;
}

Result check(uint64_t address, const Allocation& allocation) {
    if (!guards_whole(address, allocation))
        fault(ILLEGAL_ADDRESS, "something was written outside an allocation of %zu bytes", allocation.bytes);
    return sticky;
}

/// The work may run later than it was asked for, from a graph: what was valid then may be freed.
bool still_valid(uint64_t address, size_t bytes) {
    bool valid = in_device_memory(address, bytes);
    if (!valid) fault(ILLEGAL_ADDRESS, "a recorded copy or fill touches %zu bytes that are not allocated", bytes);
    return valid;
}

Result fill(uint64_t address, size_t count, size_t width, unsigned value, Stream* stream) {
    if (address % width || !in_device_memory(address, count * width)) return INVALID_VALUE;
    return submit(stream, [=] {
        if (!still_valid(address, count * width)) return;
        if (width == 1) {
            memset(reinterpret_cast<void*>(address), int(value), count);
        } else {
            auto* words = reinterpret_cast<uint32_t*>(address);
            for (size_t i = 0; i < count; i++) words[i] = value;
        }
    });
}

Result upload(uint64_t to, const void* from, size_t bytes, Stream* stream) {
    if (bytes == 0) return SUCCESS;
    if (!from || !in_device_memory(to, bytes)) return INVALID_VALUE;
    return submit(stream, [=] {
        if (still_valid(to, bytes)) memcpy(reinterpret_cast<void*>(to), from, bytes);
    });
}

Result download(void* to, uint64_t from, size_t bytes, Stream* stream) {
    if (bytes == 0) return SUCCESS;
    if (!to || !in_device_memory(from, bytes)) return INVALID_VALUE;
    return submit(stream, [=] {
        if (still_valid(from, bytes)) memcpy(to, reinterpret_cast<const void*>(from), bytes);
    });
}

Result copy(uint64_t to, uint64_t from, size_t bytes, Stream* stream) {
    if (bytes == 0) return SUCCESS;
    if (!in_device_memory(to, bytes) || !in_device_memory(from, bytes)) return INVALID_VALUE;
    return submit(stream, [=] {
        if (still_valid(to, bytes) && still_valid(from, bytes))
            memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    });
}

}  // namespace

bool in_device_memory(uint64_t address, size_t bytes) {
    auto after = device.upper_bound(address);
    if (after == device.begin()) return false;
    auto found = std::prev(after);
    size_t offset = address - found->first;
    return offset <= found->second.bytes && bytes <= found->second.bytes - offset;
}

Result check_guards() {
    for (const auto& [address, allocation] : device)
        if (Result problem = check(address, allocation)) return problem;
    return sticky;
}

API int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    ENTER();
    if (Result problem = forbidden_by_capture()) return problem;
    if (!address || bytes == 0) return INVALID_VALUE;
    if (!may_allocate() || bytes > TOTAL_MEMORY - used) return OUT_OF_MEMORY;
    Allocation made{bytes, (bytes + GUARD - 1) / GUARD * GUARD};
    auto* data = static_cast<unsigned char*>(aligned_alloc(GUARD, made.padded + 2 * GUARD));
    if (!data) return OUT_OF_MEMORY;
    memset(data, GUARD_BYTE, GUARD);
    memset(data + GUARD, POISON, bytes);
    memset(data + GUARD + bytes, GUARD_BYTE, made.padded - bytes + GUARD);
    used += bytes;
    *address = reinterpret_cast<uint64_t>(data + GUARD);
    device[*address] = made;
    return SUCCESS;
}

API int cuMemFree_v2(uint64_t address) {
    std::lock_guard<std::recursive_mutex> held(everything);
    if (address == 0) return ready();
    auto found = device.find(address);
    if (found == device.end()) return INVALID_VALUE;
    if (!sticky) {
        if (Result problem = forbidden_by_capture()) return problem;
        check(address, found->second);
    }
    // After a fault too, so that a test for leaks can tell; only the answer says that the context is lost.
    memset(reinterpret_cast<void*>(address), POISON, found->second.bytes);
    free(reinterpret_cast<void*>(address - GUARD));
    used -= found->second.bytes;
    device.erase(found);
    return ready();
}

API int cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
    ENTER();
    if (Result problem = forbidden_by_capture()) return problem;
    if (!pointer || bytes == 0) return INVALID_VALUE;
    if (!may_allocate()) return OUT_OF_MEMORY;
    void* data = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!data) return OUT_OF_MEMORY;
    memset(data, POISON, bytes);
    pinned[reinterpret_cast<uint64_t>(data)] = bytes;
    *pointer = data;
    return SUCCESS;
}

API int cuMemFreeHost(void* pointer) {
    std::lock_guard<std::recursive_mutex> held(everything);
    auto found = pinned.find(reinterpret_cast<uint64_t>(pointer));
    if (found == pinned.end()) return INVALID_VALUE;
    if (!sticky) {
        if (Result problem = forbidden_by_capture()) return problem;
    }
    free(pointer);
    pinned.erase(found);
    return ready();
}

API int cuMemGetInfo_v2(size_t* available, size_t* total) {
    ENTER();
    *available = TOTAL_MEMORY - used;
    *total = TOTAL_MEMORY;
    return SUCCESS;
}

API int cuMemsetD8Async(uint64_t address, unsigned char value, size_t count, Stream* stream) {
    ENTER();
    return fill(address, count, 1, value, stream);
}

API int cuMemsetD32Async(uint64_t address, unsigned value, size_t count, Stream* stream) {
    ENTER();
    return fill(address, count, 4, value, stream);
}

API int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, Stream* stream) {
    ENTER();
    return upload(to, from, bytes, stream);
}

API int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, Stream* stream) {
    ENTER();
    return download(to, from, bytes, stream);
}

API int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, Stream* stream) {
    ENTER();
    return copy(to, from, bytes, stream);
}

API int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
    ENTER();
    if (Result problem = forbidden_by_capture()) return problem;
    return upload(to, from, bytes, nullptr);
}

API int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
    ENTER();
    if (Result problem = forbidden_by_capture()) return problem;
    Result problem = download(to, from, bytes, nullptr);
    return problem ? problem : check_guards();
}
