//! The engines that games are played with by name: a closed list, so that no engine of a test or a simulator can be among them.

use crate::own_step::{Stepped, Steps};
use crate::psi::statement::SetProofs;
use crate::{
    andos::Andos,
    bfv::{Bfv, RingProofs},
    dh_psi::{self, DhPsi, DhPsiPlain},
    emanant::Emanant,
    own_step,
    replay::Accountable,
};
use fog::{
    engine::{About, Claims, Engine, Proofs, SightLines},
    statement::{Proves, own_step::OwnStepStatement},
};
use std::sync::Arc;

/// An engine by its name. Some prove what they say: `Moves`, `Sets` and `OwnSteps` are what makes their proofs, or nothing where only the name
/// matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineKind<Moves = (), Sets = (), OwnSteps = ()> {
    /// The only one that proves moves, and so is played for stakes.
    SightLines(Moves),
    DhPsiProven(Sets),
    DhPsi,
    DhPsiPlain,
    Emanant,
    Andos,
    AndosFirst,
    AndosHardened,
    AndosChained,
    Bfv,
    AndosSteps(OwnSteps),
    AndosHardenedSteps(OwnSteps),
    BfvSteps(OwnSteps),
}

impl Default for EngineKind {
    fn default() -> Self {
        Self::SightLines(())
    }
}

impl EngineKind {
    pub const ALL: [Self; 13] = [
        Self::SightLines(()),
        Self::DhPsiProven(()),
        Self::DhPsi,
        Self::DhPsiPlain,
        Self::Emanant,
        Self::Andos,
        Self::AndosFirst,
        Self::AndosHardened,
        Self::AndosChained,
        Self::Bfv,
        Self::AndosSteps(()),
        Self::AndosHardenedSteps(()),
        Self::BfvSteps(()),
    ];

    /// The engine of a name, if games are played with it.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The engine with what makes its proofs, which is made if it proves anything; `steps` is told whether something of polynomials is proven too.
    pub fn with<Moves, Sets, OwnSteps, Error>(
        self,
        moves: impl FnOnce() -> Result<Moves, Error>,
        sets: impl FnOnce() -> Result<Sets, Error>,
        steps: impl FnOnce(bool) -> Result<OwnSteps, Error>,
    ) -> Result<EngineKind<Moves, Sets, OwnSteps>, Error> {
        Ok(match self {
            Self::SightLines(()) => EngineKind::SightLines(moves()?),
            Self::DhPsiProven(()) => EngineKind::DhPsiProven(sets()?),
            Self::DhPsi => EngineKind::DhPsi,
            Self::DhPsiPlain => EngineKind::DhPsiPlain,
            Self::Emanant => EngineKind::Emanant,
            Self::Andos => EngineKind::Andos,
            Self::AndosFirst => EngineKind::AndosFirst,
            Self::AndosHardened => EngineKind::AndosHardened,
            Self::AndosChained => EngineKind::AndosChained,
            Self::Bfv => EngineKind::Bfv,
            Self::AndosSteps(()) => EngineKind::AndosSteps(steps(false)?),
            Self::AndosHardenedSteps(()) => EngineKind::AndosHardenedSteps(steps(false)?),
            Self::BfvSteps(()) => EngineKind::BfvSteps(steps(true)?),
        })
    }
}

impl<Moves, Sets, OwnSteps> EngineKind<Moves, Sets, OwnSteps> {
    pub fn name(&self) -> &'static str {
        self.about().map_or(fog::engine::sight_lines::NAME, |about| about.name)
    }

    /// What an engine that proves no moves says of itself; `None` for sight-lines.
    pub fn about(&self) -> Option<&'static About> {
        match self {
            Self::SightLines(_) => None,
            Self::DhPsiProven(_) => Some(dh_psi::PROVEN),
            Self::DhPsi => Some(DhPsi::ABOUT),
            Self::DhPsiPlain => Some(DhPsiPlain::ABOUT),
            Self::Emanant => Some(Emanant::ABOUT),
            Self::Andos => Some(Andos::IMPROVED.about),
            Self::AndosFirst => Some(Andos::FIRST.about),
            Self::AndosHardened => Some(Andos::HARDENED.about),
            Self::AndosChained => Some(Andos::CHAINED.about),
            Self::Bfv => Some(Bfv::ABOUT),
            Self::AndosSteps(_) => Some(&ANDOS_STEPS),
            Self::AndosHardenedSteps(_) => Some(&ANDOS_HARDENED_STEPS),
            Self::BfvSteps(_) => Some(&BFV_STEPS),
        }
    }

    /// The engine, if its players trust each other and can be called to account after a game. It verifies no proofs then.
    pub fn accountable(&self) -> Option<Arc<dyn Accountable>> {
        Some(match self {
            Self::SightLines(_) | Self::DhPsiProven(_) => return None,
            Self::DhPsi => Arc::new(DhPsi::default()),
            Self::DhPsiPlain => Arc::new(DhPsiPlain::default()),
            Self::Emanant => Arc::new(Emanant::default()),
            Self::Andos => Arc::new(Andos::IMPROVED),
            Self::AndosFirst => Arc::new(Andos::FIRST),
            Self::AndosHardened => Arc::new(Andos::HARDENED),
            Self::AndosChained => Arc::new(Andos::CHAINED),
            Self::Bfv => Arc::new(Bfv::default()),
            Self::AndosSteps(_) => Arc::new(Stepped::new(Andos::IMPROVED, &ANDOS_STEPS, None)),
            Self::AndosHardenedSteps(_) => Arc::new(Stepped::new(Andos::HARDENED, &ANDOS_HARDENED_STEPS, None)),
            Self::BfvSteps(_) => Arc::new(Stepped::new(Bfv::verified(), &BFV_STEPS, None)),
        })
    }
}

