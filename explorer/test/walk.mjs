// The walk through a game in docs/src/audit.md, typed on a real game: each command must print what the page says it prints.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGE = path.join(ROOT, "docs/src/audit.md");
const HEADING = "## One game, transaction by transaction";

/** The commands of the page's walk, each with the lines that it is said to print. */
function commands() {
  const section = readFileSync(PAGE, "utf8").split(HEADING)[1].split("\n## ")[0];
  const blocks = [...section.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block]) => block);
  return blocks.flatMap((block) => block.split(/^\$ /m).slice(1)).map((typed) => {
    const [command, ...printed] = typed.trimEnd().split("\n");
    return { command, printed };
  });
}

/** What a line of the page says: `…` stands for anything, a line of it alone for any lines. */
const pattern = (printed) => printed.map((line) => (line === "…" ? "(?:.*\n)*?" : `${line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")} *\n`)).join("");

/** Types the walk; `named` has what stands for the words in capitals. */
export async function walk(folder, named) {
  const bin = mkdtempSync(path.join(folder, "walk-"));
  symlinkSync(path.join(ROOT, "target/release/fogmate"), path.join(bin, "fogmate"));
  symlinkSync(path.join(ROOT, "node_modules/.bin/cast"), path.join(bin, "cast"));
  const typed = commands();
  assert.ok(typed.length >= 5, "the page has no walk");
  for (const { command, printed } of typed) {
    const line = command.replace(/\b[A-Z]{2,}\b/g, (word) => named[word] ?? assert.fail(`${word} in the page's walk stands for nothing`));
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, FOGMATE_HOME: bin };
    const { stdout } = await promisify(execFile)("bash", ["-c", line], { env, maxBuffer: 1 << 26 });
    assert.match(stdout, new RegExp(`^${pattern(printed)}$`), `the page's walk says something else of: ${command}`);
  }
}
