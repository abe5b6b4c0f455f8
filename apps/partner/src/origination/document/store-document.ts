// Stores a received file as a document of its case, once per request and before the response is sent (D3 §4.3).

import { invalid, Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Run } from '@lendloom/postgres/sql'
import { type ContentDigest, isSameContent } from '@lendloom/seal/content-digest'
import type { Context, TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { recheckCase } from '#partner/origination/case/recheck-case.ts'
import { findCase, lockCase } from '#partner/origination/case/store.ts'
import { fileNameContext, objectNameOf, type StoredDocument, type Upload, uploadDigest } from './document.ts'
import type { ReceivedFile } from './receive-file.ts'
import { removeRefused } from './remove-unrecorded-files.ts'
import {
  type DocumentRow,
  deleteNote,
  findExpected,
  findRequest,
  findStored,
  insertRequest,
  insertStored,
  noteObject,
} from './store.ts'

export interface IncomingDocument extends Upload {
  documentId: string
  fileName: string
  contentType: string
  file: ReceivedFile
}

export interface StoredFileResult {
  document: StoredDocument
  isReplayed: boolean
}

/**
 * Throws `absent` if the sender has no such case; `locked` if the lead id or loan id is not the case's, or the document
 * reference already has a file; `invalid` if the manifest announced another document type.
 */
async function checkUpload(db: Run, upload: Upload): Promise<void> {
  const { sender, caseRef, documentReferenceId, documentType, leadId, loanId, requestId } = upload
  const loanCase = await findCase(db, sender, caseRef)
  if (!loanCase) throw new Refusal('absent', 'there is no case with this reference')
  if (loanCase.leadId !== leadId) throw conflict('celestium_lead_id', 'is not the lead of this case')
  if (loanCase.loanId !== loanId) throw conflict('celestium_loan_id', 'is not the loan of this case')
  const expected = await findExpected(db, caseRef, documentReferenceId)
  if (expected && expected.documentType !== documentType)
    throw invalid({ path: 'document_type', message: `must be ${expected.documentType}, as in documents_expected` })
  const stored = await findStored(db, caseRef, documentReferenceId)
  if (stored && stored.requestId !== requestId)
    throw conflict('document_reference_id', 'already has a file; another file needs a new reference')
}

/**
 * Checks an upload before its file is read. Throws `reused-key` if the request id was used for another case or document
 * reference. Otherwise a repeated request must send its file again, so that the files can be compared.
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

/** Refusals that a repetition of the same request gets again, so that it cannot need the file. */
const finalRefusals: RefusalKind[] = ['absent', 'locked', 'invalid', 'reused-key']

/**
 * Stores the file, then its row. If the row is refused, such as for another file of the same reference that arrived
 * meanwhile, removes the file. If storing the row fails otherwise, the repeated request reuses the stored file. For a
 * repeated request whose row exists, drops the file and returns the first result.
 */
export async function storeDocument(ctx: Context, incoming: IncomingDocument, at: Date): Promise<StoredFileResult> {
  const { file } = incoming
  const content = uploadDigest(ctx.seal, incoming, file.sha256)
  const earlierResult = await findEarlierResult(ctx.db, ctx, incoming, content)
  if (earlierResult) {
    await file.draft.drop()
    return earlierResult
  }
  await checkUpload(ctx.db, incoming)
  const objectName = objectNameOf(incoming, content)
  const object = { caseRef: incoming.caseRef, objectName }
  await noteObject(ctx.db, object, at)
  await file.draft.keep(objectName)
  try {
    return await ctx.db.tx(async (tx) => {
      const result = await recordDocument({ ...ctx, tx, at }, { incoming, content, objectName })
      await deleteNote(tx, object, at)
      return result
    })
  } catch (error) {
    if (error instanceof Refusal && finalRefusals.includes(error.kind)) await removeRefused(ctx, object, at)
    throw error
  }
}

/** An incoming document with its name in the file store and the digest of its request. */
interface HashedFile {
  incoming: IncomingDocument
  content: ContentDigest
  objectName: string
}

async function recordDocument(
  ctx: TxContext,
  { incoming, content, objectName }: HashedFile,
): Promise<StoredFileResult> {
  const { tx, at } = ctx
  const { sender, requestId, caseRef, documentReferenceId, documentType, documentId, fileName } = incoming
  const loanCase: Case = await lockCase(tx, caseRef)
  const request = { sender, requestId, caseRef, documentReferenceId, contentMac: content.keyed }
  if (!(await insertRequest(tx, request)))
    return required(await findEarlierResult(tx, ctx, incoming, content), 'the result of the first request')
  await checkUpload(tx, incoming)
  const { providerReferenceId, contentType, file } = incoming
  const { sizeBytes, sha256 } = file
  const row = {
    caseRef,
    documentReferenceId,
    documentId,
    documentType,
    requestId,
    uploader: sender,
    providerReferenceId,
    contentType,
    sizeBytes,
    sha256,
    objectName,
    storedAt: at,
  }
  await insertStored(tx, {
    ...row,
    fileNameSealed: ctx.seal.bytes(Buffer.from(fileName), fileNameContext(documentId)),
  })
  await recheckCase(ctx, loanCase)
  return { document: { ...row, fileName }, isReplayed: false }
}

/** Returns the result of an earlier request with this id. Throws `reused-key` if that request had other content. */
async function findEarlierResult(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  { sender, requestId }: Upload,
  content: ContentDigest,
): Promise<StoredFileResult | undefined> {
  const request = await findRequest(db, sender, requestId)
  if (!request) return undefined
  if (!isSameContent(request, content)) throw reusedKey()
  const row = await findStored(db, request.caseRef, request.documentReferenceId)
  return { document: openDocumentRow(ctx, required(row, 'the document of an answered request')), isReplayed: true }
}

export function openDocumentRow(
  { seal }: Pick<Context, 'seal'>,
  { fileNameSealed, ...row }: DocumentRow,
): StoredDocument {
  return { ...row, fileName: seal.open(fileNameSealed, fileNameContext(row.documentId)).toString('utf8') }
}
