// Starts a case. Adds the partner to the lenders of the journey and requests the partner's duplicate check (D3 §1.1
// rule 1, §4.1).

import { secondsAfter } from '@lendloom/foundation/clock'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { enqueue, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import type { DedupeReply } from '@lendloom/wire/exchange/dedupe'
import type { Context, TxContext } from '#platform/context.ts'
import {
  partnerOf,
  RetryablePartnerError,
  UnusableAnswer,
  withPartner,
} from '#platform/lenders/partner/call-partner.ts'
import { beginKind } from '#platform/lenders/partner/channel.ts'
import { endCase } from '#platform/lenders/partner/decide-case.ts'
import { identityOf, lenderKeyOf } from '#platform/lenders/partner/directory/lending-partner.ts'
import type { CaseJob } from '#platform/lenders/partner/lead-job.ts'
import { caseContext, type PartnerCase, stageAfter, stopReasonOf } from '#platform/lenders/partner/loan-case.ts'
import { tenureWeeks } from '#platform/lenders/partner/recommend-loan.ts'
import { changeCase, findCase } from '#platform/lenders/partner/store.ts'
import { monthsOf } from '#platform/lenders/partner/terms.ts'
import { storeLender } from '#platform/lending/lender/store.ts'
import { awaitOffer, recordProfileAccepted } from '#platform/lending/offer/lender-answers.ts'
import { endBeforeLead } from './end-application.ts'
import { type CaseAndJourney, canReceiveOffers, runCaseJob } from './lock-case.ts'
import { preUnderwriteKind } from './pre-underwrite.ts'
import { readApplicantAndConsents } from './read-applicant.ts'
import { requestDuplicateCheck } from './request-duplicate-check.ts'

/** Pauses between attempts of the first duplicate check. */
export const dedupeSchedule = doublingPauses(1, 15)

const duplicateCheckKind = 'partner-dedupe'

export const caseStartWorker = (ctx: Context): Worker =>
  work<CaseJob>({
    kind: beginKind,
    ...ctx,
    handle: (job) => runCaseJob(ctx, job, (tx, caseAndJourney, at) => startCase({ ...ctx, tx, at }, caseAndJourney)),
  })

async function startCase(ctx: TxContext, { loanCase, journey }: CaseAndJourney): Promise<void> {
  const { tx, at } = ctx
  if (loanCase.stage !== 'CHECKING') return
  if (!canReceiveOffers(journey)) return void (await endCase(tx, loanCase, 'the borrower has already chosen', at))
  const { tenantId, caseRef } = loanCase
  const partner = await partnerOf(ctx, tx, loanCase)
  const lenderId = await storeLender(tx, {
    tenantId,
    lenderId: uuidv7(at.getTime()),
    ...lenderKeyOf(partner),
    identity: identityOf(partner),
    at,
  })
  await changeCase(tx, loanCase, { lenderId }, at)
  const { leastRupees, mostRupees } = partner.rules
  const months = monthsOf(tenureWeeks)
  const ranges = {
    minInterestRate: null,
    maxInterestRate: null,
    minTenureMonths: months,
    maxTenureMonths: months,
    minAmount: BigInt(leastRupees) * 100n,
    maxAmount: BigInt(mostRupees) * 100n,
  }
  await awaitOffer(ctx, journey, { conversationId: caseRef, lenderId, channel: 'PARTNER' }, ranges)
  await enqueue(tx, { tenantId, kind: duplicateCheckKind, payload: { caseRef } satisfies CaseJob, dueAt: at })
}

export const duplicateCheckWorker = (ctx: Context): Worker =>
  work<CaseJob>({ kind: duplicateCheckKind, ...ctx, handle: (job) => checkForDuplicate(ctx, job) })

/** Repeats the same request until the partner answers. Ends the case at the deadline (D3 §4.1). */
async function checkForDuplicate(ctx: Context, job: Job<CaseJob>): Promise<void> {
  const loanCase = await findCase(ctx.db, { tenantId: job.tenantId, caseRef: job.payload.caseRef })
  if (loanCase?.stage !== 'CHECKING') return
  try {
    const { applicant } = await readApplicantAndConsents(ctx, loanCase)
    const reply = await requestDuplicateCheck(await withPartner(ctx, loanCase), loanCase, applicant)
    return await runCaseJob(ctx, job, (tx, caseAndJourney, at) =>
      applyReply({ ...ctx, tx, at }, caseAndJourney, loanCase, reply),
    )
  } catch (error) {
    if (!(error instanceof RetryablePartnerError || error instanceof UnusableAnswer)) throw error
    const until = secondsAfter(job.enqueuedAt, ctx.config.PARTNER_DEDUPE_SECONDS)
    if (error instanceof RetryablePartnerError && ctx.clock() < until)
      throw new RetryLater(Math.max(pauseSeconds(dedupeSchedule, job.attempt), error.retryAfterSeconds), error.message)
    ctx.log.warn({ caseRef: loanCase.caseRef, why: error.message }, 'the partner did not answer the duplicate check')
    await runCaseJob(ctx, job, (tx, caseAndJourney, at) =>
      endBeforeLead({ ...ctx, tx, at }, caseAndJourney, error.message, 'LENDER_UNREACHABLE'),
    )
  }
}

async function applyReply(
  ctx: TxContext,
  { loanCase, journey }: CaseAndJourney,
  caseAtRequest: PartnerCase,
  reply: DedupeReply,
): Promise<void> {
  const { tx, at } = ctx
  // Ignores an answer to an obsolete request.
  if (loanCase.stage !== 'CHECKING' || loanCase.dedupeRequestId !== caseAtRequest.dedupeRequestId) return
  const dedupeSealed = ctx.seal.json(reply, caseContext(loanCase, 'dedupe'))
  const updated = await changeCase(tx, loanCase, { dedupeSealed, dedupeCheckedAt: new Date(reply.checked_at) }, at)
  const why = stopReasonOf(reply)
  if (why !== null) {
    ctx.log.info({ caseRef: loanCase.caseRef, why }, 'the partner declined the borrower')
    return endBeforeLead(ctx, { loanCase: updated, journey }, why, 'LENDER_NOT_LENDING')
  }
  if (!canReceiveOffers(journey))
    return endBeforeLead(ctx, { loanCase: updated, journey }, 'the borrower has already chosen', 'LENDER_SILENT')
  await changeCase(tx, updated, { stage: stageAfter(updated, 'permitted') }, at)
  await recordProfileAccepted(ctx, journey)
  const { tenantId, caseRef } = loanCase
  await enqueue(tx, { tenantId, kind: preUnderwriteKind, payload: { caseRef } satisfies CaseJob, dueAt: at })
}
