//! Transcripts of games between the machines: what is written is read again, what is mangled is refused in a sentence, and what is held against the chain
//! shows every lie. The positions are signed by wallets; a proof stands for its statement, as in the simulator.

use alloy::primitives::{Address, B256, keccak256};
use alloy::signers::SignerSync as _;
use client::wallet::Wallet;
use ff::Field as _;
use fog::curve::FogSecret;
use game::audit::{Audit, Record, Unknown};
use game::channel_transcript::{Other, Ply, Signature, Transcript, TranscriptError, Whole};
use game::replay::{KeyFile, KeyFileError, ReplayError, replay};
use game::report::unknown;
use game::secrets::GameSecrets;
use game::statement::Statement;
use game::toss::{creator_is_white, toss_commitment};
use game::{
    ChainEvent, Demanded, GameRef, GameResult, Mode, MoveFields, Opening, Outcome, OwnState, Phase, Position, Table,
    Terms,
};
use halo2curves::bn256::Fr;
use rules::{Color, Square};

const CONTRACT: Address = Address::repeat_byte(0xf0);
const SHARE: B256 = B256::repeat_byte(0x22);
const BASE: u32 = 600;
const WINDOW: u64 = 3_600;
/// White captures the king on ply 4.
const MOVES: [(&str, Option<&str>); 5] =
    [("e2e4", None), ("f7f6", None), ("d1h5", None), ("a7a6", None), ("h5e8", Some("e8"))];

fn proof_of(statement: &Statement) -> Vec<u8> {
    keccak256(statement.evidence(b"proven")).to_vec()
}

fn verify(statement: &Statement, proof: &[u8]) -> Result<(), &'static str> {
    if proof == proof_of(statement) { Ok(()) } else { Err("it proves something else") }
}

/// A game as its chain tells it, with its transcript and the secrets of both.
struct Played {
    game: GameRef,
    wallets: [Wallet; 2],
    secrets: [GameSecrets; 2],
    /// Up to the start.
    records: Vec<Record>,
    transcript: Transcript,
}

impl Played {
    /// The creator is White.
    fn new(mode: Mode) -> Self {
        Self::opened_to(mode, u16::MAX)
    }

    /// From a ply on White commits by another view key than it publishes.
    fn opened_to(mode: Mode, ply: u16) -> Self {
        let wallets = [1, 2].map(|byte| Wallet::from_secret(&[byte; 32]).expect("a key"));
        let [creator, joiner] = wallets.each_ref().map(Wallet::address);
        let [registration, of_joiner] = [1, 2].map(|byte| FogSecret::from_uniform([byte; 32]).key().to_bytes());
        let terms = Terms {
            mode,
            stake: 1,
            base: BASE,
            increment: 0,
            delay: 60,
            window: WINDOW as u32,
            reveal: 120,
            expiry: 1_000,
            opponent: None,
        };
        let toss = toss_commitment(&creator.into(), &SHARE).into();
        let opening = Opening { creator, nonce: B256::ZERO, terms, toss, registration };
        let game = GameRef { chain_id: 31337, contract: CONTRACT, game_id: opening.game_id(31337, CONTRACT) };
        let mut shares = (0..=u8::MAX).map(B256::with_last_byte);
        let share = shares.find(|share| creator_is_white(&SHARE, share, &game.game_id)).expect("one share in two");
        let toss = toss_commitment(&joiner.into(), &share).into();
        let events = [
            ChainEvent::Created(opening),
            ChainEvent::Joined { joiner, toss, registration: of_joiner },
            ChainEvent::TossRevealed { share: SHARE },
            ChainEvent::Started { white: creator, share },
        ];
        let senders = [creator, joiner, creator, joiner].map(Some);
        let records = events.into_iter().zip(senders).zip(100..);
        let records = records.map(|((event, sender), time)| Record { sender, ..Record::of_chain(event, Some(time)) });
        let records = records.collect();
        let secrets = [1, 2].map(|byte| GameSecrets::derive(&[byte; 32], &game.game_id));
        let transcript = Transcript { game, plies: Vec::new(), others: Vec::new() };
        let mut played = Self { game, wallets, secrets, records, transcript };
        played.play(ply);
        played
    }

