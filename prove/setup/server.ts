// A server of another maker in a directory of its own, ended and removed with the proof.
import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../../bench/setup/at-end.ts'
import { until } from './until.ts'

/** A directory that is removed by what comes with it, at the end at the latest. */
export function directoryFor(what: string): { directory: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), `lendloom-${what}-`))
  const remove = atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  return { directory, remove }
}

interface Start {
  name: string
  command: string
  args: string[]
  /** For its log; it is its home as well. */
  directory: string
  env?: Record<string, string>
  port: number
}

/** Starts it, waits until it listens, and gives what ends it; what it printed is in the error when it does not listen. */
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
