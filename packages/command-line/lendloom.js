#!/usr/bin/env node
// Runs the command line if this Node is new enough; an older one may fail at any module.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
// `engines` says `>=` and a version.
const [leastMajor, leastMinor] = engines.node.slice(2).split('.').map(Number)
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) await import('./lib/main.js')
else {
  process.stderr.write(`lendloom: Node ${engines.node} is needed, and this is ${process.versions.node}\n`)
  process.exitCode = 1
}