    /// All plies, each signed by both but the last, after which a king has fallen.
    fn play(&mut self, opened_to: u16) {
        let other = GameSecrets::derive(&[3; 32], &self.game.game_id);
        let (mut table, mut own) = (self.table(), Color::ALL.map(OwnState::start));
        let mut position = Position::start(BASE);
        for (mv, capture) in MOVES {
            let play = table.playing().expect("the game goes on");
            let (ply, mover) = (play.ply, play.turn().index());
            let secrets = if mover == 0 && ply >= opened_to { &other } else { &self.secrets[mover] };
            let view = secrets.view_key();
            let next = own[mover].after(view, play.pending, &mv.parse().expect("UCI"));
            let fields = MoveFields {
                ply,
                next_commitment: next.commitment,
                next_request_root: Fr::from(200 + u64::from(ply)),
                answer_root: if ply == 0 { Fr::ZERO } else { Fr::from(300 + u64::from(ply)) },
                capture: capture.map(|square| square.parse::<Square>().expect("a square")),
                king_fell: capture.is_some(),
                offer_draw: ply == 2,
            };
            let proof = Some(proof_of(&Statement::Turn(play.turn_public(&self.game, &fields).expect("fog keys"))));
            let clock = BASE - 10 * u32::from(ply);
            position = position.after(&self.game, &fields, clock);
            let signatures = [0, 1].map(|color| (!fields.king_fell).then(|| self.sign(color, &position)));
            let player = self.wallets[mover].address();
            table.apply(&ChainEvent::Moved { player, fields, basis: None, proof: None }).expect("a move");
            own[mover] = next;
            self.transcript.plies.push(Ply { fields, clock, proof, signatures });
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new(self.game);
        self.records.iter().for_each(|record| table.apply(&record.event).expect("it begins so"));
        table
    }

    fn sign(&self, color: usize, position: &Position) -> Signature {
        let digest = position.digest(&self.game);
        Signature(self.wallets[color].signer().sign_hash_sync(&digest).expect("a signature").as_erc2098())
    }

    fn positions(&self) -> Vec<Position> {
        self.transcript.positions(BASE)
    }

    fn address(&self, color: usize) -> Address {
        self.wallets[color].address()
    }

    /// The chain's records with more events, and both view keys at the end.
    fn chain(&self, events: impl IntoIterator<Item = ChainEvent>) -> Vec<Record> {
        let mut records = self.records.clone();
        let events: Vec<_> = events.into_iter().collect();
        let ended = events.iter().find_map(|event| match event {
            ChainEvent::Ended { winner, outcome } => Some((*winner, *outcome)),
            _ => None,
        });
        let is_woken = events.iter().any(|event| matches!(event, ChainEvent::Woken { .. }));
        let mut time = 999;
        records.extend(events.into_iter().map(|event| {
            // The end comes with what ends the game.
            time += u64::from(!matches!(event, ChainEvent::Ended { .. }));
            let is_after = is_woken && !matches!(event, ChainEvent::Woken { .. });
            let carried = self.signatures(&event, ended);
            let sender = match event {
                ChainEvent::Moved { player, .. } => Some(player),
                _ => None,
            };
            Record { carried, sender, ..Record::of_chain(event, Some(time + if is_after { WINDOW + 10 } else { 0 })) }
        }));
        records
    }

    /// What the calldata of a waking or a result carries: both have signed the position, and whoever doesn't win the result.
    fn signatures(&self, event: &ChainEvent, ended: Option<(Option<Address>, Outcome)>) -> Option<Vec<u8>> {
        let (digest, winner, result) = match event {
            ChainEvent::Woken { position, .. } => (position.digest(&self.game), None, None),
            ChainEvent::Closed { last } => {
                let (winner, outcome) = ended?;
                let creator_won = winner.map(|winner| winner == self.address(0));
                let result = GameResult { creator_won, outcome, last: *last };
                (result.digest(&self.game), winner, Some(result.to_bytes()))
            }
            _ => return None,
        };
        let sign = |wallet: &Wallet| wallet.signer().sign_hash_sync(&digest).expect("a signature").as_erc2098();
        let signed = |wallet: &Wallet| if Some(wallet.address()) == winner { [0; 64] } else { sign(wallet) };
        let signatures = self.wallets.each_ref().map(signed).concat();
        Some(signatures.into_iter().chain(result.into_iter().flatten()).collect())
    }

    /// Closed with the position after so many plies.
    fn closed(&self, plies: usize, winner: Option<usize>, outcome: Outcome) -> Vec<Record> {
        let last = self.positions()[plies].digest(&self.game);
        let winner = winner.map(|color| self.address(color));
        let keys = [0, 1].map(|color| {
            let key = self.secrets[color].view_key().to_bytes();
            ChainEvent::ViewKeyPublished { player: self.address(color), key }
        });
        self.chain([ChainEvent::Closed { last }, ChainEvent::Ended { winner, outcome }].into_iter().chain(keys))
    }

    fn won(&self) -> Vec<Record> {
        self.closed(5, Some(0), Outcome::KingCaptured)
    }

    fn woken(&self, ply: usize) -> ChainEvent {
        ChainEvent::Woken { position: Box::new(self.positions()[ply]), until: 1_000 + WINDOW }
    }

    /// The game before a ply of the transcript.
    fn before(&self, ply: usize) -> Table {
        let whole = Whole::of(self.game, self.records.clone(), Some(&self.first(ply))).expect("a transcript");
        let mut table = Table::new(self.game);
        whole.records.iter().for_each(|record| table.apply(&record.event).expect("a game"));
        table
    }

    /// The player to move demands its sight on the chain.
    fn demand(&self, ply: usize, deadline: u64) -> ChainEvent {
        let table = self.before(ply);
        let play = table.playing().expect("it goes on");
        let receiver = play.turn();
        let demanded = Demanded {
            phase: Phase::Pre,
            ply: play.ply,
            receiver,
            pending_receiver: play.pending,
            pending_sender: None,
            commitment: play.commitments[(!receiver).index()],
            request_root: play.request_roots[receiver.index()],
            posted_root: play.answer_root,
            ctx: play.pre_context(&self.game),
        };
        ChainEvent::SightDemanded { demanded, deadline, bond: 0, points: Vec::new() }
    }

    /// The move of a ply of the transcript, made on the chain.
    fn on_chain(&self, ply: usize) -> ChainEvent {
        let mut table = self.before(ply);
        let Ply { fields, proof, .. } = self.transcript.plies[ply].clone();
        let basis = table.playing().map(|play| play.basis(&self.game, &fields));
        let event = ChainEvent::Moved { player: self.address(ply % 2), fields, basis, proof };
        table.apply(&event).expect("a move");
        event
    }

    /// The transcript's first plies.
    fn first(&self, plies: usize) -> Transcript {
        Transcript { plies: self.transcript.plies[..plies].to_vec(), ..self.transcript.clone() }
    }
}

fn audited(records: &[Record], transcript: &Transcript) -> (Audit, Vec<Record>) {
    let whole = Whole::of(transcript.game, records.to_vec(), Some(transcript)).expect("a transcript of the game");
    (whole.audit(verify), whole.records)
}

/// What an audit says of a game with a changed transcript, and what of its last position it can't know.
fn findings(played: &Played, records: &[Record], change: impl FnOnce(&mut Transcript)) -> String {
    let mut transcript = played.transcript.clone();
    change(&mut transcript);
    let (audit, _) = audited(records, &transcript);
    assert_eq!(audit.ok, audit.findings.is_empty());
    let of_end =
        |unknown: &Unknown| matches!(unknown, Unknown::Elsewhere(_) | Unknown::Beyond { .. } | Unknown::Reason(_));
    let unknown = audit.unknown.filter(of_end).map(|unknown| format!("unknown: {unknown}\n"));
    audit.findings.iter().map(|finding| format!("{finding}\n")).chain(unknown).collect()
}

#[test]
fn a_closed_game_is_audited_and_replayed_from_its_transcript() {
    let played = Played::new(Mode::Channel);
    let (audit, records) = audited(&played.won(), &played.transcript);
    assert_eq!(audit.findings, []);
    assert_eq!((audit.plies, audit.proofs, audit.by_chain, audit.by_nobody), (5, 5, 0, 0));
    // The winner has signed nothing after its last move, and the loser the result.
    assert_eq!((audit.signed, audit.unknown), (4, None));
    let replayed = replay(played.game, &records).expect("both keys");
    assert!(replayed.ok(), "{:?}", replayed.findings);
    assert_eq!(replayed.uci(), MOVES.map(|(mv, _)| mv));
    let clocks: Vec<Option<u64>> = replayed.moves.iter().map(|played| played.clock).collect();
    assert_eq!(clocks, [600, 590, 580, 570, 560].map(Some));
    assert!(replayed.pgn().contains("1-0"));
    // Resigned after two plies: what was on its way to the other side then is no part of the game.
    let resigned = played.closed(2, Some(1), Outcome::Resigned);
    let mut transcript = played.first(3);
    transcript.plies[2].signatures[1] = None;
    let (audit, records) = audited(&resigned, &transcript);
    assert_eq!((audit.findings, audit.plies, audit.signed, audit.unknown), (Vec::new(), 2, 2, None));
    assert_eq!(replay(played.game, &records).expect("both keys").uci(), ["e2e4", "f7f6"]);
    // Before the first ply.
    let (audit, records) = audited(&played.closed(0, Some(1), Outcome::Resigned), &played.first(0));
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 0, None));
    assert!(replay(played.game, &records).is_ok());
}

#[test]
fn without_its_transcript_nobody_can_say_what_was_played() {
    let played = Played::new(Mode::Channel);
    let without = |records: Vec<Record>| Whole::of(played.game, records, None).expect("records").audit(verify);
    let audit = without(played.won());
    assert_eq!((audit.ok, audit.plies, audit.unknown), (true, 0, Some(Unknown::Plies)));
    assert!(audit.unknown.expect("unknown").to_string().contains("without a transcript nobody can say"));
    assert_eq!(replay(played.game, &played.won()).err(), Some(ReplayError::NoTranscript));
    // From where it was woken on, all is on the chain.
    let audit = without(played.chain([played.woken(2), played.on_chain(2), played.on_chain(3)]));
    assert_eq!((audit.findings, audit.plies, audit.by_chain, audit.proofs), (Vec::new(), 2, 2, 2));
    assert_eq!(audit.unknown, Some(Unknown::PliesBefore(2)));
    let audit = without(played.chain([played.woken(0), played.on_chain(0)]));
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 1, None));
    // Nobody can move while it is asleep.
    let audit = without(played.chain([played.on_chain(0)]));
    assert!(audit.findings[0].to_string().contains("was not woken"), "{:?}", audit.findings);
    // A game that goes on is bound by signatures alone.
    let (audit, _) = audited(&played.chain([]), &played.first(3));
    assert_eq!((audit.findings, audit.signed, audit.unknown), (Vec::new(), 3, Some(Unknown::Unbound)));
}

