//! Statements of *item*, *view* and *decryption* at the edges of their relations, and beyond them.

use super::mutations_captured::{RingMutation, plus, plus_all, small};
use crate::{
    Unmet,
    bfv::{
        decryption::{DecryptionPrivate, DecryptionPublic, FLOOD_FACTOR, FLOOD_FACTOR_BITS},
        encrypted::{EncryptedPrivate, EncryptedPublic},
        integers::{ENCRYPTION_BITS, SMALL, centered, coefficients, opened},
        parameters::{DEGREE, PLAINTEXT},
        vector::SLOTS,
    },
};
use fog::{F, commitment::commit, engine::Phase};
use num_bigint::BigInt;
use rules::{PieceType, Side};

/// A change of what is public of a board, given what isn't.
type Change = fn(&mut EncryptedPublic, &EncryptedPrivate);

/// Adds a number to a slot of what is encrypted.
fn more_in_slot(public: &mut EncryptedPublic, place: usize, number: u64) {
    let mut slots = vec![0; DEGREE];
    slots[place] = number;
    let modulus = BigInt::from(public.common.ctx().modulus().clone());
    let coefficients = coefficients(&slots).expect("a plaintext").into_iter();
    let more = coefficients.map(|coefficient| (&modulus * coefficient + PLAINTEXT / 2) / PLAINTEXT);
    public.ciphertext[0] = plus_all(&public.ciphertext[0], more.enumerate());
}

/// Changes of a true statement, of which each touches one relation alone where that can be.
pub fn mutations_encrypted(
    public: &EncryptedPublic,
    private: &EncryptedPrivate,
) -> Vec<RingMutation<EncryptedPublic, EncryptedPrivate, Unmet>> {
    use Unmet::{Commitment, Encryption, Large, StateRange, Vector};
    let mut all = Vec::new();
    let mut add = |name, expected, change: &dyn Fn(&mut EncryptedPublic, &mut EncryptedPrivate)| {
        all.push(RingMutation::new(name, expected, (public, private), change));
    };
    let (power, large) = (DEGREE - 1, BigInt::from(1) << 112);
    let mask = small(&private.mask, &public.common);
    let error = centered(&(&public.ciphertext[1] - &(&public.common * &mask)));
    let (_, noise) = opened(&(&public.ciphertext[0] - &(&public.joint * &mask)));
    for (name, beyond) in [("the largest error", 0), ("too large an error", 1)] {
        let refused = (beyond != 0).then_some(Encryption);
        let more: BigInt = BigInt::from(SMALL - 1 + beyond) - &error[power];
        add(name, refused, &|public, _| public.ciphertext[1] = plus(&public.ciphertext[1], power, &more));
        let more: BigInt = ((BigInt::from(1) << ENCRYPTION_BITS) - 1 - &noise[power]) / PLAINTEXT + beyond;
        add(name, refused, &|public, _| public.ciphertext[0] = plus(&public.ciphertext[0], power, &more));
    }
    add("another common polynomial", Some(Encryption), &|public, _| {
        public.common = plus(&public.common, power, &large)
    });
    add("another joint key", Some(Encryption), &|public, _| public.joint = plus(&public.joint, power, &large));
    add("parts exchanged", Some(Encryption), &|public, _| public.ciphertext.swap(0, 1));
    add("another mask", Some(Encryption), &|_, private| private.mask[power] = 1 - private.mask[power]);
    add("a large mask", Some(Large), &|_, private| private.mask[0] = SMALL);
    add("a short mask", Some(Large), &|_, private| {
        let last = private.mask.iter().rposition(|value| *value != 0).expect("a mask");
        private.mask.truncate(last);
    });

    add("one more in the first slot", Some(Vector), &|public, _| more_in_slot(public, 0, 1));
    add("one less in the last slot", Some(Vector), &|public, _| more_in_slot(public, SLOTS - 1, PLAINTEXT - 1));
    add("something in a slot that no vector has", Some(Vector), &|public, _| more_in_slot(public, DEGREE - 1, 1));
    let with = |public: &mut EncryptedPublic, private: &mut EncryptedPrivate, change: &dyn Fn(&mut Side)| {
        change(&mut private.side);
        private.side.color = public.board.color;
        public.board.commitment = commit(&private.side, private.salt);
    };
    let turn = |side: &mut Side| {
        let square = &mut side.pieces[27];
        *square = if square.is_some() { None } else { Some(PieceType::Queen) };
    };
    add("another board, committed to", Some(Vector), &|public, private| with(public, private, &turn));
    let ninth = |side: &mut Side| side.double_push = Some(8);
    add("a double push on a ninth file", Some(StateRange), &|public, private| with(public, private, &ninth));
    add("another commitment", Some(Commitment), &|public, _| public.board.commitment += F::one());
    add("another salt", Some(Commitment), &|_, private| private.salt += F::one());
    add("another board", Some(Commitment), &|_, private| turn(&mut private.side));
    let flipped = |phase| if phase == Phase::Pre { Phase::Post } else { Phase::Pre };
    let public_changes: [(&str, Change); 3] = [
        ("the other color", |public, _| public.board.color = !public.board.color),
        ("a captured man", |public, private| {
            let square =
                private.side.men().map(|(square, _)| square).find(|square| Some(*square) != public.board.pending);
            public.board.pending = square;
        }),
        ("nothing captured", |public, _| public.board.pending = None),
    ];
    let refused = |public: &EncryptedPublic| crate::bfv::encrypted::check(public, private).err();
    for (name, change) in public_changes {
        let mut changed = public.clone();
        change(&mut changed, private);
        add(name, refused(&changed), &|public, private| change(public, private));
    }
    let mut changed = public.clone();
    changed.board.phase = flipped(public.board.phase);
    add("the other phase", refused(&changed), &|public, _| public.board.phase = flipped(public.board.phase));
    all
}

