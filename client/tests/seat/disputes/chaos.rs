//! An opponent that withholds, lies and is honest as the dice will: whatever it does, the honest player loses only by the capture
//! of its king, or by giving up.

use super::{MODES, course, run_for};
use crate::world::{Mischief, Players};
use client::seat::Effect;
use fogmate_test::seed;
use game::{Message, Mode, Outcome, Transaction};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Color;

/// In percent of the effects of a kind.
#[derive(Clone, Copy, Debug)]
struct Dice {
    lost_messages: u32,
    lost_transactions: u32,
    wrong: u32,
}

fn roll(rng: &mut ChaCha8Rng, chance: u32) -> bool {
    rng.gen_range(0..100) < chance
}

fn mischief(seed: u64, dice: Dice) -> Mischief {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Mischief::new(move |mut effect| {
        let lost = match effect {
            Effect::SendMessage(_) => roll(&mut rng, dice.lost_messages),
            Effect::SendTransaction(_) => roll(&mut rng, dice.lost_transactions),
            _ => false,
        };
        if lost {
            return Vec::new();
        }
        if roll(&mut rng, dice.wrong) {
            spoil(&mut effect, &mut rng);
        }
        vec![effect]
    })
}

/// Makes something of an effect wrong.
fn spoil(effect: &mut Effect, rng: &mut ChaCha8Rng) {
    let other = Fr::from(rng.r#gen::<u64>());
    match effect {
        Effect::SendTransaction(Transaction::Move { fields, proof, ctx_next }) => match rng.gen_range(0..6) {
            0 => fields.answer_root = other,
            1 => fields.answer_root = Fr::zero(),
            2 => fields.next_request_root = other,
            3 => *ctx_next = other,
            4 => fields.next_commitment = other,
            _ => proof[40] ^= 1,
        },
        Effect::SendTransaction(Transaction::DemandSight { points, .. }) => points.rotate_left(64),
        Effect::SendTransaction(Transaction::AnswerSight { elements, answer_root, .. }) => match rng.gen_range(0..2) {
            0 => elements.rotate_left(32),
            _ => *answer_root = other,
        },
        Effect::SendTransaction(Transaction::FillAnswer { answer_root, .. }) => *answer_root = other,
        Effect::SendMessage(Message::Answer { elements, .. }) => elements[7] = other,
        Effect::SendMessage(Message::Request { points, .. }) => points.rotate_left(64),
        _ => {}
    }
}

fn play(seed: u64, mode: Mode, honest: Color, dice: Dice) {
    let mut world = course(seed, mode, Players::Random { plies: 24 }).begin();
    world.longest_tick = 64;
    let cheat = super::corrupt(&mut world, !honest, mischief(seed, dice));
    let ending = run_for(&mut world, 1 - cheat);
    let plies = world.chain.ply();
    println!(
        "{mode}, {honest:?} is honest, {dice:?}: {} after {plies} plies, won by {:?}",
        ending.outcome, ending.color
    );
    if ending.color == Some(!honest) {
        assert!(matches!(ending.outcome, Outcome::KingCaptured | Outcome::Resigned), "{}", ending.outcome);
    }
    let drawn = ending.winner.is_none();
    assert!(!drawn, "nobody has claimed or accepted a draw");
}

#[test]
fn an_honest_player_loses_to_no_mischief() {
    let seed = seed(371);
    let mild = Dice { lost_messages: 30, lost_transactions: 10, wrong: 2 };
    let mute = Dice { lost_messages: 100, lost_transactions: 10, wrong: 3 };
    let wild = Dice { lost_messages: 50, lost_transactions: 40, wrong: 25 };
    for (number, dice) in (0..).zip([mild, mute, wild, wild, wild]) {
        for (mode, honest) in MODES.into_iter().flat_map(|mode| Color::ALL.map(|color| (mode, color))) {
            play(seed + number, mode, honest, dice);
        }
    }
}
