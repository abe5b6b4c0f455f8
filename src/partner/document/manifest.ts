// The manifest of a case: announced, received and missing files (D3 §2.5, §4.3).
import type { Run, Tx } from '#kit/db/sql.ts'
import { type DocumentRow, type ExpectedDocument, insertExpected, listPending, listStored } from './store.ts'

/** Stores the manifest of a lead; a stored file is linked only by its reference. */
export async function expectDocuments(tx: Tx, caseRef: string, items: ExpectedDocument[]): Promise<void> {
  if (items.length > 0) await insertExpected(tx, caseRef, items)
}

/** Returns announced references without a file. */
export const pendingDocuments = async (db: Run, caseRef: string): Promise<string[]> =>
  (await listPending(db, caseRef)).map(({ documentReferenceId }) => documentReferenceId)

/** Whether every announced file is stored, so that the review may start. */
export const documentsComplete = async (db: Run, caseRef: string): Promise<boolean> =>
  (await listPending(db, caseRef)).length === 0

/** Returns all stored files of a case, announced or not, in order of arrival; names stay sealed. */
export const storedDocuments = (db: Run, caseRef: string): Promise<DocumentRow[]> => listStored(db, caseRef)
