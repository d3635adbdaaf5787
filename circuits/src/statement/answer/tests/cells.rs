//! Broken cells. In the small: each cell of a ladder, a sum and a tag, and each constraint of theirs as the reason. In the large: cells of
//! a whole answer, some of each column, chosen by the seed (FOGMATE_CELLS says how many a column).

use std::{collections::BTreeSet, ops::RangeInclusive};

use ff::Field;
use fog::{
    curve::FogSecret,
    poseidon::Tag,
    testing::{AnswerCase, seed},
};
use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::{
    bn256::Fr,
    grumpkin::{Fr as Scalar, G1, G1Affine},
};
use rand::{Rng, SeedableRng, rngs::StdRng};

use super::super::{
    AnswerCircuit,
    config::{AnswerConfig, LANES},
};
use super::draw;
use crate::{
    StatementCircuit,
    gadget::{
        Columns as _, Context, Input, Layout, Point, RegionCtx, Rows, Tamper, fixed_base,
        poseidon::ROWS as HASH_ROWS,
        shared_ladder::{BITS, ROWS},
    },
    laid::LaidCircuit,
};

/// Rows of a whole answer's ladders, of which two stand beside each other; sums of points stand below.
pub const LADDER_ROWS: usize = (2 + 64) / 2 * ROWS;
/// Rows: two ladders, their sum, constants.
const K: u32 = 10;
const SUM_ROW: usize = 2 * ROWS;
const FIRST: Rows = Rows { points: 0, hashes: 0, arithmetic: SUM_ROW + 1 };
/// The columns of [`AnswerConfig`]: lanes, then `z` and the bases, then the free ones.
const Z: usize = 16;
const FREE: usize = 21;
const INVERSE: usize = FREE + 1;
const COLUMNS: usize = 27;

/// Two pairs of ladders by one secret, a sum of two products, and a tagged hash in each lane.
#[derive(Clone)]
struct Pieces {
    seed: u64,
    secret: [bool; BITS],
    /// What the second ladder reads instead.
    other_secret: Option<[bool; BITS]>,
    /// Added to the first base's y.
    off_curve: Fr,
    tampers: Vec<Tamper>,
}

impl Pieces {
    fn new(seed: u64, secret: &FogSecret) -> Self {
        Self {
            seed,
            secret: fixed_base::bits(&secret.field()),
            other_secret: None,
            off_curve: Fr::ZERO,
            tampers: Vec::new(),
        }
    }

    fn lay(&self, config: &AnswerConfig, cx: &mut Context<'_>) {
        let mut rng = StdRng::seed_from_u64(self.seed);
        let points: [G1Affine; 4] = std::array::from_fn(|_| (G1::generator() * Scalar::random(&mut rng)).into());
        let mut bases = points.map(|point| [point.x, point.y]);
        bases[0][1] += self.off_curve;
        let other = self.other_secret.as_ref().unwrap_or(&self.secret);
        let first = config.ladder.multiply(cx, &bases[..2], &self.secret, None);
        bind(cx, &first.bases);
        let second = config.ladder.multiply(cx, &bases[2..], other, Some(first.number));
        bind(cx, &second.bases);
        let products = [first.products, second.products].concat();
        bind(cx, &products);
        let sums = config.sums.add(cx, &[(products[1], products[2])]);
        let sum = cx.linear_field(&[], sums[0].value);
        cx.equal("test", sum, sums[0]);
        self.check_values(&points, &products, sums[0].value);
        for _ in 0..LANES {
            let inputs = [2, 3].map(Fr::from);
            let [x, y] = inputs.map(Input::Witness);
            let permutation = cx.tagged(Tag::Pend, x, y);
            for (cell, value) in permutation.inputs.into_iter().skip(1).zip(inputs) {
                let constant = cx.linear_field(&[], value);
                cx.equal("test", cell, constant);
            }
        }
    }

