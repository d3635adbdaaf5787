#!/usr/bin/env python3
"""Explicit-state model of a game between the players' machines (docs/src/protocol.md, section 8), with the policy of an honest
client. Plain Python 3, no packages.

H is honest (a fixed client policy); X may send or withhold any message, sign any number of moves for a ply, wake the game at any
position that H has signed, contest, move, demand sights on the chain, or be silent. The chain belongs to X within bounds: H's
transactions are included at the latest LAG ticks after the state that calls for them, X's at once and before H's; and the
last REORG ticks of the chain can be taken back (once a game). Proofs and signatures are abstract: right or false.

A ply has two legal moves, a and b; the last ply's mover captures the king, K. A *line* is the tuple of moves so far, and stands for
the signed position behind it. Money is checked in every end, gas along the costliest path.

  python3 test/channel_model.py 2 3       games of so many plies by the rules: exit 0 only if no invariant breaks (4 plies take minutes)
  python3 test/channel_model.py --controls  each rule left out: exit 0 only if an attack is found for each
  python3 test/channel_model.py --gas       what X can cost H, by the number of plies
  python3 test/channel_model.py --window    the least contest window for each lag and depth of reorganisation
"""
import sys
from collections import namedtuple

# Gas in thousands, by docs/src/performance-data.md.
WAKE, CONTEST, MOVE, DEMAND, ANSWER, SHARE, CLOSE, ACCEPT, REVERT = 206, 87, 483, 612, 1485, 430, 64, 66, 30

RULES = dict(
    # Rules that the contract holds to.
    signatures=2,      # a position counts if both have signed it
    later=True,        # in the contest only a later position replaces another
    bars=True,         # nobody moves or demands during the contest
    once=True,         # a closed game can't be closed again
    rest=False,        # a later position puts a woken game to sleep again (ForceMove's checkpoint)
    punish=False,      # two signatures of one player for one ply lose the game
    # Rules that only an honest client holds to.
    watch=True,        # contests a wake at an old position
    one=True,          # takes one move a ply, never another in its place
    signed=True,       # releases a sight after a move only once it holds the mover's signature for it
    verify=True,       # ... and has verified the proof
    hangup=True,       # takes nothing by the channel once it has sent or seen a wake
    final_open=True,   # plays from when the game's start is final
    final_chain=True,  # on a woken game releases for final moves only
    repeat=True,       # on a woken game makes the very move that it has signed
    stop=True,         # who has signed a result signs nothing after it
    backup=True,       # nothing leaves before the backup has it
    asks=False,        # after a loss goes on from what the opponent says was last
    patience=True,     # wakes the game when the opponent is silent for long
)

C = namedtuple("C", "status line ct dl hold post dem age end paid")
# status asleep | awake | over | void    line  the position on chain    ct  ticks of the contest left, None if none is open
# dl     ticks left to the player to move       hold  None or (who demanded its pre sight, ticks left): stops the clock
# post   None or (ply, ticks left): X's demand for the sight after its move of that ply      dem  what was demanded this ply
# age    ticks since the last change, up to REORG      end  (winner, how)       paid  stakes paid out
S = namedtuple("S", "c hist L hx xs have rel infl pat drawn reorgs crashes born")
# hist   the chain up to REORG ticks ago    L  H's line    hx  how much of it X has signed for H    xs  lines that H has signed for X
# have   H has the sight by which it moves  rel  sights released: (ply, phase, line)      infl  H's transaction: (what, ticks it has waited)
# pat    ticks until H wakes the game       drawn  the line at which H signed a draw     reorgs, crashes  how many are left
# born   ticks since the start, up to REORG


class Broken(Exception):
    pass


