//! Lists of elementwise operations on columns of Fr, run over blocks of rows.

use crate::backend::Backend;
use crate::field::{Elements, Scalar};
use crate::words::{Words, of_scalars, of_scalars_mut};
use halo2curves::bn256::Fr;
use rayon::prelude::*;

/// Vectors that an operation works on at once.
const VECTORS: usize = 8;
/// Rows that an operation works on at once.
pub const BLOCK: usize = 8 * VECTORS;

/// What an operation is applied to.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    Register(u32),
    /// A column, by its number, rotated by so many rows.
    Column(u32, i32),
    /// A number that is equal in every row.
    Scalar(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Add,
    Subtract,
    Multiply,
}

/// An operation on two operands, whose result goes to a register. That may be one of its operands.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub kind: Kind,
    pub left: Operand,
    pub right: Operand,
    pub to: u32,
}

/// What is computed in every row.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    pub operations: &'a [Operation],
    pub registers: usize,
    pub result: Operand,
    /// Each with its last `margin` rows before it and its first `margin` rows behind it.
    pub columns: &'a [&'a [Fr]],
    pub scalars: &'a [Fr],
    /// The most rows that a rotation, modulo the rows, looks away.
    pub margin: usize,
}

type Register<B> = [Elements<B, Scalar>; VECTORS];

pub(crate) fn run<B: Backend>(backend: B, program: &Program<'_>, results: &mut [Fr]) {
    let rows = results.len();
    assert!(rows.is_multiple_of(BLOCK), "whole blocks");
    let zero = backend.enter(
        #[inline(always)]
        || Elements::splat(backend, &[0; 4]),
    );
    let scalars: Vec<Elements<B, Scalar>> = backend.enter(
        #[inline(always)]
        || splat_all(backend, of_scalars(program.scalars)),
    );
    let columns: Vec<&[Words]> = program.columns.iter().map(|column| of_scalars(column)).collect();
    let registers = || vec![[zero; VECTORS]; program.registers];
    results.par_chunks_exact_mut(BLOCK).enumerate().with_min_len(4).for_each_init(
        registers,
        |registers, (block, to)| {
            let start = program.margin + block * BLOCK;
            let inputs = Inputs { backend, columns: &columns, scalars: &scalars, rows, start };
            backend.enter(
                #[inline(always)]
                || inputs.run(program, registers, of_scalars_mut(to).as_chunks_mut().0),
            );
        },
    );
}

#[inline(always)]
fn splat_all<B: Backend>(backend: B, scalars: &[Words]) -> Vec<Elements<B, Scalar>> {
    let mut result = Vec::with_capacity(scalars.len());
    for scalar in scalars {
        result.push(Elements::splat(backend, scalar));
    }
    result
}

/// What a block of rows is computed from.
struct Inputs<'a, B: Backend> {
    backend: B,
    columns: &'a [&'a [Words]],
    scalars: &'a [Elements<B, Scalar>],
    /// Rows of a column, which a rotation counts modulo.
    rows: usize,
    start: usize,
}

impl<'a, B: Backend> Inputs<'a, B> {
    #[inline(always)]
    fn run(&self, program: &Program<'_>, registers: &mut [Register<B>], to: &mut [[Words; 8]]) {
        let mut result = [Elements::splat(self.backend, &[0; 4]); VECTORS];
        for operation in program.operations {
            let left = self.source(operation.left, registers);
            let right = self.source(operation.right, registers);
            match operation.kind {
                Kind::Add => {
                    for i in 0..VECTORS {
                        result[i] = left.vector(self.backend, i).add(right.vector(self.backend, i));
                    }
                }
                Kind::Subtract => {
                    for i in 0..VECTORS {
                        result[i] = left.vector(self.backend, i).subtract(right.vector(self.backend, i));
                    }
                }
                Kind::Multiply => {
                    for i in 0..VECTORS {
                        result[i] = left.vector(self.backend, i).multiply(right.vector(self.backend, i));
                    }
                }
            }
            registers[operation.to as usize] = result;
        }
        let source = self.source(program.result, registers);
        for i in 0..VECTORS {
            source.vector(self.backend, i).canonical().store_row(&mut to[i]);
        }
    }

    #[inline(always)]
    fn source<'b>(&'b self, operand: Operand, registers: &'b [Register<B>]) -> Source<'b, B> {
        match operand {
            Operand::Register(register) => Source::Vectors(&registers[register as usize]),
            Operand::Column(column, rotation) => {
                let start = self.start.strict_add_signed(rotation as isize % self.rows as isize);
                Source::Rows(self.columns[column as usize][start..start + BLOCK].as_chunks().0)
            }
            Operand::Scalar(scalar) => Source::One(&self.scalars[scalar as usize]),
        }
    }
}

/// The values of an operand in a block of rows.
enum Source<'a, B: Backend> {
    Vectors(&'a Register<B>),
    Rows(&'a [[Words; 8]]),
    One(&'a Elements<B, Scalar>),
}

impl<B: Backend> Source<'_, B> {
    #[inline(always)]
    fn vector(&self, backend: B, i: usize) -> Elements<B, Scalar> {
        match self {
            Self::Vectors(vectors) => vectors[i],
            Self::Rows(rows) => Elements::load_row(backend, &rows[i]),
            Self::One(vector) => **vector,
        }
    }
}
