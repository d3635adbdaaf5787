//! Before the first move: a game is opened and joined, and both players reveal their shares of the coin toss.

use super::Refusal;
use super::purse::Purse;
use super::storage::{Hold, ModelChain, Player, Status};
use alloy::primitives::{Address, B256, U256};
use fog::commitment::initial;
use fog::engine::{Registration, engine_word};
use fog::ensure;
use fog::word::keccak256;
use game::{ChainEvent, GameRef, Opening};
use halo2curves::bn256::Fr;
use rules::Color;

impl ModelChain {
    /// A contract with one game, just opened at the time `now`.
    ///
    /// # Panics
    /// Where the contract would refuse it for its mode.
    pub fn create(chain_id: u64, contract: Address, opening: Opening, now: u64) -> Self {
        let game = GameRef { chain_id, contract, game_id: game_id(chain_id, contract, &opening) };
        let is_named = engine_word(&opening.registration) != [0; 32];
        assert!(opening.terms.mode.has_proofs() || opening.terms.stake == 0 && is_named);
        let mut chain = Self {
            game,
            opening,
            status: Status::Open,
            players: vec![player(opening.creator, opening.registration, opening.toss, opening.terms.base)],
            white: 0,
            creator_share: B256::ZERO,
            captures: Vec::new(),
            answer_root: Fr::zero(),
            draw_offered: false,
            hold: Hold::None,
            pre_demanded: false,
            demands: [None; 3],
            unproven: None,
            now,
            since: now,
            log: Vec::new(),
            purse: Purse::default(),
            base_fee: 1_000,
        };
        chain.purse.stake(0, opening.terms.stake);
        chain.emit(ChainEvent::Created(opening));
        chain
    }

    /// The invited player joins.
    ///
    /// # Panics
    /// Where the contract would refuse it.
    pub fn join(&mut self, joiner: Address, toss: B256, registration: Registration) {
        assert!(self.status == Status::Open && self.now <= self.opening.terms.expiry);
        assert!(joiner != self.opening.creator && registration != self.opening.registration);
        let opening = &self.opening;
        let is_proven = opening.terms.mode.has_proofs();
        assert!(is_proven || engine_word(&registration) == engine_word(&opening.registration));
        self.purse.stake(1, self.opening.terms.stake);
        self.players.push(player(joiner, registration, toss, self.opening.terms.base));
        self.status = Status::CreatorReveals;
        self.since = self.now;
        self.emit(ChainEvent::Joined { joiner, toss, registration });
    }

    pub(super) fn reveal_creator(&mut self, sender: Address, share: &B256, joiner: &B256) -> Result<(), Refusal> {
        self.expect_reveal(Status::CreatorReveals, 0, sender, share)?;
        ensure!(*joiner == self.players[1].toss, "WrongJoiner");
        self.creator_share = *share;
        self.status = Status::JoinerReveals;
        self.emit(ChainEvent::TossRevealed { share: *share });
        Ok(())
    }

    pub(super) fn reveal_joiner(&mut self, sender: Address, share: &B256) -> Result<(), Refusal> {
        self.expect_reveal(Status::JoinerReveals, 1, sender, share)?;
        let toss = keccak256([self.creator_share.0, share.0, self.game.game_id.0].as_flattened());
        self.white = usize::from(U256::from_be_bytes(toss).bit(0));
        for color in Color::ALL {
            let role = self.role_of(color.index());
            self.players[role].commitments = vec![initial(color)];
        }
        self.status = Status::Playing;
        self.restart_delay();
        let white = self.players[self.white].account;
        self.emit(ChainEvent::Started { white, share: *share });
        Ok(())
    }

    fn expect_reveal(&self, status: Status, role: usize, sender: Address, share: &B256) -> Result<(), Refusal> {
        ensure!(self.status == status, "WrongStatus");
        ensure!(sender == self.players[role].account, "NotYourTurn");
        self.expect_time()?;
        let words = [keccak256(b"fogmate/toss/1"), sender.into_word().0, share.0];
        ensure!(keccak256(words.as_flattened()) == self.players[role].toss.0, "WrongReveal");
        Ok(())
    }
}

fn player(account: Address, registration: Registration, toss: B256, base: u32) -> Player {
    Player {
        account,
        registration,
        toss,
        commitments: Vec::new(),
        request_root: Fr::zero(),
        clock: base.into(),
        post_demanded: false,
        claims_from: 0,
    }
}

/// `keccak256(abi.encode(chain id, contract, creator, nonce, terms, toss commitment, fog key))`.
fn game_id(chain_id: u64, contract: Address, opening: &Opening) -> B256 {
    let Opening { creator, nonce, terms, toss, registration } = opening;
    let number = |value: u128| U256::from(value).to_be_bytes::<32>();
    let mode = match terms.mode {
        game::Mode::Verified => 0,
        game::Mode::Challengeable => 1,
        game::Mode::Unproven => 2,
    };
    let seconds = [terms.base, terms.increment, terms.delay, terms.window, terms.reveal];
    let mut words = vec![number(chain_id.into()), contract.into_word().0, creator.into_word().0, nonce.0];
    words.extend([number(mode), number(terms.stake)]);
    words.extend(seconds.map(|seconds| number(seconds.into())));
    words.extend([number(terms.expiry.into()), terms.opponent.unwrap_or(Address::ZERO).into_word().0]);
    words.push(toss.0);
    keccak256(&[words.as_flattened(), registration].concat()).into()
}
