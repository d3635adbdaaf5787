//! Ceremony files in Ignition's format: whole ones are read, and each check refuses what it is for, by name.

use crate::common::ceremony::{Contents, modulus, outside_subgroup};
use halo2_proofs::poly::EvaluationDomain;
use halo2_proofs::poly::commitment::{Blind, Params, ParamsProver};
use halo2curves::bn256::{Fq, Fr, G1Affine, G2Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::Curve;
use prover::{NoProgress, Point, Powers, Srs, SrsError};

const POWER: u32 = 3;

/// A whole file of snarkjs, of another ceremony.
const PTAU: &[u8] = include_bytes!("../../../test/data/parameters/snarkjs.ptau");

fn contents() -> Contents {
    Contents::new(POWER, Fr::random(crate::common::rng()))
}

/// What the parser and the checks say of a file's bytes.
fn verdict(bytes: &[u8]) -> Result<(), SrsError> {
    Powers::parse(bytes, POWER)?.check(crate::common::rng())
}

macro_rules! refused {
    ($bytes:expr, $error:pat) => {
        let verdict = verdict(&$bytes);
        assert!(matches!(verdict, Err($error)), "{verdict:?}");
    };
}

#[test]
fn whole_files_give_the_powers_of_their_tau() {
    let tau = Fr::random(crate::common::rng());
    let bytes = Contents::new(POWER, tau).ignition();
    for k in 1..=POWER {
        let powers = Powers::parse(&bytes, k).unwrap();
        powers.check(crate::common::rng()).unwrap();
        let expected = (0..1u64 << k).map(|power| (G1Affine::generator() * tau.pow([power])).to_affine());
        assert_eq!(powers.g1, expected.collect::<Vec<_>>());
        assert_eq!(powers.g2, G2Affine::generator());
        assert_eq!(powers.tau_g2, (G2Affine::generator() * tau).to_affine());
    }
}

#[test]
fn parameters_commit_the_same_in_both_forms() {
    let cache = tempfile::tempdir().unwrap();
    let ceremony = include_bytes!("../../ceremony/ignition-2e15.bin");
    for k in 1..=POWER {
        let srs = Srs::shipped(k, cache.path(), &NoProgress).unwrap();
        assert_eq!(srs.k(), k);
        assert!(!srs.ceremony().is_development());
        let powers = Powers::parse(ceremony, k).unwrap();
        assert_eq!((srs.params().get_g(), srs.params().s_g2()), (&powers.g1[..], powers.tau_g2));
        let values: Vec<Fr> = (0..1 << k).map(|_| Fr::random(crate::common::rng())).collect();
        let domain = EvaluationDomain::new(1, k);
        let lagrange = domain.lagrange_from_vec(values);
        let coefficients = domain.lagrange_to_coeff(lagrange.clone());
        let blind = Blind::default();
        let commitment = srs.params().commit_lagrange(&lagrange, blind);
        assert_eq!(commitment, srs.params().commit(&coefficients, blind));
    }
}

#[test]
fn a_larger_size_than_the_file_has_is_refused() {
    let bytes = contents().ignition();
    assert!(Powers::parse(&bytes, POWER).is_ok());
    let larger = Powers::parse(&bytes, POWER + 1);
    assert!(matches!(larger, Err(SrsError::TooSmall { powers: 15, k: 4 })), "{larger:?}");
}

#[test]
fn every_truncation_and_a_trailing_byte_are_refused() {
    let bytes = contents().ignition();
    for length in 0..bytes.len() {
        assert!(verdict(&bytes[..length]).is_err(), "cut to {length} bytes");
    }
    refused!(bytes[..bytes.len() - 1], SrsError::Truncated(_));
    refused!([&bytes[..], &[0]].concat(), SrsError::TrailingBytes(1));
}

#[test]
fn files_of_another_kind_are_refused() {
    refused!(b"PK\x03\x04 not a ceremony at all, really"[..], SrsError::WrongFormat);
    refused!([0; 64], SrsError::WrongFormat);
    refused!(PTAU, SrsError::WrongFormat);
    let refused = verdict(PTAU).unwrap_err().to_string();
    assert!(refused.contains("; .ptau files are of others") && !refused.contains('\n'), "{refused}");
}

#[test]
fn counts_that_cannot_be_right_are_refused() {
    let contents = contents();
    let with = |count: u64| {
        let mut bytes = contents.ignition();
        bytes[..8].copy_from_slice(&count.to_le_bytes());
        bytes
    };
    let count = contents.g1.len() as u64;
    for other in [0, (1 << 27) + 1, 1 << 60, u64::MAX] {
        refused!(with(other), SrsError::WrongFormat);
    }
    refused!(with(1 << 27), SrsError::Truncated(_));
    for other in [1, count - 1, count + 1] {
        refused!(with(other), SrsError::WrongHeader(_));
    }
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
    refused!(contents.ignition(), SrsError::NotOnCurve(Point::Power(5)));
    let mut contents = self::contents();
    contents.tau_g2[0].c1 += Fq::ONE;
    refused!(contents.ignition(), SrsError::NotOnCurve(Point::TauG2));
}

#[test]
fn points_at_infinity_are_refused() {
    let mut contents = contents();
    contents.g1[2] = [Fq::ZERO; 2];
    refused!(contents.ignition(), SrsError::Infinity(Point::Power(2)));
    let mut flagged = self::contents().ignition();
    flagged[8 + 3 * 64 + 63] |= 0x40;
    refused!(flagged, SrsError::Infinity(Point::Power(3)));
}

#[test]
fn coordinates_above_the_modulus_are_refused() {
    let contents = contents();
    let whole = contents.ignition();
    let first = contents.g1[1][0].to_repr();
    let at = whole.windows(32).position(|bytes| bytes == first).unwrap();
    for coordinate in [at, at + 32] {
        let mut bytes = whole.clone();
        bytes[coordinate..coordinate + 32].copy_from_slice(&modulus());
        refused!(bytes, SrsError::NotCanonical(Point::Power(1)));
    }
}

#[test]
fn other_generators_are_refused() {
    let tau = Fr::random(crate::common::rng());
    let mut shifted = Contents::new(POWER, tau);
    shifted.g1.rotate_left(1);
    refused!(shifted.ignition(), SrsError::WrongGenerator(Point::Power(0)));
    let mut other_g2 = Contents::new(POWER, tau);
    other_g2.g2 = other_g2.tau_g2;
    refused!(other_g2.ignition(), SrsError::WrongGenerator(Point::G2));
}

#[test]
fn a_tau_outside_the_subgroup_is_refused() {
    let mut contents = contents();
    contents.tau_g2 = outside_subgroup();
    refused!(contents.ignition(), SrsError::NotInSubgroup(Point::TauG2));
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
        refused!(contents.ignition(), SrsError::NotPowersOfTau);
    }
}

