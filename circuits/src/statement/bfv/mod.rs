//! *item* and *view*: a ciphertext encrypts exactly the vector that a committed board gives (engine `bfv-steps`). Verified by the peer alone. The native twin is
//! `engines::bfv::encrypted::check`, which says the relations.
//!
//! Both open the commitment and turn the [`board`] as the receiver counts ranks, and lay the slots of an [`item`] or a [`view`] vector. Values of slots are laid line by line, in the
//! order of [`engines::bfv::vector`], which is that of White's lines: so a line's slots are known from its place. Beside them stand the [relations](crate::gadget::ring) of the ciphertext,
//! to whose sums the slots are copied.

pub(in crate::statement) mod board;
mod item;
pub(in crate::statement) mod view;
pub(in crate::statement) mod witness;

#[cfg(test)]
pub mod tests;

use std::{array, sync::Arc};

use engines::bfv::{
    encrypted::{BOARD_INPUTS, BoardPublic, ENCRYPTED_COLUMNS, EncryptedPrivate, EncryptedPublic, EncryptedStatement},
    vector::Kind,
};
use ff::Field;
use fog::commitment::is_well_formed;
use halo2_proofs::plonk::{ConstraintSystem, Error};
use halo2curves::bn256::Fr;
use rules::Side;

use self::{board::Board, witness::Witness};
use super::own_step::config::OwnStepConfig;
use crate::{
    Regions, StatementCircuit,
    gadget::{
        Cell, Columns, Context, RegionCtx, Rows,
        ring::{
            RingCircuit, RingConfig, RingStatement, known,
            relation::{Digits, Relation, Relations, Sum},
        },
    },
};

/// What the prover assigns of a board: its inputs and its vector.
pub struct BoardWitness<const ITEM: bool>(Witness);

impl<const ITEM: bool> BoardWitness<ITEM> {
    const KIND: Kind = if ITEM { Kind::Item } else { Kind::View };

    /// Lays the board, and the slots of its vector.
    fn slots(&self, cx: &mut Context<'_>) -> (Board, Vec<Cell>) {
        let labels = if ITEM { &item::LABELS } else { &view::LABELS };
        let board = Board::open(cx, Self::KIND, labels, &self.0);
        let slots = if ITEM { item::values(cx, &board) } else { view::values(cx, &board) };
        (board, slots)
    }
}

/// The relations of a ciphertext. Only its type is used.
#[derive(Clone, Copy, Debug)]
pub enum Ciphertext<const ITEM: bool> {}

impl<const ITEM: bool> RingStatement for Ciphertext<ITEM> {
    const NAME: &'static str = if ITEM { "item" } else { "view" };
    type Statement = EncryptedStatement;

    fn relations() -> Relations {
        let [a, joint, first, second, w0, w1, s0, s1] = array::from_fn(|column| column);
        let mask = 0;
        Relations {
            public: ENCRYPTED_COLUMNS,
            secrets: 1,
            relations: vec![
                Relation::with_error(second, vec![(-Fr::ONE, a, mask)]),
                Relation::with_error(first, vec![(-Fr::ONE, joint, mask)]).of_plaintext(Digits::halved(2)),
            ],
            seen: None,
            sums: vec![Sum { relation: 1, weights: w0, slots: s0 }, Sum { relation: 1, weights: w1, slots: s1 }],
        }
    }

    fn columns(public: &EncryptedPublic) -> Vec<Vec<Fr>> {
        public.columns().to_vec()
    }

    fn secrets(private: &EncryptedPrivate) -> Vec<&[i64]> {
        vec![&private.mask]
    }

    fn slots(public: &EncryptedPublic, private: &EncryptedPrivate) -> Vec<Fr> {
        let BoardPublic { kind, pending, color, phase, .. } = public.board;
        let side = Side { color, ..private.side.clone() };
        // What no commitment of a game holds has no vector; the board refuses it.
        if !is_well_formed(&side) {
            return Vec::new();
        }
        let vector = kind.vector(&side.without(pending), phase);
        vector.iter().map(|slot| Fr::from(*slot)).collect()
    }
}

/// The circuit of *item* or *view*.
#[derive(Clone)]
pub struct EncryptedCircuit<const ITEM: bool> {
    board: Arc<BoardWitness<ITEM>>,
    ring: RingCircuit<Ciphertext<ITEM>>,
}

/// The circuit of *item*.
pub type ItemCircuit = EncryptedCircuit<true>;
/// The circuit of *view*.
pub type ViewCircuit = EncryptedCircuit<false>;

/// The columns of the board, and those of the ciphertext.
#[derive(Clone, Debug)]
pub struct EncryptedConfig {
    board: OwnStepConfig,
    ring: RingConfig,
}

impl<const ITEM: bool> EncryptedCircuit<ITEM> {
    /// How many rows the parts of the board take.
    fn rows(config: &EncryptedConfig) -> Rows {
        let mut cx = Context::dry(config.board.common());
        BoardWitness::<ITEM>(Witness::blank()).slots(&mut cx);
        cx.taken()
    }
}

impl<const ITEM: bool> StatementCircuit for EncryptedCircuit<ITEM> {
    const NAME: &'static str = Ciphertext::<ITEM>::NAME;
    const K: u32 = 14;
    type Public = EncryptedPublic;
    type Private = EncryptedPrivate;
    type Columns = EncryptedConfig;

    fn new(public: &EncryptedPublic, private: &EncryptedPrivate) -> Self {
        Self {
            board: Arc::new(BoardWitness(Witness::encrypted(public, private))),
            ring: RingCircuit::new(public, private),
        }
    }

    fn blank() -> Self {
        Self { board: Arc::new(BoardWitness(Witness::blank())), ring: RingCircuit::blank() }
    }

    fn instance(public: &EncryptedPublic) -> Vec<Vec<Fr>> {
        let board = public.board.inputs().to_array().to_vec();
        public.columns().into_iter().chain([board]).collect()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> EncryptedConfig {
        let ring = RingConfig::configure(meta, &Ciphertext::<ITEM>::relations());
        EncryptedConfig { board: OwnStepConfig::configure(meta), ring }
    }

    fn synthesize(&self, config: &EncryptedConfig, regions: &mut dyn Regions) -> Result<(), Error> {
        let challenges = config.ring.challenges.map(|challenge| known(regions.challenge(challenge)));
        let taken = Self::rows(config);
        regions.assign_region(Self::NAME, &mut |region| {
            let region = RegionCtx::new(region, Vec::new());
            let mut cx = Context::new(region, config.board.common(), OwnStepConfig::first_rows(taken));
            let (board, slots) = self.board.slots(&mut cx);
            cx.publish(&board.inputs(), BOARD_INPUTS);
            self.ring.lay(&config.ring, &mut cx.region, challenges, &slots);
            Ok(())
        })
    }
}
