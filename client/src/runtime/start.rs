//! Before there is a seat: waits until the chain has both players of a game (protocol, section 8: create, join). Then the
//! link knows whom to expect.

use super::watch::ChainUpdate;
use super::work::Work;
use super::{Input, RuntimeError, notify};
use crate::chain::{BlockRef, ChainTime, LogUpdate, Logged, Update, unix};
use alloy::primitives::Address;
use game::{ChainEvent, CommandError, Given, Mode, Notice, Opening};
use std::time::Instant;
use tokio::sync::mpsc::{Receiver, UnboundedSender};

/// A machine that has nothing of a game between the machines takes it for new only by a block that is no older than so many seconds: by an older one it
/// might begin again what it has played.
const FRESH: u64 = 60;

/// What is known when both players are there, or the game has ended without.
pub(super) struct Start {
    pub events: Vec<ChainEvent>,
    /// The block of the game's creation, if it is final.
    pub born: Option<u64>,
    /// The last block that is final.
    pub last_final: Option<BlockRef>,
    pub coming: Vec<LogUpdate<ChainEvent>>,
    /// None if there is nobody to talk to any more.
    pub opponent: Option<Address>,
    pub time: ChainTime,
    /// What the user has asked for before the chain was read.
    pub commands: Vec<Given>,
}

impl Start {
    /// Whether this player has revealed its share in a block that isn't final, so that a machine of its was there.
    pub fn is_under_way(&self, me: Address) -> bool {
        let is_creator = opening_of(&self.events).is_some_and(|opening| opening.creator == me);
        let is_own = |logged: &Logged| match logged.event {
            ChainEvent::TossRevealed { .. } => is_creator,
            ChainEvent::Started { .. } => true,
            _ => false,
        };
        self.coming.iter().any(|item| matches!(item, LogUpdate::Included(logged) if is_own(logged)))
    }
}

/// How a game was opened.
pub(super) fn opening_of(events: &[ChainEvent]) -> Option<&Opening> {
    events.iter().find_map(|event| match event {
        ChainEvent::Created(opening) => Some(opening),
        _ => None,
    })
}

/// Waits until the chain has a second player; none if the user doesn't want to wait any longer. A command that comes before the chain was read is
/// kept until it is known how the game stands. Where blocks come by themselves, a game between the machines of which nothing is written here also waits
/// for a block of now.
pub(super) async fn until_both_are_there(
    me: Address,
    is_unwritten: bool,
    input: &mut Input,
    notices: &UnboundedSender<Notice>,
    updates: &mut Receiver<ChainUpdate>,
) -> Result<Option<Start>, RuntimeError> {
    let (mut events, mut born, mut told) = (Vec::new(), None, None);
    let (mut seen, mut early, mut is_told_of_age) = (Vec::new(), Some(Vec::new()), false);
    let refuse = |Given { id, .. }: Given, work: &Work| {
        notify(notices, Notice::Refused { id, error: CommandError::NotBegun });
        work.end();
    };
    loop {
        let update = tokio::select! {
            update = updates.recv() => update,
            given = input.commands.recv() => match (given, &mut early) {
                (Some(given), Some(early)) => {
                    early.push(given);
                    continue;
                }
                (Some(given), None) => {
                    refuse(given, &input.work);
                    continue;
                }
                (None, _) => return Ok(None),
            },
        };
        let Update { logs, time, last_final, notes: of_nodes, .. } = match update {
            Some(ChainUpdate::Logs(update)) => *update,
            Some(ChainUpdate::Unreachable(reason)) => {
                notify(notices, Notice::ChainTrouble { text: reason });
                continue;
            }
            None => return Err(RuntimeError::Stopped("nobody follows the chain".into())),
        };
        of_nodes.into_iter().for_each(|note| notify(notices, Notice::ChainTrouble { text: note }));
        for item in logs {
            match item {
                LogUpdate::Final(logged) => {
                    if matches!(logged.event, ChainEvent::Created(_)) {
                        born = Some(logged.block.number);
                    }
                    seen.retain(|known| *known != logged);
                    events.push(logged.event);
                }
                LogUpdate::Included(logged) => seen.push(logged),
                LogUpdate::Reorged(logged) => seen.retain(|known| *known != logged),
            }
        }
        let opponent = opponent_of(me, &events)?;
        let over = |event: &ChainEvent| matches!(event, ChainEvent::Ended { .. });
        let over = events.iter().any(over);
        let is_channel = opening_of(&events).is_some_and(|opening| opening.terms.mode == Mode::Channel);
        let is_old = is_unwritten && is_channel && time.chain.is_old(FRESH, Instant::now(), unix());
        if opponent.is_some() && !over && is_old {
            if !std::mem::replace(&mut is_told_of_age, true) {
                let text = "the last block that the node has told of is old: before a new one comes nobody can say whether this game has begun";
                notify(notices, Notice::ChainTrouble { text: text.to_owned() });
            }
            continue;
        }
        if over || opponent.is_some() {
            let opponent = opponent.filter(|_| !over);
            let commands = early.unwrap_or_default();
            let coming = seen.into_iter().map(LogUpdate::Included).collect();
            return Ok(Some(Start { events, born, last_final, coming, opponent, time, commands }));
        }
        early.take().into_iter().flatten().for_each(|given| refuse(given, &input.work));
        // What comes last is what the game waits for.
        let last_final = last_final.map(|block| block.number);
        let block = seen.last().map(|logged| logged.block.number);
        if told.replace(block) != Some(block) {
            notify(notices, block.map_or(Notice::Waiting, |block| Notice::AwaitingFinality { block, last_final }));
        }
    }
}

