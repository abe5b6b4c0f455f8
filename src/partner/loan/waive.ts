// A penal charge that would not have been made had the bank spoken sooner is taken back with the receipt that shows it.
import { type Entry, reversalOf } from '#partner/ledger/entry.ts'
import { allocate, received } from './allocate.ts'
import { owedOf, type Row } from './row.ts'

export interface Waived {
  rows: Row[]
  entries: Entry[]
}

/**
 * Takes back those of `charges`, made at the end of the day the money came or later, whose row the receipt settles: the
 * money was there in time, only the news of it was late. A charge that was paid meanwhile stays.
 */
export function waive(rows: Row[], charges: Entry[], paise: bigint, on: string, at: Date): Waived {
  const entries: Entry[] = []
  let now = rows
  for (const row of rows) {
    const late = charges.filter(({ postings }) => postings[0]?.installment === row.number)
    const amount = late.reduce((sum, { postings }) => sum + postings[0]!.paise, 0n)
    if (amount === 0n || row.due.penalty - row.paid.penalty < amount) continue
    const without = { ...row, due: { ...row.due, penalty: row.due.penalty - amount }, updatedAt: at }
    const tried = now.map((each) => (each === row ? without : each))
    const paid = received(tried, allocate(tried, paise), at).find(({ number }) => number === row.number)!
    if (owedOf(paid) > 0n) continue
    now = tried
    entries.push(...late.map((charge) => reversalOf(charge, `waiver-${charge.entryId}`, on)))
  }
  return { rows: now, entries }
}
