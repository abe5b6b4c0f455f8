// A complete file becomes a document of its case: once per request, durable before the answer (D3 §4.3).

import type { Run } from '#kit/db/sql.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { required } from '#kit/runtime/record.ts'
import { checkAgain } from '#partner/case/check-again.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { findCase, lockCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import {
  contentDigest,
  type DocumentRow,
  fileNameContext,
  findExpected,
  findRequest,
  findStored,
  insertRequest,
  insertStored,
  objectNameOf,
  type StoredDocument,
  type Upload,
} from './store.ts'
import type { TakenFile } from './take-file.ts'

export interface ArrivedFile extends Upload {
  documentId: string
  fileName: string
  contentType: string
  file: TakenFile
}

export interface KeepResult {
  document: StoredDocument
  replayed: boolean
}

/**
 * Refused: `absent` no such case of this client · `locked` other partner ids than the case has, or a file under this
 * reference already · `invalid` another document type than the manifest announced.
 */
async function checkUpload(db: Run, upload: Upload): Promise<void> {
  const { sender, caseRef, documentReferenceId, documentType, leadId, loanId, requestId } = upload
  const loanCase = await findCase(db, sender, caseRef)
  if (!loanCase) throw new Refusal('absent', 'there is no case of this reference')
  if (loanCase.leadId !== leadId) throw conflict('celestium_lead_id', 'is not the lead of this case')
  if (loanCase.loanId !== loanId) throw conflict('celestium_loan_id', 'is not the loan of this case')
  const expected = await findExpected(db, caseRef, documentReferenceId)
  if (expected && expected.documentType !== documentType)
    throw invalid({ path: 'document_type', message: `must be ${expected.documentType}, as documents_expected says` })
  const stored = await findStored(db, caseRef, documentReferenceId)
  if (stored && stored.requestId !== requestId)
    throw conflict('document_reference_id', 'has a file already; another file needs a reference of its own')
}

/**
 * As above before the file's first byte. A repeated request needs its bytes for the comparison; if it names another
 * case or reference, it is refused as `reused-key` at once.
 */
export async function admitUpload(db: Run, upload: Upload): Promise<void> {
  const request = await findRequest(db, upload.sender, upload.requestId)
  if (!request) return checkUpload(db, upload)
  if (request.caseRef !== upload.caseRef || request.documentReferenceId !== upload.documentReferenceId)
    throw reusedKey()
}

const reusedKey = (): Refusal =>
  new Refusal('reused-key', 'this request_id was used with other content', { field: 'request_id' })

const conflict = (path: string, message: string): Refusal =>
  new Refusal('locked', `${path} ${message}`, { field: path, fields: [{ path, message }] })

/**
 * Keeps the file, then its row: a failure between the two leaves a file that the same request finds again. The file of a
 * repeated request is dropped, and the first answer given.
 */
export async function keepDocument(ctx: Context, arrived: ArrivedFile, at: Date): Promise<KeepResult> {
  const { file } = arrived
  const content = contentDigest(arrived, file.sha256)
  const before = await answeredBefore(ctx.db, ctx, arrived, content)
  if (before) {
    await file.draft.drop()
    return before
  }
  await checkUpload(ctx.db, arrived)
  const objectName = objectNameOf(arrived, content)
  await file.draft.keep(objectName)
  return ctx.db.tx((tx) => recordDocument({ ...ctx, tx, at }, { arrived, content, objectName }))
}

/** A stored file with its name, and the digest of its request. */
interface KeptFile {
  arrived: ArrivedFile
  content: Buffer
  objectName: string
}

async function recordDocument(ctx: TxContext, { arrived, content, objectName }: KeptFile): Promise<KeepResult> {
  const { tx, at } = ctx
  const { sender, requestId, caseRef, documentReferenceId, documentType, documentId, fileName } = arrived
  const loanCase: Case = await lockCase(tx, caseRef)
  const request = { sender, requestId, caseRef, documentReferenceId, contentDigest: content }
  if (!(await insertRequest(tx, request)))
    return required(await answeredBefore(tx, ctx, arrived, content), 'the answer to a request that was first')
  await checkUpload(tx, arrived)
  const { providerReferenceId, contentType, file } = arrived
  const { sizeBytes, sha256 } = file
  const row = {
    ...{ caseRef, documentReferenceId, documentId, documentType, requestId, uploader: sender, providerReferenceId },
    ...{ contentType, sizeBytes, sha256, objectName, storedAt: at },
  }
  await insertStored(tx, {
    ...row,
    fileNameSealed: ctx.seal.bytes(Buffer.from(fileName), fileNameContext(documentId)),
  })
  await checkAgain(ctx, loanCase)
  return { document: { ...row, fileName }, replayed: false }
}

/** The answer that this request had already; refused as `reused-key` when it had other content then. */
async function answeredBefore(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  { sender, requestId }: Upload,
  content: Buffer,
): Promise<KeepResult | undefined> {
  const request = await findRequest(db, sender, requestId)
  if (!request) return undefined
  if (!request.contentDigest.equals(content)) throw reusedKey()
  const row = await findStored(db, request.caseRef, request.documentReferenceId)
  return { document: openedRow(ctx, required(row, 'the document of a request that was answered')), replayed: true }
}

export function openedRow({ seal }: Pick<Context, 'seal'>, { fileNameSealed, ...row }: DocumentRow): StoredDocument {
  return { ...row, fileName: seal.open(fileNameSealed, fileNameContext(row.documentId)).toString('utf8') }
}
