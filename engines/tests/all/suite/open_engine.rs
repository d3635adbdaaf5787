//! An engine that hides nothing, for tests alone: it needs a set-up by both players and an exchange of nine messages, which
//! sight-lines doesn't. The sender commits to its board, then shows it two ranks at a time as the receiver asks for them.

use fog::engine::Phase;
use fog::engine::{
    About, BoxedParty, Branch, Claims, CommittedState, Engine, Exchange, Fault, Game, GameKeys, MessageSize, Party,
    Seed, Step, Trust, Word, digest,
};
use rules::{Color, PieceType, Side, Sight};
use std::sync::Arc;

const ABOUT: About = About {
    name: "open",
    trust: Trust::SemiHonest,
    caveat: "shows the whole board",
    claims: Claims::NONE,
    max_message: 49,
};
/// Rounds of an exchange: the receiver asks for two ranks, the sender shows them.
const ROUNDS: usize = 4;

pub struct Open;

impl Engine for Open {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        if *game.registered(color) != self.register(seed) {
            return Err(Fault::internal("another seed was registered"));
        }
        if !game.has_committed(!color, &ABOUT) {
            return Err(Fault::Registration("it is no commitment to a seed".into()));
        }
        let branch = seed.branch(ABOUT.name);
        let mut nonce = [0; 32];
        nonce.copy_from_slice(&branch.prf(&game.game_id)[..32]);
        let game = game.clone();
        Ok(Box::new(Toss { color, branch, game, nonce, peer: None }))
    }
}

/// Both players make a nonce that neither could choose: White's commitment, Black's, White's nonce, Black's.
struct Toss {
    color: Color,
    branch: Branch,
    game: Game,
    nonce: Word,
    peer: Option<Word>,
}

impl Toss {
    fn commitment(nonce: &[u8]) -> Word {
        digest([&b"open/nonce"[..], nonce])
    }

    fn keys(&self, index: usize, theirs: &[u8]) -> Result<Arc<dyn GameKeys>, Fault> {
        if self.peer != Some(Self::commitment(theirs)) {
            let cause = "the nonce is not the one committed to".into();
            return Err(Fault::Malformed { index, cause });
        }
        let joint = std::array::from_fn(|i| self.nonce[i] ^ theirs[i]);
        Ok(Arc::new(OpenKeys { color: self.color, branch: self.branch.clone(), game: self.game.clone(), joint }))
    }
}

impl Party for Toss {
    type Output = Arc<dyn GameKeys>;

