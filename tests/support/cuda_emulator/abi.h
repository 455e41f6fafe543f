// What the driver and a compiled kernel say to each other while a block runs.
#pragma once

struct EmuDim {
    unsigned int x, y, z;
};

/// The four built-in variables of a kernel; one set in each loaded program.
struct EmuIndex {
    EmuDim thread, block, block_size, grid;
};

enum EmuOperation { EMU_SHUFFLE, EMU_SHUFFLE_DOWN, EMU_SHUFFLE_UP, EMU_SHUFFLE_XOR, EMU_BALLOT, EMU_WARP_BARRIER };

/// The block that runs. It belongs to the driver; the loop over threads in emulator.h advances it.
struct EmuBlock {
    unsigned int next;        // threads started so far
    unsigned int count;       // threads of the block
    unsigned int current;     // linear index of the running thread
    unsigned int gone;        // threads that returned
    unsigned int reverse;     // start the threads from the last to the first
    unsigned int exited[32];  // one bit for each thread that returned, one word for each warp
    void (*barrier)(int line);
    unsigned long long (*warp)(int operation, unsigned int mask, unsigned long long value, unsigned int argument,
                               int line);
};
