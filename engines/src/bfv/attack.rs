//! What a decryption without flooding gives away: from one sight the receiver computes the sender's share of the secret key.
//!
//! Switching divides both parts of the product by `D`, the dropped primes, and rounds. The remainders `ρ₀`, `ρ₁` are known to everybody, and the
//! noise of what is opened is `−(ρ₀ + ρ₁·s)` but for 2⁻¹⁶ or so: as many equations as `s` has coefficients. They are solved by a transform that turns the
//! product of polynomials into products of numbers.

use super::{
    captured::check,
    integers::{KeyAndMask, lifted},
    pairs::{Exchange, centered, ciphers, ciphers_of, noise},
    parameters::{DEGREE, DROPPED, MODULI, PLAINTEXT, Parameters, VARIANCE},
    ring, shares,
    transcript::Transcript,
};
use crate::{Unmet, psi::pairs::Boards};
use fhe::bfv::{Ciphertext, Encoding};
use fhe_math::rq::{Context, Poly, Representation, traits::TryConvertFrom};
use fhe_traits::FheDecoder;
use fog::{
    engine::{Branch, Party},
    testing::{Walk, seed},
};
use num_bigint::{BigInt, BigUint};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::Square;
use std::{f64::consts::PI, sync::Arc};

type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn turn(angle: f64) -> Complex {
    (angle.cos(), angle.sin())
}

/// The discrete Fourier transform, forwards with `sign` 1, backwards (and times the length) with −1.
fn transform(values: &[Complex], sign: f64) -> Vec<Complex> {
    if values.len() == 1 {
        return values.to_vec();
    }
    let half = |parity: usize| {
        let half: Vec<Complex> = values.iter().copied().skip(parity).step_by(2).collect();
        transform(&half, sign)
    };
    let (even, odd, step) = (half(0), half(1), sign * 2.0 * PI / values.len() as f64);
    let turned = |place: usize| times(turn(step * place as f64), odd[place]);
    let first = even.iter().enumerate().map(|(place, even)| (even.0 + turned(place).0, even.1 + turned(place).1));
    let second = even.iter().enumerate().map(|(place, even)| (even.0 - turned(place).0, even.1 - turned(place).1));
    first.chain(second).collect()
}

/// Values of a polynomial at all `x` with `x^N = −1`.
fn values(coefficients: &[f64]) -> Vec<Complex> {
    let turned = coefficients.iter().enumerate();
    let turned = turned.map(|(place, value)| times(turn(PI * place as f64 / DEGREE as f64), (*value, 0.0)));
    transform(&turned.collect::<Vec<_>>(), 1.0)
}

/// The polynomial `x` with `divisor·x = product`, rounded.
fn divide(product: &[f64], divisor: &[f64]) -> Vec<i64> {
    quotient(product, divisor).into_iter().map(|value| value.round() as i64).collect()
}

/// The polynomial `x` with `divisor·x = product`.
fn quotient(product: &[f64], divisor: &[f64]) -> Vec<f64> {
    let pairs = values(product).into_iter().zip(values(divisor));
    let quotients = pairs.map(|(a, b)| {
        let norm = b.0 * b.0 + b.1 * b.1;
        let product = times(a, (b.0, -b.1));
        (product.0 / norm, product.1 / norm)
    });
    let turned = transform(&quotients.collect::<Vec<_>>(), -1.0).into_iter().enumerate();
    turned.map(|(place, value)| times(turn(-PI * place as f64 / DEGREE as f64), value).0 / DEGREE as f64).collect()
}

/// What rounding has left of a polynomial, in units of what was divided by.
fn remainders(full: &Poly, switched: &Poly) -> Vec<f64> {
    let (modulus, divisor) = (full.ctx().modulus(), dropped());
    let pairs = lifted(full).into_iter().zip(lifted(switched));
    let remainder = |(full, switched): (BigUint, BigUint)| (full + modulus - (switched * &divisor) % modulus) % modulus;
    let scale = centered(&divisor, &(&divisor * 4_u32)) as f64;
    pairs.map(|pair| centered(&remainder(pair), modulus) as f64 / scale).collect()
}

