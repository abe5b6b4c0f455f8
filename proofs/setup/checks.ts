// Records and prints the checks of a proof.

export interface Checks {
  note(claim: string, holds: boolean, what?: unknown): void
  /** Number of checks, and the failed ones. */
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

/** Summary for the line of figures. */
export const wordsOf = ({ total, failed }: Checks): string =>
  failed.length === 0 ? `all ${total} checks hold` : `${failed.length} of ${total} checks fail: ${failed.join('; ')}`
