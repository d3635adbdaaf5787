//! The columns of *shown* and *asked*: eight as *turn*'s, with hashes, arithmetic and points; eleven of the weighted sum; one of the listing, beside
//! arithmetic; and in *shown* one of the tags' places.
//!
//! | rows | *turn*'s columns | the sum's columns |
//! | --- | --- | --- |
//! | from 0 | public inputs | |
//! | below | points, and beside them in *asked* the window table | entries, whose weights are public inputs in the same rows, and all other additions |
//! | below | hashes, then arithmetic, in it the elements | |
//!
//! The table of elements' points has columns of its own, from row 0.

use engines::psi::{
    catalogue::{Catalogue, Extent, SetKind},
    statement::{SetPublic, asked::ASKED_INPUTS, numbers, shown::SHOWN_INPUTS},
};
use halo2_proofs::plonk::ConstraintSystem;
use halo2curves::bn256::Fr;
use rules::Side;

use crate::gadget::{
    ArithConfig, Columns, CommonConfig, EccConfig, FixedBase, HashLane, Listing, PoseidonLane, PublicColumn, RegionCtx,
    Rows, SharedSelector, WeightedSum, assert_degree, fixed_base,
    hash::{free, linked},
};

/// Columns and gates of *shown* or *asked*, of an extent.
#[derive(Clone, Debug)]
pub struct SetConfig<const SHOWN: bool, const SMALL: bool> {
    /// What every statement has.
    pub common: CommonConfig,
    pub ecc: EccConfig,
    /// Multiples of the generator: in *asked*.
    pub fixed_base: Option<FixedBase>,
    /// The weighted sum of the list.
    pub sum: WeightedSum,
    /// Which elements are in the list.
    pub listing: Listing,
}

impl<const SHOWN: bool, const SMALL: bool> SetConfig<SHOWN, SMALL> {
    pub const KIND: SetKind = if SHOWN { SetKind::Shown } else { SetKind::Asked };
    pub const EXTENT: Extent = if SMALL { Extent::Small } else { Extent::Full };
    /// Public inputs that aren't weights.
    pub const INPUTS: usize = if SHOWN { SHOWN_INPUTS } else { ASKED_INPUTS };

    /// The list of a set. Of what gives none it is another one, which some lookup refuses.
    pub fn list(set: &SetPublic, side: &Side) -> Vec<u64> {
        let side = Side { color: set.color, ..side.clone() };
        numbers(Self::KIND, Self::EXTENT, set.pending, set.phase, &side).unwrap_or_else(|_| {
            let first = Self::catalogue().first_dummy();
            (first..).take(Self::EXTENT.entries(Self::KIND)).collect()
        })
    }

    /// The elements, their numbers and points.
    pub fn catalogue() -> &'static Catalogue {
        Catalogue::get(Self::KIND, Self::EXTENT)
    }
}

impl<const SHOWN: bool, const SMALL: bool> Columns for SetConfig<SHOWN, SMALL> {
    /// Each gate is of degree ≤ 5.
    fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        let instance = meta.instance_column();
        let linked_columns = linked(meta);
        let free_columns = free(meta);
        let fixed = [(); 4].map(|()| meta.fixed_column());
        let [full, partial] = SharedSelector::share(meta.fixed_column());
        let [last, operation] = SharedSelector::share(meta.fixed_column());
        let [add, double, constant] = SharedSelector::share(meta.fixed_column());
        let [ladder] = SharedSelector::share(meta.fixed_column());

        let [f0, f1, f2, _] = fixed;
        let poseidon = PoseidonLane::configure(meta, linked_columns, free_columns, [f0, f1, f2], [full, partial, last]);
        let arith = ArithConfig::configure(meta, linked_columns, fixed, operation, constant, Some(instance));
        let ecc = EccConfig::configure(meta, linked_columns, free_columns, [add, double, ladder]);
        let fixed_base = (!SHOWN).then(|| {
            let window = meta.fixed_column();
            FixedBase::configure(meta, &ecc, window, fixed, Self::INPUTS)
        });
        let entries = Self::EXTENT.entries(Self::KIND);
        let sum = WeightedSum::configure(meta, instance, SHOWN, entries, Self::INPUTS);
        let [claim] = linked(meta);
        let [.., result] = linked_columns;
        let listing = Listing::configure(meta, result, claim, sum.place, sum.number);
        assert_degree(meta);
        let lane = HashLane { poseidon, tag: None, chain: None };
        let public = PublicColumn::Gated { count: Self::INPUTS };
        Self { common: CommonConfig { public, lanes: vec![lane], arith }, ecc, fixed_base, sum, listing }
    }

    fn common(&self) -> &CommonConfig {
        &self.common
    }

    /// Below the public inputs points, below these hashes, and below these arithmetic.
    fn first_rows(taken: Rows) -> Rows {
        let points = Self::INPUTS;
        let table = if SHOWN { 0 } else { fixed_base::TABLE_ROWS };
        let hashes = points + taken.points.max(table);
        Rows { points, hashes, arithmetic: hashes + taken.hashes }
    }

    fn load(&self, region: &mut RegionCtx<'_>) {
        if let Some(fixed_base) = &self.fixed_base {
            fixed_base.load(region);
        }
        self.sum.load(region, Self::catalogue().points());
    }
}
