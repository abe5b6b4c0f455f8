// The claims of a proof that has many of them: each is printed as it is found to hold or not.

/** What is checked, one line each, and whether all of it holds. */
export interface Checks {
  note(claim: string, holds: boolean, what?: unknown): void
  /** How many there were, and those that do not hold. */
  total: number
  failed: string[]
}

export function checks(): Checks {
  const all: Checks = {
    total: 0,
    failed: [],
    note(claim, holds, what) {
      all.total++
      if (!holds) all.failed.push(claim)
      console.log(`${holds ? 'holds' : 'DOES NOT HOLD'}: ${claim}${what === undefined ? '' : ` (${what})`}`)
    },
  }
  return all
}

/** The end of the line of figures. */
export const wordsOf = ({ total, failed }: Checks): string =>
  failed.length === 0 ? `all ${total} checks hold` : `${failed.length} of ${total} checks fail: ${failed.join('; ')}`
