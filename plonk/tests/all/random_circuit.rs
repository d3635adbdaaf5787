//! Small circuits of random shape with random witnesses that satisfy them.

use halo2_proofs::circuit::{Layouter, SimpleFloorPlanner, Value};
use halo2_proofs::plonk::{
    Advice, Assigned, Circuit, Column, ConstraintSystem, Error, Expression, Fixed, Instance, Selector,
};
use halo2_proofs::poly::Rotation;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

/// What a circuit looks like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    pub k: u32,
    /// Columns with any values.
    pub free: usize,
    /// Columns whose cells are functions of those.
    pub bound: usize,
    /// Degree of the gates, selector included.
    pub degree: usize,
    pub lookups: usize,
    /// Instance columns, each equal to the start of a free column.
    pub instances: usize,
    /// Whether columns are under the permutation argument.
    pub copies: bool,
    /// How far gates look up and down.
    pub reach: i32,
    pub seed: u64,
}

/// Cells of the first free column that are copies of the fixed one's.
const FIXED_COPIES: usize = 3;
/// Table values are below this.
const TABLE: u64 = 7;

/// A circuit of a shape.
#[derive(Clone, Debug)]
pub struct RandomCircuit(pub Shape);

#[derive(Clone, Debug)]
pub struct Config {
    free: Vec<Column<Advice>>,
    bound: Vec<(Column<Advice>, Selector, Expression<Fr>)>,
    fixed: Column<Fixed>,
    small: Vec<[Column<Advice>; 2]>,
    tables: [Column<Fixed>; 2],
    switch: Column<Fixed>,
    instances: Vec<Column<Instance>>,
}

impl Shape {
    /// Gates hold in the rows from `reach` on, as many as this.
    fn rows(&self) -> usize {
        (1 << self.k) - 24
    }

    fn rng(&self, part: u64) -> ChaCha20Rng {
        let mut rng = ChaCha20Rng::seed_from_u64(self.seed);
        rng.set_stream(part);
        rng
    }

    /// The values of the free columns.
    fn free_values(&self) -> Vec<Vec<Fr>> {
        let mut rng = self.rng(1);
        let rows = self.rows() + 2 * self.reach as usize;
        let mut values: Vec<Vec<Fr>> = (0..self.free).map(|_| (0..rows).map(|_| value(&mut rng)).collect()).collect();
        if self.copies {
            // Some are copies of fixed cells.
            values[0][..FIXED_COPIES].copy_from_slice(&self.fixed_values()[..FIXED_COPIES]);
        }
        for (from, to) in self.copied() {
            values[to.0][to.1] = values[from.0][from.1];
        }
        values
    }

    /// The values of the fixed column that gates ask.
    fn fixed_values(&self) -> Vec<Fr> {
        let mut rng = self.rng(3);
        (0..self.rows() + 2 * self.reach as usize).map(|_| value(&mut rng)).collect()
    }

    /// Cells of free columns that are copies of others.
    fn copied(&self) -> Vec<((usize, usize), (usize, usize))> {
        if !self.copies || self.free < 2 {
            return Vec::new();
        }
        // From columns before to columns after, and no cell twice: no copy is written over later.
        let mut rng = self.rng(2);
        let rows = self.rows();
        (0..rows / 2).map(|row| ((0, rng.gen_range(0..rows)), (rng.gen_range(1..self.free), row))).collect()
    }

    /// The instance columns' values.
    pub fn instance_values(&self) -> Vec<Vec<Fr>> {
        (0..self.instances).map(|index| self.free_values()[index % self.free][..5].to_vec()).collect()
    }
}