    /// An untouched witness holds what the curve library says.
    fn check_values(&self, points: &[G1Affine], products: &[Point], sum: Fr) {
        if !self.tampers.is_empty() || self.other_secret.is_some() || self.off_curve != Fr::ZERO {
            return;
        }
        let scalar = self.secret.iter().fold(Scalar::ZERO, |sum, &bit| sum.double() + Scalar::from(u64::from(bit)));
        let expected: Vec<G1Affine> = points.iter().map(|point| (point * scalar).into()).collect();
        for (product, expected) in products.iter().zip(&expected) {
            assert_eq!([product.x.value, product.y.value], [expected.x, expected.y]);
        }
        assert_eq!(sum, G1Affine::from(expected[1] + expected[2]).x);
    }

    fn failures(&self) -> BTreeSet<String> {
        let refusals = LaidCircuit::of_rows(K, self, vec![vec![]]).refusals();
        refusals.into_iter().map(|refusal| refusal.what).collect()
    }
}

/// Points that the experiment means to be what they are.
fn bind(cx: &mut Context<'_>, points: &[Point]) {
    for cell in points.iter().flat_map(|point| [point.x, point.y]) {
        let constant = cx.linear_field(&[], cell.value);
        cx.equal("test", cell, constant);
    }
}

impl Circuit<Fr> for Pieces {
    type Config = AnswerConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> AnswerConfig {
        AnswerConfig::configure(meta)
    }

    fn synthesize(&self, config: AnswerConfig, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        layouter.assign_region(
            || "pieces",
            |region| {
                let region = RegionCtx::new(region, self.tampers.clone());
                self.lay(&config, &mut Context::new(region, &config.common, FIRST));
                Ok(())
            },
        )
    }
}

fn secret(rng: &mut StdRng, is_odd: bool) -> FogSecret {
    let mut bytes: [u8; 32] = rng.r#gen();
    bytes[0] = bytes[0] & !1 | u8::from(is_odd);
    FogSecret::from_uniform(bytes)
}

const NAMES: [&str; 18] = [
    "bit = z' − 2z is boolean",
    "x = px",
    "Y = 2py",
    "λ·2py = 3px²",
    "py² = px³ − 17",
    "x' = μ² − x − xr",
    "Y' = 2μ·(x − x') − Y",
    "px' = px",
    "py' = py",
    "2λ·(x − px) = Y − sign·2py",
    "2λ·(x − px) = Y + 2py",
    "px' = bit ? x : xr",
    "2py' = bit ? Y : 2λ·(x − xr) − Y",
    "(px − x)·inverse = 1",
    "λ·(px − x) = py − y",
    "sum = λ² − x − px",
    "tag·(s0 − tag) = 0",
    "copy",
];

#[test]
fn every_cell_of_the_pieces_is_bound() {
    let seed = seed(36);
    let mut rng = StdRng::seed_from_u64(seed);
    let ladder_rows = [0, 1, 2, rng.gen_range(3..BITS - 2), BITS - 2, BITS - 1];
    let mut cells: Vec<(usize, usize)> =
        ladder_rows.into_iter().flat_map(|row| (Z + 1..COLUMNS).map(move |column| (column, row))).collect();
    cells.extend((1..=BITS).step_by(31).map(|row| (Z, ROWS + row)));
    cells.extend((Z..FREE).map(|column| (column, BITS)));
    cells.extend((Z..FREE + 2).map(|column| (column, SUM_ROW)));
    cells.extend([0, 1, 2, 8, 9, 10].map(|column| (column, 0)));
    cells.extend([3, 4, 11, 12].map(|column| (column, HASH_ROWS)));
    let mut given = BTreeSet::new();
    for is_odd in [false, true] {
        let pieces = Pieces::new(seed, &secret(&mut rng, is_odd));
        assert_eq!(pieces.failures(), BTreeSet::new());
        for &(column, row) in &cells {
            let delta = Fr::random(&mut rng);
            let tampers = vec![Tamper { column, row, delta }];
            let found = Pieces { tampers, ..pieces.clone() }.failures();
            assert!(!found.is_empty(), "nobody notices column {column}, row {row}");
            given.extend(found);
        }
    }
    for name in NAMES {
        assert!(given.iter().any(|given| given.contains(name)), "{name:?} was never the reason, only {given:#?}");
    }
}

