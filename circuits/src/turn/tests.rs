//! *turn* against its native twin.

use halo2_proofs::dev::MockProver;

use super::{TurnCircuit, first_move};
use crate::StatementCircuit;

#[test]
fn the_first_move_satisfies_the_circuit() {
    let (public, private) = first_move();
    let circuit = TurnCircuit::new(&public, &private);
    let prover =
        MockProver::run(TurnCircuit::K, &circuit, TurnCircuit::instance(&public)).expect("it fits");
    if let Err(failures) = prover.verify() {
        for f in failures.iter().take(12) {
            println!("{f}");
        }
        panic!("{} failures", failures.len());
    }
}
