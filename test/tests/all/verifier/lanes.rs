//! A family of small circuits for the generator: as many lanes as one likes, with gates over three rotations, a long constant, lookups,
//! copies from lane to lane, and a fixed column of zeros.
//!
//! Lane by lane: `a' = a² + C·b` over a few rows, where `b < 16` in the first lanes by a lookup and `d = b₋₁ + b₊₂`. Public are the first
//! `a` of the first lane and the last `a` of the last one; lanes go on where the one before ended.

use circuits::{Regions, StatementCircuit};
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{Advice, Column, ConstraintSystem, Error, Fixed, Instance};
use halo2_proofs::poly::Rotation;
use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField as _;
use prover::{Statement, Transcript};

/// Base-two logarithm of the rows.
pub const K: u32 = 8;
/// Steps of a lane, from row 1 on.
const STEPS: usize = 5;
/// Values in the table.
const TABLE: u64 = 16;

/// A constant that is neither small nor the negative of a small number.
fn long() -> Fr {
    Fr::from(7).invert().expect("seven is not zero")
}

/// `b` in a row of a lane.
fn b(lane: usize, row: usize) -> Fr {
    Fr::from((3 * lane + 5 * row) as u64 % TABLE)
}

/// The values of `a` in a lane, and where the next one starts.
fn lane_values(start: Fr, lane: usize) -> Vec<Fr> {
    let mut values = vec![start];
    for step in 0..STEPS {
        let a = values[step];
        values.push(a.square() + long() * b(lane, 1 + step));
    }
    values
}

/// The public inputs of a start.
pub fn public<const LANES: usize>(start: u64) -> Vec<Fr> {
    let mut a = Fr::from(start);
    let first = a;
    for lane in 0..LANES {
        a = lane_values(a, lane)[STEPS];
    }
    vec![first, a]
}

/// A field element as a word.
pub fn word(value: &Fr) -> [u8; 32] {
    let mut bytes = value.to_repr();
    bytes.reverse();
    bytes
}

#[derive(Clone)]
pub struct Lanes<const LANES: usize, const LOOKUPS: usize> {
    start: Value<Fr>,
}

#[derive(Clone, Debug)]
pub struct Config {
    a: Vec<Column<Advice>>,
    b: Vec<Column<Advice>>,
    d: Column<Advice>,
    on: Column<Fixed>,
    link: Column<Fixed>,
    table: Column<Fixed>,
    instance: Column<Instance>,
}

impl Config {
    fn new(meta: &mut ConstraintSystem<Fr>, lanes: usize, lookups: usize) -> Self {
        let a: Vec<_> = (0..lanes).map(|_| meta.advice_column()).collect();
        let b: Vec<_> = (0..lanes).map(|_| meta.advice_column()).collect();
        let d = meta.advice_column();
        let [on, link, zeros, table] = [(); 4].map(|()| meta.fixed_column());
        let instance = meta.instance_column();
        meta.enable_equality(instance);
        a.iter().for_each(|&column| meta.enable_equality(column));
        for lane in 0..lanes {
            meta.create_gate("step", |meta| {
                let on = meta.query_fixed(on, Rotation::cur());
                let here = meta.query_advice(a[lane], Rotation::cur());
                let next = meta.query_advice(a[lane], Rotation::next());
                let b = meta.query_advice(b[lane], Rotation::cur());
                let square = here.clone() * here;
                vec![
                    on.clone() * (next.clone() - square.clone() - b.clone() * long()),
                    on * (square - next + b * long()),
                ]
            });
        }
        meta.create_gate("link", |meta| {
            let link = meta.query_fixed(link, Rotation::cur());
            let d = meta.query_advice(d, Rotation::cur());
            let before = meta.query_advice(b[0], Rotation::prev());
            let after = meta.query_advice(b[0], Rotation(2));
            vec![link * (before + after - d)]
        });
        meta.create_gate("never on", |meta| {
            let zeros = meta.query_fixed(zeros, Rotation::cur());
            let a = meta.query_advice(a[0], Rotation::cur());
            vec![zeros * a]
        });
        for &b in &b[..lookups] {
            meta.lookup_any("b is small", |meta| {
                let on = meta.query_fixed(on, Rotation::cur());
                let b = meta.query_advice(b, Rotation::cur());
                let table = meta.query_fixed(table, Rotation::cur());
                vec![(on * b, table)]
            });
        }
        Self { a, b, d, on, link, table, instance }
    }

