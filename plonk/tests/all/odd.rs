//! Circuits of odd shapes: what the random ones and the statements never have.

use crate::same_bytes::{compare, compare_with, key, paths, paths_of_large_circuits};
use fog::testing::cases;
use halo2_proofs::circuit::{Layouter, SimpleFloorPlanner, Value};
use halo2_proofs::dev::MockProver;
use halo2_proofs::plonk::{
    Advice, Assigned, Circuit, Column, ConstraintSystem, Error, Expression, Fixed, Instance, Selector,
};
use halo2_proofs::poly::Rotation;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use plonk::{Lanes, Tables};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
enum Kind {
    /// Fixed, instance and constant columns under the permutation argument; several sets.
    #[default]
    Equalities,
    /// An instance in a gate, rotated.
    InstanceGate,
    /// An instance as a table, and in an input.
    InstanceTable,
    /// Advice as a table, of several expressions with rotations, twice the same.
    DynamicTable,
    /// An input that is a constant.
    ConstantInput,
    /// Columns that nothing asks for.
    Unqueried,
    /// Rotations beyond the rows.
    Far,
    /// A larger degree than is needed.
    Degree(usize),
    /// Fractions with a zero below, cells assigned again, cells in all usable rows.
    Again,
    NoAdvice,
    /// Constraints that are constants or the same twice.
    Constants,
    /// A gate of more than the greatest degree: the library's proof doesn't verify, but it is made.
    Steep,
}

#[derive(Clone, Debug)]
struct Odd(Kind);

#[derive(Clone, Debug)]
struct Config {
    advice: Vec<Column<Advice>>,
    fixed: Vec<Column<Fixed>>,
    instance: Vec<Column<Instance>>,
    selector: Selector,
}

fn int(value: u64) -> Fr {
    Fr::from(value)
}

fn fixed_value(column: usize, row: usize) -> Fr {
    int((column * 10 + row) as u64)
}

