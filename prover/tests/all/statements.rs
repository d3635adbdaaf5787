//! The real statements, proved and verified at their real size with development parameters.

use circuits::{
    AnswerCircuit, CapturedCircuit, ChainAnswerCircuit, DecryptionCircuit, FiftyCircuit, ItemCircuit, KeyShareCircuit,
    NoMoveCircuit, OwnStepCircuit, RequestDataCircuit, StatementCircuit, TagCaptureCircuit, TagReplyCircuit,
    TagStepCircuit, TurnCircuit, ViewCircuit,
};
use engines::Unmet;
use engines::bfv::captured::CAPTURED_BYTES;
use engines::bfv::decryption::DECRYPTION_BYTES;
use engines::bfv::encrypted::{ENCRYPTED_BYTES, EncryptedPrivate, EncryptedPublic};
use engines::bfv::shares::KEY_SHARE_BYTES;
use engines::bfv::vector::Kind;
use engines::own_step::OWN_STEP_BYTES;
use engines::psi::statement::{asked::AskedStatement, shown::ShownStatement};
use engines::psi::{
    catalogue::Extent,
    statement::{ASKED_BYTES, SHOWN_BYTES},
};
use engines::testing::{
    asked_sets, captured, decryptions, encrypted, key_shares, mutations_captured, mutations_decryption,
    mutations_encrypted, mutations_key_share, shown_sets,
};
use fog::curve::Point;
use fog::engine::Phase;
use fog::statement::own_step::{OWN_STEP_INPUTS, OwnStepPublic, OwnStepStatement};
use fog::statement::{Proves, chain_answer::ChainAnswerPublic, request_data::RequestDataPublic};
use fog::testing::{
    AnswerCase, NoMoveCase, TurnCase, answers, chain_answers, fifties, no_moves, own_steps, requests, turns,
};
use halo2curves::bn256::Fr;
use prover::{Keys, NoProgress, ProofError, SetKeys, SolidityVerifier, Srs, Statement};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha20Rng;

/// The hashes with which the statements' transcripts begin ([`prover::Verifier::key_hash`]), with development parameters. Deployed verifiers depend on
/// them: whoever changes a circuit on purpose changes them here and in the changelog, and runs `make verifiers`.
const TURN: &str = "199e98f0249c2214c97f647f7512ee39b9ec251f64d950d642c81346e4ab8ffe";
const ANSWER: &str = "012d671caefc38c39dd2b93eabf243d741031558f769feadac86a3200f9171bf";
const CHAIN_ANSWER: &str = "0751455ed0ded7ba98a9736e2c2df49b432841e31a5ee097d317c677d1e8f0e0";
const REQUEST_DATA: &str = "09d3f547c9a3d1986fb746c33dfd9e4a0905289bc02f688592dca49972b9f6d0";
const FIFTY: &str = "0c34dd6a473411f67f6c462ea604aa06f89cf2cf869f3dd935515b7ee20b10b2";
const NO_MOVE: &str = "0a4dd5a6536487188602e58b1be3a19217655e80f2acb32cfe2e8894a4939b8c";
const TAG_STEP: &str = "2285714995a192888743ca0ff07227951b400ec4fe738b624fc0a1e125e32944";
const TAG_REPLY: &str = "1bfddb66e2ae8587812b0e76c161bb47f14d1a0058b49501ef13f359dd382d2b";
const TAG_CAPTURE: &str = "2ad6ca2f19839c75688461ad04606cc1d83a339f2e8e802973c11a4cd44f7d82";
const ITEM: &str = "1cd01561928097e0dee94b05787c4a2bf0254647f8557e710d28cb98bb777900";
const VIEW: &str = "1ddff3773eaaf4cb0a974c6fc54da3b705adfff366951d5033ae4dab6891f8a9";
const SHOWN: &str = "122ed6c2f052d34ddafbbb26a65a1e110a56d1d1d71be7d93ac0177917fa3416";
const ASKED: &str = "26590b95dbd9d74e919233edc2c88081efcea4c646e27e8f0283ae402d7727a2";
const OWN_STEP: &str = "2e15e9cb5686feec6f9158d71a1dc163eb796c7b9a5171975e7755f0b884ddcf";
const DECRYPTION: &str = "123d4fb580e10e50967ccf5b2e522863003d85a7b3e0eb21857782aa0cb18a37";
const KEY_SHARE: &str = "29bc116f67e65fa793d63b5b5c03fd04db7224c461ccef2436f5165654d41169";
const CAPTURED: &str = "0c35a4bf9ab9b6d051b444bb4605ad8ddd7d1d85b79c6af5a0e05b0922624cb7";