#[test]
fn a_woken_game_takes_its_first_part_from_the_transcript_and_the_rest_from_the_chain() {
    let played = Played::new(Mode::Channel);
    let ended = ChainEvent::Ended { winner: Some(played.address(0)), outcome: Outcome::KingCaptured };
    let rest = || [played.on_chain(3), played.on_chain(4), ended.clone()];
    // An old position was put there first, and a later one in its place.
    let records = played.chain([played.woken(1), played.woken(3)].into_iter().chain(rest()));
    for plies in 3..=5 {
        let (audit, _) = audited(&records, &played.first(plies));
        assert_eq!(audit.findings, [], "{plies}");
        let counts = (audit.plies, audit.signed, audit.by_chain, audit.proofs);
        assert_eq!((counts, audit.unknown), ((5, 3, 2, 5), None), "{plies}");
    }
    let (audit, _) = audited(&records, &played.first(2));
    assert!(audit.findings[0].to_string().contains("the transcript ends after 2 plies"), "{:?}", audit.findings);
    assert_eq!(audit.unknown, Some(Unknown::PliesBefore(3)));
    let other = findings(&played, &records, |transcript| transcript.plies[0].clock -= 1);
    assert!(other.contains("woken in another position"), "{other}");
    // Whoever makes another move on the chain than it has signed.
    let ChainEvent::Moved { player, mut fields, .. } = played.on_chain(3) else { panic!("a move") };
    fields.next_commitment += Fr::ONE;
    let changed = ChainEvent::Moved { player, fields, basis: None, proof: None };
    let records = played.chain([played.woken(3), changed]);
    let found = findings(&played, &records, |_| ());
    assert!(found.contains("ply 3: black has signed one move and made another on the chain"), "{found}");
}

/// What was played after the wake only the two machines know: the signed result says where that ended.
#[test]
fn a_woken_game_that_was_closed_later_is_told_up_to_there() {
    let played = Played::new(Mode::Channel);
    let closed = |woken: usize, moves: &[usize], plies: usize, outcome| {
        let last = played.positions()[plies].digest(&played.game);
        let end = [ChainEvent::Closed { last }, ChainEvent::Ended { winner: Some(played.address(0)), outcome }];
        let moves = moves.iter().map(|ply| played.on_chain(*ply));
        played.chain([played.woken(woken)].into_iter().chain(moves).chain(end))
    };
    for woken in [0, 1, 4] {
        let records = closed(woken, &[], 5, Outcome::KingCaptured);
        let (audit, told) = audited(&records, &played.transcript);
        assert_eq!((audit.findings, audit.plies, audit.signed, audit.unknown), (Vec::new(), 5, 4, None));
        assert_eq!(told.iter().filter(|record| !record.is_of_chain()).count(), 5);
        let ply = u16::try_from(woken).expect("a ply");
        let (audit, _) = audited(&records, &played.first(4));
        assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), ply, Some(Unknown::Result(ply))));
        let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
        let unknown = if woken == 0 { Unknown::Result(0) } else { Unknown::PliesBefore(ply) };
        assert_eq!((audit.ok, audit.plies, audit.unknown), (true, 0, Some(unknown)));
    }
    // The loser has signed before it saw the last plies, or after moves on the chain.
    let beyond = Unknown::Beyond { ply: 3, loser: Color::Black };
    for (moves, plies, of, unknown) in [(&[][..], 3, 1, Some(beyond)), (&[3], 4, 2, None)] {
        let (audit, _) = audited(&closed(3, moves, of, Outcome::Resigned), &played.transcript);
        assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), plies, unknown));
        let (audit, _) = audited(&closed(3, moves, of, Outcome::Resigned), &played.first(3));
        assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), plies, None));
    }
    // No king has fallen on the chain, or the game would have ended there.
    let mut belied = closed(3, &[3], 2, Outcome::KingCaptured);
    let place = belied.len() - 2;
    belied[place].event = ChainEvent::Closed { last: B256::ZERO };
    let (audit, _) = audited(&belied, &played.transcript);
    assert_eq!(audit.unknown, Some(Unknown::Result(3)));
    // Where the game has gone on on the chain, if only by a demand, what was played beside it is not known.
    let mut held = closed(2, &[], 5, Outcome::KingCaptured);
    let time = held[held.len() - 2].time.expect("a time");
    held.insert(held.len() - 2, Record::of_chain(played.demand(2, time + WINDOW), Some(time)));
    let (audit, _) = audited(&held, &played.transcript);
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 2, Some(Unknown::Result(2))));
    // Of posted transcripts the one that leads there is taken, whoever was first.
    let mut records = closed(1, &[], 5, Outcome::KingCaptured);
    for (plies, color) in [(1, 1), (5, 0)] {
        let key = played.secrets[color].view_key().to_bytes();
        let published = ChainEvent::ViewKeyPublished { player: played.address(color), key };
        let (carried, sender) = (Some(played.first(plies).to_posted()), Some(played.address(color)));
        records.push(Record { carried, sender, ..Record::of_chain(published, Some(9_000)) });
    }
    let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 5, Some(Unknown::Proofs(5))));
}

#[test]
fn every_change_of_a_transcript_is_found() {
    let played = Played::new(Mode::Channel);
    let records = played.won();
    let found = |change: &dyn Fn(&mut Transcript)| findings(&played, &records, change);
    assert_eq!(found(&|_| ()), "");
    let leads_elsewhere =
        "unknown: the transcript doesn't lead to the position that the result is of, which black alone has signed";
    let changes: [&dyn Fn(&mut Ply); 8] = [
        &|ply| ply.fields.next_commitment += Fr::ONE,
        &|ply| ply.fields.next_request_root += Fr::ONE,
        &|ply| ply.fields.answer_root += Fr::ONE,
        &|ply| ply.fields.capture = Square::new(20),
        &|ply| ply.fields.offer_draw ^= true,
        &|ply| ply.clock += 1,
        &|ply| ply.clock = 0,
        &|ply| ply.fields.next_commitment = Fr::ZERO,
    ];
    for (number, change) in changes.iter().enumerate() {
        for place in 0..5 {
            let found = found(&|transcript| change(&mut transcript.plies[place]));
            assert!(found.contains(leads_elsewhere), "{number} at {place}: {found}");
            // And by both signatures of that ply.
            let is_said = found.contains(&format!("ply {place}: what stands there as white's signature is not"));
            assert_eq!(is_said, place < 4, "{number} at {place}: {found}");
        }
    }
    for place in 0..4 {
        for color in 0..2 {
            let broken = found(&|transcript| {
                let signature = transcript.plies[place].signatures[color].as_mut().expect("signed");
                signature.0[40] ^= 1;
            });
            assert_eq!(broken.lines().count(), 1, "{broken}");
            assert!(broken.contains(&format!("ply {place}: what stands there as {}", Color::ALL[color])), "{broken}");
        }
        let swapped = found(&|transcript| transcript.plies[place].signatures.reverse());
        assert_eq!(swapped.lines().count(), 2, "{swapped}");
    }
    for place in 0..5 {
        let wrong = found(&|transcript| transcript.plies[place].proof.as_mut().expect("a proof")[3] ^= 1);
        assert_eq!(wrong, format!("ply {place}: the turn proof is wrong: it proves something else\n"));
    }
    for plies in 0..5 {
        assert!(found(&|transcript| transcript.plies.truncate(plies)).contains(leads_elsewhere), "{plies}");
    }
    assert!(found(&|transcript| drop(transcript.plies.remove(1))).contains(leads_elsewhere));
    // No king falls in words only.
    let said = played.closed(4, Some(0), Outcome::KingCaptured);
    assert!(findings(&played, &said, |transcript| transcript.plies.truncate(4)).contains("captures none"));
    // Whoever signs a result signs nothing after it.
    let drawn = played.closed(3, None, Outcome::DrawAgreed);
    assert!(findings(&played, &drawn, |_| ()).contains("ply 3: both have signed it, though the result is of"));
    let cut = findings(&played, &drawn, |transcript| transcript.plies.truncate(2));
    assert!(cut.contains("the result was signed of: it is false, or not whole"), "{cut}");
}

