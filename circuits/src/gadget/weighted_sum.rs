//! Sums of many table points with public weights, `Σ ρᵢ·P(eᵢ)`: interleaved double-and-add (Straus), one row an addition.
//!
//! For each digit, the most significant first, every entry's multiple is added to one sum, and the sum is doubled three times before the next
//! digit. A digit is one of twelve ([`engines::psi::weight`]): a lookup gives `P(e)` or `2·P(e)`, whose x-coordinate is multiplied by a cube root of 1 and whose
//! y-coordinate is perhaps negated. An entry's number is that of the row one digit above, and its code is what the digit above has left of the
//! weight's code: both said by a gate that looks one digit back, so no copies are needed.
//!
//! | column | a row of an addition | a row of a doubling |
//! | --- | --- | --- |
//! | `x y` | the sum before; the next row has the one after | the same |
//! | `table_x table_y` | `P(e)` or `2·P(e)` | |
//! | `lambda` | slope | slope |
//! | `number` | `e` | |
//! | `is_double is_negative turned_once turned_twice` | the digit: 1, 2, 4 and 8 of its number | |
//! | `code` | what is left of the weight's code, this digit lowest | |
//!
//! **What a sum says of its points, and what is assumed.** Whoever verifies was sent points `Tᵢ`, draws the weights, and sums `Σ ρᵢ·Tᵢ` itself. The circuit
//! sums the points `P(eᵢ)` of the list, and its statement raises or blinds the sum:
//!
//! * *raised*, `Tᵢ = a·P(eᵢ)`: if one `Tᵢ` isn't, at most one value of `ρᵢ` makes the sums equal, whatever the other weights are.
//! * *blinded*, `Tᵢ = P(eᵢ) + rᵢ·g`: there is always such an `rᵢ`, so what counts is that the prover knows it. It proves to know `R = Σ ρᵢ·rᵢ`, and who knows `R` for
//!   two values of one weight knows `rᵢ = (R − R′)/(ρᵢ − ρ′ᵢ)`: so who doesn't know `rᵢ` can answer one value of `ρᵢ` at most.
//!
//! The 12³⁶ values of a weight are different modulo the prime order, and each is as likely as another. So either cheat succeeds with a probability of
//! 12⁻³⁶ < 2⁻¹²⁹ a try. That rests on this:
//!
//! * *The weights are drawn last*: by a hash, taken as a random oracle, of all that was said before: the exchange with both commitments, all points `Tᵢ` in their
//!   order, the digest of the list (and of the places), the key ([`engines::psi::weight::weights`]). A cheat can't adapt any of these to the weights, for
//!   whoever changes one gets other weights; it can only try again, and has `n` tries for `n·2⁻¹²⁹`.
//! * *The list is fixed before them*: the statement opens the digest to the very cells `number` (and `place`) of the sum, and nobody finds two lists of one
//!   digest. Else a prover could choose the entries when it knows the weights.
//! * *No entry has the number 0*, whose row of the table holds zeros, for rows that are no additions: a prover that added (0, 0) would leave an element out. An addition's
//!   point is on the curve, and (0, 0) isn't.
//! * *Numbers are whole*: the listing says so, which puts an element's number, from 1 on, at every place. The table alone would take k + 1/2, whose row hangs on the digit.
//! * *The weights are codes of digits*, which whoever verifies draws: a public input that isn't one is none that it would make.
//!
//! **Additions are incomplete**, and no row says that their points differ. The table's points and the one that the sum starts from are hashes, so
//! nobody knows a linear relation between them. An exceptional addition is such a relation: before it the sum is the start `8ʲ` times and table points with
//! known multiples; if it were the next addend or its negative, the start's logarithm to the others would be known. (So here soundness rests on
//! discrete logarithms in Grumpkin, as everything does that these sums are for: see [`super::ecc`] for chips that don't need that.) No honest prover meets one.