/// The keys, which must be the pinned ones.
fn keys<C: Statement>(pinned: &str) -> Keys<C> {
    let (cache, progress) = (crate::common::cache(), &NoProgress);
    let keys = Keys::load_or_make(&Srs::development(C::K, &cache, progress), &cache, progress).unwrap();
    assert_pinned(&keys, pinned);
    keys
}

fn assert_pinned<C: Statement>(keys: &Keys<C>, pinned: &str) {
    assert_eq!(hex::encode(keys.verifier().key_hash()), pinned, "the circuit of {} is another one", C::NAME);
    let changelog = concat!(env!("CARGO_MANIFEST_DIR"), "/../CHANGELOG.md");
    let named = format!("*{}* `{}`", C::NAME, &pinned[..16]);
    let changelog = std::fs::read_to_string(changelog).expect("the changelog");
    assert!(changelog.contains(&named), "no line of the changelog says that the circuit is now {named}");
}

/// Others take keys from a folder, where they may be since before the circuit's or the library's last change.
#[test]
fn keys_made_from_nothing_are_the_known_ones() {
    let cache = tempfile::tempdir().unwrap();
    let srs = Srs::development(OwnStepCircuit::K, cache.path(), &NoProgress);
    assert_pinned(&Keys::<OwnStepCircuit>::load_or_make(&srs, cache.path(), &NoProgress).unwrap(), OWN_STEP);
}

#[test]
fn turns_are_proved_and_other_turns_rejected() {
    let keys = keys::<TurnCircuit>(TURN);
    let seed = fog::testing::seed(20);
    for case in [TurnCase::Opening, TurnCase::KingFalls, TurnCase::CastleKingSide] {
        let (mut public, private) = turns(seed, Some(case)).next().unwrap();
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        public.ctx += Fr::one();
        assert!(matches!(keys.verify(&public, &proof), Err(ProofError::Rejected)));
        assert_eq!(TurnCircuit::instance(&public)[0].len(), TurnCircuit::INSTANCES[0]);
    }
}

#[test]
fn answers_are_proved_and_other_answers_rejected() {
    let keys = keys::<AnswerCircuit>(ANSWER);
    let seed = fog::testing::seed(21);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    for case in [AnswerCase::PreDoublePush, AnswerCase::PostPending] {
        let (mut public, private) = answers(seed, Some(case)).next().unwrap();
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        // All of them take long: here some, others with each seed.
        for element in (0..public.elements.len()).collect::<Vec<_>>().choose_multiple(&mut rng, 16) {
            let mut other = public.clone();
            other.elements[*element] += Fr::one();
            let refused = keys.verify(&other, &proof);
            assert!(matches!(refused, Err(ProofError::Rejected)), "element {element}");
        }
        public.elements.pop();
        let refused = keys.verify(&public, &proof);
        assert!(matches!(refused, Err(ProofError::WrongInstances { .. })));
    }
}

#[test]
fn chain_answers_are_proved_and_others_rejected() {
    let keys = keys::<ChainAnswerCircuit>(CHAIN_ANSWER);
    let seed = fog::testing::seed(22);
    for case in [AnswerCase::PrePendingPawnRank, AnswerCase::PostPendingRight] {
        let (public, private) = chain_answers(seed, Some(case)).next().unwrap();
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        for change in [
            |public: &mut ChainAnswerPublic| public.request_root += Fr::one(),
            |public: &mut ChainAnswerPublic| public.answer_root += Fr::one(),
            |public: &mut ChainAnswerPublic| public.binding.z += Fr::one(),
            |public: &mut ChainAnswerPublic| public.binding.y += Fr::one(),
            |public: &mut ChainAnswerPublic| public.header.ctx += Fr::one(),
            |public: &mut ChainAnswerPublic| public.commitment += Fr::one(),
        ] {
            let mut other = public.clone();
            change(&mut other);
            assert!(matches!(keys.verify(&other, &proof), Err(ProofError::Rejected)));
        }
    }
}