class Model:
    def __init__(self, first, plies, window=4, lag=1, reorg=1, time=6, reorgs=1, answer=8, gas=False, **changes):
        self.r = dict(RULES, **changes)
        self.first, self.plies = first, plies
        self.window, self.lag, self.reorg, self.time, self.reorgs = window, lag, reorg, time, reorgs
        self.gas, self.answer = gas, answer

    def start(self):
        c = C("asleep", (), None, self.time, None, None, "", 0, None, 0)
        void = c._replace(status="void")
        loses = 1 if not self.r["backup"] or self.r["asks"] else 0
        return S(c, (void,) * min(1, self.reorg), (), 0, frozenset(), True, frozenset(), None, 2, None, self.reorgs, loses, 0)

    def mover(self, n):
        return self.first if n % 2 == 0 else ("X" if self.first == "H" else "H")

    def legal(self, n):
        return "K" if n == self.plies - 1 else "ab" if n < self.plies else ""

    @staticmethod
    def agree(a, b):
        n = min(len(a), len(b))
        return a[:n] == b[:n]

    # ------------------------------------------------------------ what must hold
    def check(self, s):
        c = s.c
        seen = {}
        for ply, phase, line in s.rel:
            if seen.setdefault((ply, phase), line) != line:
                raise Broken(f"(b) a sight of ply {ply} is released for two different moves")
        if c.status == "void":
            if s.L:
                raise Broken("(a) H has played a game whose start the chain dropped")
            return
        binding = c.status == "over" or c.status == "awake" and c.ct is None
        if binding and "f" in c.line:
            raise Broken("(a) an illegal move stands")
        if binding and c.age >= self.reorg:
            if not self.agree(c.line, s.L[:s.hx]):
                raise Broken("(a) X took back a move that H holds its signature for")
            for ply, phase, line in s.rel:
                if not self.agree(c.line, line):
                    raise Broken(f"(b) a sight of ply {ply} was released for a move that doesn't stand")
        if c.status == "over":
            if c.paid != 2:
                raise Broken(f"(c) {c.paid} stakes paid out of 2")
            winner, how = c.end
            if winner == "X" and not (how == "king" and self.agree(c.line, s.L) and len(s.L) >= self.plies - 1):
                raise Broken(f"(a) H loses by {how}")
            if winner == "D" and s.drawn != s.L:
                raise Broken("(a) a draw that H didn't agree to in this position")

    def ended(self, c, winner, how):
        return c._replace(status="over", end=(winner, how), paid=c.paid + 2, ct=None, hold=None, post=None, age=0)

    # ------------------------------------------------------------ H's policy
    def channel(self, s):
        """Whether H plays by the channel."""
        up = s.c.status == "asleep" and not s.infl or not self.r["hangup"]
        born = s.born >= self.reorg or not self.r["final_open"]
        return up and born and s.c.status not in ("over", "void") and (s.drawn is None or not self.r["stop"])

    def my_turn(self, s):
        return len(s.L) < self.plies and self.mover(len(s.L)) == "H"

    def must(self, s):
        """What H sends at once, or None."""
        c, r = s.c, self.r
        if s.infl or c.status in ("over", "void") or s.born < self.reorg and r["final_open"]:
            return None
        if c.status == "asleep":
            waiting = not (self.my_turn(s) and s.have and self.channel(s))
            return "wake" if s.pat == 0 and waiting and r["patience"] else None
        if c.ct is not None:
            return "contest" if r["watch"] and s.hx > len(c.line) else None
        if not self.agree(c.line, s.L):
            return None
        if r["rest"] and s.hx > len(c.line):
            return "contest"
        if c.hold and c.hold[0] == "X" or c.post is not None:
            if c.age >= self.reorg or not r["final_chain"]:
                return "answer"
        n = len(c.line)
        if c.hold or n >= self.plies or self.mover(n) != "H" or len(s.L) < n:
            return None
        if s.drawn == c.line:
            return "accept"
        if len(s.L) > n or s.have:
            return "move"
        return "demand" if c.line == s.L and "H" not in c.dem and c.dl <= self.time - 2 else None

    def settle(self, s):
        """What H takes from the chain and gives without a transaction."""
        c = s.c
        if c.status != "awake" or c.ct is not None or c.age < self.reorg and self.r["final_chain"]:
            return s
        if s.born < self.reorg and self.r["final_open"]:
            return s
        if len(c.line) > len(s.L) and self.agree(c.line, s.L):
            new = c.line[len(s.L):]
            s = s._replace(L=c.line, hx=len(c.line), have=len(c.line) < 2 if self.my_turn(s._replace(L=c.line)) else s.have)
            for i in range(len(c.line) - len(new), len(c.line)):
                s = self.release(s, i, c.line[:i + 1])
        elif self.agree(c.line, s.L):
            for i in range(len(c.line)):
                s = self.release(s, i, c.line[:i + 1])
        return s

    def release(self, s, ply, line):
        """The sight that follows on ply `ply`: X's own after its move, or before its next move after H's."""
        if line[-1] == "K":
            return s
        key = (ply, "post", line) if self.mover(ply) == "X" else (ply + 1, "pre", line)
        return s._replace(rel=s.rel | {key})

    def h_moves(self, s):
        """H plays a ply by the channel."""
        for m in self.legal(len(s.L)):
            line = s.L + (m,)
            t = s._replace(L=line, xs=s.xs | {line}, have=False, pat=2)
            yield "H plays " + "".join(line), self.release(t, len(s.L), line), 0, 0

    def include(self, s):
        """H's transaction is included."""
        what, c = s.infl[0], s.c
        t = s._replace(infl=None)
        mine = s.L[:s.hx]
        fail = [(f"H: {what} reverts", t, REVERT, 0)]
        put = lambda c, **kw: t._replace(c=c._replace(age=0), pat=2, **kw)
        if c.status in ("over", "void"):
            return fail
        if what in ("wake", "contest"):
            if c.status == "asleep":
                mine = max(mine, c.line, key=len)              # what was put to sleep again is known to the contract
                return [(f"H: wake at {''.join(mine) or '-'}", put(self.woken(c, mine)), WAKE, 0)]
            if c.ct is not None and len(mine) > len(c.line):
                return [(f"H: contest with {''.join(mine)}", put(self.contested(c, mine)), CONTEST, 0)]
            if self.r["rest"] and len(mine) > len(c.line):
                return [(f"H: checkpoint {''.join(mine)}", put(self.rested(c, mine)), CONTEST, 0)]
            return fail
        if c.status != "awake" or c.ct is not None:
            return fail
        n = len(c.line)
        if what == "answer":
            line = s.infl[2]
            ply = len(line) - 1
            if c.line[:ply + 1] != line:
                return fail
            if c.post and c.post[0] == ply:
                d = c._replace(post=None)
            elif c.hold and c.hold[0] == "X" and n - 1 == ply:
                d = c._replace(hold=None, dl=self.time)
            else:
                return fail
            # an answer is no change that somebody waits to be final
            t = self.release(t._replace(c=d, pat=2), ply, line)
            return [("H: answers a demand", t, ANSWER - SHARE, SHARE)]
        if c.hold or n >= self.plies or self.mover(n) != "H":
            return fail
        if what == "accept":
            return [("H: accepts the draw on chain", put(self.ended(c, "D", "agreed")), ACCEPT, 0)]
        if what == "demand":
            return [("H: demands its sight", put(c._replace(hold=("H", self.answer), dem=c.dem + "H")), DEMAND, 0)]
        done = s.L[n:n + 1] if self.r["repeat"] and self.agree(c.line, s.L) else ()
        out = []
        for m in done or self.legal(n):
            line = c.line + (m,)
            d = c._replace(line=line, dl=self.time, dem=c.dem.replace("H", "").replace("p", ""))
            if m == "K":
                d = self.ended(d, "H", "king")
            u = put(d, xs=s.xs | {line})
            if len(s.L) <= n or s.L[:n + 1] != line:
                u = u._replace(L=line, have=False)
            out.append((f"H: moves {m} on chain", u, MOVE, 0))
        return out

    # ------------------------------------------------------------ the contract
    def woken(self, c, line):
        return c._replace(status="awake", line=line, ct=self.window or None, dl=self.time, hold=None, post=None, dem="")

    def contested(self, c, line):
        return c._replace(line=line) if not self.r["rest"] else self.rested(c, line)

    def rested(self, c, line):
        return c._replace(status="asleep", line=line, ct=None, hold=None, post=None, dem="")

    # ------------------------------------------------------------ X: whatever it can
    def attacks(self, s):
        c, r, out = s.c, self.r, []
        over = c.status in ("over", "void")
        put = lambda c, **kw: s._replace(c=c._replace(age=0), **kw)
        # What it can do by the link.
        if self.channel(s) and not over:
            n = len(s.L)
            if n < self.plies and self.mover(n) == "X":
                for m in self.legal(n) + ("f" if not r["verify"] and n < self.plies - 1 else ""):
                    line = s.L + (m,)
                    for have in (True, False) if n + 1 >= 2 and m != "K" else (True,):
                        if m == "K":
                            out.append(("X: plays K; H signs the result", put(self.ended(c._replace(line=line), "X", "king"), L=line), 0, 0))
                            continue
                        t = s._replace(L=line, hx=len(line), xs=s.xs | {line}, have=have, pat=2)
                        out.append((f"X plays {''.join(line)}{'' if have else ', withholds the sight'}", self.release(t, n, line), 0, 0))
                        if not r["signed"] and m != "f":
                            u = s._replace(L=line, have=have, pat=2)
                            out.append((f"X says {''.join(line)} unsigned", self.release(u, n, line), 0, 0))
            if not r["one"] and n and self.mover(n - 1) == "X" and s.L[-1] in "ab":
                line = s.L[:-1] + ("b" if s.L[-1] == "a" else "a",)
                t = s._replace(L=line, hx=len(line), xs=s.xs | {line})
                out.append((f"X plays {''.join(line)} instead", self.release(t, n - 1, line), 0, 0))
        if not over:
            n = len(s.L)
            if n and self.mover(n - 1) == "H" and s.hx < n and c.status == "asleep":
                if s.L[-1] == "K":
                    out.append(("X signs the result", put(self.ended(c._replace(line=s.L), "H", "king")), CLOSE, 0))
                else:
                    out.append(("X signs " + "".join(s.L), s._replace(hx=n), 0, 0))
            if not s.have and self.my_turn(s) and (c.status == "asleep" or c.line == s.L):
                out.append(("X gives the sight", s._replace(have=True), 0, 0))
        # What it can do on the chain.
        if s.drawn is not None and (not over or not r["once"] and c.status == "over" and c.paid < 4):
            out.append(("X: closes with the draw that H signed", put(self.ended(c, "D", "agreed")), 0, CLOSE))
        if over:
            return out
        known = set(s.xs) | {()}
        if r["signatures"] < 2:
            known |= {s.L + (m,) for m in "ab" if len(s.L) < self.plies - 1} | {("b",) * i for i in range(1, self.plies)}
        if c.status == "asleep":
            for line in sorted(known):
                if len(line) >= len(c.line) and (not line or line[-1] != "K"):
                    out.append((f"X: wake at {''.join(line) or '-'}", put(self.woken(c, line)), 0, WAKE))
        if c.status == "awake":
            n = len(c.line)
            for line in sorted(known):
                # after the contest only where a later position may put the game to sleep
                fits = len(line) > n or not r["later"] and line != c.line and not self.gas
                if (c.ct is not None or r["rest"]) and fits and (not line or line[-1] != "K"):
                    out.append((f"X: contest with {''.join(line) or '-'}", put(self.contested(c, line)), 0, CONTEST))
            if c.ct is None or not r["bars"]:
                if not c.hold and n < self.plies and self.mover(n) == "X":
                    for m in self.legal(n):
                        line = c.line + (m,)
                        d = c._replace(line=line, dl=self.time, dem="")
                        if m == "K":
                            d = self.ended(d, "X", "king")
                            last = line if self.agree(c.line, s.L) and len(s.L) <= n else s.L
                            out.append(("X: captures the king on chain", put(d, L=last), 0, MOVE))
                        else:
                            out.append((f"X: moves {m} on chain", put(d), 0, MOVE))
                if c.ct is None and n < self.plies:
                    if "P" not in c.dem and c.post is None and any(self.mover(i) == "X" for i in range(n)):
                        out.append(("X: demands the sight after its move", put(c._replace(post=(max(i for i in range(n) if self.mover(i) == "X"), self.answer), dem=c.dem + "P")), 0, DEMAND))
                    if "p" not in c.dem and not c.hold and n >= 2 and self.mover(n) == "X":
                        out.append(("X: demands the sight before its move", put(c._replace(hold=("X", self.answer), dem=c.dem + "p")), 0, DEMAND))
            if c.hold and c.hold[0] == "H":
                out.append(("X: answers the demand", put(c._replace(hold=None, dl=self.time), have=True), SHARE, ANSWER - SHARE))
        if r["punish"] and c.status in ("asleep", "awake"):
            signed = {}
            for line in s.xs:
                if self.mover(len(line) - 1) == "H" and signed.setdefault(line[:-1], line[-1]) != line[-1]:
                    out.append(("X: shows two signatures of H for one ply", put(self.ended(c, "X", "two signatures")), 0, CONTEST))
        return out

    # ------------------------------------------------------------ time, forks, losses
    def passes(self, c):
        """A tick of the chain."""
        c = c._replace(age=min(self.reorg, c.age + 1))
        if c.status != "awake":
            return c
        if c.ct is not None:
            return c._replace(ct=c.ct - 1 or None)
        if c.post and c.post[1] == 0 or c.hold and c.hold[1] == 0:
            who = c.hold[0] if c.hold and c.hold[1] == 0 else "X"
            return self.ended(c, who, "an unanswered demand")
        if c.post is not None:
            c = c._replace(post=(c.post[0], c.post[1] - 1))
        if c.hold:
            return c._replace(hold=(c.hold[0], c.hold[1] - 1))
        if len(c.line) >= self.plies:
            return c
        if c.dl == 0:
            loser = self.mover(len(c.line))
            return self.ended(c, "X" if loser == "H" else "H", "time")
        return c._replace(dl=c.dl - 1)

    def forks(self, s):
        if not s.reorgs:
            return []
        out = []
        for depth in range(1, min(self.reorg, len(s.hist)) + 1):
            c = s.hist[depth - 1]
            if c == s.c:
                continue
            for _ in range(depth):
                c = self.passes(c) if c.status != "void" else c
            out.append((f"the chain is taken back {depth}", s._replace(c=c._replace(age=0), hist=s.hist[depth:], reorgs=s.reorgs - 1), 0, 0))
        return out

    def losses(self, s):
        """H's machine dies and is restored from less than there was."""
        if not s.crashes or s.c.status != "asleep" or s.infl:
            return []
        out, t = [], s._replace(crashes=0, drawn=None)
        if not self.r["backup"] and s.L and self.mover(len(s.L) - 1) == "H" and s.hx < len(s.L):
            out.append(("H forgets its last move", t._replace(L=s.L[:-1], have=True, pat=2), 0, 0))
        if self.r["asks"]:
            for line in sorted(s.xs):
                if len(line) < len(s.L):
                    hx = max([i + 1 for i in range(len(line)) if self.mover(i) == "X"], default=0)
                    out.append((f"H forgets all; X says that {''.join(line)} was last", t._replace(L=line, hx=hx, have=True, pat=2), 0, 0))
        return out

    def successors(self, s):
        c = s.c
        if c.status == "void":
            return []
        if c.status == "over":
            out = self.attacks(s) if not self.r["once"] else []
            if c.age < self.reorg:
                out += self.forks(s)
                out.append(("tick", s._replace(c=self.passes(c), hist=((c,) + s.hist)[:self.reorg]), 0, 0))
            return out
        out = [("" + n, t, h, x) for n, t, h, x in self.attacks(s)] + self.forks(s) + self.losses(s)
        if s.infl:
            out += self.include(s)
            if s.infl[1] < self.lag:
                out.append(("tick", self.tick(s._replace(infl=(s.infl[0], s.infl[1] + 1, *s.infl[2:]))), 0, 0))
            return out
        forced = self.must(s)
        if forced:
            asked = ()
            if forced == "answer":
                asked = (c.line[:(c.post[0] if c.post else len(c.line) - 1) + 1],)
            return out + [("H sends " + forced, s._replace(infl=(forced, 0) + asked), 0, 0)]
        if self.channel(s) and self.my_turn(s) and s.have:
            out += list(self.h_moves(s))
            if s.L and s.hx == len(s.L) and s.drawn is None:
                out.append(("H signs a draw", s._replace(drawn=s.L), 0, 0))
            return out
        if c.status == "asleep" and s.pat > 0:
            out.append(("H loses patience", s._replace(pat=0), 0, 0))
        out.append(("tick", self.tick(s), 0, 0))
        return out

    def tick(self, s):
        c = s.c
        pat = max(0, s.pat - 1) if c.status == "asleep" else s.pat
        return s._replace(c=self.passes(c), hist=((c,) + s.hist)[:self.reorg], pat=pat, born=min(self.reorg, s.born + 1))

    # ------------------------------------------------------------ exploration
    def explore(self, limit=6_000_000):
        root = self.settle(self.start())
        colour, order, stack, path, edges = {root: 1}, [], [], [""], {}

        def grow(s):
            try:
                self.check(s)
                nxt = [(n, self.settle(t), h, x) for n, t, h, x in self.successors(s)]
            except Broken as b:
                raise Broken(f"{b}\n      " + "\n      ".join(p for p in path if p)) from None
            nxt = [e for e in nxt if e[1] != s]
            # whatever X and the chain may do: H and time alone must lead on
            if s.c.status not in ("over", "void") and all(n.startswith(("X", "the chain", "H forgets")) for n, *_ in nxt):
                raise Broken("(d) stuck\n      " + "\n      ".join(p for p in path if p))
            edges[s] = nxt
            return iter(nxt)

        stack.append((root, grow(root)))
        while stack:
            s, it = stack[-1]
            for label, t, _, _ in it:
                if t not in colour:
                    colour[t] = 1
                    path.append(label)
                    stack.append((t, grow(t)))
                    break
                if colour[t] == 1:
                    raise Broken("(d) endless: " + label + "\n      " + "\n      ".join(p for p in path[-8:] if p))
            else:
                colour[s] = 2
                order.append(s)
                stack.pop()
                path.pop()
            if len(colour) > limit:
                raise Broken("too many states")
        best, via = {root: 0}, {}
        for s in reversed(order):
            for label, t, h, x in edges[s]:
                if best[s] + h - x > best.get(t, -10 ** 9):
                    best[t], via[t] = best[s] + h - x, (s, label)
        end = max(best, key=best.get)
        self.trace, at = [], end
        while at in via:
            at, label = via[at]
            self.trace.append(label)
        ends = {}
        for s in colour:
            if s.c.end:
                ends[s.c.end] = ends.get(s.c.end, 0) + 1
        return len(colour), sum(map(len, edges.values())), best[end], ends


