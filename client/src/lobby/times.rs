//! The least times of a game for a stake. Who opens a game sets them, and who joins it may have looked at the stake alone: with a
//! second to reveal, to answer or to move, the stake would be lost before a machine can act.

use super::LobbyError;
use fog::ensure;
use game::Terms;

/// To make a move or a demand and have it included, once what it follows is final. In seconds, like all here.
const LEAST_DELAY: u64 = 60;
/// To have a reveal included, once what it follows is final.
const LEAST_REVEAL: u64 = 5 * 60;
/// To be told of a demand, prove the answer, and have it included in times of congestion.
const LEAST_WINDOW: u64 = 11 * 60;

/// Refuses terms by which a machine that runs could lose its stake for want of time. `finality` is how long a block takes to become
/// final here, in seconds.
pub(super) fn check(terms: &Terms, finality: u64) -> Result<(), LobbyError> {
    let least = [
        ("delay", terms.delay, LEAST_DELAY),
        ("time to reveal the toss", terms.reveal, LEAST_REVEAL),
        ("time to answer a demand", terms.window, LEAST_WINDOW),
    ];
    for (what, found, least) in least {
        let least = least.saturating_add(finality);
        ensure!(u64::from(found) >= least, LobbyError::TooShort { what, least, found });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Mode;

    const ENOUGH: Terms = Terms {
        mode: Mode::Verified,
        stake: 1,
        base: 0,
        increment: 0,
        delay: 60,
        window: 660,
        reveal: 300,
        expiry: 0,
        opponent: None,
    };

    #[test]
    fn each_time_must_cover_finality_and_what_is_done_after_it() {
        assert!(check(&ENOUGH, 0).is_ok());
        assert!(check(&ENOUGH, 1).is_err());
        assert!(check(&Terms { delay: 204, window: 804, reveal: 444, ..ENOUGH }, 144).is_ok());
        let hasty = [Terms { delay: 59, ..ENOUGH }, Terms { window: 659, ..ENOUGH }, Terms { reveal: 299, ..ENOUGH }];
        for terms in hasty {
            assert!(matches!(check(&terms, 0), Err(LobbyError::TooShort { .. })), "{terms:?}");
        }
        let sentence = check(&Terms { reveal: 1, ..ENOUGH }, 0).map_err(|error| error.to_string());
        let expected =
            "a game for a stake needs 300 s of time to reveal the toss at least on this chain, and this one has 1 s";
        assert_eq!(sentence, Err(expected.to_owned()));
    }
}
