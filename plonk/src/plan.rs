//! Sums of constraints, compiled: what gates, permutation and lookups say of a row, as a list of operations on columns. One gives the
//! numerator of the quotient; others compress a lookup's expressions.
//!
//! The expressions become a graph in which equal parts exist once; constants are folded; constraints with the same first factor,
//! such as a gate's selector, are summed before they are multiplied by it. The operations run over blocks of rows, so that what an
//! operation costs beside its arithmetic is paid once a block, and intermediate values stay in the first-level cache.

use crate::constraints::{Column, Constraint, Scalar, Term};
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use lanes::{BLOCK, Kind, Lanes, Operand, Operation, Program};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// A list of operations that gives Σ y^(N−1−i)·cᵢ for the constraints c₀ … c_{N−1}.
pub(crate) struct Plan {
    operations: Vec<Operation>,
    /// What the scalars of the operations are.
    scalars: Vec<Scalar>,
    /// The columns of the operations.
    columns: Vec<Column>,
    registers: usize,
    result: Operand,
    constraints: usize,
}

impl Plan {
    pub fn new(constraints: &[Constraint]) -> Self {
        let mut graph = Graph::default();
        let mut groups: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        for (index, Constraint { factor, term }) in constraints.iter().enumerate() {
            let factor = factor.as_ref().map(|factor| graph.add(factor));
            let power = graph.scalar(Scalar::PowerOfY(constraints.len() - 1 - index));
            let term = graph.add(term);
            let term = graph.operation(Kind::Multiply, term, power);
            match groups.iter_mut().find(|(other, _)| *other == factor) {
                Some((_, terms)) => terms.push(term),
                None => groups.push((factor, vec![term])),
            }
        }
        let mut sum = graph.scalar(Scalar::Constant(Fr::ZERO));
        for (factor, terms) in groups {
            let mut group = graph.scalar(Scalar::Constant(Fr::ZERO));
            for term in terms {
                group = graph.operation(Kind::Add, group, term);
            }
            let product = factor.map_or(group, |factor| graph.operation(Kind::Multiply, factor, group));
            sum = graph.operation(Kind::Add, sum, product);
        }
        graph.compile(sum, constraints.len())
    }

    /// The columns that the operations read.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many constraints there are.
    pub fn constraints(&self) -> usize {
        self.constraints
    }

    pub fn multiplications(&self) -> usize {
        self.operations.iter().filter(|operation| operation.kind == Kind::Multiply).count()
    }

    /// Evaluates the sum in every row.
    ///
    /// `columns` are those of [`Self::columns`], each with its last `margin` rows before and its first `margin` rows after it; no rotation,
    /// modulo the rows, goes beyond the margin. `scalar` tells the scalars' values.
    pub fn evaluate(
        &self,
        lanes: Option<Lanes>,
        rows: usize,
        columns: &[&[Fr]],
        margin: usize,
        scalar: impl Fn(&Scalar) -> Fr,
    ) -> Vec<Fr> {
        let scalars: Vec<Fr> = self.scalars.iter().map(scalar).collect();
        let mut sums = vec![Fr::ZERO; rows];
        if let Some(lanes) = lanes
            && rows.is_multiple_of(BLOCK)
        {
            let Self { operations, registers, result, .. } = self;
            let (registers, result, scalars) = (*registers, *result, &scalars);
            lanes.run(&Program { operations, registers, result, columns, scalars, margin }, &mut sums);
            return sums;
        }
        let registers = || vec![vec![Fr::ZERO; BLOCK]; self.registers];
        sums.par_chunks_mut(BLOCK).enumerate().with_min_len(4).for_each_init(registers, |registers, (block, sums)| {
            let start = margin + block * BLOCK;
            let inputs = Inputs { columns, scalars: &scalars, all_rows: rows, start, rows: sums.len() };
            for operation in &self.operations {
                let mut result = std::mem::take(&mut registers[operation.to as usize]);
                inputs.apply(operation, registers, &mut result[..sums.len()]);
                registers[operation.to as usize] = result;
            }
            inputs.copy(self.result, registers, sums);
        });
        sums
    }
}

