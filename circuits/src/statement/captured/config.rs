//! Columns and gates of *captured*. A row has the coefficients of one power of `X`; so a column is a polynomial, and columns of the second phase are its values
//! at the challenge `z`, by Horner's rule from the last row up: the first row has all values, and the last gate there binds them to each other.

use engines::bfv::{
    captured::CAPTURED_COLUMNS,
    parameters::{DEGREE, PLAINTEXT},
};
use halo2_proofs::{
    plonk::{
        Advice, Challenge, Column, ConstraintSystem, Constraints, Expression, FirstPhase, Fixed, Instance, SecondPhase,
        VirtualCells,
    },
    poly::Rotation,
};
use halo2curves::bn256::Fr;

use super::{
    numbers::pairs,
    row::{FACTORS, LIMBS, RELATIONS, Row, SEEN, SMALLS, Small, mixed},
};
use crate::gadget::{RegionCtx, assert_degree_is};

/// Columns and the challenge.
#[derive(Clone, Debug)]
pub struct CapturedConfig {
    pub small: [Column<Advice>; SMALLS],
    pub limbs: [Column<Advice>; LIMBS],
    pub quotients: [Column<Advice>; RELATIONS],
    /// The sum of weighted coefficients of the product from a row on.
    pub sum: Column<Advice>,
    pub factors: [Column<Advice>; FACTORS],
    /// The value of all relations' linear parts.
    pub rest: Column<Advice>,
    /// Powers of `z`, and `zᴺ + 1` in all rows.
    pub power: Column<Advice>,
    pub vanishing: Column<Advice>,
    pub challenges: [Challenge; 2],
    /// 1 in the rows of coefficients, in the first of them, and in the row after the last.
    rows: Column<Fixed>,
    first: Column<Fixed>,
    end: Column<Fixed>,
    /// The numbers that a limb may be, and pairs of small digits.
    table: Column<Fixed>,
    pairs: [Column<Fixed>; 2],
}

fn constant(value: Fr) -> Expression<Fr> {
    Expression::Constant(value)
}

impl CapturedConfig {
    /// Makes all columns and gates.
    pub fn configure(meta: &mut ConstraintSystem<Fr>) -> Self {
        let instance: [Column<Instance>; CAPTURED_COLUMNS] = [(); CAPTURED_COLUMNS].map(|()| meta.instance_column());
        let small = [(); SMALLS].map(|()| meta.advice_column_in(FirstPhase));
        let limbs = [(); LIMBS].map(|()| meta.advice_column_in(FirstPhase));
        let quotients = [(); RELATIONS].map(|()| meta.advice_column_in(FirstPhase));
        let sum = meta.advice_column_in(FirstPhase);
        let challenges = [(); 2].map(|()| meta.challenge_usable_after(FirstPhase));
        let factors = [(); FACTORS].map(|()| meta.advice_column_in(SecondPhase));
        let [rest, power, vanishing] = [(); 3].map(|()| meta.advice_column_in(SecondPhase));
        let [rows, first, end, table] = [(); 4].map(|()| meta.fixed_column());
        let pairs = [(); 2].map(|()| meta.fixed_column());
        let config = Self {
            small,
            limbs,
            quotients,
            sum,
            factors,
            rest,
            power,
            vanishing,
            challenges,
            rows,
            first,
            end,
            table,
            pairs,
        };
        config.ranges(meta);
        config.polynomials(meta, instance);
        config.ends(meta);
        assert_degree_is(meta, 4);
        config
    }

    /// Every limb has its bits, every small digit is one.
    fn ranges(&self, meta: &mut ConstraintSystem<Fr>) {
        let now = Rotation::cur();
        for limb in self.limbs {
            meta.lookup_any("a limb has its bits", |meta| {
                vec![(meta.query_advice(limb, now), meta.query_fixed(self.table, now))]
            });
        }
        use Small::{Key, KeyError, Mask, NoiseTop, PlainTop, ViewError, ViewTop};
        for pair in [[Key, KeyError], [Mask, ViewError], [ViewTop, PlainTop], [NoiseTop, NoiseTop]] {
            meta.lookup_any("small digits are small", |meta| {
                let [left, right] = pair.map(|name| meta.query_advice(self.small[name as usize], now));
                let [x, y] = self.pairs.map(|column| meta.query_fixed(column, now));
                vec![(left, x), (right, y)]
            });
        }
    }

