//! The chips' tests: small circuits on *turn*'s columns, which have every chip but *answer*'s, each cell of whose witness is broken in turn.
//!
//! Every broken cell must be caught, and every constraint of the gates under test must be the reason at least once.

mod values;

use std::collections::BTreeSet;

use ff::Field;
use fog::{poseidon::Tag, testing::seed};
use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::{
    bn256::Fr,
    grumpkin::{Fr as Scalar, G1, G1Affine},
};
use rand::{Rng, SeedableRng, rngs::StdRng};

use super::{Columns as _, Context, Input, Point, RegionCtx, Rows, Tamper, fixed_base, poseidon};
use crate::{
    laid::LaidCircuit,
    statement::turn::config::{PUBLIC_INPUTS, TurnConfig},
};

/// What a circuit lays.
type Experiment = fn(&TurnConfig, &mut Context<'_>, &mut StdRng);

#[derive(Clone)]
struct ChipCircuit {
    experiment: Experiment,
    first: Rows,
    seed: u64,
    tampers: Vec<Tamper>,
    table: bool,
}

impl Circuit<Fr> for ChipCircuit {
    type Config = TurnConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> TurnConfig {
        TurnConfig::configure(meta)
    }

    fn synthesize(&self, config: TurnConfig, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        layouter.assign_region(
            || "chips",
            |region| {
                let mut region = RegionCtx::new(region, self.tampers.clone());
                if self.table {
                    config.fixed_base.load(&mut region);
                }
                let mut cx = Context::new(region, &config.common, self.first);
                (self.experiment)(&config, &mut cx, &mut StdRng::seed_from_u64(self.seed));
                Ok(())
            },
        )
    }
}

impl ChipCircuit {
    /// Points and hashes begin on row 0, of which a test has one, and arithmetic on a given row.
    fn new(arithmetic: usize, experiment: Experiment) -> Self {
        Self {
            experiment,
            first: Rows { points: 0, hashes: 0, arithmetic },
            seed: seed(0x5eed),
            tampers: Vec::new(),
            table: false,
        }
    }

    /// The names of the constraints that fail.
    fn failures(&self, k: u32) -> BTreeSet<String> {
        let refusals = LaidCircuit::of_rows(k, self, vec![vec![]]).refusals();
        refusals.into_iter().map(|refusal| refusal.what).collect()
    }

    /// Breaks every cell of `columns` × `rows` by a random amount: each must be caught, and `reasons` must all have been given.
    fn break_cells(&self, k: u32, cells: impl IntoIterator<Item = (usize, usize)>, reasons: &[&str]) {
        assert_eq!(self.failures(k), BTreeSet::new());
        let mut given = BTreeSet::new();
        let mut rng = StdRng::seed_from_u64(self.seed);
        for (column, row) in cells {
            let tampers = vec![Tamper { column, row, delta: Fr::random(&mut rng) }];
            let failures = ChipCircuit { tampers, ..self.clone() }.failures(k);
            assert!(!failures.is_empty(), "nobody notices column {column}, row {row}");
            given.extend(failures);
        }
        for reason in reasons {
            assert!(given.iter().any(|g| g.contains(reason)), "{reason:?} was never the reason, only {given:#?}");
        }
    }
}

fn every(columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
}

#[test]
fn poseidon_is_the_reference_and_every_cell_of_it_is_bound() {
    let chips = ChipCircuit::new(64, |_, cx, rng| {
        let inputs = [Fr::random(&mut *rng), Fr::random(&mut *rng)];
        let first = cx.tagged(Tag::Ot, Input::Witness(inputs[0]), Input::Witness(inputs[1]));
        let [left, right] = first.outputs;
        let second = cx.chained(left, right, Input::Witness(Fr::ONE));
        let middle = fog::poseidon::hash2(Tag::Ot.field(), inputs[0], inputs[1]);
        let end = fog::poseidon::hash2(middle[0], middle[1], Fr::ONE);
        let outputs = [first.outputs, second.outputs].concat();
        for (cell, value) in outputs.into_iter().zip([middle, end].concat()) {
            let k = cx.linear_field(&[], value);
            cx.equal("test", cell, k);
        }
    });
    let mut cells: Vec<_> = every(0..8, 0..poseidon::ROWS).collect();
    // Full rounds leave the output columns empty, but for the outputs of the permutation before.
    let partial = 4..23;
    cells.retain(|(column, row)| !(3..5).contains(column) || partial.contains(row));
    let names = [
        "u0 = x0²') in gate 0 ('poseidon full')",
        "u1 = x1²') in gate 0 ('poseidon full')",
        "u2 = x2²') in gate 0 ('poseidon full')",
        "next0 = M0",
        "next1 = M1",
        "next2 = M2",
        "u0 = x0²') in gate 2 ('poseidon partial')",
        "u1 = x1²') in gate 2 ('poseidon partial')",
        "u2 = x2²') in gate 2 ('poseidon partial')",
        "y1 = linear",
        "y2 = linear",
        "next0 = linear",
        "next1 = linear",
        "next2 = linear",
    ];
    chips.break_cells(7, cells, &names);
}

/// Rows that the experiment on arithmetic fills, 0 and 1 included.
const ARITHMETIC_ROWS: usize = 26;

#[test]
fn arithmetic_is_bound() {
    let chips = ChipCircuit::new(0, |_, cx, rng| {
        let x = cx.constant(7);
        let y = cx.constant(rng.gen_range(8..1000));
        let zero = cx.is_zero(x);
        cx.equal("test", zero, cx.zero);
        let same = cx.is_equal(x, x);
        cx.equal("test", same, cx.one);
        let bits = cx.free_bits(x.value, 3);
        let weighed = cx.number(&bits);
        cx.equal("test", weighed, x);
        cx.assert_nonzero("test", y);
        let chosen = cx.select(bits[0], x, y);
        cx.equal("test", chosen, x);
        cx.assert_equal_if("test", bits[0], chosen, x);
        let not = cx.not(bits[1]);
        cx.assert_zero_product("test", not, y);
        let sum = cx.linear(&[(2, x), (-3, y), (1, x), (5, y)], -9);
        let k = cx.linear_field(&[], Fr::from(12) + y.value + y.value);
        cx.equal("test", sum, k);
        let product = cx.inner_product(&[x, y], &[x, x]);
        let k = cx.linear_field(&[], Fr::from(7) * (x.value + y.value));
        cx.equal("test", product, k);
        assert_eq!(cx.taken().arithmetic, ARITHMETIC_ROWS);
    });
    // Inputs of a row that its coefficients ignore are copies, so they are bound too. Only what is called the inverse of
    // zero, in column 1 of row 7, is anybody's.
    let free = |&(column, row): &(usize, usize)| (column, row) != (1, 7);
    chips.break_cells(
        7,
        every(0..5, 2..ARITHMETIC_ROWS).filter(free).chain([(0, 0), (0, 1)]),
        &["d = k₀", "a = k₀", "copy"],
    );
}

/// The first row below the public inputs' and the window table.
const BELOW_TABLE: usize = PUBLIC_INPUTS + fixed_base::TABLE_ROWS;

fn random_point(rng: &mut StdRng) -> G1Affine {
    (G1::from(G1Affine::generator()) * Scalar::random(rng)).into()
}

fn place(config: &TurnConfig, cx: &mut Context<'_>, point: G1Affine) -> Point {
    let (x, y) = (Input::Witness(point.x), Input::Witness(point.y));
    config.ecc.place(cx, x, y)
}

fn assert_is(cx: &mut Context<'_>, point: Point, expected: G1Affine) {
    for (cell, value) in [(point.x, expected.x), (point.y, expected.y)] {
        let k = cx.linear_field(&[], value);
        cx.equal("test", cell, k);
    }
}

/// Places a point that is known to be what it is.
fn place_known(config: &TurnConfig, cx: &mut Context<'_>, point: G1Affine) -> Point {
    let cells = place(config, cx, point);
    assert_is(cx, cells, point);
    cells
}

#[test]
fn points_add_and_double() {
    let chips = ChipCircuit::new(32, |config, cx, rng| {
        let ecc = &config.ecc;
        let (p, q) = (random_point(rng), random_point(rng));
        let (p_cells, q_cells) = (place_known(config, cx, p), place_known(config, cx, q));
        let left = ecc.place(cx, p_cells.x, p_cells.y);
        let sum = ecc.add_to_last(cx, left, q_cells.into());
        assert_is(cx, sum, (p + q).into());
        let more = ecc.add_to_last(cx, sum, q_cells.into());
        assert_is(cx, more, (p + q + q).into());
        let half: G1Affine = (G1::from(p) * Scalar::from(2).invert().unwrap()).into();
        let half_cells = ecc.halve(cx, p_cells, [half.x, half.y]);
        assert_is(cx, half_cells, half);
    });
    let add = [0, 1, 3, 4, 5, 7].map(|column| (column, 2));
    let sum = [0, 1].map(|column| (column, 3));
    let double = [0, 1, 5].map(|column| (column, 5));
    let cells = add.into_iter().chain(sum).chain(double).chain([(0, 6), (1, 6)]);
    let names =
        ["(px − x)·inverse", "λ·(px − x)", "x' = λ² − x − px", "y' = λ·(x − x') − y", "λ·2y = 3x²", "x' = λ² − 2x"];
    chips.break_cells(7, cells, &names);
}

#[test]
fn adding_a_point_to_itself_or_to_its_negative_is_refused() {
    let chips = ChipCircuit::new(32, |config, cx, rng| {
        let point = random_point(rng);
        let point = place(config, cx, point);
        let left = config.ecc.place(cx, point.x, point.y);
        config.ecc.add_to_last(cx, left, point.into());
    });
    let found = chips.failures(7);
    assert!(found.iter().any(|name| name.contains("(px − x)·inverse")));
}

#[test]
fn a_ladder_multiplies() {
    let chips = ChipCircuit::new(300, |config, cx, rng| {
        let (start, base) = (random_point(rng), random_point(rng));
        let k = Scalar::random(rng);
        let start_cells = place_known(config, cx, start);
        let base_cells = place_known(config, cx, base);
        let bits: [bool; fixed_base::BITS] = fixed_base::bits(&k);
        let chain = config.ecc.ladder(cx, start_cells, base_cells, &bits);
        let two_n = Scalar::from(2).pow([bits.len() as u64]);
        let expected = G1::from(start) * two_n + G1::from(base) * (k + k - two_n + Scalar::ONE);
        assert_is(cx, chain.point, expected.into());
        let z = bits.iter().fold(Fr::ZERO, |z, &bit| z.double() + Fr::from(u64::from(bit)));
        let z = cx.linear_field(&[], z);
        cx.equal("test", chain.z, z);
    });
    let names = ["bit = z' − 2z", "λ·(x − px)", "μ·(x − rx)", "x' = μ²", "y' = μ·", "·(x − rx)·inverse", "copy"];
    let cells = every(0..8, 2..8).chain(every(0..8, 258..261));
    chips.break_cells(9, cells, &names);
}

#[test]
fn a_ladder_that_meets_its_base_is_refused() {
    let chips = ChipCircuit::new(64, |config, cx, rng| {
        let base = random_point(rng);
        let base = place(config, cx, base);
        config.ecc.ladder(cx, base, base, &[true, false]);
    });
    let found = chips.failures(7);
    assert!(found.iter().any(|name| name.contains("·(x − rx)·inverse")));
}

#[test]
fn windows_multiply_the_generator() {
    let mut chips = ChipCircuit::new(BELOW_TABLE, |config, cx, rng| {
        let (start, k) = (random_point(rng), Scalar::random(rng));
        let start_cells = place_known(config, cx, start);
        let bits = fixed_base::bits(&k);
        let windows = &config.fixed_base;
        let high = windows.chain(cx, start_cells, 1..=19, &bits);
        let low = windows.chain(cx, high.point, 20..=37, &bits);
        let expected = G1::from(start) + G1::generator() * k;
        assert_is(cx, low.point, expected.into());
    });
    chips.table = true;
    chips.break_cells(13, every(0..5, 3..4).chain([(2, 20), (5, 3), (7, 3)]), &["lookup", "λ·(px − x)"]);
}

/// A row of zeros serves the rows that look nothing up. It must not be an entry of any window: (0, 0) isn't on the curve.
#[test]
fn nothing_but_the_table_is_an_entry_of_a_window() {
    let mut chips = ChipCircuit::new(BELOW_TABLE + 64, |config, cx, rng| {
        // Coefficients such as these were once taken for the first window's entry (0, 0).
        cx.mul(cx.one, cx.one);
        cx.boolean(true);
        let point = random_point(rng);
        let point = place(config, cx, point);
        let entry = [Fr::ZERO; 2];
        config.fixed_base.add_entry(cx, point, 1, entry);
    });
    chips.first.points = BELOW_TABLE;
    chips.table = true;
    assert_eq!(chips.failures(13), BTreeSet::from(["lookup 0 ('window's point')".to_string()]));
}