    /// Lays the lanes. `linked` says in which row the gate "link" is on.
    fn lay(&self, start: Value<Fr>, linked: usize, regions: &mut dyn Regions) -> Result<(), Error> {
        let mut ends = Vec::new();
        regions.assign_region("lanes", &mut |mut region| {
            ends.clear();
            for value in 0..TABLE {
                region.assign_fixed(self.table, value as usize, Fr::from(value));
            }
            for row in 1..=STEPS {
                region.assign_fixed(self.on, row, Fr::one());
            }
            region.assign_fixed(self.link, linked, Fr::one());
            region.assign_advice(self.d, linked, Value::known(b(0, linked - 1) + b(0, linked + 2)));
            let mut a = start;
            for lane in 0..self.a.len() {
                let values = a.map(|a| lane_values(a, lane));
                for row in 0..STEPS + 4 {
                    region.assign_advice(self.b[lane], row, Value::known(b(lane, row)));
                }
                let cells = (0..=STEPS).map(|step| {
                    let value = values.as_ref().map(|values| values[step]);
                    region.assign_advice(self.a[lane], 1 + step, value).cell()
                });
                let cells: Vec<_> = cells.collect();
                if let Some((_, last)) = ends.last() {
                    region.constrain_equal(*last, cells[0]);
                }
                ends.push((cells[0], cells[STEPS]));
                a = values.map(|values| values[STEPS]);
            }
            Ok(())
        })?;
        regions.constrain_instance(ends[0].0, self.instance, 0);
        regions.constrain_instance(ends[ends.len() - 1].1, self.instance, 1);
        Ok(())
    }
}

impl<const LANES: usize, const LOOKUPS: usize> StatementCircuit for Lanes<LANES, LOOKUPS> {
    const NAME: &'static str = "lanes";
    const K: u32 = K;
    type Public = Vec<Fr>;
    type Private = u64;
    type Columns = Config;

    fn new(_: &Vec<Fr>, start: &u64) -> Self {
        Self { start: Value::known(Fr::from(*start)) }
    }

    fn blank() -> Self {
        Self { start: Value::unknown() }
    }

    fn instance(public: &Vec<Fr>) -> Vec<Vec<Fr>> {
        vec![public.clone()]
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> Config {
        Config::new(meta, LANES, LOOKUPS)
    }

    fn synthesize(&self, config: &Config, regions: &mut dyn Regions) -> Result<(), Error> {
        config.lay(self.start, 2, regions)
    }
}

impl<const LANES: usize, const LOOKUPS: usize> Statement for Lanes<LANES, LOOKUPS> {
    const TRANSCRIPT: Transcript = Transcript::Keccak;
    const INSTANCES: &'static [usize] = &[2];
    const KNOWN_KEYS: &'static str = "";
}

/// Another statement of the shape of `Lanes<2, 1>`: its gate "link" is on in another row.
#[derive(Clone)]
pub struct Sibling(Lanes<2, 1>);

impl StatementCircuit for Sibling {
    const NAME: &'static str = "sibling";
    const K: u32 = K;
    type Public = Vec<Fr>;
    type Private = u64;
    type Columns = Config;

    fn new(public: &Vec<Fr>, start: &u64) -> Self {
        Self(Lanes::new(public, start))
    }

    fn blank() -> Self {
        Self(Lanes::blank())
    }

    fn instance(public: &Vec<Fr>) -> Vec<Vec<Fr>> {
        vec![public.clone()]
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> Config {
        Config::new(meta, 2, 1)
    }

    fn synthesize(&self, config: &Config, regions: &mut dyn Regions) -> Result<(), Error> {
        config.lay(self.0.start, 3, regions)
    }
}

impl Statement for Sibling {
    const TRANSCRIPT: Transcript = Transcript::Keccak;
    const INSTANCES: &'static [usize] = &[2];
    const KNOWN_KEYS: &'static str = "";
}
