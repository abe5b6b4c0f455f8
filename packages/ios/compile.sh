#!/bin/sh
# On Debian 13 with `apt-get install swiftlang libc6-dev libstdc++-14-dev`: compiles everything and runs the tests, with
# `declarations` in place of the iOS SDK, which exists only on macOS.
set -eu
cd "$(dirname "$0")"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
for module in UIKit SafariServices WebKit; do
  swiftc -swift-version 6 -parse-as-library -emit-library -static -emit-module -module-name "$module" -I "$out" \
    -emit-module-path "$out/$module.swiftmodule" -o "$out/lib$module.a" "declarations/$module.swift"
done
for version in 5 6; do
  swiftc -swift-version "$version" -warnings-as-errors -parse-as-library -I "$out" -L "$out" \
    -o "$out/test" Sources/Lendloom/*.swift test/*.swift -lSafariServices -lWebKit -lUIKit
  "$out/test"
done
