//! A model of the game contract for tests: it enforces the same rules as `contracts/src/Fogmate.sol`, with its own state
//! and its own order of checks. Where the contract verifies a SNARK, the model asks the [`Oracle`], which stands on the
//! statements' **native checks**: no proof system is involved in these tests, and none is claimed.

use alloy::primitives::{Address, B256};
use ff::Field;
use fog::curve::FogKey;
use fog::engine::Phase;
use fog::engine::sight_lines::context::{SightContext, square_field};
use fog::engine::{Cause, Proofs};
use fog::statement::{answer, turn};
use fog::word::{keccak256, to_word};
use game::toss::{creator_is_white, toss_commitment};
use game::{ChainEvent, GameRef, MoveFields, Outcome, Transaction};
use halo2curves::bn256::Fr;
use rules::{Color, Move, Square};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// Stands for prover and verifier: a "proof" is a ticket for an instance whose witness has passed the native check.
/// Copies share their tickets, so that what one course of a game has checked isn't checked again in the next.
#[derive(Clone, Debug, Default)]
pub struct Oracle(Arc<Mutex<Ledger>>);

#[derive(Debug, Default)]
struct Ledger {
    issued: HashSet<Vec<u8>>,
    /// The move behind each commitment that was proven.
    moves: BTreeMap<[u8; 32], Move>,
    /// A broken verifier: it takes any proof of an answer.
    is_broken: bool,
}

impl Oracle {
    pub fn verify_turn(&self, instance: &[Fr], proof: &[u8]) -> bool {
        ticket("turn", instance) == proof && self.ledger().issued.contains(proof)
    }

    /// The move that led to a commitment.
    pub fn move_to(&self, commitment: &Fr) -> Move {
        self.ledger().moves[&to_word(commitment)]
    }

    /// Breaks the verifier of answers, or mends it.
    pub fn set_broken(&self, is_broken: bool) {
        self.ledger().is_broken = is_broken;
    }

    fn issue(&self, name: &str, instance: &[Fr], check: impl FnOnce() -> Result<(), Cause>) -> Result<Vec<u8>, Cause> {
        let ticket = ticket(name, instance);
        if !self.ledger().issued.contains(&ticket) {
            check()?;
            self.ledger().issued.insert(ticket.clone());
        }
        Ok(ticket)
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().expect("no test panics while it holds this")
    }
}

impl Proofs for Oracle {
    fn answer_proof_bytes(&self) -> usize {
        ticket("answer", &[]).len()
    }

    fn prove_turn(&self, public: &turn::TurnPublic, private: &turn::TurnPrivate) -> Result<Vec<u8>, Cause> {
        let commitment = to_word(&public.next_commitment);
        self.ledger().moves.insert(commitment, private.mv);
        self.issue("turn", &public.to_instance(), || Ok(turn::check(public, private).map(|_| ())?))
    }

    fn prove_answer(&self, public: &answer::AnswerPublic, private: &answer::AnswerPrivate) -> Result<Vec<u8>, Cause> {
        self.issue("answer", &public.to_instance(), || Ok(answer::check(public, private)?))
    }

    fn verify_answer(&self, public: &answer::AnswerPublic, proof: &[u8]) -> Result<(), Cause> {
        let is_issued = ticket("answer", &public.to_instance()) == proof && self.ledger().issued.contains(proof);
        let is_taken = is_issued || self.ledger().is_broken;
        is_taken.then_some(()).ok_or("not issued".into())
    }
}

fn ticket(name: &str, instance: &[Fr]) -> Vec<u8> {
    let words: Vec<u8> = instance.iter().flat_map(to_word).collect();
    [b"native check, not a proof: ", name.as_bytes(), &keccak256(&words)].concat()
}

#[derive(Clone, Debug, PartialEq)]
enum Status {
    Open,
    Toss,
    Playing,
    Over,
}

#[derive(Clone, Debug, Default)]
struct Player {
    account: Address,
    key: Option<FogKey>,
    commitment: Fr,
    request_root: Fr,
}