    fn shape(&self) -> Vec<MessageSize> {
        vec![MessageSize::of(32); 4]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Arc<dyn GameKeys>>, Fault> {
        let nonce = self.nonce.to_vec();
        match (received, self.color, self.peer) {
            (None, Color::White, _) => Ok(Step::send(Self::commitment(&nonce).to_vec())),
            (None, Color::Black, _) => Ok(Step::WAIT),
            (Some(theirs), color, None) => {
                self.peer = theirs.try_into().ok();
                Ok(Step::send(match color {
                    Color::White => nonce,
                    Color::Black => Self::commitment(&nonce).to_vec(),
                }))
            }
            (Some(theirs), Color::White, _) => Ok(Step::output(self.keys(3, theirs)?)),
            (Some(theirs), Color::Black, _) => Ok(Step::send(nonce).with_output(self.keys(2, theirs)?)),
        }
    }
}

struct OpenKeys {
    color: Color,
    branch: Branch,
    game: Game,
    joint: Word,
}

impl GameKeys for OpenKeys {
    fn context(&self, exchange: &Exchange, _: &Word) -> Result<Word, Fault> {
        Ok(exchange.id(&ABOUT, &self.game))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        if exchange.receiver() != self.color {
            return Err(Fault::internal("the sight is the opponent's"));
        }
        Ok(Box::new(Receiver {
            board: exchange.board(&own.side),
            phase: exchange.phase,
            bound: digest([&self.joint[..], &exchange.id(&ABOUT, &self.game)]),
            promised,
            commitment: None,
            seen: Vec::new(),
        }))
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        self.request_digest(request)?;
        let id = exchange.id(&ABOUT, &self.game);
        let bound = digest([&self.joint[..], &id]);
        let codes = codes(&exchange.board(&own.side));
        let mut blinding = [0; 32];
        blinding.copy_from_slice(&self.branch.prf(&id)[..32]);
        let commitment = commitment(&bound, &codes, &blinding);
        let sender = Sender { codes, blinding, commitment, asked: Vec::new() };
        Ok((Box::new(sender), commitment))
    }
}

fn commitment(bound: &Word, codes: &[u8], blinding: &[u8]) -> Word {
    digest([&b"open/board"[..], bound, codes, blinding])
}

/// 64 piece codes, then the file of a double push and 1, or 0.
fn codes(side: &Side) -> Vec<u8> {
    let pieces = side.pieces.iter();
    let pieces = pieces.map(|piece| piece.map_or(0, PieceType::code));
    pieces.chain([side.double_push.map_or(0, |file| file + 1)]).collect()
}

/// Commitment; then asked and shown in turn; with the last ranks the double push's file, and the blinding as the proof.
fn shape() -> Vec<MessageSize> {
    let mut shape = vec![MessageSize::of(32)];
    for round in 1..=ROUNDS {
        let last = round == ROUNDS;
        shape.push(MessageSize::of(2));
        shape.push(MessageSize { content: 16 + usize::from(last), proof: if last { 32 } else { 0 } });
    }
    shape
}

struct Sender {
    codes: Vec<u8>,
    blinding: Word,
    commitment: Word,
    /// Ranks, in the order in which they were asked for.
    asked: Vec<u8>,
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        let Some(ranks) = received else {
            return Ok(Step::send(self.commitment.to_vec()));
        };
        let is_new = |rank: &u8| *rank < 8 && !self.asked.contains(rank);
        if ranks.len() != 2 || !ranks.iter().all(is_new) || ranks[0] == ranks[1] {
            let index = 1 + self.asked.len();
            let cause = "it asks for no rank, or for one twice".into();
            return Err(Fault::Malformed { index, cause });
        }
        self.asked.extend(ranks);
        let rank = |rank: &u8| &self.codes[8 * usize::from(*rank)..][..8];
        let mut message: Vec<u8> = ranks.iter().flat_map(rank).copied().collect();
        if self.asked.len() < 2 * ROUNDS {
            return Ok(Step::send(message));
        }
        message.push(self.codes[64]);
        message.extend(self.blinding);
        Ok(Step::send(message).with_output(()))
    }
}

struct Receiver {
    /// The own board, its captured piece removed.
    board: Side,
    phase: Phase,
    /// What the sender's commitment is bound to.
    bound: Word,
    promised: Option<Word>,
    commitment: Option<Word>,
    /// The codes shown so far, in the order of ranks.
    seen: Vec<u8>,
}

impl Receiver {
    /// The sender's side, from all its codes.
    fn read(&self, codes: &[u8]) -> Side {
        let mut side = Side::empty(!self.board.color);
        for (piece, code) in side.pieces.iter_mut().zip(codes) {
            *piece = PieceType::from_code(*code);
        }
        side.double_push = codes[64].checked_sub(1);
        side
    }

    fn ask(&self) -> Step<Sight> {
        let rank = (self.seen.len() / 8) as u8;
        Step::send(vec![rank, rank + 1])
    }
}

impl Party for Receiver {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let Some(message) = received else {
            return Ok(Step::WAIT);
        };
        let Some(commitment_) = self.commitment else {
            let opening = message.try_into().ok();
            if self.promised.is_some() && opening != self.promised {
                return Err(Fault::Digest(0));
            }
            self.commitment = opening;
            return Ok(self.ask());
        };
        let index = 2 + self.seen.len() / 8;
        let (shown, blinding) = message.split_at(message.len().min(17));
        if shown.iter().take(16).any(|code| *code > 6) || shown.get(16).is_some_and(|c| *c > 8) {
            let cause = "it shows what is no piece".into();
            return Err(Fault::Malformed { index, cause });
        }
        let seen = [&self.seen, shown].concat();
        if seen.len() < 64 {
            self.seen = seen;
            return Ok(self.ask());
        }
        if commitment(&self.bound, &seen, blinding) != commitment_ {
            let cause = "the board is not the one committed to".into();
            return Err(Fault::Proof { index, cause });
        }
        let sight = Sight::between(&self.board, &self.read(&seen), self.phase == Phase::Pre);
        Ok(Step::output(sight))
    }
}
