//! *fifty*, for every counter and both bits.

use fog::{
    commitment::commit,
    statement::fifty::{FiftyPrivate, FiftyPublic, check},
    testing::{fifties, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::PieceType;

use super::super::FiftyCircuit;
use crate::values::{Dry, compare, differ};

#[test]
fn every_counter_has_its_bit() {
    let (_, private) = fifties(seed(55)).next().expect("an endless row");
    let rng = &mut StdRng::seed_from_u64(seed(56));
    let mut cases = Vec::new();
    for (since_pawn, bit) in (0..=127u8).flat_map(|since_pawn| [(since_pawn, false), (since_pawn, true)]) {
        let mut side = private.side.clone();
        side.pieces = [(); 64].map(|()| PieceType::from_code(rng.gen_range(0..=6)));
        (side.rights.king_side, side.rights.queen_side) = (rng.r#gen(), rng.r#gen());
        (side.since_pawn, side.double_push) = (since_pawn, (since_pawn % 9).checked_sub(1));
        cases.push((side, bit));
    }
    let dry = Dry::<FiftyCircuit>::new();
    compare("fifty", &cases, |(side, bit)| {
        let since_pawn = side.since_pawn;
        let public = FiftyPublic { commitment: commit(side, private.salt), bit: *bit };
        let private = FiftyPrivate { side: side.clone(), salt: private.salt };
        let is_true = check(&public, &private).is_ok();
        let refusals = dry.refusals(&public, &private);
        differ((since_pawn, &refusals), refusals.is_empty(), is_true).or(differ(
            since_pawn,
            is_true,
            *bit == (since_pawn >= 50),
        ))
    });
}
