"""The controls of games between the players' machines, for controls.py: each rule that the contract alone decides, and what takes its place."""

from small_games import rules, unless_off

# The tests, by their contract's name.
CHANNEL = "ChannelTest"
SIGNER = "if (role == except || msg.sender == player) continue;"
WAKE = ".withSince(block.timestamp + progress.window());"
STATUS = "(status != Status.Asleep && status != Status.Playing)"
DOMAIN = "keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)))"

CONTROLS = rules(
    "Channel.sol", (CHANNEL,),
    ("nobody signs", SIGNER, SIGNER.replace("if (", "if (off(#) || ")),
    ("the winner signs its own win", SIGNER, SIGNER.replace("role == except", "(role == except) != (off(#) && except < NOBODY)")),
    ("earlier positions take the place of later ones", "} else if (position.ply <= progress.ply()) {", "} else if (!off(#) && position.ply <= progress.ply()) {"),
    ("a contest without end", "} else if (progress.hold() != Hold.Contest) {", "} else if (!off(#) && progress.hold() != Hold.Contest) {"),
    ("no contest", ".withHold(Hold.Contest)", ".withHold(off(#) ? Hold.None : Hold.Contest)"),
    ("a contest without a window", WAKE, WAKE.replace("progress.window()", "(off(#) ? 0 : progress.window())")),
    ("each position extends the contest", "uint256 white = progress.whiteRole();",
     "if (off(#)) progress = progress.withSince(block.timestamp + progress.window());\n        uint256 white = progress.whiteRole();"),
    ("anybody wakes the start", "_roleOfSender(table);", "if (!off(#)) _roleOfSender(table);"),
    ("a position after the last ply", *unless_off("position.ply == type(uint16).max", "BadPosition()")),
    ("closed twice", STATUS, STATUS.replace("(status", "(!off(#) && status")),
    ("any game is closed", "progress.mode() != Mode.Channel ||", "(!off(#) && progress.mode() != Mode.Channel) ||"),
    ("any outcome", *unless_off("(allowed >> uint256(outcome)) & 1 == 0", "BadResult()")),
    ("signatures for any chain", DOMAIN, DOMAIN.replace("block.chainid", "off(#) ? 31337 : block.chainid")),
)
CONTROLS += rules(
    "GameStorage.sol", (CHANNEL,),
    ("moves in the contest", *unless_off("progress.hold() == Hold.Contest", "OnHold()")),
)
CONTROLS += rules(
    "libraries/Clock.sol", (CHANNEL,),
    ("a contest that is over lasts on", "return isOver ?", "return isOver && !off(#) ?"),
)
