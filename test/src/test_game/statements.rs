//! What the two sides of a [`TestGame`] ask, answer and move, as `game::Player` puts it together for every seat, with real proofs
//! (protocol, sections 5 and 7).

use super::{ProvenMove, TestGame};
use crate::prover;
use fog::engine::sight_lines::{answer::answer, context::AnswerHeader, request::Request};
use fog::engine::{Engine, Exchange, Fault, OnChain, Received, Session, SightLines};
use fog::word::to_word;
use game::{Message, Phase, Player, ProvenSight};
use rules::{Color, Sight};

impl TestGame {
    /// A player as its seat would have it.
    fn player(&self, color: Color) -> Player {
        let secrets = &self.players[color.index()].secrets;
        let game = self.play_state().engine_game(&self.game);
        let party = SightLines::new(prover()).set_up(color, secrets.seed(), &game);
        let (mut session, job) = Session::start(party.expect("its fog key"), color == Color::White);
        session.finish(job.run()).expect("a set-up without messages");
        let keys = session.output().expect("a set-up without messages");
        Player::new(self.game, color, secrets.view_key().clone(), keys.clone())
    }

    fn exchange(&self, phase: Phase) -> Exchange {
        let exchange = self.play_state().exchange(phase);
        exchange.expect("the position has such a sight")
    }

    /// A player's standing request, for the opponent to answer.
    fn request(&self, color: Color) -> Vec<u8> {
        let request = self.player(color).request(&self.players[color.index()].own);
        request.expect("secrets give no scalar of 0")
    }

    /// The message with a player's standing request.
    pub fn request_message(&self, color: Color) -> Message {
        let back = if color == self.play_state().turn() { 2 } else { 1 };
        let points = self.request(color).into_boxed_slice();
        Message::Request {
            ply: self.play_state().ply - back,
            points: points.try_into().expect("a request has 4096 bytes"),
        }
    }

    /// The message with the answer before the coming move, or after the last, really proven.
    pub fn answer_message(&self, phase: Phase) -> Message {
        let exchange = self.exchange(phase);
        let (sender, request) = (exchange.sender(), self.request(exchange.receiver()));
        let own = &self.players[sender.index()].own;
        let given = self.player(sender).give(&exchange, own, &request);
        let (party, _) = given.expect("an honest request can be answered");
        let (mut session, job) = Session::start(party, true);
        session.finish(job.run()).expect("a true statement");
        let ply = u16::try_from(exchange.ply).expect("plies have 16 bits");
        let message = Message::answer(ply, phase, &session.messages()[0]);
        message.expect("elements and their proof")
    }

    /// What the receiver of an answer sees by it, the proof verified.
    ///
    /// # Errors
    ///
    /// Why the answer is refused.
    pub fn open_answer(&self, answer: &Message) -> Result<Sight, Fault> {
        let exchange = self.exchange(answer.id().phase);
        let own = &self.players[exchange.receiver().index()].own;
        let party = self.player(exchange.receiver()).receive(&exchange, own, None)?;
        let (mut session, job) = Session::start(party, false);
        session.finish(job.run())?;
        let bytes = answer.engine_bytes();
        if let Received::Job(job) = session.receive(0, &bytes)? {
            session.finish(job.run())?;
        }
        let sight = session.output().cloned();
        sight.ok_or_else(|| Fault::internal("no sight came of it"))
    }

    /// What the receiver before the coming move, or after the last, must see by the rules.
    pub fn true_sight(&self, phase: Phase) -> Sight {
        let exchange = self.exchange(phase);
        let board = |color: Color| exchange.board(&self.players[color.index()].own.side);
        let (receiver, sender) = (board(exchange.receiver()), board(exchange.sender()));
        Sight::between(&receiver, &sender, phase == Phase::Pre)
    }

    /// A legal move of the player to move, really proven, with the root of the opponent's next answer.
    pub fn make(&self, mv: &str) -> ProvenMove {
        let (play, mover) = (self.play_state(), self.mover());
        let (player, theirs) = (self.player(play.turn()), self.request(!play.turn()));
        let sight = Sight::between(&mover.own.side.without(play.pending), &self.other().own.side, true);
        let relied_on = (!play.opening()).then(|| self.unproven_answer());
        let seen =
            relied_on.as_ref().map(|answer| ProvenSight { sight: &sight, messages: std::slice::from_ref(answer) });
        let mv = mv.parse().expect("a move in UCI");
        // White's first move answers nothing, for Black has asked for nothing yet.
        let asked = (play.ply > 0).then_some(&theirs[..]);
        let declared = player.declare(play, &mover.own, mv, false, seen, asked);
        let declared = declared.unwrap_or_else(|error| panic!("{mv}: {error}"));
        let proof = player.keys().prove_move(&declared.step);
        let basis = play.basis(&self.game, &declared.fields);
        ProvenMove { fields: declared.fields, basis, proof: proof.expect("a legal move") }
    }

    /// Proves of a player's state that it counts fifty moves without a pawn's, or fewer.
    pub fn prove_fifty(&self, color: Color) -> Vec<u8> {
        let own = self.players[color.index()].own.committed();
        self.prove(color, |keys| keys.prove_fifty(&own))
    }

    /// Proves that the player to move has no move.
    pub fn prove_no_move(&self) -> Vec<u8> {
        let (own, exchange) = (self.mover().own.committed(), self.exchange(Phase::Pre));
        let answer = self.unproven_answer();
        self.prove(self.play_state().turn(), |keys| keys.prove_no_move(&exchange, &own, &[answer]))
    }

    fn prove(&self, color: Color, prove: impl FnOnce(&dyn OnChain) -> Result<Vec<u8>, Fault>) -> Vec<u8> {
        let player = self.player(color);
        let keys = player.keys().on_chain().expect("sight lines are verified by the contract");
        tokio::task::block_in_place(|| prove(keys)).expect("a true statement")
    }

    /// What the answer before the coming move says, without the seconds that its proof takes.
    fn unproven_answer(&self) -> Vec<u8> {
        let (play, sender) = (self.play_state(), self.other());
        let header = AnswerHeader {
            receiver: play.turn(),
            phase: Phase::Pre,
            pending_sender: None,
            pending_receiver: play.pending,
            ctx: play.pre_context(&self.game),
        };
        let request = Request::from_bytes(&self.request(play.turn())).expect("an own request");
        let secret = sender.secrets.fog_secret();
        let made = answer(&sender.own.side, &secret, &header, &request);
        let elements = made.expect("an honest request can be answered").to_wire();
        elements.iter().flat_map(to_word).collect()
    }
}
