//! Disclosures as files: what is written is read again, what is none is refused in a sentence, and each word of one is signed.

use alloy::primitives::{Address, B256};
use alloy::signers::SignerSync as _;
use client::disclosure::{Disclosure, DisclosureError, SIGNATURE_BYTES};
use client::wallet::Wallet;
use game::{GameRef, Phase, SessionId};
use std::collections::BTreeMap;
use zeroize::Zeroizing;

fn disclosure() -> Disclosure {
    let game = GameRef { chain_id: 31337, contract: Address::repeat_byte(1), game_id: B256::repeat_byte(2) };
    let sight = |ply, phase| SessionId::Exchange { ply, phase };
    let heard = [
        (SessionId::SetUp, BTreeMap::from([(1, vec![7; 3]), (3, Vec::new())])),
        (sight(0, Phase::Post), BTreeMap::from([(0, vec![1])])),
        (sight(300, Phase::Pre), BTreeMap::from([(2, vec![0xff; 5])])),
    ];
    Disclosure {
        game,
        player: Address::repeat_byte(3),
        engine: "emanant".to_owned(),
        branch: Zeroizing::new([4; 32]),
        view_key: Zeroizing::new([5; 32]),
        heard: heard.into(),
        signature: [6; SIGNATURE_BYTES],
    }
}

#[test]
fn what_is_written_is_read() {
    let empty = Disclosure { heard: BTreeMap::new(), ..disclosure() };
    for disclosure in [disclosure(), empty] {
        assert!(Disclosure::from_json(disclosure.to_json().as_bytes()) == Ok(disclosure));
    }
}

#[test]
fn what_is_no_disclosure_is_refused_in_a_sentence() {
    let text = disclosure().to_json();
    for (from, to, words) in [
        ("disclosure 1", "disclosure 2", "version disclosure 2"),
        ("\"fogmate\"", "\"fogmat\"", "missing field"),
        ("31337", "\"x\"", "invalid type"),
        ("\"contract\": \"0x01", "\"contract\": \"0x", "it is no disclosure"),
        ("\"game\": \"0x02", "\"game\": \"0x0", "it is no disclosure"),
        ("\"player\"", "\"seat\"", "unknown field `seat`"),
        ("\"engine\": \"emanant\"", "\"engine\": 5", "invalid type"),
        ("\"branch\": \"0x04", "\"branch\": \"0xg4", "it is no disclosure"),
        ("\"view_key\": \"0x05", "\"view_key\": \"0x0505", "it is no disclosure"),
        ("\"signature\": \"0x06", "\"signature\": \"0x", "it is no disclosure"),
        ("\"signature\": \"0x06", "\"signature\": \"0x0606", "it is no disclosure"),
        ("\"signature\"", "\"signed\"", "unknown field `signed`"),
        ("\"heard\": [", "\"heard\": 1, \"more\": [", "it is no disclosure"),
        ("set-up", "setup", "\"setup\" is no session"),
        ("300 pre", "0300 pre", "\"0300 pre\" is no session"),
        ("300 pre", "70000 pre", "\"70000 pre\" is no session"),
        ("0 post", "0 last", "\"0 last\" is no session"),
        ("\"message\":3", "\"message\":1", "message 1 of the set-up twice"),
        ("\"message\":3", "\"message\":-3", "it is no disclosure"),
        ("\"bytes\":\"0x07", "\"bytes\":\"0x7", "it is no disclosure"),
    ] {
        assert!(text.contains(from), "{from}");
        let refusal = Disclosure::from_json(text.replacen(from, to, 1).as_bytes()).expect_err(to).to_string();
        assert!(refusal.contains(words) && !refusal.contains('\n'), "{to}: {refusal}");
    }
    for cut in [0, 1, text.len() / 2, text.len() - 3] {
        assert!(matches!(Disclosure::from_json(&text.as_bytes()[..cut]), Err(DisclosureError::Form(_))), "{cut}");
    }
}

/// Whatever is changed in a signed file is either no disclosure any more, or one that its player hasn't signed.
#[test]
fn every_field_is_signed() {
    let wallet = Wallet::from_secret(&[9; 32]).expect("a key");
    let mut signed = Disclosure { player: wallet.address(), ..disclosure() };
    signed.sign(&wallet).expect("a signature");
    let text = signed.to_json();
    let read = |text: &str| Disclosure::from_json(text.as_bytes());
    assert_eq!(read(&text).expect("what was written").signer(), Some(wallet.address()));
    let player = format!("{:#x}", wallet.address());
    for (from, to) in [
        ("31337", "31338"),
        ("\"contract\": \"0x01", "\"contract\": \"0x11"),
        ("\"game\": \"0x02", "\"game\": \"0x12"),
        (&player, "0x0303030303030303030303030303030303030303"),
        ("emanant", "emanans"),
        ("\"branch\": \"0x04", "\"branch\": \"0x14"),
        ("\"view_key\": \"0x05", "\"view_key\": \"0x15"),
        ("set-up", "0 pre"),
        ("0 post", "1 post"),
        ("300 pre", "300 post"),
        ("\"message\":3", "\"message\":5"),
        ("0x070707", "0x070708"),
        ("0x070707", "0x0707"),
        ("\"bytes\":\"0x\"", "\"bytes\":\"0x00\""),
        // A message less.
        (",\n{\"bytes\":\"0xffffffffff\",\"message\":2,\"session\":\"300 pre\"}", ""),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        let to = text.replacen(from, to, 1);
        let changed = read(&to).expect("a disclosure");
        assert_ne!(changed.signer(), Some(wallet.address()), "{to}");
        assert_ne!(changed.signer(), Some(changed.player), "{to}");
    }
    // Each byte of the signature itself.
    for byte in 0..SIGNATURE_BYTES {
        let mut other = read(&text).expect("what was written");
        other.signature[byte] ^= 1;
        assert_ne!(other.signer(), Some(wallet.address()), "byte {byte}");
    }
    // A signature of another kind of statement, as the link's, is none of this one.
    let mut other = read(&text).expect("what was written");
    let statement = format!("Fogmate link 1\nchain: {}", other.game.chain_id);
    other.signature = wallet.signer().sign_message_sync(statement.as_bytes()).expect("a signature").as_bytes();
    assert_ne!(other.signer(), Some(wallet.address()));
}
