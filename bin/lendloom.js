#!/usr/bin/env node
// Runs the command line with the Node that the development packages bring along; without them with this one, if it is new enough.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** `engines` says `>=` and a version. */
function isNewEnough() {
  const least = engines.node.slice(2).split('.').map(Number)
  const own = process.versions.node.split('.').map(Number)
  const differs = least.findIndex((number, place) => number !== own[place])
  return differs < 0 || own[differs] > least[differs]
}

if (existsSync(pinned) && realpathSync(pinned) !== realpathSync(process.execPath)) {
  const child = spawn(pinned, process.argv.slice(1), { stdio: 'inherit' })

  // At a terminal Ctrl-C reaches the child by itself; a signal that was sent to us alone does not.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))

  child.on('error', (error) => {
    process.stderr.write(`lendloom: the pinned Node does not run (${error.message}); run npm ci first\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
} else if (isNewEnough()) {
  await import('../packages/foundation/src/quick-imports.mjs')
  const { runCommandLine } = await import('../apps/cli/src/main.ts')
  await runCommandLine()
} else {
  process.stderr.write(
    `lendloom: Node ${engines.node} is needed and this is ${process.versions.node}: install it, or run npm ci without --omit=dev, which brings Node along\n`,
  )
  process.exitCode = 1
}
