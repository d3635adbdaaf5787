//! What the players of a game of mode `channel` sign: `test/data/channel.json` has positions and results of a game, with their digests and both
//! players' signatures, and the contract's tests take the same.

use alloy_primitives::{Address, B256, address, hex};
use fog::word::{Word, from_word};
use game::{GameRef, GameResult, MoveFields, Outcome, Position, signer};
use halo2curves::bn256::Fr;
use rules::Square;
use serde_json::Value;

/// The accounts of the vectors' secrets, `0xA11CE` and `0xB0B0`.
const PLAYERS: [Address; 2] =
    [address!("e05fcC23807536bEe418f142D19fa0d21BB0cfF7"), address!("0fea8ca19c3BC819FF1E7b048C71E891211dd1af")];

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/data/channel.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vectors")).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn word(value: &Value) -> Word {
    hex::decode_to_array(text(value)).expect("a word")
}

fn field(value: &Value) -> Fr {
    from_word(&word(value)).expect("a field element")
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn game_of(vectors: &Value) -> GameRef {
    GameRef {
        chain_id: number(&vectors["chainId"]),
        contract: text(&vectors["contract"]).parse().expect("an address"),
        game_id: word(&vectors["gameId"]).into(),
    }
}

fn list<'a>(vectors: &'a Value, name: &str) -> &'a [Value] {
    vectors[name].as_array().expect("a list")
}

fn move_of(ply: usize, value: &Value) -> MoveFields {
    MoveFields {
        ply: ply as u16,
        next_commitment: field(&value["commitment"]),
        next_request_root: field(&value["requestRoot"]),
        answer_root: field(&value["answerRoot"]),
        capture: Square::new(number(&value["capture"]) as u8),
        king_fell: false,
        offer_draw: value["offerDraw"] == true,
    }
}

/// The positions after the vectors' moves.
fn line(vectors: &Value) -> Vec<Position> {
    let mut position = Position::start(600);
    let after = |(ply, value): (usize, &Value)| {
        let clock = u32::try_from(number(&value["clock"])).expect("a clock");
        position = position.after(&game_of(vectors), &move_of(ply, value), clock);
        position
    };
    list(vectors, "moves").iter().enumerate().map(after).collect()
}

fn is_signed_by_both(digest: &B256, vector: &Value) {
    assert_eq!(digest.0, word(&vector["digest"]));
    for (player, signature) in PLAYERS.iter().zip(list(vector, "signatures")) {
        let mut signature: [u8; 64] = hex::decode_to_array(text(signature)).expect("64 bytes");
        assert_eq!(signer(digest, &signature), Some(*player));
        signature[40] ^= 1;
        assert_ne!(signer(digest, &signature), Some(*player));
    }
}

#[test]
fn positions_follow_from_the_moves_and_are_signed_as_the_contract_takes_them() {
    let vectors = vectors();
    let positions = line(&vectors);
    assert_eq!(positions.len(), list(&vectors, "positions").len());
    for (position, vector) in positions.iter().zip(list(&vectors, "positions")) {
        assert_eq!(position.previous.0, word(&vector["words"][0]));
        is_signed_by_both(&position.digest(&game_of(&vectors)), vector);
    }
}

#[test]
fn results_are_signed_as_the_contract_takes_them() {
    let vectors = vectors();
    let last = line(&vectors).last().expect("a position").digest(&game_of(&vectors));
    let results = [
        (Some(true), Outcome::KingCaptured),
        (Some(false), Outcome::Resigned),
        (None, Outcome::DrawAgreed),
        (None, Outcome::FiftyMoves),
        (None, Outcome::NoMove),
    ];
    for ((creator_won, outcome), vector) in results.into_iter().zip(list(&vectors, "results")) {
        is_signed_by_both(&GameResult { creator_won, outcome, last }.digest(&game_of(&vectors)), vector);
    }
}

#[test]
fn whatever_differs_is_another_position() {
    let vectors = vectors();
    let game = game_of(&vectors);
    let [.., before, right] = line(&vectors)[..] else { panic!("two positions") };
    let changes: [fn(&mut Position); 14] = [
        |p| p.previous.0[0] ^= 1,
        |p| p.ply += 1,
        |p| p.quiet_plies += 1,
        |p| p.pending = None,
        |p| p.previous_pending = None,
        |p| p.draw_offered ^= true,
        |p| p.clocks[0] ^= 1,
        |p| p.clocks[1] ^= 1,
        |p| p.states.reverse(),
        |p| p.states_before[0] += Fr::one(),
        |p| p.states_before[1] += Fr::one(),
        |p| p.request_roots[0] += Fr::one(),
        |p| p.request_roots[1] += Fr::one(),
        |p| p.answer_root = Fr::zero(),
    ];
    let mut digests: Vec<B256> = changes
        .map(|change| {
            let mut other = right;
            change(&mut other);
            other.digest(&game)
        })
        .into();
    let elsewhere = [
        GameRef { chain_id: game.chain_id + 1, ..game },
        GameRef { contract: Address::ZERO, ..game },
        GameRef { game_id: B256::ZERO, ..game },
    ];
    digests.extend(elsewhere.map(|game| right.digest(&game)));
    digests.extend([right.digest(&game), before.digest(&game)]);
    let count = digests.len();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), count, "two positions have one digest");
    assert_eq!(signer(&right.digest(&game), &[0; 64]), None, "no signature");
}
