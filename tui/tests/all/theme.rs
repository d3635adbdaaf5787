//! Figures can be told from every square that they may stand on.

use ratatui::style::Color;
use tui::{Colors, Theme};

/// Red, green and blue of xterm's palette; of the first sixteen, as VGA has them.
fn rgb(color: Color) -> [u8; 3] {
    const VGA: [(Color, [u8; 3]); 9] = [
        (Color::Black, [0, 0, 0]),
        (Color::Blue, [0, 0, 170]),
        (Color::DarkGray, [85, 85, 85]),
        (Color::Magenta, [170, 0, 170]),
        (Color::Red, [170, 0, 0]),
        (Color::White, [255, 255, 255]),
        (Color::LightYellow, [255, 255, 85]),
        (Color::LightCyan, [85, 255, 255]),
        (Color::Gray, [170, 170, 170]),
    ];
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(gray @ 232..) => [8 + 10 * (gray - 232); 3],
        Color::Indexed(index @ 16..) => {
            let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let index = index - 16;
            [level(index / 36), level(index / 6 % 6), level(index % 6)]
        }
        named => VGA.into_iter().find(|(known, _)| *known == named).map(|(_, rgb)| rgb).expect("a known color"),
    }
}

/// The contrast of two colors (WCAG 2.2, relative luminance).
fn contrast(a: Color, b: Color) -> f64 {
    let luminance = |color: Color| {
        let linear = rgb(color).map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn every_figure_stands_out_on_every_square() {
    for colors in [Colors::True, Colors::Of256, Colors::Of16] {
        let theme = Theme::new(colors);
        let squares = [theme.squares, theme.fog].concat();
        for under in squares.into_iter().chain([theme.last_move, theme.captured, theme.selected]) {
            for figure in theme.pieces.into_iter().chain([theme.mark]) {
                let contrast = contrast(figure, under);
                assert!(contrast >= 3.0, "{colors:?}: {figure:?} on {under:?} has {contrast:.2}");
            }
        }
        for under in theme.fog {
            let contrast = contrast(theme.faint, under);
            assert!(contrast >= 3.0, "{colors:?}: what is remembered on {under:?} has {contrast:.2}");
        }
    }
}

#[test]
fn a_terminal_s_colors_are_what_its_environment_says() {
    let of = |set: &[(&str, &str)]| {
        Colors::of_terminal(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    };
    assert_eq!(of(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), Colors::True);
    assert_eq!(of(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]), Colors::Of256);
    assert_eq!(of(&[("TERM", "xterm")]), Colors::Of16);
    assert_eq!(of(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Colors::None);
    assert_eq!(of(&[("TERM", "dumb"), ("COLORTERM", "24bit")]), Colors::None);
}
