//! `fogmate lobby`: the games of a deployment that wait for an opponent, as the chain's events tell them.

use clap::Args as ClapArgs;
use client::chain::{OpenGame, Reach};
use eyre::Result;
use fog::engine::engine_name;
use game::{Terms, clock_time};
use serde_json::json;

use crate::hint::hint;
use crate::node::NodeArgs;
use crate::output::{note, say, tell};
use crate::terms;

/// List the open games of a deployment: who has opened them, for what, and how they are joined
///
/// It takes no wallet. What is listed is the node's word; who joins a game is shown its terms by the contract once more, and asked.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    node: NodeArgs,
    /// Look back so far
    #[arg(long, value_name = "TIME", default_value = "30d", value_parser = terms::seconds, allow_hyphen_values = true)]
    back: u32,
    /// List so many games at most, the latest first
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let (chain, _) = args.node.connect(None).await?;
    let now = chain.now().await?;
    let reach = Reach { since: now.saturating_sub(args.back.into()), games: args.limit };
    let games = chain.open_games(now, reach).await?;
    if args.json {
        return games.iter().try_for_each(|open| say!("{}", as_json(open)));
    }
    for open in &games {
        tell!("{}", in_words(open, now))?;
    }
    match games.is_empty() {
        true => note!("no game waits for an opponent: {} opens one", hint("host")),
        false => note!(
            "Whoever has an invitation plays with `fogmate play INVITATION`: it also says where the creator's machine is, which the chain doesn't."
        ),
    }
    Ok(())
}

/// The sight engine of a game that proves no moves; only names of letters, digits and hyphens are any.
fn engine(open: &OpenGame) -> Option<&str> {
    engine_name(&open.opening.registration).filter(|_| !open.opening.terms.mode.has_proofs())
}

fn as_json(open: &OpenGame) -> serde_json::Value {
    let Terms { expiry, opponent, .. } = open.opening.terms;
    json!({
        "game": open.game, "creator": open.opening.creator, "opponent": opponent, "opened": open.since, "until": expiry,
        "engine": engine(open).unwrap_or("sight-lines"), "terms": open.opening.terms,
    })
}

/// A game in three lines.
fn in_words(open: &OpenGame, now: u64) -> String {
    let terms = &open.opening.terms;
    let opened = open.since.map_or_else(String::new, |since| format!(" {} ago", clock_time(now.saturating_sub(since))));
    let who = terms.opponent.map_or_else(|| "anybody".to_owned(), |opponent| format!("{opponent:#x} alone"));
    let left = clock_time(terms.expiry.saturating_sub(now));
    let play = hint(&format!("play {:#x}", open.game));
    let how = match engine(open) {
        Some(name) => format!("engine {name}, which takes the creator's invitation"),
        None => format!("{play} joins it, and goes through the chain until both machines know each other"),
    };
    format!(
        "{:#x}\n  opened{opened} by {:#x}, for {who}; can be joined for {left}\n  {}\n  {how}",
        open.game,
        open.opening.creator,
        terms::describe(terms)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::primitives::{Address, B256};
    use game::{Mode, Opening};

    fn open(mode: Mode, registration: [u8; 64]) -> OpenGame {
        let terms = Terms {
            mode,
            stake: 0,
            base: 3_600,
            increment: 30,
            delay: 60,
            window: 3_600,
            reveal: 600,
            expiry: 1_000 + 7_322,
            opponent: None,
        };
        let creator = Address::repeat_byte(7);
        let opening = Opening { creator, nonce: B256::ZERO, terms, toss: B256::ZERO, registration };
        OpenGame { game: B256::repeat_byte(9), opening, since: Some(940) }
    }

    #[test]
    fn a_game_is_told_with_how_it_is_joined() {
        let told = in_words(&open(Mode::Verified, [0; 64]), 1_000);
        assert!(told.contains("opened 1:00 ago by 0x0707") && told.contains("joined for 2:02:02"), "{told}");
        assert!(told.contains("no stake, 1:00:00 on each clock") && told.contains("`fogmate play 0x0909"), "{told}");
    }

    #[test]
    fn nothing_that_a_node_says_is_printed_as_it_is() {
        let mut registration = [0; 64];
        registration[32..32 + 7].copy_from_slice(b"\x1b[2Jbfv");
        let hostile = open(Mode::Unproven, registration);
        assert!(!in_words(&hostile, 1_000).contains('\x1b'));
        assert!(as_json(&hostile).to_string().bytes().all(|byte| !byte.is_ascii_control()));
        registration = [0; 64];
        registration[32..32 + 3].copy_from_slice(b"bfv");
        assert!(in_words(&open(Mode::Unproven, registration), 1_000).contains("engine bfv, which takes"));
    }
}