#[test]
fn requests_are_proved_and_others_rejected() {
    let keys = keys::<RequestDataCircuit>(REQUEST_DATA);
    let (public, private) = requests(fog::testing::seed(23)).next().unwrap();
    let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
    assert_eq!(proof.len(), keys.verifier().proof_bytes());
    keys.verify(&public, &proof).unwrap();
    for change in [
        |public: &mut RequestDataPublic| public.request_root += Fr::one(),
        |public: &mut RequestDataPublic| public.binding.z += Fr::one(),
        |public: &mut RequestDataPublic| public.binding.y += Fr::one(),
    ] {
        let mut other = public;
        change(&mut other);
        assert!(matches!(keys.verify(&other, &proof), Err(ProofError::Rejected)));
    }
    // The shape is *turn*'s, and no commitment of the key is the point at infinity, which the generator takes for none.
    let verifier = SolidityVerifier::new(keys.verifier().shape().unwrap(), "Narrow").unwrap();
    keys.verifier().solidity_key(&verifier).unwrap();
}

#[test]
fn counters_are_proved_and_other_bits_rejected() {
    let keys = keys::<FiftyCircuit>(FIFTY);
    let mut proved = [0; 2];
    for (mut public, private) in fifties(fog::testing::seed(22)) {
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        proved[usize::from(public.bit)] += 1;
        public.bit = !public.bit;
        assert!(matches!(keys.verify(&public, &proof), Err(ProofError::Rejected)));
        if proved.iter().all(|&count| count > 0) {
            break;
        }
    }
}

#[test]
fn positions_without_a_move_are_proved_and_others_rejected() {
    let keys = keys::<NoMoveCircuit>(NO_MOVE);
    let seed = fog::testing::seed(23);
    for case in [NoMoveCase::EightPawns, NoMoveCase::FewPawns, NoMoveCase::CapturedPiece] {
        let (mut public, private) = no_moves(seed, Some(case)).next().unwrap();
        let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
        assert_eq!(proof.len(), keys.verifier().proof_bytes());
        keys.verify(&public, &proof).unwrap();
        public.ctx += Fr::one();
        assert!(matches!(keys.verify(&public, &proof), Err(ProofError::Rejected)));
    }
}

/// One verifier's code serves the statements of *turn*'s shape: only keys differ, so a proof has one length and is none of another statement.
#[test]
fn statements_of_one_shape_have_proofs_of_one_length() {
    let (turn, fifty, no_move) =
        (keys::<TurnCircuit>(TURN), keys::<FiftyCircuit>(FIFTY), keys::<NoMoveCircuit>(NO_MOVE));
    let lengths = [turn.verifier().proof_bytes(), fifty.verifier().proof_bytes(), no_move.verifier().proof_bytes()];
    assert_eq!(lengths, [lengths[0]; 3]);
    let (public, private) = fifties(fog::testing::seed(24)).next().unwrap();
    let proof = fifty.prove(&public, &private, crate::common::rng()).unwrap();
    let (other, _) = no_moves(fog::testing::seed(24), None).next().unwrap();
    assert!(no_move.verify(&other, &proof).is_err());
    let (other, _) = turns(fog::testing::seed(24), None).next().unwrap();
    assert!(turn.verify(&other, &proof).is_err());
}

/// Statements of few public inputs: true ones are proved, and no public input may be another. Their shape is *turn*'s, so no commitment of a key is the point at
/// infinity, which the generator takes for none.
fn statement_in_turn_s_shape<C: Statement>(pinned: &str, (public, private): (C::Public, C::Private)) {
    let keys = keys::<C>(pinned);
    let started = std::time::Instant::now();
    let proof = keys.prove(&public, &private, crate::common::rng()).unwrap();
    println!("{}: {:?}, {} bytes", C::NAME, started.elapsed(), proof.len());
    assert_eq!(proof.len(), keys.verifier().proof_bytes());
    keys.verify(&public, &proof).unwrap();
    let valid = C::instance(&public);
    for input in 0..valid[0].len() {
        let mut other = valid.clone();
        other[0][input] += Fr::one();
        assert!(matches!(keys.verifier().verify_instance(&other, &proof), Err(ProofError::Rejected)), "input {input}");
    }
    let verifier = SolidityVerifier::new(keys.verifier().shape().unwrap(), "Narrow").unwrap();
    keys.verifier().solidity_key(&verifier).unwrap();
}

