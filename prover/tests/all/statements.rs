//! The real statements, proved and verified at their real size with development parameters.

use circuits::{
    AnswerCircuit, AskedCircuit, ChainAnswerCircuit, FiftyCircuit, ItemCircuit, NoMoveCircuit, OwnStepCircuit,
    RequestDataCircuit, ShownCircuit, StatementCircuit, TagCaptureCircuit, TagReplyCircuit, TagStepCircuit,
    TurnCircuit, ViewCircuit,
};
use engines::bfv::vector::Kind;
use engines::own_step::OWN_STEP_BYTES;
use engines::psi::statement::{asked::AskedStatement, shown::ShownStatement};
use engines::psi::{
    catalogue::Extent,
    statement::{ASKED_BYTES, SHOWN_BYTES},
};
use engines::testing::{asked_sets, shown_sets, vectors};
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
use std::path::Path;

/// The circuits' fingerprints, and the hashes of their verifying keys with development parameters. Deployed verifiers and
/// cached keys depend on them: whoever changes a circuit on purpose changes them here and in the changelog, and runs `make verifiers`.
const TURN: [&str; 2] = [
    "ff38332092bd8d5d1ad4c6bb1ce1ff480b44fb7ff9561cb94a05828d9c3268ea",
    "18e3f3f9fa6dd5febd5dd0b000493cb6235c37bae276e4e5b1cca00ae1f48732",
];
const ANSWER: [&str; 2] = [
    "54dacbba9d2c54e99706deaae78926b254136d228c00cb9ef90775a742dc5675",
    "012d671caefc38c39dd2b93eabf243d741031558f769feadac86a3200f9171bf",
];
const CHAIN_ANSWER: [&str; 2] = [
    "f505aed06bfcb037103d92a425448dbd228be168c31f879beada0d5aecfb42a7",
    "0751455ed0ded7ba98a9736e2c2df49b432841e31a5ee097d317c677d1e8f0e0",
];
const REQUEST_DATA: [&str; 2] = [
    "7721aa7d719d96d8c873ef80672e5d526f5659cae98df495dac20b2ddd0323ef",
    "2f6bb97e53d809da53d77ba9427d99b119e3f6c472dcc5bdfb24991540d39e60",
];

const FIFTY: [&str; 2] = [
    "0dcae307cf59880f2bb9fed256d50d640397039f0968be4415f454032c68e617",
    "27eb07424dd23e56c4b90ec826324f07a55d6f1646624f6997aa68399756a5a4",
];
const NO_MOVE: [&str; 2] = [
    "a1d8544a016df6a03d943c9238d69fc68abc169469afa4647a74acf4395a95c3",
    "13e235d1cf1b420d0832da3179b61c51161f9002472c327f634b68809eab71b8",
];
const TAG_STEP: [&str; 2] = [
    "6a34f6c06aef5a66d6da059f4ba43357a15ac90b309888dba5aaa92b4f6eac42",
    "1176807210951202c6e1c1802f154c91c65f33f22cf18c147c6c0f685a9e3b7b",
];
const TAG_REPLY: [&str; 2] = [
    "6fe6c2ff1885ccf0aed143f898a98531094b5e34affcea076d3f2cc6c8797f84",
    "2434076c07b4ea5ae30f4bd7de29962fa15a4d3b5bc53455d75d3914cfc4ef95",
];
const TAG_CAPTURE: [&str; 2] = [
    "75be7b6136653719c22d4dcc19e8429a7f2c28bf010c4c2c15d311be43e4e387",
    "154a1e06c0bac3a33c4b4355badad2b508d3f587772401d22e203f7b41668f20",
];

const ITEM: [&str; 2] = [
    "9af064546f575a4ed126858c959a7d63e672f646be4aa73e404fa7c29ee8a4a4",
    "2c561f64a2b467c2af785e6e7366d3793c173bc4f8ad8bbc57ca9fca116c89c0",
];
const VIEW: [&str; 2] = [
    "c07f690f3cdb9bea179dc351d06786cf4694ecf7e61008236f840164ae147af5",
    "2ba1825bc605e27688f7b6d316cda2d2bf32ccb6fb842cdb3edc620fbbefe47d",
];

