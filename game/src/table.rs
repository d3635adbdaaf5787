//! What everybody knows about a game: the contract's state of it, rebuilt from its events alone (protocol, sections 1
//! and 8). The seat, the audit and the replay all read the game through this. It holds no secret, verifies no proof
//! and knows no position but the two starting ones.

use crate::play_state::PlayState;
use crate::secrets::ViewKey;
use crate::terms::{check_creator, check_joiner};
use crate::toss::{creator_is_white, toss_commitment, toss_word};
use crate::{
    ChainEvent, Ending, GameRef, GameResult, Hold, Mode, MoveFields, Opening, Outcome, OwnState, Phase, Position, Slot,
    TableError, Terms,
};
use alloy_primitives::{Address, B256, U256};
use ff::Field;
use fog::engine::Registration;
use fog::ensure;
use fog::word::to_word;
use halo2curves::bn256::Fr;
use rules::Color;

/// So many view keys of each player are remembered, the last ones: more crowd out only its own.
pub(crate) const MOST_VIEW_KEYS: usize = 16;

/// For how many plies a failed claim of fifty moves bars the next, as the contract has it.
const BARRED_PLIES: u16 = 20;

/// Where a game stands: the names of the contract's enum `Status`.
#[derive(Clone, Debug, Default, PartialEq)]
enum Status {
    #[default]
    None,
    Open,
    CreatorReveals,
    JoinerReveals,
    Playing,
    Over(Ending),
}

/// The public state of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    game: GameRef,
    status: Status,
    opening: Option<Opening>,
    joiner: Option<(Address, B256, Registration)>,
    /// The creator's share of the coin toss, once revealed.
    share: Option<B256>,
    play: Option<PlayState>,
    king_fell: bool,
    /// The ply and the digest of the position at which a game between the machines was woken, the latest.
    woken: Option<(u16, B256)>,
    /// The ply at which it was woken, where those before it are not known.
    unknown_before: u16,
    /// The digest of the last position, by the result that the players of such a game have signed.
    last: Option<B256>,
    /// By `ctx`: the demanded sights that were given.
    answered: Vec<Fr>,
    /// Where the bonds were that went back.
    reclaimed: Vec<Slot>,
    view_keys: Vec<(Address, [u8; 32])>,
}

impl Table {
    /// Before the first event.
    pub fn new(game: GameRef) -> Self {
        Self { game, ..Self::default() }
    }

    /// Which game it is.
    pub fn game(&self) -> &GameRef {
        &self.game
    }

    /// Who offered the game.
    pub fn creator(&self) -> Option<Address> {
        self.opening.map(|opening| opening.creator)
    }

    /// The account that has joined; none as long as the game is open.
    pub fn joiner(&self) -> Option<Address> {
        self.joiner.map(|(address, ..)| address)
    }

    /// The terms of the game; none before it is created.
    pub fn terms(&self) -> Option<Terms> {
        self.opening.map(|opening| opening.terms)
    }

    /// Who is to reveal its share of the coin toss, and the joiner's commitment.
    pub fn to_reveal(&self) -> Option<(Address, B256)> {
        let (joiner, commitment, _) = self.joiner?;
        match self.status {
            Status::CreatorReveals => Some((self.creator()?, commitment)),
            Status::JoinerReveals => Some((joiner, commitment)),
            _ => None,
        }
    }

    /// The game in play, or as it stood when it ended; none before it has begun.
    pub fn begun(&self) -> Option<&PlayState> {
        self.play.as_ref()
    }

