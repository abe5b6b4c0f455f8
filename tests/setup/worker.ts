// A process that runs test files one after the other, as the runner assigns them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileCost } from './costs.ts'
import { limitMsOf, type ProcessSharing, type TestFile } from './queue.ts'

export interface Worker {
  sharing: ProcessSharing
  running: TestFile
  /** Runs another file. Returns its cost, or null when the process ended instead. */
  run(file: TestFile): Promise<FileCost | null>
  /** Ends the process and the programs that its files shared. */
  end(): Promise<WorkerResult>
  /** Kills the process; its programs are ended then. */
  kill(): void
}

export interface WorkerResult {
  /** Failures of the process itself or of a whole file, beside failed tests. */
  faults: string[]
  /** The failed tests and suites, each as `file: title`. */
  failed: string[]
  /** The reporter's output for failed tests; if the process failed without one, its whole output. */
  details: string
  /** Files that ended before their process did without a report: nobody knows which of their tests passed. */
  lost: string[]
  /** A fault or a failed suite counts as one failure. */
  counts: Record<'pass' | 'fail' | 'skipped', number>
}

/** Time limit for the end of a process: it ends its programs first, and itself by force after a minute. */
const endLimitMs = 2 * 60_000

/** Starts a worker with these options of `node --test`. Each `slot` has its own range of ports. */
export function startWorker(first: TestFile, slot: number, options: string[]): Worker {
  // Every processor is busy, so extra garbage collection threads cost other workers more than they save here.
  const parameters = [
    '--conditions=inside',
    '--single-threaded-gc',
    '--max-semi-space-size=32',
    '--test',
    '--test-isolation=none',
    '--test-reporter=spec',
    ...options,
  ]
  const child = spawn(process.execPath, [...parameters, join(import.meta.dirname, 'worker-process.ts')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Its own process group, by which its programs are ended too.
    detached: true,
    env: { ...process.env, LENDLOOM_TEST_SLOT: String(slot) },
  })
  const text = bufferOutput(child)
  // Programs that the worker started may outlive it and keep its output open.
  child.once('exit', (_code, signal) => signal && child.stdout!.destroy() && child.stderr!.destroy())
  const ended = once(child, 'exit').then(() => endGroup(child.pid!))
  const closed = Promise.all([once(child, 'close'), ended]).then(([[code]]) => code as number | null)
  const history: History = { ran: [], unfinished: null, isOverdue: false }
  const worker: Worker = {
    sharing: first.sharing,
    running: first,
    async run(file) {
      worker.running = file
      if (worker.sharing === 'any') worker.sharing = file.sharing
      if (child.connected) child.send(file.path)
      const done = once(child, 'message').then(([cost]) => cost as FileCost)
      const cost = await withTimeLimit(limitMsOf(file), Promise.race([done, closed.then(() => null)]))
      if (cost) history.ran.push(file.path)
      else history.unfinished = file.path
      return cost
    },
    async end() {
      if (child.connected) child.send('')
      return resultOf(await withTimeLimit(endLimitMs, closed), text(), history)
    },
    kill: () => void child.kill('SIGKILL'),
  }
  async function withTimeLimit<T>(limitMs: number, processEnd: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      history.isOverdue = true
      worker.kill()
    }, limitMs)
    return processEnd.finally(() => clearTimeout(timer))
  }
  return worker
}

/** How long the programs of a process that has ended may take to end what they started, such as a database. */
const programsEndMs = 3000

/** Ends the programs that a process left in its group. */
async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM')
  for (const deadline = Date.now() + programsEndMs; signalGroup(pid, 0) && Date.now() < deadline; ) await sleep(20)
  signalGroup(pid, 'SIGKILL')
}

