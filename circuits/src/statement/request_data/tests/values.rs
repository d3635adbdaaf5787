//! *request data* value by value: each of the 128 coordinates stands at its place under the root and in the polynomial, alone and among others.

use ff::Field;
use fog::{
    engine::sight_lines::request::Request,
    statement::request_data::{RequestDataPrivate, RequestDataPublic, check, gather},
    testing::{requests, seed},
};
use halo2curves::{bn256::Fr, grumpkin::G1Affine};
use rand::{SeedableRng, rngs::StdRng};

use super::super::RequestDataCircuit;
use crate::values::{Dry, compare, differ};

/// A request of which nothing is said but its coordinates, in wire order.
fn request(coordinates: impl Fn(usize) -> Fr) -> Request {
    Request {
        points: std::array::from_fn(|square| G1Affine { x: coordinates(2 * square), y: coordinates(2 * square + 1) }),
    }
}

/// Each coordinate alone other than 0, and each of a drawn request changed, with roots and values of the request before and after: what is true, and what isn't.
fn cases(rng: &mut StdRng, drawn: &RequestDataPrivate) -> Vec<(RequestDataPublic, RequestDataPrivate)> {
    let old = drawn.request.coordinates();
    let (before, _) = gather(drawn.request.clone());
    let mut cases = Vec::new();
    for place in 0..old.len() {
        let value = Fr::random(&mut *rng);
        cases.push(gather(request(|other| if other == place { value } else { Fr::ZERO })));
        let (public, private) = gather(request(|other| if other == place { value } else { old[other] }));
        cases.push((RequestDataPublic { request_root: before.request_root, ..public }, private.clone()));
        // The value at the same point, which another request has too unless the coordinate counts there.
        cases.push((RequestDataPublic { request_root: public.request_root, ..before }, private.clone()));
        cases.push((public, private));
    }
    cases
}

#[test]
fn every_coordinate_has_its_place() {
    let (_, drawn) = requests(seed(87)).next().expect("an endless row");
    let dry = Dry::<RequestDataCircuit>::new();
    compare("request data", &cases(&mut StdRng::seed_from_u64(seed(88)), &drawn), |(public, private)| {
        let found = dry.refusals(public, private);
        let [root, y] = ["public input 0", "public input 2"].map(|name| found.contains(name));
        let expected = (private.request.root() != public.request_root, check(public, private).is_ok());
        let value = fog::binding::evaluate(&private.request.coordinates(), public.binding.z);
        differ(public, (root, found.is_empty()), expected).or(differ(public, y, value != public.binding.y))
    });
}
