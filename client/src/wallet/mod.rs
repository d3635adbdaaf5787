//! A player's wallet: one Ethereum key in an encrypted keystore file, and everything that derives from that key.
//!
//! Protocol section 9 ("Secrets, recovery, audit"): every secret of a game derives from the wallet's key, so that the
//! wallet and the chain restore a game. This module keeps the key; `client::secrets` derives the branches of a game,
//! `client::link` the network identity. It is not a place for passwords: callers ask the user and hand them in.

mod keystore;

use fog::ensure;
use std::fs;
use std::path::{Path, PathBuf};

use alloy::primitives::{Address, B256};
use alloy::signers::SignerSync as _;
use alloy::signers::local::PrivateKeySigner;
use hkdf::Hkdf;
use rand::RngCore;
use rand::rngs::OsRng;
use sha2::Sha256;
use thiserror::Error;
use zeroize::Zeroizing;

pub use keystore::{Cost, KeystoreError};

use game::secrets::GameSecrets;
use game::{GameRef, opening_id, secrets_id};

/// Salt of every key that is derived from a wallet's key, so that other programs' derivations never collide with ours.
const DERIVATION_SALT: &[u8] = b"fogmate/wallet/1";

/// What can go wrong with a wallet: each error is one sentence for its user.
#[derive(Debug, Error)]
pub enum WalletError {
    /// No wallet's address starts with what was asked for.
    #[error("no wallet in {dir} has an address that starts with {wanted}")]
    NotFound {
        /// The directory that was searched.
        dir: PathBuf,
        /// The address or prefix that was asked for.
        wanted: String,
    },
    /// Several wallets' addresses start with what was asked for.
    #[error("{wanted} is ambiguous: it could be {}", list(.matches))]
    Ambiguous {
        /// The prefix that was asked for.
        wanted: String,
        /// The addresses that start with it.
        matches: Vec<Address>,
    },
    /// What was asked for can't be the start of an address.
    #[error("{0:?} is not an address or the start of one (hexadecimal, at most 40 digits)")]
    NotAnAddress(String),
    /// The password doesn't open the keystore.
    #[error("wrong password for {0}")]
    WrongPassword(PathBuf),
    /// The keystore file isn't one that this program can open.
    #[error("{path} can't be opened: {source}")]
    Keystore {
        path: PathBuf,
        /// What is wrong with it.
        source: KeystoreError,
    },
    /// The key in the file belongs to another address than the file's name says.
    #[error("{path} holds the key of {found}, not of the address in its name")]
    Mislabelled {
        path: PathBuf,
        /// The address of the key inside.
        found: Address,
    },
    /// There is a wallet of this key already, under a password of its own.
    #[error("the wallet {0:#x} is here already")]
    Known(Address),
    /// The file system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        source: std::io::Error,
    },
}

fn list(addresses: &[Address]) -> String {
    let addresses: Vec<String> = addresses.iter().map(|a| format!("{a:#x}")).collect();
    addresses.join(", ")
}

/// A wallet file that hasn't been opened: what its name alone tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WalletFile {
    /// The address in the file's name.
    pub address: Address,
    /// Where the file is.
    pub path: PathBuf,
}

/// An opened wallet. The key leaves it only as signatures and as derived secrets.
#[derive(Clone)]
pub struct Wallet {
    signer: PrivateKeySigner,
    secret: Zeroizing<[u8; 32]>,
}

fog::redacted!(Wallet);

impl Wallet {
    /// Makes a new key and stores it, encrypted, in `dir` (created if need be) as `0x<address>.json`.
    pub fn create(dir: &Path, password: &str, cost: Cost) -> Result<(Self, WalletFile), WalletError> {
        let mut secret = Zeroizing::new([0u8; 32]);
        let wallet = loop {
            OsRng.fill_bytes(secret.as_mut_slice());
            // Fails for zero and for numbers above the group's order: once in 2^128 draws.
            if let Some(wallet) = Self::from_secret(&secret) {
                break wallet;
            }
        };
        let file = wallet.store(dir, password, cost)?;
        Ok((wallet, file))
    }

    /// Stores the key, encrypted, in `dir` (created if need be) as `0x<address>.json`. A file that is there stays as it is.
    pub fn store(&self, dir: &Path, password: &str, cost: Cost) -> Result<WalletFile, WalletError> {
        let address = self.address();
        let path = dir.join(format!("{address:#x}.json"));
        ensure!(!path.exists(), WalletError::Known(address));
        let json = keystore::encrypt(&self.secret, address, password, cost);
        let at = |source| WalletError::Io { path: path.clone(), source };
        chain::private::write(&path, json.as_bytes()).map_err(at)?;
        Ok(WalletFile { address, path })
    }

