//! Strings of the window's shell: navigation, commands, states that every view shares.

use super::Lang;
use super::strings::strings;

strings! {
    /// Strings of the shell.
    App {
        Name: "halfscope", "halfscope";
        Tagline: "an oscilloscope for half precision", "半精度示波器";
        Bits: "Bits", "位模式";
        BitsSubtitle: "one number in every format", "同一个数在各种格式中的样子";
        NumberLine: "Number line", "数轴";
        NumberLineSubtitle: "where the numbers of a format lie", "格式中的数分布在哪里";
        Arithmetic: "Arithmetic", "运算";
        ArithmeticSubtitle: "how results are rounded, and why", "结果怎样舍入，为什么";
        Training: "Training", "训练";
        TrainingSubtitle: "the same network in several precisions, side by side", "同一网络以不同精度并排训练";
        Gradients: "Gradients", "梯度";
        GradientsSubtitle: "where every gradient lands in FP16", "每个梯度落在 FP16 的什么位置";
        Hardware: "Hardware", "硬件";
        HardwareSubtitle: "what devices really do, beside the exact results", "设备的实际结果与精确结果对照";
        Views: "Views", "视图";
        Language: "Language", "语言";
        English: "English", "English";
        Chinese: "简体中文", "简体中文";
        Theme: "Theme", "主题";
        Dark: "Dark", "深色";
        Light: "Light", "浅色";
        Projector: "Projector", "投影";
        ProjectorHint: "light, with large type for the back row", "浅色大字号，后排也能看清";
        Zoom: "Zoom", "缩放";
        ZoomIn: "Larger", "放大";
        ZoomInHint: "everything larger", "整体放大";
        ZoomOut: "Smaller", "缩小";
        ZoomOutHint: "everything smaller", "整体缩小";
        ZoomReset: "100 %", "100%";
        ZoomResetHint: "back to 100 %", "恢复为 100%";
        Start: "Start", "开始";
        StartHint: "train with this set-up", "按当前设置开始训练";
        Pause: "Pause", "暂停";
        Resume: "Resume", "继续";
        PauseHint: "wait after the current step, or go on", "当前步结束后暂停，或继续";
        Step: "Step", "单步";
        StepHint: "while paused: take one step", "暂停时训练一步";
        Stop: "Stop", "停止";
        StopHint: "end the run; what was recorded stays", "结束训练，已记录的数据保留";
        NewRun: "New run", "重新训练";
        NewRunHint: "back to the set-up", "返回设置";
        Open: "Open run…", "打开记录…";
        OpenHint: "open a recorded run (run.jsonl); a file dropped on the window opens too", "打开已记录的训练（run.jsonl），也可以把文件拖入窗口";
        Export: "Export…", "导出…";
        ExportHint: "save what is shown to a file", "将当前内容保存为文件";
        ShowBitsHint: "show the bits of a number", "查看一个数的各个位";
        CopyLink: "Copy link", "复制链接";
        CopyLinkHint: "copy one line that leads back to what is shown: halfscope open '…'", "复制一行文字，可回到当前内容：halfscope open '…'";
        ShowLineHint: "show where numbers lie", "查看数的分布";
        ShowArithmeticHint: "show rounding and arithmetic", "查看舍入与运算";
        ShowTrainingHint: "show the training", "查看训练";
        ShowGradientsHint: "show the gradients", "查看梯度";
        ShowHardwareHint: "show what devices really do", "查看设备的实际结果";
        Close: "Close", "关闭";
        DropHere: "Drop a recorded run (run.jsonl) to open it", "松开鼠标，打开已记录的训练（run.jsonl）";
        LoadingData: "Unpacking the images…", "正在解压图像…";
        OpeningRun: "Reading the recorded run…", "正在读取训练记录…";
        Working: "Working…", "处理中…";
        StateStarting: "starting", "启动中";
        StateRunning: "running", "训练中";
        StatePaused: "paused", "已暂停";
        StateCompleted: "finished", "已完成";
        StateStopped: "stopped", "已停止";
        StateFailed: "failed", "出错";
        StateFile: "recorded run", "训练记录";
        Shortcuts: "Keyboard", "键盘";
    }
}

/// “saved to PATH”.
#[must_use]
pub fn saved_to(lang: Lang, path: &str) -> String {
    match lang {
        Lang::En => format!("Saved {path}"),
        Lang::ZhCn => format!("已保存 {path}"),
    }
}

/// A line was copied.
#[must_use]
pub fn link_copied(lang: Lang, line: &str) -> String {
    match lang {
        Lang::En => format!("Copied: {line}"),
        Lang::ZhCn => format!("已复制：{line}"),
    }
}

/// A share of one as a percentage, `46.1 %`, with two digits where one would say nothing; an em dash if it is no number.
#[must_use]
pub fn percent(lang: Lang, share: f64) -> String {
    if !share.is_finite() {
        return "—".to_owned();
    }
    let percent = share * 100.0;
    let digits = usize::from(percent != 0.0) + usize::from(percent != 0.0 && percent.abs() < 0.05);
    lang.percent(&format!("{percent:.digits$}"))
}

/// A share of one as whole percent, for an axis.
#[must_use]
pub fn axis_percent(lang: Lang, share: f64) -> String {
    lang.percent(&format!("{:.0}", share * 100.0))
}

/// “step 214 of 400”.
#[must_use]
pub fn step_of(lang: Lang, step: u64, steps: u64) -> String {
    match lang {
        Lang::En => format!("step {step} of {steps}"),
        Lang::ZhCn => format!("第 {step} / {steps} 步"),
    }
}

/// A count with its thousands apart.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
