//! How the screen is drawn: title, boards, panel, what is going on, what is typed, and what is asked.

use crate::board::{Picture, symbol};
use crate::layout::{Grid, LEAST, Layout};
use crate::model::Frame;
use crate::panel::Place;
use crate::popup::Popup;
use crate::replay::everything;
use crate::text::wrapped;
use crate::theme::Theme;
use crate::ui::Ui;
use game::{Notice, Terms, clock_time};
use ratatui::Frame as Screen;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use rules::{Color, Side, Sight};
use std::time::Instant;

impl Ui {
    /// Draws everything as it is at a time.
    pub fn draw(&mut self, screen: &mut Screen<'_>, now: Instant) {
        let area = screen.area();
        let frame = self.frame();
        self.layout = Layout::of(area, frame.as_ref().is_some_and(|frame| frame.truth.is_some()));
        let theme = Theme::new(self.settings.colors);
        let Some(mut layout) = self.layout else {
            let (width, height) = LEAST;
            let text = format!("The board needs {width} columns and {height} rows. The game goes on.");
            return screen.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        };
        let reply = wrapped(&self.reply, layout.panel.width.into());
        let of_reply = layout.set_aside(reply.len());
        self.draw_title(area, &theme, screen);
        match &frame {
            Some(frame) => self.draw_frame(frame, &layout, theme, screen),
            None => self.draw_board(&layout.grid, theme, screen),
        }
        let stepped = self.stepped;
        let at = Place { stepped, scrolled: self.scrolled, ascii: self.settings.ascii };
        self.model.draw_panel(&layout, &theme, at, now, screen.buffer_mut());
        self.draw_last_rows(&layout, &theme, now, screen);
        if let Some((title, text)) = self.told().map(|subject| self.model.told(subject, layout.small.is_some(), now)) {
            let Rect { x, width, .. } = layout.panel;
            draw_box(&title, &text, Rect { x, width, ..area }, Rect::bottom(layout.panel), &theme, screen);
        }
        screen.render_widget(Clear, of_reply);
        let strong = Style::new().fg(theme.text).add_modifier(Modifier::BOLD);
        screen.render_widget(Paragraph::new(reply.join("\n")).style(strong), of_reply);
        if let Some(popup) = &self.popup {
            let own = self.model.color().unwrap_or(Color::White);
            let is_letter = self.settings.ascii || !theme.has_colors;
            let mut text = popup.text(|piece| symbol(piece, own, is_letter));
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
            let width = (longest.max(popup.title().len()) + 6).min(72).min(usize::from(area.width) - 4) as u16;
            let middle = Rect { x: area.x + (area.width - width) / 2, width, ..area };
            let mut lines = wrapped(&text, usize::from(width) - 4);
            if let Popup::Keys { from, .. } = popup {
                lines.drain(..lines.len().min(*from));
                text = lines.join("\n");
            }
            let bottom = area.y + (area.height + lines.len() as u16 + 2) / 2;
            // The row that is typed in stays in sight.
            self.inside = draw_box(popup.title(), &text, middle, bottom.min(area.bottom() - 1), &theme, screen);
        }
    }

    /// The position of the game that is shown, once it is over.
    fn frame(&self) -> Option<Frame> {
        let frames = &self.model.frames;
        self.stepped.and_then(|at| frames.get(at)).or(frames.last()).cloned()
    }

    fn draw_title(&self, area: Rect, theme: &Theme, screen: &mut Screen<'_>) {
        let model = &self.model;
        let mut left = vec!["fogmate".to_owned()];
        if let Some(about) = &model.about {
            left.push(about.at.game_id.to_string()[..10].to_owned());
            left.push(time_control(&about.terms));
            left.push(match about.terms.stake {
                0 => "no stake".to_owned(),
                stake => format!("stake {} ETH", stake as f64 / 1e18),
            });
            left.push(about.terms.mode.to_string());
            left.push(format!("chain {}", about.at.chain_id));
        }
        let mut right = Vec::new();
        right.extend((!model.is_watched()).then(|| model.link()));
        if let Some(Notice::Chain { head, last_final, nodes, .. }) = &model.chain {
            let answering = nodes.iter().filter(|node| !node.silent).count();
            right.extend((nodes.len() > 1).then(|| format!("{answering} of {} nodes", nodes.len())));
            right.extend([format!("block {head}"), format!("final {last_final}")]);
        }
        let width = usize::from(area.width);
        let length = |parts: &[String]| parts.iter().map(|part| part.chars().count() + 3).sum::<usize>();
        // What is said last is left out first.
        while length(&left) + length(&right) > width && (left.len() > 1 || right.len() > 1) {
            if right.len() > 1 { drop(right.pop()) } else { drop(left.pop()) }
        }
        let (left, right) = (left.join(" · "), right.join(" · "));
        let style = Style::new().fg(theme.dim);
        screen.buffer_mut().set_stringn(area.x + 1, area.y, &left, width - 1, style);
        let x = area.right().saturating_sub(right.chars().count() as u16 + 1);
        if usize::from(x) > left.chars().count() {
            screen.buffer_mut().set_string(x, area.y, &right, style);
        }
    }

