// A process that runs test files one after the other, as they are given to it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FileCost } from './costs.ts'
import type { Company, TestFile } from './queue.ts'

export interface Worker {
  company: Company
  running: TestFile
  /** Runs another file. Gives what it cost, or null when the process ended instead. */
  run(file: TestFile): Promise<FileCost | null>
  /** Lets the process end what its files shared. */
  end(): Promise<WorkerResult>
}

export interface WorkerResult {
  /** What went wrong beside the tests that failed; null where nothing did. */
  fault: string | null
  /** What the reporter says of the tests that failed; of a process that failed without one, what it printed. */
  failures: string
  /** The titles of the tests that failed. */
  failed: string[]
  counts: Record<'pass' | 'fail' | 'skipped', number>
}

/** Of one file; a test may keep its process alive for ever. */
const longestMs = 10 * 60_000

/** Starts one with these options of `node --test`. `slot` keeps its ports apart from others'. */
export function startWorker(first: TestFile, slot: number, options: string[]): Worker {
  // Every processor is busy: threads that help to collect garbage take more from the others than they give.
  const parameters = ['--single-threaded-gc', '--test', '--test-isolation=none', '--test-reporter=spec', ...options]
  const child = spawn(process.execPath, [...parameters, join(import.meta.dirname, 'worker-process.ts')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, LENDLOOM_TEST_SLOT: String(slot) },
  })
  const text = printedOf(child)
  // Programs that it started may outlive it, and hold its output open.
  child.once('exit', (_code, signal) => signal && child.stdout!.destroy() && child.stderr!.destroy())
  const closed = once(child, 'close').then(([code]) => code as number | null)
  const worker: Worker = {
    ...{ company: first.company, running: first },
    async run(file) {
      worker.running = file
      if (worker.company === 'any') worker.company = file.company
      if (child.connected) child.send(file.path)
      const done = once(child, 'message').then(([cost]) => cost as FileCost)
      return inTime(Promise.race([done, closed.then(() => null)]))
    },
    async end() {
      if (child.connected) child.send('')
      return resultOf(await inTime(closed), text(), worker.running)
    },
  }
  async function inTime<T>(ended: Promise<T>): Promise<T> {
    const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
    return ended.finally(() => clearTimeout(timer))
  }
  return worker
}

/** What the reporter prints when a file is done. */
const fileEnded = /^[✔✖] (\S+\.test\.ts) \(/gm

/** Prints what a process prints, file by file, so that the lines of two do not mix; gives all of it. */
function printedOf(child: ChildProcess): () => string {
  let [all, waiting] = ['', '']
  const take = (chunk: string) => {
    all += chunk
    waiting += chunk
    const end = waiting.lastIndexOf('\n') + 1
    if (waiting.slice(0, end).search(fileEnded) < 0) return
    process.stdout.write(waiting.slice(0, end).replace(counters, ''))
    waiting = waiting.slice(end)
  }
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', take)
  child.once('close', () => process.stdout.write(waiting.replace(counters, '')))
  return () => all
}

function resultOf(exitCode: number | null, text: string, last: TestFile): WorkerResult {
  const printed = text.replace(counters, '').trimEnd()
  const [, details] = printed.split('✖ failing tests:')
  const failed = [...(details ?? '').matchAll(/^✖ (.*) \([\d.]+ms\)$/gm)].map(([, title]) => title!)
  const ended = exitCode === null ? 'was ended' : `ended with ${exitCode}`
  const [empty] = [...text.matchAll(fileEnded)].filter(([, file]) => !text.includes(`▶ ${file}\n`))
  const isUnknown = exitCode !== 0 && failed.length === 0
  return {
    // The tests of a file that awaited something of another file's belong to that file.
    fault: isUnknown ? `a process ${ended} after ${last.path}` : empty ? `no test of its own: ${empty[1]}` : null,
    // A process can fail without a test that did: then it is all that was printed beside the tests that passed.
    failures: exitCode === 0 ? '' : (details ?? printed.replace(/^\s*(✔|▶) .*\n?/gm, '')).trim(),
    failed,
    counts: {
      pass: countOf(text, 'pass'),
      fail: countOf(text, 'fail') + countOf(text, 'cancelled'),
      skipped: countOf(text, 'skipped') + countOf(text, 'todo'),
    },
  }
}

/** The summary of a process, in which only the sums over all of them are of use. */
const counters = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n?/gm

const countOf = (text: string, what: string): number =>
  Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
