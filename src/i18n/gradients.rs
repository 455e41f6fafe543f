//! Strings of the Gradients view.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the Gradients view.
    Gradients {
        Lane: "Lane", "通道";
        Source: "Gradients from", "梯度来源";
        SourceRun: "run", "本训练";
        SourceRunHint: "the lane's own tensors: what this cast loses, and nothing of what was lost before it", "该通道自身的张量：只反映本次转换的丢失，不含上游已丢失的部分";
        SourceTwin: "FP32 twin", "FP32 孪生";
        SourceTwinHint: "an FP32 pass over the same weights and batch: what a loss scale could really save", "以相同权重和批次做的一次 FP32 计算：损失缩放真正能挽回多少";
        SourceFile: "file", "文件";
        SourceFileHint: "values from a file", "来自文件的数值";
        Stage: "Taken", "取样";
        StageBefore: "before the cast", "转换前";
        StageBeforeHint: "what the cast gets", "转换得到的输入";
        StageAfter: "after the cast", "转换后";
        StageAfterHint: "what the cast left", "转换留下的结果";
        Target: "Format", "格式";
        Rule: "Count by", "计数规则";
        RuleIeee: "IEEE", "IEEE";
        RuleIeeeHint: "round to nearest even: 2^-25 and below becomes 0, above it rounds up to 2^-24", "就近舍入到偶数：不大于 2^-25 的变为 0，更大的进位到 2^-24";
        RulePaper: "paper", "论文";
        RulePaperHint: "the rule of thumb of the 2018 paper: everything below 2^-24 counts as lost", "2018 年论文的经验规则：小于 2^-24 的一律算丢失";
        Step: "Step", "步";
        Latest: "follow the latest", "跟随最新一步";
        LatestHint: "show each probed step as it comes", "每次采样后立即显示";
        Tensors: "Tensor", "张量";
        LostOfNonzero: "lost of non-zero", "非零值丢失";
        GroupWeights: "weights", "权重";
        GroupWeightsHint: "gradients of weights and biases", "权重与偏置的梯度";
        GroupActivations: "activations", "激活";
        GroupActivationsHint: "gradients of the layers' outputs", "各层输出的梯度";
        GroupAll: "all", "全部";
        GroupAllHint: "every tensor that is looked at", "所有被观察的张量";
        Scale: "Loss scale", "损失缩放";
        ScaleHint: "what-if: moves the bars now, changes nothing in the run", "假设分析：直方图立即变化，训练不受影响";
        SliderName: "Loss scale S", "损失缩放 S";
        Advised: "advised", "建议";
        InRun: "run", "训练";
        GoToAdvised: "Go to advised", "移到建议值";
        GoToAdvisedHint: "the smallest advised scale", "建议范围中最小的缩放";
        Apply: "Apply to run", "应用到训练";
        ApplyHint: "set this loss scale in the lane, from the next step on", "从下一步起在该通道使用此损失缩放";
        NoScale: "This lane does not scale its loss.", "该通道不做损失缩放。";
        NotLive: "The run has ended: the scale can be explored, not applied.", "训练已结束：可以探索缩放，但不能再应用。";
        SameScale: "The run uses this scale.", "训练正在使用此缩放。";
        OverSteps: "Lost share over the steps", "丢失比例随训练步的变化";
        OverStepsHint: "click a step to look at it", "点击某一步以查看";
        AtThisScale: "at this S", "当前 S";
        AtOne: "at S = 1", "S = 1";
        SkippedName: "skipped steps", "跳过的步";
        EmptyTitle: "Watch gradients vanish, and come back", "看梯度消失，再看它们回来";
        EmptyBody: "FP16 holds no number between 0 and 2^-24. Gradients up to half of that, 2^-25, become 0 (those above are rounded up to 2^-24) and a network stops learning, without a single error message. Start a training and this view shows, live, where every gradient lands, how many are lost, and which loss scale brings them back.", "FP16 在 0 与 2^-24 之间没有任何数。不大于其一半 2^-25 的梯度会变成 0（更大的进位到 2^-24），网络就此停止学习，却不报任何错误。开始训练后，这里会实时显示每个梯度落在何处、丢失了多少，以及哪个损失缩放能把它们找回来。";
        EmptyStart: "Start the underflow demonstration", "开始下溢演示";
        EmptyStartOwn: "Start the run that is set up", "按当前设置开始训练";
        EmptyDoors: "New to FP16? Start with", "初次接触 FP16？可以先看";
        EmptyOpen: "or drop a recorded run (run.jsonl) on the window", "也可以把训练记录（run.jsonl）拖入窗口";
        StartingTitle: "Setting up the lanes…", "正在准备各通道…";
        StartingBody: "The networks are initialised from the same seed, so that only the precision differs.", "各网络使用相同的随机种子初始化，只有精度不同。";
        WaitingTitle: "Waiting for the first probed step…", "等待第一次采样…";
        WaitingBody: "Histograms are taken at the cadence of the run, usually every 8th step.", "直方图按设定的间隔采样，通常每 8 步一次。";
        NoProbeTitle: "Nothing was probed in this run", "本次训练没有采样";
        NoProbeBody: "The run was recorded without histograms. Start one with probes, or open another.", "该训练未记录直方图。请开始带采样的训练，或打开其他记录。";
        FailedTitle: "The run ended before the first histogram", "训练在第一张直方图之前就结束了";
        ExportTitle: "Export", "导出";
        ExportFormat: "File", "文件";
        ExportRun: "whole run", "整个训练";
        ExportRunHint: "every recorded step; opens here and in `halfscope histogram`", "全部记录；可在此处或用 halfscope histogram 打开";
        ExportTheme: "Colours", "配色";
        ExportThemeLight: "light", "浅色";
        ExportThemeDark: "dark", "深色";
        ExportSize: "Size", "尺寸";
        ExportPath: "Where", "位置";
        ExportPathHint: "path of the file to write", "要写入的文件路径";
        ExportBrowse: "Browse…", "浏览…";
        ExportBrowseHint: "choose with the system's dialog; without one, type the path", "用系统对话框选择；没有对话框时可直接输入路径";
        ExportSave: "Save", "保存";
        ExportCancel: "Cancel", "取消";
        ExportSame: "The same bytes as the command line writes for this step.", "与命令行对同一步写出的文件逐字节相同。";
        NoValue: "—", "—";
    }
}

