//! What the terms of a game mean on the chain that it is played on: whether they leave a machine the time that it needs, and what a
//! hostile opponent can make a player pay. For a stake a want of time is a refusal ([`super::LobbyError::TooShort`]), else it is told.

use derive_more::Display;
use game::{EXCHANGE_GAS, Mode, Terms, clock_time};

use super::about_in_ether;
use super::times::{Shortage, Time, shortages};
use crate::chain::{Chain, ChainError};

/// Exchanges in a full move: two sights for each player.
const EXCHANGES: u128 = 4;

/// A shorter clock may be a slip, of seconds for minutes.
const MINUTE: u32 = 60;

/// What of a chain decides whether terms are prudent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// How long a block takes to be final, in seconds.
    pub finality: u64,
    /// What a unit of gas costs, in wei.
    pub price: u128,
}

impl Conditions {
    /// As they are now.
    pub async fn now(chain: &Chain) -> Result<Self, ChainError> {
        Ok(Self { finality: chain.finality_time().await?, price: chain.price().await? })
    }
}

/// What a player should know before it agrees to terms.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Caution {
    /// A time is shorter than a machine that runs may need.
    #[display("{}", too_short(_0))]
    Short(Shortage),
    /// Nobody proves or verifies the moves.
    #[display(
        "the contract verifies no move of this game: what its engine leaves unproven is found out afterwards, an illegal move if its player \
         publishes its view key, and a false sight if both disclose what they have said; no sight can be demanded, and no draw claimed"
    )]
    Unproven,
    /// The moves are on the players' disks alone.
    #[display(
        "the moves of this game are on the players' disks and not on the chain: whoever loses its journal and has no backup must trust the \
         opponent's word or resign, whoever is away for longer than the window may lose, and nobody can audit the game from the chain alone"
    )]
    Channel,
    /// There is no time but the delay of each ply, in seconds.
    #[display("there is no time on the clocks: a move that takes longer than {} loses", clock_time((*delay).into()))]
    NoTime { delay: u32 },
    /// There is less than a minute on each clock, in seconds.
    #[display(
        "each clock has {} for the whole game, besides what each move adds: whoever thinks longer has lost",
        clock_time((*base).into())
    )]
    LittleTime { base: u32 },
    /// What the chain takes for a full move all of whose sights are demanded, in wei, from each player.
    #[display(
        "an opponent can have every sight go through the chain, which then costs each of you about {} ETH a full move at the present fee: \
         be ready to pay that to the end of the game",
        about_in_ether(*_0)
    )]
    Outspending(u128),
}

/// What to know of terms before agreeing to them.
pub fn cautions(terms: &Terms, conditions: &Conditions) -> Vec<Caution> {
    let Conditions { finality, price } = *conditions;
    let mut found: Vec<Caution> = shortages(terms, finality).into_iter().map(Caution::Short).collect();
    if !terms.mode.has_proofs() {
        found.push(Caution::Unproven);
    }
    if terms.mode == Mode::Channel {
        found.push(Caution::Channel);
    }
    match terms.base {
        0 => found.push(Caution::NoTime { delay: terms.delay }),
        base if base < MINUTE => found.push(Caution::LittleTime { base }),
        _ => {}
    }
    if terms.stake > 0 {
        let gas = EXCHANGES.saturating_mul(EXCHANGE_GAS.into());
        found.push(Caution::Outspending(gas.saturating_mul(price)));
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
        let on = |finality| cautions(&free, &Conditions { finality, price: 1 });
        assert_eq!(on(0), []);
        let [slow] = on(144)[..] else { panic!("the delay alone is short") };
        assert_eq!(slow, Caution::Short(Shortage { time: Time::Delay, least: 204, found: 60 }));
        assert!(slow.to_string().contains("may cost 2:24 of your time"), "{slow}");
    }

    #[test]
    fn a_game_whose_moves_nobody_proves_is_marked() {
        let unproven = Terms { mode: Mode::Unproven, stake: 0, window: 1, ..TERMS };
        // No demand has to be answered in it.
        let found = cautions(&unproven, &Conditions { finality: 0, price: 1 });
        assert_eq!(found, [Caution::Unproven]);
        assert!(found[0].to_string().contains("the contract verifies no move"));
    }

    #[test]
    fn a_game_that_stands_on_disks_is_marked() {
        let channel = Terms { mode: Mode::Channel, stake: 0, ..TERMS };
        let found = cautions(&channel, &Conditions { finality: 0, price: 1 });
        assert_eq!(found, [Caution::Channel]);
        assert!(found[0].to_string().contains("whoever loses its journal and has no backup"));
    }

    #[test]
    fn clocks_without_time_are_told() {
        let bare = Terms { stake: 0, base: 0, ..TERMS };
        let found = cautions(&bare, &Conditions { finality: 0, price: 1 });
        assert_eq!(found, [Caution::NoTime { delay: 60 }]);
        assert!(found[0].to_string().contains("longer than 1:00 loses"));
    }

    #[test]
    fn a_clock_of_less_than_a_minute_is_told() {
        let told = |base| cautions(&Terms { stake: 0, base, ..TERMS }, &Conditions { finality: 0, price: 1 });
        let found = told(30);
        assert!(found[0].to_string().contains("each clock has 0:30 for the whole game"), "{found:?}");
        assert_eq!((told(59).len(), told(60).len()), (1, 0));
    }

    #[test]
    fn a_stake_is_told_what_defending_it_may_cost() {
        let found = cautions(&TERMS, &Conditions { finality: 0, price: 1_000_000_000 });
        assert_eq!(found, [Caution::Outspending(4_200_000_000_000_000)]);
        assert!(found[0].to_string().contains("about 0.0042 ETH a full move"));
    }
}
