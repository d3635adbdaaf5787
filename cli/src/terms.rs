//! Amounts, times and addresses as people write them: `0.05` ether, `90s`, `10m`, `1h`.

use alloy::primitives::{Address, utils::parse_ether};
use client::chain::{Chain, ChainError};
use client::lobby::{cautions, in_ether};
use game::{Mode, Terms, clock_time};

use crate::output::note;

/// The longest time that the contracts of tag and dice take: thirty days.
pub const LONGEST_TURN: u32 = 30 * 86_400;

/// Decimal places of an amount of ether.
const WEI_DIGITS: usize = 18;

/// Units of time with their seconds, the longest first, as they follow each other in a time.
const UNITS: [(char, u32); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

pub fn ether(text: &str) -> Result<u128, String> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    // The parser cuts off what is below a wei.
    let is_whole = text.split_once('.').is_none_or(|(_, decimals)| decimals.trim_end_matches('0').len() <= WEI_DIGITS);
    let wei = parse_ether(text).ok().filter(|_| plain && is_whole);
    let wei = wei.and_then(|wei| u128::try_from(wei).ok()).filter(|wei| *wei < 1 << 96);
    wei.ok_or_else(|| format!("{text:?} is not an amount of ether, such as 0.05"))
}

/// A time such as 90s, 10m or 1h30m in seconds. Only no time needs no unit.
pub fn seconds(text: &str) -> Result<u32, String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (mut rest, mut sum) = (text, Some(0u32));
    for (unit, length) in UNITS {
        if let Some((number, after)) = rest.split_once(unit) {
            let time = number.parse::<u32>().ok().filter(|_| is_number(number)).and_then(|n| n.checked_mul(length));
            sum = sum.zip(time).and_then(|(sum, time)| sum.checked_add(time));
            rest = after;
        }
    }
    match sum {
        _ if text == "0" => Ok(0),
        Some(seconds) if rest.is_empty() && !text.is_empty() => Ok(seconds),
        Some(_) if is_number(rest) => Err(format!("{text:?} has no unit at its end: is it {text}s or {text}m?")),
        _ => Err(format!("{text:?} is not a time, such as 90s, 10m, 1h30m or 7d")),
    }
}

/// The time for one action of tag or dice, or to join, as their contracts take it, in seconds.
pub fn turn(text: &str) -> Result<u32, String> {
    let turn = seconds(text)?;
    let is_fit = (1..=LONGEST_TURN).contains(&turn);
    is_fit.then_some(turn).ok_or_else(|| format!("{text:?} is not between one second and thirty days"))
}

/// When the proofs of moves are verified, of a game of sight-lines.
pub fn mode(text: &str) -> Result<Mode, String> {
    let none = format!(
        "{text:?} is no mode: say `verified`, where the chain verifies each move, or `channel`, where the opponent's machine does and the chain judges \
         if need be"
    );
    let mode: Mode = text.parse().map_err(|_| none)?;
    match mode.has_proofs() {
        true => Ok(mode),
        false => {
            Err("in mode unproven the contract verifies no move: it comes by itself with sight engines that prove no moves (--engine NAME); \
                 without one say `verified` or `channel`"
                .to_owned())
        }
    }
}

pub fn ply(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("{text:?} is not a ply: plies are counted from 0"))
}

pub fn address(text: &str) -> Result<Address, String> {
    let address: Address =
        text.parse().map_err(|_| format!("{text:?} is not an address (0x and 40 hexadecimal digits)"))?;
    // Which letters are capitals is a checksum (EIP-55), unless all are or none is.
    let digits = text.trim_start_matches("0x");
    let is_mixed = digits.bytes().any(|b| b.is_ascii_lowercase()) && digits.bytes().any(|b| b.is_ascii_uppercase());
    if is_mixed && address.to_string().trim_start_matches("0x") != digits {
        return Err(format!("{text:?} has a typing error: its capital letters don't fit its digits"));
    }
    Ok(address)
}

