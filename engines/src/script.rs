//! What the messages of a sight say, and what they tell who reads them, in words: for who looks at an exchange. A *sender* is whose men may be seen, a
//! *receiver* who looks.

use crate::EngineKind;

/// One message, of whichever size.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    pub says: &'static str,
    /// What its reader learns from it.
    pub tells: &'static str,
}

/// The messages of an engine's sights: the first ones, then those that come again and again, then the last.
#[derive(Debug)]
pub struct Script {
    /// The receiver's standing request, for engines that have one.
    pub request: Option<Told>,
    first: &'static [Told],
    again: &'static [Told],
    last: &'static [Told],
}

impl Script {
    /// What message `index` of `count` says.
    pub fn told(&self, index: usize, count: usize) -> Option<&'static Told> {
        let after_first = index.checked_sub(self.first.len());
        let in_last = count.checked_sub(self.last.len()).and_then(|start| index.checked_sub(start));
        let again = || self.again.iter().cycle().nth(after_first?);
        self.first.get(index).or_else(|| self.last.get(in_last?)).or_else(again)
    }

    /// The messages of an engine.
    pub fn of<Moves, Sets, OwnSteps>(kind: &EngineKind<Moves, Sets, OwnSteps>) -> &'static Self {
        match kind {
            EngineKind::SightLines(_) => &SIGHT_LINES,
            EngineKind::DhPsiProven(_) => &PROVEN,
            EngineKind::DhPsi => &FILTER,
            EngineKind::DhPsiPlain => &TAGS,
            EngineKind::Emanant => &EMANANT,
            EngineKind::Andos | EngineKind::AndosSteps(_) => &ANDOS,
            EngineKind::AndosFirst => &FIRST,
            EngineKind::AndosHardened | EngineKind::AndosHardenedSteps(_) => &HARDENED,
            EngineKind::AndosChained => &CHAINED,
            EngineKind::Bfv => &BFV,
            EngineKind::BfvSteps(_) => &BFV_PROVEN,
        }
    }
}

/// What neither player is told anything by.
const NOTHING: &str = "nothing";
const BLINDED: &str = "nothing: a blinded point is any point, whatever is asked";
const TO_THE_EXPONENT: &str = "these points to the secret exponent, with a proof that it is the one announced";
const NOT_YET: &str = "nothing yet: without the exponent tags are any points";
const ASKED: Told = Told { says: "its own set, all that its lines could meet, hashed and blinded", tells: BLINDED };
const RAISED: Told =
    Told { says: TO_THE_EXPONENT, tells: "which of what it asks is in the set: its sight, and of the others nothing" };

const SIGHT_LINES: Script = Script {
    request: Some(Told {
        says: "64 points: what stands on each of its squares, or nothing",
        tells: "nothing: any board has scalars that make these points",
    }),
    first: &[Told {
        says: "733 elements, keys and ciphertexts along all lines, with a proof that they are the committed board's",
        tells: "what its men see and nothing behind it, since other elements can't be opened; that it is true",
    }],
    again: &[],
    last: &[],
};

const TAGS: Script = Script {
    request: None,
    first: &[
        Told {
            says: "its set, each line to one of its men hashed to a point, to a secret exponent, sorted; and that it knows the exponent",
            tells: NOT_YET,
        },
        ASKED,
        RAISED,
    ],
    again: &[],
    last: &[],
};

const FILTER: Script = Script {
    request: None,
    first: &[
        Told {
            says: "a Bloom filter of the tags of its set, under a secret exponent; and that it knows the exponent",
            tells: NOT_YET,
        },
        ASKED,
        Told { says: TO_THE_EXPONENT, tells: "which of what it asks the filter seems to hold" },
        Told { says: "what the filter seems to hold, blinded anew", tells: BLINDED },
        Told {
            says: "these points and the men on its board to a fresh exponent, with the proof",
            tells: "which of the findings are true: its sight",
        },
    ],
    again: &[],
    last: &[],
};

const PROVEN: Script = Script {
    request: None,
    first: &[
        Told {
            says: "its set as tags under a secret exponent, with a proof that it is the committed board's",
            tells: "that the set is true; nothing of it yet",
        },
        Told {
            says: "its own set, blinded, with a proof that it is the committed board's",
            tells: "that only lines of the committed board are asked for, and nothing of them",
        },
        RAISED,
    ],
    again: &[],
    last: &[],
};