const SHOWN: [&str; 2] = [
    "153075bdad908be822756f40c10a5c6aa86abf711b9acddaeb3d45a49edf12e2",
    "054208520ee365d0a8db8bd380a2c277bd9a5ece25e7fe1091cd451424f70499",
];
const ASKED: [&str; 2] = [
    "c9e31016e766dfee0f7a19a7582845b67dac8e6afdb214f538cafae855c3c6bb",
    "002ef3efcac7d84213708f42cbe28158d3adad6cbd17a83f0869d4a931c578c1",
];

const OWN_STEP: [&str; 2] = [
    "c9e29d1fe21e010a0605a8c36743d67319fef76a5fe14e614bde6723e8bc364d",
    "19f2d3aebeadf2423e7f3f4eb709e20f1023008d2b7a253c7b3023e69be64de8",
];

/// Makes the keys, which must be the pinned ones.
fn keys<C: Statement>(pinned: [&str; 2]) -> Keys<C> {
    keys_in(tempfile::tempdir().unwrap().path(), pinned)
}

/// Makes the pinned keys in a folder for what statements share.
fn keys_in<C: Statement>(cache: &Path, pinned: [&str; 2]) -> Keys<C> {
    let srs = Srs::development(C::K, cache, &NoProgress);
    let keys = Keys::<C>::load_or_make(&srs, cache, &NoProgress).unwrap();
    let verifier = keys.verifier();
    let found = [verifier.fingerprint().to_string(), hex::encode(verifier.key_hash())];
    assert_eq!(found, pinned, "the circuit of {} is another one", C::NAME);
    let changelog = concat!(env!("CARGO_MANIFEST_DIR"), "/../CHANGELOG.md");
    let named = format!("*{}* `{}`", C::NAME, &pinned[0][..16]);
    let changelog = std::fs::read_to_string(changelog).expect("the changelog");
    assert!(changelog.contains(&named), "no line of the changelog says that the circuit is now {named}");
    keys
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
fn statement_in_turn_s_shape<C: Statement>(
    cache: &Path,
    pinned: [&str; 2],
    (public, private): (C::Public, C::Private),
) {
    let keys = keys_in::<C>(cache, pinned);
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
    let (folder, seed) = (tempfile::tempdir().unwrap(), fog::testing::seed(25));
    let cache = folder.path();
    statement_in_turn_s_shape::<TagStepCircuit>(cache, TAG_STEP, contest::tag::testing::steps(seed).next().unwrap());
    statement_in_turn_s_shape::<TagReplyCircuit>(
        cache,
        TAG_REPLY,
        contest::tag::testing::replies(seed).next().unwrap(),
    );
    statement_in_turn_s_shape::<TagCaptureCircuit>(
        cache,
        TAG_CAPTURE,
        contest::tag::testing::captures(seed).next().unwrap(),
    );
}

#[test]
fn items_are_proved_and_others_rejected() {
    let (folder, seed) = (tempfile::tempdir().unwrap(), fog::testing::seed(26));
    statement_in_turn_s_shape::<ItemCircuit>(folder.path(), ITEM, vectors(Kind::Item, seed).next().unwrap());
}

#[test]
fn views_are_proved_and_others_rejected() {
    let (folder, seed) = (tempfile::tempdir().unwrap(), fog::testing::seed(27));
    statement_in_turn_s_shape::<ViewCircuit>(folder.path(), VIEW, vectors(Kind::View, seed).next().unwrap());
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

/// Sets of whole boards, proven behind the trait of their engine: the proof has its one length, and each public input is bound.
#[test]
fn sets_are_proved_and_others_rejected() {
    let folder = tempfile::tempdir().unwrap();
    keys_in::<ShownCircuit<false>>(folder.path(), SHOWN);
    keys_in::<AskedCircuit<false>>(folder.path(), ASKED);
    let srs = Srs::development(SetKeys::K, folder.path(), &NoProgress);
    let of_steps = Srs::development(SetKeys::STEP_K, folder.path(), &NoProgress);
    let keys = SetKeys::load_or_make([&srs, &of_steps], folder.path(), &NoProgress).unwrap();
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