/// Terms in a sentence.
pub fn describe(terms: &Terms) -> String {
    let clock = |seconds: u32| clock_time(seconds.into());
    let stake = match terms.stake {
        0 => "no stake".to_owned(),
        wei => format!("a stake of {} ETH each", in_ether(wei)),
    };
    let mode = match terms.mode {
        Mode::Verified => "mode verified: the chain verifies every move",
        Mode::Unproven => "mode UNPROVEN: the contract verifies no move",
        Mode::Channel => {
            "mode channel: the moves go from machine to machine, proven and signed, and the chain judges if need be"
        }
    };
    let answering = match terms.mode.has_proofs() {
        true => format!("{} to answer a demand, ", clock(terms.window)),
        false => String::new(),
    };
    format!(
        "{stake}, {} on each clock, {} more after each move, {} a move before a clock runs; {answering}{} to reveal the toss; \
         {mode}",
        clock(terms.base),
        clock(terms.increment),
        clock(terms.delay),
        clock(terms.reveal)
    )
}

/// Tells what the terms mean on this chain: who joins before it agrees to them, who has opened the game while it can be cancelled.
pub async fn tell_cautions(chain: &Chain, terms: &Terms) -> Result<(), ChainError> {
    for caution in cautions(terms, chain.finality_time().await?, chain.price().await?) {
        note!("note: {caution}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_in_an_address_is_found_by_its_capitals() {
        let right = "0x35ec630aed657bA8dE88368D982afa70123f4619";
        for same in [right.to_owned(), right.to_lowercase(), format!("0x{}", right[2..].to_uppercase())] {
            assert_eq!(address(&same), Ok(right.parse().expect("an address")));
        }
        let wrong = address(&right.replace("4619", "4618")).expect_err("another digit");
        assert!(wrong.contains("typing error"), "{wrong}");
        assert!(address("0x0").is_err() && address("").is_err());
    }

    #[test]
    fn amounts_are_read() {
        assert_eq!(ether("0.05"), Ok(50_000_000_000_000_000));
        assert_eq!((ether("0"), ether("2")), (Ok(0), Ok(2_000_000_000_000_000_000)));
        assert_eq!(ether("0.0000000000000000010"), Ok(1));
        for wrong in ["", "-1", "1e3", "1 ether", "99999999999999999999", "0.0000000000000000001"] {
            assert!(ether(wrong).is_err(), "{wrong}");
        }
        assert_eq!(ether("0.050").map(in_ether), Ok("0.05".into()));
    }

    #[test]
    fn a_mode_is_one_of_sight_lines() {
        assert_eq!(mode("verified"), Ok(Mode::Verified));
        assert!(mode("unproven").expect_err("sight-lines proves its moves").contains("prove no moves"));
        assert_eq!(mode("channel"), Ok(Mode::Channel));
        assert!(mode("fast").expect_err("no mode").contains("`verified`, where the chain verifies"));
    }

    #[test]
    fn a_game_whose_moves_nobody_proves_is_marked() {
        let terms = |mode| Terms {
            mode,
            stake: 0,
            base: 600,
            increment: 0,
            delay: 60,
            window: 60,
            reveal: 60,
            expiry: 0,
            opponent: None,
        };
        assert!(describe(&terms(Mode::Unproven)).contains("UNPROVEN: the contract verifies no move"));
        assert!(!describe(&terms(Mode::Verified)).contains("UNPROVEN"));
    }

    #[test]
    fn times_are_read() {
        assert_eq!(["90s", "10m", "1h", "7d", "0"].map(seconds), [90, 600, 3_600, 604_800, 0].map(Ok));
        assert_eq!(["1h30m", "1d1s", "1d2h3m4s"].map(seconds), [5_400, 86_401, 93_784].map(Ok));
        for wrong in ["", "s", "1w", "-1", "1.5h", "30m1h", "1m1m", "1hm", "1h 30m", "9999999999s", "49710d7h"] {
            assert!(seconds(wrong).is_err_and(|why| why.contains("is not a time")), "{wrong}");
        }
        for bare in ["30", "1h30", "00"] {
            assert!(seconds(bare).is_err_and(|why| why.contains("has no unit at its end")), "{bare}");
        }
    }
}
