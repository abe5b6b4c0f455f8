// Provisions at the end of a business day: by the classes of the whole book and a table of rates, posted as their change.

import type { Db } from '#kit/db/sql.ts'
import { divideHalfUp, type Paise } from '#kit/money/money.ts'
import { type Entry, posting } from '#partner/ledger/entry.ts'
import { post } from '#partner/ledger/post.ts'
import { type AssetClass, isNonPerforming } from './asset-class.ts'
import {
  type BusinessDay,
  type ClassOfBook,
  classesOfBook,
  closeBooks,
  provisionHeld,
  recordClasses,
  recordDay,
} from './store.ts'

/**
 * The least that the regulator allows for loans without security, in hundredths of a percent (Master Direction on scale based
 * regulation, prudential norms): standard assets of the base layer 0.25 %, sub-standard 10 %, doubtful 100 % of what no
 * security covers, loss 100 %.
 */
export const leastProvision = (assetClass: AssetClass): number =>
  !isNonPerforming(assetClass) ? 25 : assetClass === 'SUB_STANDARD' ? 1000 : 10_000

/** Entries that are about no single loan are of this case. */
export const portfolio = 'portfolio'

export const provisionOn = ({ principalPaise, provisionBps }: Pick<ClassOfBook, 'principalPaise' | 'provisionBps'>) =>
  divideHalfUp(principalPaise * BigInt(provisionBps), 10_000n)

const provisionEntry = (on: string, change: Paise): Entry => ({
  caseRef: portfolio,
  entryId: `provision-${on}`,
  kind: 'PROVISION',
  businessOn: on,
  reverses: null,
  postings: posting('PROVISION_EXPENSE', 'PROVISION', change),
})

type DayDone = Omit<BusinessDay, 'provisionPaise' | 'provisionChangePaise' | 'endedAt'>
export type Provided = Pick<BusinessDay, 'provisionPaise' | 'provisionChangePaise'> & { counts: Record<string, number> }

/** Provides for the book as the day's books have it and records the day, in one transaction: a day that was recorded has its provisions. */
export const provide = (db: Db, day: DayDone, at: Date): Promise<Provided> =>
  db.tx(async (tx) => {
    await closeBooks(tx)
    const [book, held] = await Promise.all([classesOfBook(tx, day.endedOn), provisionHeld(tx, portfolio)])
    const classes = book.map((each) => ({ ...each, provisionPaise: provisionOn(each) }))
    const provisionPaise = classes.reduce((sum, each) => sum + each.provisionPaise, 0n)
    const done = { provisionPaise, provisionChangePaise: provisionPaise - held }
    const counts = Object.fromEntries(classes.map(({ assetClass, loans }) => [assetClass, loans]))
    if (await recordDay(tx, { ...day, ...done, endedAt: at })) {
      await Promise.all([
        recordClasses(tx, day.endedOn, classes),
        post(tx, [provisionEntry(day.endedOn, done.provisionChangePaise)], { at, on: day.endedOn }),
      ])
    }
    return { ...done, counts }
  })
