//! A cheat that withholds, lies and is honest by dice: any field of anything that it sends may be wrong.

use super::Mischief;
use super::chance::Chance as _;
use client::seat::Effect;
use game::{Message, MoveFields, Phase, Transaction};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Square;

/// In percent of the effects of a kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dice {
    /// Messages that aren't sent.
    pub lost_messages: u32,
    /// Transactions that aren't sent.
    pub lost_transactions: u32,
    /// Messages and transactions of which a field is wrong.
    pub wrong: u32,
}

/// A cheat by these dice.
pub fn lies(seed: u64, dice: Dice) -> Mischief {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut roll = move |chance: u32| rng.gen_range(0..100) < chance;
    let mut fields = ChaCha8Rng::seed_from_u64(!seed);
    Mischief::new(move |mut effect| {
        let lost = match effect {
            Effect::SendMessage(_) => roll(dice.lost_messages),
            Effect::SendTransaction(_) => roll(dice.lost_transactions),
            _ => false,
        };
        if lost {
            return Vec::new();
        }
        if roll(dice.wrong) {
            spoil(&mut effect, &mut fields);
        }
        vec![effect]
    })
}

/// Makes a field of an effect wrong.
fn spoil(effect: &mut Effect, rng: &mut ChaCha8Rng) {
    match effect {
        Effect::SendTransaction(transaction) => spoil_transaction(transaction, rng),
        Effect::SendMessage(message) => spoil_message(message, rng),
        _ => {}
    }
}

fn spoil_transaction(transaction: &mut Transaction, rng: &mut ChaCha8Rng) {
    let other = Fr::from(rng.r#gen::<u64>());
    match transaction {
        Transaction::RevealCreator { share, joiner } => match rng.gen_range(0..2) {
            0 => share.0[7] ^= 1,
            _ => joiner.0[7] ^= 1,
        },
        Transaction::RevealJoiner { share } => share.0[7] ^= 1,
        Transaction::Move { fields, basis, proof } => match rng.gen_range(0..9) {
            0 => *basis = !*basis,
            1 => rng.flip(proof),
            _ => spoil_fields(fields, rng),
        },
        Transaction::AcceptDraw { ply, commitment } => match rng.gen_range(0..2) {
            0 => *ply = ply.wrapping_add(1),
            _ => *commitment = other,
        },
        Transaction::DemandSight { phase, points, proof, .. } => match rng.gen_range(0..3) {
            0 => *phase = if *phase == Phase::Pre { Phase::Post } else { Phase::Pre },
            1 => points.rotate_left(64),
            _ => rng.flip(proof),
        },
        Transaction::AnswerSight { demanded, answer_root, elements, proof } => match rng.gen_range(0..4) {
            0 => elements.rotate_left(32),
            1 => *answer_root = other,
            2 => demanded.ctx = other,
            _ => rng.flip(proof),
        },
        Transaction::FillAnswer { ctx, answer_root, .. } => match rng.gen_range(0..2) {
            0 => *ctx = other,
            _ => *answer_root = other,
        },
        Transaction::RespondFifty { at_least_fifty, .. } => *at_least_fifty = !*at_least_fifty,
        Transaction::ClaimFifty { proof, .. } | Transaction::ClaimNoMove { proof, .. } => rng.flip(proof),
        Transaction::PublishViewKey { key, .. } => key[0] ^= 1,
        Transaction::Resign | Transaction::ClaimTimeout | Transaction::Reclaim(_) | Transaction::Withdraw => {}
        Transaction::Wake { position, signatures } => match rng.gen_range(0..3) {
            0 => position.ply = rng.gen_range(0..9),
            1 => position.clocks[rng.gen_range(0..2)] = rng.r#gen(),
            _ => signatures.reverse(),
        },
        Transaction::Close { result, signatures } => match rng.gen_range(0..3) {
            0 => result.creator_won = result.creator_won.map(|won| !won),
            1 => result.last.0[7] ^= 1,
            _ => signatures.reverse(),
        },
    }
}

fn spoil_fields(fields: &mut MoveFields, rng: &mut ChaCha8Rng) {
    let other = Fr::from(rng.r#gen::<u64>());
    match rng.gen_range(0..7) {
        0 => fields.answer_root = other,
        1 => fields.answer_root = Fr::zero(),
        2 => fields.next_request_root = other,
        3 => fields.next_commitment = other,
        4 => fields.ply = fields.ply.wrapping_add(2),
        5 => fields.king_fell = !fields.king_fell,
        _ => fields.capture = Square::new(rng.gen_range(0..64)),
    }
}

fn spoil_message(message: &mut Message, rng: &mut ChaCha8Rng) {
    match message {
        Message::Answer { ply, phase, elements, proof } => match rng.gen_range(0..6) {
            0 => *ply = ply.wrapping_add(2),
            1 => *phase = if *phase == Phase::Pre { Phase::Post } else { Phase::Pre },
            2 => elements[7] = Fr::from(rng.r#gen::<u64>()),
            3 => elements.rotate_left(1),
            4 => proof.clear(),
            _ => rng.flip(proof),
        },
        Message::Request { ply, points } => match rng.gen_range(0..3) {
            0 => *ply = ply.wrapping_add(2),
            1 => points.fill(0),
            _ => points.rotate_left(64),
        },
        Message::Session { index, bytes, .. } => match rng.gen_range(0..3) {
            0 => *index = index.wrapping_add(2),
            1 => bytes.clear(),
            _ => rng.flip(bytes),
        },
        Message::WantSession { index, .. } => *index = rng.gen_range(0..8),
        Message::Ply(signed) => match rng.gen_range(0..5) {
            0 => signed.clock = rng.r#gen(),
            1 => signed.points.rotate_left(64),
            2 => rng.flip(&mut signed.signature),
            3 => rng.flip(&mut signed.proof),
            _ => spoil_fields(&mut signed.fields, rng),
        },
        Message::Countersigned { ply, signature } => match rng.gen_range(0..2) {
            0 => *ply = ply.wrapping_add(2),
            _ => rng.flip(signature),
        },
        Message::Result { result, signature } => match rng.gen_range(0..3) {
            0 => result.creator_won = result.creator_won.map(|won| !won),
            1 => result.creator_won = None,
            _ => rng.flip(signature),
        },
        Message::Have { plies } => *plies = rng.gen_range(0..12),
        Message::Want { ply, phase } => match rng.gen_range(0..2) {
            0 => *ply = rng.gen_range(0..20),
            _ => *phase = if *phase == Phase::Pre { Phase::Post } else { Phase::Pre },
        },
    }
}
