// Uploads files to the partner. Each file has its own job, which does not wait for KYC or signing (D3 §4.3).

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import { messageOf } from '@lendloom/foundation/thrown'
import { operatorAlert } from '@lendloom/mail/mail'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { type DocumentType, documentTypes } from '@lendloom/wire/exchange/document'
import { fileSchedule } from '@lendloom/wire/exchange/retry-schedules'
import type { Context, TxContext } from '#platform/context.ts'
import { RetryablePartnerError, UnusableAnswer, withPartner } from '#platform/lenders/partner/call-partner.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { documentContext, type PartnerDocument } from '#platform/lenders/partner/partner-document.ts'
import {
  findCase,
  findDocument,
  insertDocument,
  type ListedDocument,
  listDocuments,
  recordUploadResult,
  resetRefusedDocument,
} from '#platform/lenders/partner/store.ts'
import { type FileContent, FileRejection, uploadDocument } from '#platform/lenders/partner/upload-document.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'
import { reportStoredFiles } from './checks/report-stored-files.ts'

const kind = 'partner-upload'

interface UploadJob {
  caseRef: string
  documentReferenceId: string
}

/** A file at a provider, with its size and hash. */
export interface FileSource {
  from: 'bureau' | 'bank-statement' | 'kyc' | 'mandate' | 'esign'
  /** Absent in old rows, which belong to the adapter `lendloom`. */
  adapter?: string
  reference: string
  fileId: string
  sizeBytes: number
  sha256: string
}

const download = (ctx: Context, source: FileSource): Promise<Readable> =>
  adapterNamed(source.from, source.adapter ?? 'lendloom').download(ctx, source.reference, source)

/** Registers a provider's file for upload to the partner. */
export async function registerFile(
  ctx: TxContext,
  { tenantId, caseRef }: PartnerCase,
  { type, contentType, ...source }: FileSource & { type: DocumentType; contentType: string },
): Promise<PartnerDocument> {
  const { tx, at } = ctx
  const documentReferenceId = uuidv7(at.getTime(), bucketOf(caseRef))
  const documentKey = { tenantId, caseRef, documentReferenceId }
  const document: PartnerDocument = {
    ...documentKey,
    requestId: uuidv4(bucketOf(caseRef)),
    documentType: type,
    fileName: `${type.toLowerCase().replaceAll('_', '-')}.${ownValue(extensions, contentType) ?? 'pdf'}`,
    contentType,
    providerReference: source.reference,
    bytesSealed: null,
    sourceSealed: ctx.seal.json(source, documentContext('source', documentKey)),
    state: 'WAITING',
    documentId: null,
    refusedBecause: null,
    createdAt: at,
    storedAt: null,
  }
  await insertDocument(tx, document)
  return document
}

const extensions: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/json': 'json',
  'video/mp4': 'mp4',
  'image/png': 'png',
  'image/jpeg': 'jpg',
}

/** Schedules uploads of the waiting files if the partner has assigned its ids, which every upload contains. */
export async function scheduleUploads(
  tx: Tx,
  loanCase: PartnerCase,
  at: Date,
  known?: ListedDocument[],
): Promise<void> {
  if (loanCase.leadId === null || loanCase.stage === 'ENDED') return
  const waiting = (known ?? (await listDocuments(tx, loanCase))).filter(({ state }) => state === 'WAITING')
  const jobs = waiting.map(({ tenantId, caseRef, documentReferenceId }) => {
    const payload: UploadJob = { caseRef, documentReferenceId }
    return enqueue(tx, { tenantId, kind, key: documentReferenceId, payload, dueAt: at })
  })
  await Promise.all(jobs)
}

/** Retries a refused upload after an operator has fixed the cause (D3 §4.3). */
export async function retryRefusedUpload(tx: Tx, document: PartnerDocument, at: Date): Promise<void> {
  const { tenantId, journeyId } = required(await findCase(tx, document), 'the case of a document')
  await lockJourney(tx, tenantId, journeyId)
  const loanCase = required(await findCase(tx, document), 'the case of a document')
  if (loanCase.stage === 'ENDED') throw new Refusal('wrong-state', 'the case of the file has ended')
  await resetRefusedDocument(tx, document)
  await scheduleUploads(tx, loanCase, at)
}

