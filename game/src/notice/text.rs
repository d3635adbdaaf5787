//! Sentences for what happens in a game beside moves and boards.

use super::{Doubt, Notice};
use crate::{grouped, move_name, moves_known};

impl Notice {
    /// The sentence of a notice's line in JSON, if it has one.
    pub(super) fn text(&self) -> Option<String> {
        self.note().or_else(|| match self {
            Self::Refused { error, .. } => Some(error.to_string()),
            Self::Fault { fault } => Some(fault.to_string()),
            Self::Failed { reason } => Some(reason.clone()),
            _ => None,
        })
    }

    /// The move that a notice is about, as players name it.
    fn name(&self) -> String {
        match self {
            Self::NoSightPosted { ply, .. }
            | Self::Reorganised { ply, .. }
            | Self::FalseMove { ply, .. }
            | Self::DemandingSight { ply, .. }
            | Self::SightDemanded { ply, .. }
            | Self::SightAnswered { ply, .. }
            | Self::AnotherPosition { ply, .. }
            | Self::SignedInAnotherPosition { ply, .. }
            | Self::ConfirmMove { ply, .. }
            | Self::Waking { ply, .. }
            | Self::Woken { ply, .. }
            | Self::Awake { ply, .. }
            | Self::PlyRefused { ply, .. }
            | Self::NotThisWallet { ply, .. } => move_name(*ply),
            _ => String::new(),
        }
    }

    /// What there is to say to a player about a notice that nobody has a picture for.
    pub fn note(&self) -> Option<String> {
        let name = self.name();
        Some(match self {
            Self::LinkTrouble { text } | Self::ChainTrouble { text } | Self::JournalNote { text } => text.clone(),
            Self::AwaitingFinality { block, last_final } => {
                let last =
                    last_final.map_or_else(|| "none is yet".to_owned(), |last| format!("the last final one is {last}"));
                format!("the game goes on once block {block} is final; {last}")
            }
            Self::NoSightPosted { .. } => {
                format!("the opponent has posted no sight for {name}: it says that it never had your request")
            }
            Self::AwaitingRequest { mv } => format!(
                "{mv} waits for the opponent's request, without which it would get no sight (`go` moves all the same)"
            ),
            Self::MovingWithoutAnswer { mv } => {
                format!("{mv} is played without a sight for the opponent, whose request never came")
            }
            Self::Reorganised { .. } => {
                format!("the chain has taken back {name}; it is sent again")
            }
            Self::FalseMove { .. } => {
                format!("the proof of {name} is false, and the contract has taken it: don't trust this deployment")
            }
            Self::DemandingSight { phase, .. } => format!(
                "the sight {phase} {name} has not come: it is demanded through the chain, which costs each player \
                 about {} gas",
                grouped(EXCHANGE_GAS.into())
            ),
            Self::SightDemanded { phase, own: true, .. } => {
                format!("the opponent must now give the sight {phase} {name} through the chain, or loses")
            }
            Self::SightDemanded { phase, own: false, .. } => format!(
                "the opponent demands its sight {phase} {name} through the chain: the answer is made and sent; it costs each \
                 player about {} gas",
                grouped(EXCHANGE_GAS.into())
            ),
            Self::SightAnswered { phase, own: true, .. } => {
                format!("the sight {phase} {name} has come through the chain")
            }
            Self::SightAnswered { phase, own: false, .. } => {
                format!("the sight {phase} {name} was given through the chain")
            }
            Self::AnotherPosition { phase, .. } => format!(
                "the chain shows another position than the one in which the opponent was given its sight {phase} {name}: it isn't given a \
                 second one. Ask another node; only if the chain really was taken back so far, `give` gives it"
            ),
            Self::SignedInAnotherPosition { mv, .. } => format!(
                "{mv}, signed as {name}, was made in another position than the chain has now: it isn't sent again. Choose anew; that is \
                 sent once the earlier transaction can't be included any more"
            ),
            Self::ConfirmMove { mv, doubt: Doubt::Unwritten, .. } => format!(
                "{mv}, as {name}, is not signed yet: there is no room on the disk to remember it, and after a restart you might sign another \
                 one in its place, which shows the opponent two requests. Make room, or give {mv} again to have it signed all the same"
            ),
            Self::ConfirmMove { mv, doubt: Doubt::Sent, .. } => format!(
                "{mv}, as {name}, is not signed yet: this wallet has a transaction on its way that isn't remembered here, and it may be another \
                 move in its place. If you have signed one, on this machine or another, choose the same; give {mv} again to have it signed"
            ),
            Self::Waking { why, .. } => format!(
                "the game is woken at {name}, because {why}: it goes on on the chain to its end, and each move takes a transaction"
            ),
            Self::Woken { contested: true, .. } => format!(
                "the game was woken at {name}, and you have a later position that the opponent has signed: it is brought to the chain, where it takes \
                 that one's place. Keep this machine running"
            ),
            Self::Woken { ply, plies, .. } if plies < ply => format!(
                "the game was woken at {name}, and this machine remembers {} of it: bring back its journal or its backup",
                moves_known(*plies)
            ),
            Self::Woken { .. } => format!(
                "the game was woken at {name}: once the time to contest that is over it goes on from there, on the chain, and each move takes a \
                 transaction"
            ),
            Self::Awake { .. } => format!("the game goes on on the chain, with {name}"),
            Self::ResultSigned { outcome } => format!(
                "you have signed the result ({outcome}): nothing more is signed in this game, and who wins by it tells the chain"
            ),
            Self::Closing { outcome } => format!("the opponent has signed the result ({outcome}): the chain is told"),
            Self::PlyRefused { why, .. } => format!("what the opponent has signed for {name} isn't taken: {why}"),
            Self::FiftyClaimed { own: true, .. } => {
                "you claim a draw by fifty moves: unless the opponent shows that it has made fewer, the game is drawn"
                    .to_owned()
            }
            Self::FiftyClaimed { disputed: true, .. } => {
                "the opponent claims a draw by fifty moves: you have made fewer, which is being shown".to_owned()
            }
            Self::FiftyClaimed { .. } => {
                "the opponent claims a draw by fifty moves, rightly: the game will be drawn".to_owned()
            }
            Self::FiftyFailed { own, claims_from } => {
                let whose = if *own { "your" } else { "the opponent's" };
                format!(
                    "{whose} claim of fifty moves was shown to be wrong: the game goes on, and the next such claim can come at {}",
                    move_name(*claims_from)
                )
            }
            Self::ViewKey { own: true } => "your view key is on the chain: everybody can replay your side".to_owned(),
            Self::ViewKey { own: false } => {
                "the opponent has published its view key: its side can be replayed".to_owned()
            }
            Self::RematchOpened { .. } => {
                "the opponent wants another game, on the same terms: `rematch` joins it".to_owned()
            }
            Self::RematchWithdrawn => "the opponent has taken back its offer of another game".to_owned(),
            Self::OutOfTime => "by this machine's clock your time is over: the opponent can claim the game".to_owned(),
            Self::OpponentOutOfTime => "the opponent's time has run out; the game is being claimed".to_owned(),
            Self::NotThisWallet { .. } => {
                format!("{name} on chain was not made with this wallet's secrets: this game can't be played from here")
            }
            Self::ChainRefused { reason } => {
                format!("the chain tells something that can't be: {reason}")
            }
            _ => return None,
        })
    }
}

/// What an exchange through the chain costs each of the players, in gas: `demandSight` and a share, or `answerSight` less it,
/// as measured (docs/src/performance-data.md).
pub const EXCHANGE_GAS: u32 = 1_050_000;
