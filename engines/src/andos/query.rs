//! The receiver's part of all engines of this folder, without messages: which question comes next, what its answer says, and the sight
//! at the end.

use super::{
    announcement::{announced, announcements},
    knowledge::Knowledge,
    packet::{Form, Source},
    plan::{Kind, Plan},
    public_key::PublicKey,
    random::StreamKey,
};
use fog::engine::{Branch, Fault, Word, digest};
use rules::{Side, Sight, Square};
use std::sync::Arc;

/// What doesn't change during an exchange.
pub struct Setting {
    pub plan: Plan,
    /// The own board, its captured piece removed.
    pub board: Side,
    /// The own men by what is public: 16 less the captures on chain.
    pub men: u8,
    /// Own squares that hold a promoted pawn.
    pub promoted: u64,
    /// Whether the sight is that before a move.
    pub to_move: bool,
    pub key: PublicKey,
    pub branch: Branch,
    /// The exchange, its attempt included.
    pub id: Word,
}

/// The receiver between two messages.
#[derive(Clone)]
pub struct Query {
    pub setting: Arc<Setting>,
    /// All that was received, hashed.
    heard: Word,
    asked: usize,
    knowledge: Knowledge,
    /// The packet of the current phase.
    source: Option<Arc<Source>>,
    pending: Option<Pending>,
    /// The first message that gave what no honest sender gives.
    wrong: Option<usize>,
}

/// A question without its answer.
#[derive(Clone)]
struct Pending {
    kind: Kind,
    /// The square that was asked for; `None` if the answer doesn't matter.
    square: Option<Square>,
    /// The bits flipped in the answer.
    mask: u8,
}

/// A question, and what only its asker knows of it.
pub struct Question {
    pub packet: Vec<u8>,
    /// The place asked for, and what is announced, if anything.
    pub choice: Vec<u8>,
    /// What the packet was made with.
    pub randomness: StreamKey,
}

impl Query {
    pub fn new(setting: Setting) -> Self {
        Self {
            setting: Arc::new(setting),
            heard: [0; 32],
            asked: 0,
            knowledge: Knowledge::new(),
            source: None,
            pending: None,
            wrong: None,
        }
    }

    /// Questions asked so far.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Notes a message: what is drawn after it depends on it.
    pub fn hear(&mut self, message: &[u8]) {
        self.heard = digest([&self.heard[..], message]);
    }

    /// Randomness for a purpose, fresh after each message.
    pub fn randomness(&self, purpose: &str) -> StreamKey {
        let setting = &self.setting;
        StreamKey::derive(&setting.branch, [purpose.as_bytes(), &setting.id, &self.heard])
    }

    /// Takes a phase's packet, from message `index`.
    pub fn open(&mut self, packet: &[u8], index: usize) -> Result<(), Fault> {
        let source = Source::new(&self.setting.key, Form::PACKET, packet);
        let source = source.ok_or_else(|| Fault::malformed(index, "an element is not below the modulus"))?;
        self.source = Some(Arc::new(source));
        Ok(())
    }

    pub fn ask(&mut self) -> Result<Question, Fault> {
        let Setting { plan, board, promoted, .. } = &*self.setting;
        let located = plan.locate(self.asked);
        let (phase, number) = located.ok_or_else(|| Fault::internal("a question after the last"))?;
        let kind = plan.phases[phase].0;
        let (mut man, mut announcement) = (None, None);
        if plan.announces(kind) {
            let (code, asking) = announced(&announcements(board, *promoted), number);
            (man, announcement) = (asking, Some(code));
        }
        let is_dummy = announcement.is_some() && man.is_none();
        let square = if is_dummy { None } else { self.knowledge.next(kind, board, man) };
        // No opponent stands where an own man does.
        let own = board.men().next().map(|(square, _)| square);
        let asked = square.or(own).ok_or_else(|| Fault::internal("a side without men sees nothing"))?;
        let source = self.source.clone().ok_or_else(|| Fault::internal("a question before the packet"))?;
        let randomness = self.randomness("question");
        let (packet, blinding) = source.rerandomise(&self.setting.key, &randomness);
        let place = blinding.place(asked.index());
        self.pending = Some(Pending { kind, square, mask: blinding.masks[place] });
        self.asked += 1;
        let choice = [place as u8].into_iter().chain(announcement).collect();
        Ok(Question { packet, choice, randomness })
    }

    /// Takes an answer, from message `index`. What no honest sender gives is refused at the end only: an earlier refusal would tell
    /// which square was asked for.
    pub fn learn(&mut self, answer: u8, index: usize) -> Result<(), Fault> {
        fog::ensure!(answer <= 0xf, Fault::malformed(index, "an answer has four bits"));
        let pending = self.pending.take().ok_or_else(|| Fault::internal("an answer before its question"))?;
        let code = answer ^ pending.mask;
        let is_right = match pending.square {
            Some(square) => self.knowledge.learn(pending.kind, square, code),
            None => true,
        };
        self.wrong = self.wrong.or((!is_right).then_some(index));
        Ok(())
    }

    /// The square that the last question asks for, in words.
    pub fn meaning(&self) -> String {
        let square = |pending: &Pending| pending.square.map_or("a dummy".to_owned(), |square| square.to_string());
        self.pending.as_ref().map(square).unwrap_or_default()
    }

    /// Whether all questions are answered.
    pub fn is_over(&self) -> bool {
        self.pending.is_none() && self.asked == self.setting.plan.questions()
    }

    pub fn sight(&self) -> Result<Sight, Fault> {
        let Setting { plan, board, men, to_move, .. } = &*self.setting;
        if let Some(index) = self.wrong {
            return Err(Fault::malformed(index, "an answer is no code of its phase"));
        }
        let mut asked = plan.phases.iter().map(|(kind, _)| *kind);
        if asked.any(|kind| self.knowledge.next(kind, board, None).is_some()) {
            fog::ensure!(
                board.men().count() <= usize::from(*men),
                Fault::malformed(2 * self.asked, "the opponent has told of captures where no man stood")
            );
            return Err(Fault::internal("the own side needs more questions than its public number of men allows"));
        }
        Ok(self.knowledge.sight(board, *to_move))
    }
}
