// Sends a payment claim to the partner after the partner has stored or refused the proof (D3 §4.3, §6 rule 4).

import { secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import { linearPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { enqueue, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import { documentContext } from '#platform/lenders/partner/partner-document.ts'
import { acceptClaim, type PaymentClaim, sendClaim } from '#platform/lenders/partner/servicing/payment-claim.ts'
import { findDocument, insertDocument } from '#platform/lenders/partner/store.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { type CaseAndJourney, runCaseJob } from './lock-case.ts'
import { scheduleUploads } from './upload-files.ts'

/** Pauses between checks of whether the partner has stored the proof of payment. */
export const claimSchedule = linearPauses(1, 30)

const kind = 'partner-claim'

interface ClaimJob {
  caseRef: string
  operationId: string
  documentReferenceId: string
  /** The sealed claim, in base64. */
  claim: string
}

/** A picture or PDF that proves the payment. Its content is already checked. */
export interface PaymentProof {
  bytes: Buffer
  contentType: string
}

/** The payment that the borrower claims, with the proof if any. */
export interface ClaimWithProof {
  claim: PaymentClaim
  proof: PaymentProof | null
}

type SerializedClaim = Omit<PaymentClaim, 'amount'> & { amount: string }

const claimContext = (operationId: string): string => `partner_claim:${operationId}`

/** Accepts a claim. Sends a claim without proof at once, any other after its proof. The caller has locked the journey. */
export async function receiveClaim(
  ctx: TxContext,
  { loanCase, journey }: CaseAndJourney,
  operationId: string,
  { claim, proof }: ClaimWithProof,
): Promise<void> {
  const { tx, at } = ctx
  const operation = await acceptClaim(ctx, journey, operationId, claim)
  if (operation === null) return
  if (proof === null) return sendClaim(ctx, { loanCase, journey }, operation, { claim, documentIds: [] })
  const { tenantId, caseRef } = loanCase
  const documentKey = { tenantId, caseRef, documentReferenceId: uuidv7(at.getTime(), bucketOf(caseRef)) }
  await insertDocument(tx, {
    ...documentKey,
    requestId: uuidv4(bucketOf(caseRef)),
    documentType: 'PAYMENT_SCREENSHOT',
    fileName: `payment.${proof.contentType.split('/')[1]}`,
    contentType: proof.contentType,
    providerReference: null,
    bytesSealed: ctx.seal.bytes(proof.bytes, documentContext('bytes', documentKey)),
    sourceSealed: null,
    state: 'WAITING',
    documentId: null,
    refusedBecause: null,
    createdAt: at,
    storedAt: null,
  })
  await scheduleUploads(tx, loanCase, at)
  const serialized: SerializedClaim = { ...claim, amount: claim.amount.toString() }
  const payload: ClaimJob = {
    caseRef,
    operationId,
    documentReferenceId: documentKey.documentReferenceId,
    claim: ctx.seal.json(serialized, claimContext(operationId)).toString('base64'),
  }
  await enqueue(tx, { tenantId, kind, key: operationId, payload, dueAt: at })
}

export const claimWorker = (ctx: Context): Worker =>
  work<ClaimJob>({ kind, ...ctx, handle: (job) => sendAfterProof(ctx, job) })

/** Time after which a claim is sent without its proof. The lender can then still search for the payment. */
const maxProofWaitSeconds = 600

async function sendAfterProof(ctx: Context, job: Job<ClaimJob>): Promise<void> {
  const { caseRef, operationId, documentReferenceId } = job.payload
  const document = await findDocument(ctx.db, { tenantId: job.tenantId, caseRef }, documentReferenceId)
  const isLate = ctx.clock() > secondsAfter(job.enqueuedAt, maxProofWaitSeconds)
  if (document?.state === 'WAITING' && !isLate)
    throw new RetryLater(pauseSeconds(claimSchedule, job.attempt), 'the proof of payment is not stored yet')
  const { amount, ...rest } = ctx.seal.openJson<SerializedClaim>(
    Buffer.from(job.payload.claim, 'base64'),
    claimContext(operationId),
  )
  const claim: PaymentClaim = { ...rest, amount: BigInt(amount) }
  const documentIds = document?.documentId ? [document.documentId] : []
  await runCaseJob(ctx, job, async (tx, caseAndJourney, at) => {
    const operation = required(
      (await listServicing(tx, caseAndJourney.journey)).find((each) => each.operationId === operationId),
      'the operation of a claim',
    )
    await sendClaim({ ...ctx, tx, at }, caseAndJourney, operation, { claim, documentIds })
  })
}
