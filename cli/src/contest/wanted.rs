//! A move that a player has asked for and that isn't on the chain so far: it is tried again for as long as it is the same turn. Once a move of that
//! turn is in a block no other is kept, for it would be sent if that block were taken back.

/// What came of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It is in a block.
    Sent,
    /// Nothing was sent: the chain's latest block has another message than the last final one, the very move perhaps.
    NotNow,
    /// It failed, in a way that another try may not.
    Failed,
}

/// The turn of the last try, as the number of turns before it, and the move that is still wanted; none once one is in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted<C>(Option<(u64, Option<C>)>);

impl<C> Default for Wanted<C> {
    fn default() -> Self {
        Self(None)
    }
}

impl<C: Copy> Wanted<C> {
    /// What is still wanted; `turn` is the player's own, if it is its turn.
    pub fn at(&mut self, turn: Option<u64>) -> Option<C> {
        self.0 = self.0.filter(|(tried, _)| turn == Some(*tried));
        self.0?.1
    }

    /// Takes what came of a try at a turn; gives what the player is told of it, once until it asks again. `what` it was, in a word.
    pub fn tried(&mut self, turn: u64, choice: C, came: Tried, what: &str) -> Option<String> {
        // Whether one was still wanted after the last try of this turn, if there was a try.
        let before = self.0.filter(|(tried, _)| *tried == turn).map(|(_, wanted)| wanted.is_some());
        self.0 = Some((turn, (came != Tried::Sent && before != Some(false)).then_some(choice)));
        let told = match (came, before) {
            (Tried::Sent, _) => return None,
            (_, Some(false)) => return Some(format!("Not sent: you have made this turn's {what} already.")),
            (Tried::NotNow, _) => format!("Not sent: a {what} is on its way, or the chain has taken something back."),
            (Tried::Failed, _) => format!("The {what} isn't sent yet."),
        };
        before.is_none().then(|| format!("{told} It is tried again for as long as it is your turn."))
    }

    /// The player asks for a move.
    pub fn ask(&mut self) {
        self.0 = self.0.filter(|(_, wanted)| wanted.is_none());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_was_asked_for_is_tried_until_it_is_sent() {
        for came in [Tried::NotNow, Tried::Failed] {
            let mut wanted = Wanted::default();
            assert_eq!(wanted.at(Some(4)), None, "nobody has asked");
            let told = wanted.tried(4, 'b', came, "roll");
            assert!(told.is_some_and(|told| told.contains("roll") && told.contains("tried again")), "{came:?}");
            assert_eq!(wanted.at(Some(4)), Some('b'), "{came:?}: it isn't forgotten");
            assert_eq!(wanted.tried(4, 'b', came, "roll"), None, "it is told once");
            assert_eq!(wanted.at(Some(4)), Some('b'));
            wanted.ask();
            assert!(wanted.tried(4, 'b', came, "roll").is_some(), "who asks again is answered");
            assert_eq!(wanted.tried(4, 'b', Tried::Sent, "roll"), None);
            assert_eq!(wanted.at(Some(4)), None, "{came:?}: it is sent");
        }
    }

    #[test]
    fn once_a_move_is_in_a_block_no_other_is_kept_for_its_turn() {
        for came in [Tried::NotNow, Tried::Failed] {
            let mut wanted = Wanted::default();
            assert_eq!(wanted.tried(4, 'a', Tried::Sent, "roll"), None);
            wanted.ask();
            let told = wanted.tried(4, 'b', came, "roll");
            assert_eq!(told.as_deref(), Some("Not sent: you have made this turn's roll already."));
            assert_eq!(wanted.at(Some(4)), None, "{came:?}: not if that block is taken back either");
            wanted.ask();
            assert!(wanted.tried(4, 'b', came, "roll").is_some(), "who asks again is answered");
            assert!(wanted.tried(6, 'c', came, "roll").is_some_and(|told| told.contains("tried again")));
            assert_eq!(wanted.at(Some(6)), Some('c'), "{came:?}: the next turn has its own move");
        }
    }

    #[test]
    fn a_move_is_wanted_for_one_turn() {
        // The opponent's turn, an own one that came while nobody looked, and one that the chain has gone back to.
        for turn in [None, Some(6), Some(2)] {
            let mut wanted = Wanted::default();
            wanted.tried(4, (), Tried::NotNow, "roll");
            assert!(wanted.at(turn).is_none() && wanted.at(Some(4)).is_none(), "{turn:?}");
        }
    }
}
