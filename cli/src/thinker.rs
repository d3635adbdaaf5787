//! The bot at a seat: it reads the notices that a person would, and gives the commands that a person would.
//!
//! It thinks on one thread of its own, which gives way to everything else: proofs go first. What it was told is kept in a log in the home folder. After a
//! restart the belief is made again from that; what the log lacks, the bot does without.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use bot::{Bot, Level};
use chain::private;
use eyre::{Result, WrapErr as _};
use game::{Command, CommandError, Notice, Past, Phase, View};
use rules::{Color, Side, Square};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tui::Clocks;

use crate::output::note;

/// How much more than everything else the thread gives way.
const NICENESS: i32 = 10;
/// Bytes of a log that are read again: more than a game of any length writes.
const LONGEST_LOG: u64 = 1 << 26;
/// A draw by fifty moves is claimed after so many plies without a capture, and own moves without a pawn's.
const FIFTY: (u16, u8) = (100, 50);

/// What a bot is made of.
#[derive(Clone, Debug)]
pub struct Maker {
    pub level: Level,
    /// What its randomness is made of; secret, since who knows it knows the moves to come.
    pub seed: [u8; 32],
    /// Where it keeps what it was told.
    pub log: PathBuf,
}

/// A bot that thinks on its own thread, which ends when this is dropped.
#[derive(Debug)]
pub struct Thinker {
    told: Sender<Notice>,
    wanted: UnboundedReceiver<Command>,
}

impl Thinker {
    /// Reads the log and begins to think.
    ///
    /// # Errors
    ///
    /// If the log can't be read or written.
    pub fn start(maker: Maker) -> Result<Self> {
        let mut player = Player::new(&maker);
        let log = open_log(&maker.log, &mut player).wrap_err_with(|| maker.log.display().to_string())?;
        let (told, notices) = channel();
        let (commands, wanted) = unbounded_channel();
        std::thread::spawn(move || think(player, log, &notices, &commands));
        Ok(Self { told, wanted })
    }

    /// Tells it what has happened.
    pub fn tell(&self, notice: &Notice) {
        // A thread that has ended is noticed by `next`.
        let _ = self.told.send(notice.clone());
    }

    /// What it wants next; nothing any more if it has failed.
    pub async fn next(&mut self) -> Option<Command> {
        self.wanted.recv().await
    }
}

/// Tells the player what the log has, and opens it to add to it.
fn open_log(path: &Path, player: &mut Player) -> Result<File> {
    if let Some(folder) = path.parent() {
        private::folder(folder)?;
    }
    let mut log = private::file(path)?;
    let known = BufReader::new(std::io::Read::take(File::open(path)?, LONGEST_LOG));
    for line in known.split(b'\n') {
        // A line that was cut off when the process ended is none.
        if let Some(notice) = std::str::from_utf8(&line?).ok().and_then(Notice::from_line) {
            player.take(&notice);
        }
    }
    log.seek(SeekFrom::End(0))?;
    // Ends a line that was cut off.
    log.write_all(b"\n")?;
    Ok(log)
}

fn think(mut player: Player, mut log: File, notices: &Receiver<Notice>, commands: &UnboundedSender<Command>) {
    // Where the system doesn't allow it the bot thinks all the same.
    let _ = rustix::process::nice(NICENESS);
    let mut is_logged = true;
    while let Ok(notice) = notices.recv() {
        if player.take(&notice)
            && is_logged
            && let Err(error) = add_line(&mut log, &notice)
        {
            note!("note: the bot can't keep its log, and after a restart remembers less: {error:#}");
            is_logged = false;
        }
        if let Some(command) = player.answer(&notice)
            && commands.send(command).is_err()
        {
            return;
        }
    }
}

fn add_line(log: &mut File, notice: &Notice) -> Result<()> {
    let line = notice.to_line()? + "\n";
    Ok(log.write_all(line.as_bytes())?)
}

/// The opponent's move that was told last.
#[derive(Clone, Copy, Debug)]
struct Answered {
    ply: u16,
    capture: Option<Square>,
    draw_offered: bool,
}

/// A fold over notices: what the bot is told of them, and what it wants.
#[derive(Default)]
struct Player {
    level: Level,
    seed: [u8; 32],
    bot: Option<(Color, Bot)>,
    clocks: Option<Clocks>,
    /// The own side on the own turn that the bot knows last, and after the own move.
    side: Option<Side>,
    /// The own turn that the bot knows last.
    turn: Option<u16>,
    /// The own move that it knows last, and whether it has seen what that showed.
    moved: Option<u16>,
    has_seen: bool,
    answered: Option<Answered>,
    /// The ply of the last capture, or the one before the first.
    captured: u16,
    /// The turn of the last claim of fifty moves.
    claimed: Option<u16>,
    /// What is wanted on which turn.
    wanted: Option<(u16, Command)>,
}

