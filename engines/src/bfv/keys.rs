//! What one player holds for one game after the set-up.

use super::{
    ABOUT,
    attack_step::{Attack, Attacker, Captured, Victim},
    cipher::Cipher,
    own::Own,
    receiver::Receiver,
    sender::Sender,
};
use fog::engine::{BoxedParty, Branch, CommittedState, Exchange, Fault, Game, GameKeys, Phase, Word};
use rules::{Color, Sight};
use std::sync::Arc;

pub struct Keys {
    color: Color,
    branch: Branch,
    game: Game,
    cipher: Arc<Cipher>,
}

fog::redacted!(Keys);

impl Keys {
    /// The keys of a game.
    pub fn new(color: Color, branch: Branch, game: Game, cipher: Arc<Cipher>) -> Self {
        Self { color, branch, game, cipher }
    }

    /// The attacker of the move after a *pre* sight of its own, in which `opening` was message 0. Message 0 of the step is the attacker's.
    pub fn attacker(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        opening: &[u8],
        attack: Option<Attack>,
    ) -> Result<BoxedParty<Option<Captured>>, Fault> {
        let is_own = exchange.receiver() == self.color && exchange.phase == Phase::Pre;
        fog::ensure!(is_own, Fault::internal("no sight before an own move"));
        Ok(Box::new(Attacker::new(self.own(exchange, own)?, opening, attack)?))
    }

    /// The victim of the move after a *pre* sight of the opponent's.
    pub fn victim(&self, exchange: &Exchange, own: &CommittedState) -> Result<BoxedParty<Option<Captured>>, Fault> {
        let is_theirs = exchange.sender() == self.color && exchange.phase == Phase::Pre;
        fog::ensure!(is_theirs, Fault::internal("no sight before the opponent's move"));
        Ok(Box::new(Victim::new(self.own(exchange, own)?)?))
    }

    fn own(&self, exchange: &Exchange, state: &CommittedState) -> Result<Own, Fault> {
        fog::ensure!(state.side.color == self.color, Fault::internal("the board is the opponent's"));
        Ok(Own {
            board: exchange.board(&state.side),
            phase: exchange.phase,
            id: exchange.id(&ABOUT, &self.game),
            bound: Exchange { attempt: 0, ..exchange.clone() }.id(&ABOUT, &self.game),
            branch: self.branch.clone(),
            cipher: self.cipher.clone(),
        })
    }
}

impl GameKeys for Keys {
    fn context(&self, exchange: &Exchange, _: &Word) -> Result<Word, Fault> {
        Ok(exchange.id(&ABOUT, &self.game))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        fog::ensure!(exchange.receiver() == self.color, Fault::internal("the sight is the opponent's"));
        Ok(Box::new(Receiver::new(self.own(exchange, own)?, promised)))
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        fog::ensure!(exchange.sender() == self.color, Fault::internal("the sight is the own one"));
        self.request_digest(request)?;
        let (sender, digest) = Sender::new(self.own(exchange, own)?)?;
        Ok((Box::new(sender), digest))
    }
}