export const uploadWorker = (ctx: Context): Worker =>
  work<UploadJob>({ kind, ...ctx, concurrency: 4, handle: (job) => upload(ctx, job) })

async function upload(ctx: Context, job: Job<UploadJob>): Promise<void> {
  const { tenantId, payload } = job
  const loanCase = await findCase(ctx.db, { tenantId, caseRef: payload.caseRef })
  const document = await findDocument(ctx.db, { tenantId, caseRef: payload.caseRef }, payload.documentReferenceId)
  if (!loanCase || document?.state !== 'WAITING' || loanCase.stage === 'ENDED') return
  try {
    const reply = await uploadDocument(
      await withPartner(ctx, loanCase),
      loanCase,
      document,
      await readFileContent(ctx, document),
    )
    const stored = { documentId: reply.document_id, storedAt: new Date(reply.stored_at) }
    await finishUpload(ctx, job, loanCase, {
      document,
      result: { state: 'STORED', refusedBecause: null, ...stored },
    })
  } catch (error) {
    const { documentReferenceId, documentType } = document
    const facts = { caseRef: loanCase.caseRef, documentReferenceId, documentType, why: messageOf(error) }
    const alert = operatorAlert('platform', ctx.config, ctx.log)
    if (error instanceof FileRejection || error instanceof UnusableAnswer) {
      alert('the partner refused a file', facts)
      const refused = { state: 'REFUSED', refusedBecause: error.message, documentId: null } as const
      return finishUpload(ctx, job, loanCase, { document, result: { ...refused, storedAt: null } })
    }
    const isUnavailable =
      error instanceof RetryablePartnerError || (error instanceof Refusal && error.kind === 'upstream')
    if (!isUnavailable) throw error
    if (job.attempt === fileSchedule.pauses.length)
      alert('a file could not be delivered for hours; retries continue', facts)
    const seconds = pauseSeconds(fileSchedule, job.attempt)
    const requestedSeconds = error instanceof RetryablePartnerError ? error.retryAfterSeconds : 0
    throw new RetryLater(Math.max(seconds * ctx.config.LENDLOOM_TIME_SCALE, requestedSeconds), messageOf(error))
  }
}

/** Reads a file from the database or the provider. Throws `FileRejection` for a file that is too large. */
export async function readFileContent(ctx: Context, document: PartnerDocument): Promise<FileContent> {
  if (document.bytesSealed) {
    const bytes = ctx.seal.open(document.bytesSealed, documentContext('bytes', document))
    return { bytes, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  const source = ctx.seal.openJson<FileSource>(
    required(document.sourceSealed, 'the source of a document'),
    documentContext('source', document),
  )
  if (source.sizeBytes > documentTypes[document.documentType].maxBytes)
    throw new FileRejection(`the provider's file of ${source.sizeBytes} bytes is larger than the partner accepts`)
  const bytes = await download(ctx, source)
  return { bytes, sizeBytes: source.sizeBytes, sha256: source.sha256 }
}

interface FinishedUpload {
  document: PartnerDocument
  result: Parameters<typeof recordUploadResult>[2]
}

async function finishUpload(
  ctx: Context,
  job: Job<UploadJob>,
  { tenantId, caseRef, journeyId }: PartnerCase,
  { document, result }: FinishedUpload,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const [, , locked] = await Promise.all([
      lockJourney(tx, tenantId, journeyId),
      recordUploadResult(tx, document, result),
      findCase(tx, { tenantId, caseRef }),
    ])
    const loanCase = required(locked, 'the case of a document')
    if (result.state === 'STORED') await reportStoredFiles({ ...ctx, tx, at }, loanCase, document)
    await finish(tx, job)
  })
}