def run(plies, **changes):
    total, ends = [0, 0, 0], {}
    for first in "HX":
        n, e, worst, last = Model(first, plies, **changes).explore()
        total = [total[0] + n, total[1] + e, max(total[2], worst)]
        for k, v in last.items():
            ends[k] = ends.get(k, 0) + v
    return total, ends


CONTROLS = [  # what is left out, what breaks, changes
    ("contract: one signature makes a position", "(a)", dict(signatures=1)),
    ("contract: an older position may be shown in the contest", "(", dict(later=False)),
    ("contract: moves during the contest", "(", dict(bars=False)),
    ("contract: no contest", "(", dict(window=0)),
    ("contract: a game can be closed twice", "(c)", dict(once=False)),
    ("contract: two signatures lose, and a backup lags by a move", "(a) H loses by two signatures", dict(punish=True, backup=False, check_b=False)),
    ("client: doesn't watch", "(", dict(watch=False)),
    ("client: takes another move in place of one", "(b)", dict(one=False)),
    ("client: releases before it holds the signature", "(b)", dict(signed=False)),
    ("client: signs without verifying the proof", "(a) an illegal", dict(verify=False)),
    ("client: plays on by the channel after a wake", "(", dict(hangup=False)),
    ("client: plays before the start is final", "(a) H has played", dict(final_open=False)),
    ("client: releases for moves on chain that aren't final", "(", dict(final_chain=False)),
    ("client: chooses anew on chain", "(b)", dict(repeat=False)),
    ("client: plays on after it has signed a draw", "(a) a draw", dict(stop=False)),
    ("client: the backup lags by one own move", "(b)", dict(backup=False)),
    ("client: after a loss believes the opponent's word", "(b)", dict(asks=True)),
    ("client: waits for ever", "(d)", dict(patience=False)),
    ("chain: the contest is shorter than lag and reorganisation", "(", dict(window=2)),
]
INVARIANTS = """(a) H loses only by a king captured on its own line, draws only where it agreed, and no signed or illegal move is undone or done to it
(b) no sight is released for two moves of one ply, nor for a move that doesn't stand in the end
(c) both stakes are paid out once
(d) never stuck, never endless, though X is silent"""


