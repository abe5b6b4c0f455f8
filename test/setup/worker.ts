// A process that runs test files one after the other, as the runner assigns them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FileCost } from './costs.ts'
import type { ProcessSharing, TestFile } from './queue.ts'

export interface Worker {
  sharing: ProcessSharing
  running: TestFile
  /** Runs another file. Returns its cost, or null when the process ended instead. */
  run(file: TestFile): Promise<FileCost | null>
  /** Ends the process and the programs that its files shared. */
  end(): Promise<WorkerResult>
}

export interface WorkerResult {
  /** A failure of the process itself, beside failed tests; null without one. */
  fault: string | null
  /** The reporter's output for failed tests; if the process failed without one, its whole output. */
  failures: string
  /** The titles of the tests that failed. */
  failed: string[]
  counts: Record<'pass' | 'fail' | 'skipped', number>
}

/** Time limit of one file, because a test may keep its process alive forever: three times what the longest takes. */
const timeLimitMs = 20 * 60_000

/** Starts a worker with these options of `node --test`. Each `slot` has its own range of ports. */
export function startWorker(first: TestFile, slot: number, options: string[]): Worker {
  // Every processor is busy, so extra garbage collection threads cost other workers more than they save here.
  const parameters = [
    '--single-threaded-gc',
    '--max-semi-space-size=32',
    '--test',
    '--test-isolation=none',
    '--test-reporter=spec',
    ...options,
  ]
  const child = spawn(process.execPath, [...parameters, join(import.meta.dirname, 'worker-process.ts')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, LENDLOOM_TEST_SLOT: String(slot) },
  })
  const text = bufferOutput(child)
  // Programs that the worker started may outlive it and keep its output open.
  child.once('exit', (_code, signal) => signal && child.stdout!.destroy() && child.stderr!.destroy())
  const closed = once(child, 'close').then(([code]) => code as number | null)
  const worker: Worker = {
    sharing: first.sharing,
    running: first,
    async run(file) {
      worker.running = file
      if (worker.sharing === 'any') worker.sharing = file.sharing
      if (child.connected) child.send(file.path)
      const done = once(child, 'message').then(([cost]) => cost as FileCost)
      return withTimeLimit(Promise.race([done, closed.then(() => null)]))
    },
    async end() {
      if (child.connected) child.send('')
      return resultOf(await withTimeLimit(closed), text(), worker.running)
    },
  }
  async function withTimeLimit<T>(processEnd: Promise<T>): Promise<T> {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeLimitMs)
    return processEnd.finally(() => clearTimeout(timer))
  }
  return worker
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

function resultOf(exitCode: number | null, text: string, last: TestFile): WorkerResult {
  const printed = text.replace(summaryLines, '').trimEnd()
  const [, details] = printed.split('✖ failing tests:')
  const failed = [...(details ?? '').matchAll(/^✖ (.*) \([\d.]+ms\)$/gm)].map(([, title]) => title!)
  const endDescription = exitCode === null ? 'was ended' : `ended with ${exitCode}`
  const [emptyFile] = [...text.matchAll(fileEnded)].filter(([, file]) => !text.includes(`▶ ${file}\n`))
  const isUnknown = exitCode !== 0 && failed.length === 0
  return {
    // node:test attributes tests to another file when they await a promise which that file created.
    fault: isUnknown
      ? `a process ${endDescription} after ${last.path}`
      : emptyFile
        ? `no test of its own: ${emptyFile[1]}`
        : null,
    // A process can fail without a failed test; then this is all output except the passed tests.
    failures: exitCode === 0 ? '' : (details ?? printed.replace(/^\s*(✔|▶) .*\n?/gm, '')).trim(),
    failed,
    counts: {
      pass: countOf(text, 'pass'),
      fail: countOf(text, 'fail') + countOf(text, 'cancelled'),
      skipped: countOf(text, 'skipped') + countOf(text, 'todo'),
    },
  }
}

/** The reporter's summary of one process: the runner prints the sums over all processes instead. */
const summaryLines = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n?/gm

const countOf = (text: string, what: string): number =>
  Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