use engines::psi::weight::{DIGITS, DOUBLINGS, Digit, TURN, Weight};
use ff::Field;
use halo2_proofs::{
    plonk::{Advice, Column, ConstraintSystem, Constraints, Expression, Fixed, Instance, VirtualCells},
    poly::Rotation,
};
use halo2curves::{bn256::Fr, grumpkin::G1Affine};

use super::{
    Cell, Context, EccConfig, Point, RegionCtx, SharedSelector,
    hash::{free, linked},
    selector::Gate,
};

/// How the weights' codes, which are public inputs from the sum's first row on, go with the entries.
#[derive(Clone, Copy, Debug)]
pub enum WeightOrder {
    AsListed,
    /// Each entry has the weight of a place of its own, from 1, in this column.
    Placed(Column<Advice>),
}

/// Columns and selectors of a sum.
#[derive(Clone, Debug)]
pub struct WeightedSum {
    x: Column<Advice>,
    y: Column<Advice>,
    /// The numbers of table points: those of the first digit's rows are the entries.
    pub number: Column<Advice>,
    /// On the rows of the entries their places, from 1; else 0.
    pub place: Column<Fixed>,
    table_x: Column<Advice>,
    table_y: Column<Advice>,
    lambda: Column<Advice>,
    /// The bits of the digits.
    pub bits: [Column<Advice>; 4],
    /// What is left of the weights' codes.
    pub code: Column<Advice>,
    table: [Column<Fixed>; 3],
    add: SharedSelector,
    double: SharedSelector,
    carry: SharedSelector,
    last: SharedSelector,
    is_entry: Column<Fixed>,
    order: WeightOrder,
    entries: usize,
    first_row: usize,
}

/// A sum that was laid.
pub struct Laid {
    pub numbers: Vec<Cell>,
    /// Their places, if weights are placed.
    pub places: Vec<Cell>,
    /// `8³⁵·start + Σ ρᵢ·P(eᵢ)`.
    pub sum: Point,
}

pub struct Terms<'a> {
    /// The table's points, of the numbers from 1 on.
    pub points: &'a [G1Affine],
    pub numbers: &'a [u64],
    pub weights: &'a [Weight],
    /// The entries' places, from 0; unused where weights are as listed.
    pub places: &'a [usize],
}

impl Terms<'_> {
    /// The table's point of a number: of one that it doesn't have, which no true statement has, the zeros of row 0.
    fn point(&self, number: u64) -> G1Affine {
        let place = (number as usize).checked_sub(1);
        place.and_then(|place| self.points.get(place)).copied().unwrap_or_default()
    }
}