const EMANANT: Script = Script {
    request: None,
    first: &[Told {
        says: "the tiles that its men stand on, to a secret exponent, filled up to sixteen",
        tells: NOT_YET,
    }],
    again: &[
        Told { says: "eight tiles outward from its men, blinded, perhaps dummies", tells: BLINDED },
        Told {
            says: "these to the secret exponent, with a proof that it is the one announced",
            tells: "which of the tiles are occupied, and so where its lines end",
        },
    ],
    last: &[
        Told { says: "each type for each man found, and jumps of pawns, blinded", tells: BLINDED },
        Told {
            says: "these and its men with their types to a fresh exponent, with the proof",
            tells: "which types the men found have: its sight",
        },
    ],
};

const PACKETS: Told = Told {
    says: "its board, 64 squares of four bits, each bit a residue or a non-residue",
    tells: "nothing yet: only who knows the primes can tell residues",
};
const QUESTION: Told = Told {
    says: "the same packet permuted, with bits flipped by chance, and one place of it",
    tells: "nothing: the place is that of any square, perhaps of a dummy",
};
const ANSWER: Told =
    Told { says: "the four bits of that place, still flipped", tells: "what stands on the square that it asked for" };
const COPIES: Told = Told {
    says: "a permuted packet with flipped bits, one place of it, and a digest of 64 copies of it",
    tells: "nothing: the place is that of any square, perhaps of a dummy",
};
const CHALLENGE: Told = Told { says: "twelve of the copies, drawn by chance", tells: NOTHING };
const OPENINGS: Told = Told {
    says: "how these were made, from the packet or from the question",
    tells: "that the question is the packet permuted, and so asks for one square alone",
};
const PROVEN_ANSWER: Told = Told {
    says: "the four bits of that place, still flipped, with a proof",
    tells: "what stands on the square that it asked for, by the very packet",
};

const ANDOS: Script = Script { request: None, first: &[PACKETS], again: &[QUESTION, ANSWER], last: &[] };

const FIRST: Script = Script {
    request: None,
    first: &[PACKETS],
    again: &[
        Told {
            says: "the same packet permuted, with bits flipped by chance, one place of it, and for which type of man it is asked",
            tells: "which types of men are left, promoted pawns among the pawns; no square",
        },
        ANSWER,
    ],
    last: &[],
};

const HARDENED: Script =
    Script { request: None, first: &[PACKETS], again: &[COPIES, CHALLENGE, OPENINGS, PROVEN_ANSWER], last: &[] };

const CHAINED: Script = Script {
    request: None,
    first: &[
        Told {
            says: "its board, each bit a residue or a non-residue, and how it follows from the board before",
            tells: "nothing yet: only who knows the primes can tell residues",
        },
        CHALLENGE,
        Told {
            says: "how these copies were made",
            tells: "that the board follows from the one before by swaps of a man with a free square",
        },
    ],
    again: &[COPIES, CHALLENGE, OPENINGS, PROVEN_ANSWER],
    last: &[],
};

const BFV: Script = Script {
    request: None,
    first: &[
        Told {
            says: "its item vector, the first man of every line by its type, encrypted under the key of both",
            tells: "nothing: neither can open it alone",
        },
        Told {
            says: "its view vector, 1 where its lines lead, encrypted; and a hash of the product of both",
            tells: "nothing of the view; that both mean the same product",
        },
        Told { says: "its share of the product's decryption, flooded with noise", tells: SHARED },
    ],
    again: &[],
    last: &[],
};

const SHARED: &str = "the product, which is its sight, and 0 wherever it doesn't look";

const BFV_PROVEN: Script = Script {
    first: &[
        Told {
            says: "its item vector, the first man of every line by its type, encrypted under the key of both, with a proof that it is the committed board's",
            tells: "that it is true, and nothing of the board: neither can open it alone",
        },
        Told {
            says: "its view vector, 1 where its lines lead, encrypted, with a proof that it is the committed board's; and a hash of the product of both",
            tells: "nothing of the view; that it is true, and that both mean the same product",
        },
        Told {
            says: "its share of the product's decryption, flooded with noise, with a proof that it is the share of its key and no more",
            tells: SHARED,
        },
    ],
    ..BFV
};
