// How often a law is tried: a tenth of its rounds before a commit, all of them in the full tier.
import fc from 'fast-check'

/** The share of the rounds, from 0 to 1. */
export const roundsVariable = 'LENDLOOM_LAW_SHARE'
/** The seed of all laws of a run. */
export const seedVariable = 'LENDLOOM_LAW_SEED'

/** The number of rounds of a law in this run; at least one. */
export const roundsOf = (full: number): number =>
  Math.max(1, Math.ceil(full * Number(process.env[roundsVariable] ?? 1)))

/** Whether laws run all their rounds: only then does a law have to meet every case that it counts. */
export const runsAllRounds = (): boolean => roundsOf(100) === 100

/** Gives every law of this process the seed of the run, which the runner prints. */
export function seedLaws(): void {
  const seed = process.env[seedVariable]
  if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
}