/// The contract's storage for one game.
#[derive(Clone, Debug)]
pub struct ModelChain {
    pub game: GameRef,
    status: Status,
    /// By seat, the creator first, then by color once that is drawn.
    players: [Player; 2],
    toss: B256,
    r2: B256,
    ply: u16,
    pending: Option<Square>,
    answer_root: Fr,
    draw_offered: bool,
    pub now: u64,
    pub since: u64,
    pub time_per_ply: u64,
    pub log: Vec<Logged>,
}

/// An event in the log, with the calldata that an auditor reads.
#[derive(Clone, Debug)]
pub struct Logged {
    pub event: ChainEvent,
    pub proof: Option<Vec<u8>>,
}

impl ModelChain {
    pub fn create(game: GameRef, creator: Address, toss: B256, key: FogKey, time_per_ply: u64) -> Self {
        let mut chain = Self {
            game,
            status: Status::Open,
            players: [Player { account: creator, key: Some(key), ..Player::default() }, Player::default()],
            toss,
            r2: B256::ZERO,
            ply: 0,
            pending: None,
            answer_root: Fr::ZERO,
            draw_offered: false,
            now: 1_700_000_000,
            since: 1_700_000_000,
            time_per_ply,
            log: Vec::new(),
        };
        chain.emit(ChainEvent::Created { creator, toss, fog_key: key }, None);
        chain
    }

    pub fn join(&mut self, joiner: Address, r2: B256, key: FogKey) {
        assert_eq!(self.status, Status::Open);
        self.players[1] = Player { account: joiner, key: Some(key), ..Player::default() };
        self.r2 = r2;
        self.status = Status::Toss;
        self.emit(ChainEvent::Joined { joiner, r2, fog_key: key }, None);
    }

    pub fn deadline(&self) -> Option<u64> {
        matches!(self.status, Status::Toss | Status::Playing).then(|| self.since + self.time_per_ply)
    }

