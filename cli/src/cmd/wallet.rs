//! `fogmate wallet`: keys in encrypted files (protocol, section 9: every secret of a game derives from the wallet's key).

use std::path::PathBuf;

use alloy::providers::Provider as _;
use clap::{Args as ClapArgs, Subcommand};
use client::lobby::in_ether;
use client::wallet::{Cost, Wallet, WalletFile};
use deploy::DeploymentError;
use eyre::Result;
use serde_json::json;

use crate::account::{PasswordArgs, WalletArgs, imported};
use crate::hint::hint;
use crate::home::HomeArgs;
use crate::node::NodeArgs;
use crate::output::{note, say};

/// Make and look at wallets
///
/// A wallet is one Ethereum key in an encrypted keystore file (version 3, scrypt). Wallet and chain are all it takes to
/// go on with a game on another machine.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a new wallet; the password is asked for, or taken from a file or $FOGMATE_PASSWORD
    New {
        #[command(flatten)]
        home: HomeArgs,
        #[command(flatten)]
        password: PasswordArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take over the key of another program's wallet, which is asked for and not shown, or read from a file
    Import {
        /// A keystore file (version 3), whose password the wallet keeps, or a file with the private key in hexadecimal
        file: Option<PathBuf>,
        #[command(flatten)]
        home: HomeArgs,
        #[command(flatten)]
        password: PasswordArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the wallets there are
    List {
        #[command(flatten)]
        home: HomeArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    Show(Box<Show>),
}

/// Show a wallet's address and file, and with --balance what it has
#[derive(Debug, ClapArgs)]
struct Show {
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    wallet: WalletArgs,
    #[command(flatten)]
    node: NodeArgs,
    /// Ask the chain for the balance, and for what the game contract owes
    #[arg(long)]
    balance: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::New { home, password, json } => {
            let folder = home.home()?.wallets();
            let (_, file) = Wallet::create(&folder, &password.choose()?, Cost::Standard)?;
            print(&file, *json)
        }
        Command::Import { file, home, password, json } => {
            let folder = home.home()?.wallets();
            let (wallet, password) = imported(file.as_deref(), password)?;
            print(&wallet.store(&folder, &password, Cost::Standard)?, *json)
        }
        Command::List { home, json } => {
            let files = Wallet::list(&home.home()?.wallets())?;
            if files.is_empty() {
                note!(
                    "there is no wallet yet: {} makes one, and {} takes one over",
                    hint("wallet new"),
                    hint("wallet import")
                );
            }
            files.iter().try_for_each(|file| print(file, *json))
        }
        Command::Show(show) => show.run().await,
    }
}

fn print(file: &WalletFile, json: bool) -> Result<()> {
    if json {
        say!("{}", json!({ "address": file.address, "file": file.path }))
    } else {
        say!("{}  {}", file.address, file.path.display())
    }
}

impl Show {
    async fn run(&self) -> Result<()> {
        use DeploymentError::{NoCode, Unfinished, Unknown};
        let Self { home, wallet, node, .. } = self;
        let file = wallet.find(&home.home()?)?;
        if !self.balance {
            return print(&file, self.json);
        }
        let (balance, owed) = match node.connect(None).await {
            Ok((chain, _)) => (chain.balance(file.address).await?, Some(chain.withdrawable(file.address).await?)),
            // Before anything is deployed, also to a chain that was begun anew, somebody must have the ether to do it.
            Err(error) if matches!(error.downcast_ref(), Some(Unknown { .. } | Unfinished(_) | NoCode { .. })) => {
                let node = chain::connect(&node.rpc(None), None)?;
                (node.get_balance(file.address).await.map_err(chain::NodeError::from)?, None)
            }
            Err(error) => return Err(error),
        };
        if self.json {
            let (balance_wei, owed_wei) = (balance.to_string(), owed.map(|owed| owed.to_string()));
            let value = json!({
                "address": file.address, "file": file.path, "balance_wei": balance_wei, "owed_wei": owed_wei,
            });
            say!("{value}")?;
        } else {
            print(&file, false)?;
            say!("balance {} ETH", in_ether(balance.saturating_to()))?;
            match owed {
                Some(owed) => say!("owed by the game contract {} ETH", in_ether(owed.saturating_to()))?,
                None => note!("note: no game contract is known on this chain"),
            }
        }
        Ok(())
    }
}