/** Returns whether the group has a process. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** The reporter's line for a finished file. */
const fileEnded = /^[✔✖] (\S+\.test\.ts) \(/gm

/** Prints a worker's output file by file, so that lines of two workers do not mix; returns a getter of all output. */
function bufferOutput(child: ChildProcess): () => string {
  let output = ''
  let unprinted = ''
  const append = (chunk: string) => {
    output += chunk
    unprinted += chunk
    const end = unprinted.lastIndexOf('\n') + 1
    if (unprinted.slice(0, end).search(fileEnded) < 0) return
    process.stdout.write(unprinted.slice(0, end).replace(summaryLines, ''))
    unprinted = unprinted.slice(end)
  }
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', append)
  child.once('close', () => process.stdout.write(unprinted.replace(summaryLines, '')))
  return () => output
}

/** What a process ran. */
interface History {
  ran: string[]
  /** The file that was running when the process ended. */
  unfinished: string | null
  /** Whether the process was killed because a file, or its own end, took too long. */
  isOverdue: boolean
}

function resultOf(exitCode: number | null, text: string, history: History): WorkerResult {
  const printed = text.replace(summaryLines, '').trimEnd()
  const [report = '', details] = printed.split('✖ failing tests:')
  const failed = failedTests(report, details ?? '')
  const faults = emptyFiles(text)
    .filter((file) => !failed.includes(file))
    .map((file) => `no test of its own: ${file}`)
  const hasReport = countOf(text, 'fail') !== null
  const isUnexplained = exitCode !== 0 && failed.length === 0 && faults.length === 0
  if (!hasReport || history.unfinished || isUnexplained) faults.push(endOf(exitCode, hasReport, history))
  const count = (what: string): number => countOf(text, what) ?? 0
  return {
    faults,
    failed,
    lost: hasReport ? [] : history.ran,
    // A process can fail without a failed test; then this is all output except the passed tests.
    details: exitCode === 0 && hasReport ? '' : (details ?? printed.replace(/^\s*(✔|▶) .*\n?/gm, '')).trim(),
    counts: {
      pass: count('pass'),
      fail: Math.max(count('fail') + count('cancelled'), failed.length) + faults.length,
      skipped: count('skipped') + count('todo'),
    },
  }
}

/** How a process ended that failed; without a report, nobody knows which of its tests passed. */
function endOf(exitCode: number | null, hasReport: boolean, { ran, unfinished, isOverdue }: History): string {
  const how = exitCode === null ? 'was ended' : `ended with ${exitCode}`
  const why = isOverdue ? ', because that took too long' : hasReport ? '' : ', without a report'
  if (!unfinished) return `a process ${how} after ${ran.join(', ')}${why}`
  const before = ran.at(-1)
  return `a process ${how} while it ran ${unfinished}${before ? ` (or by a hook or timer of ${before})` : ''}${why}`
}

/** Files without a test: node:test attributes tests to another file when they await a promise which that file created. */
const emptyFiles = (text: string): string[] =>
  [...text.matchAll(fileEnded)].map(([, file]) => file!).filter((file) => !text.includes(`▶ ${file}\n`))

/** The failed tests as `file: title`; the reporter's list names the place of the call, which may be in a helper. */
function failedTests(report: string, details: string): string[] {
  const filesOf = new Map<string, string[]>()
  let file = ''
  for (const [, begun, title] of report.matchAll(/^▶ (\S+\.test\.ts)$|^ +✖ (.*) \([\d.]+ms\)$/gm)) {
    if (begun) file = begun
    else filesOf.set(title!, [...(filesOf.get(title!) ?? []), file])
  }
  const titles = [...details.matchAll(/^✖ (.*) \([\d.]+ms\)$/gm)].map(([, title]) => title!)
  return titles.map((title) => {
    const from = filesOf.get(title)?.shift()
    return from ? `${from}: ${title}` : title
  })
}

/** The reporter's summary of one process: the runner prints the sums over all processes instead. */
const summaryLines = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n?/gm

/** Returns null without the reporter's summary. */
function countOf(text: string, what: string): number | null {
  const [, count] = new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(text) ?? []
  return count ? Number(count) : null
}