impl Circuit<Fr> for Odd {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Kind;

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn params(&self) -> Kind {
        self.0
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> Config {
        unreachable!()
    }

    fn configure_with_params(cs: &mut ConstraintSystem<Fr>, kind: Kind) -> Config {
        let advice: Vec<_> =
            if kind == Kind::NoAdvice { Vec::new() } else { (0..3).map(|_| cs.advice_column()).collect() };
        let fixed: Vec<_> = (0..3).map(|_| cs.fixed_column()).collect();
        let instance: Vec<_> = (0..2).map(|_| cs.instance_column()).collect();
        let selector = cs.complex_selector();
        let next = Rotation::next();
        match kind {
            Kind::Equalities => {
                cs.enable_constant(fixed[2]);
                cs.enable_equality(fixed[0]);
                advice.iter().for_each(|column| cs.enable_equality(*column));
                instance.iter().for_each(|column| cs.enable_equality(*column));
            }
            Kind::InstanceGate => cs.create_gate("instance", |cells| {
                let [a, b] = [-1, 2].map(|at| cells.query_instance(instance[0], Rotation(at)));
                let s = cells.query_selector(selector);
                let c = cells.query_instance(instance[1], Rotation::cur());
                vec![s * (cells.query_advice(advice[0], next) - a * b - c)]
            }),
            Kind::InstanceTable => {
                for _ in 0..2 {
                    cs.lookup_any("instance", |cells| {
                        let i = |cells: &mut halo2_proofs::plonk::VirtualCells<'_, Fr>, c: usize, at| {
                            cells.query_instance(instance[c], Rotation(at))
                        };
                        let table = i(cells, 0, 1);
                        let s = cells.query_selector(selector);
                        let input = s * (cells.query_advice(advice[0], Rotation::cur()) - i(cells, 1, -1));
                        vec![(input, table)]
                    });
                }
            }
            Kind::DynamicTable => {
                for _ in 0..2 {
                    cs.lookup_any("advice", |cells| {
                        let s = cells.query_selector(selector);
                        let mut a = |c: usize, at| cells.query_advice(advice[c], Rotation(at));
                        vec![
                            (s.clone() * a(0, 0), a(1, 0)),
                            (s.clone() * a(0, 0) * a(0, 0), a(2, 0) * Expression::Constant(Fr::ONE)),
                            (s * a(0, 0), a(1, -1) - a(1, -1) + a(1, 0)),
                        ]
                    });
                }
            }
            Kind::ConstantInput => {
                for _ in 0..2 {
                    cs.lookup_any("constant", |cells| {
                        let f = cells.query_fixed(fixed[0], Rotation::cur());
                        let g = cells.query_fixed(fixed[0], Rotation::cur());
                        vec![
                            (Expression::Constant(int(2)), f.clone()),
                            (-Expression::Constant(-int(4)), f * g),
                            (Expression::Constant(Fr::ZERO), Expression::Constant(Fr::ZERO)),
                        ]
                    });
                }
            }
            Kind::Unqueried => cs.create_gate("one", |cells| {
                let s = cells.query_selector(selector);
                vec![s * cells.query_advice(advice[1], Rotation::cur())]
            }),
            Kind::Far => cs.create_gate("far", |cells| {
                let s = cells.query_selector(selector);
                let near = cells.query_advice(advice[0], Rotation(1));
                let far = cells.query_advice(advice[0], Rotation(1 - 1000 * 64 + 3));
                let fixed = cells.query_fixed(fixed[1], Rotation(130));
                vec![s * (near - far) * fixed]
            }),
            Kind::Degree(degree) => {
                cs.set_minimum_degree(degree);
                advice.iter().for_each(|column| cs.enable_equality(*column));
                cs.create_gate("one", |cells| {
                    let s = cells.query_selector(selector);
                    vec![s * cells.query_advice(advice[1], Rotation::cur())]
                });
            }
            Kind::Again => {
                advice.iter().for_each(|column| cs.enable_equality(*column));
            }
            Kind::NoAdvice => cs.create_gate("fixed", |cells| {
                let f = cells.query_fixed(fixed[0], Rotation::cur());
                vec![f * cells.query_instance(instance[0], Rotation::cur())]
            }),
            Kind::Constants => {
                for _ in 0..3 {
                    cs.create_gate("constants", |cells| {
                        let zero = Expression::Constant(Fr::ZERO);
                        let two = Expression::Constant(int(2));
                        let a = cells.query_advice(advice[0], Rotation::cur());
                        let s = cells.query_selector(selector);
                        vec![
                            zero.clone(),
                            -zero.clone(),
                            zero.clone() - two.clone() + two.clone(),
                            a.clone() * zero.clone(),
                            zero.clone() * a.clone(),
                            (a.clone() - a.clone()) * int(5),
                            s.clone() * (two.clone() * two.clone() - Expression::Constant(int(4))),
                            (a.clone() * Fr::ZERO) * two.clone(),
                            two * (a.clone() * Fr::ONE - a.clone()),
                            -(-(s.clone() * (a.clone() - a.clone()))),
                            s.clone() * s * (a.clone() - a),
                        ]
                    });
                }
            }
            Kind::Steep => cs.create_gate("steep", |cells| {
                let s = cells.query_selector(selector);
                let a = cells.query_advice(advice[0], Rotation::cur());
                vec![(0..8).fold(s, |product, _| product * a.clone())]
            }),
        }
        Config { advice, fixed, instance, selector }
    }

