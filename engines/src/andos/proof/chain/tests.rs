//! A chain through moves of all kinds, and changes that no move makes.

use super::{verify::ChainError, *};
use crate::andos::{
    packet::decrypt,
    proof::{challenge::Challenge, copies::CopiesError},
    public_key::ELEMENT,
    random::{KEY_BYTES, StreamKey},
    secret_key::SecretKey,
};
use rules::Move;

fn stream(byte: u8) -> StreamKey {
    StreamKey::from_bytes([byte; KEY_BYTES])
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

/// The mover proves a change, with its best effort, to a verifier who draws the challenge.
fn prove(key: &SecretKey, chain: &Chain, change: &Change, number: u8) -> Result<Chain, ChainError> {
    let public = key.public();
    let advance = Advance::new(key, chain, change, &stream(number));
    let advanced = Advanced::read(public, chain, &advance.message)?;
    let challenge = Challenge::draw(&stream(number ^ 0x80));
    let next = advanced.verify(public, &challenge, &advance.open(public, &challenge))?;
    assert_eq!(next, advance.next);
    Ok(next)
}

/// The codes that a chain's packet holds.
fn codes(key: &SecretKey, chain: &Chain) -> Vec<u8> {
    let squares = chain.packet.chunks(SQUARE).enumerate();
    squares.map(|(square, bytes)| decrypt(key, bytes, &stream(200), BITS * square)).collect()
}

fn codes_of(side: &Side) -> Vec<u8> {
    side.pieces.iter().map(|piece| piece.map_or(0, PieceType::code)).collect()
}

/// A double push, castling, captures by the opponent, and two promotions; every message and its openings are equally long.
#[test]
fn moves_of_all_kinds_lead_to_the_next_packet() {
    let key = SecretKey::generate(&stream(1));
    let mut side = Side::start(Color::White);
    let mut chain = Chain::start(key.public(), Color::White);
    assert_eq!(codes(&key, &chain), codes_of(&side));
    // As if the knight, the bishop and two pawns of the king's wing had been captured where they stood.
    for square in ["g1", "f1", "a2", "h2"].map(|name| name.parse::<Square>().expect("a square")) {
        side = side.without(Some(square));
        chain.capture(key.public(), square);
    }
    side.pieces[48] = side.pieces[9].take();
    // That pawn's way to a7 in one step: a swap says nothing of how men move.
    let moved = Change { swaps: [(9, 48), (20, 21)], promotion: None };
    chain = prove(&key, &chain, &moved, 2).expect("a man goes to an empty square");
    for (number, text) in ["e2e4", "e1g1", "a7b8q", "g2g3", "b8a8"].into_iter().enumerate() {
        let after = side.play(&mv(text));
        let change = Change::between(&side, &after).expect("a move");
        assert_eq!(change.promotion.is_some(), text.len() == 5);
        chain = prove(&key, &chain, &change, 3 + number as u8).expect("a move");
        side = after;
        assert_eq!(codes(&key, &chain), codes_of(&side), "{text}");
    }
    let mut black = Chain::start(key.public(), Color::Black);
    let mut side = Side::start(Color::Black);
    for square in (0..8).filter_map(|file| Square::at(file, 6)) {
        side = side.without(Some(square));
        black.capture(key.public(), square);
    }
    assert_eq!(codes(&key, &black), codes_of(&side));
}

/// Each change is claimed by the very code that proves right ones, and the list that shows it is named.
#[test]
fn changes_that_no_move_makes_are_refused() {
    let key = SecretKey::generate(&stream(20));
    let chain = Chain::start(key.public(), Color::White);
    let nothing = (20, 21);
    let cases = [
        // A rook goes where an own pawn stands.
        (Change { swaps: [(0, 8), nothing], promotion: None }, 0),
        // A change that no move makes, in the second swap.
        (Change { swaps: [nothing, (0, 8)], promotion: None }, 1),
        // A queen appears on a square of the last rank where no pawn stands.
        (Change { swaps: [nothing; 2], promotion: Some((3, PieceType::Queen.code())) }, 2),
        // A knight that reached it turns into a queen.
        (Change { swaps: [(1, 57), nothing], promotion: Some((1, PieceType::Queen.code())) }, 2),
    ];
    for (number, (change, list)) in cases.into_iter().enumerate() {
        let refused = prove(&key, &chain, &change, 21 + number as u8);
        assert_eq!(refused, Err(ChainError::List(list, CopiesError::Digest)), "{change:?}");
    }
    // A pawn may move there and become a queen all in one, or a swap move two men; a third changed square is no move.
    let mut two = Side::start(Color::White);
    for (from, to) in [(8, 16), (9, 17), (10, 18)] {
        two.pieces[to] = two.pieces[from].take();
    }
    assert_eq!(Change::between(&Side::start(Color::White), &two), None);
}

#[test]
fn what_a_message_says_can_t_be_changed_afterwards() {
    let key = SecretKey::generate(&stream(30));
    let public = key.public();
    let chain = Chain::start(public, Color::White);
    let side = Side::start(Color::White);
    let change = Change::between(&side, &side.play(&mv("b1c3"))).expect("a move");
    let advance = Advance::new(&key, &chain, &change, &stream(31));
    let challenge = Challenge::draw(&stream(32));
    let openings = advance.open(public, &challenge);
    let check = |message: &[u8], openings: &[u8]| {
        let advanced = Advanced::read(public, &chain, message)?;
        advanced.verify(public, &challenge, openings)
    };
    assert_eq!(check(&advance.message, &openings), Ok(advance.next.clone()));
    // A square of the packet between the swaps, one of the last rank, one of the types: each taken from elsewhere.
    let rank = 2 * lists::SWAP;
    let types = rank + lists::RETYPING - SQUARE;
    for (place, list) in [(0, 0), (lists::SWAP, 1), (rank, 2), (types, 3)] {
        let mut message = advance.message.clone();
        let other = open_code(public, PieceType::Queen.code());
        message[place..][..SQUARE].copy_from_slice(&other);
        assert_eq!(check(&message, &openings), Err(ChainError::List(list, CopiesError::Digest)), "{place}");
    }
    let mut message = advance.message.clone();
    message[..ELEMENT].fill(0xff);
    assert_eq!(check(&message, &openings), Err(ChainError::Message));
    assert_eq!(check(&advance.message[1..], &openings), Err(ChainError::Message));
    assert_eq!(check(&advance.message, &openings[1..]), Err(ChainError::Length));
}
