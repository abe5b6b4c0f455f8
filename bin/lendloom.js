#!/usr/bin/env node
// Runs the command line with the Node that this package brings along, whichever one was at hand to start it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const node = process.platform === 'win32' ? 'node.exe' : 'node'
const pinned = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', node)
const child = spawn(pinned, [join(root, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })

// At a terminal Ctrl-C reaches the child by itself; a signal that was sent to us alone does not.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))

child.on('error', (error) => {
  process.stderr.write(`lendloom: the pinned Node does not run (${error.message}); run npm ci first\n`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