#[test]
fn without_proofs_a_replay_decides() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.transcript.clone();
    transcript.plies.iter_mut().for_each(|ply| ply.proof = None);
    let (audit, records) = audited(&played.won(), &transcript);
    assert_eq!((audit.findings.len(), audit.proofs, audit.by_nobody), (0, 0, 5));
    assert_eq!(audit.unknown, Some(Unknown::Proofs(5)));
    let replayed = replay(played.game, &records).expect("both keys");
    // Nobody but the loser has said that the last ply was made.
    assert_eq!(audit.unknown_after(false), Some(Unknown::Proofs(5)));
    assert_eq!(audit.unknown_after(replayed.ok()), Some(Unknown::Signatures(1)));
    let closed = played.records.len();
    let mut sent = played.won();
    sent[closed].sender = Some(played.address(0));
    assert_eq!(audited(&sent, &transcript).0.unknown_after(true), None, "the winner has sent the result");
    let mut posted = played.won();
    let last = posted.len() - 1;
    (posted[last - 1].carried, posted[last - 1].sender) = (Some(transcript.to_posted()), Some(played.address(0)));
    let audit = Whole::of(played.game, posted, None).expect("records").audit(verify);
    assert_eq!((audit.signed, audit.unknown_after(true)), (5, None), "the winner has posted the transcript");
    // What is posted behind the last ply is no part of the game.
    let (mut longer, ply) = (sent.clone(), &transcript.to_posted()[20..122]);
    (longer[last - 1].carried, longer[last - 1].sender) =
        (Some([&transcript.to_posted()[..], ply].concat()), Some(played.address(0)));
    let audit = Whole::of(played.game, longer, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.plies), (Vec::new(), 5));
    // Which ply has felled a king no digest binds, so it may be posted otherwise.
    let bytes = transcript.to_posted();
    for ply in [1, 5] {
        let (mut posted, mut spoilt) = (sent.clone(), bytes.clone());
        spoilt[bytes.len() - ply * 102 + 1] ^= 1;
        (posted[last - 1].carried, posted[last - 1].sender) = (Some(spoilt), Some(played.address(0)));
        let audit = Whole::of(played.game, posted, None).expect("records").audit(verify);
        assert_eq!((audit.findings, audit.plies), (Vec::new(), 5));
    }
    // What only the loser has posted nobody has to believe.
    let mut alone = sent.clone();
    (alone[last].carried, alone[last].sender) = (Some(bytes.clone()), Some(played.address(1)));
    let audit = Whole::of(played.game, alone, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 0, Some(Unknown::Plies)));
    // A key from a file is held against the transcript's commitments.
    let key = KeyFile::new(played.game, played.address(0), played.secrets[0].view_key());
    let wrong = KeyFile::new(played.game, played.address(0), played.secrets[1].view_key());
    assert!(key.record(played.game, &records).is_ok() && wrong.record(played.game, &records).is_err());
}

#[test]
fn what_the_chain_s_events_say_alone_nobody_stands_by() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.transcript.clone();
    transcript.plies.iter_mut().for_each(|ply| (ply.proof, ply.signatures) = (None, [None; 2]));
    let woken = || played.chain([played.woken(3)]);
    for (records, plies, signed) in
        [(played.won(), 5, 0), (played.closed(5, None, Outcome::DrawAgreed), 5, 5), (woken(), 3, 3)]
    {
        let (audit, _) = audited(&records, &transcript);
        assert_eq!((audit.findings, audit.signed), (Vec::new(), signed));
        let untold = records.iter().cloned().map(|record| Record { carried: None, ..record }).collect::<Vec<_>>();
        let (audit, _) = audited(&untold, &transcript);
        assert_eq!((audit.signed, audit.unknown_after(true)), (0, Some(Unknown::Signatures(plies))));
    }
    // Signatures of another result are none of this.
    let mut other = played.won();
    let closed = played.records.len();
    other[closed].carried = played.closed(4, Some(0), Outcome::KingCaptured)[closed].carried.clone();
    transcript.plies[4].signatures = [0, 1].map(|color| Some(played.sign(color, &played.positions()[5])));
    assert_eq!(audited(&other, &transcript).0.signed, 5);
    transcript.plies[4].signatures[1] = None;
    assert_eq!(audited(&other, &transcript).0.signed, 0);
}

