// libcuda: runs the blocks of a launch, one after another. The threads of a block share one fibre until one of them
// waits; only then does another fibre go on.
#include <signal.h>
#include <sys/mman.h>

#include <cstring>

#include "driver.h"
#include "fibre.h"

namespace {

constexpr unsigned FIBRES = 1024;
constexpr size_t STACK = 256 << 10;  // of which the lowest page is out of bounds
constexpr size_t PAGE = 4096;
constexpr unsigned long long POISON_WORD = 0xABABABABABABABABull;

struct Fibre {
    Context context;
    unsigned thread;  // whose call it holds while it waits
    bool made = false;
};

/// What a lane brought to a warp collective, and what it takes away.
struct Lane {
    int operation, line;
    unsigned mask, argument, fibre;
    unsigned long long value, result;
};

Fibre fibres[FIBRES];
char* stacks = nullptr;
Context outside, lost;
unsigned running;  // the fibre that runs

unsigned idle[FIBRES], idle_count;     // fibres without a thread
unsigned ready_ring[FIBRES], ready_first, ready_count;
unsigned at_barrier[FIBRES], barrier_count;
int barrier_line;
Lane lanes[1024];
unsigned waiting[32];  // for each warp the lanes that wait at a collective

EmuBlock block;
const Function* function;
const void* arguments;
volatile bool inside = false;
void* volatile touched;        // the address of a wrong access
volatile bool wrong = false;
pthread_t runner;

void wake(unsigned fibre) { ready_ring[(ready_first + ready_count++) % FIBRES] = fibre; }

[[noreturn]] void leave() {
    switch_context(lost, outside);
    __builtin_unreachable();
}

void say(const char* what, int line) {
    const EmuDim& at = index_of(*function)->block;
    fault(LAUNCH_FAILED, "kernel %s, block (%u, %u, %u), line %d: %s", function->name.c_str(), at.x, at.y, at.z, line,
          what);
}

/// Lets the threads at the barrier go on if no other thread is left that could still come.
bool open_barrier() {
    if (barrier_count == 0 || barrier_count < block.count - block.gone) return false;
    for (unsigned i = 0; i < barrier_count; i++) wake(at_barrier[i]);
    barrier_count = 0;
    return true;
}

unsigned long long outcome(int warp, unsigned lane, unsigned present) {
    const Lane& own = lanes[warp * 32 + lane];
    unsigned source = lane;
    switch (own.operation) {
        case EMU_BALLOT: {
            unsigned bits = 0;
            for (unsigned i = 0; i < 32; i++)
                if (present >> i & 1 && lanes[warp * 32 + i].value) bits |= 1u << i;
            return bits;
        }
        case EMU_SHUFFLE: source = own.argument & 31; break;
        case EMU_SHUFFLE_DOWN: source = lane + own.argument; break;
        case EMU_SHUFFLE_UP: source = lane - own.argument; break;
        case EMU_SHUFFLE_XOR: source = lane ^ own.argument; break;
        default: return 0;
    }
    if (source >= 32) return own.value;
    // A lane that takes no part has no value to give.
    return present >> source & 1 ? lanes[warp * 32 + source].value : POISON_WORD;
}

/// Ends the collective that the lane waits at if all lanes of its mask that are left have come to the same one.
bool end_collective(unsigned warp, unsigned lane) {
    const Lane& own = lanes[warp * 32 + lane];
    unsigned size = block.count - warp * 32 < 32 ? block.count - warp * 32 : 32;
    unsigned live = (size == 32 ? ~0u : (1u << size) - 1) & ~block.exited[warp];
    unsigned present = own.mask & live;
    if ((waiting[warp] & present) != present) return false;
    for (unsigned i = 0; i < 32; i++) {
        const Lane& other = lanes[warp * 32 + i];
        if (present >> i & 1 &&
            (other.operation != own.operation || other.mask != own.mask || other.line != own.line))
            return false;
    }
    for (unsigned i = 0; i < 32; i++)
        if (present >> i & 1) lanes[warp * 32 + i].result = outcome(int(warp), i, present);
    waiting[warp] &= ~present;
    return true;
}

/// After threads returned, what the others wait for may have become possible.
void look_again() {
    open_barrier();
    for (unsigned warp = 0; warp * 32 < block.count; warp++) {
        for (unsigned lane = 0; waiting[warp] && lane < 32; lane++) {
            unsigned before = waiting[warp];
            if (!(before >> lane & 1) || !end_collective(warp, lane)) continue;
            for (unsigned i = 0; i < 32; i++)
                if ((before & ~waiting[warp]) >> i & 1) wake(lanes[warp * 32 + i].fibre);
        }
    }
}

/// The fibre that can go on, FIBRES if there is none.
unsigned next_fibre() {
    if (ready_count == 0 && block.next == block.count) look_again();
    if (ready_count > 0) {
        unsigned fibre = ready_ring[ready_first];
        ready_first = (ready_first + 1) % FIBRES;
        ready_count--;
        // Threads that wait together go on in the order in which they came: the stack after next is known.
        if (ready_count > 1) prefetch_context(fibres[ready_ring[(ready_first + 1) % FIBRES]].context);
        return fibre;
    }
    return block.next < block.count ? idle[--idle_count] : FIBRES;
}

void fibre_main() {
    for (;;) {
        function->run(arguments, &block);
        unsigned own = running;
        idle[idle_count++] = own;
        unsigned next = next_fibre();
        running = next;
        switch_context(fibres[own].context, next == FIBRES ? outside : fibres[next].context);
    }
}

void enter(unsigned fibre) {
    Fibre& entered = fibres[fibre];
    if (entered.made) return;
    // Tops of stacks at different offsets: at equal ones they would fight for the same cache lines.
    size_t bytes = STACK - PAGE - fibre % 13 * 320;
    make_context(entered.context, stacks + fibre * STACK + PAGE, bytes, fibre_main);
    entered.made = true;
}

void suspend(int line) {
    unsigned own = running, next = next_fibre();
    if (next == FIBRES) {
        say("threads wait for others that never come", line);
        leave();
    }
    if (next == own) return;
    fibres[own].thread = block.current;
    enter(next);
    running = next;
    switch_context(fibres[own].context, fibres[next].context);
    block.current = fibres[own].thread;
}

void barrier(int line) {
    if (barrier_count > 0 && barrier_line != line) {
        say("threads of one block are at different barriers", line);
        leave();
    }
    barrier_line = line;
    at_barrier[barrier_count++] = running;
    if (barrier_count == block.count - block.gone) {
        barrier_count--;  // this one goes on at once
        for (unsigned i = 0; i < barrier_count; i++) wake(at_barrier[i]);
        barrier_count = 0;
        return;
    }
    suspend(line);
}

unsigned long long collective(int operation, unsigned mask, unsigned long long value, unsigned argument, int line) {
    unsigned thread = block.current, warp = thread / 32, lane = thread % 32;
    if (!(mask >> lane & 1)) {
        say("a lane calls a collective whose mask leaves it out", line);
        leave();
    }
    lanes[thread] = Lane{operation, line, mask, argument, running, value, 0};
    waiting[warp] |= 1u << lane;
    unsigned before = waiting[warp];
    if (end_collective(warp, lane)) {
        unsigned done = before & ~waiting[warp] & ~(1u << lane);
        for (unsigned i = 0; i < 32; i++)
            if (done >> i & 1) wake(lanes[warp * 32 + i].fibre);
    } else {
        suspend(line);
    }
    return lanes[thread].result;
}

struct sigaction previous;

/// A kernel that reads or writes where nothing is mapped: a fault of the launch, not the end of the process.
void on_signal(int signal, siginfo_t* info, void* context) {
    if (inside && pthread_equal(runner, pthread_self())) {
        inside = false;
        wrong = true;
        touched = info->si_addr;
        leave();  // no words here: the stack for signals is too small for them
    }
    if (previous.sa_flags & SA_SIGINFO && previous.sa_sigaction) return previous.sa_sigaction(signal, info, context);
    sigaction(signal, &previous, nullptr);  // the same access faults again and meets the handler of before
}

/// All fibres are idle, the lowest on top; calls that will never end may be on their stacks.
void forget_fibres() {
    idle_count = 0;
    for (unsigned i = FIBRES; i-- > 0;) {
        fibres[i].made = false;
        idle[idle_count++] = i;
    }
}

void prepare() {
    if (stacks) return;
    int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* mapped = mmap(nullptr, FIBRES * STACK, PROT_READ | PROT_WRITE, kind, -1, 0);
    stacks = static_cast<char*>(mapped);
    for (unsigned i = 0; i < FIBRES; i++) mprotect(stacks + i * STACK, PAGE, PROT_NONE);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &previous);
    forget_fibres();
    block.barrier = barrier;
    block.warp = collective;
}

