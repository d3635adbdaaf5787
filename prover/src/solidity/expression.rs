//! The constraints of gates and lookups as one graph in which equal subexpressions are one node.
//!
//! halo2 keeps every constraint as a tree of its own, in which a gate's selector or an S-box's square stands many times. Here it is
//! computed once. Negations are moved outwards, for a difference costs one instruction more than a sum.

use halo2_proofs::plonk::Expression;
use halo2curves::bn256::Fr;
use halo2curves::ff::{Field, PrimeField};
use plonk::{Column, Place};
use std::collections::HashMap;

/// A node of the graph.
pub(super) type Id = usize;

/// What a node is made of. Sums and products don't care for the order of their operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Node {
    Constant([u8; 32]),
    Value(Place),
    Negated(Id),
    Sum(Id, Id),
    Product(Id, Id),
}

/// A graph that only grows: operands come before what is made of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, Id>,
}

impl Graph {
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// The operands of a node.
    pub fn operands(&self, id: Id) -> Vec<Id> {
        match self.nodes[id] {
            Node::Constant(_) | Node::Value(_) => Vec::new(),
            Node::Negated(a) => vec![a],
            Node::Sum(a, b) | Node::Product(a, b) => vec![a, b],
        }
    }

    /// A node without the negation around it.
    pub fn positive(&self, id: Id) -> Id {
        match self.nodes[id] {
            Node::Negated(a) => a,
            _ => id,
        }
    }

    /// Adds a constraint; None if it has something in it that halo2 has removed from every verifying key.
    pub fn add(&mut self, expression: &Expression<Fr>) -> Option<Id> {
        Some(match expression {
            Expression::Constant(value) => self.constant(*value),
            Expression::Fixed(query) => self.value(Column::Fixed(query.column_index()).at(query.rotation().0)),
            Expression::Advice(query) => self.value(Column::Advice(query.column_index()).at(query.rotation().0)),
            Expression::Instance(query) => self.value(Column::Instance(query.column_index()).at(query.rotation().0)),
            Expression::Selector(_) | Expression::Challenge(_) => return None,
            Expression::Negated(a) => {
                let a = self.add(a)?;
                self.negated(a)
            }
            Expression::Sum(a, b) => {
                let (a, b) = (self.add(a)?, self.add(b)?);
                self.sum(a, b)
            }
            Expression::Product(a, b) => {
                let (a, b) = (self.add(a)?, self.add(b)?);
                self.product(a, b)
            }
            Expression::Scaled(a, scale) => {
                let (a, scale) = (self.add(a)?, self.constant(*scale));
                self.product(a, scale)
            }
        })
    }

    fn insert(&mut self, node: Node) -> Id {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = self.nodes.len();
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }

    fn value(&mut self, value: Place) -> Id {
        self.insert(Node::Value(value))
    }

    /// A constant; one just below the modulus is written as the small number that it is the negative of.
    fn constant(&mut self, value: Fr) -> Id {
        let opposite = -value;
        if !is_small(&value) && is_small(&opposite) {
            let opposite = self.insert(Node::Constant(opposite.to_repr()));
            return self.insert(Node::Negated(opposite));
        }
        self.insert(Node::Constant(value.to_repr()))
    }

    /// The value of a node that is a constant.
    fn as_constant(&self, id: Id) -> Option<Fr> {
        match &self.nodes[id] {
            Node::Constant(bytes) => Fr::from_repr(*bytes).into(),
            Node::Negated(a) => self.as_constant(*a).map(|value| -value),
            _ => None,
        }
    }

    fn negated(&mut self, a: Id) -> Id {
        match (self.as_constant(a), &self.nodes[a]) {
            (Some(value), _) => self.constant(-value),
            (None, Node::Negated(positive)) => *positive,
            _ => self.insert(Node::Negated(a)),
        }
    }

    fn sum(&mut self, a: Id, b: Id) -> Id {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => return self.constant(x + y),
            (Some(x), None) if x == Fr::ZERO => return b,
            (None, Some(y)) if y == Fr::ZERO => return a,
            _ => {}
        }
        if let (&Node::Negated(x), &Node::Negated(y)) = (&self.nodes[a], &self.nodes[b]) {
            let sum = self.sum(x, y);
            return self.negated(sum);
        }
        self.insert(Node::Sum(a.min(b), a.max(b)))
    }

    fn product(&mut self, a: Id, b: Id) -> Id {
        let (x, y) = (self.positive(a), self.positive(b));
        let product = match (self.as_constant(x), self.as_constant(y)) {
            (Some(c), Some(d)) => self.constant(c * d),
            (Some(c), None) | (None, Some(c)) if c == Fr::ZERO => self.constant(c),
            (Some(c), None) if c == Fr::ONE => y,
            (None, Some(d)) if d == Fr::ONE => x,
            _ => self.insert(Node::Product(x.min(y), x.max(y))),
        };
        if (x == a) == (y == b) { product } else { self.negated(product) }
    }
}

/// Whether a constant is written into the code: a larger one stands in the key.
pub(super) fn is_small(value: &Fr) -> bool {
    value.to_repr()[8..].iter().all(|&byte| byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_one_node_and_signs_move_outwards() {
        let mut graph = Graph::default();
        let [x, y] = [0, 1].map(|column| graph.value(Column::Advice(column).at(0)));
        let (one, minus_one) = (graph.constant(Fr::ONE), graph.constant(-Fr::ONE));
        assert_eq!(graph.sum(x, y), graph.sum(y, x));
        assert_eq!(graph.product(x, one), x);
        assert_eq!(graph.product(minus_one, x), graph.negated(x));
        let zero = graph.constant(Fr::ZERO);
        assert_eq!(graph.product(minus_one, zero), zero);
        let minus_y = graph.negated(y);
        let (product, negative) = (graph.product(x, y), graph.product(x, minus_y));
        assert_eq!(negative, graph.negated(product));
        let minus_x = graph.negated(x);
        assert_eq!(graph.product(minus_x, minus_y), product);
        let (sum, negative) = (graph.sum(x, y), graph.sum(minus_x, minus_y));
        assert_eq!(negative, graph.negated(sum));
        assert_eq!(graph.sum(one, minus_one), graph.constant(Fr::ZERO));
        assert_eq!(graph.node(minus_one), &Node::Negated(one));
    }
}