    /// All wallets in `dir`, by address; none if there is no such directory.
    pub fn list(dir: &Path) -> Result<Vec<WalletFile>, WalletError> {
        let io = |source| WalletError::Io { path: dir.to_owned(), source };
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(io(e)),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(io)?.path();
            if let Some(address) = address_of(&path) {
                files.push(WalletFile { address, path });
            }
        }
        files.sort();
        Ok(files)
    }

    /// The one wallet in `dir` whose address starts with `wanted` (any case, with or without `0x`).
    pub fn find(dir: &Path, wanted: &str) -> Result<WalletFile, WalletError> {
        let digits = wanted.strip_prefix("0x").unwrap_or(wanted).to_lowercase();
        if digits.len() > 40 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(WalletError::NotAnAddress(wanted.to_owned()));
        }
        let mut matches = Self::list(dir)?;
        matches.retain(|file| format!("{:x}", file.address).starts_with(&digits));
        match matches.len() {
            1 => Ok(matches.remove(0)),
            0 => Err(WalletError::NotFound { dir: dir.to_owned(), wanted: wanted.to_owned() }),
            _ => Err(WalletError::Ambiguous {
                wanted: wanted.to_owned(),
                matches: matches.into_iter().map(|file| file.address).collect(),
            }),
        }
    }

    /// Finds and opens the wallet in `dir` whose address starts with `wanted`.
    pub fn open(dir: &Path, wanted: &str, password: &str) -> Result<Self, WalletError> {
        Self::open_file(&Self::find(dir, wanted)?, password)
    }

    /// Opens a wallet file.
    pub fn open_file(file: &WalletFile, password: &str) -> Result<Self, WalletError> {
        let wallet = Self::from_keystore(&file.path, password)?;
        let found = wallet.address();
        ensure!(found == file.address, WalletError::Mislabelled { path: file.path.clone(), found });
        Ok(wallet)
    }

    /// The wallet of a keystore file, whatever its name, such as another program's.
    pub fn from_keystore(path: &Path, password: &str) -> Result<Self, WalletError> {
        let at = || path.to_owned();
        let secret = keystore::decrypt(path, password).map_err(|error| match error {
            KeystoreError::WrongPassword => WalletError::WrongPassword(at()),
            source => WalletError::Keystore { path: at(), source },
        })?;
        let no_key = || WalletError::Keystore { path: at(), source: KeystoreError::NotAKey };
        Self::from_secret(&secret).ok_or_else(no_key)
    }

    /// The wallet of a key as other programs write it: 64 hexadecimal digits, with or without `0x`. `None` if the text is no key.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.trim();
        let mut secret = Zeroizing::new([0u8; 32]);
        hex::decode_to_slice(digits.strip_prefix("0x").unwrap_or(digits), secret.as_mut_slice()).ok()?;
        Self::from_secret(&secret)
    }

    /// A wallet of a key in memory, for tests and for funded development accounts. `None` if the bytes aren't a key.
    pub fn from_secret(secret: &[u8; 32]) -> Option<Self> {
        let signer = PrivateKeySigner::from_bytes(&B256::from(*secret)).ok()?;
        Some(Self { signer, secret: Zeroizing::new(*secret) })
    }

    pub fn address(&self) -> Address {
        self.signer.address()
    }

    /// The signer of transactions and statements.
    pub fn signer(&self) -> &PrivateKeySigner {
        &self.signer
    }

    /// Signs a digest, in the form of EIP-2098; none if the key can't, which an opened wallet's can.
    pub fn sign(&self, digest: &B256) -> Option<[u8; 64]> {
        self.signer.sign_hash_sync(digest).ok().map(|signature| signature.as_erc2098())
    }

    /// The secrets of one game (protocol section 9): with the chain, they restore it on a bare machine. `creator` and `nonce`
    /// are those of the game's opening.
    pub fn game_secrets(&self, game: &GameRef, creator: Address, nonce: B256) -> GameSecrets {
        let id = secrets_id(game, self.address(), creator, nonce);
        GameSecrets::derive(self.secret_bytes(), &id)
    }

    /// The secrets of a game that this wallet is about to open with `nonce`: its id will depend on them.
    pub fn opening_secrets(&self, chain_id: u64, contract: Address, nonce: B256) -> GameSecrets {
        let id = opening_id(chain_id, contract, self.address(), nonce);
        GameSecrets::derive(self.secret_bytes(), &id)
    }

    /// The key itself: the input of the derivations in this crate, and of nothing else.
    pub(crate) fn secret_bytes(&self) -> &Zeroizing<[u8; 32]> {
        &self.secret
    }

    /// 32 bytes derived from the key for one purpose: HKDF-SHA256 with the purpose as `info`.
    pub(crate) fn derive(&self, info: &[&[u8]]) -> Zeroizing<[u8; 32]> {
        let mut out = Zeroizing::new([0u8; 32]);
        Hkdf::<Sha256>::new(Some(DERIVATION_SALT), self.secret_bytes().as_slice())
            .expand_multi_info(info, out.as_mut_slice())
            .expect("32 bytes are within HKDF's output length");
        out
    }
}

