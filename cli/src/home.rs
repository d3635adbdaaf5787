//! The folder of a player's machine: wallets, games, journals and records of transactions. Only names and small files; what is in a
//! wallet or a journal belongs to `client`.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use alloy::primitives::{Address, B256};
use chain::private;
use clap::Args;
use client::chain::unix;
use client::link::{LinkError, relay_peer};
use eyre::{Context, Report, Result};
use game::{GameRef, Terms};
use libp2p::Multiaddr;
use libp2p::multiaddr::Protocol;
use serde::{Deserialize, Serialize};

use crate::failure::{Found, bad_input};
use crate::hint::hint;
use crate::output::note;

/// Where a machine's files are.
#[derive(Clone, Debug, Args)]
pub struct HomeArgs {
    /// The folder of wallets and games, with all that is secret [default: $XDG_DATA_HOME/fogmate, or ~/.local/share/fogmate]
    #[arg(long, env = "FOGMATE_HOME", value_name = "DIR")]
    home: Option<PathBuf>,
}

impl HomeArgs {
    pub fn home(&self) -> Result<Home> {
        let of_user = || of_user(std::env::var_os("XDG_DATA_HOME"), std::env::var_os("HOME"));
        match self.home.clone().or_else(of_user) {
            Some(root) => Ok(Home { root }),
            None => Err(bad_input("there is no home folder: say --home DIR")),
        }
    }
}

/// The folder where none is said. Wallets of earlier versions stay where they were made.
fn of_user(data: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let earlier = home.as_ref().map(|home| Path::new(home).join(".fogmate"));
    let folder = xdg(data, home, ".local/share")?;
    Some(earlier.filter(|earlier| !folder.exists() && earlier.is_dir()).unwrap_or(folder))
}

/// This program's folder in one of the user's, as the XDG base directory specification has it, which ignores relative paths.
pub fn xdg(base: Option<OsString>, home: Option<OsString>, below_home: &str) -> Option<PathBuf> {
    let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute(base).or_else(|| Some(absolute(home)?.join(below_home)));
    Some(base?.join("fogmate"))
}

#[derive(Clone, Debug)]
pub struct Home {
    /// The folder with all that a player's machine has.
    pub root: PathBuf,
}

/// What a player's machine remembers of a game besides its journal. All of it can be told again on the command line.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedGame {
    #[serde(flatten)]
    pub game: GameRef,
    /// The wallet that plays it.
    pub wallet: Address,
    /// Since when this machine knows it, in seconds since 1970; 0 in files of earlier versions.
    #[serde(default)]
    pub since: u64,
    /// The nodes that were used, the first for everything, the others to compare blocks with.
    pub nodes: Vec<String>,
    /// Where to listen for the opponent.
    pub listen: Multiaddr,
    /// Where the opponent may be, the latest last.
    pub dial: Vec<Multiaddr>,
    /// Relays that lead to this machine.
    #[serde(default)]
    pub relays: Vec<Multiaddr>,
    /// The number of the last record of addresses that was made here.
    #[serde(default)]
    pub told: u64,
    /// The number of the opponent's last record of addresses.
    #[serde(default)]
    pub heard: u64,
    /// The folder of the backup, for a game between the machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<PathBuf>,
    /// What was offered, if this machine has opened the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<Opened>,
}

/// A game that was opened here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// Where the invitation says that this machine can be reached.
    pub addresses: Vec<Multiaddr>,
    pub terms: Terms,
}

// Its nodes' URLs often have keys in them.
fog::redacted!(SavedGame);

impl SavedGame {
    /// A game of which nothing is known yet but who plays it.
    pub fn new(game: GameRef, wallet: Address, nodes: Vec<String>) -> Self {
        let listen = Multiaddr::from(Ipv4Addr::LOCALHOST).with(Protocol::Tcp(0));
        let (dial, relays, since) = (Vec::new(), Vec::new(), unix());
        Self { game, wallet, since, nodes, listen, dial, relays, told: 0, heard: 0, backup: None, opened: None }
    }