/// What a lying node tells of a result that was signed, or never was.
#[test]
fn a_result_stands_by_the_signatures_of_who_doesn_t_win_by_it() {
    let played = Played::new(Mode::Channel);
    let closed = played.records.len();
    let heard = |records: &[Record]| {
        let audit = audited(records, &played.transcript).0;
        (audit.findings.iter().map(ToString::to_string).collect::<Vec<_>>(), audit.unknown_after(true), audit.end())
    };
    let by = |sender: Option<usize>, change: &dyn Fn(&mut Vec<Record>)| {
        let mut records = played.won();
        // The winner takes the loser's signature to the chain, and none of its own.
        records[closed].sender = sender.map(|color| played.address(color)).or(Some(Address::repeat_byte(9)));
        change(&mut records);
        heard(&records)
    };
    let won = "White has won: king captured, which the loser has signed".to_owned();
    assert_eq!(by(Some(0), &|_| ()), (Vec::new(), None, won.clone()));
    assert_eq!(by(None, &|_| ()).0, [""; 0], "anybody may send it");
    // The loser's own signature needs not be there where it is the sender.
    let unsigned = |records: &mut Vec<Record>| records[closed].carried.as_mut().expect("signatures")[64..128].fill(0);
    assert_eq!(by(Some(1), &unsigned).0, [""; 0]);
    for sender in [Some(0), None] {
        assert_eq!(by(sender, &unsigned).0, ["black has not signed the result that the chain tells"]);
    }
    // Another winner than the signatures have, and another reason.
    let other = "the transaction of the result says another than the chain tells";
    for (winner, outcome) in [(1, Outcome::KingCaptured), (0, Outcome::Resigned)] {
        let swap = |records: &mut Vec<Record>| {
            records[closed + 1].event = ChainEvent::Ended { winner: Some(played.address(winner)), outcome };
        };
        for sender in [Some(0), Some(1), None] {
            assert!(by(sender, &swap).0.contains(&other.to_owned()), "{winner} {sender:?}");
        }
        let forged = |records: &mut Vec<Record>| {
            swap(records);
            let said = played.closed(5, Some(winner), outcome)[closed].carried.clone().expect("a result");
            records[closed].carried.as_mut().expect("a result")[128..].copy_from_slice(&said[128..]);
        };
        let loser = Color::ALL[1 - winner];
        let found = format!("{loser} has not signed the result that the chain tells");
        assert!(by(Some(winner), &forged).0.contains(&found), "{winner}");
    }
    // Of what isn't shown nobody can say so.
    let hidden = |records: &mut Vec<Record>| (records[closed].carried, records[closed].sender) = (None, None);
    let word = "White has won: king captured, by a result whose signatures the node doesn't show".to_owned();
    let (found, unknown, end) = by(None, &hidden);
    assert_eq!((found, end), (Vec::new(), word.clone()));
    assert!(matches!(unknown, Some(Unknown::Signatures(_))), "{unknown:?}");
    let invented = |records: &mut Vec<Record>| {
        unsigned(records);
        records[closed].sender = None;
    };
    let (found, unknown, end) = by(Some(0), &invented);
    assert_eq!((found, end), (Vec::new(), word));
    assert!(matches!(unknown, Some(Unknown::Signatures(_))), "{unknown:?}");
    let start = |sender| {
        let mut records = played.closed(0, Some(1), Outcome::Resigned);
        (records[closed].carried, records[closed].sender) = (None, sender);
        let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
        (audit.unknown_after(false), audit.findings)
    };
    assert_eq!(start(None), (Some(Unknown::End), Vec::new()));
}

