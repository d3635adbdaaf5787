//! The ids and the coin toss are the documented ones: compared with `ids_reference.py`, which shares nothing with the crate.

use alloy_primitives::{Address, B256};
use fog::curve::{FogKey, Point};
use game::toss::{creator_is_white, toss_commitment, toss_word};
use game::{GameRef, Mode, Opening, Terms, opening_id, secrets_id};

const TOSS_OF_CREATOR: &str = "7732ca281bcd2fff429d3d435a6aef06a558e40136f69d8195d83a3bbd3a9717";
const TOSS_OF_JOINER: &str = "9150d959a2c4a3ea3ed04c2e758343cb76fd971791066b3d3d6514a39c1ea38e";
const OPENING_ID: &str = "2d23a1f1e8b8d8e605a6c4586b8d5863a68f0dd85861c87676df02f2dbd1499c";
const OPEN_GAME_ID: &str = "7314138dfe49871f916ef024aa0c92514866cf3e5957de8f2e1b4c36436bdf5b";
const OPEN_TOSS: &str = "75c795344ef8e7d2dc859d4e4765d1f376057bef312a9b3bb431fde46490fd7e";
const CLOSED_GAME_ID: &str = "94e65cf91870f914dc8bebcbe7cbfe475d23a2d2c84f9de5feccb1c1d1fd4ce1";
const CLOSED_TOSS: &str = "c50f9dfb5f75ef852a26c1e557c8df54a038d44e8a9cb558ec8b7bab20da4204";

const CHAIN_ID: u64 = 31337;
const CONTRACT: Address = Address::repeat_byte(0xf0);
const CREATOR: Address = Address::repeat_byte(0xc1);
const JOINER: Address = Address::repeat_byte(0xc2);
const NONCE: B256 = B256::repeat_byte(0x11);
const SHARE: [u8; 32] = [0x22; 32];
const OTHER_SHARE: [u8; 32] = [0x33; 32];

/// Anyone may join; every number is as large as it can be, or its own.
fn open() -> Opening {
    let terms = Terms {
        mode: Mode::Verified,
        stake: (1 << 96) - 1,
        base: 600,
        increment: 5,
        delay: 60,
        window: 3_600,
        reveal: 120,
        expiry: (1 << 40) - 1,
        opponent: None,
    };
    let toss = toss_commitment(&CREATOR.into(), &SHARE).into();
    Opening { creator: CREATOR, nonce: NONCE, terms, toss, registration: FogKey(Point::generator()).to_bytes() }
}

/// For one player, without a stake, in the other mode.
fn closed() -> Opening {
    let terms = Terms {
        mode: Mode::Unproven,
        stake: 0,
        base: 1,
        increment: 2,
        delay: 3,
        window: 4,
        reveal: 5,
        expiry: 6,
        opponent: Some(JOINER),
    };
    Opening { terms, ..open() }
}

fn id(opening: &Opening) -> B256 {
    opening.game_id(CHAIN_ID, CONTRACT)
}

#[test]
fn the_ids_are_the_documented_ones() {
    assert_eq!(hex::encode(id(&open())), OPEN_GAME_ID);
    assert_eq!(hex::encode(id(&closed())), CLOSED_GAME_ID);
    assert_eq!(hex::encode(opening_id(CHAIN_ID, CONTRACT, CREATOR, NONCE)), OPENING_ID);
}

#[test]
fn the_coin_toss_is_the_documented_one() {
    assert_eq!(hex::encode(toss_commitment(&CREATOR.into(), &SHARE)), TOSS_OF_CREATOR);
    assert_eq!(hex::encode(toss_commitment(&JOINER.into(), &OTHER_SHARE)), TOSS_OF_JOINER);
    for (opening, word, is_white) in [(open(), OPEN_TOSS, true), (closed(), CLOSED_TOSS, true)] {
        let id = id(&opening);
        assert_eq!(hex::encode(toss_word(&SHARE, &OTHER_SHARE, &id)), word);
        assert_eq!(creator_is_white(&SHARE, &OTHER_SHARE, &id), is_white);
    }
}

#[test]
fn the_game_id_binds_everything_that_was_agreed() {
    let right = closed();
    let of = |change: &dyn Fn(&mut Opening)| {
        let mut other = right;
        change(&mut other);
        id(&other)
    };
    let mut ids = vec![
        id(&right),
        right.game_id(CHAIN_ID + 1, CONTRACT),
        right.game_id(CHAIN_ID, Address::repeat_byte(0xf1)),
        of(&|o| o.creator = Address::repeat_byte(0xc3)),
        of(&|o| o.nonce = B256::repeat_byte(0x12)),
        of(&|o| o.terms.mode = Mode::Verified),
        of(&|o| o.terms.stake += 1),
        of(&|o| o.terms.base += 1),
        of(&|o| o.terms.increment += 1),
        of(&|o| o.terms.delay += 1),
        of(&|o| o.terms.window += 1),
        of(&|o| o.terms.reveal += 1),
        of(&|o| o.terms.expiry += 1),
        of(&|o| o.terms.opponent = None),
        of(&|o| o.toss = B256::repeat_byte(1)),
        of(&|o| o.registration[0] ^= 1),
        of(&|o| o.registration[63] ^= 1),
    ];
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "two openings have one id");
}

/// The creator's secrets can't hang on the game's id, which hangs on them; the joiner's do, so that they are bound to all that
/// the creator has committed to.
#[test]
fn secrets_derive_from_the_opening_or_from_the_game() {
    let game = GameRef { chain_id: CHAIN_ID, contract: CONTRACT, game_id: id(&open()) };
    assert_eq!(hex::encode(secrets_id(&game, CREATOR, CREATOR, NONCE)), OPENING_ID);
    assert_eq!(secrets_id(&game, JOINER, CREATOR, NONCE), game.game_id);
    let others = [
        opening_id(CHAIN_ID + 1, CONTRACT, CREATOR, NONCE),
        opening_id(CHAIN_ID, JOINER, CREATOR, NONCE),
        opening_id(CHAIN_ID, CONTRACT, JOINER, NONCE),
        opening_id(CHAIN_ID, CONTRACT, CREATOR, B256::ZERO),
    ];
    assert!(others.iter().all(|other| hex::encode(other) != OPENING_ID));
}
