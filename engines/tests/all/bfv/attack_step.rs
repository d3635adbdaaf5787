//! The attack step through its parties and sessions: exact on whole games against the rules, sizes, wrong messages.

use crate::pair::{Position, deliver, registered, run, step};
use engines::bfv::{
    Bfv, Keys,
    attack_step::{Attack, Captured, Score, value},
    parameters::{CIPHERTEXT_BYTES, POLY_BYTES, SHARE_BYTES},
};
use fog::{
    engine::{BoxedParty, Fault, GameKeys, Phase, Session},
    testing::{Walk, seed},
    word::WORD,
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, Move, PieceType};
use std::sync::Arc;

const SIZES: [usize; 2] = [CIPHERTEXT_BYTES + SHARE_BYTES + WORD, SHARE_BYTES + WORD];

type Captures = Session<Option<Captured>>;

fn set_up(rng: &mut StdRng) -> [Arc<Keys>; 2] {
    let (game, seeds) = registered(&Bfv, rng);
    let party = |color: Color| Bfv.set_up_keys(color, &seeds[color.index()], &game).expect("both have registered");
    let (white, black) = run(party(Color::White), party(Color::Black));
    [white, black].map(|session| session.output().cloned().expect("keys"))
}

/// Attacker and victim of a move.
fn parties(keys: &[Arc<Keys>; 2], position: &Position, attack: Option<Attack>) -> [BoxedParty<Option<Captured>>; 2] {
    let exchange = position.exchange(Phase::Pre);
    let (attacker, victim) = (exchange.receiver(), exchange.sender());
    // Of the sight before the move the step takes its opening alone.
    let made = keys[victim.index()].sender(&exchange, position.own(victim), &[]);
    let (sight, opening) = Session::start(made.expect("a sight").0, true);
    let mut sight = sight;
    step(&mut sight, opening).expect("it opens");
    let opening = &sight.messages()[0];
    [
        keys[attacker.index()].attacker(&exchange, position.own(attacker), opening, attack).expect("its own move"),
        keys[victim.index()].victim(&exchange, position.own(victim)).expect("the opponent's move"),
    ]
}

/// A whole step: what both learnt, which is the same.
fn captured(keys: &[Arc<Keys>; 2], position: &Position, attack: Option<Attack>) -> Option<Captured> {
    let [attacker, victim] = parties(keys, position, attack);
    let (attacker, victim) = run(attacker, victim);
    assert_eq!(attacker.messages().iter().map(Vec::len).collect::<Vec<_>>(), SIZES);
    assert_eq!(attacker.output(), victim.output());
    *attacker.output().expect("the end")
}

/// Makes a move with its step, which must say what the rules say.
fn play(keys: &[Arc<Keys>; 2], walk: &mut Walk, mv: &Move, score: &mut Score, rng: &mut StdRng) -> Option<Captured> {
    let (color, before) = (walk.to_move(), walk.other().clone());
    let attack = Attack::of(&walk.board(), mv, &walk.sight());
    let found = captured(keys, &Position::of(walk, rng), attack);
    walk.play(mv);
    let right = walk.pending.map(|square| Captured { square, piece: before.piece(square).expect("a man") });
    assert_eq!(found, right, "{mv}");
    score.add(color, found);
    found
}

/// A game in which whoever can captures, to its end or forty plies: every step tells both what was captured, and both scores are what is missing on the boards.
#[test]
fn a_whole_game_is_that_of_the_rules() {
    let mut rng = StdRng::seed_from_u64(seed(197));
    let keys = set_up(&mut rng);
    let (mut walk, mut score, mut captures) = (Walk::start(), Score::default(), [0; 2]);
    while !walk.over && walk.ply < 40 {
        let (moves, sight, board) = (walk.legal_moves(), walk.sight(), walk.board());
        let takes = |mv: &&Move| !walk.is_opening() && board.capture_square(mv, &sight).is_some();
        let hits: Vec<&Move> = moves.iter().filter(takes).collect();
        let Some(mv) = hits.choose(&mut rng).copied().or(moves.choose(&mut rng)).copied() else { break };
        if walk.is_opening() {
            walk.play(&mv);
            continue;
        }
        let color = walk.to_move();
        let found = play(&keys, &mut walk, &mv, &mut score, &mut rng);
        captures[color.index()] += found.map_or(0, |captured| value(captured.piece));
    }
    println!("{} plies, captured {captures:?}", walk.ply);
    assert_eq!(Color::ALL.map(|color| score.of(color)), captures);
    assert!(captures.iter().sum::<u32>() > 0);
}