fn dropped() -> BigUint {
    MODULI[MODULI.len() - DROPPED..].iter().map(|prime| BigUint::from(*prime)).product()
}

fn coefficients(key: &Poly) -> Vec<i64> {
    let modulus = key.ctx().modulus();
    lifted(key).iter().map(|number| centered(number, modulus) as i64).collect()
}

/// How many coefficients of the sender's key the receiver gets from a share.
fn stolen(exchange: &Exchange, share: impl FnOnce(&super::cipher::Product) -> Poly) -> usize {
    let (sender, receiver) = (&exchange.sender.cipher, &exchange.receiver.cipher);
    // What the receiver knows: the ciphertexts, its own key, the share and what it opens to.
    let [item, view] = exchange.ciphertexts();
    let full = receiver.multiply_full(&item, &view).expect("a product");
    let product = receiver.multiply(&item, &view).expect("a product");
    let share = share(&product);
    let own = coefficients(&receiver.share.switched);
    let opened = receiver.opened(&product, &share).expect("a plaintext");
    let opened = Vec::<u64>::try_decode(&opened, Encoding::poly_at_level(DROPPED)).expect("coefficients");

    let phase = &(&product.ciphertext[0] + &*receiver.bare_share(&product)) + &share;
    let modulus = u64::try_from(phase.ctx().modulus() % PLAINTEXT).expect("a small number");
    let fraction = |value: &u64| ((modulus * value) % PLAINTEXT) as f64 / PLAINTEXT as f64;
    let noise = noise(&phase, &opened).into_iter().zip(&opened).map(|(noise, value)| noise as f64 - fraction(value));
    let [first, second] = [0, 1].map(|part| remainders(&full[part], &product.ciphertext[part]));
    let right: Vec<f64> = noise.zip(first).map(|(noise, rest)| -(noise + rest)).collect();
    let joint = divide(&right, &second);
    let right = coefficients(&sender.share.switched);
    joint.iter().zip(own).zip(right).filter(|((joint, own), right)| joint.wrapping_sub(*own) == *right).count()
}

