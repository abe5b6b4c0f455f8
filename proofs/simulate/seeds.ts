// Runs one seed after the other; shrinks what fails, and prints the command that repeats it.
import '@lendloom/tests/setup/cheap-passwords'
import type { Outcome } from '../main.ts'
import { drawFaults, type Fault } from './faults.ts'
import { makeTemplate } from './programs.ts'
import { type RunResult, runSeed } from './run.ts'
import { type Case, shrink } from './shrink.ts'

export interface SeedsOptions {
  seeds: number
  firstSeed: number
  loans: number
  faults: number
  days: number
  /** The time in which borrowers begin and faults come. */
  windowMs: number
  /** Numbers of the faults that take place; null for all. */
  only: number[] | null
  isTraced: boolean
}

/** The clocks of this process are simulated, except this one. */
const realSeconds = (): number => Number(process.hrtime.bigint() / 1_000_000n) / 1000

export async function runSeeds(options: SeedsOptions): Promise<Outcome> {
  const template = await makeTemplate()
  const began = realSeconds()
  const total = { steps: 0, simulatedMs: 0, failed: 0 }
  const digests: string[] = []
  const runCase = (seed: number, faults: Fault[], { numbers, loans }: Case) =>
    runSeed(template, {
      seed,
      loans,
      days: options.days,
      windowMs: options.windowMs,
      faults: faults.filter((_, i) => numbers.includes(i)),
      ...(options.isTraced && { onStep: (line: string) => console.log(line) }),
    })
  for (let seed = options.firstSeed; seed < options.firstSeed + options.seeds; seed++) {
    const faults = drawFaults({ seed, count: options.faults, windowMs: options.windowMs })
    const whole: Case = { numbers: options.only ?? [...faults.keys()], loans: options.loans }
    const result = await runCase(seed, faults, whole)
    printResult(seed, whole, result)
    total.steps += result.steps
    total.simulatedMs += result.simulatedMs
    digests.push(result.digest)
    if (result.failures.length === 0) continue
    total.failed++
    const smallest = await shrink(whole, result, (smaller) => runCase(seed, faults, smaller))
    printSmallest(faults, smallest, commandOf(options, seed, smallest))
  }
  const seconds = realSeconds() - began
  const holds = options.only !== null || (await hasControls(options, digests, runCase))
  return { passed: total.failed === 0 && holds, figures: figuresOf(options, total, seconds) }
}

/** A seed has one trace, and planted losses are found and shrunk. */
async function hasControls(
  { firstSeed: seed, faults: count, loans, windowMs }: SeedsOptions,
  [digest]: string[],
  runCase: (seed: number, faults: Fault[], chosen: Case) => Promise<RunResult>,
): Promise<boolean> {
  const faults = drawFaults({ seed, count, windowMs })
  const again = await runCase(seed, faults, { numbers: [...faults.keys()], loans })
  const isRepeatable = again.digest === digest
  printControl(isRepeatable, 'the first seed has the same trace again')
  const isFound = async (what: string, control: Fault) => {
    const planted = [...faults.slice(0, 2), control]
    const whole: Case = { numbers: [...planted.keys()], loans: 1 }
    const result = await runCase(seed, planted, whole)
    const hasFailed = result.failures.length > 0
    const smallest = hasFailed ? await shrink(whole, result, (smaller) => runCase(seed, planted, smaller)) : whole
    const isShrunk = smallest.numbers.map((i) => planted[i]?.kind).join() === control.kind
    const claim = result.failures[0]?.claim
    printControl(hasFailed && isShrunk, `${what} is found (${claim}) and shrunk to ${smallest.numbers.length} fault`)
    return hasFailed && isShrunk
  }
  const isReceiptFound = await isFound('an event that is acknowledged but not stored', {
    kind: 'false receipt',
    number: 6,
  })
  const isStallFound = await isFound('a journey whose jobs are deleted', { kind: 'lost jobs', at: 0, ms: 10_000 })
  return isRepeatable && isReceiptFound && isStallFound
}

const printControl = (holds: boolean, what: string): void =>
  console.log(`${holds ? 'holds' : 'DOES NOT HOLD'}: control: ${what}`)

function printResult(seed: number, { numbers, loans }: Case, result: RunResult): void {
  const size = `${loans} loans, ${numbers.length} faults`
  const length = `${result.steps} steps, ${Math.round(result.simulatedMs / 1000)} simulated seconds`
  console.log(`seed ${seed}: ${size}: ${length}, ${result.figures}; trace ${result.digest}`)
  for (const { claim, what } of result.failures) console.log(`DOES NOT HOLD: ${claim} (${what})`)
}

function printSmallest(faults: Fault[], { numbers, loans }: Case, command: string): void {
  console.log(`it also fails with ${loans} loans and ${numbers.length} faults:`)
  for (const i of numbers) console.log(`  ${i}: ${JSON.stringify(faults[i])}`)
  console.log(command)
}

const commandOf = ({ faults, days, windowMs }: SeedsOptions, seed: number, { numbers, loans }: Case): string =>
  `npm run simulate -- --seeds 1 --seed ${seed} --loans ${loans} --faults ${faults} --seconds ${windowMs / 1000} --days ${days} --only ${numbers.join(',') || 'none'}`

function figuresOf(
  { seeds }: SeedsOptions,
  { steps, simulatedMs, failed }: { steps: number; simulatedMs: number; failed: number },
  seconds: number,
): string {
  const rate = `${steps} steps in ${seconds.toFixed(1)} s, ${Math.round((steps / seconds) * 60)} a minute`
  return `${seeds} seeds, ${rate}, ${Math.round(simulatedMs / 1000)} simulated seconds; ${failed} runs failed`
}