impl WeightedSum {
    /// The gates of a sum of `entries` entries, whose first row is also the first of the instance that holds a weight.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        instance: Column<Instance>,
        placed: bool,
        entries: usize,
        first_row: usize,
    ) -> Self {
        let [x, y, number] = linked(meta);
        let [table_x, table_y, lambda, b0, b1, b2, b3, code] = free(meta);
        let table = [(); 3].map(|()| meta.fixed_column());
        let (place, is_entry) = (meta.fixed_column(), meta.fixed_column());
        let [add, double] = SharedSelector::share(meta.fixed_column());
        let [carry] = SharedSelector::share(meta.fixed_column());
        let [last] = SharedSelector::share(meta.fixed_column());
        let order = if placed {
            let [places] = linked(meta);
            WeightOrder::Placed(places)
        } else {
            WeightOrder::AsListed
        };
        let bits = [b0, b1, b2, b3];
        let chip = Self {
            x,
            y,
            number,
            place,
            table_x,
            table_y,
            lambda,
            bits,
            code,
            table,
            add,
            double,
            carry,
            last,
            is_entry,
            order,
            entries,
            first_row,
        };
        meta.create_gate("weighted term", |meta| chip.gate_add(meta));
        meta.create_gate("weighted doubling", |meta| chip.gate_double(meta));
        meta.create_gate("next digit", |meta| chip.gate_carry(meta));
        meta.create_gate("last digit", |meta| {
            let q = chip.last.query(meta);
            let code = meta.query_advice(chip.code, Rotation::cur());
            let digit = chip.digit(meta, Rotation::cur());
            Constraints::with_selector(q, [("code = digit", code - digit)])
        });
        meta.lookup_any("multiple of an element's point", |meta| {
            let here = |meta: &mut VirtualCells<'_, Fr>, column| meta.query_advice(column, Rotation::cur());
            let key = here(meta, number) * Fr::from(2) + here(meta, b0);
            let inputs = [key, here(meta, table_x), here(meta, table_y)];
            inputs.into_iter().zip(table.map(|column| meta.query_fixed(column, Rotation::cur()))).collect()
        });
        chip.bind_weights(meta, instance);
        chip
    }

    /// Rows from one digit of an entry to the next.
    fn pitch(&self) -> usize {
        self.entries + DOUBLINGS
    }

    fn back(&self) -> Rotation {
        Rotation(-(self.pitch() as i32))
    }

    /// The number of a row's digit.
    fn digit(&self, meta: &mut VirtualCells<'_, Fr>, at: Rotation) -> Expression<Fr> {
        let [b0, b1, b2, b3] = self.bits.map(|column| meta.query_advice(column, at));
        b0 + b1 * Fr::from(2) + b2 * Fr::from(4) + b3 * Fr::from(8)
    }

    fn gate_add(&self, meta: &mut VirtualCells<'_, Fr>) -> Gate {
        let q = self.add.query(meta);
        let one = Expression::Constant(Fr::ONE);
        let here = |meta: &mut VirtualCells<'_, Fr>, column| meta.query_advice(column, Rotation::cur());
        let [x, y, tx, ty] = [self.x, self.y, self.table_x, self.table_y].map(|column| here(meta, column));
        let lambda = here(meta, self.lambda);
        let [b0, b1, b2, b3] = self.bits.map(|column| here(meta, column));
        let [next_x, next_y] = [self.x, self.y].map(|column| meta.query_advice(column, Rotation::next()));
        let on_curve =
            ty.clone() * ty.clone() - tx.clone() * tx.clone() * tx.clone() + Expression::Constant(Fr::from(17));
        let px = tx * (one.clone() + b2.clone() * (TURN - Fr::ONE) + b3.clone() * (TURN.square() - Fr::ONE));
        let py = ty * (one.clone() - b1.clone() * Fr::from(2));
        let boolean = |bit: &Expression<Fr>| bit.clone() * (one.clone() - bit.clone());
        let constraints = vec![
            ("ty² = tx³ − 17", on_curve),
            ("λ·(px − x) = py − y", lambda.clone() * (px.clone() - x.clone()) - py + y.clone()),
            ("x' = λ² − x − px", lambda.clone() * lambda.clone() - x.clone() - px - next_x.clone()),
            ("y' = λ·(x − x') − y", lambda * (x - next_x) - y - next_y),
            ("bit 0 is boolean", boolean(&b0)),
            ("bit 1 is boolean", boolean(&b1)),
            ("bit 2 is boolean", boolean(&b2)),
            ("bit 3 is boolean", boolean(&b3)),
            ("bits 2 and 3 are not both set", b2 * b3),
        ];
        Constraints::with_selector(q, constraints)
    }

    fn gate_double(&self, meta: &mut VirtualCells<'_, Fr>) -> Gate {
        let q = self.double.query(meta);
        let [x, y, lambda] = [self.x, self.y, self.lambda].map(|column| meta.query_advice(column, Rotation::cur()));
        let [next_x, next_y] = [self.x, self.y].map(|column| meta.query_advice(column, Rotation::next()));
        let [two, three] = [2, 3].map(Fr::from);
        let constraints = vec![
            ("λ·2y = 3x²", lambda.clone() * y.clone() * two - x.clone() * x.clone() * three),
            ("x' = λ² − 2x", lambda.clone() * lambda.clone() - x.clone() * two - next_x.clone()),
            ("y' = λ·(x − x') − y", lambda * (x - next_x) - y - next_y),
        ];
        Constraints::with_selector(q, constraints)
    }

    fn gate_carry(&self, meta: &mut VirtualCells<'_, Fr>) -> Gate {
        let q = self.carry.query(meta);
        let [number, code] = [self.number, self.code].map(|column| meta.query_advice(column, Rotation::cur()));
        let [number_above, code_above] = [self.number, self.code].map(|column| meta.query_advice(column, self.back()));
        let digit_above = self.digit(meta, self.back());
        let constraints = vec![
            ("number = number above", number - number_above),
            ("16·code = code above − digit above", code * Fr::from(16) - code_above + digit_above),
        ];
        Constraints::with_selector(q, constraints)
    }

    /// The codes of the entries' rows are the public ones: of the same row, or, once each, of some row.
    fn bind_weights(&self, meta: &mut ConstraintSystem<Fr>, instance: Column<Instance>) {
        match self.order {
            WeightOrder::AsListed => meta.create_gate("weight", |meta| {
                let is_entry = meta.query_fixed(self.is_entry, Rotation::cur());
                let code = meta.query_advice(self.code, Rotation::cur());
                let public = meta.query_instance(instance, Rotation::cur());
                Constraints::with_selector(is_entry, [("code = weight", code - public)])
            }),
            // Every public weight, with its place, is an entry's; there are as many entries as places, so none is there twice. Rows without a place
            // look up what they hold themselves.
            WeightOrder::Placed(places) => {
                meta.lookup_any("weight of a place", |meta| {
                    let place = meta.query_fixed(self.place, Rotation::cur());
                    let is_entry = meta.query_fixed(self.is_entry, Rotation::cur());
                    let public = meta.query_instance(instance, Rotation::cur());
                    let of_entry = meta.query_advice(places, Rotation::cur());
                    let code = meta.query_advice(self.code, Rotation::cur());
                    let others = (Expression::Constant(Fr::ONE) - is_entry.clone()) * public.clone();
                    vec![(place, is_entry.clone() * of_entry), (public, is_entry * code + others)]
                });
            }
        }
    }

    /// Writes the table of points and their doubles: two rows for each number, below a row of zeros for rows that aren't additions.
    pub fn load(&self, region: &mut RegionCtx<'_>, points: &[G1Affine]) {
        let doubles = fog::curve::normalize(&points.iter().map(|point| *point + *point).collect::<Vec<_>>());
        let both = points.iter().zip(&doubles).flat_map(|(point, double)| [point, double]);
        for (key, point) in (2..).zip(both) {
            for (column, value) in self.table.into_iter().zip([Fr::from(key), point.x, point.y]) {
                region.fixed(column, key as usize, value);
            }
        }
    }

    /// Lays the sum, which begins with `start`.
    #[track_caller]
    pub fn lay(&self, cx: &mut Context<'_>, start: Point, terms: &Terms<'_>) -> Laid {
        assert_eq!(terms.numbers.len(), self.entries, "a sum has as many entries as was said");
        let region = &mut cx.region;
        let mut sum = Point {
            x: region.advice(self.x, self.first_row, start.x),
            y: region.advice(self.y, self.first_row, start.y),
        };
        let mut codes: Vec<Fr> = terms.weights.iter().map(Weight::code).collect();
        let digits: Vec<[Digit; DIGITS]> = terms.weights.iter().map(Weight::digits).collect();
        let sixteenth = Fr::from(16).invert().unwrap_or(Fr::ZERO);
        let (mut numbers, mut places) = (Vec::new(), Vec::new());
        #[expect(clippy::needless_range_loop, reason = "each entry has its own digits")]
        for digit in 0..DIGITS {
            let top = self.first_row + digit * self.pitch();
            for (entry, number) in terms.numbers.iter().enumerate() {
                let row = top + entry;
                let cell = region.witness(self.number, row, Fr::from(*number));
                region.witness(self.code, row, codes[entry]);
                codes[entry] = (codes[entry] - number_of(digits[entry][digit])) * sixteenth;
                if digit == 0 {
                    region.fixed(self.place, row, Fr::from(entry as u64 + 1));
                    region.fixed(self.is_entry, row, Fr::ONE);
                    numbers.push(cell);
                    if let WeightOrder::Placed(column) = self.order {
                        let place = terms.places[entry] as u64 + 1;
                        places.push(region.witness(column, row, Fr::from(place)));
                    }
                } else {
                    self.carry.on(region, row);
                }
                if digit == DIGITS - 1 {
                    self.last.on(region, row);
                }
                sum = self.add(region, sum, terms.point(*number), digits[entry][digit]);
            }
            if digit < DIGITS - 1 {
                for _ in 0..DOUBLINGS {
                    sum = self.double(region, sum);
                }
            }
        }
        Laid { numbers, places, sum }
    }

    fn add(&self, region: &mut RegionCtx<'_>, sum: Point, point: G1Affine, digit: Digit) -> Point {
        let row = sum.x.row();
        self.add.on(region, row);
        let point = if digit.is_double { G1Affine::from(point + point) } else { point };
        region.witness(self.table_x, row, point.x);
        region.witness(self.table_y, row, point.y);
        let bits = [digit.is_double, digit.is_negative, digit.turns == 1, digit.turns == 2];
        for (column, bit) in self.bits.into_iter().zip(bits) {
            region.witness(column, row, Fr::from(u64::from(bit)));
        }
        let px = (0..digit.turns).fold(point.x, |x, _| x * TURN);
        let py = if digit.is_negative { -point.y } else { point.y };
        let (x, y) = (sum.x.value, sum.y.value);
        let lambda = (py - y) * (px - x).invert().unwrap_or(Fr::ZERO);
        self.next(region, row, lambda, lambda.square() - x - px, (x, y))
    }

    fn double(&self, region: &mut RegionCtx<'_>, sum: Point) -> Point {
        let row = sum.x.row();
        self.double.on(region, row);
        let (x, y) = (sum.x.value, sum.y.value);
        let lambda = x.square() * Fr::from(3) * y.double().invert().unwrap_or(Fr::ZERO);
        self.next(region, row, lambda, lambda.square() - x.double(), (x, y))
    }

    fn next(&self, region: &mut RegionCtx<'_>, row: usize, lambda: Fr, next_x: Fr, (x, y): (Fr, Fr)) -> Point {
        region.witness(self.lambda, row, lambda);
        Point {
            x: region.witness(self.x, row + 1, next_x),
            y: region.witness(self.y, row + 1, lambda * (x - next_x) - y),
        }
    }
}

/// The number of a digit.
fn number_of(digit: Digit) -> Fr {
    let bits = [digit.is_double, digit.is_negative, digit.turns == 1, digit.turns == 2];
    bits.iter().rev().fold(Fr::ZERO, |sum, bit| sum.double() + Fr::from(u64::from(*bit)))
}

/// `8³⁵·P`, which a sum that starts with `P` ends with too much of.
pub fn carried(start: G1Affine) -> G1Affine {
    use group::Curve;
    (1..DIGITS * DOUBLINGS - (DOUBLINGS - 1))
        .fold(start.into(), |sum: halo2curves::grumpkin::G1, _| sum + sum)
        .to_affine()
}

/// Takes `8³⁵·start` off a sum: the difference is a point on the last row of points.
pub fn without_start(cx: &mut Context<'_>, ecc: &EccConfig, sum: Point, start: G1Affine) -> Point {
    let minus = -carried(start);
    let minus = [minus.x, minus.y].map(|value| cx.linear_field(&[], value).into());
    let sum = ecc.place(cx, sum.x, sum.y);
    ecc.add_to_last(cx, sum, minus)
}
