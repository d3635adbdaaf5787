//! Columns and gates. A row has the coefficients of one power of `X`; so a column is a polynomial, and columns of the second phase are its values
//! at the challenge `z`, by Horner's rule from the last row up: the first row has all values, and the last gate there binds them to each other.

use engines::bfv::parameters::DEGREE;
use halo2_proofs::{
    plonk::{
        Advice, Challenge, Column, ConstraintSystem, Constraints, Expression, FirstPhase, Fixed, Instance, SecondPhase,
        VirtualCells,
    },
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{
    numbers::{multiples, pairs},
    relation::{MULTIPLES, Relations},
    row::{Number, Row, mixed},
    values::products,
};
use crate::gadget::{RegionCtx, assert_degree_is};

#[derive(Clone, Debug)]
pub struct RingConfig {
    pub small: Vec<Column<Advice>>,
    pub limbs: Vec<Column<Advice>>,
    /// The sums of weighted coefficients from a row on: of what is seen, or of the slots.
    pub sums: Vec<Column<Advice>>,
    /// If the plaintext is of some slots.
    pub slots: Option<SlotsConfig>,
    /// The quotients by `Xᴺ + 1` of the relations.
    pub quotients: Vec<Column<Advice>>,
    pub factors: Vec<Column<Advice>>,
    /// The value of what is linear in all relations.
    pub rest: Column<Advice>,
    /// Powers of `z`, and `zᴺ + 1` in all rows.
    pub power: Column<Advice>,
    pub vanishing: Column<Advice>,
    /// Where polynomials are valued, and by which relations are mixed.
    pub challenges: [Challenge; 2],
    instance: Vec<Column<Instance>>,
    /// 1 in the rows of coefficients, in the first of them, and in the row after the last.
    rows: Column<Fixed>,
    first: Column<Fixed>,
    end: Column<Fixed>,
    /// The numbers that a limb may be, and pairs of small digits.
    table: Column<Fixed>,
    pairs: [Column<Fixed>; 2],
}

#[derive(Clone, Debug)]
pub struct SlotsConfig {
    /// The slots, to be copied from where they are laid.
    pub slots: Column<Advice>,
    /// 1 in the rows of sums, and in the row after them.
    summed: Column<Fixed>,
    end: Column<Fixed>,
    /// What multiples of the plaintext modulus are worth in each sum, in the rows below the last coefficient.
    multiples: Vec<Column<Fixed>>,
}

impl SlotsConfig {
    fn new(meta: &mut ConstraintSystem<Fr>, sums: usize) -> Self {
        let slots = meta.advice_column_in(FirstPhase);
        meta.enable_equality(slots);
        let [summed, end] = [(); 2].map(|()| meta.fixed_column());
        Self { slots, summed, end, multiples: (0..sums).map(|_| meta.fixed_column()).collect() }
    }

    /// Fills the fixed columns.
    fn load(&self, region: &mut RegionCtx<'_>) {
        let below = MULTIPLES * self.multiples.len();
        for row in 0..DEGREE + below {
            region.fixed(self.summed, row, Fr::one());
        }
        region.fixed(self.end, DEGREE + below, Fr::one());
        for (number, column) in self.multiples.iter().enumerate() {
            for (place, worth) in multiples().enumerate() {
                region.fixed(*column, DEGREE + MULTIPLES * number + place, worth);
            }
        }
    }
}

impl Number for Expression<Fr> {
    fn constant(value: Fr) -> Self {
        Self::Constant(value)
    }
}

impl RingConfig {
    /// Makes all columns and gates.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, relations: &Relations) -> Self {
        let instance = (0..relations.public).map(|_| meta.instance_column()).collect();
        let mut columns =
            |count: usize| -> Vec<Column<Advice>> { (0..count).map(|_| meta.advice_column_in(FirstPhase)).collect() };
        let [small, limbs, quotients] =
            [relations.smalls(), relations.limbs(), relations.relations.len()].map(&mut columns);
        let sums = columns(relations.seen.iter().len() + relations.sums.len());
        let challenges = [(); 2].map(|()| meta.challenge_usable_after(FirstPhase));
        let factors = relations.secrets + relations.multiplied().len();
        let factors = (0..factors).map(|_| meta.advice_column_in(SecondPhase)).collect();
        let [rest, power, vanishing] = [(); 3].map(|()| meta.advice_column_in(SecondPhase));
        let [rows, first, end, table] = [(); 4].map(|()| meta.fixed_column());
        let pairs = [(); 2].map(|()| meta.fixed_column());
        let slots = (!relations.sums.is_empty()).then(|| SlotsConfig::new(meta, relations.sums.len()));
        let config = Self {
            small,
            limbs,
            sums,
            slots,
            quotients,
            factors,
            rest,
            power,
            vanishing,
            challenges,
            instance,
            rows,
            first,
            end,
            table,
            pairs,
        };
        config.ranges(meta);
        config.polynomials(meta, relations);
        config.ends(meta, relations);
        config.relations(meta, relations);
        config.sums_of_slots(meta, relations);
        assert_degree_is(meta, 4);
        config
    }

    /// Every limb has its bits, every small digit is one.
    fn ranges(&self, meta: &mut ConstraintSystem<Fr>) {
        let now = Rotation::cur();
        for limb in &self.limbs {
            meta.lookup_any("a limb has its bits", |meta| {
                vec![(meta.query_advice(*limb, now), meta.query_fixed(self.table, now))]
            });
        }
        for pair in self.small.chunks(2) {
            meta.lookup_any("small digits are small", |meta| {
                let [left, right] = [pair[0], pair[pair.len() - 1]].map(|column| meta.query_advice(column, now));
                let [x, y] = self.pairs.map(|column| meta.query_fixed(column, now));
                vec![(left, x), (right, y)]
            });
        }
    }

    /// The row of this place, as far as the first phase has it.
    fn row(&self, meta: &mut VirtualCells<'_, Fr>, relations: &Relations) -> Row<Expression<Fr>> {
        let now = Rotation::cur();
        let small: Vec<_> = self.small.iter().map(|column| meta.query_advice(*column, now)).collect();
        let limbs: Vec<_> = self.limbs.iter().map(|column| meta.query_advice(*column, now)).collect();
        Row::new(relations, &small, &limbs)
    }

    /// The values of polynomials, row by row.
    fn polynomials(&self, meta: &mut ConstraintSystem<Fr>, relations: &Relations) {
        meta.create_gate("values at the challenge", |meta| {
            let [now, next] = [Rotation::cur(), Rotation::next()];
            let selector = meta.query_fixed(self.rows, now);
            let [z, mix] = self.challenges.map(|challenge| meta.query_challenge(challenge));
            let public: Vec<_> = self.instance.iter().map(|column| meta.query_instance(*column, now)).collect();
            let row = self.row(meta, relations);
            let vanishing = meta.query_advice(self.vanishing, now);
            let quotients = self.quotients.iter().map(|column| meta.query_advice(*column, now)).collect();
            let linear = row.linear(relations, &public, &mix) - mixed(quotients, &mix) * vanishing.clone();
            let multiplied = relations.multiplied().into_iter().map(|column| public[column].clone());
            let values = row.secrets.iter().cloned().chain(multiplied).chain([linear]);
            let columns: Vec<_> = self.factors.iter().copied().chain([self.rest]).collect();
            let mut constraints = Vec::new();
            for (column, value) in columns.into_iter().zip(values) {
                let [here, below] = [now, next].map(|at| meta.query_advice(column, at));
                constraints.push(("V = v + z·V'", here - value - below * z.clone()));
            }
            let [power, below] = [now, next].map(|at| meta.query_advice(self.power, at));
            constraints.push(("P = z·P'", power - below * z));
            let below = meta.query_advice(self.vanishing, next);
            constraints.push(("the vanishing value is the same in all rows", vanishing - below));
            if let Some(seen) = relations.seen {
                let [sum, below] = [now, next].map(|at| meta.query_advice(self.sums[0], at));
                let product = row.parts[seen.relation][0].clone() * public[seen.weights].clone();
                constraints.push(("sum = plaintext·weight + sum'", sum - product - below));
            }
            Constraints::with_selector(selector, constraints)
        });
    }

    /// What stands after the last coefficient.
    fn ends(&self, meta: &mut ConstraintSystem<Fr>, relations: &Relations) {
        let now = Rotation::cur();
        meta.create_gate("below the last coefficient", |meta| {
            let end = meta.query_fixed(self.end, now);
            let columns: Vec<_> = self.factors.iter().copied().chain([self.rest]).collect();
            let mut constraints: Vec<_> =
                columns.into_iter().map(|column| ("V ends", meta.query_advice(column, now))).collect();
            constraints.push(("P ends with 1", meta.query_advice(self.power, now) - Number::constant(Fr::one())));
            // The row's digits hold what the weighted sum is: a number from 1 on, and a multiple of the modulus.
            if let Some(seen) = relations.seen {
                let [over, _] = relations.places()[seen.relation];
                let number = meta.query_advice(self.limbs[over.limb], now) + Number::constant(Fr::one());
                let [_, times] = &self.row(meta, relations).parts[seen.relation];
                let sum = meta.query_advice(self.sums[0], now) + number + times.clone() * Fr::from(seen.modulus);
                constraints.push(("something is seen", sum));
            }
            Constraints::with_selector(end, constraints)
        });
    }

    /// What the first row binds to each other.
    fn relations(&self, meta: &mut ConstraintSystem<Fr>, relations: &Relations) {
        let now = Rotation::cur();
        meta.create_gate("in the first row", |meta| {
            let first = meta.query_fixed(self.first, now);
            let factors: Vec<_> = self.factors.iter().map(|column| meta.query_advice(*column, now)).collect();
            let mix = meta.query_challenge(self.challenges[1]);
            let sum = meta.query_advice(self.rest, now) + products(relations, &factors, &mix);
            let vanishing = meta.query_advice(self.vanishing, now) - meta.query_advice(self.power, now);
            let mut constraints = vec![
                ("the relations hold", sum),
                ("the vanishing value is zᴺ + 1", vanishing - Number::constant(Fr::one())),
            ];
            constraints.extend(self.sums.iter().map(|column| ("the sum is complete", meta.query_advice(*column, now))));
            Constraints::with_selector(first, constraints)
        });
    }

    /// Sums of coefficients and slots, less multiples of the plaintext modulus in each lane.
    fn sums_of_slots(&self, meta: &mut ConstraintSystem<Fr>, relations: &Relations) {
        let Some(SlotsConfig { slots, summed, end, multiples }) = &self.slots else { return };
        let [now, next] = [Rotation::cur(), Rotation::next()];
        meta.create_gate("sums of slots", |meta| {
            let [first, last] = [summed, end].map(|column| meta.query_fixed(*column, now));
            let slot = meta.query_advice(*slots, now);
            let row = self.row(meta, relations);
            let mut constraints = Vec::new();
            for (number, sum) in relations.sums.iter().enumerate() {
                let [weight, of_slot] =
                    [sum.weights, sum.slots].map(|column| meta.query_instance(self.instance[column], now));
                let weight = weight - meta.query_fixed(multiples[number], now);
                let [here, below] = [now, next].map(|at| meta.query_advice(self.sums[number], at));
                let product = row.parts[sum.relation][0].clone() * weight - slot.clone() * of_slot;
                constraints.push((
                    "sum = plaintext·weight − slot·weight + sum'",
                    first.clone() * (here.clone() - product - below),
                ));
                constraints.push(("sums end", last.clone() * here));
            }
            constraints
        });
    }

    /// Fills the fixed columns.
    pub fn load(&self, region: &mut RegionCtx<'_>) {
        self.slots.iter().for_each(|slots| slots.load(region));
        for row in 0..DEGREE {
            region.fixed(self.rows, row, Fr::one());
            region.fixed(self.table, row, Fr::from(row as u64));
        }
        region.fixed(self.first, 0, Fr::one());
        region.fixed(self.end, DEGREE, Fr::one());
        for (row, [x, y]) in pairs().enumerate() {
            region.fixed(self.pairs[0], row, x);
            region.fixed(self.pairs[1], row, y);
        }
    }
}
