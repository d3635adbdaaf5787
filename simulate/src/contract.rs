//! One game in the game contract, as it stands after a block, and all that the contract has told of it. Calls are encoded and events are read by the
//! client's own code.

use crate::evm::{CHAIN_ID, CONTRACT, Call, Done, Moment, State};
use alloy::primitives::{Address, B256, Bytes, Log, U256};
use alloy::sol_types::{SolCall, SolEvent as _};
use client::chain::ContractError;
use client::seat::Event;
use client::wallet::Wallet;
use events::IFogmate::{self, FiftyFailed, SightAnswered, Status};
use events::types::clocks;
use events::{Declared, bond, calldata, decode, is_bonded, join_calldata, open_calldata};
use fog::engine::Engine;
use game::secrets::GameSecrets;
use game::toss::toss_commitment;
use game::{ChainEvent, Clocks, GameRef, Opening, Terms, Transaction, opening_id};
use std::sync::Arc;

/// The chain's time when a game is opened, in seconds since 1970.
pub(crate) const BEGIN: u64 = 1_700_000_000;
/// What each player has before the game, in wei: enough for any bond.
const WEALTH: U256 = U256::from_limbs([1_000_000_000_000_000_000, 0, 0, 0]);

/// An event of the game, with its block's time.
#[derive(Clone, Debug)]
pub struct Logged {
    pub event: ChainEvent,
    pub time: u64,
    /// The call that told it.
    pub call: Call,
    /// As the contract has told it.
    pub log: Log,
}

/// The contract with one game. Roles: the creator is 0, the joiner 1.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Which game it is.
    pub game: GameRef,
    /// The time of the block that comes next.
    pub now: u64,
    /// Wei for a unit of gas in it.
    pub base_fee: u128,
    /// All events of the game, the earliest first. Moves have what their calldata says.
    pub log: Vec<Arc<Logged>>,
    /// The accounts of the roles.
    accounts: [Address; 2],
    state: State,
    reading: Reading,
    /// What each role has earned of the other's bonds, as the contract has told it, in wei.
    earned: [U256; 2],
}

/// What the contract answers: the same until a call changes something.
#[derive(Clone, Debug)]
struct Reading {
    game: Arc<IFogmate::Game>,
    /// What each role can fetch, in wei.
    owed: [U256; 2],
    /// The earliest deadline, in seconds since 1970; 0 if there is none.
    deadline: u64,
}

impl Reading {
    fn of(state: &State, accounts: [Address; 2], game_id: B256, at: Moment) -> Self {
        let owed = accounts.map(|player| ask(state, player, &IFogmate::withdrawableCall { player }, at));
        let game = Arc::new(ask(state, accounts[0], &IFogmate::gameCall { gameId: game_id }, at));
        let deadline = ask(state, accounts[0], &IFogmate::clocksCall { gameId: game_id }, at).deadline.to();
        Self { game, owed, deadline }
    }
}

/// What the contract answers an account.
fn ask<C: SolCall>(state: &State, from: Address, call: &C, at: Moment) -> C::Return {
    let call = Call { from, value: U256::ZERO, input: call.abi_encode().into() };
    let answer = state.call(at, &call).expect("what is asked is answered");
    C::abi_decode_returns(&answer.output).expect("the answer has the shape that the interface gives it")
}