/// What a block of rows is computed from.
struct Inputs<'a> {
    columns: &'a [&'a [Fr]],
    scalars: &'a [Fr],
    /// Rows of a column, which a rotation counts modulo.
    all_rows: usize,
    start: usize,
    rows: usize,
}

/// The values of an operand in a block of rows.
enum Values<'a> {
    Many(&'a [Fr]),
    One(&'a Fr),
}

impl Inputs<'_> {
    fn values<'b>(&'b self, operand: Operand, registers: &'b [Vec<Fr>]) -> Values<'b> {
        match operand {
            Operand::Register(register) => Values::Many(&registers[register as usize][..self.rows]),
            Operand::Column(column, rotation) => {
                let start = self.start.strict_add_signed(rotation as isize % self.all_rows as isize);
                Values::Many(&self.columns[column as usize][start..start + self.rows])
            }
            Operand::Scalar(scalar) => Values::One(&self.scalars[scalar as usize]),
        }
    }

    fn apply(&self, operation: &Operation, registers: &[Vec<Fr>], to: &mut [Fr]) {
        let left = self.values(operation.left, registers);
        let right = self.values(operation.right, registers);
        match operation.kind {
            Kind::Add => apply_elementwise(to, &left, &right, |left, right| left + right),
            Kind::Subtract => apply_elementwise(to, &left, &right, |left, right| left - right),
            Kind::Multiply => apply_elementwise(to, &left, &right, |left, right| left * right),
        }
    }

    fn copy(&self, from: Operand, registers: &[Vec<Fr>], to: &mut [Fr]) {
        match self.values(from, registers) {
            Values::Many(values) => to.copy_from_slice(values),
            Values::One(value) => to.fill(*value),
        }
    }
}

#[inline(always)]
fn apply_elementwise(to: &mut [Fr], left: &Values<'_>, right: &Values<'_>, operation: impl Fn(&Fr, &Fr) -> Fr) {
    match (left, right) {
        (Values::Many(left), Values::Many(right)) => {
            for ((to, left), right) in to.iter_mut().zip(*left).zip(*right) {
                *to = operation(left, right);
            }
        }
        (Values::Many(left), Values::One(right)) => {
            to.iter_mut().zip(*left).for_each(|(to, left)| *to = operation(left, right));
        }
        (Values::One(left), Values::Many(right)) => {
            to.iter_mut().zip(*right).for_each(|(to, right)| *to = operation(left, right));
        }
        (Values::One(left), Values::One(right)) => to.fill(operation(left, right)),
    }
}

/// A node of the graph of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Cell(Column, i32),
    Scalar(Scalar),
    Operation(Kind, usize, usize),
}

/// Expressions in which equal parts exist once.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, usize>,
}

impl Graph {
    fn node(&mut self, node: Node) -> usize {
        let next = self.nodes.len();
        let index = *self.known.entry(node).or_insert(next);
        if index == next {
            self.nodes.push(node);
        }
        index
    }

    fn scalar(&mut self, scalar: Scalar) -> usize {
        // y⁰ is a constant.
        self.node(Node::Scalar(if scalar == Scalar::PowerOfY(0) { Scalar::Constant(Fr::ONE) } else { scalar }))
    }

    fn add(&mut self, term: &Term) -> usize {
        let (kind, left, right) = match term {
            Term::Cell(column, rotation) => return self.node(Node::Cell(*column, *rotation)),
            Term::Scalar(scalar) => return self.scalar(*scalar),
            Term::Add(left, right) => (Kind::Add, left, right),
            Term::Subtract(left, right) => (Kind::Subtract, left, right),
            Term::Multiply(left, right) => (Kind::Multiply, left, right),
        };
        let (left, right) = (self.add(left), self.add(right));
        self.operation(kind, left, right)
    }

    /// The constant that a node is, if it is one.
    fn constant(&self, node: usize) -> Option<Fr> {
        match self.nodes[node] {
            Node::Scalar(Scalar::Constant(constant)) => Some(constant),
            _ => None,
        }
    }