/// The other player, if there is one yet.
fn opponent_of(me: Address, events: &[ChainEvent]) -> Result<Option<Address>, RuntimeError> {
    let (mut creator, mut joiner) = (None, None);
    for event in events {
        match event {
            ChainEvent::Created(opening) => creator = Some(opening.creator),
            ChainEvent::Joined { joiner: account, .. } => joiner = Some(*account),
            _ => {}
        }
    }
    fog::ensure!(creator.is_some() || events.is_empty(), RuntimeError::NoOpening);
    match (creator, joiner) {
        (Some(creator), joiner) if creator == me => Ok(joiner),
        (Some(creator), Some(joiner)) if joiner == me => Ok(Some(creator)),
        // This player's joining may not be final yet.
        (_, None) => Ok(None),
        _ => Err(RuntimeError::NotAPlayer(me)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::ChainClock;
    use crate::wallet::Wallet;
    use alloy::primitives::B256;
    use game::{Command, Terms};
    use tokio::sync::mpsc;

    fn wallets() -> [Wallet; 2] {
        [1, 2].map(|byte| Wallet::from_secret(&[byte; 32]).expect("a wallet"))
    }

    fn events(creator: &Wallet, joiner: &Wallet) -> [ChainEvent; 2] {
        events_of(Mode::Verified, creator, joiner)
    }

    /// An opening by a player, and another player's joining.
    fn events_of(mode: Mode, creator: &Wallet, joiner: &Wallet) -> [ChainEvent; 2] {
        let key = |wallet: &Wallet| wallet.opening_secrets(1, Address::ZERO, B256::ZERO).fog_secret().key().to_bytes();
        let terms = Terms {
            mode,
            stake: 0,
            base: 60,
            increment: 0,
            delay: 60,
            window: 60,
            reveal: 60,
            expiry: 0,
            opponent: None,
        };
        let (nonce, toss) = (B256::ZERO, B256::ZERO);
        let opening = Opening { creator: creator.address(), nonce, terms, toss, registration: key(creator) };
        [ChainEvent::Created(opening), ChainEvent::Joined { joiner: joiner.address(), toss, registration: key(joiner) }]
    }

    fn at(event: &ChainEvent, block: u64) -> Logged {
        let block = BlockRef { number: block, hash: B256::ZERO };
        Logged { event: event.clone(), block, transaction: B256::ZERO, index: 0 }
    }

    fn update(news: Vec<LogUpdate<ChainEvent>>) -> Update {
        update_at(news, 0, 0)
    }

    /// With a last block of a time, when the machine's date is another.
    fn update_at(news: Vec<LogUpdate<ChainEvent>>, block: u64, date: u64) -> Update {
        let chain = ChainClock::heard(None, block, Instant::now(), date);
        let last_final = Some(BlockRef { number: 64, hash: B256::ZERO });
        Update { logs: news, time: ChainTime { clocks: None, chain }, last_final, head: None, notes: Vec::new() }
    }

    fn input() -> (UnboundedSender<Given>, Input) {
        let (sender, commands) = mpsc::unbounded_channel();
        (sender, Input { commands, records: mpsc::unbounded_channel().1, work: Work::default() })
    }

    /// A game that is over is found by the first look: what was asked for before that is asked of it. Of a game that hasn't begun nothing can be
    /// asked, before that look or after it.
    #[tokio::test]
    async fn a_command_from_before_the_first_look_is_kept_until_it_is_known_how_the_game_stands() {
        let wallets = wallets();
        let ([created, joined], me) = (events(&wallets[0], &wallets[1]), wallets[0].address());
        let early = [Command::PublishViewKey.into(), Given { id: Some(7), command: Command::Withdraw }];
        for has_begun in [true, false] {
            let (commands, mut input) = input();
            let (update_sender, mut updates) = mpsc::channel(4);
            let (notices, mut told) = mpsc::unbounded_channel();
            let work = input.work.clone();
            let feed = async {
                for given in early {
                    work.begin();
                    commands.send(given).expect("somebody listens");
                }
                tokio::task::yield_now().await;
                update_sender.send(ChainUpdate::Unreachable("no node".into())).await.expect("somebody listens");
                assert_eq!(told.recv().await, Some(Notice::ChainTrouble { text: "no node".into() }));
                let begun = [&created, &joined].into_iter().take(if has_begun { 2 } else { 1 });
                let news = begun.map(|event| LogUpdate::Final(at(event, 60))).collect();
                update_sender.send(ChainUpdate::Logs(Box::new(update(news)))).await.expect("somebody listens");
                if has_begun {
                    return;
                }
                let refused = |id| Some(Notice::Refused { id, error: CommandError::NotBegun });
                for expected in [refused(None), refused(Some(7)), Some(Notice::Waiting)] {
                    assert_eq!(told.recv().await, expected);
                }
                work.begin();
                commands.send(Command::Show.into()).expect("somebody listens");
                assert_eq!(told.recv().await, refused(None));
                assert!(work.is_done(), "each of them was answered");
                let news = vec![LogUpdate::Final(at(&joined, 61))];
                update_sender.send(ChainUpdate::Logs(Box::new(update(news)))).await.expect("somebody listens");
            };
            let (start, ()) = tokio::join!(until_both_are_there(me, false, &mut input, &notices, &mut updates), feed);
            let kept = start.expect("no error").expect("both are there").commands;
            assert_eq!(kept, if has_begun { early.to_vec() } else { Vec::new() });
        }
    }

    /// A node that lags shows a game as it was before this player has played in it, from another machine.
    #[tokio::test]
    async fn a_game_of_which_nothing_is_written_waits_for_a_block_of_now() {
        let wallets = wallets();
        for (mode, is_unwritten) in [(Mode::Channel, true), (Mode::Channel, false), (Mode::Verified, true)] {
            let waits = mode == Mode::Channel && is_unwritten;
            let (_commands, mut input) = input();
            let (update_sender, mut updates) = mpsc::channel(4);
            let (notices, mut told) = mpsc::unbounded_channel();
            let both = events_of(mode, &wallets[0], &wallets[1]);
            let news = both.iter().map(|event| LogUpdate::Final(at(event, 60))).collect();
            let (now, start) = (unix(), LogUpdate::Included(at(&ChainEvent::TossRevealed { share: B256::ZERO }, 70)));
            let old = update_at(news, now - FRESH - 2, now);
            let new = update_at(vec![start], now - 2, now);
            for update in [old, new] {
                update_sender.send(ChainUpdate::Logs(Box::new(update))).await.expect("somebody listens");
            }
            let start = until_both_are_there(wallets[0].address(), is_unwritten, &mut input, &notices, &mut updates);
            let start = start.await.expect("no error").expect("both are there");
            assert_eq!((start.events.len(), start.coming.len()), (2, usize::from(waits)));
            assert_eq!([0, 1].map(|i| start.is_under_way(wallets[i].address())), [waits, false]);
            let said = told.try_recv().ok();
            let is_of_age = |notice| matches!(notice, Notice::ChainTrouble { text } if text.contains("is old"));
            assert_eq!(said.is_some_and(is_of_age), waits, "{mode:?}");
        }
    }

    #[test]
    fn a_game_whose_opening_isn_t_read_is_not_waited_for() {
        let wallets = wallets();
        let [created, joined] = events(&wallets[0], &wallets[1]);
        let of = |i: usize, events: &[ChainEvent]| opponent_of(wallets[i].address(), events);
        for i in [0, 1] {
            assert!(matches!(of(i, std::slice::from_ref(&joined)), Err(RuntimeError::NoOpening)));
            assert!(matches!(of(i, &[]), Ok(None)));
            let both = of(i, &[created.clone(), joined.clone()]);
            assert_eq!(both.expect("a player"), Some(wallets[1 - i].address()));
        }
    }

    #[tokio::test]
    async fn what_the_game_waits_for_is_told() {
        let wallets = wallets();
        let [created, joined] = events(&wallets[0], &wallets[1]);
        let waits = |block| Notice::AwaitingFinality { block, last_final: Some(64) };
        let steps = [
            (LogUpdate::Included(at(&created, 90)), Some(waits(90))),
            (LogUpdate::Final(at(&created, 90)), Some(Notice::Waiting)),
            (LogUpdate::Included(at(&joined, 95)), Some(waits(95))),
            (LogUpdate::Reorged(at(&joined, 95)), Some(Notice::Waiting)),
            (LogUpdate::Included(at(&joined, 96)), Some(waits(96))),
            (LogUpdate::Final(at(&joined, 96)), None),
        ];
        let (update_sender, mut updates) = mpsc::channel(1);
        let (commands, mut input) = input();
        let (notices, mut told) = mpsc::unbounded_channel();
        let me = wallets[0].address();
        let feed = async {
            for (item, expected) in steps {
                assert!(update_sender.send(ChainUpdate::Logs(Box::new(update(vec![item])))).await.is_ok());
                if let Some(expected) = expected {
                    assert_eq!(told.recv().await, Some(expected));
                }
            }
        };
        let (start, ()) = tokio::join!(until_both_are_there(me, false, &mut input, &notices, &mut updates), feed);
        drop(commands);
        let start = start.expect("no error").expect("both are there");
        assert_eq!((start.opponent, start.events.len()), (Some(wallets[1].address()), 2));
    }
}