    /// The row of this place, as far as the first phase has it.
    fn row(&self, meta: &mut VirtualCells<'_, Fr>) -> Row<Expression<Fr>> {
        let now = Rotation::cur();
        let small = self.small.map(|column| meta.query_advice(column, now));
        let limbs = self.limbs.map(|column| meta.query_advice(column, now));
        Row::new(small, limbs, constant)
    }

    /// The values of polynomials, row by row.
    fn polynomials(&self, meta: &mut ConstraintSystem<Fr>, instance: [Column<Instance>; CAPTURED_COLUMNS]) {
        meta.create_gate("values at the challenge", |meta| {
            let now = Rotation::cur();
            let row = meta.query_fixed(self.rows, now);
            let [z, mix] = self.challenges.map(|challenge| meta.query_challenge(challenge));
            let public = instance.map(|column| meta.query_instance(column, now));
            let Row { key, mask, plain, .. } = self.row(meta);
            let quotients = self.quotients.map(|column| meta.query_advice(column, now));
            let vanishing = meta.query_advice(self.vanishing, now);
            let [a, _, joint, _, _, _, c1, weight] = public.clone();
            let mixed = self.row(meta).relations(public, quotients, vanishing.clone(), &mix);
            let mut constraints = Vec::new();
            let names =
                ["S = s + z·S'", "R = r + z·R'", "A = a + z·A'", "B = b + z·B'", "C = c + z·C'", "T = rest + z·T'"];
            let values = [key, mask, a, joint, c1, mixed];
            for ((name, column), value) in
                names.into_iter().zip(self.factors.into_iter().chain([self.rest])).zip(values)
            {
                let [here, below] = [now, Rotation::next()].map(|at| meta.query_advice(column, at));
                constraints.push((name, here - value - below * z.clone()));
            }
            let [power, power_below] = [now, Rotation::next()].map(|at| meta.query_advice(self.power, at));
            constraints.push(("P = z·P'", power - power_below * z));
            let below = meta.query_advice(self.vanishing, Rotation::next());
            constraints.push(("the vanishing value is the same in all rows", vanishing - below));
            let [sum, below] = [now, Rotation::next()].map(|at| meta.query_advice(self.sum, at));
            constraints.push(("sum = plaintext·weight + sum'", sum - plain * weight - below));
            Constraints::with_selector(row, constraints)
        });
    }

    /// What stands after the last coefficient, and in the first row.
    fn ends(&self, meta: &mut ConstraintSystem<Fr>) {
        let now = Rotation::cur();
        meta.create_gate("below the last coefficient", |meta| {
            let end = meta.query_fixed(self.end, now);
            let names = ["S ends", "R ends", "A ends", "B ends", "C ends", "T ends"];
            let columns = self.factors.into_iter().chain([self.rest]);
            let mut constraints: Vec<_> =
                names.into_iter().zip(columns).map(|(name, column)| (name, meta.query_advice(column, now))).collect();
            constraints.push(("P ends with 1", meta.query_advice(self.power, now) - constant(Fr::one())));
            // The row's limbs hold what the weighted sum is: a number from 1 on, and a multiple of the plaintext modulus.
            let seen = meta.query_advice(self.limbs[SEEN], now);
            let times = self.row(meta).noise;
            let sum = meta.query_advice(self.sum, now);
            let is_seen = sum + seen + constant(Fr::one()) + times * Fr::from(PLAINTEXT);
            constraints.push(("something is seen", is_seen));
            Constraints::with_selector(end, constraints)
        });
        meta.create_gate("in the first row", |meta| {
            let first = meta.query_fixed(self.first, now);
            let [s, r, a, joint, c1] = self.factors.map(|column| meta.query_advice(column, now));
            let rest = meta.query_advice(self.rest, now);
            let mix = meta.query_challenge(self.challenges[1]);
            let t = Fr::from(PLAINTEXT);
            let products = [a.clone() * s.clone(), -(a * r.clone()), -(joint * r) * t, c1 * s * t];
            let relations = rest + mixed(products, &mix);
            let vanishing = meta.query_advice(self.vanishing, now) - meta.query_advice(self.power, now);
            Constraints::with_selector(
                first,
                vec![
                    ("the relations hold", relations),
                    ("the vanishing value is zᴺ + 1", vanishing - constant(Fr::one())),
                    ("the sum is complete", meta.query_advice(self.sum, now)),
                ],
            )
        });
    }

    /// Fills the fixed columns.
    pub fn load(&self, region: &mut RegionCtx<'_>) {
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
