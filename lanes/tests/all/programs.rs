//! Programs against the same operations by the library, row by row.

use crate::backends;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use lanes::{BLOCK, Kind, Operand, Operation, Program};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

const MARGIN: usize = 3;
const COLUMNS: usize = 3;
const REGISTERS: u32 = 5;
/// How many programs are drawn, and the operations of each. Miri takes a second for some ten operations on a block.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 40 };
const OPERATIONS: u32 = if cfg!(miri) { 10 } else { 60 };

/// The result in a row, whose values are at `at`.
fn by_the_library(program: &Program<'_>, rows: i32, at: usize) -> Fr {
    let mut registers = [Fr::ZERO; REGISTERS as usize];
    let value = |operand: Operand, registers: &[Fr]| match operand {
        Operand::Register(register) => registers[register as usize],
        Operand::Column(column, rotation) => {
            program.columns[column as usize][at.strict_add_signed((rotation % rows) as isize)]
        }
        Operand::Scalar(scalar) => program.scalars[scalar as usize],
    };
    for operation in program.operations {
        let (left, right) = (value(operation.left, &registers), value(operation.right, &registers));
        registers[operation.to as usize] = match operation.kind {
            Kind::Add => left + right,
            Kind::Subtract => left - right,
            Kind::Multiply => left * right,
        };
    }
    value(program.result, &registers)
}

#[test]
fn programs_do_what_the_library_does() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    for round in 0..ROUNDS {
        let rows = if cfg!(miri) { BLOCK } else { BLOCK << (round % 4) };
        let draw = |rng: &mut ChaCha20Rng| if rng.gen_bool(0.2) { -Fr::ONE } else { Fr::random(rng) };
        let columns: [Vec<Fr>; COLUMNS] =
            std::array::from_fn(|_| (0..rows + 2 * MARGIN).map(|_| draw(&mut rng)).collect());
        let columns = columns.each_ref().map(Vec::as_slice);
        let scalars: Vec<Fr> = (0..4).map(|_| draw(&mut rng)).collect();
        let operand = |rng: &mut ChaCha20Rng, to: u32| match rng.gen_range(0..3) {
            0 => Operand::Register((to + rng.gen_range(1..REGISTERS)) % REGISTERS),
            1 => {
                let around = rows as i32 * rng.gen_range(0..2);
                Operand::Column(rng.gen_range(0..COLUMNS as u32), around + rng.gen_range(0..=MARGIN as i32))
            }
            _ => Operand::Scalar(rng.gen_range(0..4)),
        };
        let mut operations = Vec::new();
        for i in 0..OPERATIONS {
            let to = i % REGISTERS;
            let kind = [Kind::Add, Kind::Subtract, Kind::Multiply][rng.gen_range(0..3)];
            operations.push(Operation { kind, left: operand(&mut rng, to), right: operand(&mut rng, to), to });
        }
        let result = match round % 8 {
            1 => Operand::Column(1, -1),
            2 => Operand::Scalar(2),
            _ => Operand::Register((OPERATIONS - 1) % REGISTERS),
        };
        // The first operations read registers that nothing wrote: zeros, or what another block left. So they are filled first.
        let fill =
            |to| Operation { kind: Kind::Add, left: Operand::Scalar(to % 4), right: Operand::Column(to % 3, -1), to };
        operations.splice(0..0, (0..REGISTERS).map(fill));
        let (operations, registers) = (&operations[..], REGISTERS as usize);
        let program = Program { operations, registers, result, columns: &columns, scalars: &scalars, margin: MARGIN };
        let expected: Vec<Fr> = (0..rows).map(|row| by_the_library(&program, rows as i32, MARGIN + row)).collect();
        for lanes in backends() {
            let mut results = vec![Fr::ZERO; rows];
            lanes.run(&program, &mut results);
            assert_eq!(results, expected, "{lanes}, round {round}");
        }
    }
}

/// Runs a program whose result is the scalar of a number, of one that it has.
fn run_scalar(number: u32, results: &mut [Fr]) {
    let program = Program {
        operations: &[],
        registers: 0,
        result: Operand::Scalar(number),
        columns: &[],
        scalars: &[Fr::ONE],
        margin: 0,
    };
    lanes::Lanes::portable().run(&program, results);
}

#[test]
#[should_panic(expected = "whole blocks")]
fn a_part_of_a_block_is_refused() {
    run_scalar(0, &mut [Fr::ZERO; BLOCK - 1]);
}

#[test]
#[should_panic(expected = "out of bounds")]
fn an_operand_that_is_not_there_is_refused() {
    run_scalar(1, &mut [Fr::ZERO; BLOCK]);
}