    /// The opponent was reached at an address: it is kept as the latest.
    pub fn reached(&mut self, address: Multiaddr) {
        self.dial.retain(|known| *known != address);
        self.dial.push(address);
        let excess = self.dial.len().saturating_sub(MAX_DIAL);
        self.dial.drain(..excess);
    }
}

/// Addresses of the opponent that are kept.
const MAX_DIAL: usize = 8;

impl Home {
    /// The folder of wallets.
    pub fn wallets(&self) -> PathBuf {
        self.root.join("wallets")
    }

    /// The folder of journals.
    pub fn journals(&self) -> PathBuf {
        self.root.join("journals")
    }

    /// The folder of the records of the wallets' transactions.
    pub fn transactions(&self) -> PathBuf {
        self.root.join("transactions")
    }

    /// The key of a relay that runs here.
    pub fn relay_key(&self) -> PathBuf {
        self.root.join("relay.key")
    }

    /// What a bot was told of a game, from which it makes its belief again after a restart.
    pub fn bot_log(&self, wallet: Address, game: B256) -> PathBuf {
        self.root.join("bots").join(format!("{wallet:x}-{game:x}.jsonl"))
    }

    fn games(&self) -> PathBuf {
        self.root.join("games")
    }

    pub fn save(&self, game: &SavedGame) -> Result<()> {
        let path = self.games().join(format!("{:x}.json", game.game.game_id));
        let text = serde_json::to_string_pretty(game)? + "\n";
        private::write(&path, text.as_bytes()).wrap_err_with(|| format!("{} can't be written", path.display()))
    }

    /// Remembers a game that is on the chain already. Gives what the commands know it by: the start of its id, or the whole of it where this machine
    /// can't remember it.
    pub fn remember(&self, game: &SavedGame) -> String {
        let id = game.game.game_id.to_string();
        match self.save(game) {
            Ok(()) => id[..10].to_owned(),
            Err(error) => {
                note!("note: this machine can't remember game {id}: {error:#}");
                id
            }
        }
    }

    /// All games, by id; files that are no games are left out with a note.
    pub fn list(&self) -> Result<Vec<SavedGame>> {
        let folder = self.games();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).wrap_err_with(|| folder.display().to_string()),
        };
        let mut games = Vec::new();
        for entry in entries {
            let path = entry.wrap_err_with(|| folder.display().to_string())?.path();
            // What is no file may never end.
            if path.extension().is_none_or(|extension| extension != "json") || !path.is_file() {
                continue;
            }
            match fs::read(&path).map_err(eyre::Report::from).and_then(|text| Ok(serde_json::from_slice(&text)?)) {
                Ok(game) => games.push(game),
                Err(error) => note!("note: {} is left out: {error}", path.display()),
            }
        }
        games.sort_by_key(|game: &SavedGame| (Reverse(game.since), game.game.game_id));
        Ok(games)
    }

    /// The one remembered game whose id starts so, if there is one.
    pub fn find(&self, wanted: &str) -> Result<Option<SavedGame>> {
        let digits = wanted.strip_prefix("0x").unwrap_or(wanted).to_lowercase();
        if digits.len() > 64 || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(bad_input(format!(
                "{wanted:?} is not a game's id or the start of one (hexadecimal, at most 64 digits)"
            )));
        }
        let mut games = self.list()?;
        games.retain(|game| format!("{:x}", game.game.game_id).starts_with(&digits));
        if games.len() > 1 {
            return Err(bad_input(format!("{} games have ids that start with {wanted}", games.len())));
        }
        Ok(games.pop())
    }
}

/// Whether these are addresses of relays.
pub fn check_relays(relays: &[Multiaddr]) -> Result<()> {
    match relays.iter().find(|relay| relay_peer(relay).is_none()) {
        Some(wrong) => Err(bad_input(LinkError::Relay(wrong.clone()))),
        None => Ok(()),
    }
}

