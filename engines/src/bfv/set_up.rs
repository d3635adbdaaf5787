//! The set-up: six messages, White first, that give both players the joint keys without a dealer.
//!
//! ```text
//! 0, 1  a commitment to the opening
//! 2, 3  the opening: a share of the public key, and of the relinearisation key's first round
//! 4, 5  its second round, and a seal; in games with proofs, the one of *key share*
//! ```
//!
//! Both players are committed before either opens, so none can choose its share by the other's. The common random polynomials follow from the
//! coin toss. Without proofs nothing tells whether a share is well formed: by most wrong ones no product decrypts, which is refused there.

use super::{
    ABOUT,
    cipher::Cipher,
    key_share::{KeyShare, sum},
    keys::Keys,
    parameters::{OPENING_BYTES, Parameters, ROUND_2_BYTES},
    proofs::RingProofs,
    refusal::Refusal,
    ring,
    shares::{KEY_SHARE_BYTES, KeySharePublic, KeyShareStatement},
    transcript::Transcript,
};
use fhe_math::rq::Poly;
use fog::{
    engine::{Branch, Fault, Game, GameKeys, MessageSize, Party, Step, Word},
    statement::Proves,
    word::WORD,
};
use rules::Color;
use std::sync::Arc;

/// How many messages there are.
const MESSAGES: usize = 6;

/// What has been said so far.
#[derive(Clone)]
struct State {
    /// Number of the next message.
    next: usize,
    transcript: Transcript,
    common: Arc<Vec<Poly>>,
    own: Option<Arc<KeyShare>>,
    /// The other's commitment, and what the committed opening is bound to.
    theirs: Option<(Transcript, Word)>,
    their_opening: Option<Arc<Vec<Poly>>>,
    own_round_2: Option<Arc<Vec<Poly>>>,
    their_round_2: Option<Arc<Vec<Poly>>>,
}

impl State {
    /// The own share and the other's opening, once both have opened.
    fn opened(&self) -> Result<(&Arc<KeyShare>, &[Poly]), Fault> {
        let own = self.own.as_ref().ok_or_else(early)?;
        Ok((own, self.their_opening.as_ref().ok_or_else(early)?))
    }
}

pub struct SetUp {
    color: Color,
    branch: Branch,
    game: Game,
    /// What makes and checks the proofs of shares, and of captures later, if they are proven.
    proofs: Option<Arc<dyn RingProofs>>,
    /// Nothing before the first step.
    state: Option<State>,
}

fog::redacted!(SetUp);

fn early() -> Fault {
    Fault::internal("a message before its time")
}

impl SetUp {
    /// Before the own share is made.
    pub fn new(color: Color, branch: Branch, game: Game, proofs: Option<Arc<dyn RingProofs>>) -> Self {
        Self { color, branch, game, proofs, state: None }
    }

    /// What the session is bound to.
    fn id(&self) -> Word {
        self.game.digest("fogmate/bfv/set-up/1", &ABOUT, &[])
    }

    fn start(&self) -> Result<State, Fault> {
        Ok(State {
            next: 0,
            transcript: Transcript::new(&self.id()),
            common: Arc::new(Parameters::get()?.common(&self.game)),
            own: None,
            theirs: None,
            their_opening: None,
            own_round_2: None,
            their_round_2: None,
        })
    }

    /// The next message, which is the own.
    fn say(&self, state: &mut State) -> Result<Vec<u8>, Fault> {
        let before = state.transcript;
        let (content, proven) = match state.next {
            0 | 1 => {
                let parameters = Parameters::get()?;
                let mut rng = before.stream(&self.branch, "key share");
                let own = KeyShare::new(parameters, &state.common, &mut rng)?;
                // The opening is bound to the id and the player: the other's commitment is no part of it.
                let commitment = self.bound(self.color).commitment(&ring::write(&own.opening));
                state.own = Some(Arc::new(own));
                (commitment.to_vec(), Vec::new())
            }
            2 | 3 => (ring::write(&state.own.as_ref().ok_or_else(early)?.opening), Vec::new()),
            _ => {
                let (own, theirs) = state.opened()?;
                let opened = sum(&own.opening, theirs);
                let round_2 = own.round_2(&opened, &mut before.stream(&self.branch, "round 2"))?;
                let content = ring::write(&round_2);
                let mut proven = before.seal(&content, &[]).to_vec();
                if let Some(proofs) = &self.proofs {
                    let public = KeySharePublic::new(&state.common, &own.opening, &opened, &round_2)?;
                    let proof = Proves::<KeyShareStatement>::prove(&**proofs, &public, &own.secrets);
                    proven.extend(proof.map_err(Fault::Internal)?);
                }
                state.own_round_2 = Some(Arc::new(round_2));
                (content, proven)
            }
        };
        state.transcript = before.with(&content);
        state.next += 1;
        Ok([content, proven].concat())
    }

