//! Ceremony files: whole ones are read, and each check refuses what it is for, by name.

use crate::common::ceremony::{Contents, modulus, outside_subgroup, ptau_file};
use halo2_proofs::arithmetic::eval_polynomial;
use halo2_proofs::poly::EvaluationDomain;
use halo2_proofs::poly::commitment::{Blind, Params, ParamsProver};
use halo2curves::bn256::{Fq, Fr, G1Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use prover::{Point, Powers, Srs, SrsError};

const POWER: u32 = 3;

fn contents() -> Contents {
    Contents::new(POWER, Fr::random(crate::common::rng()))
}

/// What the parser and the checks say of a file's bytes.
fn verdict(bytes: &[u8]) -> Result<(), SrsError> {
    Powers::parse(bytes, POWER)?.check(crate::common::rng())
}

/// Both formats of the same contents.
fn files(contents: &Contents) -> [Vec<u8>; 2] {
    [contents.ptau(), contents.ignition()]
}

macro_rules! refused {
    ($bytes:expr, $error:pat) => {
        let verdict = verdict(&$bytes);
        assert!(matches!(verdict, Err($error)), "{verdict:?}");
    };
}

#[test]
fn whole_files_give_parameters_that_commit_rightly() {
    let tau = Fr::random(crate::common::rng());
    let contents = Contents::new(POWER, tau);
    for bytes in files(&contents) {
        for k in 1..=POWER {
            let srs = Srs::from_bytes(&bytes, k).unwrap();
            assert_eq!(srs.k(), k);
            assert!(!srs.ceremony().is_development());
            let values: Vec<Fr> = (0..1 << k).map(|_| Fr::random(crate::common::rng())).collect();
            let domain = EvaluationDomain::new(1, k);
            let lagrange = domain.lagrange_from_vec(values);
            let coefficients = domain.lagrange_to_coeff(lagrange.clone());
            let blind = Blind::default();
            let commitment = srs.params().commit_lagrange(&lagrange, blind);
            assert_eq!(commitment, srs.params().commit(&coefficients, blind));
            let value = eval_polynomial(&coefficients, tau);
            assert_eq!(commitment, G1Affine::generator() * value);
        }
    }
}

#[test]
fn a_larger_size_than_the_file_has_is_refused() {
    let contents = contents();
    let too_small =
        |bytes: &[u8], k| matches!(Powers::parse(bytes, k), Err(SrsError::TooSmall { k: wanted, .. }) if wanted == k);
    assert!(too_small(&contents.ptau(), POWER + 1));
    assert!(too_small(&contents.ignition(), POWER + 2));
}

#[test]
fn every_truncation_and_a_trailing_byte_are_refused() {
    for bytes in files(&contents()) {
        for length in 0..bytes.len() {
            assert!(verdict(&bytes[..length]).is_err(), "cut to {length} bytes");
        }
        refused!(bytes[..bytes.len() - 1], SrsError::Truncated(_));
        refused!([&bytes[..], &[0]].concat(), SrsError::TrailingBytes(1));
    }
}

#[test]
fn files_of_another_kind_are_refused() {
    refused!(b"PK\x03\x04 not a ceremony at all, really"[..], SrsError::WrongMagic);
    refused!([0; 64], SrsError::WrongMagic);
    let mut other_version = contents().ptau();
    other_version[4] = 2;
    refused!(other_version, SrsError::UnknownVersion(2));
}

#[test]
fn ptau_headers_that_cannot_be_right_are_refused() {
    let header = |n8: u32, prime: &[u8], power: u32, ceremony: u32| {
        let [power, ceremony] = [power, ceremony].map(u32::to_le_bytes);
        [&n8.to_le_bytes()[..], prime, &power, &ceremony].concat()
    };
    let good = header(32, &modulus(), 1, 1);
    let mut other_prime = modulus();
    other_prime[0] ^= 2;
    let with = |header: Vec<u8>, g1: usize, g2: usize| ptau_file(&[(1, header), (2, vec![0; g1]), (3, vec![0; g2])]);
    refused!(with(header(32, &other_prime, 1, 1), 192, 256), SrsError::WrongPrime);
    refused!(with(header(48, &modulus(), 1, 1), 192, 256), SrsError::WrongPrime);
    refused!(with(header(32, &modulus(), 2, 1), 192, 256), SrsError::WrongHeader(_));
    refused!(with(header(32, &modulus(), 60, 60), 192, 256), SrsError::WrongHeader(_));
    refused!(with(good.clone(), 191, 256), SrsError::WrongSectionLength { section: 2, .. });
    refused!(with(good.clone(), 192, 128), SrsError::WrongSectionLength { section: 3, .. });
    refused!(with([&good[..], &[0]].concat(), 192, 256), SrsError::TrailingBytes(1));
    let twice = [(1, good.clone()), (1, good.clone())];
    refused!(ptau_file(&twice), SrsError::DuplicateSection(1));
    refused!(ptau_file(&[(1, good.clone()), (3, vec![0; 256])]), SrsError::MissingSection(2));
    refused!(ptau_file(&[(2, vec![]), (3, vec![])]), SrsError::MissingSection(1));
}

#[test]
fn ignition_lists_that_should_be_empty_are_refused() {
    let bytes = contents().ignition();
    for position in [8 + 64 * contents().g1.len(), bytes.len() - 8] {
        let mut changed = bytes.clone();
        changed[position] = 1;
        refused!(changed, SrsError::WrongHeader(_));
    }
}

#[test]
fn points_off_the_curve_are_refused() {
    let mut contents = contents();
    contents.g1[5][1] += Fq::ONE;
    for bytes in files(&contents) {
        refused!(bytes, SrsError::NotOnCurve(Point::Power(5)));
    }
    let mut contents = self::contents();
    contents.tau_g2[0].c1 += Fq::ONE;
    for bytes in files(&contents) {
        refused!(bytes, SrsError::NotOnCurve(Point::TauG2));
    }
}

#[test]
fn points_at_infinity_are_refused() {
    let mut contents = contents();
    contents.g1[2] = [Fq::ZERO; 2];
    for bytes in files(&contents) {
        refused!(bytes, SrsError::Infinity(Point::Power(2)));
    }
    let mut flagged = self::contents().ignition();
    flagged[8 + 3 * 64 + 63] |= 0x40;
    refused!(flagged, SrsError::Infinity(Point::Power(3)));
}

#[test]
fn coordinates_above_the_modulus_are_refused() {
    let contents = contents();
    let (mut ptau, mut ignition) = (contents.ptau(), contents.ignition());
    let first = contents.g1[1][0];
    let place = |bytes: &[u8], needle: &[u8]| bytes.windows(32).position(|w| w == needle).unwrap();
    let at = place(&ptau, &halo2curves::serde::SerdeObject::to_raw_bytes(&first));
    ptau[at..at + 32].copy_from_slice(&modulus());
    refused!(ptau, SrsError::NotCanonical(Point::Power(1)));
    let at = place(&ignition, halo2curves::ff::PrimeField::to_repr(&first).as_ref());
    ignition[at..at + 32].copy_from_slice(&modulus());
    refused!(ignition, SrsError::NotCanonical(Point::Power(1)));
}

#[test]
fn other_generators_are_refused() {
    let tau = Fr::random(crate::common::rng());
    let mut shifted = Contents::new(POWER, tau);
    shifted.g1.rotate_left(1);
    for bytes in files(&shifted) {
        refused!(bytes, SrsError::WrongGenerator(Point::Power(0)));
    }
    let mut other_g2 = Contents::new(POWER, tau);
    other_g2.g2 = other_g2.tau_g2;
    for bytes in files(&other_g2) {
        refused!(bytes, SrsError::WrongGenerator(Point::G2));
    }
}

#[test]
fn a_tau_outside_the_subgroup_is_refused() {
    let mut contents = contents();
    contents.tau_g2 = outside_subgroup();
    for bytes in files(&contents) {
        refused!(bytes, SrsError::NotInSubgroup(Point::TauG2));
    }
}

#[test]
fn what_only_the_pairing_check_can_see_is_refused() {
    let tau = Fr::random(crate::common::rng());
    let whole = Contents::new(POWER, tau);
    let mut swapped = whole.clone();
    swapped.g1.swap(3, 4);
    let mut other_tau = whole.clone();
    other_tau.tau_g2 = Contents::new(POWER, tau + Fr::ONE).tau_g2;
    let mut one_wrong = whole.clone();
    let wrong = (G1Affine::generator() * Fr::random(crate::common::rng())).to_affine();
    one_wrong.g1[7] = [wrong.x, wrong.y];
    for contents in [swapped, other_tau, one_wrong] {
        for bytes in files(&contents) {
            refused!(bytes, SrsError::NotPowersOfTau);
        }
    }
}

#[test]
fn a_flipped_bit_in_any_used_point_is_refused() {
    let contents = contents();
    // The points that a size of 2^POWER uses, wherever the format puts them.
    for mut bytes in files(&contents) {
        let ptau = bytes.starts_with(b"ptau");
        let start = if ptau { bytes.len() - 12 - (128 << POWER) - 64 * contents.g1.len() } else { 8 };
        for index in start..start + (64 << POWER) {
            bytes[index] ^= 1;
            assert!(verdict(&bytes).is_err(), "byte {index}");
            bytes[index] ^= 1;
        }
        assert!(verdict(&bytes).is_ok());
    }
}

#[test]
fn a_tau_that_everybody_knows_is_refused() {
    for bytes in files(&Contents::new(POWER, Fr::ONE)) {
        assert!(matches!(Srs::from_bytes(&bytes, POWER), Err(SrsError::KnownSecret)));
    }
    let folder = tempfile::tempdir().unwrap();
    let development = Srs::development(POWER, folder.path(), &prover::NoProgress);
    let tau_g2 = development.params().s_g2();
    let mut disguised = contents();
    disguised.tau_g2 = [tau_g2.x, tau_g2.y];
    for (place, point) in disguised.g1.iter_mut().zip(development.params().get_g()) {
        *place = [point.x, point.y];
    }
    for bytes in files(&disguised) {
        assert!(matches!(Srs::from_bytes(&bytes, POWER), Err(SrsError::KnownSecret)));
    }
}
