#!/bin/sh
# Compiles the wrapper on Debian, and runs the test of its parser:
#   apt-get install default-jdk-headless libandroid-23-java libandroid-json-java
# libandroid-23-java is in Debian 11 and sid.
set -eu
cd "$(dirname "$0")"
android="${ANDROID_JAR:-/usr/share/java/com.android.android-23.jar}"
json="${JSON_JAR:-/usr/share/java/com.android.json.jar}"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
javac --release 8 -Xlint:all,-options -Werror -cp "$android" -d "$out/declarations" $(find declarations -name '*.java')
javac --release 8 -Xlint:all,-options,-deprecation -Werror -cp "$android:$out/declarations" -d "$out/wrapper" src/lendloom/*.java
javac --release 8 -Xlint:all,-options -Werror -cp "$json" -d "$out/test" src/lendloom/PageMessage.java test/PageMessageTest.java
java -cp "$json:$out/test" PageMessageTest
