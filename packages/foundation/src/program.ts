// Runs a program: starts it, reports readiness, and stops it on a signal or when its launcher exits.
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import type { Log } from './log.ts'
import { flushSpans } from './trace.ts'

/** A started program. `announce` is sent to the launcher with the readiness message. */
export interface RunningProgram {
  url: string
  announce?: Record<string, unknown>
  /** On SIGTERM: reports not ready and continues to answer until load balancers have noticed. */
  drain?(): Promise<void>
  /** Finishes running work, returns unfinished work to its queues, and closes every connection. */
  stop(): Promise<void>
}

/** A message of a program to its launcher. */
export interface Ready {
  type: 'ready'
  url: string
  announce: Record<string, unknown>
}

/**
 * Options to start programs: `node …nodeOptions apps/platform/src/main.ts`. V8's young generation is large enough for the
 * short-lived objects of many concurrent requests. The limit of the old one makes V8 collect it before it has doubled.
 */
export const nodeOptions = [
  '--max-semi-space-size=32',
  '--max-old-space-size=1408',
  `--import=${join(import.meta.dirname, 'quick-imports.mjs')}`,
]

/** The argument of a program that loads its modules, and then waits until its launcher sends the environment. */
export const environmentFollows = '--environment-follows'

const stopTimeoutMs = 8000
const stopSignals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP']

/**
 * Runs a program to its end: `if (import.meta.main) await runProgram(log, () => startPlatform(…))`. It stops on the
 * first signal (on SIGTERM after `drain`) and when its launcher exits. A second signal ends it at once. A program that
 * cannot start prints the reason and exits with 1.
 */
export async function runProgram(log: Log, start: () => Promise<RunningProgram>): Promise<void> {
  if (process.argv.includes(environmentFollows)) await receiveEnvironment()
  let requestStop: (why: string) => void = () => {}
  const stopping = new Promise<string>((resolve) => (requestStop = resolve))
  for (const signal of stopSignals) process.once(signal, () => requestStop(signal))
  process.once('disconnect', () => requestStop('the launcher is gone'))
  const launcherGone = new Promise((resolve) => process.once('disconnect', resolve))

  const running = await startOrExit(log, start)
  const ready: Ready = { type: 'ready', url: running.url, announce: running.announce ?? {} }
  if (process.connected) process.send?.(ready)
  log.info({ url: running.url }, 'ready')
  // By default compiled code is stored only at exit, which a killed process does not reach.
  flushCompileCache()

  const why = await stopping
  for (const signal of stopSignals) process.once(signal, () => process.exit(1))
  if (why === 'SIGTERM' && running.drain) {
    log.info({ why }, 'no longer ready, still answering')
    await Promise.race([running.drain(), launcherGone])
  }
  log.info({ why }, 'stopping')
  const stopTimer = setTimeout(() => {
    log.error({ stopTimeoutMs }, 'could not stop in time')
    process.exit(1)
  }, stopTimeoutMs)
  try {
    await running.stop()
    await flushSpans()
  } catch (error) {
    log.error({ err: error }, 'could not stop cleanly')
    process.exit(1)
  }
  clearTimeout(stopTimer)
  process.exit(0)
}

async function receiveEnvironment(): Promise<void> {
  const end = () => process.exit(1)
  process.once('disconnect', end)
  const [env = {}]: Record<string, string>[] = await once(process, 'message')
  process.off('disconnect', end)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

async function startOrExit(log: Log, start: () => Promise<RunningProgram>): Promise<RunningProgram> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
    else log.error({ err: error }, 'could not start')
    process.exit(1)
  }
}