fn value(rng: &mut ChaCha20Rng) -> Fr {
    match rng.gen_range(0..4) {
        0 => Fr::ZERO,
        1 => Fr::from(rng.gen_range(0..3)),
        2 => -Fr::from(rng.r#gen::<u16>() as u64),
        _ => Fr::random(rng),
    }
}

/// A random expression of at most a degree.
fn expression(
    rng: &mut ChaCha20Rng,
    degree: usize,
    cell: &mut impl FnMut(&mut ChaCha20Rng) -> Expression<Fr>,
) -> Expression<Fr> {
    match rng.gen_range(0..7) {
        0 if degree > 1 => {
            let left = rng.gen_range(1..degree);
            expression(rng, left, cell) * expression(rng, degree - left, cell)
        }
        1 => expression(rng, degree, cell) + cell(rng),
        2 => cell(rng) - expression(rng, degree, cell),
        3 => -expression(rng, degree, cell),
        4 => expression(rng, degree, cell) * value(rng),
        5 => Expression::Constant(value(rng)) + cell(rng),
        _ => (1..degree).fold(cell(rng), |product, _| product * cell(rng)),
    }
}

impl Circuit<Fr> for RandomCircuit {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Shape;

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn params(&self) -> Shape {
        self.0
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> Config {
        unreachable!("it has parameters")
    }

    fn configure_with_params(cs: &mut ConstraintSystem<Fr>, shape: Shape) -> Config {
        let mut rng = shape.rng(0);
        let free: Vec<_> = (0..shape.free).map(|_| cs.advice_column()).collect();
        let fixed = cs.fixed_column();
        let instances: Vec<_> = (0..shape.instances).map(|_| cs.instance_column()).collect();
        let bound = (0..shape.bound)
            .map(|_| {
                let (column, selector) = (cs.advice_column(), cs.selector());
                let mut cell = |rng: &mut ChaCha20Rng| {
                    let rotation = Rotation(rng.gen_range(-shape.reach..=shape.reach));
                    match rng.gen_range(0..=shape.free + shape.instances) {
                        index if index < shape.free => free[index].query_cell(rotation),
                        index if index == shape.free => fixed.query_cell(rotation),
                        index => instances[index - shape.free - 1].query_cell(rotation),
                    }
                };
                let mut function = expression(&mut rng, shape.degree - 1, &mut cell);
                cs.create_gate("bound", |cells| {
                    function.query_cells(cells);
                    let of_column = cells.query_advice(column, Rotation::cur());
                    vec![cells.query_selector(selector) * (of_column - function.clone())]
                });
                (column, selector, function)
            })
            .collect();
        let tables = [cs.fixed_column(), cs.fixed_column()];
        let switch = cs.fixed_column();
        let small = (0..shape.lookups)
            .map(|index| {
                let columns = [cs.advice_column(), cs.advice_column()];
                cs.lookup_any("small", |cells| {
                    let switch = cells.query_fixed(switch, Rotation::cur());
                    // Some look at the row before or after.
                    let rotation = Rotation(index as i32 % 3 - 1);
                    let mut cell = |place: usize| {
                        let value = cells.query_advice(columns[place], rotation);
                        (switch.clone() * value, cells.query_fixed(tables[place], Rotation::cur()))
                    };
                    if index % 2 == 0 { vec![cell(0)] } else { vec![cell(0), cell(1)] }
                });
                columns
            })
            .collect();
        if shape.copies {
            cs.enable_equality(fixed);
            free.iter().for_each(|column| cs.enable_equality(*column));
        }
        instances.iter().for_each(|column| cs.enable_equality(*column));
        if !instances.is_empty() {
            cs.enable_equality(free[0]);
            free.iter().take(shape.instances).for_each(|column| cs.enable_equality(*column));
        }
        Config { free, bound, fixed, small, tables, switch, instances }
    }

    fn synthesize(&self, config: Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        let shape = self.0;
        let values = shape.free_values();
        let fixed = shape.fixed_values();
        let instances = shape.instance_values();
        let mut rng = shape.rng(4);
        let cells = layouter.assign_region(
            || "all",
            |mut region| {
                let mut cells = Vec::new();
                for (column, values) in config.free.iter().zip(&values) {
                    let row = |(row, value): (usize, &Fr)| {
                        // Some cells are fractions.
                        let half = Assigned::Rational(value.double(), Fr::from(2));
                        let assigned = if row % 3 == 0 { half } else { Assigned::Trivial(*value) };
                        region.assign_advice(*column, row, Value::known(assigned)).cell()
                    };
                    cells.push(values.iter().enumerate().map(row).collect::<Vec<_>>());
                }
                for (row, value) in fixed.iter().enumerate() {
                    let cell = region.assign_fixed(config.fixed, row, *value);
                    if shape.copies && row < FIXED_COPIES {
                        region.constrain_equal(cell, cells[0][row]);
                    }
                }
                for (column, selector, function) in &config.bound {
                    for row in (0..shape.rows()).map(|row| row + shape.reach as usize) {
                        let at = |rotation: Rotation| row.strict_add_signed(rotation.0 as isize);
                        let index = |column: usize| config.free.iter().position(|free| free.index() == column).unwrap();
                        let value = function.evaluate(
                            &|constant| constant,
                            &|_| unreachable!(),
                            &|query| fixed[at(query.rotation())],
                            &|query| values[index(query.column_index())][at(query.rotation())],
                            &|query| {
                                let column = &instances[query.column_index()];
                                column.get(at(query.rotation())).copied().unwrap_or(Fr::ZERO)
                            },
                            &|_| unreachable!(),
                            &|value| -value,
                            &|left, right| left + right,
                            &|left, right| left * right,
                            &|value, by| value * by,
                        );
                        // Not in all rows, so that selectors are not all alike.
                        if (row + column.index()) % 5 > 0 {
                            selector.enable(&mut region, row)?;
                            region.assign_advice(*column, row, Value::known(value));
                        }
                    }
                }
                for row in 0..TABLE {
                    region.assign_fixed(config.tables[0], row as usize, Fr::from(row));
                    region.assign_fixed(config.tables[1], row as usize, Fr::from(row * row));
                }
                for row in 0..shape.rows() {
                    region.assign_fixed(config.switch, row, Fr::from(u64::from(row > 0 && row % 2 == 0)));
                    for [first, second] in &config.small {
                        let value = rng.gen_range(0..TABLE);
                        region.assign_advice(*first, row, Value::known(Fr::from(value)));
                        region.assign_advice(*second, row, Value::known(Fr::from(value * value)));
                    }
                }
                for (from, to) in shape.copied() {
                    region.constrain_equal(cells[from.0][from.1], cells[to.0][to.1]);
                }
                Ok(cells)
            },
        )?;
        for (index, column) in config.instances.iter().enumerate() {
            for (row, cell) in cells[index % shape.free].iter().enumerate().take(5) {
                layouter.constrain_instance(*cell, *column, row);
            }
        }
        Ok(())
    }
}