/// False after a fault.
bool run_block() {
    block.next = block.gone = block.current = 0;
    memset(block.exited, 0, sizeof block.exited);
    for (const auto& [address, bytes] : function->shared) memset(address, POISON, bytes);
    memset(waiting, 0, sizeof waiting);
    ready_first = ready_count = barrier_count = 0;
    unsigned first = idle[--idle_count];
    enter(first);
    running = first;
    switch_context(outside, fibres[first].context);
    if (wrong) fault(ILLEGAL_ADDRESS, "kernel %s touched the address %p", function->name.c_str(), touched);
    wrong = false;
    if (!sticky && block.gone != block.count)
        say("threads wait for others that never come", barrier_count > 0 ? barrier_line : 0);
    return !sticky;
}

}  // namespace

void run_grid(const Function& launched, EmuDim grid, EmuDim size, const void* values) {
    prepare();
    function = &launched;
    arguments = values;
    block.count = size.x * size.y * size.z;
    block.reverse = settings().reverse;
    EmuIndex& index = *index_of(launched);
    index.grid = grid;
    index.block_size = size;
    runner = pthread_self();
    inside = true;
    size_t blocks = size_t(grid.x) * grid.y * grid.z;
    for (size_t i = 0; i < blocks; i++) {
        size_t at = block.reverse ? blocks - 1 - i : i;
        index.block = {unsigned(at % grid.x), unsigned(at / grid.x % grid.y), unsigned(at / grid.x / grid.y)};
        if (!run_block()) {
            forget_fibres();
            break;
        }
    }
    inside = false;
}
