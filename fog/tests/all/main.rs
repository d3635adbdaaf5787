//! The integration tests of `fog` in one program, so that its dependencies are linked once.

mod answer_statement;
mod claim_statements;
mod closure;
mod model;
mod on_chain_statements;
mod own_step_statement;
mod sight;
mod smooth_order;
mod turn_statement;
mod vectors;
mod wire;
