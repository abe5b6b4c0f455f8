// Tallies: counts and sums of a report, each under one name, by which the derived are compared with the shown.

import type { Paise } from '@lendloom/lending/money'

/** Counts and sums by the names of `tallyNames`. */
export type Tallies = Map<string, { count: number; paise: Paise }>

export function addTally(tallies: Tallies, name: string, count: number, paise: Paise): void {
  const before = tallies.get(name) ?? { count: 0, paise: 0n }
  const after = { count: before.count + count, paise: before.paise + paise }
  if (after.count === 0 && after.paise === 0n) tallies.delete(name)
  else tallies.set(name, after)
}

/** The names of tallies. Messages about differences show them; those of a day begin with it. */
export const tallyNames = {
  owingBorrowers: 'borrowers who owe',
  nonPerformingBorrowers: 'non-performing borrowers',
  /** A figure of the returns, or an ending of loans, in a month. */
  figure: (monthEnd: string, figure: string): string => `${monthEnd} ${figure}`,
  book: (day: string, assetClass: string): string => `${day} book ${assetClass}`,
  lent: (monthEnd: string): string => `${monthEnd} lent`,
  received: (monthEnd: string): string => `${monthEnd} received`,
  due: (monthEnd: string): string => `${monthEnd} due`,
  collected: (monthEnd: string): string => `${monthEnd} collected`,
  vintage: (monthEnd: string, lentMonth: string): string => `${monthEnd} vintage ${lentMonth}`,
  late: (monthEnd: string, lentMonth: string): string => `${monthEnd} late ${lentMonth}`,
  roll: (monthEnd: string, before: string, after: string): string => `${monthEnd} roll ${before} ${after}`,
}
