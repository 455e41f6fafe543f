//! Links: every line reads back as itself, names what is wrong, and is a command where it can be one.

use halfscope::link::Link;

const LINES: [&str; 19] = [
    "bits 65519.9999",
    "bits 0.1 formats=fp16,e4m3 rounding=rtz",
    "bits \"1 2 3\" block=mxfp4",
    "round 0.1 format=fp16",
    "round \"1/3 + 2^-24\" format=e5m3b16-fn rounding=sr saturate=on ftz=on daz=on tininess=before nan=payload seed=7",
    "round \"\" format=fp16",
    "calc add 0.1 0.2 format=fp16",
    "calc fma -1 2^-24 fp16:0x7bff format=fp16 rounding=rup",
    "chain 1025.49995 via=fp64,fp32,fp16",
    "update 1 2^-11 format=fp16 master=fp32 steps=256",
    "sweep \"(x + 1) - 1\" format=fp16 from=2^-14 to=1",
    "sweep x*x-1 format=bf16 from=-1 to=1/3 rounding=rtz",
    "line e4m3,e5m2",
    "line fp16,bf16 pane=error",
    "line fp16 scale=log2 from=-24.5 to=16.0",
    "hardware device=cpu",
    "hardware device=wgpu adapter=\"llvmpipe (LLVM 15.0.7, 256 bits)\" operation=div example=2",
    "hardware device=cuda operation=fp32-to-bf16 inputs=all",
    "dot a=1,2,3,4;1,2,3,4;1,2,3,4;1,2,3,4 b=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1/3 c=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0 \
     cell=2,3 input=e4m3 sum=blocks:fp16:fp32:2 order=ascending output=fp32",
];

#[test]
fn every_line_reads_back_as_itself() {
    for line in LINES {
        let link = Link::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(link.to_string(), line);
        assert_eq!(Link::parse(&link.to_string()).unwrap(), link, "{line}");
    }
}

#[test]
fn a_wrong_line_is_one_sentence() {
    for (line, said) in [
        ("", "begins with"),
        ("nonsense 1", "unknown link \"nonsense\""),
        ("round 0.1 format=fp17", "format=: unknown format"),
        ("round 0.1 format=fp16 format=fp32", "twice"),
        ("round 0.1 colour=red", "has no colour="),
        ("round \"0.1", "without its end"),
        ("calc plus 1 2", "unknown operation"),
        ("calc add 1 2 3 4", "at most"),
        ("update 1 2 3", "one word too many"),
        ("dot a=1,2", "four rows of four"),
        ("dot cell=5,1", "from 1 to 4"),
        ("dot sum=fused:fp32:9", "1 to 4 products"),
        ("line fp16 scale=log3", "linear or log2"),
        ("line e4m3,e5m2,e3m2,e2m3,e2m1,fp16", "at most 5"),
        ("bits 1 seed=-1", "no number that fits"),
        ("hardware device=gpu", "use cpu wgpu cuda"),
        ("hardware device=cpu adapter=nvidia", "only device=wgpu"),
        ("hardware operation=sin", "no operation \"sin\""),
        ("hardware inputs=some", "chosen or all"),
        ("hardware example=-1", "no number that fits"),
        ("hardware cpu", "one word too many"),
    ] {
        let error = Link::parse(line).expect_err(line);
        assert!(error.contains(said) && !error.contains('\n'), "{line}: {error}");
    }
    assert!(Link::parse(&"9".repeat(20_000)).is_err());
}

#[test]
fn a_line_is_the_command_that_prints_the_same() {
    for (line, command) in [
        ("round 0.1 format=fp16 rounding=sr seed=7", "inspect 0.1 --format fp16 --rounding sr --seed 7"),
        ("calc sqrt 2 format=fp16 ftz=on", "calc sqrt 2 --format fp16 --ftz"),
        ("chain 1 via=fp32,fp16", "convert 1 --via fp32,fp16"),
        ("bits \"1 -2\" block=mxfp4 saturate=on", "inspect 1 -2 --block mxfp4 --saturate"),
        (
            "update 1 2^-11 format=bf16 ftz=on rounding=sr seed=3",
            "calc update 1 2^-11 --format bf16 --master fp32 --steps 256 --ftz --seed 3",
        ),
        ("sweep \"-x * x\" from=-1 rounding=rtz", "calc sweep -x * x --format=fp16 --from=-1 --to=1 --rounding rtz"),
        ("line e4m3 pane=values", "table --format e4m3"),
        ("line e4m3 pane=limits", "table --limits"),
        (
            "dot b=-1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1 cell=2,3 sum=blocks:fp16:fp32:2 order=ascending output=fp16",
            "calc dot --a=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0 --b=-1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1 \
             --c=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0 --cell=2,3 --input=fp16 --sum=blocks:fp16:fp32:2 --order=ascending \
             --output=fp16",
        ),
        ("hardware", "hardware --backend cpu"),
        ("hardware device=wgpu adapter=nvidia inputs=all", "hardware --backend wgpu --adapter nvidia --exhaustive"),
        ("hardware operation=sqrt example=3", "hardware --backend cpu --operation sqrt --examples"),
    ] {
        assert_eq!(Link::parse(line).unwrap().command().join(" "), command);
    }
}
