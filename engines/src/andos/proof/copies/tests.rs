//! Honest questions are proven; what is no permuted re-randomisation isn't, however its maker tries.

use super::*;
use crate::andos::{
    packet::{self, BITS, SQUARE, SQUARES},
    secret_key::SecretKey,
};

const FORM: Form = Form::PACKET;
const LINK: usize = link_bytes(&FORM);
const OPENINGS: usize = opening_bytes(&FORM);

fn stream(byte: u8) -> StreamKey {
    StreamKey::from_bytes([byte; KEY_BYTES])
}

struct Play {
    key: SecretKey,
    packet: Vec<u8>,
    source: Source,
}

impl Play {
    fn new() -> Self {
        let key = SecretKey::generate(&stream(1));
        let packet = packet::encrypt(&key, &std::array::from_fn(|square| (square % 7) as u8), &stream(2));
        let source = Source::new(key.public(), FORM, &packet).expect("a packet");
        Self { key, packet, source }
    }

    fn key(&self) -> &PublicKey {
        self.key.public()
    }

    fn verify(
        &self,
        question: &Source,
        promised: &Word,
        challenge: &Challenge,
        openings: &[u8],
    ) -> Result<(), CopiesError> {
        verify(self.key(), [&self.source, question], promised, challenge, openings)
    }
}

#[test]
fn an_honest_question_is_proven_and_no_byte_may_change() {
    let play = Play::new();
    let (question, copies) = (stream(3), stream(4));
    let (packet, _) = play.source.rerandomise(play.key(), &question);
    let asked = Source::new(play.key(), FORM, &packet).expect("a packet");
    let promised = commit(play.key(), &asked, &copies);
    for byte in 5..7 {
        let challenge = Challenge::draw(&stream(byte));
        let openings = open(play.key(), &FORM, &Step::of(play.key(), &FORM, &question), &copies, &challenge);
        assert_eq!(openings.len(), OPENINGS);
        assert_eq!(play.verify(&asked, &promised, &challenge, &openings), Ok(()));
        let links = (COPIES - CHOSEN) * KEY_BYTES;
        let places = [
            (0, CopiesError::Digest),
            (links, CopiesError::Link),
            (links + SQUARES, CopiesError::Digest),
            (OPENINGS - 1, CopiesError::Digest),
        ];
        for (place, error) in places {
            let mut wrong = openings.clone();
            wrong[place] ^= 1;
            assert_eq!(play.verify(&asked, &promised, &challenge, &wrong), Err(error));
        }
        let mut zero = openings.clone();
        zero[links + 2 * SQUARES..][..ELEMENT].fill(0);
        assert_eq!(play.verify(&asked, &promised, &challenge, &zero), Err(CopiesError::Link));
    }
}

/// What a link says is uniform: from the same link another question could have come, so nothing of the own one is told. Here: a link's
/// permutation is another one than the question's.
#[test]
fn links_hide_the_question_s_permutation() {
    let play = Play::new();
    let (question, copies) = (stream(7), stream(8));
    let own = FORM.permute(&question);
    let challenge = Challenge::draw(&stream(9));
    let openings = open(play.key(), &FORM, &Step::of(play.key(), &FORM, &question), &copies, &challenge);
    let links = &openings[(COPIES - CHOSEN) * KEY_BYTES..];
    assert!(links.chunks(LINK).all(|link| link[..SQUARES] != own));
    let agreeing = links.chunks(LINK).map(|link| link[..SQUARES].iter().zip(&own).filter(|(a, b)| a == b).count());
    let agreeing: usize = agreeing.sum();
    assert!(agreeing < 60, "{agreeing} of 768 squares, where chance gives 12");
}

/// A cheating receiver asks for the sums of two squares' bits. It can open its copies toward its question, and, by guessing
/// the challenge, make copies of the sender's packet instead: another challenge finds it.
#[test]
fn a_question_that_is_no_permutation_passes_only_by_guessing_the_challenge() {
    let play = Play::new();
    let key = play.key();
    let (mut packet, _) = play.source.rerandomise(key, &stream(10));
    let sum =
        |bytes: &[u8], other: &[u8]| to_bytes(&key.mul(&U2048::from_be_slice(bytes), &U2048::from_be_slice(other)));
    for bit in 0..BITS {
        let (at, other) = (bit * ELEMENT, SQUARE + bit * ELEMENT);
        let both = sum(&packet[at..][..ELEMENT], &packet[other..][..ELEMENT]);
        packet[at..][..ELEMENT].copy_from_slice(&both);
    }
    let asked = Source::new(key, FORM, &packet).expect("elements below the modulus");
    let (guess, copies) = (Challenge::draw(&stream(11)), stream(12));
    let made = |number: usize| {
        let from = if guess.contains(number) { &play.source } else { &asked };
        copy(key, from, &seed(&copies, number))
    };
    let promised = digest((0..COPIES).map(made));
    let openings = |challenge: &Challenge| {
        let mut openings = Vec::new();
        for number in (0..COPIES).filter(|number| !challenge.contains(*number)) {
            openings.extend(seed(&copies, number).to_bytes());
        }
        for number in (0..COPIES).filter(|number| challenge.contains(*number)) {
            // The link of a copy that was made from the sender's packet is its own randomness.
            let randomness = seed(&copies, number);
            let step = Step::of(key, &FORM, &randomness);
            openings.extend(step.squares);
            openings.extend(step.masks);
            openings.extend(step.roots.iter().flat_map(to_bytes));
        }
        openings
    };
    assert_eq!(play.verify(&asked, &promised, &guess, &openings(&guess)), Ok(()));
    for byte in 13..16 {
        let challenge = Challenge::draw(&stream(byte));
        assert_ne!(challenge, guess);
        assert_eq!(play.verify(&asked, &promised, &challenge, &openings(&challenge)), Err(CopiesError::Digest));
    }
    assert_ne!(play.packet, packet);
}
