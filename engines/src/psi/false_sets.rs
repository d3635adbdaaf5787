//! Peers that cheat with their sets where sets are proven: whatever of a message they change, and whatever they prove instead, is refused
//! for the reason that names it. The proofs are native ones, so a refusal is that of the statement.

use super::{
    Protocol, Search,
    element::{Element, Fact},
    group::{Encoded, Group, Grumpkin, POINT_BYTES},
    layout::{ASKED_LABEL, Layout, OPENING_LABEL, SHOWN_LABEL},
    lines::{asked, shown},
    pairs::{Boards, run},
    points::entries,
    proof::PROOF_BYTES,
    query::Query,
    secrets::{Own, Transcript},
    sender::{Exponent, Sender, Tags},
};
use crate::dh_psi::{ProvenSets, SENDER_SET, proven_sets};
use crate::{Unmet, testing::NativeSetProofs};
use fog::{
    F,
    commitment::commit,
    engine::{Branch, Fault, Party},
    testing::{Walk, seed},
    word::to_word,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{PieceType, Side, Square};

type Engine = ProvenSets<NativeSetProofs>;
const LAYOUT: &Layout = Engine::LAYOUT;

/// Two players, the sender first, with engine and boards.
struct Table {
    engine: Engine,
    boards: Boards,
    sender: Own,
    receiver: Own,
}

impl Table {
    fn new(rng: &mut StdRng) -> Self {
        let mut walk = Walk::start();
        for _ in 0..20 {
            walk.advance(rng);
        }
        let boards = Boards::random(&mut walk, rng);
        let (sender, receiver) = (boards.own(&boards.sender, rng), boards.own(&boards.receiver, rng));
        Self { engine: proven_sets(NativeSetProofs.into()), boards, sender, receiver }
    }

    /// What the receiver says of an opening.
    fn hear(&self, opening: &[u8]) -> Result<(), Fault> {
        let mut receiver = super::receiver::Receiver::new(self.engine.protocol().clone(), self.receiver.clone(), None);
        receiver.step(Some(opening)).map(drop)
    }

    /// An honest sender and its opening.
    fn opened(&self) -> (impl Party<Output = ()>, Vec<u8>) {
        let set = engine_set(&self.engine, &self.boards.sender, &self.boards);
        let sender = Sender::new(self.engine.protocol().clone(), self.sender.clone(), &set, Vec::new());
        let (mut sender, _) = sender.expect("a set that fits");
        let opening = sender.step(None).expect("a proof").send.expect("an opening");
        (sender, opening)
    }

    /// An opening of any tags and digest, with all else as it should be: what only the proof of the set can refuse.
    fn opening(&self, tags: &[Encoded], digest: &[u8], places: &[usize], prover: &Own) -> Vec<u8> {
        let start = Transcript::new(&self.sender.id);
        let exponent = Exponent::<Grumpkin>::new(&self.sender, &start);
        let content = [&tags.concat()[..], digest, &exponent.public].concat();
        let said = start.with(&content);
        let knowledge = exponent.prove(&self.sender, OPENING_LABEL, &[], &said);
        let proof = self.engine.protocol().prove_shown(prover, &start, places, said.bind(SHOWN_LABEL));
        [content, knowledge, proof.expect("a board's set")].concat()
    }

    /// The tags of any set, and the right digest.
    fn tags(&self, set: &[Element]) -> (Tags, Vec<u8>) {
        let start = Transcript::new(&self.sender.id);
        let exponent = Exponent::<Grumpkin>::new(&self.sender, &start);
        let tags = exponent.tags(&self.sender, set, SENDER_SET).expect("a set that fits");
        let digest = self.engine.protocol().digest_shown(&self.sender, &start, &tags.places).expect("a digest");
        (tags, digest)
    }

    /// A message that asks for any elements, after an opening, with a proof of the prover's set.
    fn asking(&self, opening: &[u8], set: Vec<Element>, prover: &Own) -> Vec<u8> {
        let content = &opening[..opening.len() - PROOF_BYTES - LAYOUT.evidence.shown];
        let before = Transcript::new(&self.receiver.id).with(content);
        let query = Query::<Grumpkin>::new(&self.receiver, &before, set, LAYOUT.rounds[0].asked);
        let query = query.expect("a set that fits");
        let digest = self.engine.protocol().digest_asked(prover, &before).expect("a digest");
        let content = [&query.message[..], &digest].concat();
        let bound = before.with(&content).bind(ASKED_LABEL);
        let proof = self.engine.protocol().prove_asked(prover, &before, &query.blinds, bound).expect("a board's set");
        [content, proof].concat()
    }
}

/// The set of a board, as its owner shows it.
fn engine_set<P: Protocol>(_: &super::SetEngine<P>, board: &Side, boards: &Boards) -> Vec<Element> {
    P::set(board, boards.phase)
}

/// What the owner of a board asks for.
fn asked_set<P: Protocol>(_: &super::SetEngine<P>, board: &Side, boards: &Boards) -> Vec<Element> {
    P::search(board, boards.phase).asked(0).expect("a set that fits")
}

fn refused(result: Result<(), Fault>, at: usize, why: Unmet) {
    match result {
        Err(Fault::Proof { index, cause }) if index == at => assert_eq!(cause.downcast_ref::<Unmet>(), Some(&why)),
        other => panic!("{other:?}, not {why}"),
    }
}

/// The player with another board, whose commitment it takes for the one on chain.
fn with_board(own: &Own, board: &Side) -> Own {
    let mut other = own.clone();
    let salt = F::from(99);
    other.state.side = board.clone();
    other.state.salt = zeroize::Zeroizing::new(to_word(&salt));
    other.state.commitment = to_word(&commit(board, salt));
    other.exchange.commitments[board.color.index()] = other.state.commitment;
    other
}

/// A board that a game may have, too: a knight more, for which a pawn was promoted.
fn with_another(board: &Side) -> Side {
    let mut other = board.clone();
    let elsewhere = |square: &Square| board.double_push != Some(square.file());
    let pawn = Square::all().filter(elsewhere).find(|square| board.piece(*square) == Some(PieceType::Pawn));
    let mut empty = Square::all().filter(elsewhere).filter(|square| (2..6).contains(&square.rank()));
    let empty = empty.find(|square| board.piece(*square).is_none());
    other.pieces[pawn.expect("a pawn").index()] = None;
    other.pieces[empty.expect("a free square").index()] = Some(PieceType::Knight);
    other
}

/// Any byte of any field of any message: refused, and the right message is taken afterwards.
#[test]
fn every_field_is_under_a_proof() {
    let mut rng = StdRng::seed_from_u64(seed(181));
    let table = Table::new(&mut rng);
    let [shown, asked] = [SENDER_SET, LAYOUT.rounds[0].asked].map(|points| points * POINT_BYTES);
    // Where the fields of each message end.
    let opening = [shown, shown + 32, shown + 64, shown + 64 + PROOF_BYTES, LAYOUT.opening().total()];
    let asking = [asked, asked + 32, LAYOUT.asked(&LAYOUT.rounds[0]).total()];
    let reply = [asked, asked + 32, asked + PROOF_BYTES];
    let fields: [&[usize]; 3] = [&opening, &asking, &reply];
    let mut places = rng.clone();
    let pair = table.boards.honest(&table.engine, &mut rng);
    let sight = run(pair, |index, take, right| {
        assert_eq!(fields[index].last(), Some(&right.len()));
        for (field, end) in fields[index].iter().enumerate() {
            let start = field.checked_sub(1).map_or(0, |before| fields[index][before]);
            for _ in 0..3 {
                let mut changed = right.to_vec();
                changed[places.gen_range(start..*end)] ^= 1 << places.gen_range(0..8);
                let refused = take(&changed);
                let is_named = matches!(refused, Err(Fault::Malformed { index: i, .. } | Fault::Proof { index: i, .. }) if i == index);
                assert!(is_named, "message {index}, field {field}: {refused:?}");
            }
        }
    });
    assert_eq!(sight.expect("right messages"), table.boards.right());
}

/// A set with an element less, one more, or another: the sum of the tags is another than that of the board's set.
#[test]
fn a_sender_shows_its_board_and_nothing_else() {
    let mut rng = StdRng::seed_from_u64(seed(182));
    let table = Table::new(&mut rng);
    let set = engine_set(&table.engine, &table.boards.sender, &table.boards);
    let (right, digest) = table.tags(&set);
    table.hear(&table.opening(&right.sorted, &digest, &right.places, &table.sender)).expect("the board's set");
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let knight = Element::attack(Fact::Piece(PieceType::Knight), square("d5"), PieceType::Rook, square("d1"));
    let other = if set.contains(&knight) {
        Element::attack(Fact::Piece(PieceType::Bishop), square("d5"), PieceType::Rook, square("d1"))
    } else {
        knight
    };
    let false_sets = [
        set[1..].to_vec(),
        [&set[..], &[other]].concat(),
        [&set[1..], &[other]].concat(),
        shown(&with_another(&table.boards.sender), table.boards.phase),
        Vec::new(),
    ];
    for false_set in false_sets {
        let (tags, digest) = table.tags(&false_set);
        let opening = table.opening(&tags.sorted, &digest, &tags.places, &table.sender);
        // With the places of the false set and with those of the right one.
        refused(table.hear(&opening), 0, Unmet::Sum);
        let (_, digest) = table.tags(&set);
        refused(table.hear(&table.opening(&tags.sorted, &digest, &right.places, &table.sender)), 0, Unmet::Sum);
    }
}

/// One tag that is another point; a digest of another order; a proof for another board.
#[test]
fn points_digests_and_boards_are_those_proven() {
    let mut rng = StdRng::seed_from_u64(seed(183));
    let table = Table::new(&mut rng);
    let set = engine_set(&table.engine, &table.boards.sender, &table.boards);
    let (tags, digest) = table.tags(&set);
    let mut points = entries(&tags.sorted.concat());
    points.pop_first();
    points.insert(Grumpkin::encode(&Grumpkin::times_generator(&Grumpkin::small(rng.r#gen()))));
    let changed: Vec<Encoded> = points.into_iter().collect();
    refused(table.hear(&table.opening(&changed, &digest, &tags.places, &table.sender)), 0, Unmet::Sum);
    let mut exchanged = tags.places.clone();
    exchanged.swap(0, 1);
    refused(table.hear(&table.opening(&tags.sorted, &digest, &exchanged, &table.sender)), 0, Unmet::Digest);
    // A whole opening of another board, right under another commitment.
    let other = with_board(&table.sender, &with_another(&table.boards.sender));
    let start = Transcript::new(&other.id);
    let elsewhere = Table {
        sender: other.clone(),
        receiver: table.receiver.clone(),
        engine: proven_sets(NativeSetProofs.into()),
        boards: Boards { sender: other.board(), receiver: table.boards.receiver.clone(), phase: table.boards.phase },
    };
    let set = engine_set(&elsewhere.engine, &other.board(), &elsewhere.boards);
    let tags = Exponent::<Grumpkin>::new(&other, &start).tags(&other, &set, SENDER_SET).expect("a set that fits");
    let digest = elsewhere.engine.protocol().digest_shown(&other, &start, &tags.places).expect("a digest");
    let opening = elsewhere.opening(&tags.sorted, &digest, &tags.places, &other);
    let mut deceived = other.clone();
    deceived.state = table.receiver.state.clone();
    deceived.branch = Branch::from_bytes([5; 32]);
    assert!(Table { receiver: deceived, ..elsewhere }.hear(&opening).is_ok());
    refused(table.hear(&opening), 0, Unmet::Commitment);
}

/// Lines of pieces that the receiver hasn't; all of a board that it hasn't committed to; a digest of another board.
#[test]
fn a_receiver_asks_by_its_board_and_nothing_else() {
    let mut rng = StdRng::seed_from_u64(seed(184));
    let table = Table::new(&mut rng);
    let board = &table.boards.receiver;
    let right = asked_set(&table.engine, board, &table.boards);
    let more = with_another(board);
    let elsewhere = with_board(&table.receiver, &more);
    let lines = asked(&more, table.boards.phase);
    let new = *lines.iter().find(|element| !right.contains(element)).expect("a knight sees something");
    let cases = [
        (vec![new], &table.receiver, Unmet::Sum),
        ([&right[1..], &[new]].concat(), &table.receiver, Unmet::Sum),
        ([&right[..], &[new]].concat(), &table.receiver, Unmet::Sum),
        (lines, &table.receiver, Unmet::Sum),
        (right.clone(), &elsewhere, Unmet::Commitment),
        (asked_set(&table.engine, &more, &table.boards), &elsewhere, Unmet::Commitment),
    ];
    let (mut sender, opening) = table.opened();
    for (set, prover, why) in cases {
        let asking = table.asking(&opening, set, prover);
        refused(sender.step(Some(&asking)).map(drop), 1, why);
    }
    let mut other_digest = table.asking(&opening, right.clone(), &table.receiver);
    let at = right_digest(&mut other_digest);
    at.copy_from_slice(&to_word(&F::from(7)));
    assert!(matches!(sender.step(Some(&other_digest)), Err(Fault::Proof { index: 1, .. })));
    sender.step(Some(&table.asking(&opening, right, &table.receiver))).expect("the board's set");
}

fn right_digest(asking: &mut [u8]) -> &mut [u8] {
    let start = LAYOUT.rounds[0].asked * POINT_BYTES;
    &mut asking[start..start + 32]
}

/// Proofs that were right in another exchange, or after another opening.
#[test]
fn proofs_are_of_their_exchange() {
    let mut rng = StdRng::seed_from_u64(seed(185));
    let table = Table::new(&mut rng);
    let (mut sender, opening) = table.opened();
    let mut elsewhere = Table::new(&mut rng.clone());
    elsewhere.boards = Boards {
        receiver: table.boards.receiver.clone(),
        sender: table.boards.sender.clone(),
        phase: table.boards.phase,
    };
    (elsewhere.sender, elsewhere.receiver) = (table.sender.clone(), table.receiver.clone());
    for own in [&mut elsewhere.sender, &mut elsewhere.receiver] {
        own.id = [8; 32];
    }
    let (_, other) = elsewhere.opened();
    elsewhere.hear(&other).expect("right in its exchange");
    assert!(matches!(table.hear(&other), Err(Fault::Proof { index: 0, .. })));
    // Its proof alone, after what is right here.
    let start = opening.len() - LAYOUT.evidence.shown;
    let spliced = [&opening[..start], &other[start..]].concat();
    assert!(matches!(table.hear(&spliced), Err(Fault::Proof { index: 0, .. })));
    let right = asked_set(&table.engine, &table.boards.receiver, &table.boards);
    let asking = table.asking(&opening, right.clone(), &table.receiver);
    let after_other = elsewhere.asking(&other, right, &elsewhere.receiver);
    assert!(matches!(sender.step(Some(&after_other)), Err(Fault::Proof { index: 1, .. })));
    let start = asking.len() - LAYOUT.evidence.asked;
    let spliced = [&asking[..start], &after_other[start..]].concat();
    assert!(matches!(sender.step(Some(&spliced)), Err(Fault::Proof { index: 1, .. })));
    sender.step(Some(&asking)).expect("right here");
}
