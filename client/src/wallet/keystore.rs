//! The version 3 keystore file ("Web3 Secret Storage"): one key, encrypted under a password.
//!
//! Protocol section 9 rests on this key. Reading goes through `eth-keystore`, after every length and cost in the file
//! has been checked, since that crate trusts them. Writing is done here, because that crate always writes scrypt with
//! N = 2^13; the format is the same, and the tests read one with the other.

use fog::ensure;
use std::fs;
use std::path::Path;

use aes::cipher::{KeyIvInit, StreamCipher};
use alloy::primitives::{Address, keccak256};
use eth_keystore::{EthKeystore, KdfparamsType};
use rand::RngCore;
use rand::rngs::OsRng;
use serde_json::json;
use thiserror::Error;
use zeroize::Zeroizing;

/// A keystore of one key is under 1 kB; anything far larger isn't one.
const MAX_FILE_BYTES: u64 = 16 * 1024;
/// Most memory that opening a file may take: scrypt's `128 · N · r` bytes, and as much again for `128 · p · r`.
const MAX_SCRYPT_BYTES: u128 = 1 << 30;
/// Most scrypt lanes, one after the other, that opening a file may take.
const MAX_SCRYPT_LANES: u32 = 16;
/// Most rounds of PBKDF2 that opening a file may take.
const MAX_PBKDF2_ROUNDS: u32 = 10_000_000;

/// scrypt's block size `r` in the files that are written here.
const SCRYPT_R: u32 = 8;
/// scrypt's lanes `p` in the files that are written here.
const SCRYPT_P: u32 = 1;

/// How dear a guess at the password is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// N = 2^18, 256 MB, about a second: what Ethereum clients use.
    #[default]
    Standard,
    /// N = 2^12, 4 MB, milliseconds: for development chains and tests.
    Light,
}

impl Cost {
    fn log_n(self) -> u8 {
        match self {
            Self::Standard => 18,
            Self::Light => 12,
        }
    }
}

