//! Takes the whole terminal as a game does, and fails at the first key: `test/terminal.py` looks whether the terminal is given back.

#[allow(dead_code, reason = "what reads keys and gives the terminal to the shell is for games")]
#[path = "../src/terminal.rs"]
mod terminal;

fn main() -> eyre::Result<()> {
    terminal::enter_screen(true)?;
    ratatui::crossterm::event::read()?;
    panic!("a defect of an example");
}
