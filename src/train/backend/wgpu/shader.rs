//! A kernel's WGSL source, completed: bindings, and for each buffer a function that loads an element and one that stores two.
//!
//! One buffer bound twice, once to be written, is an error in WebGPU. So ops that work in place get a source in which the
//! operands that share their memory are one binding.

use std::fmt::Write as _;

use crate::train::backend::gpu::{Form, Kernel, KernelLaunch, Use};

/// Which buffers of a launch are the same: for each, the first operand with this buffer, or `None` where it has none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Sharing(pub Vec<Option<usize>>);

impl Sharing {
    /// How a launch shares its buffers.
    pub(super) fn of(launch: &KernelLaunch) -> Self {
        let first = |buffer| launch.buffers.iter().position(|other| *other == Some(buffer));
        Self(launch.buffers.iter().map(|buffer| buffer.and_then(first)).collect())
    }

    /// The bindings, in order: the operand that names it, and how it is used by all that share it.
    pub(super) fn bindings(&self, kernel: Kernel) -> Vec<(usize, Use)> {
        let usage = |binding: usize| {
            let sharers = self.0.iter().zip(kernel.uses()).filter(|(first, _)| **first == Some(binding));
            sharers.map(|(_, &usage)| usage).max().unwrap_or(Use::Read)
        };
        let names = self.0.iter().enumerate().filter(|&(at, &first)| first == Some(at));
        names.map(|(at, _)| (at, usage(at))).collect()
    }
}

/// Which source a kernel is compiled from, where there are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Variant {
    /// For graphics processors.
    Usual,
    /// For large products on devices that are programs on the processor.
    Software,
}

impl Variant {
    /// What suits a launch. Small products stay with the usual source, so that a device that is a program tests that one too.
    pub(super) fn of(launch: &KernelLaunch, software: bool) -> Self {
        const LARGE: u64 = 1 << 20;
        let multiplications: u64 = launch.words[2..5].iter().map(|&size| u64::from(size)).product();
        let large = launch.kernel == Kernel::Matmul && multiplications > LARGE;
        if software && large { Self::Software } else { Self::Usual }
    }
}

/// The whole source of a kernel whose buffers are shared like this. Its entry point is `main`.
pub(super) fn source(kernel: Kernel, sharing: &Sharing, variant: Variant) -> String {
    let mut text = include_str!("../gpu/kernels/prelude.wgsl").to_owned();
    let bindings = sharing.bindings(kernel);
    for &(at, usage) in &bindings {
        let (access, element) = match usage {
            Use::Read => ("read", "u32"),
            Use::Write => ("read_write", "u32"),
            Use::Atomic => ("read_write", "atomic<u32>"),
        };
        writeln!(text, "@group(0) @binding({at}) var<storage, {access}> b{at}: array<{element}>;").ok();
    }
    let usage_of = |binding: usize| bindings.iter().find(|(at, _)| *at == binding).map(|&(_, usage)| usage);
    for (at, (first, usage)) in sharing.0.iter().zip(kernel.uses()).enumerate() {
        match first.map(|first| (first, usage_of(first))) {
            Some((_, Some(Use::Atomic))) => {}
            Some((first, _)) => {
                text.push_str(&LOAD.replace("$K", &at.to_string()).replace("$B", &first.to_string()));
                if *usage == Use::Write {
                    text.push_str(&STORE.replace("$K", &at.to_string()).replace("$B", &first.to_string()));
                }
            }
            None => {
                text.push_str(&NOTHING.replace("$K", &at.to_string()));
            }
        }
    }
    text.push_str(match variant {
        Variant::Usual => kernel.wgsl(),
        Variant::Software => include_str!("../gpu/kernels/matmul_software.wgsl"),
    });
    match kernel.form() {
        Form::Whole => {}
        Form::Pair => text.push_str(&MAIN.replace("$BODY", "pair(w);")),
        Form::Value(out) => text.push_str(&MAIN.replace("$BODY", &VALUES.replace("$K", &out.to_string()))),
    }
    text
}

/// Element i of a buffer, as the bits of an FP32.
const LOAD: &str = "
fn load$K(i: u32) -> u32 {
    let storage = storage_of($Ku);
    if (storage == FP32) { return b$B[i]; }
    return widen(storage, (b$B[i / 2u] >> (16u * (i & 1u))) & 0xffffu);
}
";

/// Elements 2w and 2w + 1, rounded to nearest even. One invocation writes both, since they may share a word.
const STORE: &str = "
fn store$K(w: u32, values: vec2<u32>) {
    let storage = storage_of($Ku);
    let both = 2u * w + 1u < p(0u);
    if (storage == FP32) {
        b$B[2u * w] = values.x;
        if (both) { b$B[2u * w + 1u] = values.y; }
    } else {
        b$B[w] = narrow(storage, values.x) | select(0u, narrow(storage, values.y) << 16u, both);
    }
}
";

/// For a buffer that this launch does not have.
const NOTHING: &str = "
fn load$K(i: u32) -> u32 { return 0u; }
fn store$K(w: u32, values: vec2<u32>) { }
";

/// Pair by pair over all workgroups, whatever their number.
const MAIN: &str = "
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var w = id.x; 2u * w < p(0u); w += groups.x * 256u) { $BODY }
}
";

const VALUES: &str = "
        var values = vec2<u32>(value(2u * w), 0u);
        if (2u * w + 1u < p(0u)) { values.y = value(2u * w + 1u); }
        store$K(w, values);
";
