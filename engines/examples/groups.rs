//! Measures what the two groups of set intersection take for the points of one sight: milliseconds, all threads.

use engines::psi::{
    element::Element,
    group::{Group, Grumpkin, Ristretto},
    points::decode_all,
};
use rules::Color;
use std::time::Instant;

const SHOWN: usize = 1168;
const ASKED: usize = 1344;
const RUNS: u32 = 10;

/// The median of some runs, in milliseconds; the first doesn't count.
fn ms<T>(mut run: impl FnMut() -> T) -> f64 {
    run();
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn measure<G: Group>(name: &str) {
    let scalar = |index: usize| G::scalar(&std::array::from_fn(|byte| (7 * index + 31 * byte) as u8));
    let dummies: Vec<Element> = (0..ASKED).map(Element::receiver_dummy).collect();
    let hashed = G::hashed(&dummies, Color::White).expect("there are as many dummies");
    let (exponent, blinds) = (scalar(1), (0..ASKED).map(scalar).collect::<Vec<_>>());
    let announced = G::times_generator(&exponent);
    let multiples = G::multiples(&announced);
    let blinded = G::blind(&hashed, &blinds);
    let encoded = blinded.encoded.concat();
    let weights: Vec<G::Scalar> = (1..=ASKED as u128).map(|index| G::small(u128::MAX / index)).collect();
    let times = [
        ("tags", ms(|| G::tags(&exponent, &hashed[..SHOWN]))),
        ("blind", ms(|| G::blind(&hashed, &blinds))),
        ("raise", ms(|| G::raise(&exponent, &blinded.points))),
        ("multiples", ms(|| G::multiples(&announced))),
        ("unblind", ms(|| G::unblind(&multiples, &blinded.points, &blinds))),
        ("decode", ms(|| decode_all::<G>(&encoded))),
        ("sum", ms(|| G::sum(&weights, &blinded.points))),
    ];
    for (what, time) in times {
        println!("{name:<10} {what:<10} {time:>8.2} ms");
    }
}

fn main() {
    measure::<Ristretto>("ristretto");
    measure::<Grumpkin>("grumpkin");
}
