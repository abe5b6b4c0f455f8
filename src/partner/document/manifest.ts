// The manifest of a case: announced, received and missing files (D3 §2.5, §4.3).
import type { Run, Tx } from '#kit/db/sql.ts'
import { type DocumentRow, type ExpectedDocument, insertExpected, listPending, listStored } from './store.ts'

/** Notes what the lead announces; a stored file links to its entry by the reference alone. */
export async function expectDocuments(tx: Tx, caseRef: string, items: ExpectedDocument[]): Promise<void> {
  if (items.length > 0) await insertExpected(tx, caseRef, items)
}

/** References that were announced and have no file yet. */
export const pendingDocuments = async (db: Run, caseRef: string): Promise<string[]> =>
  (await listPending(db, caseRef)).map(({ documentReferenceId }) => documentReferenceId)

/** Review may start: every file that was announced is stored. */
export const documentsComplete = async (db: Run, caseRef: string): Promise<boolean> =>
  (await listPending(db, caseRef)).length === 0

/** Every stored file of a case, announced or not, in order of arrival; names stay sealed. */
export const storedDocuments = (db: Run, caseRef: string): Promise<DocumentRow[]> => listStored(db, caseRef)
