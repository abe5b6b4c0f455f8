// Runs one program of an installation as a child process: starts it, restarts it when it dies, and stops it gracefully.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentFollows, nodeOptions, type Ready } from '@lendloom/foundation/program'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { messageOf } from '@lendloom/foundation/thrown'
import { CannotRun } from '#cli/command.ts'
import { home } from '#cli/installation.ts'
import { type LogFile, logFile } from './log-file.ts'

export interface ProgramOptions {
  name: string
  /** The path of the module to run, relative to the folder with package.json. */
  entry: string
  inherited: NodeJS.ProcessEnv
  /** The whole environment, for which the program waits when its modules are loaded. Never rejects. */
  env: Promise<NodeJS.ProcessEnv>
  /** The log file; null for standard output. */
  log: string | null
  /** The size at which the log file is rotated; one previous file is kept. 20 MB by default. */
  logBytes?: number
  /** Reports progress to the terminal. */
  say(line: string): void
}

export interface ChildProgram {
  /** The first readiness report of the program. Rejects if the program cannot start. */
  ready: Promise<Ready>
  restart(): Promise<void>
  stop(): Promise<void>
  kill(): void
}

/** How long a program may take to stop, besides its time to drain. */
const stopTimeoutMs = 7000
/** After this time without a crash, the pauses between restarts begin anew. */
const healthyAfterMs = 60_000
/** How long to wait for the last output of a program that has ended. */
const lastOutputMs = 1000

/** Pauses before a program that exited by itself is restarted. */
export const restartSchedule = doublingPauses(0.5, 30)

/** Starts a program and keeps it running until it is stopped. */
export function startProgram(options: ProgramOptions): ChildProgram {
  const { name, log, logBytes = 20_000_000, say } = options
  const output = log === null ? null : openLog(log, logBytes)
  let child: ChildProcess
  let ended: Promise<string>
  const stopping = new AbortController()
  let failures = 0
  let isRestarting = false
  let hasBeenReady = false
  const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      output?.readNew()
      child = spawnProgram(options, output)
      child.on('message', (message: Ready) => {
        if (message.type !== 'ready') return
        hasBeenReady = true
        resolve(message)
      })
      ended = endOf(child)
      const ending = await ended
      if (stopping.signal.aborted) return
      if (!hasBeenReady)
        return reject(new CannotRun(`the ${name} could not start (${ending})${lastLines(log, output)}`))
      if (Date.now() - startedAt > healthyAfterMs) failures = 0
      say(`the ${name} ended (${ending}) and is restarted${log ? `; see ${log}` : ''}`)
      failures = isRestarting ? 0 : failures + 1
      isRestarting = false
      await pauseAfter(failures, stopping.signal)
    }
  }
  const stopped = keepRunning().finally(() => output?.close())

  const drainMs = Number(options.inherited.DRAIN_SECONDS ?? 0) * 1000 || 0
  return {
    ready,
    async restart() {
      if (child.exitCode !== null || child.signalCode !== null) return
      isRestarting = true
      await stopChild(child, ended, drainMs)
    },
    async stop() {
      stopping.abort()
      await stopChild(child, ended, drainMs)
      await stopped
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function openLog(path: string, maxBytes: number): LogFile {
  try {
    return logFile(path, maxBytes)
  } catch (error) {
    throw new CannotRun(`the log ${path} cannot be written: ${messageOf(error)}`)
  }
}

async function pauseAfter(failures: number, signal: AbortSignal): Promise<void> {
  if (failures > 0) await sleep(pauseSeconds(restartSchedule, failures) * 1000, undefined, { signal }).catch(() => {})
}

/** Stops a program, and kills it after a timeout. */
async function stopChild(child: ChildProcess, ended: Promise<string>, drainMs: number): Promise<void> {
  child.kill('SIGTERM')
  const killTimer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs + drainMs)
  await ended
  clearTimeout(killTimer)
}

/** Starts the program in its own session, so that Ctrl-C reaches only the launcher; IPC reports the launcher's end. */
function spawnProgram({ entry, inherited, env }: ProgramOptions, output: LogFile | null): ChildProcess {
  const stream = output ? 'pipe' : 'inherit'
  const child = spawn(process.execPath, [...nodeOptions, entry, environmentFollows], {
    cwd: home,
    env: inherited,
    detached: true,
    stdio: ['ignore', stream, stream, 'ipc'],
  })
  void env.then((values) => child.connected && child.send(values, () => {}))
  for (const readable of [child.stdout, child.stderr]) readable?.on('data', (piece: Buffer) => output?.write(piece))
  return child
}

/** Resolves with how a program ended, once its output is read. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      const ending = signal ?? `exit code ${code}`
      const outputTimer = setTimeout(() => resolve(ending), lastOutputMs)
      child.once('close', () => {
        clearTimeout(outputTimer)
        resolve(ending)
      })
    })
  })

/** The last lines of the log, which usually say why a program could not start. */
function lastLines(log: string | null, output: LogFile | null): string {
  if (!output) return ''
  const text = output.readNew().trim()
  if (text === '') return ''
  const lines = text.split('\n').slice(-15)
  return `; the last lines of ${log}:\n${lines.map((line) => `  ${readableLine(line).slice(0, 2000)}`).join('\n')}`
}

/** The message of a JSON log line, with its error. */
function readableLine(line: string): string {
  try {
    const { msg, err }: { msg: string; err?: { message: string; stack?: string } } = JSON.parse(line)
    return err ? `${msg}: ${err.stack ?? err.message}` : msg
  } catch {
    return line
  }
}
