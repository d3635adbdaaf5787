#!/usr/bin/env node
// Runs forge on this folder with npm's solc, whatever the working directory: `node contracts/forge.js test`. It takes the
// native binary of npm's package where `npm ci` installs one (no installer script has to run), else a forge on the PATH.
"use strict";

const { spawnSync } = require("child_process");
const path = require("path");

function forgeBinary() {
  const arch = { x64: "amd64", arm64: "arm64" }[process.arch];
  try {
    return require.resolve(`@foundry-rs/forge-${process.platform}-${arch}/bin/forge`);
  } catch {
    return "forge";
  }
}

const [command, ...rest] = process.argv.slice(2);
const compiles = ["build", "test", "inspect", "coverage", "snapshot"].includes(command);
const compiler = compiles ? ["--offline", "--use", path.join(__dirname, "solc.js")] : [];
const run = spawnSync(forgeBinary(), [command, ...compiler, ...rest], { cwd: __dirname, stdio: "inherit" });
if (run.error) console.error(`forge did not start (${run.error.message}): run \`npm ci\` first, or install forge 1.7.1`);
process.exitCode = run.status ?? 1;
