// Issues an invoice, credit note or debit note for each entry that charges or refunds a fee.

import { financialYearOf } from '@lendloom/lending/calendar'
import type { Db, Tx } from '@lendloom/postgres/sql'
import {
  documentsOfEntries,
  type FeeEntry,
  feeEntriesAfter,
  highestNumbers,
  insertDocuments,
  lastIssuedOn,
  lockNumbers,
} from './store.ts'
import { type Supplier, supplierFrom } from './supplier.ts'
import { documentKindFor, type TaxDocumentKey } from './tax-document.ts'

const entriesPerTransaction = 1000

export interface TaxIssueContext {
  db: Db
  config: Supplier
}

/**
 * Numbers the documents of all entries up to a closed day, which nothing is posted to any more, in the order of their
 * posting days. Repeated, interrupted and concurrent runs number each entry once. Returns the number of new documents.
 */
export async function issueTaxDocuments({ db, config }: TaxIssueContext, on: string): Promise<number> {
  let issued = 0
  // A run that was interrupted within a day has numbered some entries of that day.
  let after = { postedOn: (await lastIssuedOn(db)) ?? '0001-01-01', caseRef: '', entryId: '' }
  for (;;) {
    const entries = await feeEntriesAfter(db, on, after, entriesPerTransaction)
    const last = entries.at(-1)
    if (last) issued += await db.tx((tx) => numberEntries(tx, entries, supplierFrom(config)))
    if (!last || entries.length < entriesPerTransaction) return issued
    after = last
  }
}

async function numberEntries(tx: Tx, entries: FeeEntry[], supplier: string): Promise<number> {
  await lockNumbers(tx)
  const keyOf = ({ caseRef, entryId }: Pick<FeeEntry, 'caseRef' | 'entryId'>) => JSON.stringify([caseRef, entryId])
  const numbered = new Set((await documentsOfEntries(tx, entries)).map(keyOf))
  const highest = new Map<string, number>()
  for (const year of new Set(entries.map(({ postedOn }) => financialYearOf(postedOn))))
    for (const { kind, number } of await highestNumbers(tx, year)) highest.set(`${kind} ${year}`, number)
  const documents = entries
    .filter((entry) => !numbered.has(keyOf(entry)))
    .map(({ caseRef, entryId, kind: entryKind, charged, postedOn }): TaxDocumentKey => {
      const kind = documentKindFor(entryKind, charged)
      const financialYear = financialYearOf(postedOn)
      const series = `${kind} ${financialYear}`
      const number = (highest.get(series) ?? 0) + 1
      highest.set(series, number)
      return { kind, financialYear, number, caseRef, entryId, issuedOn: postedOn }
    })
  if (documents.length > 0) await insertDocuments(tx, documents, supplier)
  return documents.length
}
