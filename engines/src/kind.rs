//! The engines that games are played with by name: a closed list, so that no engine of a test or a simulator can be among them.

use crate::psi::statement::SetProofs;
use crate::{
    andos::Andos,
    bfv::Bfv,
    dh_psi::{self, DhPsi, DhPsiPlain},
    emanant::Emanant,
    replay::Accountable,
};
use fog::engine::{About, Engine, Proofs, SightLines};
use std::sync::Arc;

/// An engine by its name. Two of them prove what they say: `Moves` and `Sets` are what makes their proofs, or nothing where only the name
/// matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineKind<Moves = (), Sets = ()> {
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
}

impl Default for EngineKind {
    fn default() -> Self {
        Self::SightLines(())
    }
}

impl EngineKind {
    pub const ALL: [Self; 10] = [
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
    ];

    /// The engine of a name, if games are played with it.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The engine with what makes its proofs, which is made if it proves anything.
    pub fn with<Moves, Sets, Error>(
        self,
        moves: impl FnOnce() -> Result<Moves, Error>,
        sets: impl FnOnce() -> Result<Sets, Error>,
    ) -> Result<EngineKind<Moves, Sets>, Error> {
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
        })
    }
}

impl<Moves, Sets> EngineKind<Moves, Sets> {
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
            Self::Andos => Some(Andos::IMPROVED),
            Self::AndosFirst => Some(Andos::FIRST),
            Self::AndosHardened => Some(Andos::HARDENED),
            Self::AndosChained => Some(Andos::CHAINED),
            Self::Bfv => Some(Bfv::ABOUT),
        }
    }

    /// The engine, if it proves nothing and its players can be called to account after a game.
    pub fn accountable(&self) -> Option<Arc<dyn Accountable>> {
        Some(match self {
            Self::SightLines(_) | Self::DhPsiProven(_) => return None,
            Self::DhPsi => Arc::new(DhPsi::default()),
            Self::DhPsiPlain => Arc::new(DhPsiPlain::default()),
            Self::Emanant => Arc::new(Emanant::default()),
            Self::Andos => Arc::new(Andos::improved()),
            Self::AndosFirst => Arc::new(Andos::first()),
            Self::AndosHardened => Arc::new(Andos::hardened()),
            Self::AndosChained => Arc::new(Andos::chained()),
            Self::Bfv => Arc::new(Bfv),
        })
    }
}

impl<Moves: Proofs + 'static, Sets: SetProofs> EngineKind<Arc<Moves>, Sets> {
    pub fn engine(self) -> Arc<dyn Engine> {
        match self {
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
        assert_eq!(names[..], [&others[..], &andos, &["bfv"]].concat());
        for name in names {
            assert_eq!(EngineKind::named(name).map(|kind| kind.name()), Some(name));
        }
        for name in ["open", "", "Bfv"] {
            assert_eq!(EngineKind::named(name), None, "{name}");
        }
    }

    #[test]
    fn each_name_makes_its_engine() {
        type Kind = EngineKind<Arc<NativeProofs>, NativeSetProofs>;
        for named in EngineKind::ALL {
            let kind: Kind =
                named.with(|| Ok::<_, ()>(Arc::new(NativeProofs)), || Ok(NativeSetProofs)).expect("a kind");
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
