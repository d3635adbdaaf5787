//! What the terms of a game mean on the chain that it is played on: whether they leave a machine the time that it needs, and what a
//! hostile opponent can make a player pay. For a stake a want of time is a refusal ([`super::LobbyError::TooShort`]), else it is told.

use game::{EXCHANGE_GAS, Mode, Terms, clock_time};

use super::about_in_ether;
use super::times::{Shortage, Time, shortages};

/// Exchanges in a full move: two sights for each player.
const EXCHANGES: u128 = 4;

/// A shorter clock may be a slip, of seconds for minutes.
const MINUTE: u32 = 60;

/// Nobody proves or verifies the moves.
const UNPROVEN: &str = "the contract verifies no move of this game: what its engine leaves unproven is found out afterwards, an illegal move \
     if its player publishes its view key, and a false sight if both disclose what they have said; no sight can be demanded, and no draw \
     claimed";

/// The moves are on the players' disks alone.
const CHANNEL: &str = "the moves of this game are on the players' disks and not on the chain: whoever loses its journal and has no backup \
     must trust the opponent's word or resign, whoever is away for longer than the window may lose, and nobody can audit the game from the \
     chain alone";

/// What to know of terms before agreeing to them, where a block takes `finality` seconds to be final and a unit of gas costs `price` wei:
/// one sentence each.
pub fn cautions(terms: &Terms, finality: u64, price: u128) -> Vec<String> {
    let mut found: Vec<String> = shortages(terms, finality).iter().map(too_short).collect();
    if !terms.mode.has_proofs() {
        found.push(UNPROVEN.to_owned());
    }
    if terms.mode == Mode::Channel {
        found.push(CHANNEL.to_owned());
    }
    match terms.base {
        0 => {
            let delay = clock_time(terms.delay.into());
            found.push(format!("there is no time on the clocks: a move that takes longer than {delay} loses"));
        }
        base if base < MINUTE => {
            let base = clock_time(base.into());
            found.push(format!(
                "each clock has {base} for the whole game, besides what each move adds: whoever thinks longer has lost"
            ));
        }
        _ => {}
    }
    if terms.stake > 0 {
        let gas = EXCHANGES.saturating_mul(EXCHANGE_GAS.into());
        let full_move = about_in_ether(gas.saturating_mul(price));
        found.push(format!(
            "an opponent can have every sight go through the chain, which then costs each of you about {full_move} ETH a full move at the \
             present fee: be ready to pay that to the end of the game"
        ));
    }
    found
}

fn too_short(shortage: &Shortage) -> String {
    let Shortage { time, least, found } = *shortage;
    let [found, needed, lacking] = [found.into(), least, least.saturating_sub(found.into())].map(clock_time);
    match time {
        Time::Delay => format!(
            "a move may take {needed} to be made and final on this chain, and only {found} are off the clock: each of your moves may \
             cost {lacking} of your time before you can think"
        ),
        _ => format!(
            "the {time} is {found}, and a machine that runs may need {needed} on this chain: who is in the right may lose"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: Terms = Terms {
        mode: Mode::Verified,
        stake: 1,
        base: 3_600,
        increment: 30,
        delay: 60,
        window: 3_600,
        reveal: 600,
        expiry: 0,
        opponent: None,
    };

    #[test]
    fn a_chain_that_is_slow_to_be_final_is_told() {
        let free = Terms { stake: 0, ..TERMS };
        assert!(cautions(&free, 0, 1).is_empty());
        let found = cautions(&free, 144, 1);
        let [slow] = &found[..] else { panic!("the delay alone is short: {found:?}") };
        assert!(slow.contains("may take 3:24 to be made and final on this chain, and only 1:00 are off"), "{slow}");
        assert!(slow.contains("may cost 2:24 of your time"), "{slow}");
    }

    #[test]
    fn a_game_whose_moves_nobody_proves_is_marked() {
        let unproven = Terms { mode: Mode::Unproven, stake: 0, window: 1, ..TERMS };
        // No demand has to be answered in it.
        assert_eq!(cautions(&unproven, 0, 1), [UNPROVEN]);
    }

    #[test]
    fn a_game_that_stands_on_disks_is_marked() {
        let channel = Terms { mode: Mode::Channel, stake: 0, ..TERMS };
        assert_eq!(cautions(&channel, 0, 1), [CHANNEL]);
    }

    #[test]
    fn clocks_without_time_are_told() {
        let bare = Terms { stake: 0, base: 0, ..TERMS };
        let found = cautions(&bare, 0, 1);
        assert!(found.len() == 1 && found[0].contains("longer than 1:00 loses"), "{found:?}");
    }

    #[test]
    fn a_clock_of_less_than_a_minute_is_told() {
        let told = |base| cautions(&Terms { stake: 0, base, ..TERMS }, 0, 1);
        let found = told(30);
        assert!(found[0].contains("each clock has 0:30 for the whole game"), "{found:?}");
        assert_eq!((told(59).len(), told(60).len()), (1, 0));
    }

    #[test]
    fn a_stake_is_told_what_defending_it_may_cost() {
        let found = cautions(&TERMS, 0, 1_000_000_000);
        assert!(found.len() == 1 && found[0].contains("about 0.0042 ETH a full move"), "{found:?}");
    }
}