    fn operation(&mut self, kind: Kind, left: usize, right: usize) -> usize {
        let (zero, one) = (Some(Fr::ZERO), Some(Fr::ONE));
        match (kind, self.constant(left), self.constant(right)) {
            (Kind::Add, Some(left), Some(right)) => self.scalar(Scalar::Constant(left + right)),
            (Kind::Subtract, Some(left), Some(right)) => self.scalar(Scalar::Constant(left - right)),
            (Kind::Multiply, Some(left), Some(right)) => self.scalar(Scalar::Constant(left * right)),
            (Kind::Add | Kind::Subtract, _, constant) if constant == zero => left,
            (Kind::Add, constant, _) if constant == zero => right,
            (Kind::Multiply, _, constant) if constant == one => left,
            (Kind::Multiply, constant, _) if constant == one => right,
            (Kind::Multiply, left, right) if left == zero || right == zero => self.scalar(Scalar::Constant(Fr::ZERO)),
            // Sums and products don't mind the order, so that both orders are one node.
            (Kind::Add | Kind::Multiply, ..) => self.node(Node::Operation(kind, left.min(right), left.max(right))),
            (Kind::Subtract, ..) => self.node(Node::Operation(kind, left, right)),
        }
    }

    /// Puts what `result` needs in an order, and its values into as few registers as that order allows.
    fn compile(&self, result: usize, constraints: usize) -> Plan {
        let order = self.order(result);
        let mut last_use = HashMap::new();
        for (time, node) in order.iter().enumerate() {
            if let Node::Operation(_, left, right) = self.nodes[*node] {
                last_use.extend([(left, time), (right, time)]);
            }
        }
        let (operations, scalars, columns) = (Vec::new(), Vec::new(), Vec::new());
        let mut plan = Plan { operations, scalars, columns, registers: 0, result: Operand::Scalar(0), constraints };
        let mut operands: HashMap<usize, Operand> = HashMap::new();
        let mut free = Vec::new();
        for (time, node) in order.iter().enumerate() {
            let operand = match self.nodes[*node] {
                Node::Cell(column, rotation) => Operand::Column(position_or_push(&mut plan.columns, column), rotation),
                Node::Scalar(scalar) => Operand::Scalar(position_or_push(&mut plan.scalars, scalar)),
                Node::Operation(kind, left, right) => {
                    // The register of the result is none of the operands', even if those aren't needed any more.
                    let to = free.pop().unwrap_or_else(|| {
                        plan.registers += 1;
                        plan.registers as u32 - 1
                    });
                    let [left_operand, right_operand] = [left, right].map(|node| operands[&node]);
                    plan.operations.push(Operation { kind, left: left_operand, right: right_operand, to });
                    for (node, operand) in BTreeMap::from([(left, left_operand), (right, right_operand)]) {
                        if let Operand::Register(register) = operand
                            && last_use[&node] == time
                        {
                            free.push(register);
                        }
                    }
                    Operand::Register(to)
                }
            };
            operands.insert(*node, operand);
        }
        plan.result = operands[&result];
        plan
    }

    /// The nodes that `result` needs, each after those that it needs itself. Of two operands the one that takes longer comes first,
    /// so that the other's register is free meanwhile.
    fn order(&self, result: usize) -> Vec<usize> {
        // A node's operands have lower numbers.
        let mut heights = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            heights.push(match node {
                Node::Operation(_, left, right) => 1 + usize::max(heights[*left], heights[*right]),
                _ => 0,
            });
        }
        let mut order = Vec::new();
        let mut done = vec![false; self.nodes.len()];
        // Nodes to visit; with true, those whose operands have been visited.
        let mut stack = vec![(result, false)];
        while let Some((node, ready)) = stack.pop() {
            if done[node] {
                continue;
            }
            match self.nodes[node] {
                Node::Operation(_, left, right) if !ready => {
                    let (first, second) = if heights[left] < heights[right] { (right, left) } else { (left, right) };
                    stack.extend([(node, true), (second, false), (first, false)]);
                }
                _ => {
                    done[node] = true;
                    order.push(node);
                }
            }
        }
        order
    }
}

/// The place of an item in a list, at whose end it is put if it isn't there yet.
fn position_or_push<T: PartialEq>(list: &mut Vec<T>, item: T) -> u32 {
    let place = list.iter().position(|other| *other == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    });
    place as u32
}
