//! The masks of the oblivious transfer and the keys that rays start from (protocol section 5, "Answer").
//!
//! `M_{s,j} = H(OT; k_{s,j}, ctx + 8s + j)`. On the receiver's captured square the start keys are `H(PEND; a, ctx)`.

use std::array::from_fn;

use fog::{engine::sight_lines::answer::CHOICES, poseidon::Tag};
use rules::PieceType;

use super::keys::MaskKeys;
use crate::gadget::{Cell, Context};

/// The masks, by square and choice, and what is made of them.
#[derive(Clone, Debug)]
pub struct Masks {
    masks: Vec<[Option<[Cell; 2]>; CHOICES]>,
    /// 1 on the receiver's captured square.
    pub captured: Vec<Cell>,
    /// 0 on the receiver's captured square, else 1.
    pub standing: Vec<Cell>,
    /// `orth_s` and `diag_s`, 0 on the receiver's captured square.
    pub own_keys: Vec<[Cell; 2]>,
    /// `orth_s` and `diag_s`, with the keys of PEND on the receiver's captured square.
    pub start_keys: Vec<[Cell; 2]>,
}

impl Masks {
    /// Hashes all keys. `captured` has a flag for each square, and more.
    pub fn hash(cx: &mut Context<'_>, keys: &MaskKeys, context: Cell, captured: &[Cell]) -> Self {
        let masks: Vec<[Option<[Cell; 2]>; CHOICES]> = keys
            .keys
            .iter()
            .enumerate()
            .map(|(square, keys)| {
                from_fn(|j| {
                    let key = keys[j]?;
                    let offset = (8 * square + j) as i64;
                    let place = cx.linear(&[(1, context)], offset);
                    Some(cx.hash(Tag::Ot, key, place))
                })
            })
            .collect();
        let pend = cx.hash(Tag::Pend, keys.secret, context);
        let captured = captured[..64].to_vec();
        let mut masks = Self {
            masks,
            standing: captured.iter().map(|&flag| cx.not(flag)).collect(),
            captured,
            own_keys: Vec::with_capacity(64),
            start_keys: Vec::with_capacity(64),
        };
        for square in 0..64 {
            let own = [PieceType::Rook, PieceType::Bishop].map(|piece| {
                let [key, _] = masks.of(square, piece);
                cx.mul(masks.standing[square], key)
            });
            let captured = masks.captured[square];
            masks.own_keys.push(own);
            masks.start_keys.push(from_fn(|i| cx.mul_add(captured, pend[i], own[i])));
        }
        masks
    }

    /// The mask `pass_s` of a square.
    pub fn pass(&self, square: usize) -> Cell {
        self.masks[square][0].expect("every square can be empty")[0]
    }

    /// The mask of a type that can stand on the square.
    pub fn of(&self, square: usize, piece: PieceType) -> [Cell; 2] {
        self.masks[square][piece as usize].expect("asked only where the piece can stand")
    }
}
