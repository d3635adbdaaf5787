#!/usr/bin/env bash
# Builds the crate `web` as WebAssembly: target/explorer/wasm32-unknown-unknown/release/web.wasm. With rustup's target it is one command. Where that can't be had,
# Debian's packages of the compiler are unpacked below target/explorer, nothing is installed, and the standard library is compiled too. Ends with 3 where those
# can't be had either.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown
export CARGO_TARGET_DIR=$PWD/target/explorer
export CARGO_PROFILE_RELEASE_OPT_LEVEL=s CARGO_PROFILE_RELEASE_LTO=true CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_STRIP=true
build=(cargo build --release --locked -p fogmate-web --target "$target")

if [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
  exec "${build[@]}"
fi
tools=$CARGO_TARGET_DIR/debian
if [ ! -e "$tools/complete" ]; then
  mkdir -p "$tools/packages"
  version=$(apt-cache depends rustc-web 2> /dev/null | sed -n 's/.*libstd-rust-web-\([0-9.]*\).*/\1/p' | head -n 1)
  (cd "$tools/packages" && apt-get download rustc-web rust-web-src "libstd-rust-web-$version" libstd-rust-web-dev libllvm22 lld-22) || exit 3
  for package in "$tools"/packages/*.deb; do dpkg -x "$package" "$tools"; done
  touch "$tools/complete"
fi
export RUSTC=$tools/usr/bin/rustc RUSTC_BOOTSTRAP=1 LD_LIBRARY_PATH=$tools/usr/lib/x86_64-linux-gnu:$tools/usr/lib/llvm-22/lib
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$tools/usr/lib/llvm-22/bin/wasm-ld PATH=$tools/usr/lib/llvm-22/bin:$PATH
exec "${build[@]}" -Zbuild-std=std,panic_abort
