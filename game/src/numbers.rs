//! Numbers as people read them.

use rules::Color;

/// A number with its thousands apart: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Seconds as a clock shows them: `9:59`, or `1:00:00`.
pub fn clock_time(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A time in seconds since 1970 as a date that people read: `2026-11-22 21:53:00 UTC`.
pub fn date(time: u64) -> String {
    let [year, month, day] = calendar_day(time);
    let (hour, minute, second) = (time / 3_600 % 24, time / 60 % 60, time % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Year, month and day of a time in seconds since 1970, in UTC.
pub fn calendar_day(time: u64) -> [u64; 3] {
    let mut day = time / 86_400;
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // 400 years have a whole number of days: no time takes long.
    let mut year = 1970 + day / 146_097 * 400;
    day %= 146_097;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    [year, month, day + 1]
}

/// A ply as players name the move.
pub fn move_name(ply: u16) -> String {
    let whose = if Color::of_ply(ply.into()) == Color::White { "White" } else { "Black" };
    format!("{whose}'s move {}", ply / 2 + 1)
}

/// The moves of a game of which so many plies are known, as players name them.
pub fn moves_known(plies: u16) -> String {
    plies.checked_sub(1).map_or_else(|| "no move".to_owned(), |last| format!("the moves up to {}", move_name(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_a_clock() {
        assert_eq!([0, 59, 600, 3_661].map(clock_time), ["0:00", "0:59", "10:00", "1:01:01"]);
    }

    #[test]
    fn plies_are_moves_of_white_and_black() {
        assert_eq!([0, 23].map(move_name), ["White's move 1", "Black's move 12"]);
        assert_eq!([0, 3].map(moves_known), ["no move", "the moves up to White's move 2"]);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        // From `date -u -d @…`.
        let times = [0, 951_782_399, 951_782_400, 1_709_164_800, 1_795_471_124, 4_107_542_399, 32_503_680_000];
        let expected = [
            "1970-01-01 00:00:00 UTC",
            "2000-02-28 23:59:59 UTC",
            "2000-02-29 00:00:00 UTC",
            "2024-02-29 00:00:00 UTC",
            "2026-11-23 21:58:44 UTC",
            "2100-02-28 23:59:59 UTC",
            "3000-01-01 00:00:00 UTC",
        ];
        assert_eq!(times.map(date), expected);
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