/// For one window only a later position can come, or a result, and it ends when it was said to.
#[test]
fn a_woken_game_waits_for_its_window() {
    let played = Played::new(Mode::Channel);
    let woken = played.records.len();
    let found = |events: &[ChainEvent], change: &dyn Fn(&mut [Record])| {
        let mut records = played.chain(events.iter().cloned());
        change(&mut records[woken..]);
        let audit = audited(&records, &played.transcript).0;
        audit.findings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let made = [played.woken(1), played.woken(3), played.on_chain(3)];
    assert_eq!(found(&made, &|_| ()), [""; 0]);
    let until = |records: &mut [Record], at: usize, time: u64| {
        let ChainEvent::Woken { until, .. } = &mut records[at].event else { panic!("a waking") };
        *until = time;
    };
    let waking = ["ply 3: the waking of a game can't come at this time"];
    assert_eq!(found(&made, &|records| until(records, 0, 1_001 + WINDOW)), waking);
    assert_eq!(found(&made, &|records| until(records, 1, 1_001 + WINDOW)), waking);
    let second = |time: u64| found(&made, &move |records: &mut [Record]| records[1].time = Some(time));
    assert_eq!((second(1_000 + WINDOW), second(1_001 + WINDOW)), (Vec::new(), waking.map(String::from).to_vec()));
    let third = |time: u64| found(&made, &move |records: &mut [Record]| records[2].time = Some(time));
    assert_eq!(third(1_001 + WINDOW), [""; 0]);
    assert_eq!(third(1_000 + WINDOW), ["ply 3: a move can't come at this time"]);
    let resigned = ChainEvent::Ended { winner: Some(played.address(0)), outcome: Outcome::Resigned };
    let resigned =
        |time: u64| found(&[played.woken(3), resigned.clone()], &move |r: &mut [Record]| r[1].time = Some(time));
    assert_eq!(resigned(1_001 + WINDOW), [""; 0]);
    assert_eq!(resigned(1_000 + WINDOW), ["ply 3: the end of the game can't come at this time"]);
    // The result needs no waiting.
    let last = played.positions()[3].digest(&played.game);
    let ended = ChainEvent::Ended { winner: Some(played.address(0)), outcome: Outcome::Resigned };
    let soon = |records: &mut [Record]| records.iter_mut().for_each(|record| record.time = Some(1_000));
    assert_eq!(found(&[played.woken(3), ChainEvent::Closed { last }, ended], &soon), [""; 0]);
    for ply in [1, 3] {
        let twice = found(&[played.woken(3), played.woken(ply)], &|_| ());
        assert_eq!(twice, [format!("ply 3: the game was woken again at ply {ply}, which is no later one")]);
    }
}

#[test]
fn a_woken_position_stands_by_both_signatures() {
    let played = Played::new(Mode::Channel);
    let woken = played.records.len();
    let found = |ply: usize, sender: Option<Address>, change: &dyn Fn(&mut Vec<u8>)| {
        let mut records = played.chain([played.woken(ply)]);
        records[woken].sender = sender;
        change(records[woken].carried.as_mut().expect("signatures"));
        findings(&played, &records, |_| ())
    };
    let (white, stranger) = (Some(played.address(0)), Some(Address::repeat_byte(9)));
    assert_eq!((found(3, stranger, &|_| ()), found(3, None, &|_| ())), (String::new(), String::new()));
    let no_white = |carried: &mut Vec<u8>| carried[..64].fill(0);
    assert_eq!((found(3, white, &no_white), found(3, None, &no_white)), (String::new(), String::new()));
    assert_eq!(found(3, stranger, &no_white), "ply 3: white has not signed the position that the game was woken in\n");
    let swapped = |carried: &mut Vec<u8>| carried.rotate_left(64);
    assert_eq!(found(3, stranger, &swapped).lines().count(), 2);
    assert_eq!(found(0, white, &|carried| carried.clear()), "");
    assert!(found(0, stranger, &|_| ()).contains("which only a player can at its start"));
    // The result of a woken game is held to what leads to its last position, too.
    let closed = |outcome| {
        let last = played.positions()[4].digest(&played.game);
        let ended = ChainEvent::Ended { winner: Some(played.address(0)), outcome };
        findings(&played, &played.chain([played.woken(3), ChainEvent::Closed { last }, ended]), |_| ())
    };
    assert_eq!(closed(Outcome::Resigned), "");
    assert!(closed(Outcome::KingCaptured).contains("a king was captured, and the winner's last move captures none"));
}

/// The position that a result is of is the loser's word: whoever wins takes it as it is.
#[test]
fn what_only_the_loser_says_of_the_plies_is_not_known() {
    let played = Played::new(Mode::Channel);
    let mut invented = played.transcript.clone();
    invented.plies.iter_mut().for_each(|ply| ply.signatures[0] = None);
    let closed = played.records.len();
    let mut records = played.won();
    records[closed].sender = Some(played.address(0));
    for ply in [0, 1] {
        let (audit, _) = audited(&records, &invented);
        assert_eq!(audit.unknown_after(true), Some(Unknown::Signatures(5 - ply)));
        assert_eq!((audit.findings, audit.signed, audit.unknown), (Vec::new(), ply, None));
        invented.plies[0].signatures[0] = Some(played.sign(0, &played.positions()[1]));
    }
    // The loser posts it, and then the winner.
    let last = records.len() - 1;
    for (poster, signed) in [(1, 1), (0, 5)] {
        (records[last].carried, records[last].sender) = (Some(invented.to_posted()), Some(played.address(poster)));
        assert_eq!(audited(&records, &invented).0.signed, signed);
    }
    // The loser names a position that there never was, or an older one: the winner's game is none the worse for it.
    let said = |records: &[Record], transcript: &Transcript| {
        let audit = audited(records, transcript).0;
        (audit.findings, audit.plies, audit.unknown)
    };
    let (last, winner) = (B256::ZERO, Some(played.address(0)));
    let ended = ChainEvent::Ended { winner, outcome: Outcome::KingCaptured };
    let other = played.chain([ChainEvent::Closed { last }, ended]);
    let elsewhere = |plies| (Vec::new(), plies, Some(Unknown::Elsewhere(Color::Black)));
    assert_eq!(said(&other, &played.transcript), elsewhere(5));
    assert_eq!(said(&other, &played.first(3)), elsewhere(3));
    assert_eq!(said(&other, &invented), elsewhere(5));
    let older = played.closed(2, Some(0), Outcome::Resigned);
    let beyond = Unknown::Beyond { ply: 2, loser: Color::Black };
    assert_eq!(said(&older, &played.transcript), (Vec::new(), 2, Some(beyond)));
    assert_eq!(said(&older, &played.first(2)), (Vec::new(), 2, None));
}

#[test]
fn a_result_that_the_start_belies_is_found_without_a_transcript() {
    let played = Played::new(Mode::Channel);
    let at_start = |winner, outcome| {
        let whole = Whole::of(played.game, played.closed(0, winner, outcome), None).expect("records");
        let audit = whole.audit(verify);
        (audit.findings.first().map(ToString::to_string).unwrap_or_default(), audit.end(), audit.unknown)
    };
    let (found, end, unknown) = at_start(Some(0), Outcome::KingCaptured);
    assert_eq!((found, unknown), (String::new(), Some(Unknown::Reason(Color::Black))));
    assert_eq!(end, "White has won: king captured, which the loser has signed");
    assert!(at_start(None, Outcome::FiftyMoves).0.contains("fifty moves, and there were fewer"));
    assert!(at_start(None, Outcome::NoMove).0.contains("nobody has made one yet"));
    let drawn = "Drawn by agreement, which both have signed".to_owned();
    assert_eq!(at_start(None, Outcome::DrawAgreed), (String::new(), drawn, None));
    assert_eq!(at_start(Some(1), Outcome::Resigned).0, "");
}

#[test]
fn a_false_view_key_hides_no_true_one_and_is_told_where_there_is_none() {
    let played = Played::new(Mode::Channel);
    let key = |color: usize, of: usize| {
        let key = played.secrets[of].view_key().to_bytes();
        Record::of_chain(ChainEvent::ViewKeyPublished { player: played.address(color), key }, Some(2_000))
    };
    let told = |keys: &[Record]| {
        let records = [&played.won()[..played.won().len() - 2], keys].concat();
        let (audit, records) = audited(&records, &played.transcript);
        assert_eq!(audit.findings, []);
        (audit.false_keys, replay(played.game, &records).map(|replay| replay.ok()))
    };
    assert_eq!(told(&[key(0, 0), key(1, 1), key(0, 1)]), (Vec::new(), Ok(true)));
    let wrong = |color| Err(ReplayError::WrongViewKey(color));
    assert_eq!(told(&[key(0, 1), key(1, 1)]), (vec![Color::White], wrong(Color::White)));
    assert_eq!(told(&[key(0, 1)]), (vec![Color::White], wrong(Color::White)));
    assert_eq!(told(&[key(0, 0), key(1, 0)]), (vec![Color::Black], wrong(Color::Black)));
    assert_eq!(told(&[key(0, 1), key(1, 0)]), (Color::ALL.to_vec(), wrong(Color::White)));
}

/// Whoever hasn't published it has made an honest game, and nobody can replay it.
#[test]
fn a_view_key_that_opens_only_some_moves_makes_no_game_false() {
    let played = Played::opened_to(Mode::Channel, 2);
    let mut won = played.won();
    won[played.records.len()].sender = Some(played.address(0));
    let (audit, records) = audited(&won, &played.transcript);
    assert_eq!((audit.findings.len(), audit.false_keys.len(), audit.unknown_after(false)), (0, 0, None));
    let replayed = replay(played.game, &records);
    assert_eq!(replayed.as_ref().err(), Some(&ReplayError::WrongViewKey(Color::White)));
    assert_eq!(unknown(&audit, replayed.as_ref()), Some(Unknown::ViewKey(Color::White)));
}

#[test]
fn two_positions_of_one_ply_are_told() {
    let played = Played::new(Mode::Channel);
    // White has won: what it has signed counts.
    let records = played.won();
    let positions = played.positions();
    let mut second = positions[3];
    second.states[0] += Fr::ONE;
    let evidence = |color: usize, position: Position| Other { position, signature: played.sign(color, &position) };
    let found = |others: Vec<Other>| findings(&played, &records, |transcript| transcript.others = others);
    assert_eq!(found(vec![evidence(0, positions[3]), evidence(1, positions[2])]), "", "the line itself");
    assert_eq!(found(vec![evidence(0, second)]), "ply 2: white has signed two positions after it\n");
    // A signature under a later position binds its player to all before.
    let unsigned = |color: usize| {
        findings(&played, &records, |transcript| {
            transcript.plies[2].signatures[color] = None;
            transcript.others = vec![evidence(color, second)];
        })
    };
    assert_eq!(unsigned(0), "ply 2: white has signed two positions after it\n");
    assert_eq!(unsigned(1), "", "by another position of its own whoever has lost makes no game false");
    let far = Position { ply: 9, ..second };
    let further = Position { quiet_plies: 5, ..far };
    assert_eq!(found(vec![evidence(0, far)]), "");
    assert_eq!(found(vec![evidence(0, far), evidence(1, further)]), "");
    assert_eq!(found(vec![evidence(1, far), evidence(1, further)]), "");
    assert_eq!(found(vec![evidence(0, far), evidence(0, further)]), "ply 8: white has signed two positions after it\n");
    let forged = Other { position: second, signature: Signature([3; 64]) };
    assert!(found(vec![forged]).contains("number 0 of the transcript's other positions is signed by no player"));
    // Where the line itself isn't signed, nothing says which of the two is the game's.
    let open = findings(&played, &played.chain([]), |transcript| {
        transcript.plies.truncate(3);
        transcript.plies[2].signatures[0] = None;
        transcript.others = vec![evidence(0, second)];
    });
    assert_eq!(open, "ply 2: white has signed another position after it than the transcript leads to\n");
}

#[test]
fn what_is_written_is_read() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.transcript.clone();
    let position = played.positions()[5];
    transcript.others = vec![Other { position, signature: played.sign(0, &position) }];
    transcript.plies[1].proof = None;
    transcript.plies[2].signatures = [None; 2];
    for transcript in [transcript, played.first(0)] {
        let text = transcript.to_json().expect("JSON");
        assert_eq!(Transcript::from_json(text.as_bytes()), Ok(transcript));
    }
}