#[test]
fn statements_of_tag_are_proved_and_others_rejected() {
    let seed = fog::testing::seed(25);
    statement_in_turn_s_shape::<TagStepCircuit>(TAG_STEP, contest::tag::testing::steps(seed).next().unwrap());
    statement_in_turn_s_shape::<TagReplyCircuit>(TAG_REPLY, contest::tag::testing::replies(seed).next().unwrap());
    statement_in_turn_s_shape::<TagCaptureCircuit>(TAG_CAPTURE, contest::tag::testing::captures(seed).next().unwrap());
}

/// Steps of every kind: the proof has its one length, and each public input is bound.
#[test]
fn steps_are_proved_and_others_rejected() {
    let keys = keys::<OwnStepCircuit>(OWN_STEP);
    let seed = fog::testing::seed(28);
    for case in [TurnCase::Opening, TurnCase::EnPassant, TurnCase::CastleQueenSide, TurnCase::PendingElsewhere] {
        let (public, private) = own_steps(seed, Some(case)).next().unwrap();
        let proof = Proves::<OwnStepStatement>::prove(&keys, &public, &private).unwrap();
        assert_eq!([proof.len(), keys.verifier().proof_bytes()], [OWN_STEP_BYTES; 2]);
        Proves::<OwnStepStatement>::verify(&keys, &public, &proof).unwrap();
        let changes: [fn(&mut OwnStepPublic); OWN_STEP_INPUTS] = [
            |public| public.commitment += Fr::one(),
            |public| public.pending = if public.pending.is_some() { None } else { "a1".parse().ok() },
            |public| public.next_commitment += Fr::one(),
            |public| public.color = !public.color,
            |public| public.capture = if public.capture.is_some() { None } else { "a1".parse().ok() },
        ];
        for change in changes {
            let mut other = public;
            change(&mut other);
            Proves::<OwnStepStatement>::verify(&keys, &other, &proof).unwrap_err();
        }
        let mut other = public;
        other.next_commitment += Fr::one();
        Proves::<OwnStepStatement>::prove(&keys, &other, &private).unwrap_err();
    }
}

/// A statement of polynomials: the proof has its one length, each column of public inputs is bound, and nobody proves a broken value.
fn statement_of_polynomials<C: Statement>(
    pinned: &str,
    bytes: usize,
    (public, private): (C::Public, C::Private),
    broken: (C::Public, C::Private),
) {
    let keys = keys::<C>(pinned);
    let mut rng = crate::common::rng();
    let proof = keys.prove(&public, &private, &mut rng).unwrap();
    assert_eq!([proof.len(), keys.verifier().proof_bytes()], [bytes; 2]);
    keys.verify(&public, &proof).unwrap();
    let instance = C::instance(&public);
    for (column, values) in instance.iter().enumerate() {
        let mut other = instance.clone();
        other[column][[0, values.len() - 1][column % 2]] += Fr::one();
        keys.verifier().verify_instance(&other, &proof).unwrap_err();
    }
    keys.prove(&broken.0, &broken.1, &mut rng).unwrap_err();
}

#[test]
fn items_are_proved_and_others_rejected() {
    ciphertexts_are_proved::<ItemCircuit>(Kind::Item, ITEM);
}

#[test]
fn views_are_proved_and_others_rejected() {
    ciphertexts_are_proved::<ViewCircuit>(Kind::View, VIEW);
}

fn ciphertexts_are_proved<C: Statement<Public = EncryptedPublic, Private = EncryptedPrivate>>(
    kind: Kind,
    pinned: &str,
) {
    let (public, private) = encrypted(kind, fog::testing::seed(26)).next().unwrap();
    let mut mutations = mutations_encrypted(&public, &private).into_iter();
    let broken = mutations.find(|mutation| mutation.expected == Some(Unmet::Vector)).unwrap();
    statement_of_polynomials::<C>(pinned, ENCRYPTED_BYTES, (public, private), (broken.public, broken.private));
}

