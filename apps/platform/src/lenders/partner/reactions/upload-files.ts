// Uploads files to the partner. Each file has its own job, which does not wait for KYC or signing (D3 §4.3).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import { messageOf } from '@lendloom/foundation/thrown'
import { operatorAlert } from '@lendloom/mail/mail'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { fileSchedule } from '@lendloom/wire/exchange/retry-schedules'
import type { Context } from '#platform/context.ts'
import { RetryablePartnerError, UnusableAnswer, withPartner } from '#platform/lenders/partner/call-partner.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import type { PartnerDocument } from '#platform/lenders/partner/partner-document.ts'
import {
  findCase,
  findDocument,
  type ListedDocument,
  listDocuments,
  recordUploadResult,
  resetRefusedDocument,
} from '#platform/lenders/partner/store.ts'
import { FileRejection, uploadDocument } from '#platform/lenders/partner/upload-document.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { reportStoredFiles } from './checks/report-stored-files.ts'
import { readFileContent } from './provider-file.ts'

const kind = 'partner-upload'

interface UploadJob {
  caseRef: string
  documentReferenceId: string
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
    const alertFields = { caseRef: loanCase.caseRef, documentReferenceId, documentType, why: messageOf(error) }
    const alert = operatorAlert('platform', ctx.config, ctx.log)
    if (error instanceof FileRejection || error instanceof UnusableAnswer) {
      alert('the partner refused a file', alertFields)
      const refused = { state: 'REFUSED', refusedBecause: error.message, documentId: null } as const
      return finishUpload(ctx, job, loanCase, { document, result: { ...refused, storedAt: null } })
    }
    const isUnavailable =
      error instanceof RetryablePartnerError || (error instanceof Refusal && error.kind === 'upstream')
    if (!isUnavailable) throw error
    if (job.attempt === fileSchedule.pauses.length)
      alert('a file could not be delivered for hours; retries continue', alertFields)
    const seconds = pauseSeconds(fileSchedule, job.attempt)
    const requestedSeconds = error instanceof RetryablePartnerError ? error.retryAfterSeconds : 0
    throw new RetryLater(Math.max(seconds * ctx.config.LENDLOOM_TIME_SCALE, requestedSeconds), messageOf(error))
  }
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
