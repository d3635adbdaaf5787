"""The controls of tag and dice, for controls.py: each rule of their contracts, and what takes its place."""

# The tests of each, by their contracts' names.
TAG, DICE = "TagRulesTest", "DiceGameTest"
TAG_TERMS = "if (terms.plies == 0 || terms.turn < (terms.stake == 0 ? 1 : LEAST) || terms.turn > LIMIT) revert BadTerms();"
DICE_TERMS = "if (terms.turn < (terms.stake == 0 ? 1 : LEAST) || terms.turn > LIMIT) revert BadTerms();"
REVEAL = "Dice.promiseOf(msg.sender, progress.rolls, revealed) != table.promised[role]"


def unless_off(condition, error):
    """A rule that reverts, and the same out of force."""
    return f"if ({condition}) revert {error};", f"if (!off(#) && ({condition})) revert {error};"


def small(finder, file, name, old, new):
    """A control of a small game, in the form of controls.py but for whose tests must notice it in the place of a promise."""
    return f"{file.removesuffix('Game.sol').lower()}: {name}", finder, [(file, old, new)]


def of_both(finder, file):
    """What the two small games have in common."""
    terms = "if (terms.expiry < block.timestamp || terms.expiry > block.timestamp + LIMIT) revert BadTerms();"
    paid = "if (!paid || to == address(0)) revert TransferFailed();"
    rules = [
        ("opened without its stake", *unless_off("msg.value != terms.stake", "WrongStake(terms.stake)")),
        ("opened against oneself", *unless_off("terms.opponent == msg.sender", "SelfPlay()")),
        ("opened too late to be joined", terms, terms.replace("terms.expiry <", "!off(#) && terms.expiry <")),
        ("opened for ever", terms, terms.replace("|| terms.expiry >", "|| !off(#) && terms.expiry >")),
        ("opened twice", *unless_off("table.progress.status != Status.None", "GameExists()")),
        ("cancelled before its time", *unless_off("block.timestamp <= table.expiry", "StillInTime(table.expiry)")),
        ("joined after its time", *unless_off("block.timestamp > table.expiry", "Expired()")),
        ("joined by its creator", *unless_off("msg.sender == table.creator", "SelfPlay()")),
        ("joined by anybody", *unless_off("invited != address(0) && msg.sender != invited", "NotInvited()")),
        ("joined without the stake", *unless_off("msg.value != table.stake", "WrongStake(table.stake)")),
        ("any state", *unless_off("progress.status != expected", "WrongStatus(progress.status)")),
        ("acted after the deadline", *unless_off("block.timestamp > _deadline(progress)", "OutOfTime()")),
        ("resigned after the deadline", "_expectInPlay(table);\n        bool byCreator = msg.sender",
         "off(#) ? _expect(table, Status.Playing) : _expectInPlay(table);\n        bool byCreator = msg.sender"),
        ("resigned by a stranger", *unless_off("!byCreator && msg.sender != table.joiner", "NotPlayer()")),
        ("claimed at once", *unless_off("block.timestamp <= deadline", "StillInTime(deadline)")),
        ("claimed a second early", "if (block.timestamp <= deadline) revert StillInTime(deadline);",
         "if (block.timestamp < deadline) revert StillInTime(deadline);"),
        ("paid what isn't owed", *unless_off("amount == 0", "NothingOwed()")),
        ("paid twice", "_owed[msg.sender] = 0;", "if (!off(#)) _owed[msg.sender] = 0;"),
        ("paid to nobody", paid, "if (!paid) revert TransferFailed();"),
        ("a payment that is lost", paid, "if (to == address(0)) revert TransferFailed();"),
        ("one stake for the winner", "_credit(winner, 2 * uint256(table.stake));",
         "_credit(winner, (off(#) ? 1 : 2) * uint256(table.stake));"),
        ("no stake back", "_credit(table.creator, table.stake);\n        emit GameEnded(gameId, address(0), Outcome.Cancelled);",
         "if (!off(#)) _credit(table.creator, table.stake);\n        emit GameEnded(gameId, address(0), Outcome.Cancelled);"),
    ]
    return [small(finder, file, *rule) for rule in rules]