def controls():
    failed = 0
    for name, want, changes in CONTROLS:
        changes = dict(changes)
        quiet = changes.pop("check_b", True)
        found = None
        for plies in (3, 4):
            try:
                for first in "HX":
                    model = Model(first, plies, **changes)
                    if not quiet:
                        full = model.check
                        def only_a(s, full=full):
                            try:
                                full(s)
                            except Broken as b:
                                if str(b).startswith("(a) H loses"):
                                    raise
                        model.check = only_a
                    model.explore()
            except Broken as b:
                found = str(b)
                break
        ok = found is not None and found.startswith(want)
        failed += not ok
        show = found if "-v" in sys.argv else (found or "").split("\n")[0]
        print(f"{'attack' if ok else 'MISSED'}  {name}\n    -> {show or 'NOTHING FOUND'}", flush=True)
    return failed


def gas():
    """H's gas beyond X's by the number of plies, without reorganisations; and the same if a woken game can be put to sleep again."""
    for name, changes in (("as proposed", {}), ("a later position puts the game to sleep again", dict(rest=True))):
        for plies in (2, 3, 4, 5, 6) if not changes else (2, 3, 4, 5):
            worst, text = -1, ""
            for first in "HX":
                model = Model(first, plies, reorgs=0, reorg=0, window=2, time=4, answer=4, **changes)
                try:
                    n, _, w, _ = model.explore()
                except Broken as b:
                    print(f"{name}, {plies} plies: {str(b).split(chr(10))[0]}")
                    break
                if w > worst:
                    worst, text = w, "; ".join(x for x in model.trace[::-1] if x != "tick" and "sends" not in x)
            else:
                print(f"{name}, {plies} plies: H's gas beyond X's <= {worst}k\n    {text}", flush=True)


def windows():
    for lag in (1, 2):
        for reorg in (1, 2):
            last = ""
            for window in range(1, 10):
                try:
                    run(2, window=window, lag=lag, reorg=reorg, time=16, answer=24)
                except Broken as b:
                    last = str(b).split("\n")[0]
                    continue
                print(f"inclusion within {lag}, reorganisations up to {reorg} ticks: a window of {window} holds; {window - 1}: {last}", flush=True)
                break
            else:
                print(lag, reorg, last)


def main():
    if "--controls" in sys.argv:
        sys.exit(1 if controls() else 0)
    if "--gas" in sys.argv:
        return gas()
    if "--window" in sys.argv:
        return windows()
    print(INVARIANTS)
    try:
        for plies in map(int, sys.argv[1:] or "2"):
            (n, e, worst), ends = run(plies)
            print(f"{plies} plies: {n:,} states, {e:,} steps, H's gas beyond X's <= {worst}k")
            print("   ends:", ", ".join(f"{w} by {h} {v:,}" for (w, h), v in sorted(ends.items())), flush=True)
    except Broken as b:
        print("BROKEN", b)
        sys.exit(1)
    print("clean")


if __name__ == "__main__":
    main()