#[test]
fn a_flipped_bit_in_any_used_point_is_refused() {
    let mut bytes = contents().ignition();
    // The points that a size of 2^POWER uses stand after their number.
    for index in 8..8 + (64 << POWER) {
        bytes[index] ^= 1;
        assert!(verdict(&bytes).is_err(), "byte {index}");
        bytes[index] ^= 1;
    }
    assert!(verdict(&bytes).is_ok());
}

/// The points are in order: it is the ceremony alone that isn't Ignition.
#[test]
fn a_tau_that_everybody_knows_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let load = |contents: &Contents| {
        let bytes = contents.ignition();
        verdict(&bytes).unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).unwrap();
        let srs = Srs::load(&path, POWER, folder.path(), &NoProgress);
        assert!(matches!(srs, Err(SrsError::OtherCeremony)), "{srs:?}");
    };
    load(&Contents::new(POWER, Fr::ONE));
    let development = Srs::development(POWER, folder.path(), &NoProgress);
    let tau_g2 = development.params().s_g2();
    let mut disguised = contents();
    disguised.tau_g2 = [tau_g2.x, tau_g2.y];
    for (place, point) in disguised.g1.iter_mut().zip(development.params().get_g()) {
        *place = [point.x, point.y];
    }
    load(&disguised);
}
