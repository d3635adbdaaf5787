//! A roll that a player has asked for and that isn't on the chain so far: it is tried again for as long as it is the same turn.

/// What came of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It is in a block.
    Sent,
    /// Nothing was sent: the chain's latest block has another message than the last final one, the very roll perhaps.
    NotNow,
    /// It failed, in a way that another try may not.
    Failed,
}

/// The turn for which a roll is wanted, as the number of rolls before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted(Option<u64>);

impl Wanted {
    /// Whether a roll is still wanted; `turn` is the player's own, if it is its turn.
    pub fn is_for(&mut self, turn: Option<u64>) -> bool {
        self.0 = self.0.filter(|wanted| turn == Some(*wanted));
        self.0.is_some()
    }

    /// Takes what came of a try at a turn; gives what the player is told of it, once until it asks again.
    pub fn tried(&mut self, turn: u64, came: Tried) -> Option<&'static str> {
        let was_wanted = self.0 == Some(turn);
        self.0 = (came != Tried::Sent).then_some(turn);
        let told = match came {
            Tried::Sent => return None,
            Tried::NotNow => {
                "Not sent: a roll is on its way, or the chain has taken something back. It is tried again for as long as it is your turn."
            }
            Tried::Failed => "The roll isn't sent yet; it is tried again for as long as it is your turn.",
        };
        (!was_wanted).then_some(told)
    }

    /// The player asks for a roll.
    pub fn ask(&mut self) {
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_that_was_asked_for_is_tried_until_it_is_sent() {
        for came in [Tried::NotNow, Tried::Failed] {
            let mut wanted = Wanted::default();
            assert!(!wanted.is_for(Some(4)), "nobody has asked");
            assert!(wanted.tried(4, came).is_some_and(|told| told.contains("tried again")), "{came:?}");
            assert!(wanted.is_for(Some(4)), "{came:?}: it isn't forgotten");
            assert_eq!(wanted.tried(4, came), None, "it is told once");
            assert!(wanted.is_for(Some(4)));
            wanted.ask();
            assert!(wanted.tried(4, came).is_some(), "who asks again is answered");
            assert_eq!(wanted.tried(4, Tried::Sent), None);
            assert!(!wanted.is_for(Some(4)), "{came:?}: it is sent");
        }
    }

    #[test]
    fn a_roll_is_wanted_for_one_turn() {
        // The opponent's turn, an own one that came while nobody looked, and one that the chain has gone back to.
        for turn in [None, Some(6), Some(2)] {
            let mut wanted = Wanted::default();
            wanted.tried(4, Tried::NotNow);
            assert!(!wanted.is_for(turn) && !wanted.is_for(Some(4)), "{turn:?}");
        }
    }
}
