// A penal charge that would not have been made had the bank spoken sooner is taken back with the receipt that shows it.
import { type Entry, reversalOf } from '#partner/ledger/entry.ts'
import { received, spread } from './allocate.ts'
import { owedOf, type Row } from './row.ts'

export interface Waived {
  rows: Row[]
  entries: Entry[]
}

interface LateReceipt {
  paise: bigint
  /** The business day of its posting. */
  on: string
  at: Date
}

/**
 * Takes back those of `charges`, made at the end of the day the money came or later, whose row the receipt settles: the
 * money was there in time, only the news of it was late. A charge that was paid meanwhile stays.
 */
export function waive(rows: Row[], charges: Entry[], { paise, on, at }: LateReceipt): Waived {
  const entries: Entry[] = []
  let now = rows
  for (const row of rows) {
    const late = charges.flatMap((charge) => {
      const [penal] = charge.postings
      return penal?.installment === row.number ? [{ charge, paise: penal.paise }] : []
    })
    const amount = late.reduce((sum, charged) => sum + charged.paise, 0n)
    if (amount === 0n || row.due.penalty - row.paid.penalty < amount) continue
    const without = { ...row, due: { ...row.due, penalty: row.due.penalty - amount }, updatedAt: at }
    const tried = now.map((each) => (each === row ? without : each))
    // A row that asks for nothing else any more, as its interest was waived, is reached only past the rows before it.
    const after = received(tried, spread(tried, paise).shares, at)
    if (after.some((each) => each.number <= row.number && owedOf(each) > 0n)) continue
    now = tried
    entries.push(...late.map(({ charge }) => reversalOf(charge, `waiver-${charge.entryId}`, on)))
  }
  return { rows: now, entries }
}
