// Runs a third-party server in its own directory; both are removed when the proof ends.
import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../../bench/setup/at-end.ts'
import { until } from './until.ts'

/** A temporary directory, removed by `remove` or when the process exits. */
export function directoryFor(what: string): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), `lendloom-${what}-`))
  const remove = atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  return { directory, remove }
}

interface Start {
  name: string
  command: string
  args: string[]
  /** Working directory, HOME and log directory. */
  directory: string
  env?: Record<string, string>
  port: number
}

/** Starts the server, waits until it listens, and returns a function that stops it. If it never listens, the error contains its output. */
export async function startServer({ name, command, args, directory, env, port }: Start): Promise<() => void> {
  const logFile = join(directory, `${name}.log`)
  const log = openSync(logFile, 'a')
  const own = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  const child = spawn(command, args, {
    cwd: directory,
    env: { PATH: process.env.PATH, ...own, ...env },
    stdio: ['ignore', log, log],
  })
  const stop = atEnd(() => child.kill('SIGKILL'))
  const listens = () =>
    new Promise<boolean>((resolve, reject) => {
      if (child.exitCode !== null) reject(new Error(`${name} did not start: ${readFileSync(logFile, 'utf8').trim()}`))
      const socket = connect({ host: '127.0.0.1', port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  try {
    await until(listens, `${name} listens`)
  } catch (error) {
    stop()
    throw error
  }
  return stop
}