    /// The game in play; nothing once it is over.
    pub fn playing(&self) -> Option<&PlayState> {
        self.play.as_ref().filter(|_| self.status == Status::Playing)
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        match self.status {
            Status::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// Whether it is a game between the machines that the chain hears nothing of as it stands.
    pub fn is_asleep(&self) -> bool {
        self.is_channel() && self.play.is_some() && self.woken.is_none()
    }

    /// The latest ply at which it was woken.
    pub(crate) fn woken(&self) -> Option<u16> {
        self.woken.map(|(ply, _)| ply)
    }

    /// The ply that a game was woken at, if its result was signed of another position than is told: no ply after it was, or none that `has_fallen` a king,
    /// or too few for fifty moves.
    pub(crate) fn closed_elsewhere(&self, has_fallen: bool) -> Option<u16> {
        let ((ply, woken), last, play) = (self.woken?, self.last?, self.begun()?);
        let is_belied = self.ending().is_some_and(|ending| match ending.outcome {
            Outcome::KingCaptured => !has_fallen,
            Outcome::FiftyMoves => !play.is_quiet(),
            _ => false,
        });
        (last != woken && (play.ply == ply || is_belied)).then_some(ply)
    }

    /// Whether the players have signed a result.
    pub(crate) fn is_signed(&self) -> bool {
        self.last.is_some()
    }

    /// The first ply that is known. Of a game between the machines that is the one that it was woken at, unless the plies before it were told, too;
    /// none if it wasn't woken and no ply was told, nor can be seen from its end that there was none.
    pub fn first_known_ply(&self) -> Option<u16> {
        let is_unmoved = self.play.as_ref().is_none_or(|play| play.ply == 0);
        let is_untold = self.is_asleep() && is_unmoved && self.last != Some(self.digest(&Position::start(0)));
        (!is_untold).then_some(self.unknown_before)
    }

    /// The digest of a position that the chain tells: of the start only the ply says anything.
    fn digest(&self, position: &Position) -> B256 {
        let start = || Position::start(self.terms().map_or(0, |terms| terms.base));
        if position.ply == 0 { start().digest(&self.game) } else { position.digest(&self.game) }
    }

    /// Whether it is played between the players' machines until it is woken.
    pub fn is_channel(&self) -> bool {
        self.terms().is_some_and(|terms| terms.mode == Mode::Channel)
    }

    /// The view key that a player has published, last if it has corrected one.
    pub fn view_key(&self, player: Address) -> Option<[u8; 32]> {
        let found = self.view_keys.iter().rfind(|(owner, _)| *owner == player);
        found.map(|(_, key)| *key)
    }

    /// Of the view keys that a player has published the last that opens its first move, by the commitment to it; where none does, the last.
    pub fn view_key_of(&self, color: Color, first: Option<Fr>) -> Option<[u8; 32]> {
        let player = self.begun()?.players[color.index()];
        let mut of_player = self.view_keys.iter().filter(|(owner, _)| *owner == player).map(|(_, key)| *key);
        let fits = |key: &[u8; 32]| OwnState::is_opened(color, &ViewKey::from_bytes(*key), first);
        of_player.rfind(fits).or_else(|| self.view_key(player))
    }

    /// Whether the event tells nothing new, as after a restart of the chain reader.
    pub fn knows(&self, event: &ChainEvent) -> bool {
        match event {
            ChainEvent::Created(_) => self.status != Status::None,
            ChainEvent::Joined { .. } => self.joiner.is_some(),
            ChainEvent::TossRevealed { .. } => self.share.is_some(),
            ChainEvent::Started { .. } => self.play.is_some(),
            ChainEvent::Moved { fields, .. } => self.play.as_ref().is_some_and(|play| fields.ply < play.ply),
            ChainEvent::Woken { position, .. } => self.woken().is_some_and(|ply| position.ply <= ply),
            ChainEvent::Closed { .. } => self.last.is_some(),
            ChainEvent::SightDemanded { demanded, .. } => {
                self.answered.contains(&demanded.ctx) || {
                    self.play.as_ref().is_some_and(|play| play.demand_for(demanded.ctx).is_some())
                }
            }
            ChainEvent::SightAnswered { ctx, .. } => self.answered.contains(ctx),
            ChainEvent::AnswerFilled { ply, answer_root } => self
                .play
                .as_ref()
                .is_some_and(|play| *ply < play.ply || play.ply == *ply && play.answer_root == *answer_root),
            // A failed claim bars the next for some plies, so there is one at most a ply.
            ChainEvent::FiftyClaimed { ply, .. } => self.play.as_ref().is_some_and(|play| {
                *ply < play.ply || matches!(play.hold, Some(Hold::FiftyMoves { .. })) || play.bars_claims()
            }),
            ChainEvent::FiftyFailed { ply, .. } => {
                self.play.as_ref().is_some_and(|play| *ply < play.ply || play.bars_claims())
            }
            ChainEvent::Ended { .. } => matches!(self.status, Status::Over(_)) && !self.king_fell,
            ChainEvent::BondReclaimed { slot, .. } => self.reclaimed.contains(slot),
            ChainEvent::ViewKeyPublished { player, key } => self.view_key(*player) == Some(*key),
        }
    }

    /// Takes the next event of the chain; on an error nothing has changed.
    pub fn apply(&mut self, event: &ChainEvent) -> Result<(), TableError> {
        let has_proofs = self.terms().is_none_or(|terms| terms.mode.has_proofs());
        ensure!(has_proofs || !event.needs_proofs(), TableError::Unproven(event.name()));
        ensure!(!self.is_barred(event), TableError::OnHold(event.name()));
        match (event, &self.status) {
            (ChainEvent::Created(opening), Status::None) => {
                let id = opening.game_id(self.game.chain_id, self.game.contract);
                ensure!(id == self.game.game_id, TableError::WrongId);
                check_creator(opening.terms.mode, &opening.registration)?;
                self.opening = Some(*opening);
                self.status = Status::Open;
            }
            (ChainEvent::Joined { joiner, toss, registration }, Status::Open) => {
                let missing = TableError::OutOfOrder { event: event.name(), when: self.status.name() };
                let opening = self.opening.ok_or(missing)?;
                let is_invited = opening.terms.opponent.is_none_or(|invited| invited == *joiner);
                ensure!(is_invited && *joiner != opening.creator, TableError::Uninvited(*joiner));
                check_joiner(&opening, registration)?;
                self.joiner = Some((*joiner, *toss, *registration));
                self.status = Status::CreatorReveals;
            }
            (ChainEvent::TossRevealed { share }, Status::CreatorReveals) => {
                let opening = self.opening.ok_or(TableError::WrongToss)?;
                let committed = toss_commitment(&opening.creator.into(), share);
                ensure!(opening.toss == committed, TableError::WrongToss);
                self.share = Some(*share);
                self.status = Status::JoinerReveals;
            }
            (ChainEvent::Started { white, share }, Status::JoinerReveals) => self.start(*white, share)?,
            (ChainEvent::Moved { player, fields, basis, .. }, Status::Playing) => {
                self.play(*player, fields, *basis)?;
            }
            (ChainEvent::Woken { position, .. }, Status::Playing) if self.is_channel() => {
                self.wake(position)?;
            }
            (ChainEvent::Closed { last }, Status::Playing | Status::Over(_))
                if self.is_channel() && self.last.is_none() && (self.king_fell || self.status == Status::Playing) =>
            {
                self.last = Some(*last);
            }
            (ChainEvent::SightDemanded { demanded, deadline, bond, .. }, Status::Playing) => {
                let play = self.in_play()?;
                ensure!(play.may_demand(demanded), TableError::Unasked("this sight, which was demanded before"));
                play.demand(demanded, *deadline, *bond);
            }
            (ChainEvent::SightAnswered { ctx, answer_root, paid, .. }, Status::Playing | Status::Over(_)) => {
                let play = self.in_play()?;
                let demand = play.demand_for(*ctx).ok_or(TableError::Unasked("this sight"))?;
                ensure!(*paid <= demand.bond, TableError::WrongBond);
                let is_posted = [Fr::ZERO, *answer_root].contains(&demand.demanded.posted_root);
                ensure!(is_posted, TableError::Unasked("a sight with another root than was posted"));
                play.answer(*ctx, *answer_root);
                self.answered.push(*ctx);
            }
            (ChainEvent::AnswerFilled { ply, answer_root }, Status::Playing) => {
                let play = self.in_play()?;
                let is_missing = play.ply == *ply && !play.opening() && play.answer_root == Fr::ZERO;
                ensure!(is_missing && *answer_root != Fr::ZERO, TableError::Unasked("the root of an answer"));
                play.answer_root = *answer_root;
            }
            (ChainEvent::FiftyClaimed { ply, deadline, bond }, Status::Playing) => {
                let play = self.in_play()?;
                ensure!(play.ply == *ply && play.may_claim(), TableError::NoClaim(*ply));
                play.hold = Some(Hold::FiftyMoves { claimant: play.turn(), deadline: *deadline, bond: *bond });
            }
            (ChainEvent::FiftyFailed { ply, claims_from, paid }, Status::Playing) => {
                let play = self.in_play()?;
                let Some(Hold::FiftyMoves { bond, .. }) = play.hold else {
                    return Err(TableError::Unasked("a failed claim of fifty moves"));
                };
                ensure!(*paid <= bond, TableError::WrongBond);
                let is_barred = *ply == play.ply && *claims_from == ply.saturating_add(BARRED_PLIES);
                ensure!(is_barred, TableError::WrongBar(*ply));
                play.hold = None;
                play.claims_from[play.turn().index()] = *claims_from;
            }
            (ChainEvent::Ended { winner, outcome }, _) => self.end(*winner, *outcome)?,
            (ChainEvent::BondReclaimed { slot, player, bond }, Status::Over(_)) => {
                let kept = self.play.as_ref().and_then(|play| play.bond(*slot));
                let is_kept = kept == Some((*player, *bond)) && !self.reclaimed.contains(slot);
                ensure!(is_kept, TableError::WrongBond);
                self.reclaimed.push(*slot);
            }
            (ChainEvent::ViewKeyPublished { player, key }, Status::Over(_)) => {
                ensure!(self.is_player(*player), TableError::NotAPlayer);
                self.view_keys.retain(|known| *known != (*player, *key));
                let mut own = self.view_keys.iter().enumerate().rev().filter(|(_, (owner, _))| owner == player);
                if let Some((oldest, _)) = own.nth(MOST_VIEW_KEYS - 1) {
                    self.view_keys.remove(oldest);
                }
                self.view_keys.push((*player, *key));
            }
            (event, status) => {
                let (event, when) = (event.name(), status.name());
                return Err(TableError::OutOfOrder { event, when });
            }
        }
        Ok(())
    }

    /// The game in play, or as it stood when it ended.
    fn in_play(&mut self) -> Result<&mut PlayState, TableError> {
        let missing = TableError::OutOfOrder { event: "an action of the game", when: "before the coin toss" };
        self.play.as_mut().ok_or(missing)
    }

    /// Whether the contract takes an account for a player. Until somebody has joined that is also who was invited.
    fn is_player(&self, account: Address) -> bool {
        let invited = || self.terms().and_then(|terms| terms.opponent);
        [self.creator(), self.joiner().or_else(invited)].contains(&Some(account))
    }

    /// Whether an open demand or claim keeps an event back. Only the capture of the king comes before its answer.
    fn is_barred(&self, event: &ChainEvent) -> bool {
        let is_held = self.playing().is_some_and(|play| play.hold.is_some());
        let is_free = match event {
            ChainEvent::Moved { fields, .. } => fields.king_fell,
            ChainEvent::SightDemanded { demanded, .. } => demanded.phase == Phase::Post,
            ChainEvent::AnswerFilled { .. } | ChainEvent::FiftyClaimed { .. } => false,
            ChainEvent::Ended { outcome, .. } => *outcome != Outcome::NoMove || self.is_signed(),
            _ => true,
        };
        is_held && !is_free
    }

    /// What the transaction of an event that the table is about to take names of what it was sent for: the stake, the joiner's commitment for which a share is
    /// revealed, what an answer's root is bound to, the ply and the commitment at which a draw is accepted, the result that is signed.
    pub(crate) fn meant(&self, event: &ChainEvent) -> Option<Vec<u8>> {
        let play = self.begun();
        match event {
            ChainEvent::Joined { .. } => Some(U256::from(self.terms()?.stake).to_be_bytes_vec()),
            ChainEvent::TossRevealed { .. } => Some(self.to_reveal()?.1.to_vec()),
            ChainEvent::AnswerFilled { .. } => Some(to_word(&play?.pre_context(&self.game)).to_vec()),
            ChainEvent::Ended { winner, outcome } if self.is_signed() => {
                let creator_won = winner.map(|winner| Some(winner) == self.creator());
                Some(GameResult { creator_won, outcome: *outcome, last: self.last? }.to_bytes().to_vec())
            }
            ChainEvent::Ended { outcome: Outcome::DrawAgreed, .. } => {
                let (play, theirs) = (play?, !play?.turn());
                Some([&play.ply.to_be_bytes()[..], &to_word(&play.commitments[theirs.index()])].concat())
            }
            _ => None,
        }
    }

    /// Who must have sent the transaction, in a block of a time, of an event that the table is about to take; none if anybody may, or if it isn't known.
    pub(crate) fn actor(&self, event: &ChainEvent, time: Option<u64>) -> Option<Address> {
        let play = self.begun();
        let of = |color: Color| play.map(|play| play.players[color.index()]);
        match event {
            ChainEvent::Created(opening) => Some(opening.creator),
            ChainEvent::Joined { joiner, .. } => Some(*joiner),
            ChainEvent::TossRevealed { .. } => self.creator(),
            ChainEvent::Started { .. } => self.joiner(),
            ChainEvent::Moved { player, .. } | ChainEvent::ViewKeyPublished { player, .. } => Some(*player),
            ChainEvent::SightDemanded { demanded, .. } => of(demanded.receiver),
            ChainEvent::SightAnswered { ctx, .. } => of(!play?.demand_for(*ctx)?.demanded.receiver),
            ChainEvent::AnswerFilled { .. } | ChainEvent::FiftyFailed { .. } => of(!play?.turn()),
            ChainEvent::FiftyClaimed { .. } => of(play?.turn()),
            ChainEvent::Ended { .. } if self.is_signed() => None,
            ChainEvent::Ended { winner, outcome } => match outcome {
                // After the expiry anybody may.
                Outcome::Cancelled => {
                    self.creator().filter(|_| time.is_some() && time <= self.terms().map(|terms| terms.expiry))
                }
                Outcome::Resigned => play?.players.into_iter().find(|player| Some(*player) != *winner),
                Outcome::DrawAgreed | Outcome::NoMove => of(play?.turn()),
                _ => None,
            },
            ChainEvent::Woken { .. } | ChainEvent::Closed { .. } | ChainEvent::BondReclaimed { .. } => None,
        }
    }

    fn start(&mut self, white: Address, share: &B256) -> Result<(), TableError> {
        let parts = (self.opening, self.share, self.joiner);
        let (Some(opening), Some(creator_share), Some((joiner, toss, of_joiner))) = parts else {
            return Err(TableError::WrongToss);
        };
        let (mut players, mut registered) = ([opening.creator, joiner], [opening.registration, of_joiner]);
        if !creator_is_white(&creator_share, share, &self.game.game_id) {
            players.reverse();
            registered.reverse();
        }
        ensure!(toss == toss_commitment(&joiner.into(), share) && players[0] == white, TableError::WrongToss);
        let word = toss_word(&creator_share, share, &self.game.game_id);
        self.play = Some(PlayState::start(players, registered, word));
        self.status = Status::Playing;
        Ok(())
    }

    /// A position stands on the chain. Where the plies up to it were told it is theirs; where not, it is taken as it is, for both have signed it.
    /// An earlier one changes nothing: the later one is put in its place.
    fn wake(&mut self, position: &Position) -> Result<(), TableError> {
        let ply = position.ply;
        if let Some(play) = self.play.as_mut()
            && play.ply <= ply
            && ply > 0
        {
            let woken = play.woken(position);
            ensure!(play.ply < ply || *play == woken, TableError::OtherPosition(ply));
            if play.ply < ply {
                (*play, self.unknown_before) = (woken, ply);
            }
        }
        if self.woken().is_none_or(|known| ply > known) {
            self.woken = Some((ply, self.digest(position)));
        }
        Ok(())
    }

    fn play(&mut self, player: Address, fields: &MoveFields, basis: Option<B256>) -> Result<(), TableError> {
        let Some(play) = self.play.as_mut() else {
            return Err(TableError::OutOfOrder { event: "a move", when: "before the coin toss" });
        };
        let color = play.color_of(player).ok_or(TableError::NotAPlayer)?;
        let is_verified = self.opening.is_none_or(|opening| opening.terms.mode.has_proofs());
        play.check_move(color, fields, is_verified)?;
        let is_right = basis.is_none_or(|given| given == play.basis(&self.game, fields));
        ensure!(is_right, TableError::WrongBasis(fields.ply));
        *play = play.after(fields);
        if fields.king_fell {
            self.king_fell = true;
            let (winner, color) = (Some(player), Some(color));
            self.status = Status::Over(Ending { winner, color, outcome: Outcome::KingCaptured });
        }
        Ok(())
    }

    /// The contract tells the end of every game, also after the move that captured a king.
    fn end(&mut self, winner: Option<Address>, outcome: Outcome) -> Result<(), TableError> {
        let playing = self.play.as_ref().filter(|_| self.status == Status::Playing);
        let possible = match (&self.status, outcome) {
            // Until then the chain hears nothing of it.
            (Status::Playing, _) if self.is_asleep() && self.last.is_none() => false,
            // Who signs a result agrees to it, whatever it follows from.
            (status, outcome) if self.last.is_some() && (*status == Status::Playing || self.king_fell) => {
                outcome.can_be_signed()
            }
            (Status::Open, Outcome::Cancelled) => true,
            (Status::CreatorReveals, Outcome::Unrevealed) => winner.is_none(),
            (Status::JoinerReveals, Outcome::Unrevealed) => winner == self.creator(),
            (Status::Over(ending), Outcome::KingCaptured) => self.king_fell && winner == ending.winner,
            (Status::Playing, Outcome::Resigned | Outcome::NoMove) => true,
            (Status::Playing, Outcome::TooLong) => playing.is_some_and(|play| play.ply == u16::MAX),
            (Status::Playing, Outcome::TimedOut) => self.waiting() == winner,
            (Status::Playing, Outcome::DrawAgreed) => playing.is_some_and(|play| play.draw_offered),
            (Status::Playing, Outcome::Unanswered) => {
                playing.is_some_and(|play| play.demanders().any(|d| Some(d) == winner))
            }
            (Status::Playing, Outcome::FiftyMoves) => {
                playing.is_some_and(|play| matches!(play.hold, Some(Hold::FiftyMoves { .. })))
            }
            _ => false,
        };
        let drawn = match outcome {
            Outcome::Cancelled | Outcome::DrawAgreed | Outcome::TooLong | Outcome::FiftyMoves | Outcome::NoMove => true,
            Outcome::Unrevealed => winner.is_none(),
            _ => false,
        };
        ensure!(possible && drawn == winner.is_none(), TableError::WrongOutcome(outcome));
        let is_player = winner.is_none_or(|winner| self.is_player(winner));
        ensure!(is_player, TableError::NotAPlayer);
        let color = winner.and_then(|winner| self.play.as_ref()?.color_of(winner));
        self.king_fell = false;
        self.status = Status::Over(Ending { winner, color, outcome });
        Ok(())
    }

    /// Who is not to move.
    fn waiting(&self) -> Option<Address> {
        let play = self.play.as_ref()?;
        Some(play.players[(!play.turn()).index()])
    }
}

impl Status {
    fn name(&self) -> &'static str {
        match self {
            Self::None => "before the game was created",
            Self::Open => "before anyone has joined",
            Self::CreatorReveals => "before the creator has revealed its share of the coin toss",
            Self::JoinerReveals => "before the joiner has revealed its share of the coin toss",
            Self::Playing => "in the middle of the game",
            Self::Over(_) => "after the game has ended",
        }
    }
}
