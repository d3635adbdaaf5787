//! What one player holds for one game after the set-up.

use super::{
    ABOUT,
    captured::party::{Giver, Taker, earlier, state},
    cipher::Cipher,
    own::{Own, Proven},
    proofs::RingProofs,
    receiver::Receiver,
    sender::Sender,
};
use fog::engine::{BoxedParty, Branch, CommittedState, Exchange, Fault, Game, GameKeys, Word};
use rules::{Color, Sight};
use std::sync::Arc;

pub struct Keys {
    color: Color,
    branch: Branch,
    game: Game,
    cipher: Arc<Cipher>,
    /// What makes and checks the proofs of sights and captures, in games that have them.
    proofs: Option<Arc<dyn RingProofs>>,
}

fog::redacted!(Keys);

impl Keys {
    /// The keys of a game.
    pub fn new(
        color: Color,
        branch: Branch,
        game: Game,
        cipher: Arc<Cipher>,
        proofs: Option<Arc<dyn RingProofs>>,
    ) -> Self {
        Self { color, branch, game, cipher, proofs }
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
            proven: self.proofs.clone().map(|proofs| {
                let (exchange, state) = (exchange.clone(), state.clone());
                Proven { proofs, exchange, state }
            }),
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
        let sight = Receiver::new(self.own(exchange, own)?, promised);
        let Some((proofs, (before, square))) = self.proofs.clone().zip(earlier(exchange)) else {
            return Ok(Box::new(sight));
        };
        let earlier = Receiver::new(self.own(&before, &state(&before, own)?)?, None);
        Ok(Box::new(Taker { earlier, sight, square, proofs, taken: 0 }))
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        fog::ensure!(exchange.sender() == self.color, Fault::internal("the sight is the own one"));
        self.request_digest(request)?;
        let (sight, digest) = Sender::new(self.own(exchange, own)?)?;
        let Some((proofs, (before, square))) = self.proofs.clone().zip(earlier(exchange)) else {
            return Ok((Box::new(sight), digest));
        };
        let (earlier, _) = Sender::new(self.own(&before, &state(&before, own)?)?)?;
        Ok((Box::new(Giver { earlier, sight, square, proofs, taken: 0 }), digest))
    }
}