/// What remains open where boards follow from each other, and nothing ties what is said of them to them.
const CAVEAT: &str = "committed boards but the last follow from one another by moves of own men, but nothing ties what is asked or shown to them during the \
                      game: a cheating receiver sees what it likes, a cheating sender shows any board";

/// What remains open where what is asked and shown is proven of the boards too.
const BFV_CAVEAT: &str =
    "keys, boards, what is asked and shown, own steps and captures are proven, but not that the way of a move was free";

const ANDOS_STEPS: About = own_step::about(
    Andos::IMPROVED.about,
    "andos-steps",
    CAVEAT,
    [
        "that each committed board but the last follows from the one before",
        "some 112 bits, quadratic residuosity; proofs by KZG over BN254, about 100 bits",
    ],
);
const ANDOS_HARDENED_STEPS: About = own_step::about(
    Andos::HARDENED.about,
    "andos-hardened-steps",
    CAVEAT,
    [
        "as andos-hardened, and that each committed board but the last follows from the one before",
        "some 112 bits, quadratic residuosity; proofs by KZG over BN254, about 100 bits",
    ],
);
const BFV_STEPS: About = About {
    claims: Claims {
        proven: "keys, ciphertexts and shares; both vectors from the committed boards; that each board but the last follows from the one before as far as own men tell; and that each captured man but the last could be seen",
        cheating_receiver: "what its men see after moves through the opponent's men; none that it hasn't",
        cheating_sender: "its own men after such moves, which may stand where the receiver's do, and hide others or stop the exchange",
        security: "128 bits, ring learning with errors; proofs by KZG over BN254, about 96 bits; flood of 2⁻⁷⁵",
    },
    ..own_step::about(Bfv::ABOUT, "bfv-steps", BFV_CAVEAT, ["", ""])
};

impl<Moves, Sets, OwnSteps> EngineKind<Arc<Moves>, Sets, OwnSteps>
where
    Moves: Proofs + 'static,
    Sets: SetProofs,
    OwnSteps: Proves<OwnStepStatement> + RingProofs + 'static,
{
    pub fn engine(self) -> Arc<dyn Engine> {
        let steps = |steps: OwnSteps| Some(Arc::new(steps) as Steps);
        match self {
            Self::AndosSteps(own) => Arc::new(Stepped::new(Andos::IMPROVED, &ANDOS_STEPS, steps(own))),
            Self::AndosHardenedSteps(own) => Arc::new(Stepped::new(Andos::HARDENED, &ANDOS_HARDENED_STEPS, steps(own))),
            Self::BfvSteps(own) => {
                let own = Arc::new(own);
                Arc::new(Stepped::new(Bfv::proven(own.clone()), &BFV_STEPS, Some(own)))
            }
            Self::SightLines(proofs) => Arc::new(SightLines::new(proofs)),
            Self::DhPsiProven(proofs) => Arc::new(dh_psi::proven(proofs)),
            other => other.accountable().expect("every other engine can be called to account"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::NativeSetProofs;
    use fog::{engine::Trust, testing::NativeProofs};

    #[test]
    fn names_are_those_of_the_engines() {
        let names = EngineKind::ALL.map(|kind| kind.name());
        let andos = ["andos", "andos-first", "andos-hardened", "andos-chained"];
        let others = ["sight-lines", "dh-psi-proven", "dh-psi", "dh-psi-plain", "emanant"];
        let steps = ["andos-steps", "andos-hardened-steps", "bfv-steps"];
        assert_eq!(names[..], [&others[..], &andos, &["bfv"], &steps].concat());
        for name in names {
            assert_eq!(EngineKind::named(name).map(|kind| kind.name()), Some(name));
        }
        for name in ["open", "", "Bfv"] {
            assert_eq!(EngineKind::named(name), None, "{name}");
        }
    }

    #[test]
    fn each_name_makes_its_engine() {
        type Kind = EngineKind<Arc<NativeProofs>, NativeSetProofs, NativeSetProofs>;
        for named in EngineKind::ALL {
            let sets = || Ok(NativeSetProofs);
            let kind: Kind = named.with(|| Ok::<_, ()>(Arc::new(NativeProofs)), sets, |_| sets()).expect("a kind");
            let (name, accountable, engine) = (kind.name(), kind.accountable(), kind.clone().engine());
            assert_eq!([name, engine.about().name], [named.name(); 2]);
            assert!(kind.about().is_none_or(|about| about == engine.about()), "{name}");
            assert_eq!(engine.about().trust == Trust::Malicious, kind.about().is_none(), "{name}");
            assert!(!engine.about().caveat.is_empty() && !engine.about().caveat.contains('\n'), "{name}");
            assert_eq!(accountable.is_some(), !["sight-lines", "dh-psi-proven"].contains(&name));
            assert!(accountable.is_none_or(|accountable| accountable.about() == engine.about()), "{name}");
        }
    }
}