/// *En passant* the pawn is captured beside the square that is entered.
#[test]
fn a_pawn_is_captured_en_passant() {
    let mut rng = StdRng::seed_from_u64(seed(198));
    let (keys, mut walk, mut score) = (set_up(&mut rng), Walk::start(), Score::default());
    for mv in ["e2e4", "a7a6", "e4e5", "d7d5"] {
        walk.play(&mv.parse().expect("a move"));
    }
    let mv = "e5d6".parse().expect("a move");
    let found = play(&keys, &mut walk, &mv, &mut score, &mut rng);
    let square = "d5".parse().expect("a square");
    assert_eq!(found, Some(Captured { square, piece: PieceType::Pawn }));
    assert_eq!(Color::ALL.map(|color| score.of(color)), [1, 0]);
}

/// Sessions of a step, the attack said.
fn sessions(parties: [BoxedParty<Option<Captured>>; 2]) -> [Captures; 2] {
    let [attacker, victim] = parties;
    let ((mut attacker, asks), (mut victim, waits)) = (Session::start(attacker, true), Session::start(victim, false));
    step(&mut victim, waits).expect("it waits");
    step(&mut attacker, asks).expect("it asks");
    [attacker, victim]
}

/// A message of another step, of another size, of bytes that are no polynomials, or changed in any part is refused by name; the right one is still
/// taken; and whoever starts again says the same.
#[test]
fn every_part_of_every_message_of_a_step_is_bound() {
    let mut rng = StdRng::seed_from_u64(seed(199));
    let keys = set_up(&mut rng);
    let mut walk = Walk::start();
    (0..12).for_each(|_| walk.advance(&mut rng));
    let here = Position::of(&walk, &mut rng);
    walk.advance(&mut rng);
    walk.advance(&mut rng);
    let elsewhere = Position::of(&walk, &mut rng);
    let [attacker, victim] = parties(&keys, &elsewhere, None);
    let foreign = run(attacker, victim).0.messages().to_vec();

    let again = || sessions(parties(&keys, &here, None));
    let [mut attacker, mut victim] = again();
    for (index, size) in SIZES.into_iter().enumerate() {
        let (sayer, hearer) = if index == 0 { (&attacker, &mut victim) } else { (&victim, &mut attacker) };
        let right = sayer.messages()[index].clone();
        assert_eq!(right.len(), size);
        let mut wrong = vec![foreign[index].clone(), vec![0; size], vec![0xff; size]];
        let content = size - WORD;
        let parts = (0..content).step_by(POLY_BYTES).chain([content - 1, content, size - 1]);
        wrong.extend(parts.map(|place| {
            let mut changed = right.clone();
            changed[place] ^= 1 << rng.gen_range(0..8);
            changed
        }));
        for wrong in wrong {
            let fault = deliver(hearer, index, &wrong).expect_err("a wrong message");
            let is_named =
                matches!(fault, Fault::Proof { index: i, .. } | Fault::Malformed { index: i, .. } if i == index);
            assert!(is_named, "message {index}: {fault}");
        }
        for length in [0, size - 1, size + 1] {
            assert!(matches!(deliver(hearer, index, &vec![0; length]), Err(Fault::Length { .. })));
        }
        deliver(hearer, index, &right).expect("the right message");
    }
    assert_eq!([attacker.output(), victim.output()], [Some(&None); 2]);

    let [mut replayed, mut other] = again();
    assert_eq!(replayed.messages()[0], attacker.messages()[0]);
    deliver(&mut other, 0, &attacker.messages()[0]).expect("the same attack");
    assert_eq!(other.messages(), victim.messages());
    deliver(&mut replayed, 1, &victim.messages()[1]).expect("the same share");
}

/// A step belongs to the sight before the move and its two players.
#[test]
fn a_step_of_another_sight_isn_t_begun() {
    let mut rng = StdRng::seed_from_u64(seed(200));
    let keys = set_up(&mut rng);
    let mut walk = Walk::start();
    (0..7).for_each(|_| walk.advance(&mut rng));
    let position = Position::of(&walk, &mut rng);
    for phase in [Phase::Pre, Phase::Post] {
        let exchange = position.exchange(phase);
        let (receiver, sender) = (exchange.receiver(), exchange.sender());
        let of = |color: Color| (&keys[color.index()], position.own(color));
        let (key, own) = of(sender);
        assert!(key.attacker(&exchange, own, &[], None).is_err());
        assert_eq!(key.victim(&exchange, own).is_ok(), phase == Phase::Pre);
        let (key, own) = of(receiver);
        assert!(key.victim(&exchange, own).is_err());
        for wrong in [vec![], vec![0; CIPHERTEXT_BYTES + WORD]] {
            assert!(key.attacker(&exchange, own, &wrong, None).is_err());
        }
    }
}
