//! What a peer's messages have in them with engines that prove nothing: of a set-up and of a sight, for each side. The bytes say which message of which
//! engine it is, and at which places it is another than the honest one; without any it is that one, and must be taken.
#![no_main]

use engines::alone;
use engines::testing::all;
use fog::F;
use fog::commitment::commit;
use fog::engine::{BoxedParty, CommittedState, Engine, Exchange, Fault, Game, GameKeys, Phase, Seed, Step};
use fog::word::to_word;
use rules::{Color, Position};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// Setting it up takes seconds.
const DEAR: &str = "bfv";

static ENGINES: LazyLock<Vec<Arc<dyn Engine>>> =
    LazyLock::new(|| all().into_iter().filter(|engine| engine.about().name != DEAR).collect());
static KEYS: LazyLock<Vec<alone::Keys>> = LazyLock::new(|| {
    let set_up = |engine: &Arc<dyn Engine>| alone::set_up(&**engine).expect("a set-up").outputs.into();
    ENGINES.iter().map(set_up).collect()
});

/// A party that waits for a message, and the honest one.
struct Waiting {
    take: Box<dyn FnMut(&[u8]) -> Result<(), Fault>>,
    honest: Vec<u8>,
}

thread_local! {
    /// By engine, whether it is a sight, and the message's number. A message that is refused changes no party.
    static WAITING: RefCell<HashMap<(usize, bool, u8), Option<Waiting>>> = RefCell::default();
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(([engine, sight, number], changes)) = data.split_first_chunk() else { return };
    let place = (usize::from(*engine) % ENGINES.len(), sight % 2 == 1, number % 8);
    WAITING.with_borrow_mut(|known| {
        let Some(waiting) = known.entry(place).or_insert_with(|| waiting(place)) else { return };
        let mut message = waiting.honest.clone();
        for [high, low, change] in changes.as_chunks().0 {
            let at = usize::from(u16::from_be_bytes([*high, *low]));
            // Behind its end it grows.
            if at >= message.len() {
                message.push(*change);
            } else {
                message[at] ^= change;
            }
        }
        let (is_honest, taken) = (message == waiting.honest, (waiting.take)(&message).is_ok());
        assert!(taken || !is_honest, "an honest message is refused");
        if taken {
            known.remove(&place);
        }
    });
});

/// Both parties after so many honest messages; none if the session has no more.
fn waiting((engine, is_sight, number): (usize, bool, u8)) -> Option<Waiting> {
    if !is_sight {
        let game_id = [1; 32];
        let seeds = [2, 3].map(|wallet| Seed::derive(&[wallet; 32], &game_id));
        let registered = seeds.each_ref().map(|seed| ENGINES[engine].register(seed));
        let game = Game { chain_id: 31337, contract: [4; 20], game_id, toss: [5; 32], registered };
        let [white, black] = Color::ALL.map(|color| ENGINES[engine].set_up(color, &seeds[color.index()], &game));
        return after(white.expect("a part"), black.expect("a part"), number);
    }
    let (position, keys) = (Position::start(), &KEYS[engine]);
    let own = Color::ALL.map(|color| {
        let (side, salt) = (position.side(color), F::from(7 + color as u64));
        CommittedState::new(side.clone(), to_word(&salt), to_word(&commit(side, salt)))
    });
    let commitments = [own[0].commitment, own[1].commitment];
    let exchange = Exchange { ply: 2, phase: Phase::Pre, attempt: 0, commitments, pending: None, men: [16; 2], steps: Default::default() };
    let [sender, receiver] = [exchange.sender(), exchange.receiver()].map(Color::index);
    let request = keys[receiver].request(&own[receiver]).expect("a request");
    let (sending, promised) = keys[sender].sender(&exchange, &own[sender], &request).expect("a part");
    let receiving = keys[receiver].receiver(&exchange, &own[receiver], Some(promised)).expect("a part");
    after(sending, receiving, number)
}

fn after<A: 'static, B: 'static>(mut opener: BoxedParty<A>, mut other: BoxedParty<B>, number: u8) -> Option<Waiting> {
    let mut message = opener.step(None).expect("it opens").send?;
    let Step { send: None, .. } = other.step(None).expect("it waits") else { panic!("it opens, too") };
    for made in 0..number {
        let sent = match made % 2 {
            0 => other.step(Some(&message)).expect("an honest message").send,
            _ => opener.step(Some(&message)).expect("an honest message").send,
        };
        message = sent?;
    }
    let take: Box<dyn FnMut(&[u8]) -> Result<(), Fault>> = match number % 2 {
        0 => Box::new(move |message| other.step(Some(message)).map(drop)),
        _ => Box::new(move |message| opener.step(Some(message)).map(drop)),
    };
    Some(Waiting { take, honest: message })
}