    fn synthesize(&self, config: Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        let kind = self.0;
        let Config { advice, fixed, instance, selector } = config;
        let cell = layouter.assign_region(
            || "all",
            |mut region| {
                let mut fixed_cells = Vec::new();
                for (index, column) in fixed.iter().enumerate().take(2) {
                    for row in 0..(if kind == Kind::NoAdvice { 0 } else { 3 }) {
                        fixed_cells.push(region.assign_fixed(*column, row, fixed_value(index, row)));
                    }
                }
                let put = |region: &mut halo2_proofs::circuit::Region<'_, Fr>, c: usize, row, value: Assigned<Fr>| {
                    region.assign_advice(advice[c], row, Value::known(value)).cell()
                };
                let t = |v| Assigned::Trivial(int(v));
                match kind {
                    Kind::Equalities => {
                        let a = put(&mut region, 0, 0, t(1));
                        region.constrain_equal(a, fixed_cells[1]);
                        let b = put(&mut region, 1, 1, t(1));
                        region.constrain_equal(a, b);
                        let c = put(&mut region, 2, 0, t(77));
                        region.constrain_constant(c, Assigned::Trivial(int(77)))?;
                        return Ok(Some(b));
                    }
                    Kind::InstanceGate => {
                        selector.enable(&mut region, 1)?;
                        // a(2) = i0(0)·i0(3) + i1(1)
                        put(&mut region, 0, 2, t(5 * 8 + 3));
                    }
                    Kind::InstanceTable => {
                        selector.enable(&mut region, 1)?;
                        selector.enable(&mut region, 2)?;
                        put(&mut region, 0, 1, t(6 + 2));
                        put(&mut region, 0, 2, t(8 + 3));
                    }
                    Kind::DynamicTable => {
                        for (row, value) in [(0, 4), (1, 9), (2, 4)] {
                            selector.enable(&mut region, row)?;
                            put(&mut region, 0, row, t(value));
                        }
                        for (row, value) in [(3, 9), (5, 4)] {
                            put(&mut region, 1, row, t(value));
                            put(&mut region, 2, row, t(value * value));
                        }
                    }
                    Kind::Unqueried => {
                        selector.enable(&mut region, 1)?;
                        put(&mut region, 0, 1, t(9));
                        put(&mut region, 2, 1, t(9));
                    }
                    Kind::Degree(_) => {
                        selector.enable(&mut region, 1)?;
                        let a = put(&mut region, 0, 1, t(9));
                        let b = put(&mut region, 2, 0, t(9));
                        region.constrain_equal(a, b);
                    }
                    Kind::Far => {
                        selector.enable(&mut region, 1)?;
                        put(&mut region, 0, 2, t(9));
                        put(&mut region, 0, 5, t(9));
                    }
                    Kind::Again => {
                        put(&mut region, 0, 0, Assigned::Rational(int(3), Fr::ZERO));
                        put(&mut region, 0, 1, Assigned::Rational(Fr::ZERO, Fr::ZERO));
                        put(&mut region, 0, 2, Assigned::Rational(int(3), int(9)));
                        put(&mut region, 0, 2, t(7));
                        put(&mut region, 0, 3, t(7));
                        put(&mut region, 0, 3, Assigned::Rational(int(3), int(9)));
                        put(&mut region, 0, 4, Assigned::Rational(int(3), int(9)));
                        put(&mut region, 0, 4, Assigned::Zero);
                        put(&mut region, 0, 5, Assigned::Rational(int(3), Fr::ZERO));
                        put(&mut region, 0, 5, Assigned::Rational(int(3), Fr::ONE));
                    }
                    Kind::Constants => {
                        selector.enable(&mut region, 1)?;
                        put(&mut region, 0, 1, t(9));
                    }
                    Kind::ConstantInput | Kind::NoAdvice | Kind::Steep => {}
                }
                Ok(None)
            },
        )?;
        if let Some(cell) = cell {
            layouter.constrain_instance(cell, instance[1], 2);
        }
        Ok(())
    }
}

fn instances(kind: Kind) -> Vec<Vec<Fr>> {
    match kind {
        Kind::Equalities => vec![vec![], vec![int(4), int(5), int(1)]],
        Kind::NoAdvice => vec![vec![int(4)], vec![]],
        Kind::InstanceTable => vec![vec![int(5), int(6), int(8)], vec![int(2), int(3)]],
        _ => vec![vec![int(5), int(6), int(7), int(8)], vec![int(2), int(3)]],
    }
}

