// Suggests the known word nearest to a misspelt one.

/** The nearest known word within two typing errors; null when there is none. */
export function nearest(word: string, known: string[]): string | null {
  const [best] = known
    .map((candidate) => ({ candidate, errors: typingErrors(word, candidate) }))
    .filter(({ candidate, errors }) => errors <= 2 && errors < candidate.length)
    .sort((a, b) => a.errors - b.errors)
  return best?.candidate ?? null
}

/** The Damerau–Levenshtein distance of two words. */
export function typingErrors(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, i) => i)]
  const errorsAt = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j++) {
      const substitution = from[i - 1] === to[j - 1] ? 0 : 1
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(
        Math.min(
          errorsAt(i - 1, j) + 1,
          errorsAt(i, j - 1) + 1,
          errorsAt(i - 1, j - 1) + substitution,
          isSwapped ? errorsAt(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return errorsAt(from.length, to.length)
}
