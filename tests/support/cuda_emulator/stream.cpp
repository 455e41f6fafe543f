// libcuda: streams, events, capture and graphs. A stream does its work at once, so order is the order of the calls.
#include <chrono>
#include <set>

#include "driver.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Graph {
    std::vector<std::function<void()>> nodes;
    Stream* origin = nullptr;
    int mode = 0;  // 0 global, 1 this thread, 2 relaxed
    std::thread::id thread;
    bool invalid = false;
};

}  // namespace

struct Stream {
    std::shared_ptr<Graph> capture;
};

struct Event {
    bool timed = true;
    bool recorded = false;
    Clock::time_point when = {};
    std::weak_ptr<Graph> capture = {};  // the capture that it was last recorded in
};

namespace {

Stream default_stream;
std::set<Stream*> streams;
std::set<Event*> events;
std::set<Graph*> captures;
std::map<Graph*, std::shared_ptr<Graph>> graphs, executables;

/// The stream of a handle: 0 and the two reserved handles are the default stream.
Stream* find(Stream* handle) {
    if (reinterpret_cast<uintptr_t>(handle) <= 2) return &default_stream;
    return streams.count(handle) ? handle : nullptr;
}

/// Waiting for a stream that captures ends the capture with an error, as in CUDA.
Result refuse(Stream* stream) {
    if (!stream->capture) return SUCCESS;
    stream->capture->invalid = true;
    return CAPTURE_UNSUPPORTED;
}

Result new_stream(Stream** stream) {
    if (!stream) return INVALID_VALUE;
    *stream = new Stream;
    streams.insert(*stream);
    return SUCCESS;
}

}  // namespace

Result forbidden_by_capture() {
    for (Graph* graph : captures) {
        if (graph->mode == 0 || (graph->mode == 1 && graph->thread == std::this_thread::get_id())) {
            graph->invalid = true;
            return CAPTURE_UNSUPPORTED;
        }
    }
    return SUCCESS;
}

Result submit(Stream* handle, std::function<void()> work) {
    Stream* stream = find(handle);
    if (!stream) return INVALID_HANDLE;
    if (sticky) return sticky;
    if (!stream->capture) {
        work();
    } else if (stream->capture->invalid) {
        return CAPTURE_INVALIDATED;
    } else {
        stream->capture->nodes.push_back(std::move(work));
    }
    return SUCCESS;
}

bool is_capturing(Stream* handle) {
    Stream* stream = find(handle);
    return stream && stream->capture;
}

// --- streams ---

API int cuStreamCreate(Stream** stream, unsigned) {
    ENTER();
    return new_stream(stream);
}

API int cuStreamCreateWithPriority(Stream** stream, unsigned, int) {
    ENTER();
    return new_stream(stream);
}

API int cuStreamDestroy_v2(Stream* stream) {
    std::lock_guard<std::recursive_mutex> held(everything);
    if (!streams.count(stream)) return INVALID_HANDLE;
    if (stream->capture && stream->capture->origin == stream) captures.erase(stream->capture.get());
    streams.erase(stream);
    delete stream;
    return sticky;
}

API int cuStreamSynchronize(Stream* handle) {
    ENTER();
    Stream* stream = find(handle);
    if (!stream) return INVALID_HANDLE;
    if (Result problem = refuse(stream)) return problem;
    return check_guards();
}

API int cuStreamQuery(Stream* handle) { return cuStreamSynchronize(handle); }

API int cuStreamWaitEvent(Stream* handle, Event* event, unsigned) {
    ENTER();
    Stream* stream = find(handle);
    if (!stream || !events.count(event)) return INVALID_HANDLE;
    // Waiting for an event of a capture takes the stream into that capture.
    std::shared_ptr<Graph> capture = event->capture.lock();
    if (capture && captures.count(capture.get()) && !stream->capture) stream->capture = capture;
    return SUCCESS;
}

// --- events ---

API int cuEventCreate(Event** event, unsigned flags) {
    ENTER();
    if (!event) return INVALID_VALUE;
    *event = new Event;
    (*event)->timed = (flags & 2) == 0;
    events.insert(*event);
    return SUCCESS;
}

API int cuEventRecord(Event* event, Stream* handle) {
    ENTER();
    Stream* stream = find(handle);
    if (!stream || !events.count(event)) return INVALID_HANDLE;
    event->capture = stream->capture;
    return submit(handle, [event] {
        if (!events.count(event)) return;
        event->recorded = true;
        event->when = Clock::now();
    });
}

API int cuEventQuery(Event* event) {
    ENTER();
    if (!events.count(event)) return INVALID_HANDLE;
    std::shared_ptr<Graph> capture = event->capture.lock();
    if (capture && captures.count(capture.get())) return CAPTURED_EVENT;
    return check_guards();
}

