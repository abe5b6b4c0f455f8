// Tables of documents: those that a lead announced (expected_document), stored files, requests of uploads, and files
// without a row yet (unrecorded_object).

import type { DigestTable } from '@lendloom/postgres/rekey-digests'
import { rowsAs, text } from '@lendloom/postgres/rows'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { StoredDigest } from '@lendloom/seal/content-digest'
import { type ExpectedDocument, type StoredDocument, uploadDigestPurpose } from './document.ts'

/** A stored document, whose file name is sealed. */
export type DocumentRow = Omit<StoredDocument, 'fileName'> & { fileNameSealed: Buffer }

const documentColumns = sql`case_ref, document_reference_id, document_id, document_type, request_id, uploader, provider_reference_id,
  file_name_sealed, content_type, size_bytes, sha256, object_name, stored_at`

/** Inserts expected documents. Skips references that exist. */
export async function insertExpected(tx: Tx, caseRef: string, items: ExpectedDocument[]): Promise<void> {
  await tx`
    insert into expected_document (case_ref, document_reference_id, document_type)
    select ${caseRef}::text, document_reference_id, document_type
    from ${rowsAs(sql`input`, items, {
      documentReferenceId: text((item) => item.documentReferenceId),
      documentType: text((item) => item.documentType),
    })}
    on conflict do nothing`
}

/** Finds a document that a lead announced. */
export async function findExpected(
  db: Run,
  caseRef: string,
  documentReferenceId: string,
): Promise<ExpectedDocument | undefined> {
  const [row] = await db<ExpectedDocument>`
    select document_reference_id, document_type from expected_document
    where case_ref = ${caseRef} and document_reference_id = ${documentReferenceId}`
  return row
}

/** Returns the announced files that are not stored. */
export const listPending = (db: Run, caseRef: string) => db<ExpectedDocument>`
  select e.document_reference_id, e.document_type from expected_document e
  where e.case_ref = ${caseRef} and not exists (
    select 1 from stored_document s
    where s.case_ref = e.case_ref and s.document_reference_id = e.document_reference_id)
  order by e.document_reference_id`

/** Returns all files of a case, in order of arrival. */
export const listStored = (db: Run, caseRef: string) => db<DocumentRow>`
  select ${documentColumns} from stored_document where case_ref = ${caseRef} order by stored_at, document_id`

/** Finds the stored file of an announced document. */
export async function findStored(
  db: Run,
  caseRef: string,
  documentReferenceId: string,
): Promise<DocumentRow | undefined> {
  const [row] = await db<DocumentRow>`
    select ${documentColumns} from stored_document
    where case_ref = ${caseRef} and document_reference_id = ${documentReferenceId}`
  return row
}

/** Finds a stored file by its own id. */
export async function findStoredById(db: Run, caseRef: string, documentId: string): Promise<DocumentRow | undefined> {
  const [row] = await db<DocumentRow>`
    select ${documentColumns} from stored_document where case_ref = ${caseRef} and document_id = ${documentId}`
  return row
}

/** Inserts a stored document. The case must be locked, as for every write to these tables. */
export async function insertStored(tx: Tx, row: DocumentRow): Promise<void> {
  await tx`insert into stored_document ${tx({ ...row })}`
}

/** A file in the file store, and the case that it belongs to. */
export interface CaseObject {
  caseRef: string
  objectName: string
}

/** Notes a file before it is in the file store, so that it is found if its row is never stored. */
export async function noteObject(db: Run, { caseRef, objectName }: CaseObject, at: Date): Promise<void> {
  await db`
    insert into unrecorded_object (case_ref, object_name, noted_at) values (${caseRef}, ${objectName}, ${at})
    on conflict (case_ref, object_name) do update set noted_at = excluded.noted_at`
}

/** Deletes the note on a file unless it was noted again after `until`; returns whether it did. */
export async function deleteNote(db: Run, { caseRef, objectName }: CaseObject, until: Date): Promise<boolean> {
  const deleted = await db`
    delete from unrecorded_object
    where case_ref = ${caseRef} and object_name = ${objectName} and noted_at <= ${until} returning 1`
  return deleted.length > 0
}

/** Lists noted files after `after`, in order, whose row was not stored until `until`. */
export const listUnrecorded = (db: Run, until: Date, after: CaseObject, limit: number) => db<CaseObject>`
  select case_ref, object_name from unrecorded_object
  where noted_at <= ${until} and (case_ref, object_name) > (${after.caseRef}, ${after.objectName})
  order by case_ref, object_name limit ${limit}`

/** Whether a row of the case names a file of the file store. */
export async function isObjectStored(db: Run, { caseRef, objectName }: CaseObject): Promise<boolean> {
  const rows = await db`
    select 1 from stored_document where case_ref = ${caseRef} and object_name = ${objectName} limit 1`
  return rows.length > 0
}

/** Returns up to `limit` object names of all cases after a name, in order. */
export const pageOfObjects = (db: Run, after: string, limit: number) => db<{ objectName: string }>`
  select distinct object_name from stored_document where object_name > ${after} order by object_name limit ${limit}`

/** A request to upload a document, by which a repeated request is recognized. */
export interface RequestRow {
  sender: string
  requestId: string
  caseRef: string
  documentReferenceId: string
  contentMac: Buffer
}

/** Finds a request with the digest of its content. */
export async function findRequest(
  db: Run,
  sender: string,
  requestId: string,
): Promise<(Omit<RequestRow, 'contentMac'> & StoredDigest) | undefined> {
  const [row] = await db<Omit<RequestRow, 'contentMac'> & StoredDigest>`
    select sender, request_id, case_ref, document_reference_id, content_digest as plain, content_mac as keyed from document_request
    where sender = ${sender} and request_id = ${requestId}`
  return row
}

/** Inserts a request. Returns false if the request exists. */
export async function insertRequest(tx: Tx, row: RequestRow): Promise<boolean> {
  const inserted = await tx`
    insert into document_request ${tx({ ...row })} on conflict (sender, request_id) do nothing returning 1`
  return inserted.length > 0
}

/** Where the digests of contents are, for the change from plain digests to keyed ones. */
export const digestsOfUploads: DigestTable = {
  table: 'document_request',
  key: ['sender', 'request_id'],
  plain: 'content_digest',
  keyed: 'content_mac',
  purpose: uploadDigestPurpose,
}