impl Player {
    fn new(maker: &Maker) -> Self {
        Self { level: maker.level, seed: maker.seed, ..Self::default() }
    }

    /// Takes a notice; says whether it was news that should outlive a restart.
    fn take(&mut self, notice: &Notice) -> bool {
        match notice {
            Notice::Playing { color, .. } if self.bot.is_none() => {
                self.bot = Some((*color, Bot::new(*color, self.level.settings(), self.seed)));
                true
            }
            Notice::Clocks { .. } => {
                let was_held = self.clocks.as_ref().is_some_and(Clocks::is_held);
                self.clocks = Clocks::of(notice, Instant::now());
                // A claim that held the game up has failed.
                if was_held && !self.clocks.as_ref().is_some_and(Clocks::is_held) {
                    self.wanted = self.wanted.filter(|(_, command)| matches!(command, Command::Move { .. }));
                }
                false
            }
            Notice::Moved { ply, mv, capture, .. } if self.turn == Some(*ply) && self.moved != Some(*ply) => {
                let (Some((_, bot)), Some(side)) = (&mut self.bot, &mut self.side) else { return false };
                *side = side.play(mv);
                bot.moved(side, *capture);
                (self.moved, self.has_seen) = (Some(*ply), false);
                self.captured = capture.map_or(self.captured, |_| *ply);
                true
            }
            Notice::OpponentMoved { ply, capture, draw_offered, .. } => {
                self.answered = Some(Answered { ply: *ply, capture: *capture, draw_offered: *draw_offered });
                self.captured = capture.map_or(self.captured, |_| *ply);
                true
            }
            Notice::History { plies } => self.catch_up(plies),
            Notice::View(view) => self.take_view(view),
            _ => false,
        }
    }

    /// Takes the own move that became final while nobody was there, and the opponent's after it; says whether there was one.
    fn catch_up(&mut self, plies: &[Past]) -> bool {
        let at = |ply: u16| plies.iter().find(|past| past.ply == ply);
        let missed = self.turn.filter(|turn| self.moved != Some(*turn)).and_then(at);
        let Some(Past { ply, mv: Some(mv), capture, captured, draw_offered, .. }) = missed.copied() else {
            return false;
        };
        self.take(&Notice::Moved { ply, mv, capture, captured, draw_offered });
        if let Some(Past { ply, capture, captured, draw_offered, .. }) = at(ply + 1).copied() {
            self.take(&Notice::OpponentMoved { ply, capture, lost: captured, draw_offered });
        }
        true
    }

    fn take_view(&mut self, view: &View) -> bool {
        let Some((color, bot)) = self.bot.as_mut().filter(|(color, _)| *color == view.side.color) else { return false };
        if view.phase == Phase::Post {
            let is_news = self.moved == Some(view.ply) && self.turn == Some(view.ply) && !self.has_seen;
            let Some(sight) = view.sight.as_ref().filter(|_| is_news) else { return false };
            bot.saw(sight);
            self.has_seen = true;
            return true;
        }
        let is_proven = view.sight.is_some() || !view.legal.is_empty();
        let Some(sight) = view.sight_shown().filter(|_| is_proven && self.turn.is_none_or(|turn| turn < view.ply))
        else {
            return false;
        };
        let last = self.answered.filter(|last| last.ply + 1 == view.ply);
        let is_first = view.ply == color.index() as u16;
        let knows_all = is_first || (self.moved.is_some() && self.moved == view.ply.checked_sub(2));
        match last.filter(|_| knows_all) {
            Some(last) => bot.opponent_moved(last.capture, &view.side, &sight),
            None if view.ply == 0 => {}
            None => bot.begin_anew(&view.side, &sight),
        }
        (self.turn, self.side) = (Some(view.ply), Some(view.side.clone()));
        true
    }

    /// What is to be done after a notice.
    fn answer(&mut self, notice: &Notice) -> Option<Command> {
        match notice {
            Notice::View(view) if view.phase == Phase::Pre && self.turn == Some(view.ply) => self.on_turn(view),
            // The seat asks for the same move again, and means it.
            Notice::ConfirmMove { ply, .. } => self.wanted.filter(|(turn, _)| turn == ply).map(|(_, command)| command),
            Notice::SignedInAnotherPosition { .. } | Notice::Failed { .. } => self.forget(),
            Notice::Refused { error: CommandError::AlreadyChosen { .. }, .. } => None,
            Notice::Refused { .. } => {
                let was_claim = matches!(self.wanted, Some((_, Command::ClaimFifty | Command::AcceptDraw)));
                self.forget();
                was_claim.then_some(Command::Show)
            }
            _ => None,
        }
    }

