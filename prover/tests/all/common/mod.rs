//! What several tests of this crate share: a small real circuit, seeded randomness, folders.

pub mod ceremony;

use circuits::{Regions, StatementCircuit};
use halo2_proofs::circuit::Value;
use halo2_proofs::plonk::{Advice, Column, ConstraintSystem, Error, Fixed, Instance, TableColumn};
use halo2_proofs::poly::Rotation;
use halo2curves::bn256::Fr;
use prover::{Statement, Transcript};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use std::path::PathBuf;

/// Values below this are in the lookup table.
pub const TABLE: u64 = 1 << 7;

/// "I know x < 128 with x⁴ = y", beside a tag that goes through unchanged. `EVM` says for whom the proof is.
#[derive(Clone)]
pub struct Small<const K: u32, const EVM: bool> {
    x: Value<Fr>,
    tag: Value<Fr>,
}

#[derive(Clone, Debug)]
pub struct SmallConfig {
    x: Column<Advice>,
    y: Column<Advice>,
    q_power: Column<Fixed>,
    table: TableColumn,
    instance: Column<Instance>,
}

impl<const K: u32, const EVM: bool> StatementCircuit for Small<K, EVM> {
    const NAME: &'static str = "small";
    const K: u32 = K;
    /// x⁴ and the tag.
    type Public = (u64, u64);
    type Private = u64;
    type Columns = SmallConfig;

    fn new(&(_, tag): &(u64, u64), &x: &u64) -> Self {
        Self { x: Value::known(Fr::from(x)), tag: Value::known(Fr::from(tag)) }
    }

    fn blank() -> Self {
        Self { x: Value::unknown(), tag: Value::unknown() }
    }

    fn instance(&(power, tag): &(u64, u64)) -> Vec<Vec<Fr>> {
        vec![vec![Fr::from(power), Fr::from(tag)]]
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> SmallConfig {
        let [x, y] = [meta.advice_column(), meta.advice_column()];
        let (q_power, table) = (meta.fixed_column(), meta.lookup_table_column());
        let instance = meta.instance_column();
        meta.enable_equality(y);
        meta.enable_equality(instance);
        meta.create_gate("q_power · (x⁴ − y) = 0", |meta| {
            let q = meta.query_fixed(q_power, Rotation::cur());
            let x = meta.query_advice(x, Rotation::cur());
            let y = meta.query_advice(y, Rotation::cur());
            vec![q * (x.square().square() - y)]
        });
        meta.lookup("q_power · x is in the table", |meta| {
            let q = meta.query_fixed(q_power, Rotation::cur());
            let x = meta.query_advice(x, Rotation::cur());
            vec![(q * x, table)]
        });
        SmallConfig { x, y, q_power, table, instance }
    }

    fn synthesize(&self, config: &SmallConfig, regions: &mut dyn Regions) -> Result<(), Error> {
        regions.assign_table("values", &mut |mut table| {
            (0..TABLE).try_for_each(|value| {
                let fixed = || Value::known(Fr::from(value));
                table.assign_cell(|| "value", config.table, value as usize, fixed)
            })
        })?;
        let mut cells = Vec::new();
        regions.assign_region("power and tag", &mut |mut region| {
            region.assign_fixed(config.q_power, 0, Fr::one());
            region.assign_advice(config.x, 0, self.x);
            let power = region.assign_advice(config.y, 0, self.x.map(|x| x.square().square()));
            let tag = region.assign_advice(config.y, 1, self.tag);
            cells = vec![power.cell(), tag.cell()];
            Ok(())
        })?;
        cells.iter().enumerate().for_each(|(row, cell)| regions.constrain_instance(*cell, config.instance, row));
        Ok(())
    }
}

impl<const K: u32, const EVM: bool> Statement for Small<K, EVM> {
    const TRANSCRIPT: Transcript = if EVM { Transcript::Keccak } else { Transcript::Blake2b };
    const INSTANCES: &'static [usize] = &[2];
    const KNOWN_KEYS: &'static str = match (K, EVM) {
        (8, _) => {
            "small development 6fea2ab5d4d9c6d429f85c03846890c2e13ab6bccbd2b3c73ec7778bd98da9e6 2d0a90c32c08fcd66aabf0bbc53ae3fae6dd0b7745f97749b49df290e35e4132"
        }
        _ => "",
    };
}

/// Randomness from FOGMATE_SEED, or from a seed of its own; printed, so that a failure can be repeated.
pub fn rng() -> ChaCha20Rng {
    let seed = std::env::var("FOGMATE_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or_else(rand::random);
    println!("FOGMATE_SEED={seed}");
    ChaCha20Rng::seed_from_u64(seed)
}

/// The folder of parameters and keys that the program's tests and demos have too, so that each is made once. A key in it is taken by its hash, also after its
/// circuit has changed, until `make verifiers` has told the program another hash; `generate verifiers --check` makes every key from nothing.
pub fn cache() -> PathBuf {
    let given = std::env::var_os("FOGMATE_CACHE").map(PathBuf::from);
    given.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache/fogmate").into())
}
