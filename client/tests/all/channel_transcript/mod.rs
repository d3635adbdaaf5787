//! Transcripts of games between the machines: what is written is read again, what is mangled is refused in a sentence, and what is held against the chain
//! shows every lie. The positions are signed by wallets; a proof stands for its statement, as in the simulator.

mod closed;
mod file;
mod keys;
mod result;
mod woken;

use alloy::primitives::{Address, B256, keccak256};
use alloy::signers::SignerSync as _;
use client::wallet::Wallet;
use ff::Field as _;
use fog::curve::FogSecret;
use game::audit::{Audit, Record, Unknown};
use game::channel_transcript::{Other, Ply, Signature, Transcript, TranscriptError, Whole};
use game::replay::{KeyFile, KeyFileError, ReplayError, replay};
use game::report::{Said, unknown};
use game::secrets::GameSecrets;
use game::statement::Statement;
use game::toss::{creator_is_white, toss_commitment};
use game::{
    ChainEvent, Demanded, GameRef, GameResult, Mode, MoveFields, Opening, Outcome, OwnState, Phase, Position, Table,
    Terms, move_name,
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
        Signature::new(self.wallets[color].signer().sign_hash_sync(&digest).expect("a signature").as_erc2098())
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
    let of_end = |unknown: &Unknown| {
        matches!(unknown, Unknown::Elsewhere(_) | Unknown::Beyond { .. } | Unknown::Reason(_) | Unknown::Short(_))
    };
    let unknown = audit.unknown.filter(of_end).map(|unknown| format!("unknown: {unknown}\n"));
    audit.findings.iter().map(|finding| format!("{finding}\n")).chain(unknown).collect()
}

/// The game with these events, and with a player's key and a transcript that it posts with that.
fn posted(played: &Played, color: usize, transcript: &Transcript) -> impl Fn(Vec<ChainEvent>) -> Vec<Record> {
    let key = played.secrets[color].view_key().to_bytes();
    let published = ChainEvent::ViewKeyPublished { player: played.address(color), key };
    let (carried, sender) = (transcript.to_posted(), played.address(color));
    move |events| {
        let mut records = played.chain(events.into_iter().chain([published.clone()]));
        let post = records.last_mut().expect("the key");
        (post.carried, post.sender) = (Some(carried.clone()), Some(sender));
        records
    }
}

/// The end of a game that White has won.
fn won(played: &Played, outcome: Outcome) -> ChainEvent {
    ChainEvent::Ended { winner: Some(played.address(0)), outcome }
}
