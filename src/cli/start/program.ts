// One program as a child process: started, restarted when it dies, and stopped with time to finish.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotRun } from '#cli/command.ts'
import { home } from '#cli/installation.ts'
import { nodeOptions, type Ready } from '#kit/runtime/program.ts'
import { doublingPauses, pauseSeconds } from '#kit/runtime/schedule.ts'
import { type LogFile, logFile } from './log-file.ts'

export interface ProgramOptions {
  name: string
  /** Relative to the folder with package.json. */
  entry: string
  env: NodeJS.ProcessEnv
  /** The log file; null for standard output. */
  log: string | null
  /** Size at which the file is rotated; one previous file is kept. 20 MB by default. */
  logBytes?: number
  /** Reports progress to the terminal. */
  say(line: string): void
}

export interface ChildProgram {
  /** Its first readiness report. Rejects if it cannot start. */
  ready: Promise<Ready>
  restart(): Promise<void>
  stop(): Promise<void>
  kill(): void
}

const patienceMs = 7000
const healthyAfterMs = 60_000
/** Timeout for the last output after it has exited. */
const lastWordsMs = 1000

/** Pause before a program that exited by itself is restarted. */
export const restartSchedule = doublingPauses(0.5, 30)

export function startProgram(options: ProgramOptions): ChildProgram {
  const { name, log, logBytes = 20_000_000, say } = options
  const output = log === null ? null : logFile(log, logBytes)
  let child: ChildProcess
  let ended: Promise<string>
  const stopping = new AbortController()
  let failures = 0
  let isRestarting = false
  let everReady = false
  const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      output?.latest()
      child = run(options, output)
      child.on('message', (message: Ready) => {
        if (message.type !== 'ready') return
        everReady = true
        resolve(message)
      })
      ended = end(child)
      const how = await ended
      if (stopping.signal.aborted) return
      if (!everReady) return reject(new CannotRun(`the ${name} could not start (${how})${lastLines(log, output)}`))
      if (Date.now() - startedAt > healthyAfterMs) failures = 0
      say(`the ${name} ended (${how}) and is started again${log ? `; see ${log}` : ''}`)
      failures = isRestarting ? 0 : failures + 1
      isRestarting = false
      await pauseAfter(failures, stopping.signal)
    }
  }
  const over = keepRunning().finally(() => output?.close())

  const drainMs = Number(options.env.DRAIN_SECONDS ?? 0) * 1000 || 0
  return {
    ready,
    async restart() {
      if (child.exitCode !== null || child.signalCode !== null) return
      isRestarting = true
      await finish(child, ended, drainMs)
    },
    async stop() {
      stopping.abort()
      await finish(child, ended, drainMs)
      await over
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

async function pauseAfter(failures: number, signal: AbortSignal): Promise<void> {
  if (failures > 0) await sleep(pauseSeconds(restartSchedule, failures) * 1000, undefined, { signal }).catch(() => {})
}

/** Stops a program, and kills it after a timeout. */
async function finish(child: ChildProcess, ended: Promise<string>, drainMs: number): Promise<void> {
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs + drainMs)
  await ended
  clearTimeout(late)
}

/** In its own session, so that Ctrl-C only reaches the launcher; with a channel, so that it notices the launcher's end. */
function run({ entry, env }: ProgramOptions, output: LogFile | null): ChildProcess {
  const to = output ? 'pipe' : 'inherit'
  const child = spawn(process.execPath, [...nodeOptions, entry], {
    cwd: home,
    env,
    detached: true,
    stdio: ['ignore', to, to, 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => output?.write(piece))
  return child
}

const end = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`
      const late = setTimeout(() => resolve(how), lastWordsMs)
      child.once('close', () => {
        clearTimeout(late)
        resolve(how)
      })
    })
  })

function lastLines(log: string | null, output: LogFile | null): string {
  if (!output) return ''
  const lines = output.latest().trim().split('\n').slice(-15)
  return `; the last of ${log}:\n${lines.map((line) => `  ${readable(line).slice(0, 2000)}`).join('\n')}`
}

/** A log line without machine-readable fields. */
function readable(line: string): string {
  try {
    const { msg, err }: { msg: string; err?: { message: string; stack?: string } } = JSON.parse(line)
    return err ? `${msg}: ${err.stack ?? err.message}` : msg
  } catch {
    return line
  }
}
