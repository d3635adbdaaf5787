#!/usr/bin/env node
// The Solidity compiler for forge and foundry-compilers, which expect a native `solc`: it answers `--version` and
// `--standard-json` from npm's solc, so that nothing is downloaded at build time. Both tools hand over every source in
// the input, so no file is read here. Run `npm ci` at the top of the repository first.
"use strict";

if (process.argv.includes("--version")) {
  console.log("solc, the solidity compiler commandline interface");
  // The package's version is the compiler's, and loading 30 MB of WebAssembly to ask it takes a second.
  console.log(`Version: ${require("solc/package.json").version}`);
} else if (process.argv.includes("--standard-json")) {
  const input = require("fs").readFileSync(0, "utf8");
  process.stdout.write(require("solc").compile(input));
} else {
  console.error("usage: solc.js --version | --standard-json < input.json");
  process.exitCode = 2;
}