#[test]
fn decryptions_are_proved_and_others_rejected() {
    let (public, private) = decryptions(fog::testing::seed(27)).next().unwrap();
    let mut mutations = mutations_decryption(&public, &private).into_iter();
    let broken = mutations.find(|mutation| mutation.expected == Some(Unmet::Share)).unwrap();
    let draw = (public, private);
    statement_of_polynomials::<DecryptionCircuit>(DECRYPTION, DECRYPTION_BYTES, draw, (broken.public, broken.private));
}

#[test]
fn captures_are_proved_and_others_rejected() {
    let (public, private) = captured(fog::testing::seed(29)).next().unwrap();
    let mut mutations = mutations_captured(&public, &private).into_iter();
    let broken = mutations.find(|mutation| mutation.expected == Some(Unmet::Empty)).unwrap();
    let draw = (public, private);
    statement_of_polynomials::<CapturedCircuit>(CAPTURED, CAPTURED_BYTES, draw, (broken.public, broken.private));
}

#[test]
fn key_shares_are_proved_and_others_rejected() {
    let (public, private) = key_shares().remove(0);
    let mut mutations = mutations_key_share(&public, &private).into_iter();
    let broken = mutations.find(|mutation| mutation.expected == Some(Unmet::Round2)).unwrap();
    let draw = (public, private);
    statement_of_polynomials::<KeyShareCircuit>(KEY_SHARE, KEY_SHARE_BYTES, draw, (broken.public, broken.private));
}

/// Sets of whole boards, proven behind the trait of their engine: the proof has its one length, and each public input is bound.
#[test]
fn sets_are_proved_and_others_rejected() {
    let cache = crate::common::cache();
    let [srs, of_steps] = [SetKeys::K, SetKeys::STEP_K].map(|k| Srs::development(k, &cache, &NoProgress));
    let keys = SetKeys::load_or_make([&srs, &of_steps], &cache, &NoProgress).unwrap();
    assert_pinned(&keys.shown, SHOWN);
    assert_pinned(&keys.asked, ASKED);
    let seed = fog::testing::seed(27);

    let (public, private) = shown_sets(Extent::Full, seed).next().unwrap();
    let proof = Proves::<ShownStatement>::prove(&keys, &public, &private).unwrap();
    assert_eq!([proof.len(), keys.shown.verifier().proof_bytes()], [SHOWN_BYTES; 2]);
    Proves::<ShownStatement>::verify(&keys, &public, &proof).unwrap();
    for input in 0..public.inputs().to_array().len() {
        let mut other = public.clone();
        match input {
            0 => other.set.commitment += Fr::one(),
            1 => other.set.pending = if other.set.pending.is_some() { None } else { "a1".parse().ok() },
            2 => other.set.color = !other.set.color,
            3 => other.set.phase = if public.inputs().pre == Fr::one() { Phase::Post } else { Phase::Pre },
            4 => other.set.digest += Fr::one(),
            5 | 6 => other.key = negated(other.key),
            _ => other.sum = negated(other.sum),
        }
        Proves::<ShownStatement>::verify(&keys, &other, &proof).unwrap_err();
    }
    let mut other = public.clone();
    other.weights.swap(0, 1);
    Proves::<ShownStatement>::verify(&keys, &other, &proof).unwrap_err();
    Proves::<ShownStatement>::prove(&keys, &other, &private).unwrap_err();

    let (public, private) = asked_sets(Extent::Full, seed).next().unwrap();
    let proof = Proves::<AskedStatement>::prove(&keys, &public, &private).unwrap();
    assert_eq!([proof.len(), keys.asked.verifier().proof_bytes()], [ASKED_BYTES; 2]);
    Proves::<AskedStatement>::verify(&keys, &public, &proof).unwrap();
    let mut other = public.clone();
    other.sum = negated(other.sum);
    Proves::<AskedStatement>::verify(&keys, &other, &proof).unwrap_err();
    let mut other = public.clone();
    other.set.digest += Fr::one();
    Proves::<AskedStatement>::verify(&keys, &other, &proof).unwrap_err();
    let mut other = public.clone();
    other.weights.swap(0, 1);
    Proves::<AskedStatement>::verify(&keys, &other, &proof).unwrap_err();
    Proves::<AskedStatement>::prove(&keys, &other, &private).unwrap_err();
}

fn negated(point: Point) -> Point {
    Point { x: point.x, y: -point.y }
}