API int cuEventSynchronize(Event* event) { return cuEventQuery(event); }

API int cuEventElapsedTime_v2(float* milliseconds, Event* start, Event* end) {
    ENTER();
    if (!events.count(start) || !events.count(end)) return INVALID_HANDLE;
    if (!start->timed || !end->timed || !start->recorded || !end->recorded) return INVALID_HANDLE;
    *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
    return SUCCESS;
}

API int cuEventElapsedTime(float* milliseconds, Event* start, Event* end) {
    return cuEventElapsedTime_v2(milliseconds, start, end);
}

API int cuEventDestroy_v2(Event* event) {
    std::lock_guard<std::recursive_mutex> held(everything);
    if (!events.erase(event)) return INVALID_HANDLE;
    delete event;
    return sticky;
}

// --- capture and graphs ---

API int cuStreamBeginCapture_v2(Stream* handle, int mode) {
    ENTER();
    Stream* stream = find(handle);
    if (!stream) return INVALID_HANDLE;
    if (stream == &default_stream) return CAPTURE_UNSUPPORTED;
    if (mode < 0 || mode > 2) return INVALID_VALUE;
    if (refuse(stream)) return CAPTURE_UNSUPPORTED;
    stream->capture = std::make_shared<Graph>();
    stream->capture->origin = stream;
    stream->capture->mode = mode;
    stream->capture->thread = std::this_thread::get_id();
    captures.insert(stream->capture.get());
    return SUCCESS;
}

API int cuStreamEndCapture(Stream* handle, Graph** graph) {
    ENTER();
    Stream* stream = find(handle);
    if (!stream) return INVALID_HANDLE;
    std::shared_ptr<Graph> made = stream->capture;
    if (!made || made->origin != stream) return CAPTURE_UNMATCHED;
    captures.erase(made.get());
    for (Stream* each : streams)
        if (each->capture == made) each->capture = nullptr;
    *graph = nullptr;
    if (made->invalid) return CAPTURE_INVALIDATED;
    graphs[made.get()] = made;
    *graph = made.get();
    return SUCCESS;
}

API int cuStreamIsCapturing(Stream* handle, int* status) {
    ENTER();
    Stream* stream = find(handle);
    if (!stream) return INVALID_HANDLE;
    *status = !stream->capture ? 0 : stream->capture->invalid ? 2 : 1;
    return SUCCESS;
}

API int cuGraphInstantiateWithFlags(Graph** executable, Graph* graph, unsigned long long) {
    ENTER();
    auto found = graphs.find(graph);
    if (found == graphs.end()) return INVALID_HANDLE;
    auto made = std::make_shared<Graph>(*found->second);
    executables[made.get()] = made;
    *executable = made.get();
    return SUCCESS;
}

API int cuGraphUpload(Graph* executable, Stream* handle) {
    ENTER();
    return executables.count(executable) && find(handle) ? SUCCESS : INVALID_HANDLE;
}

API int cuGraphLaunch(Graph* executable, Stream* handle) {
    ENTER();
    Stream* stream = find(handle);
    auto found = executables.find(executable);
    if (!stream || found == executables.end()) return INVALID_HANDLE;
    if (refuse(stream)) return CAPTURE_UNSUPPORTED;  // a graph inside a graph is not recorded
    counters.graph_launches++;
    for (const auto& node : found->second->nodes) {
        if (sticky) break;
        node();
    }
    return SUCCESS;
}

API int cuGraphExecDestroy(Graph* executable) {
    std::lock_guard<std::recursive_mutex> held(everything);
    return executables.erase(executable) ? sticky : INVALID_HANDLE;
}

API int cuGraphDestroy(Graph* graph) {
    std::lock_guard<std::recursive_mutex> held(everything);
    return graphs.erase(graph) ? sticky : INVALID_HANDLE;
}

// --- for libcublas: its products run in stream order and are recorded like kernels ---

API int emu_submit(Stream* stream, void (*run)(const void*), const void* arguments, size_t bytes) {
    ENTER();
    auto* first = static_cast<const unsigned char*>(arguments);
    std::vector<unsigned char> copied(first, first + bytes);
    return submit(stream, [run, copied] {
        counters.gemms++;
        run(copied.data());
    });
}

API int emu_in_device_memory(const void* address, size_t bytes) {
    return in_device_memory(reinterpret_cast<uint64_t>(address), bytes);
}

API void emu_illegal_address(const char* what) { fault(ILLEGAL_ADDRESS, "%s", what); }

API int emu_ready() {
    std::lock_guard<std::recursive_mutex> held(everything);
    return ready();
}
