#!/bin/sh
# Compiles the depot and its tests where Maven would, with the JUnit jars of Debian's packages junit4 and junit5.
set -eu
cd "$(dirname "$0")"
jars=${JUNIT_JARS:-/usr/share/java}
junit=$jars/junit4.jar:$jars/hamcrest.jar:$jars/junit-jupiter-api.jar:$jars/junit-jupiter-params.jar
junit=$junit:$jars/junit-platform-commons.jar:$jars/apiguardian-api.jar:$jars/opentest4j.jar
rm -rf target
mkdir -p target/classes target/test-classes
javac --release 11 -d target/classes src/main/java/depot/*.java
javac --release 11 -d target/test-classes -cp "target/classes:$junit" src/test/java/depot/*.java