/// Changes of a true statement of *decryption*.
pub fn mutations_decryption(
    public: &DecryptionPublic,
    private: &DecryptionPrivate,
) -> Vec<RingMutation<DecryptionPublic, DecryptionPrivate, Unmet>> {
    use Unmet::{Key, Large, Share};
    let mut all = Vec::new();
    let mut add = |name, expected, change: &dyn Fn(&mut DecryptionPublic, &mut DecryptionPrivate)| {
        all.push(RingMutation::new(name, expected, (public, private), change));
    };
    let (power, large) = (DEGREE - 1, BigInt::from(1) << 112);
    let error = centered(&(&public.share + &(&public.common * &small(&private.key, &public.share))));
    let flood = centered(&(&public.decryption - &(&public.second * &small(&private.key, &public.second))));
    let most: BigInt = (BigInt::from(1) << FLOOD_FACTOR_BITS) / FLOOD_FACTOR;
    let edges = [("the largest", 0, 1), ("too large", 1, 1), ("the least", 0, 0), ("too small", -1, 0)];
    for (name, beyond, is_top) in edges {
        let refused = |error| (beyond != 0).then_some(error);
        let edge = if is_top == 1 { SMALL - 1 } else { -SMALL };
        let more: BigInt = BigInt::from(edge) - &error[power] + beyond;
        add(name, refused(Key), &|public, _| public.share = plus(&public.share, power, &more));
        // No power of two is a multiple of 15, so both edges are as far from 0.
        let edge = if is_top == 1 { most.clone() } else { -&most };
        let more: BigInt = edge - &flood[power] + beyond;
        add(name, refused(Share), &|public, _| public.decryption = plus(&public.decryption, power, &more));
    }
    add("another common polynomial", Some(Key), &|public, _| public.common = plus(&public.common, power, &large));
    add("another product", Some(Share), &|public, _| public.second = plus(&public.second, power, &large));
    add("another key", Some(Key), &|_, private| private.key[power] = 1 - private.key[power]);
    add("a large key", Some(Large), &|_, private| private.key[0] = SMALL);
    add("a short key", Some(Large), &|_, private| {
        let last = private.key.iter().rposition(|value| *value != 0).expect("a key");
        private.key.truncate(last);
    });
    all
}
