//! The colors of the screen, one table for each kind of terminal. No other file names a color.

use ratatui::style::Color;

/// How many colors a terminal has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colors {
    True,
    /// The palette of xterm.
    Of256,
    Of16,
    /// None: letters and marks say everything.
    #[default]
    None,
}

impl Colors {
    /// What a terminal has, as its environment says (no-color.org, termstandard/colors).
    pub fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Self {
        let of = |name| variable(name).filter(|value| !value.is_empty());
        let term = of("TERM").unwrap_or_default();
        match of("COLORTERM").as_deref() {
            _ if of("NO_COLOR").is_some() || term == "dumb" => Self::None,
            Some("truecolor" | "24bit") => Self::True,
            _ if term.ends_with("256color") => Self::Of256,
            _ => Self::Of16,
        }
    }
}

/// What everything is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Squares, the light and the dark ones.
    pub squares: [Color; 2],
    /// Squares in the fog.
    pub fog: [Color; 2],
    pub last_move: Color,
    pub captured: Color,
    pub selected: Color,
    /// White's pieces and Black's.
    pub pieces: [Color; 2],
    /// Pieces that were seen and aren't any more, and marks.
    pub faint: Color,
    pub mark: Color,
    pub text: Color,
    pub dim: Color,
    pub warning: Color,
    /// Whether figures can be told apart by color; else White's are capital letters.
    pub has_colors: bool,
}

impl Theme {
    /// The theme of a terminal with so many colors.
    pub const fn new(colors: Colors) -> Self {
        match colors {
            Colors::True => Self {
                squares: [Color::Rgb(122, 142, 164), Color::Rgb(88, 110, 134)],
                fog: [Color::Rgb(106, 106, 110), Color::Rgb(96, 96, 100)],
                last_move: Color::Rgb(138, 130, 62),
                captured: Color::Rgb(172, 74, 74),
                selected: Color::Rgb(66, 132, 92),
                pieces: [Color::Rgb(255, 255, 255), Color::Rgb(0, 0, 0)],
                faint: Color::Rgb(210, 204, 174),
                mark: Color::Rgb(255, 255, 255),
                text: Color::Rgb(216, 216, 216),
                dim: Color::Rgb(140, 140, 140),
                warning: Color::Rgb(255, 176, 80),
                has_colors: true,
            },
            Colors::Of256 => Self {
                squares: [Color::Indexed(103), Color::Indexed(60)],
                fog: [Color::Indexed(242), Color::Indexed(241)],
                last_move: Color::Indexed(101),
                captured: Color::Indexed(131),
                selected: Color::Indexed(65),
                pieces: [Color::Indexed(231), Color::Indexed(16)],
                faint: Color::Indexed(187),
                mark: Color::Indexed(231),
                text: Color::Indexed(252),
                dim: Color::Indexed(245),
                warning: Color::Indexed(215),
                has_colors: true,
            },
            Colors::Of16 => Self {
                squares: [Color::Blue, Color::Black],
                fog: [Color::DarkGray, Color::DarkGray],
                last_move: Color::Magenta,
                captured: Color::Red,
                selected: Color::Magenta,
                pieces: [Color::White, Color::LightYellow],
                faint: Color::LightCyan,
                mark: Color::White,
                text: Color::Reset,
                dim: Color::Reset,
                warning: Color::LightYellow,
                has_colors: true,
            },
            Colors::None => Self {
                squares: [Color::Reset; 2],
                fog: [Color::Reset; 2],
                last_move: Color::Reset,
                captured: Color::Reset,
                selected: Color::Reset,
                pieces: [Color::Reset; 2],
                faint: Color::Reset,
                mark: Color::Reset,
                text: Color::Reset,
                dim: Color::Reset,
                warning: Color::Reset,
                has_colors: false,
            },
        }
    }
}
