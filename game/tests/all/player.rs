//! What a player refuses to put a move together from, whoever asks: only on its first move may there be no sight, and it
//! answers only the request that the opponent has on chain (protocol, section 6).

use alloy_primitives::{Address, B256};
use fog::engine::{Engine, Fault, Received, Session, SightLines};
use fog::testing::NativeProofs;
use game::secrets::GameSecrets;
use game::toss::{creator_is_white, toss_commitment};
use game::{
    ChainEvent, Declared, GameRef, Mode, Opening, OwnState, PlayState, Player, ProvenSight, Table, Terms, opening_id,
};
use rules::{Color, Move, Sight};
use std::sync::Arc;

const TERMS: Terms = Terms {
    mode: Mode::Verified,
    stake: 0,
    base: 600,
    increment: 0,
    delay: 60,
    window: 3_600,
    reveal: 120,
    expiry: 1_000,
    opponent: None,
};

/// A game in play, and each color's player and own state.
struct Match {
    play: PlayState,
    players: [Player; 2],
    own: [OwnState; 2],
}

impl Match {
    fn begin() -> Self {
        let (chain_id, contract, nonce) = (31337, Address::repeat_byte(1), B256::repeat_byte(2));
        let [creator, joiner] = [5, 6].map(Address::repeat_byte);
        let of_creator = GameSecrets::derive(&[3; 32], &opening_id(chain_id, contract, creator, nonce));
        let share = of_creator.toss_secret();
        let toss = toss_commitment(&creator.into(), &share).into();
        let opening =
            Opening { creator, nonce, terms: TERMS, toss, registration: of_creator.fog_secret().key().to_bytes() };
        let game = GameRef { chain_id, contract, game_id: opening.game_id(chain_id, contract) };
        let of_joiner = GameSecrets::derive(&[4; 32], &game.game_id);
        let joiner_share = of_joiner.toss_secret();
        let toss = toss_commitment(&joiner.into(), &joiner_share).into();
        let [white, black] = match creator_is_white(&share, &joiner_share, &game.game_id) {
            true => [0, 1],
            false => [1, 0],
        };
        let mut table = Table::new(game);
        for event in [
            ChainEvent::Created(opening),
            ChainEvent::Joined { joiner, toss, registration: of_joiner.fog_secret().key().to_bytes() },
            ChainEvent::TossRevealed { share: share.into() },
            ChainEvent::Started { white: [creator, joiner][white], share: joiner_share.into() },
        ] {
            table.apply(&event).expect("a game begins so");
        }
        let secrets = [of_creator, of_joiner];
        let play = table.begun().expect("it has begun").clone();
        let player = |color: Color, secrets: &GameSecrets| {
            let engine = SightLines::new(Arc::new(NativeProofs));
            let party = engine.set_up(color, secrets.seed(), &play.engine_game(&game)).expect("its fog key");
            let (mut session, job) = Session::start(party, color == Color::White);
            session.finish(job.run()).expect("a set-up without messages");
            let keys = session.output().expect("a set-up without messages").clone();
            Player::new(game, color, secrets.view_key().clone(), keys)
        };
        let players = [player(Color::White, &secrets[white]), player(Color::Black, &secrets[black])];
        Self { play, players, own: Color::ALL.map(OwnState::start) }
    }

    fn mover(&self) -> usize {
        self.play.turn().index()
    }

    /// The standing request of the player that isn't to move, if it has moved.
    fn asked(&self) -> Option<Vec<u8>> {
        let other = 1 - self.mover();
        let has_moved = self.play.ply > 0;
        has_moved.then(|| self.players[other].request(&self.own[other]).expect("an honest request"))
    }

    fn declare(&self, mv: &str, seen: Option<ProvenSight<'_>>, request: Option<&[u8]>) -> Result<Declared, Fault> {
        let mv: Move = mv.parse().expect("UCI");
        self.players[self.mover()].declare(&self.play, &self.own[self.mover()], mv, false, seen, request)
    }

    /// Plays a move; gives the sight that the opponent's next one relies on, if it needs any, with its messages.
    fn play(&mut self, mv: &str, seen: Option<ProvenSight<'_>>) -> Option<(Sight, Vec<Vec<u8>>)> {
        let declared = self.declare(mv, seen, self.asked().as_deref()).expect("a true move");
        let mover = self.mover();
        self.own[mover] = declared.next.clone();
        self.play = self.play.after(&declared.fields);
        let (exchange, party) = declared.answer?;
        let other = self.mover();
        let promised = Some(declared.fields.answer_root);
        let receiver = self.players[other].receive(&exchange, &self.own[other], promised).expect("its own exchange");
        let (mut sender, job) = Session::start(party, true);
        sender.finish(job.run()).expect("a true answer");
        let (mut receiver, job) = Session::start(receiver, false);
        receiver.finish(job.run()).expect("nothing to do yet");
        let Ok(Received::Job(job)) = receiver.receive(0, &sender.messages()[0]) else {
            panic!("an answer is one message that is due");
        };
        receiver.finish(job.run()).expect("a true answer");
        Some((receiver.output().expect("it is over").clone(), receiver.messages().to_vec()))
    }
}

fn is_refused(declared: Result<Declared, Fault>, words: &str) {
    let fault = declared.expect_err("no move can be made of this").to_string();
    assert!(fault.contains(words), "{fault}");
}

#[test]
fn every_move_but_the_first_relies_on_a_sight() {
    let mut game = Match::begin();
    for mv in ["e2e4", "e7e5"] {
        game.play(mv, None);
    }
    is_refused(game.declare("d2d4", None, game.asked().as_deref()), "relies on a sight");
}

#[test]
fn a_request_that_is_not_on_chain_is_not_answered() {
    let mut game = Match::begin();
    assert!(game.play("e2e4", None).is_none());
    let (sight, messages) = game.play("e7e5", None).expect("White's second move needs a sight");
    let seen = ProvenSight { sight: &sight, messages: &messages };
    let [white, black] = &game.players;
    for request in [white.request(&game.own[0]), black.request(&OwnState::start(Color::Black))] {
        let request = request.expect("an honest request");
        is_refused(game.declare("d2d4", Some(seen), Some(&request)), "not the one on chain");
    }
    let declared = game.declare("d2d4", Some(seen), game.asked().as_deref()).expect("a true move");
    assert!(declared.answer.is_some());
}