#[test]
fn without_flooding_one_sight_tells_the_sender_s_key() {
    let mut rng = StdRng::seed_from_u64(seed(174));
    let ciphers = ciphers(&mut rng);
    let boards = Boards::random(&mut Walk::start(), &mut rng);
    let exchange = Exchange::new(&ciphers, boards, &mut rng);
    let mut stream = Transcript::new(&rng.r#gen()).stream(&Branch::from_bytes(rng.r#gen()), "test");

    let bare = stolen(&exchange, |product| (*ciphers[0].bare_share(product)).clone());
    // An error as small as those of keys, which is what the library's own shares have.
    let small = stolen(&exchange, |product| {
        let mut share = (*ciphers[0].bare_share(product)).clone();
        share += &Poly::small(share.ctx(), Representation::Ntt, VARIANCE, &mut stream).expect("an error");
        share
    });
    let flooded = stolen(&exchange, |product| {
        let share = ciphers[0].decryption_share(product, &mut stream).expect("a share");
        let context = product.ciphertext[0].ctx();
        ring::read(2, &share, context).expect("a share").remove(0)
    });
    println!(
        "of {DEGREE} coefficients of the key: {bare} without noise, {small} with the library's, {flooded} flooded"
    );
    assert_eq!(bare, DEGREE);
    assert!(small > DEGREE / 2);
    assert!(flooded < DEGREE / 100);
}

/// A polynomial of integers, which may be negative.
fn poly(coefficients: &[BigInt], context: &Arc<Context>) -> Poly {
    let residue = |value: &BigInt, prime: u64| u64::try_from(((value % prime) + prime) % prime).expect("a residue");
    let rows = context.moduli().iter().flat_map(|prime| coefficients.iter().map(|value| residue(value, *prime)));
    let poly = Poly::try_convert_from(rows.collect::<Vec<u64>>(), context, false, Representation::PowerBasis);
    let mut poly = poly.expect("a polynomial of the ring");
    poly.change_representation(Representation::Ntt);
    poly
}

fn length(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// What *captured* doesn't say and *key share* does: that the relinearisation key is right. A player adds `Q/(5·t·p_j)·n⁻¹` to its share of each row `j`, `n` being a pattern of zeros
/// and ones of its choice; honest products are off by less than a plaintext's half step. Then it encrypts, without a mask, an error by which the item's
/// second part becomes small and has the signs of `n`. The digits of that are 0 or nearly `p_j`, as `n` is, so all rows together add `Q/t`: a plaintext of 1
/// in every slot.
#[test]
fn a_wrong_share_of_the_relinearisation_key_shows_a_man_on_every_square_and_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(179));
    let mut one = vec![0.0; DEGREE];
    one[0] = 1.0 / MODULI.len() as f64;
    let patterns = (0..6).map(|_| (0..DEGREE).map(|_| f64::from(rng.gen_range(0..2_u8))).collect::<Vec<f64>>());
    let inverses = patterns.map(|pattern| (quotient(&one, &pattern), pattern));
    let shortest = inverses.min_by(|one, other| length(&one.0).total_cmp(&length(&other.0)));
    let (inverse, pattern) = shortest.expect("six patterns");
    let full = Parameters::get().expect("parameters").full();
    let modulus = BigInt::from(full.modulus().clone());
    let (ciphers, proven) = ciphers_of(&mut rng, |rows| {
        for (row, prime) in rows.iter_mut().zip(MODULI) {
            let scaled = inverse.iter().map(|value| BigInt::from((value * 2_f64.powi(60)).round() as i128) * &modulus);
            let more: Vec<BigInt> = scaled.map(|value| value / ((BigInt::from(prime) * PLAINTEXT) << 60)).collect();
            *row += &poly(&more, full);
        }
    });
    let refused = [0, 1].map(|player| shares::check(&proven[player], &ciphers[player].share.secrets));
    assert_eq!(refused, [Ok(()), Err(Unmet::Round2)]);
    let exchange = Exchange::new(&ciphers, Boards::random(&mut Walk::start(), &mut rng), &mut rng);
    let (mut sender, mut receiver) = exchange.parties();
    let opening = sender.step(None).expect("an opening").send.expect("an opening");
    let view = receiver.step(Some(&opening)).expect("a right opening").send.expect("a view");
    let share = sender.step(Some(&view)).expect("a right view").send.expect("a share");
    let sight = receiver.step(Some(&share)).expect("a right share").output;
    assert_eq!(sight, Some(exchange.boards.right()), "honest sights stay right");

    let cipher = &exchange.receiver.cipher;
    let item = cipher.read(0, &opening[..super::own::SHAPE[0].content]).expect("an item");
    let float =
        |number: BigUint| number.iter_u64_digits().rev().fold(0.0, |sum, digit| sum * 2_f64.powi(64) + digit as f64);
    let whole = float(full.modulus().clone());
    let second = lifted(&item[1]).into_iter().map(|value| float(value) / whole);
    let second: Vec<f64> = second.map(|value| if value > 0.5 { value - 1.0 } else { value }).collect();
    let signs: Vec<f64> = pattern.iter().map(|bit| 1.0 - 2.0 * bit).collect();
    let error = quotient(&signs, &second);
    let scale = 5.0 * (DEGREE as f64).sqrt() / length(&error);
    let error: Vec<BigInt> = error.iter().map(|value| BigInt::from((value * scale).round() as i64)).collect();
    let view = vec![Poly::zero(full, Representation::Ntt), poly(&error, full)];
    let view = Ciphertext::new(view, &Parameters::get().expect("parameters").scheme).expect("a view");
    let product = cipher.multiply(&item, &view).expect("a product");
    let mut stream = Transcript::new(&rng.r#gen()).stream(&Branch::from_bytes(rng.r#gen()), "test");
    let share = exchange.sender.cipher.decryption_share(&product, &mut stream).expect("a share");
    let color = exchange.boards.receiver.color;
    let private = KeyAndMask { key: cipher.share.secrets.key.clone(), mask: vec![0; DEGREE].into() };
    for square in Square::all() {
        let public = cipher.captured(true, &view, &product, (2, &share), (color, square)).expect("a statement");
        assert_eq!(check(&public, &private), Ok(()), "{square}");
    }
}
