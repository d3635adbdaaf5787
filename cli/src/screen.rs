//! The full screen of a game: the terminal is taken and given back here, keys and clicks come in, and [`tui::Ui`] decides what they mean.

use std::io::{Write as _, stdout};
use std::time::Instant;

use eyre::Result;
use game::Notice;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{Event, KeyEventKind};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tui::{Action, Colors, Settings, Ui};

use crate::output::redirect;
use crate::terminal;

/// How a game is shown to a person.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct ScreenArgs {
    /// Tell the game line by line, as where input or output is no terminal, TERM is dumb or FOGMATE_PLAIN is set
    #[arg(long)]
    pub plain: bool,
    /// Line by line, tell also what this machine proves and sends, and what it costs
    #[arg(long)]
    pub verbose: bool,
    /// Show pieces as letters, for terminals without chess figures
    #[arg(long)]
    pub ascii: bool,
    /// Leave the mouse to the terminal
    #[arg(long)]
    pub no_mouse: bool,
    /// Ring no bell when little time is left
    #[arg(long)]
    pub no_bell: bool,
    /// Take moves before it is your turn in games for a stake, too
    #[arg(long)]
    pub premove: bool,
}

impl ScreenArgs {
    /// Whether there is a terminal that a screen can be shown on.
    pub fn is_full(&self) -> bool {
        let is_set = std::env::var_os("FOGMATE_PLAIN").is_some_and(|value| !value.is_empty());
        !self.plain && !is_set && terminal::is_capable()
    }

    /// The flags, for a process that plays in this one's place.
    pub fn flags(&self) -> Vec<&'static str> {
        let Self { plain, verbose, ascii, no_mouse, no_bell, premove } = *self;
        let all = [
            (plain, "--plain"),
            (verbose, "--verbose"),
            (ascii, "--ascii"),
            (no_mouse, "--no-mouse"),
            (no_bell, "--no-bell"),
            (premove, "--premove"),
        ];
        all.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).collect()
    }
}

/// A terminal that shows a game. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct FullScreen {
    terminal: DefaultTerminal,
    /// What is shown, from the next line that is waited for.
    pub ui: Ui,
    args: ScreenArgs,
    events: UnboundedReceiver<Event>,
    asides: UnboundedReceiver<String>,
}

impl FullScreen {
    /// Takes the terminal for a game that is played for a stake, in wei. One that is solo ends with this program.
    pub fn open(args: ScreenArgs, stake: u128, solo: bool) -> Result<Self> {
        let colors = Colors::of_terminal(|name| std::env::var(name).ok());
        let premove = stake == 0 || args.premove;
        let terminal = terminal::enter_screen(!args.no_mouse)?;
        let events = terminal::events();
        let (aside, asides) = unbounded_channel();
        redirect(Some(aside));
        let ui = Ui::new(Settings { colors, ascii: args.ascii, premove, solo });
        Ok(Self { terminal, ui, args, events, asides })
    }

    /// The next line that the player gives; none when it wants to leave.
    pub async fn next(&mut self) -> Result<Option<String>> {
        loop {
            self.draw()?;
            let action = tokio::select! {
                event = self.events.recv() => match event {
                    Some(event) => self.on_event(event),
                    None => return Ok(None),
                },
                Some(text) = self.asides.recv() => {
                    self.ui.say(&text);
                    None
                }
                () = tokio::time::sleep(self.ui.lasts(Instant::now())) => None,
            };
            match action {
                Some(Action::Line(line)) => return Ok(Some(line)),
                Some(Action::Quit) => return Ok(None),
                Some(Action::Suspend) => self.suspend()?,
                Some(Action::Redraw) => self.redraw()?,
                None => {}
            }
        }
    }

    fn on_event(&mut self, event: Event) -> Option<Action> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.ui.key(key),
            Event::Mouse(mouse) => self.ui.mouse(mouse),
            Event::Paste(text) => {
                self.ui.paste(&text);
                None
            }
            _ => None,
        }
    }

    /// Takes what has happened; a move that was given early may be due then.
    pub fn take(&mut self, notice: &Notice) -> Option<String> {
        match self.ui.take(notice, Instant::now())? {
            Action::Line(line) => Some(line),
            Action::Quit | Action::Suspend | Action::Redraw => None,
        }
    }

    /// Rings the terminal's bell.
    pub fn ring(&self) {
        if !self.args.no_bell {
            // A terminal without a bell is silent.
            let _ = stdout().write_all(b"\x07").and_then(|()| stdout().flush());
        }
    }

    /// Shows everything as it is now.
    fn draw(&mut self) -> Result<()> {
        if terminal::was_torn() {
            self.terminal = terminal::enter_screen(!self.args.no_mouse)?;
            self.ui.say("A part of this program has failed and was started again; the game goes on.");
        }
        let ui = &mut self.ui;
        self.terminal.draw(|frame| ui.draw(frame, Instant::now()))?;
        Ok(())
    }

    /// Forgets what the screen shows, so that all of it is drawn anew.
    fn redraw(&mut self) -> Result<()> {
        // Clearing would ask the terminal where its cursor is, and what is typed is read by somebody else.
        let area = self.terminal.size()?.into();
        Ok(self.terminal.resize(area)?)
    }

    /// Gives the terminal to the shell until it has the program go on.
    pub fn suspend(&mut self) -> Result<()> {
        terminal::stop()?;
        self.terminal = terminal::enter_screen(!self.args.no_mouse)?;
        Ok(())
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        redirect(None);
        terminal::leave();
    }
}