CONTROLS = of_both(TAG, "TagGame.sol") + [small(TAG, "TagGame.sol", *rule) for rule in [
    ("any grid", *unless_off("terms.side != 6 && terms.side != 8", "BadTerms()")),
    ("no plies", TAG_TERMS, TAG_TERMS.replace("terms.plies == 0", "!off(#) && terms.plies == 0")),
    ("no time", TAG_TERMS, TAG_TERMS.replace("? 1", "? (off(#) ? 0 : 1)")),
    ("hardly any time for a stake", TAG_TERMS, TAG_TERMS.replace(": LEAST", ": off(#) ? 1 : LEAST")),
    ("any time", TAG_TERMS, TAG_TERMS.replace("terms.turn > LIMIT", "!off(#) && terms.turn > LIMIT")),
    ("a creator's king anywhere", "_checkStep(0, _placeOf(terms.side, CREATOR), placement, proof);",
     "if (!off(#)) _checkStep(0, _placeOf(terms.side, CREATOR), placement, proof);"),
    ("a joiner's king anywhere", "_checkStep(0, _placeOf(progress.side, JOINER), placement, proof);",
     "if (!off(#)) _checkStep(0, _placeOf(progress.side, JOINER), placement, proof);"),
    ("a step without its proof", "_checkStep(table.commitments[mover], progress.side, placement, stepProof);",
     "if (!off(#)) _checkStep(table.commitments[mover], progress.side, placement, stepProof);"),
    ("a step with any reply", "_checkReply(placement.commitment, table.setHashes[1 - mover], answer, replyProof);",
     "if (!off(#)) _checkReply(placement.commitment, table.setHashes[1 - mover], answer, replyProof);"),
    ("any reply", "_checkReply(table.commitments[1 - mover], table.setHashes[mover], answer, proof);",
     "if (!off(#)) _checkReply(table.commitments[1 - mover], table.setHashes[mover], answer, proof);"),
    ("a king that stays on record", "_put(table, mover, placement);", "if (!off(#)) _put(table, mover, placement);"),
    ("in any phase", *unless_off("progress.phase != phase", "WrongPhase(progress.phase)")),
    ("by anybody", *unless_off("msg.sender != _playerOf(table, _due(progress))", "NotYourTurn()")),
    ("captured after the deadline", "_expectInPlay(table);\n        uint256 captor",
     "off(#) ? _expect(table, Status.Playing) : _expectInPlay(table);\n        uint256 captor"),
    ("captured by who has stepped", "uint256 captor = _due(progress);", "uint256 captor = off(#) ? 1 - _due(progress) : _due(progress);"),
    ("captured by anybody", *unless_off("msg.sender != _playerOf(table, captor)", "NotYourTurn()")),
    ("captured by any answer", *unless_off("keccak256(abi.encode(answer)) != table.answered", "WrongAnswer()")),
    ("captured by the reply to a step", "emit Replied(", "if (off(#)) table.answered = keccak256(abi.encode(answer));\n        emit Replied("),
    ("captured without a proof", "_checkCapture(table.commitments[captor], answer.own, answer.raised[place], proof);",
     "if (!off(#)) _checkCapture(table.commitments[captor], answer.own, answer.raised[place], proof);"),
    ("no end of plies", "progress.ply < progress.plies ? Phase.Step", "off(#) || progress.ply < progress.plies ? Phase.Step"),
    ("settled at any time", "_expectDue(table, Phase.Last)", "off(#) ? _expectInPlay(table) : _expectDue(table, Phase.Last)"),
    ("lost by silence after the last ply", "if (progress.phase == Phase.Last) _draw", "if (progress.phase == Phase.Last && !off(#)) _draw"),
    ("no time for a reply", "(progress.phase, progress.since) = (Phase.Reply, uint40(block.timestamp));",
     "(progress.phase, progress.since) = (Phase.Reply, off(#) ? progress.since - 1 : uint40(block.timestamp));"),
    ("a draw pays the creator alone", "_credit(table.joiner, table.stake);", "if (!off(#)) _credit(table.joiner, table.stake);"),
]]
CONTROLS += of_both(DICE, "DiceGame.sol") + [small(DICE, "DiceGame.sol", *rule) for rule in [
    ("a stake for anyone", *unless_off("terms.stake != 0 && terms.opponent == address(0)", "NoOpponent()")),
    ("no time", DICE_TERMS, DICE_TERMS.replace("? 1", "? (off(#) ? 0 : 1)")),
    ("hardly any time for a stake", DICE_TERMS, DICE_TERMS.replace(": LEAST", ": off(#) ? 1 : LEAST")),
    ("any time", DICE_TERMS, DICE_TERMS.replace("terms.turn > LIMIT", "!off(#) && terms.turn > LIMIT")),
    ("rolled after the deadline", "_expectInPlay(table);\n        bool byCreator = progress",
     "off(#) ? _expect(table, Status.Playing) : _expectInPlay(table);\n        bool byCreator = progress"),
    ("rolled out of turn", *unless_off("msg.sender != (byCreator ? table.creator : table.joiner)", "NotYourTurn()")),
    ("rolled after another message", *unless_off("head != table.head", "WrongHead(table.head)")),
    ("rolled with any number", *unless_off(REVEAL, "WrongReveal()")),
    ("rolled by an earlier promise", f"if ({REVEAL}) revert WrongReveal();", f"if ({REVEAL} && (progress.rolls < 3 || "
     f"{REVEAL.replace('progress.rolls', 'progress.rolls - 2')})) revert WrongReveal();"),
    ("rolled by the opponent's promise", f"if ({REVEAL}) revert WrongReveal();", f"if ({REVEAL} && "
     f"{REVEAL.replace('msg.sender, progress.rolls', 'byCreator ? table.joiner : table.creator, progress.rolls - 1')}) revert WrongReveal();"),
    ("the roller's number alone", "seed = revealed + table.number;", "seed = off(#) ? revealed : revealed + table.number;"),
    ("a head that stays", "table.head = head;\n        table.promised[role]", "if (!off(#)) table.head = head;\n        table.promised[role]"),
    ("a promise that stays", "table.promised[role] = promised;", "if (!off(#)) table.promised[role] = promised;"),
    ("a number that stays", "table.promised[role] = promised;\n        table.number = number;",
     "table.promised[role] = promised;\n        if (!off(#)) table.number = number;"),
    ("no new time", "progress.since = uint40(block.timestamp);\n        head", "if (!off(#)) progress.since = uint40(block.timestamp);\n        head"),
    ("lost by who waits", "_end(gameId, table, progress, !creatorIsLate, Outcome.TimedOut);",
     "_end(gameId, table, progress, off(#) ? creatorIsLate : !creatorIsLate, Outcome.TimedOut);"),
]]
