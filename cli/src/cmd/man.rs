//! `fogmate man`: the help of all commands as man pages.

use std::path::PathBuf;

use clap::{Args as ClapArgs, CommandFactory as _};
use clap_mangen::{Man, generate_to};
use eyre::{Result, WrapErr as _};

use crate::help::complete;
use crate::output::{note, say};

/// Print the program's man page, or write those of all commands
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The folder to write a page of each command to
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub async fn run(args: &Args) -> Result<()> {
    let program = complete(crate::Cli::command());
    if let Some(folder) = &args.folder {
        let named = || folder.display().to_string();
        std::fs::create_dir_all(folder).wrap_err_with(named)?;
        generate_to(program, folder).wrap_err_with(named)?;
        note!("the pages are in {}", folder.display());
        return Ok(());
    }
    let mut text = Vec::new();
    Man::new(program).render(&mut text)?;
    say!("{}", String::from_utf8(text)?.trim_end())
}
