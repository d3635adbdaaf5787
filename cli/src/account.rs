//! Which wallet a command uses, and its password: from a file, the environment or the terminal, never echoed and never an
//! argument.

use std::path::PathBuf;

use clap::Args;
use client::wallet::{Wallet, WalletFile};
use eyre::{Context, Result};
use zeroize::Zeroizing;

use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::{Home, SavedGame};

/// The variable with the password.
pub const PASSWORD: &str = "FOGMATE_PASSWORD";

/// Where the password comes from.
#[derive(Clone, Debug, Args)]
pub struct PasswordArgs {
    /// Read the password from the first line of a file [default: $FOGMATE_PASSWORD, or a prompt]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
pub struct WalletArgs {
    /// The wallet's address, or its start [default: the only wallet there is]
    #[arg(long, value_name = "ADDRESS")]
    pub wallet: Option<String>,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl PasswordArgs {
    /// The password of a wallet that exists.
    pub fn ask(&self, file: &WalletFile) -> Result<Zeroizing<String>> {
        match self.given()? {
            Some(password) => Ok(password),
            None => prompt(&format!("Password of {:#x}: ", file.address)),
        }
    }

    /// The password of a new wallet; a prompt asks twice.
    pub fn choose(&self) -> Result<Zeroizing<String>> {
        let given = self.given()?;
        let is_given = given.is_some();
        let password = given.map_or_else(|| prompt("Password of the new wallet: "), Ok)?;
        if password.is_empty() {
            return Err(bad_input("a wallet needs a password, and this one is empty"));
        }
        if !is_given && *prompt("Once more: ")? != *password {
            return Err(bad_input("the two passwords differ"));
        }
        Ok(password)
    }

    fn given(&self) -> Result<Option<Zeroizing<String>>> {
        if let Some(path) = &self.password_file {
            let text = std::fs::read_to_string(path).map(Zeroizing::new);
            let text = text.map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
            return Ok(Some(Zeroizing::new(text.lines().next().unwrap_or_default().to_owned())));
        }
        Ok(std::env::var(PASSWORD).ok().map(Zeroizing::new))
    }
}

fn prompt(question: &str) -> Result<Zeroizing<String>> {
    let answer = rpassword::prompt_password(question);
    answer
        .map(Zeroizing::new)
        .wrap_err("the password can't be asked for without a terminal: use --password-file or FOGMATE_PASSWORD")
}

impl WalletArgs {
    /// These arguments, with the wallet that plays a remembered game where no other is asked for.
    pub fn or_of(&self, game: Option<&SavedGame>) -> Self {
        let mut args = self.clone();
        let known = game.map(|game| format!("{:#x}", game.wallet));
        args.wallet = args.wallet.or(known);
        args
    }

    /// The wallet's file, unopened.
    pub fn find(&self, home: &Home) -> Result<WalletFile> {
        find(home, self.wallet.as_deref())
    }

    pub fn open(&self, home: &Home) -> Result<Wallet> {
        let file = self.find(home)?;
        let password = self.password.ask(&file)?;
        Ok(Wallet::open_file(&file, &password)?)
    }
}

/// The file of the wallet whose address starts so, or else of the only one there is.
pub fn find(home: &Home, wanted: Option<&str>) -> Result<WalletFile> {
    let folder = home.wallets();
    if let Some(wanted) = wanted {
        return Ok(Wallet::find(&folder, wanted)?);
    }
    let mut files = Wallet::list(&folder)?;
    match files.len() {
        1 => Ok(files.remove(0)),
        0 => {
            Err(bad_input(format!("there is no wallet in {}: make one with {}", folder.display(), hint("wallet new"))))
        }
        n => Err(bad_input(format!("there are {n} wallets: say which with --wallet ADDRESS"))),
    }
}
