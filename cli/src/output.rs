//! Standard output, where a reader that has seen enough is no reason to panic.

use std::fmt::Arguments;
use std::io::Write;

/// Writes a line of the result.
pub fn line(text: Arguments<'_>) -> eyre::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Writes a line of the result; like `println!`, with the error for the caller.
macro_rules! say {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}
pub(crate) use say;
