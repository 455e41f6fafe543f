//! Strings of the Training view.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the Training view.
    Train {
        Preset: "Experiment", "实验";
        PresetUnderflow: "A small loss weight pushes FP16 gradients below 2^-24. FP32 does not notice; FP16 stops learning until the loss is scaled.", "很小的损失权重把 FP16 梯度压到 2^-24 以下。FP32 毫无察觉，FP16 则停止学习，直到损失被缩放。";
        PresetMasterWeights: "Updates too small for FP16 weights: without an FP32 master copy they vanish, one by one.", "更新量小到 FP16 权重无法容纳：没有 FP32 主权重，更新会逐一消失。";
        PresetMnistMlp: "The plain network of many tutorials, where every precision learns alike.", "许多教程里的普通网络：各种精度的学习效果相同。";
        PresetOther: "A recorded experiment.", "已记录的实验。";
        Lanes: "Lanes", "通道";
        LanesHint: "same seed, same batches; only the precision differs", "种子和批次相同，只有精度不同";
        PolicyFp32: "everything in FP32: the reference", "全部使用 FP32：参照";
        PolicyTf32: "FP32, products of operands rounded to TF32", "FP32，乘积的操作数舍入为 TF32";
        PolicyFp16Naive: "everything in FP16, no master weights", "全部使用 FP16，无主权重";
        PolicyAmp: "as torch.amp: a format per operation, FP32 weights", "同 torch.amp：按算子选择格式，权重为 FP32";
        PolicyPaper: "FP16 storage, FP32 master weights (Micikevicius et al., 2018)", "FP16 存储，FP32 主权重（Micikevicius 等，2018）";
        PolicyPaperNoMaster: "as paper, but the weights themselves are FP16", "同 paper，但权重本身为 FP16";
        PolicyBf16: "BF16 storage: FP32's range, 8 bits of precision", "BF16 存储：FP32 的范围，8 位精度";
        PolicyOther: "a policy of its own", "自定义策略";
        Scaling: "Loss scaling", "损失缩放";
        ScalingNone: "none", "无";
        ScalingStatic: "static", "静态";
        ScalingStaticHint: "a constant power of two", "固定的 2 的幂";
        ScalingDynamic: "dynamic", "动态";
        ScalingDynamicHint: "as torch.amp.GradScaler: halve on overflow, double after 2000 good steps", "同 torch.amp.GradScaler：上溢时减半，连续 2000 步正常后加倍";
        ScaleExponent: "exponent of the static scale", "静态缩放的指数";
        Backend: "Runs on", "运行于";
        BackendAuto: "auto", "自动";
        BackendCpu: "CPU", "CPU";
        BackendWgpu: "wgpu", "wgpu";
        BackendCuda: "CUDA", "CUDA";
        BackendMissing: "not available", "不可用";
        FindingDevices: "Looking for graphics processors…", "正在查找图形处理器…";
        Adapter: "wgpu uses", "wgpu 使用";
        AdapterFastest: "the fastest", "最快的";
        AddLane: "+", "+";
        AddLaneHint: "the same lane again on another backend: CPU and GPU side by side", "再加一条相同的通道，用另一后端：CPU 与 GPU 并排";
        RemoveLane: "−", "−";
        RemoveLaneHint: "take this lane away", "移除此通道";
        RunOnProcessor: "Run again on the CPU", "改用 CPU 重新训练";
        RunOnProcessorHint: "the same set-up, with the lane whose device failed on the CPU", "相同设置，出错设备上的通道改到 CPU";
        Seed: "Seed", "随机种子";
        SeedHint: "the same seed gives the same bits", "相同种子得到逐位相同的结果";
        Steps: "Steps", "步数";
        Data: "Images", "图像";
        DataEmbedded: "embedded subset", "内置子集";
        DataEmbeddedHint: "6,000 training and 1,000 test images of Fashion-MNIST, built in", "内置的 Fashion-MNIST：6,000 张训练图像，1,000 张测试图像";
        DataInstalled: "full set", "完整数据集";
        DataInstalledHint: "all of Fashion-MNIST, where the system has it installed", "系统已安装的完整 Fashion-MNIST";
        Loss: "Training loss", "训练损失";
        LossUnit: "mean cross-entropy in nats, unscaled", "平均交叉熵（nat），未缩放";
        Accuracy: "Test accuracy", "测试准确率";
        AccuracyUnit: "share of the test images", "占测试图像的比例";
        ScaleTimeline: "Loss scale", "损失缩放";
        ScaleTimelineHint: "log2 of S; crosses mark skipped steps", "S 的 log2；叉号为跳过的步";
        StepAxis: "step", "步";
        ReadoutStep: "Step", "步";
        ReadoutLoss: "Loss", "损失";
        ReadoutAccuracy: "Accuracy", "准确率";
        ReadoutScale: "Scale S", "缩放 S";
        ReadoutSkipped: "Skipped", "跳过";
        ReadoutSpeed: "Steps/s", "步/秒";
        ReadoutSamples: "Images/s", "图像/秒";
        ReadoutDevice: "Device", "设备";
        ReadoutMemory: "Buffers", "缓冲区";
        ReadoutMemoryHint: "what training needs, as planned; in brackets all that lies on the device, probes and twin included", "训练所需（按规划）；括号内为设备上的全部，含采样与孪生";
        ReadoutFree: "Free", "空闲";
        ReadoutFreeHint: "free memory of the device", "设备的空闲内存";
        NatureSoftware: "a program on the processor, no GPU", "处理器上的程序，不是 GPU";
        NatureEmulator: "an emulator for tests, no GPU", "测试用模拟器，不是 GPU";
        Times: "Time per op, slowest first", "各算子用时，最慢的在前";
        TimesOp: "Op", "算子";
        TimesLayer: "Layer", "层";
        TimesTime: "Time", "用时";
        TimesShare: "Share", "占比";
        TimesRest: "the rest", "其余";
        TimesNone: "no step was timed yet", "尚未计时";
        TimesEmulated: "FP16 emulated: no GPU's time", "FP16 为模拟：不代表 GPU 用时";
        ReadoutGap: "vs FP32", "与 FP32 之差";
        Emulated: "FP16 is emulated on this processor: its speed says nothing about a GPU.", "FP16 在此处理器上为软件模拟，其速度不代表 GPU。";
        Casts: "Casts and why they are there", "插入的类型转换及其理由";
        CastTensor: "Tensor", "张量";
        CastChange: "Cast", "转换";
        CastWhy: "Why", "理由";
        NoCasts: "none: nothing leaves FP32", "无：全程 FP32";
        FailedTitle: "The run ended before its first step", "训练在第一步之前就结束了";
        WaitingForSteps: "Waiting for the first step…", "等待第一步…";
        SeeGradients: "See the gradients", "查看梯度";
        WaitingForAccuracy: "measured every few steps", "每隔若干步测量一次";
        LegendLane: "Lane", "通道";
    }
}

