#undef _FORTIFY_SOURCE  // its longjmp takes another stack for a broken one
#include "fibre.h"

#include <cstdint>

#if defined(__x86_64__) && !defined(EMULATOR_PORTABLE)

// The registers that a call keeps, on the stack; the rest is the caller's business.
asm(R"(
.text
.type emu_switch, @function
emu_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emu_switch, .-emu_switch
)");
extern "C" void emu_switch(void** from, void** to) __attribute__((visibility("hidden")));

void switch_context(Context& from, Context& to) { emu_switch(&from.stack_pointer, &to.stack_pointer); }

void make_context(Context& context, char* stack, size_t bytes, void (*entry)()) {
    // As after a call: six registers, the return address, and the stack 8 short of a multiple of 16.
    auto* top = reinterpret_cast<uint64_t*>((reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t(15));
    top[-1] = 0;
    top[-2] = reinterpret_cast<uint64_t>(entry);
    for (int i = 3; i <= 8; i++) top[-i] = 0;
    context.stack_pointer = top - 8;
}

#else

void switch_context(Context& from, Context& to) {
    if (_setjmp(from.saved) != 0) return;
    if (to.entered) _longjmp(to.saved, 1);
    to.entered = true;
    setcontext(&to.first);
}

void make_context(Context& context, char* stack, size_t bytes, void (*entry)()) {
    getcontext(&context.first);
    context.first.uc_stack.ss_sp = stack;
    context.first.uc_stack.ss_size = bytes;
    context.first.uc_link = nullptr;
    makecontext(&context.first, entry, 0);
    context.entered = false;
}

#endif
