//! `halfscope` with no command: the window, and the demo where it cannot open. `halfscope open`: the window at a link.

use std::time::{Duration, Instant};

use clap::Args;

use super::failure::Failure;
use super::histogram::{LANGUAGES, choice};
use crate::i18n::Lang;
use crate::link::Link;

/// How the window starts.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WindowArgs {
    /// Language of the window: en or zh-CN
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// Look of the window: dark, light or projector
    #[arg(long, value_name = "THEME")]
    theme: Option<String>,
    /// A recorded run to open in the window
    #[arg(long, value_name = "RUN")]
    open: Option<std::path::PathBuf>,
}

/// Arguments of `open`.
#[derive(Debug, Clone, Args)]
pub(crate) struct OpenArgs {
    /// What to show, such as 'round 0.1 format=fp16': the window copies such lines with "Copy link"
    #[arg(value_name = "LINE")]
    line: String,
    /// Print it instead of opening the window, as where there is none
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    window: WindowArgs,
}

/// Where a window would open.
///
/// # Errors
/// Why there is no such place, in words.
pub(crate) fn display() -> Result<String, String> {
    if cfg!(not(all(unix, not(target_os = "macos")))) {
        return Ok("the desktop".to_owned());
    }
    let set = |name: &&&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"].iter().find(set) {
        Some(name) => Ok(format!("{name}={}", std::env::var_os(name).unwrap_or_default().to_string_lossy())),
        None => Err("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()),
    }
}

/// A window that dies within this time did not open; later, it is a crash and not a reason to run something else.
const OPENING: Duration = Duration::from_secs(15);

/// Opens the window. Where that cannot be, says why in one line and runs the demo.
pub(crate) fn run(args: &WindowArgs) -> Result<(), Failure> {
    let Some(why) = shown(args, None)? else { return Ok(()) };
    super::say(&format!("no window ({why}); running `halfscope demo` instead"));
    super::demo::run(&super::demo::DemoArgs::default())
}

/// Opens the window on what a link says. Where that cannot be, prints the same.
pub(crate) fn open_link(args: &OpenArgs) -> Result<(), Failure> {
    let link = Link::parse(&args.line).map_err(Failure::Input)?;
    let command = link.command();
    if !args.print {
        let Some(why) = shown(&args.window, Some(link))? else { return Ok(()) };
        super::say(&format!("no window ({why}); printing instead"));
    }
    super::outcome(std::iter::once("halfscope".to_owned()).chain(command).map(Into::into).collect())
}

/// Shows the window until it is closed; returns why it did not open where it did not.
fn shown(args: &WindowArgs, link: Option<Link>) -> Result<Option<String>, Failure> {
    let lang =
        args.lang.as_deref().map(|word| choice(word, "language", &LANGUAGES)).transpose().map_err(Failure::Input)?;
    let begun = Instant::now();
    let why = match display().map_err(Refusal::Window).and_then(|_| open(args, lang, link)) {
        Ok(()) => return Ok(None),
        Err(Refusal::Input(what)) => return Err(Failure::Input(what)),
        Err(Refusal::Window(why)) => why,
    };
    if begun.elapsed() > OPENING {
        return Err(Failure::Run(format!("the window ended: {why}")));
    }
    Ok(Some(why))
}

/// Why there is no window.
enum Refusal {
    /// An argument is wrong.
    Input(String),
    /// It cannot open here.
    Window(String),
}

/// Opens the window and returns when it is closed. A panic below (winit and graphics drivers know some) is a refusal like
/// any other: its message becomes the reason instead of a backtrace.
#[cfg(feature = "gui")]
fn open(args: &WindowArgs, lang: Option<Lang>, link: Option<Link>) -> Result<(), Refusal> {
    use crate::app::{Look, Options};
    const LOOKS: [(&str, Look); 3] = [("dark", Look::Dark), ("light", Look::Light), ("projector", Look::Projector)];
    let look = args.theme.as_deref().map(|word| choice(word, "theme", &LOOKS)).transpose().map_err(Refusal::Input)?;
    let options = Options { lang, look, open: args.open.clone(), link, ..Options::default() };
    quietly(move || crate::app::run(options)).map_err(Refusal::Window)
}

/// Without the feature `gui` there is none.
#[cfg(not(feature = "gui"))]
fn open(args: &WindowArgs, _: Option<Lang>, _: Option<Link>) -> Result<(), Refusal> {
    if args.theme.is_some() || args.open.is_some() {
        let what = "--theme and --open are for the window, which this halfscope was built without; leave them out";
        return Err(Refusal::Input(what.to_owned()));
    }
    Err(Refusal::Window("this halfscope was built without it".to_owned()))
}

/// Runs `job`; a panic of this thread while the window opens is an error with its message and nothing is printed. Later
/// panics, and those of other threads, are told as usual too.
#[cfg(feature = "gui")]
fn quietly(job: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
    use std::sync::{Arc, Mutex, PoisonError};

    let begun = Instant::now();
    let this = std::thread::current().id();
    let said = Arc::new(Mutex::new(String::new()));
    let usual = Arc::new(take_hook());
    let (hook, slot) = (Arc::clone(&usual), Arc::clone(&said));
    set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if begun.elapsed() > OPENING || std::thread::current().id() != this {
            return hook(info);
        }
        let message = info.payload_as_str().unwrap_or("an unknown failure").to_owned();
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = message;
    }));
    let result = catch_unwind(AssertUnwindSafe(job));
    set_hook(Box::new(move |info: &PanicHookInfo<'_>| usual(info)));
    let said = said.lock().unwrap_or_else(PoisonError::into_inner);
    result.unwrap_or_else(|_| Err(said.lines().next().unwrap_or_default().to_owned()))
}
