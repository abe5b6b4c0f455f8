// How often a law is tried: a tenth of its rounds before a commit, all of them in the full tier.
import fc from 'fast-check'

/** The share of the rounds, above 0 and at most 1. */
export const roundsVariable = 'LENDLOOM_LAW_SHARE'
/** The seed of all laws of a run. */
export const seedVariable = 'LENDLOOM_LAW_SEED'
/** Seeds are below this number: fast-check takes 32 bits with a sign. */
export const seedLimit = 2 ** 31

/** The share of this process's environment; all rounds without one. */
export function roundsShare(): number {
  const share = Number(process.env[roundsVariable] || 1)
  if (share > 0 && share <= 1) return share
  throw new Error(`${roundsVariable} must be a number above 0 and at most 1, not "${process.env[roundsVariable]}"`)
}

/** The seed of this process's environment; null without one. */
export function givenSeed(): number | null {
  const text = process.env[seedVariable]
  if (!text) return null
  if (/^\d+$/.test(text) && Number(text) < seedLimit) return Number(text)
  throw new Error(`${seedVariable} must be an integer from 0 to ${seedLimit - 1}, not "${text}"`)
}

/** The number of rounds of a law in this run; at least one. */
export const roundsOf = (full: number): number => Math.max(1, Math.ceil(full * roundsShare()))

/** Whether laws run all their rounds: only then does a law have to meet every case that it counts. */
export const runsAllRounds = (): boolean => roundsOf(100) === 100

/** Rounds below which a law without a number of its own hardly tries anything; so few take no time. */
const leastRounds = 20

/** The number of rounds in this run of a law that gives no number. */
export const usualRounds = (): number => Math.max(leastRounds, roundsOf(100))

/** Gives every law of this process the seed of the run, which the runner prints, and the usual number of rounds. */
export function configureLaws(): void {
  const seed = givenSeed()
  const numRuns = usualRounds()
  fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns, ...(seed !== null && { seed }) })
}
