// Suggests book entries for unmatched bank lines of the same amount, the best first; also groups differences by age.

import { daysBetween } from '@lendloom/lending/calendar'
import type { ReferenceTotals } from './reconcile.ts'

export interface SuggestedEntry {
  entry: ReferenceTotals
  daysApart: number
  /** How the references relate: equal but for spelling, in the bank's description, or one within the other. */
  reference: 'same' | 'in-text' | 'part' | null
  score: number
}

export interface Suggestion {
  line: ReferenceTotals
  /** The best first; at least one. */
  entries: SuggestedEntry[]
  /** Whether the two best entries have the same score. */
  isAmbiguous: boolean
}

/** More comparisons would delay other requests. */
const maxCompared = 300
/** A shorter reference is contained in another one by chance. */
const minReference = 6
/** What a related reference counts; up to 20 more points for a near date. */
const referenceScores = { same: 60, 'in-text': 40, part: 30 } as const

/** Returns the best suggestions, one for each line. */
export function suggestEntries(mismatches: ReferenceTotals[], maxLines: number): Suggestion[] {
  const entriesByAmount = Map.groupBy(
    mismatches.filter(({ bank }) => bank === null),
    ({ books }) => books,
  )
  return mismatches
    .filter(({ bank, books }) => books === null && entriesByAmount.has(bank))
    .slice(0, maxCompared)
    .map((line) => suggestionOf(line, (entriesByAmount.get(line.bank) ?? []).slice(0, maxCompared)))
    .sort((a, b) => (b.entries[0]?.score ?? 0) - (a.entries[0]?.score ?? 0))
    .slice(0, maxLines)
}

function suggestionOf(line: ReferenceTotals, candidates: ReferenceTotals[]): Suggestion {
  const description = normalized(line.description)
  const lineReference = normalized(line.reference)
  const entries = candidates
    .map((entry): SuggestedEntry => {
      const daysApart = Math.abs(daysBetween(line.valueOn, entry.valueOn))
      const reference = relationOf(normalized(entry.reference), lineReference, description)
      const score = Math.max(0, 20 - daysApart) + (reference ? referenceScores[reference] : 0)
      return { entry, daysApart, reference, score }
    })
    .sort((a, b) => b.score - a.score)
  return { line, entries, isAmbiguous: entries.length > 1 && entries[0]?.score === entries[1]?.score }
}

const normalized = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

function relationOf(entryReference: string, lineReference: string, description: string): SuggestedEntry['reference'] {
  if (entryReference === lineReference) return 'same'
  if (entryReference.length < minReference) return null
  if (description.includes(entryReference)) return 'in-text'
  if (lineReference.includes(entryReference)) return 'part'
  return lineReference.length >= minReference && entryReference.includes(lineReference) ? 'part' : null
}

/** The last day of each age group. */
export const ageGroups = [3, 7, 30, Number.POSITIVE_INFINITY] as const

/** Counts and sums the differences of each age group. */
export const groupByAge = (mismatches: ReferenceTotals[], today: string) =>
  ageGroups.map((to, i) => {
    const from = i === 0 ? Number.NEGATIVE_INFINITY : (ageGroups[i - 1] ?? 0) + 1
    const inGroup = mismatches.filter(({ valueOn }) => {
      const days = daysBetween(valueOn, today)
      return days >= from && days <= to
    })
    const difference = inGroup.reduce((sum, { bank, books }) => sum + absolute((bank ?? 0n) - (books ?? 0n)), 0n)
    return { from: Math.max(0, from), to, count: inGroup.length, difference }
  })

const absolute = (paise: bigint): bigint => (paise < 0n ? -paise : paise)