#[test]
fn what_is_mangled_is_refused_in_a_sentence() {
    let played = Played::new(Mode::Channel);
    let mut transcript = played.first(2);
    let position = played.positions()[5];
    transcript.others = vec![Other { position, signature: played.sign(0, &position) }];
    let text = transcript.to_json().expect("JSON");
    let too_large = format!("0x{}", "ff".repeat(32));
    let long = format!("\"proof\":\"0x{}", "00".repeat(20_000));
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let of = |list: &str, at: usize, name: &str| value[list][at][name].as_str().expect("a text").to_owned();
    let word = |name: &str| of("plies", 0, name);
    let answer_root = format!("\"answer_root\":\"{}", word("answer_root"));
    for (from, to, words) in [
        ("transcript 1", "transcript 2", "\"transcript 2\", which this program doesn't know"),
        ("transcript 1", "disclosure 2", "it reads a \"transcript 1\""),
        ("\"fogmate\"", "\"fogmat\"", "missing field `fogmate`"),
        ("31337", "-1", "invalid value"),
        ("\"contract\": \"0xf0", "\"contract\": \"0x", "it is no transcript"),
        ("\"game\": \"0x", "\"game\": \"0xg", "it is no transcript"),
        ("\"plies\": [", "\"plies\": {", "it is no transcript"),
        ("\"plies\"", "\"moves\"", "unknown field `moves`"),
        ("\"ply\":0", "\"ply\":1", "ply 0: the line there has the number of another ply"),
        ("\"ply\":0", "\"ply\":65536", "invalid value"),
        ("\"ply\":0", "\"ply\":0,\"ply\":0", "duplicate field `ply`"),
        (&word("commitment"), &too_large, "ply 0: its commitment is no field element"),
        (&word("request_root"), &too_large, "ply 0: its request's root is no field element"),
        (&answer_root, &format!("\"answer_root\":\"{too_large}"), "ply 0: its answer's root is no field element"),
        (&word("commitment"), "0x00", "it is no transcript"),
        ("\"capture\":null", "\"capture\":\"i9\"", "ply 0: what it captures on is no square"),
        ("\"capture\":null", "\"capture\":5", "invalid type"),
        ("\"king_fell\":false", "\"king_fell\":0", "invalid type"),
        ("\"king_fell\":false,", "", "missing field `king_fell`"),
        ("\"draw_offered\":false", "\"draw_offered\":null", "invalid type"),
        ("\"clock_s\":600", "\"clock_s\":4294967296", "invalid value"),
        ("\"clock_s\":600", "\"clock_s\":\"600\"", "invalid type"),
        ("\"white\":\"0x", "\"white\":\"0x00", "it is no transcript"),
        ("\"black\"", "\"blac\"", "unknown field `blac`"),
        ("\"proof\":\"0x", "\"proof\":\"0x0", "it is no transcript"),
        ("\"proof\":\"0x", &long, "ply 0: its proof is longer than any"),
        (&word("proof"), "0x", "ply 0: its proof is empty"),
        (
            "\"pending\":\"e8\"",
            "\"pending\":\"e0\"",
            "number 0 of the other positions: what was captured on is no square",
        ),
        ("\"previous_pending\":null", "\"previous_pending\":\"\"", "what was captured on before is no square"),
        ("\"states\":[\"", &format!("\"states\":[\"{too_large}\",\""), "it is no transcript"),
        ("\"clocks_s\":[", "\"clocks_s\":[1,", "it is no transcript"),
        ("\"signature\":\"0x", "\"signature\":\"", "it is no transcript"),
    ] {
        assert!(text.contains(from), "{from}");
        let refusal = Transcript::from_json(text.replacen(from, to, 1).as_bytes());
        let refusal = match (refusal, from) {
            // Hexadecimal numbers may leave their mark out.
            (Ok(read), "\"signature\":\"0x") => {
                assert_eq!(read, transcript);
                continue;
            }
            (refusal, _) => refusal.expect_err(to).to_string(),
        };
        assert!(refusal.contains(words) && !refusal.contains('\n'), "{to}: {refusal}");
    }
    for cut in [0, 1, text.len() / 2, text.len() - 3] {
        assert!(Transcript::from_json(&text.as_bytes()[..cut]).is_err(), "{cut}");
    }
    let many = Transcript { others: vec![transcript.others[0].clone(); 65], ..transcript.clone() };
    let refusal = Transcript::from_json(many.to_json().expect("JSON").as_bytes()).expect_err("too many").to_string();
    assert_eq!(refusal, "number 64 of the other positions: there are more than anybody needs");
    let long = vec![b' '; game::channel_transcript::MAX_BYTES + 1];
    assert!(Transcript::from_json(&long).expect_err("long").to_string().contains("longer than any transcript"));
}

#[test]
fn a_transcript_belongs_to_one_game_of_its_mode() {
    let played = Played::new(Mode::Channel);
    let hold =
        |records: &[Record], transcript: &Transcript| Whole::of(played.game, records.to_vec(), Some(transcript)).err();
    let other = GameRef { game_id: B256::ZERO, ..played.game };
    let foreign = Transcript { game: other, ..played.transcript.clone() };
    assert_eq!(hold(&played.won(), &foreign), Some(TranscriptError::OtherGame(other)));
    assert_eq!(hold(&played.records[..3], &played.transcript), Some(TranscriptError::NotBegun));
    let verified = Played::new(Mode::Verified);
    let refused = Whole::of(verified.game, verified.records.clone(), Some(&verified.transcript)).err();
    assert_eq!(refused, Some(TranscriptError::OnChain(Mode::Verified)));
}

fn posted(played: &Played, color: usize, transcript: &Transcript) -> impl Fn(Vec<ChainEvent>) -> Vec<Record> {
    let key = played.secrets[color].view_key().to_bytes();
    let published = ChainEvent::ViewKeyPublished { player: played.address(color), key };
    let (carried, sender) = (transcript.to_posted(), played.address(color));
    move |events| {
        let mut records = played_chain(played, events, published.clone());
        let post = records.last_mut().expect("the key");
        (post.carried, post.sender) = (Some(carried.clone()), Some(sender));
        records
    }
}

fn played_chain(played: &Played, events: Vec<ChainEvent>, last: ChainEvent) -> Vec<Record> {
    played.chain(events.into_iter().chain([last]))
}

fn won(played: &Played, outcome: Outcome) -> ChainEvent {
    ChainEvent::Ended { winner: Some(played.address(0)), outcome }
}

/// with both published keys anybody writes a legal game; only the audit sees that it isn't this one.
#[test]
fn what_replays_is_not_yet_the_game() {
    let played = Played::new(Mode::Channel);
    let mut invented = played.first(2);
    for (ply, mv) in ["a2a3", "h7h6"].iter().enumerate() {
        let color = Color::ALL[ply];
        let own = OwnState::start(color).after(played.secrets[ply].view_key(), None, &mv.parse().expect("UCI"));
        invented.plies[ply].fields.next_commitment = own.commitment;
        (invented.plies[ply].proof, invented.plies[ply].signatures) = (None, [None; 2]);
    }
    let whole = Whole::of(played.game, played.closed(5, Some(0), Outcome::Resigned), Some(&invented)).expect("a form");
    let replayed = replay(played.game, &whole.records);
    assert_eq!(replayed.as_ref().map(|replay| replay.uci()), Ok(vec!["a2a3".to_owned(), "h7h6".to_owned()]));
    let audit = whole.audit(verify);
    assert_eq!(unknown(&audit, replayed.as_ref()), Some(Unknown::Elsewhere(Color::Black)));
}