/// The id of a game that is remembered, or else the whole id itself.
pub fn game_id(known: Option<&SavedGame>, wanted: &str) -> Result<B256> {
    known.map_or_else(|| wanted.parse().ok(), |game| Some(game.game.game_id)).ok_or_else(|| {
        Report::from(Found::NoGame(format!(
            "this machine knows no game whose id starts with {wanted}: {} lists those it knows, and any other needs its whole id (0x and 64 hexadecimal digits)",
            hint("games")
        )))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(byte: u8) -> SavedGame {
        let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(1), game_id: B256::repeat_byte(byte) };
        let nodes = vec!["http://127.0.0.1:8545".to_owned()];
        SavedGame { since: byte.into(), ..SavedGame::new(game, Address::repeat_byte(2), nodes) }
    }

    #[test]
    fn a_user_has_one_folder() {
        let folder = |base: Option<&str>, home: Option<&str>| xdg(base.map(Into::into), home.map(Into::into), ".cache");
        assert_eq!(folder(Some("/c"), Some("/h")), Some("/c/fogmate".into()));
        for ignored in [None, Some(""), Some("relative")] {
            assert_eq!(folder(ignored, Some("/h")), Some("/h/.cache/fogmate".into()));
            assert_eq!(folder(ignored, ignored), None);
        }
    }

    #[test]
    fn wallets_of_earlier_versions_are_found_where_they_are() {
        let user = tempfile::tempdir().expect("a folder");
        let found = || of_user(None, Some(user.path().into())).expect("a folder");
        let (today, earlier) = (user.path().join(".local/share/fogmate"), user.path().join(".fogmate"));
        assert_eq!(found(), today);
        fs::create_dir(&earlier).expect("a folder");
        assert_eq!(found(), earlier);
        fs::create_dir_all(&today).expect("a folder");
        assert_eq!(found(), today);
    }

    #[test]
    fn games_are_found_by_the_start_of_their_id() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home { root: folder.path().to_owned() };
        assert_eq!(home.list().expect("no games"), []);
        for byte in [0xab, 0xac] {
            home.save(&saved(byte)).expect("a file");
        }
        let ids = home.list().expect("games").into_iter().map(|game| game.game.game_id[0]);
        assert!(ids.eq([0xac, 0xab]), "the newest first");
        assert_eq!(home.find("0xAB").expect("one"), Some(saved(0xab)));
        assert_eq!(home.find("ff").expect("none"), None);
        assert!(home.find("a").is_err() && home.find("xyz").is_err() && home.find("").is_err());
    }

    #[test]
    fn a_game_that_can_t_be_remembered_is_known_by_its_whole_id() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home { root: folder.path().join("home") };
        assert_eq!(home.remember(&saved(0xab)), "0xabababab");
        fs::remove_dir_all(&home.root).expect("a folder");
        fs::write(&home.root, "in the way").expect("a file");
        let name = home.remember(&saved(0xab));
        assert_eq!(game_id(None, &name).expect("a whole id"), saved(0xab).game.game_id);
    }

    #[test]
    fn files_of_earlier_versions_are_read() {
        let mut value = serde_json::to_value(saved(0xab)).expect("JSON");
        for field in ["relays", "told", "heard", "since"] {
            value.as_object_mut().expect("an object").remove(field).expect("a field");
        }
        assert_eq!(serde_json::from_value::<SavedGame>(value).expect("a game"), SavedGame { since: 0, ..saved(0xab) });
    }

    #[test]
    fn the_latest_addresses_are_kept() {
        let mut game = saved(1);
        let address = |n: u16| Multiaddr::from(Ipv4Addr::LOCALHOST).with(Protocol::Tcp(n));
        for n in 1..=MAX_DIAL as u16 + 1 {
            game.reached(address(n));
        }
        game.reached(address(3));
        assert_eq!((game.dial.len(), &game.dial[0], game.dial.last()), (MAX_DIAL, &address(2), Some(&address(3))));
    }
}
