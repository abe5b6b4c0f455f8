// A process for a batch of test files: its output, its counts and what its files cost.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costsVariable, filesVariable, type ProcessCost } from './costs.ts'
import type { Batch } from './deal.ts'

export interface Result extends Batch {
  exitCode: number
  /** What the reporter says of the tests that failed; of a process that failed without one, what it printed. */
  failures: string
  /** The titles of the tests that failed. */
  failed: string[]
  counts: Record<'pass' | 'fail' | 'skipped', number>
  cost: ProcessCost
}

const here = import.meta.dirname

/** A process that a test keeps alive for ever ends by this; what it printed until then is told. */
const lifetime = { timeout: 15 * 60_000, killSignal: 'SIGKILL' } as const

/** Runs a batch with these options of `node --test` and prints its output when it has ended. `slot` keeps its ports apart from others'. */
export async function runBatch(batch: Batch, slot: number, options: string[]): Promise<Result> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-run-'))
  const costs = join(directory, 'costs.json')
  const reporters = ['spec', join(here, 'costs.ts')].flatMap((name) => [
    `--test-reporter=${name}`,
    '--test-reporter-destination=stdout',
  ])
  const env = {
    ...process.env,
    LENDLOOM_TEST_SLOT: String(slot),
    [filesVariable]: batch.files.join('\n'),
    [costsVariable]: costs,
  }
  const parameters = ['--test', '--test-isolation=none', ...reporters, ...options, join(here, 'batch.ts')]
  const { exitCode, text } = await outputOf(parameters, env)
  const seconds = (performance.now() - began) / 1000
  const cost: ProcessCost = existsSync(costs) ? JSON.parse(readFileSync(costs, 'utf8')) : { files: {}, children: 0 }
  rmSync(directory, { recursive: true })
  const printed = text.replace(counters, '').trimEnd()
  console.log(`\n${batch.name}: ${seconds.toFixed(1)} s\n${printed}`)
  const [, details] = printed.split('✖ failing tests:')
  return {
    ...batch,
    exitCode,
    // A process can fail without a test that did: then it is all that was printed beside the tests that passed.
    failures: (details ?? printed.replace(/^\s*✔ .*\n?/gm, '')).trim(),
    failed: [...(details ?? '').matchAll(/^✖ (.*) \([\d.]+ms\)$/gm)].map(([, title]) => title!),
    seconds,
    counts: {
      pass: countOf(text, 'pass'),
      fail: countOf(text, 'fail') + countOf(text, 'cancelled'),
      skipped: countOf(text, 'skipped') + countOf(text, 'todo'),
    },
    cost,
  }
}

async function outputOf(parameters: string[], env: NodeJS.ProcessEnv): Promise<{ exitCode: number; text: string }> {
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'pipe'], env, ...lifetime })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  // Programs that it started may outlive it, and hold its output open.
  child.once('exit', (_code, signal) => signal && child.stdout.destroy() && child.stderr.destroy())
  const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  return { exitCode, text: Buffer.concat(output).toString('utf8') }
}

/** The summary of a process, in which only the sums over all of them are of use. */
const counters = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n?/gm

const countOf = (text: string, what: string): number =>
  Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