#[test]
fn a_win_that_is_taken_is_no_word_for_the_loser_s_other_move() {
    let played = Played::new(Mode::Channel);
    let table = played.before(3);
    let play = table.playing().expect("it goes on");
    let view = played.secrets[1].view_key();
    let after = |own: OwnState, mv: &str| own.after(view, None, &mv.parse().expect("UCI"));
    let own = after(after(OwnState::start(Color::Black), "f7f6"), "h7h6");
    let Ply { fields, clock, .. } = played.transcript.plies[3].clone();
    let fields = MoveFields { next_commitment: own.commitment, ..fields };
    let proof = Some(proof_of(&Statement::Turn(play.turn_public(&played.game, &fields).expect("fog keys"))));
    let position = played.positions()[3].after(&played.game, &fields, clock);
    let mut other = played.first(3);
    other.plies.push(Ply { fields, clock, proof, signatures: [None, Some(played.sign(1, &position))] });
    let closed = ChainEvent::Closed { last: position.digest(&played.game) };
    let mut records = played.chain([closed, won(&played, Outcome::Resigned)]);
    records[played.records.len()].sender = Some(played.address(0));
    let (audit, _) = audited(&records, &other);
    assert_eq!(audit.findings, []);
    // White has signed another move of Black.
    assert_eq!(audit.unknown_after(true), Some(Unknown::Signatures(1)));
}

#[test]
fn a_line_that_the_loser_has_named_and_posted_is_no_finding() {
    let played = Played::new(Mode::Channel);
    // A capture on White's first move, and on a square where nothing stood.
    for (plies, ply, square) in [(1, 0, 28), (3, 2, 39)] {
        let mut invented = played.first(plies);
        invented.plies[ply].fields.capture = Square::new(square);
        let closed = ChainEvent::Closed { last: invented.last(BASE) };
        let keys = |color: usize| ChainEvent::ViewKeyPublished {
            player: played.address(color),
            key: played.secrets[color].view_key().to_bytes(),
        };
        let mut records = played.chain([closed, won(&played, Outcome::Resigned), keys(0), keys(1)]);
        let post = records.last_mut().expect("the loser's key");
        (post.carried, post.sender) = (Some(invented.to_posted()), Some(played.address(1)));
        let whole = Whole::of(played.game, records, None).expect("records");
        let (audit, replayed) = (whole.audit(verify), replay(played.game, &whole.records));
        assert_eq!(audit.findings, []);
        assert!(replayed.is_ok_and(|replay| replay.ok()) || audit.unknown_after(false).is_some());
    }
}

#[test]
fn a_king_that_falls_in_the_loser_s_words_only_makes_no_game_false() {
    let played = Played::new(Mode::Channel);
    for plies in [0, 2, 4] {
        let records = played.closed(plies, Some(0), Outcome::KingCaptured);
        let (audit, _) = audited(&records, &played.transcript);
        assert_eq!(audit.findings, [], "{plies}");
        assert!(audit.unknown_after(true).is_some(), "{plies}");
    }
    let start = Whole::of(played.game, played.closed(0, Some(0), Outcome::KingCaptured), None).expect("records");
    assert_eq!(start.audit(verify).findings, []);
}

#[test]
fn no_king_falls_in_a_position_that_was_woken() {
    let played = Played::new(Mode::Channel);
    let mut line = played.first(3);
    line.plies[2].fields.capture = Square::new(39);
    let position = line.positions(BASE)[3];
    let woken = ChainEvent::Woken { position: Box::new(position), until: 1_000 + WINDOW };
    for last in [B256::ZERO, position.digest(&played.game)] {
        let of = posted(&played, 1, &line);
        let records = of(vec![woken.clone(), ChainEvent::Closed { last }, won(&played, Outcome::KingCaptured)]);
        let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
        assert_eq!((audit.findings, audit.plies), (Vec::new(), 3));
    }
}

#[test]
fn an_older_result_cuts_nothing_off_before_the_wake() {
    let played = Played::new(Mode::Channel);
    let last = played.positions()[1].digest(&played.game);
    let of = posted(&played, 0, &played.transcript);
    let records = of(vec![played.woken(3), ChainEvent::Closed { last }, won(&played, Outcome::Resigned)]);
    let audit = Whole::of(played.game, records, None).expect("records").audit(verify);
    assert_eq!((audit.findings, audit.plies, audit.unknown), (Vec::new(), 3, Some(Unknown::Proofs(3))));
}

#[test]
fn whoever_wakes_an_old_position_and_resigns_hides_no_later_ply() {
    let played = Played::new(Mode::Channel);
    let last = played.positions()[1].digest(&played.game);
    let records = played.chain([played.woken(1), ChainEvent::Closed { last }, won(&played, Outcome::Resigned)]);
    let (audit, _) = audited(&records, &played.transcript);
    assert_eq!(audit.unknown, Some(Unknown::Beyond { ply: 1, loser: Color::Black }));
}

#[test]
fn a_key_of_a_game_that_goes_on_makes_it_not_false() {
    let played = Played::new(Mode::Channel);
    let (_, records) = audited(&played.chain([]), &played.first(3));
    for color in 0..2 {
        let key = KeyFile::new(played.game, played.address(color), played.secrets[color].view_key());
        assert_eq!(key.record(played.game, &records).err(), Some(KeyFileError::NotOver));
    }
}

/// Which piece was captured no digest says, and the loser says that it was the king.
#[test]
fn a_capture_that_the_loser_calls_a_king_s_makes_no_posted_game_false() {
    let mut played = Played::new(Mode::Channel);
    let (mut table, mut own) = (played.table(), Color::ALL.map(OwnState::start));
    played.transcript.plies.clear();
    for (mv, capture) in [("e2e4", None), ("d7d5", None), ("e4d5", Some("d5"))] {
        let play = table.playing().expect("it goes on");
        let (ply, mover) = (play.ply, play.turn().index());
        let next = own[mover].after(played.secrets[mover].view_key(), play.pending, &mv.parse().expect("UCI"));
        let fields = MoveFields {
            ply,
            next_commitment: next.commitment,
            next_request_root: Fr::from(200 + u64::from(ply)),
            answer_root: Fr::from(u64::from(ply)),
            capture: capture.map(|square: &str| square.parse().expect("a square")),
            king_fell: false,
            offer_draw: false,
        };
        let player = played.address(mover);
        table.apply(&ChainEvent::Moved { player, fields, basis: None, proof: None }).expect("a move");
        own[mover] = next;
        played.transcript.plies.push(Ply { fields, clock: BASE, proof: None, signatures: [None; 2] });
    }
    let mut records = played.closed(3, Some(0), Outcome::KingCaptured);
    let white = records.len() - 2;
    (records[white].carried, records[white].sender) = (Some(played.transcript.to_posted()), Some(played.address(0)));
    let whole = Whole::of(played.game, records, None).expect("records");
    let (audit, replayed) = (whole.audit(verify), replay(played.game, &whole.records));
    assert_eq!((&audit.findings, audit.plies), (&Vec::new(), 3));
    assert_eq!(replayed.as_ref().map(|replay| replay.findings.clone()), Ok(Vec::new()));
    assert_eq!(unknown(&audit, replayed.as_ref()), Some(Unknown::Reason(Color::Black)));
}
