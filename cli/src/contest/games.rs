//! Which game is meant, and what is told of games that are opened, joined and listed.

use alloy::primitives::{Address, B256};
use client::chain::Connection;
use client::contest::Created;
use eyre::Result;
use game::date;
use serde_json::{Value, json};

use super::common::game_id;
use crate::failure::{Found, bad_input};
use crate::hint::hint;
use crate::output::{note, say};
use crate::words::with_receipt;

/// A game by its id or, if it is one of the wallet's, by the first digits of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameId {
    Whole(B256),
    /// Its first digits, in small letters and without `0x`.
    Start(String),
}

/// A game's id or its first digits.
pub fn game_or_start(text: &str) -> Result<GameId, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text).to_lowercase();
    let is_start = (1..64).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_start {
        return Ok(GameId::Start(digits));
    }
    game_id(text).map(GameId::Whole).map_err(|fault| format!("{fault}, nor the first digits of one"))
}

/// The one of a wallet's games whose id starts so; `of` is the subcommand.
pub fn game_by_start(of: &str, start: &str, mut games: Vec<B256>) -> Result<B256> {
    games.retain(|id| format!("{id:x}").starts_with(start));
    match games[..] {
        [id] => Ok(id),
        [] => Err(Found::NoGame(format!(
            "this wallet has no game whose id starts with 0x{start}: {} lists those it has, and any other needs its whole id",
            hint(&format!("{of} list"))
        ))
        .into()),
        _ => Err(bad_input(format!("{} games of this wallet have ids that start with 0x{start}", games.len()))),
    }
}

/// Tells of a game that was opened, in JSON with what is `more` to be told there, and lets its terms open another one from now on. `opponent` may join
/// it; `of` is the subcommand.
pub async fn tell_created(
    of: &str,
    chain: &Connection,
    created: &Created,
    (terms, opponent): (&str, Option<Address>),
    json: Option<Value>,
) -> Result<()> {
    let Created { game, expiry, receipt, earlier, is_open, .. } = created;
    let mut can_be_joined = true;
    if *earlier {
        let now = chain.now().await?;
        can_be_joined = *is_open && now <= *expiry;
        note!("note: {}", found_again(of, created, now));
    }
    match json {
        Some(mut more) => {
            (more["game"], more["expiry"], more["joinable"]) = (json!(game), json!(expiry), json!(can_be_joined));
            say!("{}", with_receipt(more, Some(receipt)))?;
        }
        None if can_be_joined => {
            note!("game {game}: {terms}; {}", joinable(opponent, *expiry));
            let play = hint(&format!("{of} play {}", short(*game)));
            note!("Send this to your opponent, for `fogmate {of} join`; then play with {play}:");
            say!("{game}")?;
        }
        None => {
            note!("game {game}: {terms}");
            say!("{game}")?;
        }
    }
    Ok(chain.acknowledge(created.id).await?)
}

/// What is said of a game that an earlier command has opened. Its time to be joined is the one of its terms that may have been given otherwise now.
fn found_again(of: &str, created: &Created, now: u64) -> String {
    let Created { game, expiry, is_open, .. } = created;
    let (game, until) = (short(*game), date(*expiry));
    let how = match is_open {
        true if now <= *expiry => format!("can be joined until {until}, whatever --open-for says here"),
        true => {
            format!("can't be joined any more since {until}: {} takes it back", hint(&format!("{of} cancel {game}")))
        }
        false => format!("is in play by now: {}", hint(&format!("{of} play {game}"))),
    };
    format!(
        "this game was opened by an earlier command that could not say so, and {how}; the same command again opens another"
    )
}

/// The first digits of an id, by which its player names it.
pub fn short(game: B256) -> String {
    game.to_string().chars().take(10).collect()
}

/// Until when and by whom a game can be joined, in words.
fn joinable(opponent: Option<Address>, expiry: u64) -> String {
    let who = opponent.map_or_else(|| "anyone".to_owned(), |opponent| opponent.to_string());
    format!("{who} can join it until {}, and it can't be taken back before", date(expiry))
}

/// A game of an account in a list; `state` is what everybody can see of it.
pub fn listed(game: B256, account: Address, creator: Address, state: (Value, String)) -> (Value, String) {
    let (mut value, words) = state;
    let role = match creator == account {
        true => "creator",
        false if value["state"] == "open" => "invited",
        false => "joiner",
    };
    value["game"] = json!(game);
    value["role"] = role.into();
    let role = if role == "invited" { "you are invited" } else { role };
    (value, format!("{game}  {role}; {words}"))
}

/// Tells a list of games.
pub fn tell_list(of: &str, games: Vec<(Value, String)>, json: bool) -> Result<()> {
    if json {
        return say!("{}", Value::Array(games.into_iter().map(|(value, _)| value).collect()));
    }
    if games.is_empty() {
        let [create, join] = ["create", "join"].map(|command| hint(&format!("{of} {command}")));
        note!("no games yet: {create} opens one, {join} joins one");
    }
    games.iter().try_for_each(|(_, words)| say!("{words}"))
}

/// Tells who has something to fetch of it.
pub fn tell_withdraw(of: &str) {
    note!("{} fetches what the contract owes you.", hint(&format!("{of} withdraw")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use chain::send::TxId;
    use client::chain::Receipt;

    #[test]
    fn of_a_game_that_is_found_again_it_is_told_what_can_be_done_with_it() {
        let (transaction, block_hash) = (B256::ZERO, B256::ZERO);
        let receipt = Receipt { transaction, block: 1, block_hash, gas_used: 1, fee: 1, calldata_bytes: 1 };
        let (game, expiry) = (B256::repeat_byte(0xab), 1_000_000);
        let id = TxId(1);
        let created = |is_open| Created { game, expiry, id, receipt, earlier: true, is_open };
        let said = |is_open, now| found_again("tag", &created(is_open), now);
        let until = date(expiry);
        let open = said(true, expiry);
        assert!(open.contains(&format!("can be joined until {until}, whatever --open-for says here")), "{open}");
        let late = said(true, expiry + 1);
        assert!(late.contains(&format!("any more since {until}: `fogmate tag cancel 0xabababab` takes")), "{late}");
        for now in [0, expiry + 1] {
            let joined = said(false, now);
            assert!(joined.contains("in play by now: `fogmate tag play 0xabababab`"), "{joined}");
        }
        assert!([open, late].iter().all(|said| said.ends_with("; the same command again opens another")));
    }

    #[test]
    fn games_are_found_by_the_start_of_their_id() {
        let ids = [0xab, 0xac].map(B256::repeat_byte);
        let find = |text: &str| match game_or_start(text).expect("a start") {
            GameId::Whole(id) => Ok(id),
            GameId::Start(start) => game_by_start("dice", &start, ids.to_vec()),
        };
        assert_eq!(find("0xAB").expect("one"), ids[0]);
        assert_eq!(find("aca").expect("one"), ids[1]);
        assert!(find("a").expect_err("two").to_string().starts_with("2 games"));
        assert!(find("f").expect_err("none").to_string().contains("`fogmate dice list`"));
        let stranger = B256::repeat_byte(1);
        assert_eq!(find(&stranger.to_string()).expect("a whole id"), stranger);
        for wrong in ["", "0x", "castle", &format!("{stranger}0")] {
            assert!(game_or_start(wrong).is_err(), "{wrong}");
        }
    }
}
