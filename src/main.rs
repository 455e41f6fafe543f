//! Parses the arguments, then hands over to the window or a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    quieten_driver();
    halfscope::cli::main()
}

/// Mesa's layer that chooses a default graphics processor asks Wayland for one and complains on stderr where there is no
/// Wayland at all; which processor is used is chosen by its kind and name here, so the layer is not needed then.
fn quieten_driver() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        #[expect(unsafe_code, reason = "the environment is changed before there is a second thread")]
        // SAFETY: this is the first thing that the program does, on its only thread.
        unsafe {
            std::env::set_var("NODEVICE_SELECT", "1");
        }
    }
}
