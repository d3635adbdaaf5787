//! `fogmate explorer`: the page on which anybody checks a game, from this machine or as files for any web server.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::Stdio;

use clap::Args as ClapArgs;
use eyre::{Result, WrapErr};
use tokio::net::TcpListener;
use tokio::process::Command;

use crate::failure::bad_input;
use crate::output::{note, say};
use crate::page::{FILES, serve};
use crate::process::uninterrupted;

/// Serve the audit page: a game checked in a browser, from the chain alone
///
/// The page asks the node that is typed into it, and nobody else. It verifies every proof by the verifier's own code, follows the game's events, and
/// draws the boards that published view keys open. It is served to this machine alone; --out writes it for any web server.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The port to listen at, on 127.0.0.1; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 8464)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Write the page's files into a folder instead, which is made if it isn't there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["port", "open"])]
    out: Option<PathBuf>,
}

pub async fn run(args: &Args) -> Result<()> {
    if let Some(folder) = &args.out {
        let write = |name: &str, content: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, content).wrap_err_with(|| format!("{} can't be written", path.display()))
        };
        std::fs::create_dir_all(folder).wrap_err_with(|| format!("{} can't be made", folder.display()))?;
        FILES.iter().try_for_each(|file| write(file.name, file.content))?;
        return say!("{}", folder.join("index.html").display());
    }
    let port = args.port;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener
        .map_err(|error| bad_input(format!("port {port} can't be had: {error}. Say another one with --port, or 0")))?;
    let url = format!("http://{}/", listener.local_addr()?);
    say!("{url}")?;
    note!("serving the audit page to this machine; Ctrl-C ends it");
    if args.open {
        tokio::spawn(open(url));
    }
    uninterrupted(serve(listener)).await
}

/// Asks the desktop to open an address, and says what to do where it doesn't.
async fn open(url: String) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = Stdio::null;
    let ended = Command::new(program).arg(&url).stdin(quiet()).stdout(quiet()).stderr(quiet()).status().await;
    let why = match ended {
        Ok(status) if status.success() => return,
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    note!("no browser could be opened ({program}: {why}): open {url} in yours");
}
