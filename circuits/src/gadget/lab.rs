//! Where the chips are tested: small circuits on the [`Machine`], each cell of whose witness is broken in turn.
//!
//! Every broken cell must be caught, and every constraint of the gates under test must be the reason at least once.

use std::collections::BTreeSet;

use ff::Field;
use fog::testing::seed;
use halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner},
    dev::{MockProver, VerifyFailure},
    plonk::{Circuit, ConstraintSystem, Error},
};
use halo2curves::{
    bn256::Fr,
    grumpkin::{Fr as Scalar, G1, G1Affine},
};
use rand::{Rng, SeedableRng, rngs::StdRng};

use super::{Arith, Cell, Input, Machine, Point, Sheet, Tamper, fixed_base, poseidon};

/// What an experiment lays on the sheet; cells given back are made public.
type Experiment = fn(&Machine, &mut Sheet<'_>, &mut StdRng) -> Vec<Cell>;

#[derive(Clone)]
struct Lab {
    experiment: Experiment,
    seed: u64,
    tampers: Vec<Tamper>,
    table: bool,
}

impl Circuit<Fr> for Lab {
    type Config = Machine;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> Machine {
        Machine::configure(meta)
    }

    fn synthesize(&self, machine: Machine, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        layouter.assign_region(
            || "sheet",
            |region| {
                let mut sheet = Sheet::new(region, self.tampers.clone());
                if self.table {
                    machine.fixed_base.load(&mut sheet);
                }
                (self.experiment)(&machine, &mut sheet, &mut StdRng::seed_from_u64(self.seed));
                Ok(())
            },
        )
    }
}

impl Lab {
    fn new(experiment: Experiment) -> Self {
        Self {
            experiment,
            seed: seed(0x5eed),
            tampers: Vec::new(),
            table: false,
        }
    }

    /// The names of the constraints that fail.
    fn failures(&self, k: u32) -> BTreeSet<String> {
        let prover = MockProver::run(k, self, vec![vec![]]).expect("the sheet is large enough");
        let Err(failures) = prover.verify() else {
            return BTreeSet::new();
        };
        failures
            .iter()
            .map(|failure| match failure {
                VerifyFailure::ConstraintNotSatisfied { constraint, .. } => constraint.to_string(),
                VerifyFailure::Lookup { .. } => "lookup".into(),
                VerifyFailure::Permutation { .. } => "copy".into(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    /// Breaks every cell of `columns` × `rows` by a random amount: each must be caught, and `reasons` must all have been given.
    fn break_cells(
        &self,
        k: u32,
        cells: impl IntoIterator<Item = (usize, usize)>,
        reasons: &[&str],
    ) {
        assert_eq!(self.failures(k), BTreeSet::new());
        let mut given = BTreeSet::new();
        let mut rng = StdRng::seed_from_u64(self.seed);
        for (column, row) in cells {
            let tampers = vec![Tamper {
                column,
                row,
                delta: Fr::random(&mut rng),
            }];
            let failures = Lab {
                tampers,
                ..self.clone()
            }
            .failures(k);
            assert!(
                !failures.is_empty(),
                "nobody notices column {column}, row {row}"
            );
            given.extend(failures);
        }
        for reason in reasons {
            assert!(
                given.iter().any(|g| g.contains(reason)),
                "{reason:?} was never the reason, only {given:#?}"
            );
        }
    }
}

fn every(
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
) -> impl Iterator<Item = (usize, usize)> {
    rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
}

#[test]
fn poseidon_is_the_reference_and_every_cell_of_it_is_bound() {
    let lab = Lab::new(|machine, sheet, rng| {
        let inputs = [
            Fr::random(&mut *rng),
            Fr::random(&mut *rng),
            Fr::random(&mut *rng),
        ];
        let first = machine
            .poseidon
            .permute(sheet, 0, inputs.map(Input::Witness));
        let [left, right] = first.outputs;
        let second = machine.poseidon.permute(
            sheet,
            poseidon::ROWS,
            [
                Input::Copy(left),
                Input::Copy(right),
                Input::Witness(Fr::ONE),
            ],
        );
        let middle = fog::poseidon::hash2(inputs[0], inputs[1], inputs[2]);
        let end = fog::poseidon::hash2(middle[0], middle[1], Fr::ONE);
        let mut arith = Arith::new(&machine.arith, sheet, 64);
        let outputs = [first.outputs, second.outputs].concat();
        for (cell, value) in outputs.into_iter().zip([middle, end].concat()) {
            let k = arith.linear_field(sheet, &[], value);
            sheet.equal(cell, k);
        }
        vec![]
    });
    let mut cells: Vec<_> = every(0..8, 0..poseidon::ROWS).collect();
    // Full rounds leave the output columns empty, but for the outputs of the permutation before.
    let partial = 4..23;
    cells.retain(|(column, row)| !(3..5).contains(column) || partial.contains(row));
    let names = [
        "u0 = (s0 + c0)²",
        "u1 = (s1 + c1)²",
        "u2 = (s2 + c2)²",
        "next0 = M0",
        "next1 = M1",
        "next2 = M2",
        "u0 = x0²",
        "u1 = x1²",
        "u2 = x2²",
        "y1 = linear",
        "y2 = linear",
        "next0 = linear",
        "next1 = linear",
        "next2 = linear",
    ];
    lab.break_cells(7, cells, &names);
}

/// Rows that the experiment on arithmetic fills.
const ARITHMETIC_ROWS: usize = 26;

#[test]
fn arithmetic_is_bound() {
    let lab = Lab::new(|machine, sheet, rng| {
        let mut arith = Arith::new(&machine.arith, sheet, 0);
        let x = arith.constant(sheet, 7);
        let y = arith.constant(sheet, rng.gen_range(8..1000));
        let zero = arith.is_zero(sheet, x);
        sheet.equal(zero, arith.zero());
        let same = arith.is_equal(sheet, x, x);
        sheet.equal(same, arith.one());
        let bits = arith.free_bits(sheet, x.value, 3);
        let weighed = arith.weigh(sheet, &bits);
        sheet.equal(weighed, x);
        arith.assert_nonzero(sheet, y);
        let chosen = arith.select(sheet, bits[0], x, y);
        sheet.equal(chosen, x);
        arith.assert_equal_if(sheet, bits[0], chosen, x);
        let not = arith.not(sheet, bits[1]);
        arith.assert_zero_product(sheet, not, y);
        let sum = arith.linear(sheet, &[(2, x), (-3, y), (1, x), (5, y)], -9);
        let k = arith.linear_field(sheet, &[], Fr::from(12) + y.value + y.value);
        sheet.equal(sum, k);
        let product = arith.inner_product(sheet, &[x, y], &[x, x]);
        let k = arith.linear_field(sheet, &[], Fr::from(7) * (x.value + y.value));
        sheet.equal(product, k);
        assert_eq!(arith.row(), ARITHMETIC_ROWS);
        vec![]
    });
    // Inputs of a row that its coefficients ignore are copies, so they are bound too. Only what is called the inverse of
    // zero, in column 1 of row 7, is anybody's.
    let free = |&(column, row): &(usize, usize)| (column, row) != (1, 7);
    lab.break_cells(
        7,
        every(0..5, 2..ARITHMETIC_ROWS)
            .filter(free)
            .chain([(0, 0), (0, 1)]),
        &["d = k₀", "a = k₀", "copy"],
    );
}

fn random_point(rng: &mut StdRng) -> G1Affine {
    (G1::from(G1Affine::generator()) * Scalar::random(rng)).into()
}

fn place(machine: &Machine, sheet: &mut Sheet<'_>, row: usize, point: G1Affine) -> Point {
    machine
        .ecc
        .place(sheet, row, Input::Witness(point.x), Input::Witness(point.y))
}

fn assert_is(sheet: &mut Sheet<'_>, arith: &mut Arith, point: Point, expected: G1Affine) {
    for (cell, value) in [(point.x, expected.x), (point.y, expected.y)] {
        let k = arith.linear_field(sheet, &[], value);
        sheet.equal(cell, k);
    }
}

#[test]
fn points_add_and_double() {
    let lab = Lab::new(|machine, sheet, rng| {
        let mut arith = Arith::new(&machine.arith, sheet, 32);
        let (p, q) = (random_point(rng), random_point(rng));
        let (p_cells, q_cells) = (place(machine, sheet, 0, p), place(machine, sheet, 1, q));
        assert_is(sheet, &mut arith, p_cells, p);
        assert_is(sheet, &mut arith, q_cells, q);
        let (_, sum) = machine
            .ecc
            .add(sheet, 2, (p_cells.x.into(), p_cells.y.into()), q_cells);
        assert_is(sheet, &mut arith, sum, (p + q).into());
        let more = machine.ecc.continue_with(sheet, 3, sum, q_cells);
        assert_is(sheet, &mut arith, more, (p + q + q).into());
        let half: G1Affine = (G1::from(p) * Scalar::from(2).invert().unwrap()).into();
        let half_cells = machine.ecc.halve(sheet, 6, p_cells, (half.x, half.y));
        assert_is(sheet, &mut arith, half_cells, half);
        vec![]
    });
    let add = [0, 1, 3, 4, 5, 7].map(|column| (column, 2));
    let sum = [0, 1].map(|column| (column, 3));
    let double = [0, 1, 5].map(|column| (column, 6));
    let cells = add
        .into_iter()
        .chain(sum)
        .chain(double)
        .chain([(0, 7), (1, 7)]);
    let names = [
        "(px − x)·inverse",
        "λ·(px − x)",
        "x' = λ² − x − px",
        "y' = λ·(x − x') − y",
        "λ·2y = 3x²",
        "x' = λ² − 2x",
    ];
    lab.break_cells(7, cells, &names);
}

#[test]
fn adding_a_point_to_itself_or_to_its_negative_is_refused() {
    let lab = Lab::new(|machine, sheet, rng| {
        let p = random_point(rng);
        let p_cells = place(machine, sheet, 0, p);
        machine
            .ecc
            .add(sheet, 1, (p_cells.x.into(), p_cells.y.into()), p_cells);
        vec![]
    });
    assert!(
        lab.failures(7)
            .iter()
            .any(|f| f.contains("(px − x)·inverse"))
    );
}

/// The scalar of the ladder and chain experiments.
fn scalar(rng: &mut StdRng) -> Scalar {
    Scalar::random(rng)
}

#[test]
fn a_ladder_multiplies() {
    let lab = Lab::new(|machine, sheet, rng| {
        let mut arith = Arith::new(&machine.arith, sheet, 300);
        let (start, base, k) = (random_point(rng), random_point(rng), scalar(rng));
        let (start_cells, base_cells) = (
            place(machine, sheet, 0, start),
            place(machine, sheet, 1, base),
        );
        assert_is(sheet, &mut arith, start_cells, start);
        assert_is(sheet, &mut arith, base_cells, base);
        let bits = fixed_base::bits(&k);
        let chain = machine
            .ecc
            .ladder(sheet, 2, start_cells, base_cells, arith.zero(), &bits);
        let two_n = Scalar::from(2).pow([bits.len() as u64]);
        let expected = G1::from(start) * two_n + G1::from(base) * (k + k - two_n + Scalar::ONE);
        assert_is(sheet, &mut arith, chain.point, expected.into());
        let z = bits
            .iter()
            .fold(Fr::ZERO, |z, &bit| z.double() + Fr::from(u64::from(bit)));
        let z = arith.linear_field(sheet, &[], z);
        sheet.equal(chain.z, z);
        vec![]
    });
    let names = [
        "bit = z' − 2z",
        "λ·(x − px)",
        "μ·(x − rx)",
        "x' = μ²",
        "y' = μ·",
        "·(x − rx)·inverse",
        "copy",
    ];
    lab.break_cells(9, every(0..8, 2..8).chain(every(0..8, 258..261)), &names);
}

#[test]
fn a_ladder_that_meets_its_base_is_refused() {
    let lab = Lab::new(|machine, sheet, rng| {
        let arith = Arith::new(&machine.arith, sheet, 100);
        let base = random_point(rng);
        let base_cells = place(machine, sheet, 0, base);
        machine.ecc.ladder(
            sheet,
            1,
            base_cells,
            base_cells,
            arith.zero(),
            &[true, false],
        );
        vec![]
    });
    assert!(
        lab.failures(7)
            .iter()
            .any(|f| f.contains("·(x − rx)·inverse"))
    );
}

#[test]
fn windows_multiply_the_generator() {
    let mut lab = Lab::new(|machine, sheet, rng| {
        let mut arith = Arith::new(&machine.arith, sheet, fixed_base::TABLE_ROWS);
        let (start, k) = (random_point(rng), scalar(rng));
        let start_cells = place(machine, sheet, 0, start);
        assert_is(sheet, &mut arith, start_cells, start);
        let bits = fixed_base::bits(&k);
        let high = machine
            .fixed_base
            .chain(sheet, 1, start_cells, arith.zero(), 1..=19, &bits);
        let low = machine.fixed_base.chain(
            sheet,
            high.row + 1,
            high.point,
            arith.zero(),
            20..=37,
            &bits,
        );
        let expected = G1::from(start) + G1::generator() * k;
        assert_is(sheet, &mut arith, low.point, expected.into());
        vec![]
    });
    lab.table = true;
    lab.break_cells(
        13,
        every(0..5, 3..4).chain([(2, 20), (5, 3), (7, 3)]),
        &["lookup", "λ·(px − x)"],
    );
}

/// A row of zeros serves the rows that look nothing up. It must not be an entry of any window: (0, 0) isn't on the curve.
#[test]
fn nothing_but_the_table_is_an_entry_of_a_window() {
    let mut lab = Lab::new(|machine, sheet, rng| {
        let row = fixed_base::TABLE_ROWS;
        let mut arith = Arith::new(&machine.arith, sheet, row + 64);
        // Coefficients such as these were once taken for the first window's entry (0, 0).
        let one = arith.one();
        arith.mul(sheet, one, one);
        arith.boolean(sheet, true);
        let point = random_point(rng);
        let point = place(machine, sheet, row, point);
        machine
            .fixed_base
            .add_entry(sheet, row, point, 1, (Fr::ZERO, Fr::ZERO));
        vec![]
    });
    lab.table = true;
    assert_eq!(lab.failures(13), BTreeSet::from(["lookup".to_string()]));
}