fn check(kind: Kind, k: u32, paths: &[Option<Lanes>]) {
    let params = plonk::setup(k, ChaCha20Rng::seed_from_u64(9));
    let tables = Arc::new(Tables::new(&params));
    let circuit = Odd(kind);
    let instances = instances(kind);
    // The mock prover refuses constraints without a selector whatever they say, and trips over 0/0.
    if !matches!(kind, Kind::Steep | Kind::Constants | Kind::Again) {
        MockProver::run(k, &circuit, instances.clone()).unwrap().assert_satisfied();
    }
    compare_with(&key(&circuit, &params), &circuit, &instances, &params, &tables, paths, &(kind, k));
}

macro_rules! odd {
    ($($name:ident: $kind:expr),* $(,)?) => {$(
        #[test]
        fn $name() {
            for k in [4, 5, 6, 11] {
                if k < 5 && matches!($kind, Kind::Equalities | Kind::DynamicTable | Kind::InstanceGate | Kind::Again) {
                    continue;
                }
                check($kind, k, &paths());
            }
        }
    )*};
}

odd! {
    odd_equalities: Kind::Equalities,
    odd_instance_gate: Kind::InstanceGate,
    odd_instance_table: Kind::InstanceTable,
    odd_dynamic_table: Kind::DynamicTable,
    odd_constant_input: Kind::ConstantInput,
    odd_unqueried: Kind::Unqueried,
    odd_far: Kind::Far,
    odd_degree_4: Kind::Degree(4),
    odd_degree_6: Kind::Degree(6),
    odd_degree_9: Kind::Degree(9),
    odd_degree_17: Kind::Degree(17),
    odd_again: Kind::Again,
    odd_no_advice: Kind::NoAdvice,
    odd_constants: Kind::Constants,
    odd_steep: Kind::Steep,
}

#[derive(Clone)]
struct Nothing;

impl Circuit<Fr> for Nothing {
    type Config = ();
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        Self
    }

    fn configure(_: &mut ConstraintSystem<Fr>) {}

    fn synthesize(&self, (): (), _: impl Layouter<Fr>) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn odd_nothing() {
    for k in [3, 4] {
        let params = plonk::setup(k, ChaCha20Rng::seed_from_u64(9));
        compare(&Nothing, &[], &params, &Arc::new(Tables::new(&params)), &"nothing");
    }
}

/// More rows than digits have sizes for.
#[test]
fn odd_large() {
    for (kind, k) in [(Kind::ConstantInput, 16), (Kind::Degree(4), 15)].into_iter().take(cases(2)) {
        check(kind, k, &paths_of_large_circuits());
    }
}

/// One advice column that gates ask in far-away rows.
#[derive(Clone)]
struct Reaching(i32);

impl Circuit<Fr> for Reaching {
    type Config = ();
    type FloorPlanner = SimpleFloorPlanner;
    type Params = i32;

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn params(&self) -> i32 {
        self.0
    }

    fn configure(_: &mut ConstraintSystem<Fr>) {
        unreachable!()
    }

    fn configure_with_params(cs: &mut ConstraintSystem<Fr>, rotation: i32) {
        let (advice, fixed) = (cs.advice_column(), cs.fixed_column());
        cs.create_gate("far", |cells| {
            vec![cells.query_fixed(fixed, Rotation::cur()) * cells.query_advice(advice, Rotation(rotation))]
        });
    }

    fn synthesize(&self, (): (), _: impl Layouter<Fr>) -> Result<(), Error> {
        Ok(())
    }
}

/// Rotations count modulo the rows, so the margins beside a column are never wider than the column.
#[test]
fn odd_rotations_take_no_memory() {
    let params = plonk::setup(4, ChaCha20Rng::seed_from_u64(9));
    compare(&Reaching(-(1 << 23) + 1), &[], &params, &Arc::new(Tables::new(&params)), &"reaching");
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim();
    let peak: u64 = peak.strip_suffix("kB").unwrap().trim().parse().unwrap();
    assert!(peak < 200_000, "{peak} kB for a circuit of 16 rows");
}
