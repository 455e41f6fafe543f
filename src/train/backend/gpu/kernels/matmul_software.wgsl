// out = A·B with A (M×K) and B (K×N), either stored transposed; eight rows by sixteen columns to an invocation, in registers
// alone. For devices that are programs on the processor: there a load costs as much as a hundred additions, wherever it is
// from, and a barrier more.
// Buffers: a, b, out. Words: 2 M, 3 K, 4 N, 5 a is transposed, 6 b is transposed, 7 FP32
// operands are rounded to TF32. Products are summed in order of k, BLOCK at a time, as on the processor.
const BLOCK: u32 = 512u;
const ROWS: u32 = 8u;
const COLUMNS: u32 = 16u;

fn operand(bits: u32, buffer: u32) -> f32 {
    return bitcast<f32>(select(bits, tf32(bits), p(7u) == 1u && storage_of(buffer) == FP32));
}
fn left(at: u32) -> f32 { return operand(load0(at), 0u); }
fn right(at: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(operand(load1(at.x), 1u), operand(load1(at.y), 1u), operand(load1(at.z), 1u), operand(load1(at.w), 1u));
}
// The first block's sums are the result so far, later ones are added to it.
fn put(row: u32, column: u32, sums: vec4<f32>, later: bool) {
    if (row >= p(2u)) { return; }
    for (var i = 0u; i < 4u; i += 1u) {
        if (column + i >= p(4u)) { return; }
        let at = row * p(4u) + column + i;
        b2[at] = bitcast<u32>(select(sums[i], bitcast<f32>(b2[at]) + sums[i], later));
    }
}

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let rows = p(2u);
    let depth = p(3u);
    let columns = p(4u);
    let across = (columns + COLUMNS - 1u) / COLUMNS;
    let tiles = across * ((rows + ROWS - 1u) / ROWS);
    // How far it is from one k to the next, and from one row or column to the next.
    let a_step = select(1u, rows, p(5u) == 1u);
    let a_pitch = select(depth, 1u, p(5u) == 1u);
    let b_step = select(columns, 1u, p(6u) == 1u);
    let b_pitch = select(1u, depth, p(6u) == 1u);
    let four = vec4<u32>(0u, 1u, 2u, 3u);
    for (var tile = id.x; tile < tiles; tile += groups.x * 8u) {
        let row = (tile / across) * ROWS;
        let column = (tile % across) * COLUMNS;
        // What lies beyond the last row or column is computed like the last and not stored.
        let last_row = rows - 1u;
        let last_column = vec4<u32>(columns - 1u);
        let a0 = min(row + 0u, last_row) * a_pitch;
        let a1 = min(row + 1u, last_row) * a_pitch;
        let a2 = min(row + 2u, last_row) * a_pitch;
        let a3 = min(row + 3u, last_row) * a_pitch;
        let a4 = min(row + 4u, last_row) * a_pitch;
        let a5 = min(row + 5u, last_row) * a_pitch;
        let a6 = min(row + 6u, last_row) * a_pitch;
        let a7 = min(row + 7u, last_row) * a_pitch;
        let b0 = min(column + 0u + four, last_column) * b_pitch;
        let b1 = min(column + 4u + four, last_column) * b_pitch;
        let b2 = min(column + 8u + four, last_column) * b_pitch;
        let b3 = min(column + 12u + four, last_column) * b_pitch;
        for (var start = 0u; start < depth; start += BLOCK) {
            var s00 = vec4<f32>(); var s01 = vec4<f32>(); var s02 = vec4<f32>(); var s03 = vec4<f32>();
            var s10 = vec4<f32>(); var s11 = vec4<f32>(); var s12 = vec4<f32>(); var s13 = vec4<f32>();
            var s20 = vec4<f32>(); var s21 = vec4<f32>(); var s22 = vec4<f32>(); var s23 = vec4<f32>();
            var s30 = vec4<f32>(); var s31 = vec4<f32>(); var s32 = vec4<f32>(); var s33 = vec4<f32>();
            var s40 = vec4<f32>(); var s41 = vec4<f32>(); var s42 = vec4<f32>(); var s43 = vec4<f32>();
            var s50 = vec4<f32>(); var s51 = vec4<f32>(); var s52 = vec4<f32>(); var s53 = vec4<f32>();
            var s60 = vec4<f32>(); var s61 = vec4<f32>(); var s62 = vec4<f32>(); var s63 = vec4<f32>();
            var s70 = vec4<f32>(); var s71 = vec4<f32>(); var s72 = vec4<f32>(); var s73 = vec4<f32>();
            for (var k = start; k < min(start + BLOCK, depth); k += 1u) {
                let a_at = k * a_step;
                let b_at = vec4<u32>(k * b_step);
                let y0 = right(b_at + b0);
                let y1 = right(b_at + b1);
                let y2 = right(b_at + b2);
                let y3 = right(b_at + b3);
                let x0 = left(a_at + a0);
                s00 += x0 * y0; s01 += x0 * y1; s02 += x0 * y2; s03 += x0 * y3;
                let x1 = left(a_at + a1);
                s10 += x1 * y0; s11 += x1 * y1; s12 += x1 * y2; s13 += x1 * y3;
                let x2 = left(a_at + a2);
                s20 += x2 * y0; s21 += x2 * y1; s22 += x2 * y2; s23 += x2 * y3;
                let x3 = left(a_at + a3);
                s30 += x3 * y0; s31 += x3 * y1; s32 += x3 * y2; s33 += x3 * y3;
                let x4 = left(a_at + a4);
                s40 += x4 * y0; s41 += x4 * y1; s42 += x4 * y2; s43 += x4 * y3;
                let x5 = left(a_at + a5);
                s50 += x5 * y0; s51 += x5 * y1; s52 += x5 * y2; s53 += x5 * y3;
                let x6 = left(a_at + a6);
                s60 += x6 * y0; s61 += x6 * y1; s62 += x6 * y2; s63 += x6 * y3;
                let x7 = left(a_at + a7);
                s70 += x7 * y0; s71 += x7 * y1; s72 += x7 * y2; s73 += x7 * y3;
            }
            put(row + 0u, column + 0u, s00, start > 0u); put(row + 0u, column + 4u, s01, start > 0u); put(row + 0u, column + 8u, s02, start > 0u); put(row + 0u, column + 12u, s03, start > 0u);
            put(row + 1u, column + 0u, s10, start > 0u); put(row + 1u, column + 4u, s11, start > 0u); put(row + 1u, column + 8u, s12, start > 0u); put(row + 1u, column + 12u, s13, start > 0u);
            put(row + 2u, column + 0u, s20, start > 0u); put(row + 2u, column + 4u, s21, start > 0u); put(row + 2u, column + 8u, s22, start > 0u); put(row + 2u, column + 12u, s23, start > 0u);
            put(row + 3u, column + 0u, s30, start > 0u); put(row + 3u, column + 4u, s31, start > 0u); put(row + 3u, column + 8u, s32, start > 0u); put(row + 3u, column + 12u, s33, start > 0u);
            put(row + 4u, column + 0u, s40, start > 0u); put(row + 4u, column + 4u, s41, start > 0u); put(row + 4u, column + 8u, s42, start > 0u); put(row + 4u, column + 12u, s43, start > 0u);
            put(row + 5u, column + 0u, s50, start > 0u); put(row + 5u, column + 4u, s51, start > 0u); put(row + 5u, column + 8u, s52, start > 0u); put(row + 5u, column + 12u, s53, start > 0u);
            put(row + 6u, column + 0u, s60, start > 0u); put(row + 6u, column + 4u, s61, start > 0u); put(row + 6u, column + 8u, s62, start > 0u); put(row + 6u, column + 12u, s63, start > 0u);
            put(row + 7u, column + 0u, s70, start > 0u); put(row + 7u, column + 4u, s71, start > 0u); put(row + 7u, column + 8u, s72, start > 0u); put(row + 7u, column + 12u, s73, start > 0u);
        }
    }
}
