// Makes a failing run smaller while it fails in the same way.
import type { RunResult } from './run.ts'

export interface Case {
  /** Numbers of the faults that take place. */
  numbers: number[]
  loans: number
}

const maxTries = 60

/** Two runs fail in the same way if their first failures are of the same claim. */
const claimOf = ({ failures }: Pick<RunResult, 'failures'>): string | undefined => failures[0]?.claim

/** Leaves out loans, then faults, many at once before single ones. */
export async function shrink(
  whole: Case,
  failure: Pick<RunResult, 'failures'>,
  run: (smaller: Case) => Promise<RunResult>,
): Promise<Case> {
  let smallest = whole
  let tries = 0
  const fails = async (candidate: Case): Promise<boolean> => {
    if (++tries > maxTries) return false
    const isSame = claimOf(await run(candidate)) === claimOf(failure)
    if (isSame) smallest = candidate
    return isSame
  }
  while (smallest.loans > 1 && (await fails({ ...smallest, loans: Math.floor(smallest.loans / 2) })));
  for (let size = smallest.numbers.length; size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < smallest.numbers.length; )
      if (!(await fails({ ...smallest, numbers: smallest.numbers.toSpliced(at, size) }))) at += size
  return smallest
}
