#!/usr/bin/env node
// Runs forge in this folder, whatever the working directory: `node contracts/forge.js test`. It takes the native
// binary of npm's package where `npm ci` installs one (no installer script has to run), else a forge on the PATH.
"use strict";

const { spawnSync } = require("child_process");

function forgeBinary() {
  const arch = { x64: "amd64", arm64: "arm64" }[process.arch];
  try {
    return require.resolve(`@foundry-rs/forge-${process.platform}-${arch}/bin/forge`);
  } catch {
    return "forge";
  }
}

const run = spawnSync(forgeBinary(), process.argv.slice(2), { cwd: __dirname, stdio: "inherit" });
if (run.error) console.error(`forge did not start (${run.error.message}): run \`npm ci\` first, or install forge 1.7.1`);
process.exitCode = run.status ?? 1;
