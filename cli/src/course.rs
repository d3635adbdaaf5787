//! A game told line by line: what happened when and by whom, what was proven, and what it cost.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use alloy::primitives::{Address, B256};
use client::chain::{Chain, ChainError, Cost};
use client::lobby::in_ether;
use game::audit::Record;
use game::chronicle::{Chronicle, Entry};
use game::payment::Payment;
use game::{Mode, clock_time, date, grouped};
use serde_json::{Value, json};

use crate::words;

/// An event of a game for a reader.
pub struct Line {
    entry: Entry,
    time: Option<u64>,
    /// Whether its proof holds, if it came with one.
    holds: Option<bool>,
    /// None of a ply that is not on the chain.
    transaction: Option<B256>,
    /// What its transaction has cost. Of several events of one transaction the first has it.
    cost: Option<Cost>,
}

/// A game's events, and who plays it on which terms.
pub struct Course {
    lines: Vec<Line>,
    chronicle: Chronicle,
}

impl Course {
    /// Tells a game, with the transactions of those of its records that the chain has; `verdicts` has what was found of each proof, by [`Statement::key`](game::statement::Statement::key).
    pub async fn read(
        chain: &Chain,
        game: B256,
        records: &[Record],
        transactions: &[B256],
        verdicts: &HashMap<String, bool>,
    ) -> Result<Self, ChainError> {
        let mut chronicle = Chronicle::new(chain.game_ref(game));
        let mut counted = HashSet::new();
        let mut lines = Vec::new();
        let mut transactions = transactions.iter().copied();
        for record in records {
            let entry = chronicle.tell(record);
            let holds = entry.verdict.as_ref().and_then(|verdict| verdicts.get(verdict).copied());
            let transaction = if record.is_of_chain() { transactions.next() } else { None };
            let cost = match transaction {
                Some(transaction) if counted.insert(transaction) => chain.cost(transaction).await?,
                _ => None,
            };
            lines.push(Line { entry, time: record.time, holds, transaction, cost });
        }
        Ok(Self { lines, chronicle })
    }

    /// As lines for people: who plays for what, then an event a line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, account) in self.chronicle.accounts() {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{name}: {account}");
        }
        if let Some(terms) = self.chronicle.table().terms() {
            let stake = if terms.stake == 0 {
                "no stake".to_owned()
            } else {
                format!("{} ETH staked by each", in_ether(terms.stake))
            };
            let proofs = match terms.mode {
                Mode::Verified => "the chain verifies each move",
                Mode::Unproven => "the chain verifies no move",
                Mode::Channel => "proofs are sent between the players' machines",
            };
            let _ = writeln!(
                text,
                "{stake}; {} each, {} s a move; {proofs}",
                clock_time(terms.base.into()),
                terms.increment
            );
        }
        for line in &self.lines {
            let _ = writeln!(text, "{}", self.line(line));
        }
        for (name, account) in self.chronicle.accounts() {
            let fee = self.fees(account);
            let _ = writeln!(text, "fees of {name}: {} ETH", in_ether(fee));
        }
        text
    }

    fn line(&self, line: &Line) -> String {
        let Line { entry, time, holds, transaction, cost } = line;
        let number = format!("{:>5}", entry.number().map_or_else(String::new, words::number));
        let mut words = vec![self.chronicle.sentence(entry)];
        words.extend(entry.paid.iter().map(|payment| self.payment(payment)));
        words.extend(holds.map(|holds| verdict(holds, transaction.is_some()).to_owned()));
        words.extend(
            entry.clocks.map(|[white, black]| format!("clocks {} and {}", clock_time(white), clock_time(black))),
        );
        words.extend(cost.map(|cost| format!("{} gas, {} ETH", grouped(cost.gas), in_ether(cost.fee_wei))));
        let (time, place) = match (time, transaction) {
            (_, None) => ("between the machines".to_owned(), String::new()),
            (None, Some(transaction)) => ("at a time unknown".to_owned(), format!("  {transaction}")),
            (Some(time), Some(transaction)) => (date(*time), format!("  {transaction}")),
        };
        format!("{number}  {time}  {}{place}", words.join("; "))
    }

    fn payment(&self, Payment { to, wei }: &Payment) -> String {
        let named = self.chronicle.accounts().into_iter().find(|(_, account)| account == to);
        let who = named.map_or_else(|| format!("{to:#x}"), |(name, _)| name.to_owned());
        format!("{who} gets {} ETH", in_ether(*wei))
    }

    /// One object an event.
    pub fn json(&self) -> Value {
        let line = |Line { entry, time, holds, transaction, cost }: &Line| {
            json!({
                "ply": entry.ply, "time": time, "by": entry.by, "what": entry.what, "clocks_s": entry.clocks, "deadline": entry.deadline, "paid": entry.paid,
                "proof": holds.map(|holds| verdict(holds, transaction.is_some())), "transaction": transaction, "gas": cost.map(|cost| cost.gas),
                "fee_wei": cost.map(|cost| cost.fee_wei.to_string()),
            })
        };
        self.lines.iter().map(line).collect()
    }

    fn fees(&self, account: Address) -> u128 {
        let costs = self.lines.iter().filter_map(|line| line.cost);
        costs.filter(|cost| cost.payer == account).map(|cost| cost.fee_wei).fold(0, u128::saturating_add)
    }
}

/// Who has verified a proof.
fn verdict(holds: bool, is_on_chain: bool) -> &'static str {
    match (holds, is_on_chain) {
        (true, true) => "proven: by the chain, and here",
        (true, false) => "proven: here",
        (false, _) => "the proof is FALSE",
    }
}