/// What can be wrong with a keystore file.
#[derive(Debug, Error)]
pub enum KeystoreError {
    /// The password is wrong (or the file was altered: the two look the same).
    #[error("wrong password")]
    WrongPassword,
    /// The file can't be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is far larger than a keystore.
    #[error("{0} bytes are too many for a keystore")]
    TooLarge(u64),
    /// The file isn't a keystore's JSON.
    #[error("it is not a version 3 keystore ({0})")]
    Json(#[from] serde_json::Error),
    /// The keystore's version, cipher, lengths or costs aren't ones that are supported.
    #[error("its {0} is not supported")]
    Unsupported(&'static str),
    /// What decrypts isn't a private key.
    #[error("it holds no valid private key")]
    NotAKey,
    #[error("{0}")]
    Decrypt(eth_keystore::KeystoreError),
}

/// The keystore JSON of `secret` under `password`.
pub(super) fn encrypt(secret: &[u8; 32], address: Address, password: &str, cost: Cost) -> String {
    let mut salt = [0u8; 32];
    let mut iv = [0u8; 16];
    let mut id = [0u8; 16];
    OsRng.fill_bytes(&mut salt);
    OsRng.fill_bytes(&mut iv);
    OsRng.fill_bytes(&mut id);

    let mut key = Zeroizing::new([0u8; 32]);
    let params = scrypt::Params::new(cost.log_n(), SCRYPT_R, SCRYPT_P).expect("both costs are valid parameters");
    scrypt::scrypt(password.as_bytes(), &salt, &params, key.as_mut_slice()).expect("32 bytes are a valid length");

    let mut ciphertext = *secret;
    let (cipher_key, mac_key) = key.split_at(16);
    ctr::Ctr128BE::<aes::Aes128>::new_from_slices(cipher_key, &iv)
        .expect("key and counter are 16 bytes")
        .apply_keystream(&mut ciphertext);
    let mac = keccak256([mac_key, ciphertext.as_slice()].concat());

    json!({
        "address": hex::encode(address),
        "crypto": {
            "cipher": "aes-128-ctr",
            "cipherparams": { "iv": hex::encode(iv) },
            "ciphertext": hex::encode(ciphertext),
            "kdf": "scrypt",
            "kdfparams": {
                "dklen": 32,
                "n": 1u32 << cost.log_n(),
                "p": SCRYPT_P,
                "r": SCRYPT_R,
                "salt": hex::encode(salt),
            },
            "mac": hex::encode(mac),
        },
        "id": uuid(id),
        "version": 3,
    })
    .to_string()
}

/// A random (version 4) UUID of these bytes, as the format wants one.
fn uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hex::encode(bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// Reads the key out of a keystore file.
pub(super) fn decrypt(path: &Path, password: &str) -> Result<Zeroizing<[u8; 32]>, KeystoreError> {
    let bytes = fs::metadata(path)?.len();
    ensure!(bytes <= MAX_FILE_BYTES, KeystoreError::TooLarge(bytes));
    check(&serde_json::from_str(&fs::read_to_string(path)?)?)?;
    let secret = eth_keystore::decrypt_key(path, password).map_err(|e| match e {
        eth_keystore::KeystoreError::MacMismatch => KeystoreError::WrongPassword,
        other => KeystoreError::Decrypt(other),
    })?;
    let secret = Zeroizing::new(secret);
    let secret = secret.as_slice().try_into().map_err(|_| KeystoreError::NotAKey)?;
    Ok(Zeroizing::new(secret))
}

/// Refuses what would make decryption panic, or take all memory or the whole day.
fn check(file: &EthKeystore) -> Result<(), KeystoreError> {
    let crypto = &file.crypto;
    let kdf = match &crypto.kdfparams {
        KdfparamsType::Scrypt { dklen, n, p, r, .. } => {
            // The blocks of a lane, and those of all lanes.
            let memory = 128 * u128::from(*r) * u128::from(*n.max(p));
            *dklen == 32 && n.is_power_of_two() && memory <= MAX_SCRYPT_BYTES && *p <= MAX_SCRYPT_LANES
        }
        KdfparamsType::Pbkdf2 { c, dklen, prf, .. } => *dklen == 32 && prf == "hmac-sha256" && *c <= MAX_PBKDF2_ROUNDS,
    };
    let checks = [
        (file.version == 3, "version"),
        (crypto.cipher == "aes-128-ctr", "cipher"),
        (crypto.cipherparams.iv.len() == 16, "iv"),
        (crypto.ciphertext.len() == 32, "ciphertext"),
        (crypto.mac.len() == 32, "mac"),
        (kdf, "key derivation"),
    ];
    match checks.iter().find(|(fine, _)| !fine) {
        Some((_, part)) => Err(KeystoreError::Unsupported(part)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The PBKDF2 vector of the format's own definition (password "testpassword").
    const VECTOR: &str = r#"{
        "crypto": {
            "cipher": "aes-128-ctr",
            "cipherparams": { "iv": "6087dab2f9fdbbfaddc31a909735c1e6" },
            "ciphertext": "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
            "kdf": "pbkdf2",
            "kdfparams": {
                "c": 262144, "dklen": 32, "prf": "hmac-sha256",
                "salt": "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"
            },
            "mac": "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"
        },
        "id": "3198bc9c-6672-5ab3-d995-4942343ae5b6",
        "version": 3
    }"#;

    fn decrypt_json(json: &str, password: &str) -> Result<Zeroizing<[u8; 32]>, KeystoreError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), json).unwrap();
        decrypt(file.path(), password)
    }

    #[test]
    fn the_published_vector_opens() {
        let key = decrypt_json(VECTOR, "testpassword").unwrap();
        assert_eq!(hex::encode(*key), "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d");
    }

    #[test]
    fn both_costs_read_back() {
        let secret = [7u8; 32];
        for cost in [Cost::Standard, Cost::Light] {
            let json = encrypt(&secret, Address::ZERO, "pass", cost);
            assert_eq!(*decrypt_json(&json, "pass").unwrap(), secret);
            assert!(matches!(decrypt_json(&json, "Pass"), Err(KeystoreError::WrongPassword)));
        }
    }

    #[test]
    fn hostile_files_are_refused_before_they_cost_anything() {
        let broken: [(&str, serde_json::Value); 7] = [
            ("/version", json!(4)),
            ("/crypto/cipher", json!("aes-128-cbc")),
            ("/crypto/cipherparams/iv", json!("00")),
            ("/crypto/ciphertext", json!("00")),
            ("/crypto/kdfparams/n", json!(1u32 << 31)),
            ("/crypto/kdfparams/p", json!(1_000)),
            ("/crypto/kdfparams/dklen", json!(8)),
        ];
        for (pointer, value) in broken {
            let fine = encrypt(&[7; 32], Address::ZERO, "pass", Cost::Light);
            let mut json: serde_json::Value = serde_json::from_str(&fine).unwrap();
            *json.pointer_mut(pointer).unwrap() = value;
            let result = decrypt_json(&json.to_string(), "pass");
            assert!(matches!(result, Err(KeystoreError::Unsupported(_))), "{pointer}: {result:?}");
        }
        // 128 · N · r bytes for each of the p lanes: more than 64 bits tell, and many lanes of little work.
        for (n, r, p) in [(1u32 << 31, u32::MAX, 1), (1, 1 << 23, 16), (2, u32::MAX, u32::MAX)] {
            let fine = encrypt(&[7; 32], Address::ZERO, "pass", Cost::Light);
            let mut json: serde_json::Value = serde_json::from_str(&fine).unwrap();
            let kdf = json.pointer_mut("/crypto/kdfparams").unwrap();
            (kdf["n"], kdf["r"], kdf["p"]) = (json!(n), json!(r), json!(p));
            let result = decrypt_json(&json.to_string(), "pass");
            assert!(matches!(result, Err(KeystoreError::Unsupported(_))), "{n} {r} {p}: {result:?}");
        }
        let long = " ".repeat(20_000);
        assert!(matches!(decrypt_json(&long, ""), Err(KeystoreError::TooLarge(_))));
    }
}
