//! Tables on disk.

use halo2_proofs::poly::kzg::commitment::ParamsKZG;
use plonk::Tables;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

#[test]
fn tables_are_read_as_they_were_written_and_for_their_parameters_only() {
    let [params, others] = [1, 2].map(|seed| ParamsKZG::setup(4, ChaCha20Rng::seed_from_u64(seed)));
    let bytes = Tables::new(&params).to_bytes();
    let read = Tables::from_bytes(&params, &bytes).unwrap();
    assert_eq!((read.k(), read.to_bytes()), (4, bytes.clone()));
    assert!(Tables::from_bytes(&others, &bytes).is_none());
    assert!(Tables::from_bytes(&params, &bytes[1..]).is_none());
    assert!(Tables::from_bytes(&params, &bytes[..bytes.len() / 2]).is_none());
    assert!(Tables::from_bytes(&params, &[]).is_none());
    assert!(Tables::from_bytes(&ParamsKZG::setup(5, ChaCha20Rng::seed_from_u64(1)), &bytes).is_none());
}