/// The name of a preset for people; the name that is recorded and typed stands behind one that is translated.
#[must_use]
pub fn preset_name(lang: Lang, preset: &str) -> String {
    let known = match preset {
        "underflow" => "下溢",
        "master-weights" => "主权重",
        "mnist-mlp" => "多层感知机",
        _ => "",
    };
    match lang {
        Lang::ZhCn if !known.is_empty() => format!("{known}（{preset}）"),
        Lang::En | Lang::ZhCn => preset.to_owned(),
    }
}

/// A device as it names itself; the number of threads behind a processor is in words.
#[must_use]
pub fn device(lang: Lang, device: &str) -> String {
    let threads =
        |rest: &str| rest.strip_suffix(" threads").or_else(|| rest.strip_suffix(" thread")).map(str::to_owned);
    match (lang, device.rsplit_once(", ").and_then(|(name, rest)| Some((name, threads(rest)?)))) {
        (Lang::ZhCn, Some((name, count))) => format!("{name}，{count} 个线程"),
        _ => device.to_owned(),
    }
}

/// The name of a set of images; what is ours of it is in words.
#[must_use]
pub fn dataset(lang: Lang, dataset: &str) -> String {
    match lang {
        Lang::En => dataset.to_owned(),
        Lang::ZhCn => dataset.replace(", embedded subset", "，内置子集"),
    }
}

/// What a preset shows, by its name.
#[must_use]
pub fn preset_line(lang: Lang, preset: &str) -> &'static str {
    match preset {
        "underflow" => Train::PresetUnderflow,
        "master-weights" => Train::PresetMasterWeights,
        "mnist-mlp" => Train::PresetMnistMlp,
        _ => Train::PresetOther,
    }
    .text(lang)
}

/// What a policy means, by its name.
#[must_use]
pub fn policy_line(lang: Lang, policy: &str) -> &'static str {
    match policy {
        "fp32" => Train::PolicyFp32,
        "tf32" => Train::PolicyTf32,
        "fp16-naive" => Train::PolicyFp16Naive,
        "amp" => Train::PolicyAmp,
        "paper" => Train::PolicyPaper,
        "paper-no-master" => Train::PolicyPaperNoMaster,
        "bf16" => Train::PolicyBf16,
        _ => Train::PolicyOther,
    }
    .text(lang)
}

/// The network of a preset in a line, such as “784-256-128-10 · batch 512 · loss × 0.0001”.
#[must_use]
pub fn network_line(lang: Lang, widths: &[usize], batch: usize, loss_weight: f32) -> String {
    let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
    let widths = widths.join("-");
    match lang {
        Lang::En => format!("{widths} · batch {batch} · loss × {loss_weight}"),
        Lang::ZhCn => format!("{widths} · 批大小 {batch} · 损失 × {loss_weight}"),
    }
}

/// “auto takes NVIDIA H200”.
#[must_use]
pub fn auto_takes(lang: Lang, device: &str) -> String {
    match lang {
        Lang::En => format!("auto takes {device}"),
        Lang::ZhCn => format!("自动选用 {device}"),
    }
}

/// “0.42 ms a step, mean of 3”.
#[must_use]
pub fn a_step(lang: Lang, time: &str, steps: u64) -> String {
    match lang {
        Lang::En => format!("{time} a step, mean of {steps}"),
        Lang::ZhCn => format!("每步 {time}，{steps} 次平均"),
    }
}

/// “128 casts”.
#[must_use]
pub fn casts_of(lang: Lang, lane: &str, count: usize) -> String {
    match lang {
        Lang::En => format!("{lane} · {count} casts"),
        Lang::ZhCn => format!("{lane} · {count} 次转换"),
    }
}
