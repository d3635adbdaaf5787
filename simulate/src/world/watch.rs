//! What must hold at every step: nothing is released too early or to a false move, and what is shown is the truth.

use super::World;
use fog::binding::evaluate;
use fog::word::{from_word, keccak256, reduce};
use game::{ChainEvent, Message, Phase, SessionId, Table, Transaction};
use game::{Notice, PeerFault, View};
use halo2curves::bn256::Fr;
use rules::{Move, Sight};

/// Where the polynomial of an answer's elements is evaluated, to tell two answers apart.
const FINGERPRINT: u64 = 0x5eed_5eed_5eed_5eed;

impl World {
    /// Takes a move that has become final: the truth goes on with it, unless its proof is false.
    pub(super) fn follow(&mut self, index: usize) {
        let ChainEvent::Moved { fields, .. } = &self.chain.log[index].event else {
            return;
        };
        if self.is_gullible && !self.is_proven(index) {
            self.false_plies.push(fields.ply);
            return;
        }
        assert!(self.false_plies.is_empty(), "a game goes on after a false move");
        let mv = self.oracle.move_to(&fields.next_commitment);
        let mut position = self.truth.last().expect("the start").clone();
        let played = position.play(&mv).expect("the chain took an illegal move");
        assert_eq!((played.capture, played.king_fell), (fields.capture, fields.king_fell));
        self.truth.push(position);
    }

    /// Whether the proof of a move is right, whatever the contract has said of it.
    fn is_proven(&self, index: usize) -> bool {
        let mut table = Table::new(self.chain.game);
        self.events().take(index).for_each(|event| table.apply(event).expect("an event of the game"));
        let ChainEvent::Moved { fields, proof: Some(proof), .. } = &self.chain.log[index].event else {
            return false;
        };
        let public = table.playing().and_then(|play| play.turn_public(&self.chain.game, fields));
        public.is_some_and(|public| self.oracle.verify_turn(&public.to_instance(), proof))
    }

    /// Nothing that depends on a move leaves before the move is final, and nothing at all for a false one.
    pub(super) fn watch(&mut self, i: usize, message: &Message) {
        match message {
            Message::Answer { ply, phase, elements, .. } => {
                self.watch_sight(*ply, *phase);
                self.watch_given(i, (*ply, *phase), elements);
            }
            Message::Request { ply, .. } => {
                self.checks.add("released when final");
                assert!(usize::from(*ply) <= self.final_moves(), "points of a request leave too early");
            }
            Message::Session { session: SessionId::Exchange { ply, phase }, index, bytes } => {
                self.watch_sight(*ply, *phase);
                // The opening says all that there is to be seen.
                if *index == 0 {
                    self.watch_given(i, (*ply, *phase), &[reduce(&keccak256(bytes))]);
                }
            }
            Message::Session { session: SessionId::SetUp, .. } | Message::Want { .. } | Message::WantSession { .. } => {
            }
            // No seat says these.
            Message::Ply(_) | Message::Countersigned { .. } | Message::Result { .. } | Message::Have { .. } => {}
        }
    }

    /// Checks a transaction before it is sent; and only what was demanded is given on chain.
    pub(super) fn watch_transaction(&mut self, i: usize, transaction: &Transaction) {
        let due = self.players[i].seat.table().begun().map(|play| play.ply);
        match transaction {
            Transaction::FillAnswer { ply, .. } => {
                assert_eq!(Some(*ply), due, "a root is posted late for a ply that isn't due");
            }
            Transaction::AnswerSight { demanded, elements, .. } => {
                self.watch_sight(demanded.ply, demanded.phase);
                let (words, _) = elements.as_chunks();
                let elements: Vec<Fr> = words.iter().map(|word| from_word(word).expect("an element")).collect();
                self.watch_given(i, (demanded.ply, demanded.phase), &elements);
                let is_final = self.events().take(self.finals).any(
                    |event| matches!(event, ChainEvent::SightDemanded { demanded: known, .. } if known == demanded),
                );
                assert!(is_final, "an answer on chain to what nobody demands for good");
            }
            Transaction::Move { fields, .. } => {
                assert!(self.false_plies.is_empty(), "a move of ply {} after a false one", fields.ply);
            }
            _ => {}
        }
    }

    fn watch_sight(&mut self, ply: u16, phase: Phase) {
        self.checks.add("released when final");
        // The sight before a move hangs on the moves before it alone, though that move may be on chain by now, and false.
        let follows = |false_ply: &u16| *false_ply < ply || (phase == Phase::Post && *false_ply == ply);
        assert!(!self.false_plies.iter().any(follows), "a sight is given to a false move");
        match phase {
            Phase::Pre => assert!(self.final_moves() >= usize::from(ply), "a sight leaves before its move is final"),
            Phase::Post => assert!(self.final_moves() > usize::from(ply), "a sight leaves before its move is final"),
        }
    }

    /// One sight is given for one position: whatever is given for a ply and phase, it is always the same.
    fn watch_given(&mut self, i: usize, sight: (u16, Phase), elements: &[Fr]) {
        self.checks.add("one sight a ply");
        let said = evaluate(elements, Fr::from(FINGERPRINT));
        let given = *self.players[i].given.entry(sight).or_insert(said);
        assert_eq!(given, said, "two sights of one ply are given: {sight:?}");
    }

    /// What must hold after every step.
    pub(super) fn check(&mut self) {
        self.checks.add("money adds up");
        if let Err(error) = self.chain.check_money() {
            panic!("{error}");
        }
    }

    pub(super) fn final_moves(&self) -> usize {
        self.truth.len() - 1
    }

    /// What is shown is the truth.
    pub(super) fn look(&mut self, i: usize, update: Notice) {
        if let Notice::View(view) = &update {
            self.compare(i, view);
        }
        self.players[i].shown.push(update);
    }

    fn compare(&mut self, i: usize, view: &View) {
        self.checks.add("what is shown is the truth");
        let color = self.players[i].seat.color().expect("colours are drawn");
        let at = usize::from(view.ply) + usize::from(view.phase == Phase::Post);
        let Some(sight) = &view.sight else { return };
        let Some(position) = self.truth.get(at) else {
            let is_honest = self.players[i].mischief.is_none();
            assert!(!is_honest || !self.false_plies.is_empty(), "a sight of a position that isn't final is shown");
            return;
        };
        assert_eq!(view.side.pieces, position.side(color).pieces);
        assert_eq!(*sight, Sight::between(position.side(color), position.side(!color), view.phase == Phase::Pre));
        if view.phase == Phase::Pre {
            let sorted = |mut moves: Vec<Move>| {
                moves.sort_by_key(ToString::to_string);
                moves
            };
            assert_eq!(sorted(view.legal.clone()), sorted(position.legal_moves()));
        }
    }

    /// The faults that a player was shown and that no honest opponent causes.
    pub fn accusations(&self, i: usize) -> Vec<&PeerFault> {
        let mut accusations = Vec::new();
        for update in &self.players[i].shown {
            match update {
                Notice::Fault { fault } if !fault.may_be_honest() => accusations.push(fault),
                _ => {}
            }
        }
        accusations
    }
}