/// “advised 2^11 … 2^17”.
#[must_use]
pub fn advised_band(lang: Lang, low: i32, high: i32) -> String {
    match lang {
        Lang::En => format!("advised 2^{low} … 2^{high}"),
        Lang::ZhCn => format!("建议 2^{low} … 2^{high}"),
    }
}

/// Such as “At S = 2^11: 0.4 % lost. Nothing overflows up to 2^17.”.
#[must_use]
pub fn advised_outcome(lang: Lang, low: i32, share: &str, high: i32) -> String {
    match lang {
        Lang::En => format!("At S = 2^{low}: {share} lost. Nothing overflows up to 2^{high}."),
        Lang::ZhCn => format!("S = 2^{low} 时丢失 {share}；直到 2^{high} 都不会上溢。"),
    }
}

/// What a screen reader says about a row of the tensor list.
#[must_use]
pub fn tensor_row(lang: Lang, tensor: &str, share: &str) -> String {
    match lang {
        Lang::En => format!("{tensor}, lost {share}"),
        Lang::ZhCn => format!("{tensor}，丢失 {share}"),
    }
}

/// “3 skipped steps”.
#[must_use]
pub fn skipped(lang: Lang, count: u64) -> String {
    match lang {
        Lang::En if count == 1 => "1 skipped step".to_owned(),
        Lang::En => format!("{count} skipped steps"),
        Lang::ZhCn => format!("跳过 {count} 步"),
    }
}

/// What the curve shows, in words: the numbers of the plot as text.
#[must_use]
pub fn curve_in_words(lang: Lang, first: (u64, &str), last: (u64, &str)) -> String {
    let ((first_step, first), (last_step, last)) = (first, last);
    match lang {
        Lang::En => format!("step {first_step}: {first} → step {last_step}: {last}"),
        Lang::ZhCn => format!("第 {first_step} 步：{first} → 第 {last_step} 步：{last}"),
    }
}
