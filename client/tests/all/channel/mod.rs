//! Games between the machines (protocol, section 8): both players' machines and the game contract in one process. Proofs are stood in for by native checks.

mod attacks;
mod behind;
mod clocks;
mod games;
mod killed;
mod missed;
mod results;