/// The address in the name of a wallet file, if it is one.
fn address_of(path: &Path) -> Option<Address> {
    let digits = path.file_name()?.to_str()?.strip_suffix(".json")?;
    let digits = digits.strip_prefix("0x")?;
    let plain = digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    plain.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_wallet_opens_again_and_derives_the_same() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Wallet::list(&dir.path().join("none")).unwrap().is_empty());
        let (made, file) = Wallet::create(dir.path(), "correct horse", Cost::Light).unwrap();
        assert_eq!(Wallet::list(dir.path()).unwrap(), std::slice::from_ref(&file));
        let upper = format!("0x{:X}", made.address());
        let opened = Wallet::open(dir.path(), &upper[..12], "correct horse").unwrap();
        assert_eq!(opened.address(), file.address);
        assert_eq!(opened.secret_bytes(), made.secret_bytes());
        assert_eq!(opened.derive(&[b"x"]), made.derive(&[b"x"]));
        assert_ne!(opened.derive(&[b"x"]), made.derive(&[b"y"]));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(&file.path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let dir = tempfile::tempdir().unwrap();
        let (made, file) = Wallet::create(dir.path(), "right", Cost::Light).unwrap();
        let open = |wanted: &str, password: &str| Wallet::open(dir.path(), wanted, password);
        assert!(matches!(open("", "wrong"), Err(WalletError::WrongPassword(_))));
        assert!(matches!(open("xyz", "right"), Err(WalletError::NotAnAddress(_))));
        let other = format!("{:040x}", 1);
        assert!(matches!(open(&other, "right"), Err(WalletError::NotFound { .. })));

        let twin = dir.path().join(format!("0x{other}.json"));
        fs::copy(&file.path, &twin).unwrap();
        assert!(matches!(open("", "right"), Err(WalletError::Ambiguous { .. })));
        match open(&other, "right") {
            Err(WalletError::Mislabelled { found, .. }) => assert_eq!(found, made.address()),
            result => panic!("{result:?}"),
        }
        fs::write(&twin, "{").unwrap();
        assert!(matches!(open(&other, "right"), Err(WalletError::Keystore { .. })));
    }

    #[test]
    fn keys_of_other_programs_are_taken_over_and_none_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
        let wallet = Wallet::from_hex(&format!(" 0x{key}\n")).unwrap();
        assert_eq!(format!("{:#x}", wallet.address()), "0x2c7536e3605d9c16a7a3d7b1898e529396a65c23");
        for wrong in ["", "0x", &key[1..], "zz", &"0".repeat(64)] {
            assert!(Wallet::from_hex(wrong).is_none(), "{wrong}");
        }
        let theirs = wallet.store(&dir.path().join("theirs"), "their password", Cost::Light).unwrap();
        let named = dir.path().join("UTC--2026--anything");
        fs::rename(theirs.path, &named).unwrap();
        assert!(matches!(Wallet::from_keystore(&named, "wrong"), Err(WalletError::WrongPassword(_))));
        let ours = dir.path().join("ours");
        let taken = Wallet::from_keystore(&named, "their password").unwrap();
        let file = taken.store(&ours, "our password", Cost::Light).unwrap();
        let before = fs::read(&file.path).unwrap();
        assert!(matches!(taken.store(&ours, "another", Cost::Light), Err(WalletError::Known(_))));
        assert_eq!(fs::read(&file.path).unwrap(), before);
    }

    #[test]
    fn debug_shows_no_secret() {
        let wallet = Wallet::from_secret(&[0x5a; 32]).unwrap();
        let shown = format!("{wallet:?}");
        assert!(!shown.contains("5a5a") && !shown.contains("90, 90"), "{shown}");
    }

    #[test]
    fn zero_is_not_a_key() {
        assert!(Wallet::from_secret(&[0; 32]).is_none());
    }
}