    /// A transaction, mined: a refusal is the name of the contract's error.
    pub fn execute(&mut self, oracle: &Oracle, sender: Address, tx: &Transaction) -> Result<(), &'static str> {
        match tx {
            Transaction::Reveal { r1 } => self.reveal(sender, r1),
            Transaction::Move { fields, ctx_next, proof } => self.play(oracle, sender, fields, *ctx_next, proof),
            Transaction::Resign => {
                let seat = self.seat_in_play(sender)?;
                self.end(Some(seat ^ 1), Outcome::Resigned);
                Ok(())
            }
            Transaction::AcceptDraw => {
                let seat = self.seat_in_play(sender)?;
                if seat != self.to_move() {
                    return Err("NotYourTurn");
                }
                if !self.draw_offered {
                    return Err("NoDrawOffer");
                }
                self.end(None, Outcome::DrawAgreed);
                Ok(())
            }
            Transaction::ClaimTimeout => {
                let deadline = self.deadline().ok_or("WrongStatus")?;
                if self.now <= deadline {
                    return Err("StillInTime");
                }
                match self.status {
                    Status::Toss => self.end(Some(1), Outcome::Unrevealed),
                    _ => self.end(Some(self.to_move() ^ 1), Outcome::TimedOut),
                }
                Ok(())
            }
            Transaction::PublishViewKey { key } => {
                if self.status != Status::Over {
                    return Err("WrongStatus");
                }
                let published = |logged: &Logged| matches!(logged.event, ChainEvent::ViewKeyPublished { player, .. } if player == sender);
                if self.log.iter().any(published) {
                    return Err("AlreadyPublished");
                }
                self.emit(ChainEvent::ViewKeyPublished { player: sender, key: *key }, None);
                Ok(())
            }
            Transaction::Withdraw => Ok(()),
        }
    }

    fn reveal(&mut self, sender: Address, r1: &B256) -> Result<(), &'static str> {
        if self.status != Status::Toss {
            return Err("WrongStatus");
        }
        if sender != self.players[0].account {
            return Err("NotCreator");
        }
        if toss_commitment(r1, &sender) != self.toss {
            return Err("WrongReveal");
        }
        if !creator_is_white(r1, &self.r2) {
            self.players.swap(0, 1);
        }
        for color in Color::ALL {
            self.players[color.index()].commitment = fog::commitment::initial(color);
        }
        self.status = Status::Playing;
        self.since = self.now;
        self.emit(ChainEvent::Started { white: self.players[0].account, r1: *r1 }, None);
        Ok(())
    }

    fn play(
        &mut self,
        oracle: &Oracle,
        sender: Address,
        fields: &MoveFields,
        ctx_next: Fr,
        proof: &[u8],
    ) -> Result<(), &'static str> {
        if self.status != Status::Playing {
            return Err("WrongStatus");
        }
        if fields.ply != self.ply {
            return Err("StalePly");
        }
        let (mover, other) = (self.to_move(), self.to_move() ^ 1);
        if sender != self.players[mover].account {
            return Err("NotYourTurn");
        }
        if self.deadline().is_some_and(|deadline| self.now > deadline) {
            return Err("OutOfTime");
        }
        let expected = if self.ply == 0 {
            if fields.answer_root != Fr::ZERO {
                return Err("AnswerTooEarly");
            }
            Fr::ZERO
        } else {
            self.context(self.ply + 1, mover, other, fields.next_commitment, fields.capture)
        };
        if ctx_next != expected {
            return Err("WrongContext");
        }
        if !oracle.verify_turn(&self.turn_inputs(fields), proof) {
            return Err("InvalidProof");
        }
        self.players[mover].commitment = fields.next_commitment;
        self.players[mover].request_root = fields.next_request_root;
        self.answer_root = fields.answer_root;
        self.pending = fields.capture;
        self.draw_offered = fields.offer_draw;
        self.ply += 1;
        self.since = self.now;
        let event = ChainEvent::Moved { player: sender, fields: *fields, ctx_next: Some(ctx_next) };
        self.emit(event, Some(proof.to_vec()));
        if fields.king_fell {
            self.end(Some(mover), Outcome::KingCaptured);
        }
        Ok(())
    }

    /// The 13 public inputs, in the protocol's order.
    fn turn_inputs(&self, fields: &MoveFields) -> [Fr; 13] {
        let (mover, other) = (self.to_move(), self.to_move() ^ 1);
        let opening = self.ply < 2;
        let relied_on = |value| if opening { Fr::ZERO } else { value };
        let ctx = self.context(self.ply, other, mover, self.players[other].commitment, self.pending);
        let (x, y) = self.players[other].key.expect("both are there").xy();
        [
            self.players[mover].commitment,
            square_field(self.pending),
            fields.next_commitment,
            relied_on(self.players[mover].request_root),
            relied_on(self.answer_root),
            relied_on(ctx),
            x,
            y,
            fields.next_request_root,
            Fr::from(u64::from(self.ply % 2)),
            Fr::from(opening),
            square_field(fields.capture),
            Fr::from(fields.king_fell),
        ]
    }

    /// The context of a sight before a move.
    fn context(&self, ply: u16, sender: usize, receiver: usize, sender_commitment: Fr, pending: Option<Square>) -> Fr {
        let context = SightContext {
            chain_id: self.game.chain_id,
            contract: self.game.contract.into(),
            game_id: self.game.game_id.into(),
            ply: ply.into(),
            phase: Phase::Pre,
            sender_commitment,
            pending_sender: None,
            receiver_commitment: self.players[receiver].commitment,
            pending_receiver: pending,
            fog_key: self.players[sender].key.expect("both are there"),
            request_root: self.players[receiver].request_root,
        };
        context.ctx()
    }

    fn to_move(&self) -> usize {
        usize::from(self.ply % 2)
    }

    fn seat_in_play(&self, sender: Address) -> Result<usize, &'static str> {
        if self.status != Status::Playing {
            return Err("WrongStatus");
        }
        self.players.iter().position(|player| player.account == sender).ok_or("NotPlayer")
    }

    fn end(&mut self, winner: Option<usize>, outcome: Outcome) {
        self.status = Status::Over;
        self.emit(ChainEvent::Ended { winner: winner.map(|seat| self.players[seat].account), outcome }, None);
    }

    fn emit(&mut self, event: ChainEvent, proof: Option<Vec<u8>>) {
        self.log.push(Logged { event, proof });
    }
}
