// Switching between stacks on one OS thread, without a system call.
#pragma once
#include <cstddef>

#if defined(__x86_64__) && !defined(EMULATOR_PORTABLE)
struct Context {
    void* stack_pointer = nullptr;
};

inline void prefetch_context(const Context& context) {
    auto* top = static_cast<const char*>(context.stack_pointer);
    for (int line = 0; line < 5; line++) __builtin_prefetch(top + line * 64, 1);
}
#else
#include <setjmp.h>
#include <ucontext.h>
struct Context {
    jmp_buf saved;
    ucontext_t first;
    bool entered = true;  // false from make_context until the first switch to it
};

inline void prefetch_context(const Context&) {}
#endif

/// Lets the next switch to the context call `entry` on the given stack; `entry` never returns.
void make_context(Context& context, char* stack, size_t bytes, void (*entry)());

/// Goes on where `to` was left; returns when something switches back to `from`.
void switch_context(Context& from, Context& to);