impl Contract {
    /// A contract with one game that both players have joined, and the players' secrets. `keys` are those of their wallets; with a proof system the
    /// verifiers are those that are shipped, else they take the oracle's tickets.
    ///
    /// # Panics
    /// Where the contract refuses the game, or the second player.
    pub fn begin(
        has_proof_system: bool,
        engine: &dyn Engine,
        keys: &[[u8; 32]; 2],
        nonce: B256,
        terms: Terms,
    ) -> (Self, [GameSecrets; 2]) {
        let accounts = keys.each_ref().map(|key| Wallet::from_secret(key).expect("a secret key").address());
        let commit =
            |i: usize, secrets: &GameSecrets| toss_commitment(&accounts[i].into(), &secrets.toss_secret()).into();
        let creator = accounts[0];
        let of_creator = GameSecrets::derive(&keys[0], &opening_id(CHAIN_ID, CONTRACT, creator, nonce));
        let (toss, registration) = (commit(0, &of_creator), engine.register(of_creator.seed()));
        let opening = Opening { creator, nonce, terms, toss, registration };
        let game = GameRef { chain_id: CHAIN_ID, contract: CONTRACT, game_id: opening.game_id(CHAIN_ID, CONTRACT) };
        let (state, now, base_fee) = (State::new(has_proof_system, &accounts, WEALTH), BEGIN, 1_000);
        let reading = Reading::of(&state, accounts, game.game_id, Moment { time: now, base_fee });
        let (log, earned) = (Vec::new(), [U256::ZERO; 2]);
        let mut contract = Self { game, now, base_fee, log, accounts, state, reading, earned };
        let of_joiner = GameSecrets::derive(&keys[1], &game.game_id);
        let opens = open_calldata(&opening).expect("terms that fit");
        let joins = join_calldata(game.game_id, commit(1, &of_joiner), &engine.register(of_joiner.seed()));
        for (from, input) in accounts.into_iter().zip([opens, joins]) {
            let call = Call { from, value: U256::from(terms.stake), input };
            contract.carry_out(&call).expect("the contract takes both players");
        }
        (contract, [of_creator, of_joiner])
    }

    /// Breaks its verifier of moves and claims: it takes every proof for right.
    pub fn break_verifier(&mut self) {
        self.state.break_verifier();
    }

    /// What a player's transaction sends to the contract: with the bond that belongs to it, as bonds are at this base fee.
    ///
    /// # Panics
    /// If the client can't encode it.
    pub fn call(&self, from: Address, transaction: &Transaction, base_fee: u128) -> Call {
        let input = calldata(self.game.game_id, from, transaction).expect("it can be encoded");
        let at = Moment { time: self.now, base_fee };
        let least = |fifty| ask(&self.state, from, &IFogmate::leastBondCall { fifty }, at);
        let value = is_bonded(transaction).map_or(U256::ZERO, |fifty| bond(least(fifty)));
        Call { from, value, input }
    }

    /// What a call would do in a block.
    ///
    /// # Errors
    /// Why the contract refuses it.
    ///
    /// # Panics
    /// If it refuses without one of its reasons.
    pub fn trial(&self, call: &Call, at: Moment) -> Result<Done, ContractError> {
        let reason =
            |data: Bytes| ContractError::decode(&data).unwrap_or_else(|| panic!("a revert without a reason: {data}"));
        self.state.call(at, call).map_err(reason)
    }

    /// A call in the next block; gives the gas that it takes.
    ///
    /// # Errors
    /// Why the contract refuses it. Nothing has changed then.
    pub fn carry_out(&mut self, call: &Call) -> Result<u64, ContractError> {
        let at = Moment { time: self.now, base_fee: self.base_fee };
        let done = self.trial(call, at)?;
        self.keep(call, &done, at);
        Ok(done.gas_used)
    }

    /// A player's transaction in the next block; gives the gas that it takes.
    ///
    /// # Errors
    /// Why the contract refuses it. Nothing has changed then.
    pub fn execute(&mut self, from: Address, transaction: &Transaction) -> Result<u64, ContractError> {
        self.carry_out(&self.call(from, transaction, self.base_fee))
    }

    /// Keeps what a call has done in a block.
    pub fn keep(&mut self, call: &Call, done: &Done, at: Moment) {
        (self.now, self.base_fee) = (at.time, at.base_fee);
        self.state.keep(done);
        for log in &done.logs {
            self.hear(call, log);
        }
        self.reading = Reading::of(&self.state, self.accounts, self.game.game_id, at);
    }

    fn hear(&mut self, call: &Call, log: &Log) {
        let paid = match log.topics().first() {
            Some(&SightAnswered::SIGNATURE_HASH) => {
                SightAnswered::decode_log_data(&log.data).map(|e| (e.sender, e.paid))
            }
            Some(&FiftyFailed::SIGNATURE_HASH) => FiftyFailed::decode_log_data(&log.data).map(|e| (e.player, e.paid)),
            _ => Ok(Default::default()),
        };
        let (account, paid) = paid.expect("an event of the contract");
        if let Some(role) = self.accounts.iter().position(|player| *player == account) {
            self.earned[role] += U256::from(paid);
        }
        let Some(mut event) = decode(&log.data).expect("the client reads every event of the contract") else { return };
        if let ChainEvent::Moved { .. } = event {
            Declared::decode(&call.input).expect("a move").complete(self.game.game_id, &mut event);
        }
        self.log.push(Arc::new(Logged { event, time: self.now, call: call.clone(), log: log.clone() }));
    }

