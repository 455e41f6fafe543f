// out = A·B with A (M×K) and B (K×N), either stored transposed; tiles of 64×64, four by four of them to an invocation.
// Buffers: a, b, out. Words: 2 M, 3 K, 4 N, 5 a is transposed, 6 b is transposed, 7 FP32
// operands are rounded to TF32. Products are summed in order of k, BLOCK at a time, as on the processor.
const BLOCK: u32 = 512u;
const TILE: u32 = 64u;
const DEPTH: u32 = 16u;
var<workgroup> a_tile: array<f32, 1024>; // DEPTH × TILE
var<workgroup> b_tile: array<f32, 1024>;

fn operand(bits: u32, buffer: u32) -> f32 {
    return bitcast<f32>(select(bits, tf32(bits), p(7u) == 1u && storage_of(buffer) == FP32));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) at: u32,
        @builtin(num_workgroups) groups: vec3<u32>) {
    let rows = p(2u);
    let depth = p(3u);
    let columns = p(4u);
    let across = (columns + TILE - 1u) / TILE;
    let tiles = across * ((rows + TILE - 1u) / TILE);
    let my_row = 4u * (at / 16u);
    let my_column = 4u * (at % 16u);
    for (var tile = group.x; tile < tiles; tile += groups.x) {
        let first_row = (tile / across) * TILE;
        let first_column = (tile % across) * TILE;
        var sums = array<vec4<f32>, 4>();
        var before = array<vec4<f32>, 4>();
        for (var start = 0u; start < depth; start += DEPTH) {
            if (start % BLOCK == 0u && start > 0u) {
                for (var i = 0u; i < 4u; i += 1u) { before[i] = before[i] + sums[i]; sums[i] = vec4<f32>(); }
            }
            for (var i = at; i < TILE * DEPTH; i += 256u) {
                // Neighbouring invocations read neighbouring words, whichever way the operand lies.
                let ak = select(i % DEPTH, i / TILE, p(5u) == 1u);
                let ar = select(i / DEPTH, i % TILE, p(5u) == 1u);
                let k = start + ak;
                let row = first_row + ar;
                var value = 0.0;
                if (k < depth && row < rows) {
                    value = operand(load0(select(row * depth + k, k * rows + row, p(5u) == 1u)), 0u);
                }
                a_tile[ak * TILE + ar] = value;
                let bk = select(i / TILE, i % DEPTH, p(6u) == 1u);
                let bc = select(i % TILE, i / DEPTH, p(6u) == 1u);
                let kb = start + bk;
                let column = first_column + bc;
                value = 0.0;
                if (kb < depth && column < columns) {
                    value = operand(load1(select(kb * columns + column, column * depth + kb, p(6u) == 1u)), 1u);
                }
                b_tile[bk * TILE + bc] = value;
            }
            workgroupBarrier();
            for (var k = 0u; k < DEPTH; k += 1u) {
                let left = k * TILE + my_row;
                let right = k * TILE + my_column;
                let b = vec4<f32>(b_tile[right], b_tile[right + 1u], b_tile[right + 2u], b_tile[right + 3u]);
                sums[0] += a_tile[left] * b;
                sums[1] += a_tile[left + 1u] * b;
                sums[2] += a_tile[left + 2u] * b;
                sums[3] += a_tile[left + 3u] * b;
            }
            workgroupBarrier();
        }
        for (var i = 0u; i < 4u; i += 1u) {
            let row = first_row + my_row + i;
            for (var j = 0u; j < 4u; j += 1u) {
                let column = first_column + my_column + j;
                if (row < rows && column < columns) { b2[row * columns + column] = bitcast<u32>(before[i][j] + sums[i][j]); }
            }
        }
    }
}
