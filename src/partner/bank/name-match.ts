// Whether the name on a bank account is the borrower's: money goes to the borrower's own account and to no other.

/** What stands before names in India, and says nothing about who it is. */
const titles = new Set(['MR', 'MRS', 'MS', 'MISS', 'SHRI', 'SMT', 'KUMARI', 'DR', 'M', 'S'])

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/[^A-Z ]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && !titles.has(word))

/**
 * Whether two names are one person's, in any order of their words: the same words, or the shorter name's words all found
 * in the longer one, an initial standing for a word that begins with it; one full word at least must be the same.
 */
export function isSameName(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const [few, many] = words.length <= others.length ? [words, others] : [others, words]
  if (few.length === 0) return false
  const left = [...many]
  let whole = 0
  for (const word of [...few].sort((a, b) => b.length - a.length)) {
    const place = left.indexOf(word)
    const found = place >= 0 ? place : left.findIndex((each) => isInitial(word, each))
    if (found < 0) return false
    if (place >= 0 && word.length > 1) whole++
    left.splice(found, 1)
  }
  return whole > 0 && (few.length > 1 || many.length === 1)
}

const isInitial = (a: string, b: string): boolean =>
  (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b))
