#!/usr/bin/env node
// The Solidity compiler for forge and foundry-compilers, which expect a native `solc`: it answers `--version` and
// `--standard-json` from npm's solc, so that nothing is downloaded at build time. Both tools hand over every source in
// the input, so no file is read here. Run `npm ci` at the top of the repository first.
"use strict";

const solc = require("solc");

if (process.argv.includes("--version")) {
  console.log("solc, the solidity compiler commandline interface");
  console.log(`Version: ${solc.version().replace(".Emscripten.clang", ".Linux.g++")}`);
} else if (process.argv.includes("--standard-json")) {
  const input = require("fs").readFileSync(0, "utf8");
  process.stdout.write(solc.compile(input));
} else {
  console.error("usage: solc.js --version | --standard-json < input.json");
  process.exitCode = 2;
}