    /// Wants nothing any more, so that the next board is thought about.
    fn forget(&mut self) -> Option<Command> {
        self.wanted = None;
        None
    }

    fn on_turn(&mut self, view: &View) -> Option<Command> {
        if self.wanted.is_some_and(|(turn, _)| turn == view.ply) {
            return None;
        }
        let command = self.choose(view)?;
        self.wanted = Some((view.ply, command));
        Some(command)
    }

    fn choose(&mut self, view: &View) -> Option<Command> {
        let (color, bot) = self.bot.as_mut()?;
        if view.legal.is_empty() {
            return view.sight.is_some().then_some(Command::ClaimNoMove);
        }
        let is_fifty = view.ply.saturating_sub(self.captured) > FIFTY.0 && view.side.since_pawn >= FIFTY.1;
        if is_fifty && self.claimed.is_none_or(|claimed| view.ply > claimed + FIFTY.0) {
            self.claimed = Some(view.ply);
            return Some(Command::ClaimFifty);
        }
        let left = self.clocks.map(|clocks| clocks.of_player(*color, Instant::now()).left);
        let choice = bot.choose(&view.side, &view.legal, left)?;
        let offer = self.answered.as_mut().filter(|last| last.draw_offered && last.ply + 1 == view.ply);
        if let Some(offer) = offer.filter(|_| bot.accepts_draw()) {
            // Should it be refused, the bot plays on.
            offer.draw_offered = false;
            return Some(Command::AcceptDraw);
        }
        Some(Command::Move { mv: choice.mv, offer_draw: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bot::army::Army;
    use rules::Position;

    fn maker(log: PathBuf) -> Maker {
        Maker { level: Level::Medium, seed: [3; 32], log }
    }

    fn view(position: &Position, color: Color, ply: u16, phase: Phase) -> Notice {
        let is_first = ply < 2 && phase == Phase::Pre;
        let legal = if phase == Phase::Pre { position.legal_moves() } else { Vec::new() };
        let sight = (!is_first).then(|| position.sight(color));
        Notice::View(Box::new(View::new(ply, phase, position.side(color).clone(), sight, legal, [0; 2])))
    }

    /// What White is told while it plays what its bot wants, and Black always the first of its moves; the bot reads all of it.
    fn play(player: &mut Player, log: &mut File, plies: u16) -> Vec<Notice> {
        let (mut position, mut told) = (Position::start(), Vec::new());
        let mut tell = |player: &mut Player, notice: Notice| {
            if player.take(&notice) {
                add_line(log, &notice).expect("written");
            }
            told.push(notice.clone());
            player.answer(&notice)
        };
        assert_eq!(tell(player, Notice::Playing { color: Color::White, ply: 0 }), None);
        for ply in 0..plies {
            if position.turn() == Color::Black {
                let mv = position.legal_moves()[0];
                let capture = position.play(&mv).expect("a legal move").capture;
                assert_eq!(tell(player, Notice::OpponentMoved { ply, capture, lost: None, draw_offered: false }), None);
                continue;
            }
            let view_before = view(&position, Color::White, ply, Phase::Pre);
            let Some(Command::Move { mv, offer_draw: false }) = tell(player, view_before.clone()) else {
                panic!("no move")
            };
            assert_eq!(tell(player, view_before), None, "a board that is shown again is no new turn");
            let confirm = Notice::ConfirmMove { ply, mv, doubt: game::Doubt::Sent };
            assert_eq!(tell(player, confirm), Some(Command::Move { mv, offer_draw: false }));
            let capture = position.play(&mv).expect("a legal move").capture;
            assert_eq!(tell(player, Notice::Moved { ply, mv, capture, captured: None, draw_offered: false }), None);
            assert_eq!(tell(player, view(&position, Color::White, ply, Phase::Post)), None);
        }
        told
    }

    #[test]
    fn a_bot_makes_its_belief_again_from_its_log() {
        let folder = tempfile::tempdir().expect("a folder");
        let maker = maker(folder.path().join("bots/log.jsonl"));
        let mut first = Player::new(&maker);
        let mut log = open_log(&maker.log, &mut first).expect("a log");
        let told = play(&mut first, &mut log, 9);
        // The last line was cut off.
        log.write_all(b"{\"event\":\"mov").expect("written");
        let mut second = Player::new(&maker);
        open_log(&maker.log, &mut second).expect("a log");
        assert_eq!((second.turn, second.moved), (first.turn, first.moved));
        let belief =
            |player: &Player| player.bot.as_ref().map(|(_, bot)| (bot.belief().count(), bot.belief().times_mended()));
        assert_eq!(belief(&second), belief(&first));
        // All of it told again is no news, and nothing is wanted.
        for notice in told {
            assert!(!second.take(&notice) || matches!(notice, Notice::OpponentMoved { .. }), "{notice:?}");
        }
        assert_eq!(belief(&second), belief(&first));
    }

    /// A history tells of the own move that no notice did, and the belief is that of a bot which was there.
    #[test]
    fn a_bot_that_was_down_when_its_move_became_final_goes_on_from_what_it_knew() {
        let maker = maker(PathBuf::new());
        let [mut there, mut down, mut stranger] = [(); 3].map(|()| Player::new(&maker));
        let told = play(&mut there, &mut tempfile::tempfile().expect("a log"), 5);
        // It has seen its board of ply 2, has chosen, and was killed.
        let is_past = |notice: &&Notice| !matches!(notice, Notice::View(view) if view.ply == 2);
        told.iter().take_while(is_past).for_each(|notice| _ = down.take(notice));
        let mut boards = told.iter().filter(|notice| matches!(notice, Notice::View(view) if view.phase == Phase::Pre));
        let board_of = |ply: u16| move |notice: &&Notice| matches!(notice, Notice::View(view) if view.ply == ply);
        assert!(down.take(boards.find(board_of(2)).expect("a board")));
        assert_eq!((down.turn, down.moved), (Some(2), Some(0)));

        let past = |notice: &Notice| match *notice {
            Notice::Moved { ply, mv, capture, captured, draw_offered } => {
                Some(Past { ply, own: true, mv: Some(mv), piece: None, capture, captured, draw_offered })
            }
            Notice::OpponentMoved { ply, capture, lost, draw_offered } => {
                Some(Past { ply, own: false, mv: None, piece: None, capture, captured: lost, draw_offered })
            }
            _ => None,
        };
        let plies: Vec<Past> = told.iter().filter_map(past).filter(|past| past.ply < 4).collect();
        let mut position = Position::start();
        for past in &plies {
            let mv = past.mv.unwrap_or_else(|| position.legal_moves()[0]);
            position.play(&mv).expect("a legal move");
        }
        let history = Notice::History { plies };
        assert!(down.take(&history), "it is kept for the next restart");
        assert!(!down.take(&history), "and is news once");
        let board = boards.find(board_of(4)).expect("a board");
        stranger.take(&Notice::Playing { color: Color::White, ply: 4 });
        for player in [&mut down, &mut stranger] {
            assert!(player.take(board));
        }
        let truth = Army::of(position.side(Color::Black));
        let believes = |player: &Player| player.bot.as_ref().is_some_and(|(_, bot)| bot.belief().holds(&truth));
        assert_eq!((believes(&down), believes(&stranger)), (true, false));
    }

    #[test]
    fn a_bot_without_its_past_begins_from_what_it_sees() {
        let mut player = Player::new(&maker(PathBuf::new()));
        player.take(&Notice::Playing { color: Color::Black, ply: 7 });
        let position = Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
            .expect("a position");
        let board = view(&position, Color::Black, 7, Phase::Pre);
        assert!(player.take(&board));
        assert!(matches!(player.answer(&board), Some(Command::Move { .. })));
        // What is refused for now is chosen anew when the board is shown again.
        assert_eq!(player.answer(&Notice::Refused { id: None, error: CommandError::OnHold }), None);
        assert!(matches!(player.answer(&board), Some(Command::Move { .. })));
    }

    #[test]
    fn a_draw_is_accepted_or_claimed_once_and_then_the_game_goes_on() {
        let mut player = Player::new(&maker(PathBuf::new()));
        player.take(&Notice::Playing { color: Color::White, ply: 0 });
        let position = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w - - 0 90").expect("a position");
        player.take(&Notice::OpponentMoved { ply: 181, capture: None, lost: None, draw_offered: true });
        let board = view(&position, Color::White, 182, Phase::Pre);
        player.take(&board);
        assert_eq!(player.answer(&board), Some(Command::AcceptDraw));
        assert_eq!(
            player.answer(&Notice::Refused { id: None, error: CommandError::NoDrawOffered }),
            Some(Command::Show)
        );
        assert!(matches!(player.answer(&board), Some(Command::Move { .. })));

        let Notice::View(mut late) = view(&position, Color::White, 184, Phase::Pre) else { unreachable!() };
        late.side.since_pawn = 60;
        let mv = "e1d1".parse().expect("a move");
        player.take(&Notice::Moved { ply: 182, mv, capture: None, captured: None, draw_offered: false });
        player.take(&Notice::OpponentMoved { ply: 183, capture: None, lost: None, draw_offered: false });
        let late = Notice::View(late);
        player.take(&late);
        assert_eq!(player.answer(&late), Some(Command::ClaimFifty));
        assert_eq!(player.answer(&Notice::Refused { id: None, error: CommandError::NoProofs }), Some(Command::Show));
        assert!(matches!(player.answer(&late), Some(Command::Move { .. })));
    }
}
