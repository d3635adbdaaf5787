//! Which wallet a command uses, and its password: from a file, the environment or the terminal, never echoed and never an
//! argument.

use std::fs::File;
use std::io::{IsTerminal as _, Read as _, stdin};
use std::path::{Path, PathBuf};

use clap::Args;
use client::wallet::{Cost, Wallet, WalletFile};
use eyre::Result;
use zeroize::Zeroizing;

use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::{Home, SavedGame};
use crate::output::note;
use crate::secret;

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
    /// The password of a wallet that exists, of this name.
    fn ask(&self, name: &str) -> Result<Zeroizing<String>> {
        self.given()?.map_or_else(|| prompt(&format!("Password of {name}: ")), Ok)
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
            return Ok(Some(Zeroizing::new(read(path)?.lines().next().unwrap_or_default().to_owned())));
        }
        Ok(std::env::var(PASSWORD).ok().map(Zeroizing::new))
    }
}

fn prompt(question: &str) -> Result<Zeroizing<String>> {
    secret::ask(question, "the password can't be asked for without a terminal: use --password-file or FOGMATE_PASSWORD")
}

/// Bytes of a file with a password, a key or a keystore, which have far less.
const MAX_FILE_BYTES: u64 = 16 * 1024;

/// A small file whose text is a secret.
fn read(path: &Path) -> Result<Zeroizing<String>> {
    let mut text = Zeroizing::new(String::new());
    let read = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text));
    read.map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
    Ok(text)
}

/// A key that another program has made, from a file, or typed: the wallet, and the password to store it under. A keystore keeps its own.
pub fn imported(file: Option<&Path>, password: &PasswordArgs) -> Result<(Wallet, Zeroizing<String>)> {
    let Some(path) = file else {
        let instead = "the key can't be asked for without a terminal: name a file that has it";
        if !stdin().is_terminal() {
            return Err(bad_input(instead));
        }
        let key = secret::ask("Private key, which isn't shown: ", instead)?;
        let wallet = Wallet::from_hex(&key).ok_or_else(|| bad_input(NO_KEY))?;
        return Ok((wallet, password.choose()?));
    };
    if path.to_str().is_some_and(|text| Wallet::from_hex(text).is_some()) {
        return Err(bad_input(
            "a key on the command line is read by others: name a file that has it, or nothing, and type it",
        ));
    }
    let text = read(path)?;
    if text.trim_start().starts_with('{') {
        let password = password.ask(&path.display().to_string())?;
        return Ok((Wallet::from_keystore(path, &password)?, password));
    }
    let no_key = || bad_input(format!("{}: {NO_KEY}", path.display()));
    Ok((Wallet::from_hex(&text).ok_or_else(no_key)?, password.choose()?))
}

/// What is said of a text that should be a key, and which may be one but for a typing error.
const NO_KEY: &str = "this is neither a private key of 64 hexadecimal digits nor a keystore file";

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
        let password = self.password.ask(&format!("{:#x}", file.address))?;
        Ok(Wallet::open_file(&file, &password)?)
    }

    /// Opens the wallet of who begins something. Where there is none at all, and a terminal to ask for a password, the first one is made.
    pub fn open_or_make(&self, home: &Home) -> Result<Wallet> {
        let folder = home.wallets();
        if self.wallet.is_some() || !stdin().is_terminal() || !Wallet::list(&folder)?.is_empty() {
            return self.open(home);
        }
        note!(
            "There is no wallet yet, so one is made in {}: it holds your money and your games, and only its password opens it.",
            folder.display()
        );
        let (wallet, file) = Wallet::create(&folder, &self.password.choose()?, Cost::Standard)?;
        note!("Your address is {:#x}.", file.address);
        Ok(wallet)
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
