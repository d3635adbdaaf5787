"""Plays random moves, as in: python3 random_bot.py fogmate solo --no-prove --json"""

import json
import random
import subprocess
import sys

game = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
given = 0


def give(command, **fields):
    global given
    given += 1
    print(json.dumps({"id": given, "command": command} | fields), file=game.stdin, flush=True)


for line in game.stdout:
    event = json.loads(line)
    if event["event"] == "view" and event["legal"]:
        # Without a plan there is no reason to go on for ever.
        if event["ply"] >= 40:
            give("resign")
        else:
            give("move", move=random.choice(event["legal"]))
    elif event["event"] == "refused":
        print("refused:", event["text"])
    elif event["event"] == "over":
        print("winner:", event["winner"], "by", event["reason"])
        break
game.stdin.close()
sys.exit(game.wait())
