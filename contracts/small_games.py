"""The controls of tag and dice, for controls.py: each rule of their contracts, and what takes its place."""

# The tests of each, by their contracts' names.
TAG, DICE = "TagRulesTest", "DiceGameTest"
REVEAL = "Dice.promiseOf(msg.sender, rolls, revealed) != play.promised[role]"
TURN = "if (turn < (stake == 0 ? 1 : LEAST) || turn > LIMIT) revert BadTerms();"
EXPIRY = "if (expiry < block.timestamp || expiry > block.timestamp + LIMIT) revert BadTerms();"
PAID = "if (!paid || to == address(0)) revert TransferFailed();"


def unless_off(condition, error):
    """A rule that reverts, and the same out of force."""
    return f"if ({condition}) revert {error};", f"if (!off(#) && ({condition})) revert {error};"


def rules(file, finders, *changes):
    """Controls in the form of controls.py, but for the tests that must each notice them in the place of a promise."""
    return [(f"{file.removesuffix('.sol').removesuffix('Game').lower()}: {name}", finders, [(file, old, new)]) for name, old, new in changes]


CONTROLS = rules(
    "Contest.sol", (TAG, DICE),
    ("opened without its stake", *unless_off("msg.value != stake", "WrongStake(stake)")),
    ("opened against oneself", *unless_off("opponent == msg.sender", "SelfPlay()")),
    ("no time", TURN, TURN.replace("? 1", "? (off(#) ? 0 : 1)")),
    ("hardly any time for a stake", TURN, TURN.replace(": LEAST", ": off(#) ? 1 : LEAST")),
    ("any time", TURN, TURN.replace("turn > LIMIT", "!off(#) && turn > LIMIT")),
    ("opened too late to be joined", EXPIRY, EXPIRY.replace("expiry <", "!off(#) && expiry <")),
    ("opened for ever", EXPIRY, EXPIRY.replace("|| expiry >", "|| !off(#) && expiry >")),
    ("opened twice", *unless_off("table.status != Status.None", "GameExists()")),
    ("cancelled before its time", *unless_off("block.timestamp <= table.expiry", "StillInTime(table.expiry)")),
    ("joined after its time", *unless_off("block.timestamp > table.expiry", "Expired()")),
    ("joined by its creator", *unless_off("msg.sender == table.creator", "SelfPlay()")),
    ("joined by anybody", *unless_off("invited != address(0) && msg.sender != invited", "NotInvited()")),
    ("joined without the stake", *unless_off("msg.value != table.stake", "WrongStake(table.stake)")),
    ("any state", *unless_off("table.status != expected", "WrongStatus(table.status)")),
    ("acted after the deadline", *unless_off("block.timestamp > _deadline(gameId, table)", "OutOfTime()")),
    ("acted by anybody", *unless_off("msg.sender != (role == CREATOR ? table.creator : table.joiner)", "NotYourTurn()")),
    ("resigned after the deadline", "_expectInPlay(gameId);\n        bool byCreator",
     "off(#) ? _expect(gameId, Status.Playing) : _expectInPlay(gameId);\n        bool byCreator"),
    ("resigned by a stranger", *unless_off("!byCreator && msg.sender != table.joiner", "NotPlayer()")),
    ("claimed at once", *unless_off("block.timestamp <= deadline", "StillInTime(deadline)")),
    ("claimed a second early", "if (block.timestamp <= deadline) revert StillInTime(deadline);",
     "if (block.timestamp < deadline) revert StillInTime(deadline);"),
    ("lost by who waits", "_win(gameId, 1 - _due(gameId), Outcome.TimedOut);",
     "_win(gameId, off(#) ? _due(gameId) : 1 - _due(gameId), Outcome.TimedOut);"),
    ("paid what isn't owed", *unless_off("amount == 0", "NothingOwed()")),
    ("paid twice", "_owed[msg.sender] = 0;", "if (!off(#)) _owed[msg.sender] = 0;"),
    ("paid to nobody", PAID, "if (!paid) revert TransferFailed();"),
    ("a payment that is lost", PAID, "if (to == address(0)) revert TransferFailed();"),
    ("one stake for the winner", "_credit(winner, 2 * uint256(table.stake));",
     "_credit(winner, (off(#) ? 1 : 2) * uint256(table.stake));"),
    ("no stake back", "_credit(table.creator, table.stake);\n        emit GameEnded(gameId, address(0), Outcome.Cancelled);",
     "if (!off(#)) _credit(table.creator, table.stake);\n        emit GameEnded(gameId, address(0), Outcome.Cancelled);"),
    ("a winner that is the other", "return table.creatorWon ? table.creator : table.joiner;",
     "return table.creatorWon != off(#) ? table.creator : table.joiner;"),
)
CONTROLS += rules(
    "Contest.sol", (TAG,),
    ("lost by silence after the last ply", "if (_isPlayedOut(gameId)) _draw", "if (_isPlayedOut(gameId) && !off(#)) _draw"),
    ("a draw pays the creator alone", "_credit(table.joiner, table.stake);", "if (!off(#)) _credit(table.joiner, table.stake);"),
)
CONTROLS += rules(
    "TagGame.sol", (TAG,),
    ("any grid", *unless_off("terms.side < 5 || terms.side > 8", "BadTerms()")),
    ("no plies", *unless_off("terms.plies == 0", "BadTerms()")),
    ("a creator's king anywhere", "_checkStep(0, _placeOf(terms.side, CREATOR), placement, proof);",
     "if (!off(#)) _checkStep(0, _placeOf(terms.side, CREATOR), placement, proof);"),
    ("a joiner's king anywhere", "_checkStep(0, _placeOf(play.side, JOINER), placement, proof);",
     "if (!off(#)) _checkStep(0, _placeOf(play.side, JOINER), placement, proof);"),
    ("a step without its proof", "_checkStep(play.commitments[mover], play.side, placement, stepProof);",
     "if (!off(#)) _checkStep(play.commitments[mover], play.side, placement, stepProof);"),
    ("a step with any reply", "_checkReply(placement.commitment, play.setHashes[1 - mover], answer, replyProof);",
     "if (!off(#)) _checkReply(placement.commitment, play.setHashes[1 - mover], answer, replyProof);"),
    ("any reply", "_checkReply(play.commitments[replier], play.setHashes[1 - replier], answer, proof);",
     "if (!off(#)) _checkReply(play.commitments[replier], play.setHashes[1 - replier], answer, proof);"),
    ("a king that stays on record", "_put(play, mover, placement);", "if (!off(#)) _put(play, mover, placement);"),
    ("in any phase", *unless_off("play.phase != phase", "WrongPhase(play.phase)")),
    ("captured out of turn", "_expectTurn(gameId, captor);", "if (!off(#)) _expectTurn(gameId, captor);"),
    ("captured by who has stepped", "uint256 captor = _due(gameId);", "uint256 captor = off(#) ? 1 - _due(gameId) : _due(gameId);"),
    ("captured by any answer", *unless_off("keccak256(abi.encode(answer)) != play.answered", "WrongAnswer()")),
    ("captured by the reply to a step", "emit Replied(", "if (off(#)) play.answered = keccak256(abi.encode(answer));\n        emit Replied("),
    ("captured without a proof", "_checkCapture(play.commitments[captor], answer.own, answer.raised[place], proof);",
     "if (!off(#)) _checkCapture(play.commitments[captor], answer.own, answer.raised[place], proof);"),
    ("no end of plies", "ply + 1 < play.plies ? Phase.Step", "off(#) || ply + 1 < play.plies ? Phase.Step"),
    ("settled at any time", "_expectDue(gameId, Phase.Last);", "if (!off(#)) _expectDue(gameId, Phase.Last);"),
    ("settled in any phase", "_expectDue(gameId, Phase.Last);", "if (off(#)) _expectTurn(gameId, _due(gameId));\n        else _expectDue(gameId, Phase.Last);"),
    ("no time for a reply", "(play.phase, play.since) = (Phase.Reply, uint40(block.timestamp));",
     "(play.phase, play.since) = (Phase.Reply, off(#) ? play.since - 1 : uint40(block.timestamp));"),
)
CONTROLS += rules(
    "DiceGame.sol", (DICE,),
    ("a stake for anyone", *unless_off("terms.stake != 0 && terms.opponent == address(0)", "NoOpponent()")),
    ("rolled out of turn", "_expectTurn(gameId, role);", "if (!off(#)) _expectTurn(gameId, role);"),
    ("rolled after another message", *unless_off("head != play.head", "WrongHead(play.head)")),
    ("rolled with any number", *unless_off(REVEAL, "WrongReveal()")),
    ("rolled by an earlier promise", f"if ({REVEAL}) revert WrongReveal();", f"if ({REVEAL} && (rolls < 3 || "
     f"{REVEAL.replace(', rolls', ', rolls - 2')})) revert WrongReveal();"),
    ("rolled by the opponent's promise", f"if ({REVEAL}) revert WrongReveal();", f"if ({REVEAL} && "
     f"{REVEAL.replace('msg.sender, rolls', 'role == CREATOR ? _tables[gameId].joiner : _tables[gameId].creator, rolls - 1')}) revert WrongReveal();"),
    ("moved by any number", *unless_off("chosen != dice[0] && chosen != dice[1]", "NoSuchDie(dice)")),
    ("moved by the first die alone", "chosen != dice[0] && chosen != dice[1]", "chosen != dice[0] && (off(#) || chosen != dice[1])"),
    ("a choice that the head doesn't bind", "promised, chosen));", "promised, off(#) ? 0 : chosen));"),
    ("the roller's number alone", "seed = revealed + play.number;", "seed = off(#) ? revealed : revealed + play.number;"),
    ("a head that stays", "(play.head, play.promised[role], play.number) = (head, promised, number);",
     "(play.head, play.promised[role], play.number) = (off(#) ? play.head : head, promised, number);"),
    ("a promise that stays", "(play.head, play.promised[role], play.number) = (head, promised, number);",
     "(play.head, play.promised[role], play.number) = (head, off(#) ? play.promised[role] : promised, number);"),
    ("a number that stays", "(play.head, play.promised[role], play.number) = (head, promised, number);",
     "(play.head, play.promised[role], play.number) = (head, promised, off(#) ? play.number : number);"),
    ("no new time", "(play.rolls, play.since) = (rolls, uint40(block.timestamp));",
     "(play.rolls, play.since) = (rolls, off(#) ? play.since : uint40(block.timestamp));"),
)