    /// A board without anything that the player is about to do.
    fn picture(&self, side: Side, sight: Sight, theme: Theme) -> Picture<'_> {
        Picture {
            side,
            sight,
            memory: None,
            flipped: self.has_black_below(),
            last_move: None,
            captured: None,
            selected: None,
            cursor: None,
            targets: Vec::new(),
            premove: None,
            theme,
            ascii: self.settings.ascii,
        }
    }

    fn draw_board(&self, grid: &Grid, theme: Theme, screen: &mut Screen<'_>) {
        let model = &self.model;
        let start = || (Side::start(model.color().unwrap_or(Color::White)), Sight::DARK);
        let (side, sight) = model.board().unwrap_or_else(start);
        let legal = model.legal().iter();
        let own = model.plies.iter().rfind(|ply| model.is_own(ply.number)).and_then(|ply| ply.mv);
        let picture = Picture {
            memory: Some(&model.memory),
            last_move: model.chosen.or(own),
            captured: model.plies.last().filter(|ply| !model.is_own(ply.number)).and_then(|ply| ply.capture),
            selected: self.selected,
            cursor: self.cursor,
            targets: legal.filter(|mv| self.selected == Some(mv.from)).map(|mv| mv.to).collect(),
            premove: self.premove.as_ref().and_then(|early| early.squares(&side, &sight)),
            ..self.picture(side, sight, theme)
        };
        picture.draw(grid, screen.buffer_mut());
        picture.draw_names(grid, screen.buffer_mut());
    }

    /// A position of a game that is over: the truth large and what each player saw small, or what this player knows.
    fn draw_frame(&self, frame: &Frame, layout: &Layout, theme: Theme, screen: &mut Screen<'_>) {
        let (last_move, captured) = (frame.last_move, frame.captured);
        let (side, sight) = frame.truth.as_ref().map_or_else(|| frame.own.clone(), everything);
        let large = Picture { last_move, captured, ..self.picture(side, sight, theme) };
        large.draw(&layout.grid, screen.buffer_mut());
        large.draw_names(&layout.grid, screen.buffer_mut());
        let (Some(truth), Some(grids), own) = (&frame.truth, layout.small, frame.own.0.color) else { return };
        let titles = match self.model.is_watched() {
            true => [own, !own].map(|color| format!("{} saw", color.name())),
            false => ["You saw", "The opponent saw"].map(str::to_owned),
        };
        for ((grid, color), title) in [(grids[0], own), (grids[1], !own)].into_iter().zip(titles) {
            let Rect { x, y, .. } = grid.board;
            screen.buffer_mut().set_string(x, y - 1, title, Style::new().fg(theme.dim));
            self.picture(truth.side(color).clone(), truth.sight(color), theme).draw(&grid, screen.buffer_mut());
        }
    }

    fn draw_last_rows(&self, layout: &Layout, theme: &Theme, now: Instant, screen: &mut Screen<'_>) {
        let [status, typed] = layout.last_rows();
        let text = match (&self.premove, self.stepped) {
            (_, Some(made)) => format!("After {} · {}", self.model.name_of(made), self.model.result()),
            (Some(early), None) => format!("{early} comes next, if it can.  {}", self.model.status(now)),
            (None, None) => self.model.status(now),
        };
        let is_timed = self.model.awaiting.is_some_and(|awaiting| awaiting.until.is_some());
        let is_urgent = is_timed || self.model.draw_offered || self.model.wake.is_some();
        let color = if is_urgent { theme.warning } else { theme.text };
        let style = Style::new().fg(color).add_modifier(Modifier::BOLD);
        let width = usize::from(layout.area.width);
        screen.buffer_mut().set_stringn(status.x + 1, status.y, text, width - 1, style);
        let help = match (&self.popup, self.is_on_board) {
            (Some(Popup::Keys { .. }), _) => "any key goes on   Esc".to_owned(),
            (Some(Popup::Promotion { .. }), _) => "arrows Enter   q r b n   Esc".to_owned(),
            (Some(_), _) => "Enter   Esc".to_owned(),
            (None, _) if self.model.ending.is_some() => self.model.keys_at_end(),
            (None, true) => "Space picks and drops   n next   Tab types".to_owned(),
            (None, false) => "a move, or a command   ? keys".to_owned(),
        };
        let prompt = format!("> {}", self.input.text());
        screen.buffer_mut().set_stringn(typed.x + 1, typed.y, &prompt, width - 1, Style::new().fg(theme.text));
        if prompt.chars().count() + help.chars().count() + 4 < width {
            let x = typed.right() - help.chars().count() as u16 - 1;
            screen.buffer_mut().set_string(x, typed.y, &help, Style::new().fg(theme.dim));
        }
        let column = (typed.x + 3).saturating_add(self.input.cursor() as u16).min(typed.right() - 1);
        screen.set_cursor_position(Position::new(column, typed.y));
    }
}

/// Each player's time, as players write it: for the game, and for each move.
fn time_control(terms: &Terms) -> String {
    let base = clock_time(terms.base.into());
    match terms.increment {
        0 => base,
        increment => format!("{base} + {increment} s"),
    }
}

/// A box that ends at a row and is as high as its text, within the columns of a place; where its text was drawn.
fn draw_box(title: &str, text: &str, place: Rect, bottom: u16, theme: &Theme, screen: &mut Screen<'_>) -> Rect {
    let lines = wrapped(text, usize::from(place.width.saturating_sub(4)).max(1));
    let height = (lines.len() as u16 + 2).min(bottom - place.y);
    let place = Rect { y: bottom - height, height, ..place };
    // Without colors a title that is bold is enough.
    let block = Block::bordered().title(format!(" {title} ")).title_style(Style::new().add_modifier(Modifier::BOLD));
    let block = block.border_style(Style::new().fg(theme.warning));
    let inside = Rect::new(place.x + 2, place.y + 1, place.width.saturating_sub(4), height.saturating_sub(2));
    screen.render_widget(Clear, place);
    screen.render_widget(block, place);
    let text = Paragraph::new(lines.join("\n")).style(Style::new().fg(theme.text));
    screen.render_widget(text, inside);
    inside
}