    /// What a player's commitment is bound to, so that nobody can repeat the other's.
    fn bound(&self, color: Color) -> Transcript {
        Transcript::new(&self.id()).with(&[color.index() as u8])
    }

    /// Takes the next message, which is the other's.
    fn hear(&self, state: &mut State, message: &[u8]) -> Result<(), Fault> {
        let index = state.next;
        let (content, proven) = self.shape().get(index).ok_or(Fault::NotDue(index))?.split(index, message)?;
        let context = Parameters::get()?.full();
        match index {
            0 | 1 => {
                let commitment = content.try_into().map_err(Fault::internal)?;
                state.theirs = Some((self.bound(!self.color), commitment));
            }
            2 | 3 => {
                let (bound, commitment) = state.theirs.as_ref().ok_or_else(early)?;
                fog::ensure!(bound.commitment(content) == *commitment, Fault::unproven(index, Refusal::Commitment));
                state.their_opening = Some(Arc::new(ring::read(index, content, context)?));
            }
            _ => {
                let (seal, proof) = proven.split_at(WORD);
                fog::ensure!(seal == state.transcript.seal(content, &[]), Fault::unproven(index, Refusal::Seal));
                let round_2 = ring::read(index, content, context)?;
                if let Some(proofs) = &self.proofs {
                    let (own, theirs) = state.opened()?;
                    let opened = sum(&own.opening, theirs);
                    let public = KeySharePublic::new(&state.common, theirs, &opened, &round_2)?;
                    Proves::<KeyShareStatement>::verify(&**proofs, &public, proof).map_err(|error| {
                        let cause = format!("the shares of the joint keys aren't made as they must be: {error}");
                        Fault::unproven(index, cause)
                    })?;
                }
                state.their_round_2 = Some(Arc::new(round_2));
            }
        }
        state.transcript = state.transcript.with(content);
        state.next += 1;
        Ok(())
    }

    /// The keys, once all was said.
    fn keys(&self, state: &State) -> Result<Option<Arc<dyn GameKeys>>, Fault> {
        let rounds = state.own_round_2.as_ref().zip(state.their_round_2.as_ref());
        let Some((ours, theirs)) = rounds else { return Ok(None) };
        let (own, opening) = state.opened()?;
        let of_public = state.common.first().ok_or_else(early)?;
        let opened = sum(&own.opening, opening);
        let cipher = Cipher::new(Parameters::get()?, own.clone(), of_public, &opened, &sum(ours, theirs))?;
        let keys = Keys::new(self.color, self.branch.clone(), self.game.clone(), Arc::new(cipher), self.proofs.clone());
        Ok(Some(Arc::new(keys)))
    }
}

impl Party for SetUp {
    type Output = Arc<dyn GameKeys>;

    fn shape(&self) -> Vec<MessageSize> {
        const COMMITMENT: MessageSize = MessageSize::of(WORD);
        const OPENING: MessageSize = MessageSize::of(OPENING_BYTES);
        let proof = WORD + if self.proofs.is_some() { KEY_SHARE_BYTES } else { 0 };
        let round_2 = MessageSize { content: ROUND_2_BYTES, proof };
        let shape: [MessageSize; MESSAGES] = [COMMITMENT, COMMITMENT, OPENING, OPENING, round_2, round_2];
        shape.to_vec()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Self::Output>, Fault> {
        let mut state = self.state.clone().map_or_else(|| self.start(), Ok)?;
        if let Some(message) = received {
            self.hear(&mut state, message)?;
        }
        let is_own = state.next < MESSAGES && state.next.is_multiple_of(2) == (self.color == Color::White);
        let send = if is_own { Some(self.say(&mut state)?) } else { None };
        let output = self.keys(&state)?;
        self.state = Some(state);
        Ok(Step { send, output })
    }
}
