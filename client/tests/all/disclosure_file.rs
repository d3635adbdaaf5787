//! Disclosures as files: what is written is read again, and what is none is refused in a sentence.

use alloy::primitives::{Address, B256};
use client::disclosure::{Disclosure, DisclosureError};
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
        ("disclosure 2", "disclosure 1", "version disclosure 1"),
        ("\"fogmate\"", "\"fogmat\"", "missing field"),
        ("31337", "\"x\"", "invalid type"),
        ("\"contract\": \"0x01", "\"contract\": \"0x", "it is no disclosure"),
        ("\"game\": \"0x02", "\"game\": \"0x0", "it is no disclosure"),
        ("\"player\"", "\"seat\"", "unknown field `seat`"),
        ("\"engine\": \"emanant\"", "\"engine\": 5", "invalid type"),
        ("\"branch\": \"0x04", "\"branch\": \"0xg4", "it is no disclosure"),
        ("\"view_key\": \"0x05", "\"view_key\": \"0x0505", "it is no disclosure"),
        ("\"view_key\"", "\"key\"", "unknown field `key`"),
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
