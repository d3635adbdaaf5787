//! What must hold when a game is over: the honest player hasn't lost by the protocol, both know the same ending, and all the money goes
//! back to the players.

use super::World;
use alloy::primitives::{Address, U256};
use game::audit::audit;
use game::replay::replay;
use game::statement::Statement;
use game::{Action, ChainEvent, Ending, Outcome, Slot, Transaction};
use rules::Color;

/// Steps in which bonds are asked back after the end.
const WIND_UP: usize = 8_000;

impl World {
    /// Whether every honest player knows that the game is over.
    pub fn is_over_for_honest(&self) -> bool {
        let knows = |i: &usize| self.players[*i].seat.table().ending().is_some();
        self.honest().iter().all(knows)
    }

    /// The players that keep to the protocol.
    pub fn honest(&self) -> Vec<usize> {
        (0..2).filter(|i| self.players[*i].mischief.is_none()).collect()
    }

    /// Looks at how the game has ended.
    ///
    /// # Panics
    /// If an honest player has lost, or won nothing, by the protocol instead of on the board.
    pub fn check_ending(&mut self) {
        let honest = self.honest();
        let ended = self.chain.log[..self.finals].iter().find_map(|logged| match logged.event {
            ChainEvent::Ended { winner, outcome } => Some((winner, outcome)),
            _ => None,
        });
        let (winner, outcome) = ended.expect("the game is over for good");
        for &i in &honest {
            self.checks.add("not lost by protocol");
            let known: Ending = self.players[i].seat.table().ending().expect("it knows the ending");
            assert_eq!((known.winner, known.outcome), (winner, outcome), "player {i} knows another ending");
            let on_board = is_on_board(outcome);
            let is_cheated = honest.len() == 1 && outcome == Outcome::Unrevealed && winner.is_none() && i == 1;
            let has_won = winner == Some(self.players[i].me);
            let has_lost = winner.is_some() && !has_won;
            assert!(!has_lost || on_board, "honest player {i} has lost: {outcome}");
            assert!(winner.is_some() || on_board || is_cheated, "nobody has won: {outcome}");
            assert!(
                !has_won || on_board || honest.len() == 1,
                "an honest player was beaten by the protocol: {outcome}"
            );
        }
        if outcome == Outcome::KingCaptured && self.false_plies.is_empty() {
            let loser = winner.map(|winner| usize::from(winner == self.players[0].me));
            let color = loser.and_then(|loser| self.players[loser].seat.color());
            let has_king =
                |color: Color| self.truth.last().is_some_and(|position| position.side(color).king().is_some());
            assert!(!color.is_some_and(has_king), "a king was captured that still stands");
        }
        if honest.len() == 2 && self.faults.of("messages corrupted") == 0 {
            for i in 0..2 {
                self.checks.add("nobody accused");
                let accusations = self.accusations(i);
                assert!(accusations.is_empty(), "an honest opponent is accused: {accusations:?}");
            }
        }
    }

    /// What a game costs honest players where nothing goes wrong: the chain carries no sight, and no message is sent more than twice.
    ///
    /// # Panics
    /// If it costs more.
    pub fn check_cost(&mut self) {
        for i in 0..2 {
            self.checks.add("cheap in fair weather");
            let player = &self.players[i];
            assert_eq!(player.count(Action::DemandSight), 0, "player {i} demands a sight in fair weather");
            let repeated = player.said.iter().find(|(_, times)| **times > 2);
            assert_eq!(repeated, None, "player {i} sends a message again and again");
        }
    }

    /// Publishes both view keys, audits the records of the game and replays it.
    ///
    /// # Panics
    /// If either finds anything, or another game than was played.
    pub fn check_records(&mut self) {
        self.checks.add("audited and replayed");
        let records = self.publish();
        let oracle = self.oracle.clone();
        let verify = |statement: &Statement, proof: &[u8]| statement.verify(&oracle, proof);
        let report = audit(self.chain.game, &records, verify);
        assert!(report.ok, "{:?}", report.findings);
        let seen = if self.chain.has_proofs() { report.proofs } else { report.by_nobody };
        assert_eq!((usize::from(report.plies), report.plies), (self.truth.len() - 1, seen));
        let replayed = replay(self.chain.game, &records).expect("both keys are published");
        assert!(replayed.ok(), "{:?}", replayed.findings);
        assert_eq!(Some(&replayed.position), self.truth.last());
    }

    /// Lets the players take their bonds back, and fetch what they are owed.
    ///
    /// # Panics
    /// If anything stays in the contract's account.
    pub fn check_settlement(&mut self) {
        (self.weather.crash, self.weather.torn, self.autoplay) = (0, 0, false);
        let honest = self.honest();
        let owes = |world: &Self| honest.iter().any(|i| world.chain.has_bond(world.players[*i].me));
        for _ in 0..WIND_UP {
            if !owes(self) {
                break;
            }
            self.step();
        }
        assert!(!owes(self), "an honest player never gets its bond back");
        // The cheat's are of no interest to anybody.
        for slot in [Slot::Hold, Slot::WhitePost, Slot::BlackPost] {
            let account = self.players[0].me;
            self.chain.now += 100_000;
            let _ = self.chain.execute(account, &Transaction::Reclaim(slot));
        }
        for i in 0..2 {
            let account = self.players[i].me;
            if self.chain.owes(account) {
                self.chain.execute(account, &Transaction::Withdraw).expect("a player fetches what it is owed");
            }
        }
        self.check();
        self.checks.add("all money fetched");
        assert!(self.chain.balance().is_zero(), "money stays in the contract: {} wei", self.chain.balance());
        let (stake, nothing) = (self.chain.stake(), U256::ZERO);
        let winner = self.players.iter().position(|player| self.has_won(player.me));
        for i in 0..2 {
            let (gained, lost) = match winner {
                Some(winner) if winner == i => (stake, nothing),
                Some(_) => (nothing, stake),
                None => (nothing, nothing),
            };
            let (balance, due) = self.chain.balance_and_due(i, gained, lost);
            assert_eq!(balance, due, "player {i} got another amount");
        }
    }

    fn has_won(&self, account: Address) -> bool {
        self.events().any(|event| matches!(event, ChainEvent::Ended { winner: Some(winner), .. } if *winner == account))
    }
}

/// Whether an outcome comes of the players' moves and words alone.
fn is_on_board(outcome: Outcome) -> bool {
    use Outcome::{DrawAgreed, FiftyMoves, KingCaptured, NoMove, Resigned, TooLong};
    matches!(outcome, KingCaptured | Resigned | DrawAgreed | NoMove | FiftyMoves | TooLong)
}
