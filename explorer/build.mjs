// Builds explorer/dist, which is checked in and compiled into the program. `--check` only compares the hashes of what it was built from; `--again` builds it
// into target/explorer/dist and compares.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const shipped = path.join(root, "explorer/dist");
/** Its hashes of the inputs. */
const LIST = "SOURCES.sha256";
const WASM = "wasm32-unknown-unknown";

/** All that decides what the page does. */
const INPUTS = [
  "explorer/build.mjs", "explorer/tsconfig.json", "explorer/src", "web", "events", "game/src", "rules/src", "fog/src",
  "test/data/golden/page-code.json", "contracts/src/interfaces/IFogmate.sol",
];
/** What is between players: neither audit nor replay has anything of it. */
const APART = /^game\/src\/(awaiting|command|fault|introduction|lib|notice|numbers|past|player|transaction|transcript|view)(\.rs$|\/)/;
const STATIC = ["index.html", "style.css", "icon.svg"];

function files(name) {
  const full = path.join(root, name);
  if (!existsSync(full)) throw new Error(`${name}, of which the page is made, isn't there`);
  const found = readdirSync(path.dirname(full), { withFileTypes: true }).find((entry) => entry.name === path.basename(full));
  if (!found.isDirectory()) return [name];
  return readdirSync(full).flatMap((entry) => files(`${name}/${entry}`));
}

function hashes() {
  const lines = INPUTS.flatMap(files).filter((name) => !APART.test(name)).sort().map((name) => `${createHash("sha256").update(readFileSync(path.join(root, name))).digest("hex")}  ${name}\n`);
  return lines.join("");
}

/** Name, version and licence of every package in the bundles, with the words of its licence. */
function notice(inputs) {
  const folder = (input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
  const packages = [...new Set(inputs.map(folder).filter(Boolean))].sort();
  const words = packages.map((name) => {
    const { name: known, version, license, repository } = JSON.parse(readFileSync(path.join(root, name, "package.json"), "utf8"));
    const file = readdirSync(path.join(root, name)).find((entry) => /^licen[cs]e/i.test(entry));
    const source = (repository?.url ?? repository ?? "").replace(/^git\+/, "");
    return `${known} ${version}, ${license}\nIts source, unchanged: ${source}\n\n${file ? readFileSync(path.join(root, name, file), "utf8").trim() : ""}\n`;
  });
  const own = "Fogmate is licensed under MIT or Apache-2.0, as you like. This page also has in it, unchanged:\n";
  return [own, ...words].join(`\n${"-".repeat(80)}\n\n`);
}

/** Whether Rust's standard library for WebAssembly is installed. */
function hasLibrary() {
  const sysroot = execFileSync("rustc", ["--print", "sysroot"], { cwd: root, encoding: "utf8" }).trim();
  return existsSync(path.join(sysroot, "lib/rustlib", WASM));
}

/** Compiles the crate `web`, small, and without a path of this machine in it; gives the file. */
function webAssembly() {
  const target = path.join(root, "target/explorer");
  const registry = path.join(process.env.CARGO_HOME ?? path.join(homedir(), ".cargo"), "registry/src");
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: target,
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: `--remap-path-prefix=${registry}/= --remap-path-prefix=${root}/=`,
    CARGO_PROFILE_RELEASE_OPT_LEVEL: "s",
    CARGO_PROFILE_RELEASE_LTO: "true",
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "1",
    CARGO_PROFILE_RELEASE_STRIP: "true",
  };
  execFileSync("cargo", ["build", "--release", "--locked", "-p", "fogmate-web", "--target", WASM], { cwd: root, env, stdio: "inherit" });
  return path.join(target, WASM, "release/web.wasm");
}

async function build(dist) {
  const { build } = await import("esbuild");
  execFileSync(path.join(root, "node_modules/.bin/tsc"), ["--project", path.join(root, "explorer")], { stdio: "inherit" });
  const wasm = webAssembly();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const options = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", metafile: true, absWorkingDir: root, outdir: dist };
  // A worker of a page is a classic script where nothing is imported.
  const page = await build({ ...options, entryPoints: ["explorer/src/main.ts"] });
  const worker = await build({ ...options, entryPoints: ["explorer/src/worker.ts"], format: "iife" });
  for (const name of STATIC) copyFileSync(path.join(root, "explorer/src", name), path.join(dist, name));
  writeFileSync(path.join(dist, "web.wasm"), readFileSync(wasm));
  writeFileSync(path.join(dist, "NOTICE.txt"), notice([...Object.keys(page.metafile.inputs), ...Object.keys(worker.metafile.inputs)]));
  writeFileSync(path.join(dist, LIST), hashes());
}

/** Ends with a sentence for whoever has forgotten to build. */
function fail(what) {
  console.error(`explorer/dist is not built from what is here, \`make explorer\` builds it: ${what}`);
  process.exit(1);
}

function check() {
  const [then, now] = [readFileSync(path.join(shipped, LIST), "utf8").split("\n"), hashes().split("\n")];
  const other = [...then, ...now].filter((line) => then.includes(line) !== now.includes(line));
  if (other.length > 0) fail([...new Set(other.map((line) => line.slice(66)))].join(", "));
}

/** WebAssembly is not compared: another compiler gives other bytes. The browser's test runs what was built here. */
async function again() {
  const built = path.join(root, "target/explorer/dist");
  rmSync(built, { recursive: true, force: true });
  if (!hasLibrary()) {
    console.log(`not run: building the audit page again, because Rust's library for WebAssembly isn't installed (rustup target add ${WASM})`);
    return;
  }
  await build(built);
  const names = [...new Set([shipped, built].flatMap((folder) => readdirSync(folder)))].filter((name) => !name.endsWith(".wasm"));
  const differs = (name) => [shipped, built].some((folder) => !existsSync(path.join(folder, name))) || !readFileSync(path.join(shipped, name)).equals(readFileSync(path.join(built, name)));
  const other = names.filter(differs);
  if (other.length > 0) fail(other.join(", "));
}

switch (process.argv[2]) {
  case "--check":
    check();
    break;
  case "--again":
    check();
    await again();
    break;
  default:
    if (!hasLibrary()) {
      console.error(`The page needs Rust's library for WebAssembly: rustup target add ${WASM}`);
      process.exit(1);
    }
    await build(shipped);
}