#[test]
fn ladders_can_t_use_two_secrets() {
    let seed = seed(37);
    let mut rng = StdRng::seed_from_u64(seed);
    let [first, second] = [true, true].map(|is_odd| secret(&mut rng, is_odd));
    let mut pieces = Pieces::new(seed, &first);
    pieces.other_secret = Some(fixed_base::bits(&second.field()));
    let found = pieces.failures();
    assert!(
        !found.is_empty()
            && found
                .iter()
                .all(|name| name.contains("bit = ") || name.contains("px' = bit") || name.contains("py' = bit")),
        "{found:#?}"
    );
}

#[test]
fn a_base_off_the_curve_is_refused() {
    let seed = seed(38);
    let mut pieces = Pieces::new(seed, &secret(&mut StdRng::seed_from_u64(seed), true));
    pieces.off_curve = Fr::ONE;
    let found = pieces.failures();
    assert!(!found.is_empty() && found.iter().all(|name| name.contains("py² = px³ − 17")), "{found:#?}");
}

/// A cell of a whole answer that is assigned, of the given column.
fn assigned(column: usize, rng: &mut StdRng) -> (usize, usize) {
    let taken = AnswerCircuit::rows();
    let permutations = taken.hashes / HASH_ROWS;
    // After the two constants.
    let arithmetic = taken.points + 2..taken.points + taken.arithmetic;
    let in_ladder = |rng: &mut StdRng, rows: RangeInclusive<usize>| {
        let ladder = rng.gen_range(0..LADDER_ROWS / ROWS);
        ladder * ROWS + rng.gen_range(rows)
    };
    let row = match column {
        0..Z => {
            let first = rng.gen_range(0..permutations) * HASH_ROWS;
            match column % (Z / LANES) {
                // Outputs stand in the row after; partial rounds use their columns too.
                3 | 4 if rng.r#gen() => first + HASH_ROWS,
                3 | 4 => first + rng.gen_range(4..23),
                _ => first + rng.gen_range(0..HASH_ROWS),
            }
        }
        Z..FREE => match rng.gen_range(0..3) {
            0 => in_ladder(rng, 1..=BITS),
            1 => rng.gen_range(LADDER_ROWS..taken.points),
            _ => rng.gen_range(arithmetic),
        },
        // The slope and the inverse of a sum stand below the first ladder.
        FREE | INVERSE if rng.gen_ratio(1, 4) => rng.gen_range(LADDER_ROWS..taken.points),
        _ => in_ladder(rng, 0..=BITS - 1),
    };
    (column, row)
}

#[test]
fn cells_of_an_answer_are_bound() {
    let seed = seed(39);
    let per_column = std::env::var("FOGMATE_CELLS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let mut rng = StdRng::seed_from_u64(seed);
    let (public, private) = draw(seed, AnswerCase::PreDoublePush);
    let instance = AnswerCircuit::instance(&public);
    for _ in 0..per_column {
        for column in 0..COLUMNS {
            let (column, row) = assigned(column, &mut rng);
            let delta = Fr::random(&mut rng);
            let circuit =
                AnswerCircuit { tampers: vec![Tamper { column, row, delta }], ..AnswerCircuit::new(&public, &private) };
            // A gate on this row or the one before, or a copy, has to notice.
            let rows = row.saturating_sub(1)..row + 1;
            let laid = LaidCircuit::of(&circuit, instance.clone());
            let is_noticed = !laid.broken_gates(rows).is_empty() || !laid.broken_copies().is_empty();
            assert!(is_noticed, "nobody notices column {column}, row {row}");
        }
    }
}
