// The manifest of a case: the files that the lead announced, and those that are stored or missing (D3 §2.5, §4.3).
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { ExpectedDocument } from './document.ts'
import { type DocumentRow, insertExpected, listPending, listStored } from './store.ts'

/** Stores the manifest of a lead. */
export async function expectDocuments(tx: Tx, caseRef: string, items: ExpectedDocument[]): Promise<void> {
  if (items.length > 0) await insertExpected(tx, caseRef, items)
}

/** Returns the document references of announced files that are not stored. */
export const pendingDocuments = async (db: Run, caseRef: string): Promise<string[]> =>
  (await listPending(db, caseRef)).map(({ documentReferenceId }) => documentReferenceId)

/** Returns all stored files of a case, in order of arrival, with sealed file names. */
export const storedDocuments = (db: Run, caseRef: string): Promise<DocumentRow[]> => listStored(db, caseRef)