    /// The clocks as the contract tells them at a time.
    pub fn clocks(&self, time: u64) -> Clocks {
        let at = Moment { time, base_fee: self.base_fee };
        let now = ask(&self.state, self.accounts[0], &IFogmate::clocksCall { gameId: self.game.game_id }, at);
        clocks(&now, &self.reading.game).expect("clocks that the client understands")
    }

    /// The earliest deadline of a game that two players are in; none once it is over.
    pub fn deadline(&self) -> Option<u64> {
        Some(self.reading.deadline).filter(|deadline| *deadline > 0)
    }

    /// What a machine is told each second.
    pub fn tick(&self) -> Event {
        Event::Tick { now: self.now, date: self.now, deadline: self.deadline() }
    }

    /// The number of the ply to come.
    pub fn ply(&self) -> u16 {
        self.reading.game.ply
    }

    /// Whether moves are proven in this game.
    pub fn has_proofs(&self) -> bool {
        self.reading.game.terms.mode != IFogmate::Mode::Unproven
    }

    /// What each player put in for the game, in wei.
    pub fn stake(&self) -> U256 {
        U256::from(self.reading.game.terms.stake)
    }

    /// Whether the contract owes an account anything that it can fetch.
    pub fn owes(&self, account: Address) -> bool {
        self.accounts.into_iter().zip(self.reading.owed).any(|(owner, owed)| owner == account && !owed.is_zero())
    }

    /// Whether an account has a bond in the contract.
    pub fn has_bond(&self, account: Address) -> bool {
        self.bonds().any(|(owner, bond)| owner == account && !bond.is_zero())
    }

    /// The bonds in the contract, each with its owner.
    fn bonds(&self) -> impl Iterator<Item = (Address, U256)> {
        let game = &self.reading.game;
        let of_hold = (game.players[usize::from(game.holdOwner)].account, U256::from(game.holdBond));
        [of_hold].into_iter().chain(game.players.iter().map(|player| (player.account, U256::from(player.postBond))))
    }

    /// The contract's account holds exactly what is owed and at stake, and what left the players' accounts is there.
    ///
    /// # Errors
    /// With what is wrong.
    pub fn check_money(&self) -> Result<(), String> {
        let Reading { game, owed, .. } = &self.reading;
        let staked = match game.status {
            Status::Open => 1,
            Status::CreatorReveals | Status::JoinerReveals | Status::Playing => 2,
            _ => 0,
        };
        let bonds: U256 = self.bonds().map(|(_, bond)| bond).sum();
        let due = U256::from(staked) * self.stake() + bonds + owed[0] + owed[1];
        let found = self.balance();
        let [creator, joiner] = self.accounts.map(|account| self.state.balance(account));
        let is_right = found == due && found + creator + joiner == WEALTH + WEALTH;
        is_right.then_some(()).ok_or_else(|| {
            format!("the contract's money doesn't add up: it has {found} wei, due are {due}, bonds {bonds} of them; {owed:?} is owed")
        })
    }

    /// What lies in the contract's account, in wei.
    pub fn balance(&self) -> U256 {
        self.state.balance(CONTRACT)
    }

    /// What an account has, and what it would have if it had gained this and lost that, and each player what it has earned of bonds.
    pub fn balance_and_due(&self, role: usize, gained: U256, lost: U256) -> (U256, U256) {
        let due = WEALTH + self.earned[role] + gained - self.earned[1 - role] - lost;
        (self.state.balance(self.accounts[role]), due)
    }

    /// Gives the contract's account another balance, for the control of what is checked.
    pub fn forge(&mut self, change: impl Fn(U256) -> U256) {
        self.state.set_balance(CONTRACT, change(self.balance()));
    }
}
