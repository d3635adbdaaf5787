//! Where a game is shown, and where its player types: the full screen, a terminal line by line, or a pipe.

use eyre::Result;

use super::Options;
use crate::editor::Editor;
use crate::failure::Interrupted;
use crate::input::Lines;
use crate::output::Screen;
use crate::screen::{FullScreen, ScreenArgs};
use crate::terminal;

/// How a game is shown, and how its player types.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// Notices as JSON, one a line.
    Json,
    /// In sentences, line by line.
    Lines {
        /// Whether a terminal lets the line that is typed be edited.
        edited: bool,
        /// Whether the trade of proving and sending is told, too.
        verbose: bool,
        /// Whether a move may be typed before it is the player's turn.
        premove: bool,
    },
    Full(ScreenArgs),
}

/// Where a game is shown, and where its player types.
pub(super) enum Face {
    Lines(Screen, Lines),
    Edited(Editor),
    Full(Box<FullScreen>),
}

impl Face {
    /// Opens the one that a game is to be shown on.
    pub(super) fn open(options: &Options) -> Result<Self> {
        Ok(match options.manner {
            Manner::Full(args) => Self::Full(Box::new(FullScreen::open(args, options.stake, options.is_solo)?)),
            Manner::Lines { edited: true, .. } => Self::Edited(Editor::open()?),
            Manner::Lines { .. } | Manner::Json => Self::Lines(Screen::default(), Lines::read()),
        })
    }

    /// The next line that the player gives; none at the end of the input.
    pub(super) async fn next(&mut self) -> Result<Option<String>> {
        match self {
            Self::Lines(_, lines) => Ok(lines.next().await),
            Self::Edited(editor) => editor.next().await,
            Self::Full(screen) => match screen.next().await? {
                None => Err(Interrupted.into()),
                line => Ok(line),
            },
        }
    }

    /// Says what came of the player's line.
    pub(super) fn reply(&mut self, text: &str) {
        match self {
            Self::Full(screen) => screen.ui.reply(text),
            Self::Lines(..) | Self::Edited(_) => self.say(text),
        }
    }

    /// Gives the terminal to the shell until it has the program go on.
    pub(super) fn suspend(&mut self) -> Result<()> {
        match self {
            Self::Lines(..) => terminal::stop(),
            Self::Edited(editor) => editor.suspend(),
            Self::Full(screen) => screen.suspend(),
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        match self {
            Self::Lines(screen, _) => screen.show(format_args!("{text}")),
            Self::Edited(editor) => editor.show(text),
            Self::Full(screen) => screen.ui.say(text),
        }
    }
}
