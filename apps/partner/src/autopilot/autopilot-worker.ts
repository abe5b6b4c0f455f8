// The autopilot: when a case changes, reviews it, reviews its KYC or disburses it by rule, as an officer would.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { Context, TxContext } from '#partner/context.ts'
import { isAutopilotOn } from '#partner/origination/case/autopilot-switch.ts'
import { limitFault } from '#partner/origination/case/exposure/require-limit.ts'
import { type Case, leadContext } from '#partner/origination/case/lifecycle.ts'
import { type ChangedJob, changedKind, mayAct } from '#partner/origination/case/move-case.ts'
import { scenarioFor } from '#partner/origination/case/sandbox-rules.ts'
import { leadOfCase, lockCase, readCase } from '#partner/origination/case/store.ts'
import { checksOf } from '#partner/origination/case/stored-checks.ts'
import { maxOffer } from '#partner/origination/review/bank/review-bank-data.ts'
import { bankReviewOf } from '#partner/origination/review/bank/store.ts'
import { productTerms } from '#partner/origination/review/offer.ts'
import { approveCase, decideKyc, rejectCase } from '#partner/origination/review/review-case.ts'
import { endAfterKycRejection } from '#partner/servicing/collection/stop-case.ts'
import { orderDisbursement } from '#partner/servicing/collection/transfer/order-disbursement.ts'
import { readNewestDisbursement } from '#partner/servicing/collection/transfer/store.ts'
import { type AutopilotAct, awaitsOthers, nextAct } from './next-act.ts'
import { exposureRejection, rejectionFor } from './text-en.ts'

const reviewerReference = 'autopilot'

export const autopilotWorker = (ctx: Context): Worker =>
  work<ChangedJob>({
    kind: changedKind,
    ...ctx,
    concurrency: 4,
    handle: ({ payload: { caseRef } }) => runAutopilot(ctx, caseRef),
  })

const maxActs = 10

/**
 * Acts until the case waits for another party or an officer. Finds the next act without a lock, and again under the
 * lock before performing it.
 */
export async function runAutopilot(ctx: Context, caseRef: string): Promise<void> {
  for (let acts = 0; acts < maxActs; acts++) {
    const act = await ctx.db.snapshot(async (db) => {
      const loanCase = await readCase(db, caseRef)
      return loanCase ? findNextAct(db, ctx, loanCase) : null
    })
    if (act === null) return
    if ('waitSeconds' in act) throw new RetryLater(act.waitSeconds, 'the next act is not due yet')
    if (!(await actOnce(ctx, caseRef))) return
  }
}

/** Performs the next act. Returns false when no act is due, or when the act was refused and is left to an officer. */
async function actOnce(ctx: Context, caseRef: string): Promise<boolean> {
  try {
    return await ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const act = await findNextAct(tx, ctx, loanCase)
      if (act === null || 'waitSeconds' in act) return false
      await perform({ ...ctx, tx, at: ctx.clock() }, loanCase, act)
      return true
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.warn(
      { caseRef, why: error.message },
      'an act of the autopilot was refused; an officer must decide the case',
    )
    return false
  }
}

async function findNextAct(db: Run, ctx: Context, loanCase: Case) {
  if (!mayAct(loanCase.status) || !(await isAutopilotOn(db, ctx.config))) return null
  const [checks, transfer] = await Promise.all([
    checksOf(db, ctx.seal, loanCase.caseRef),
    readNewestDisbursement(db, loanCase.caseRef),
  ])
  if (awaitsOthers(loanCase.status, checks)) return null
  const [lead, bank] = await Promise.all([
    leadOf(db, ctx, loanCase.caseRef),
    bankReviewOf(db, ctx.seal, loanCase.caseRef),
  ])
  const { status, updatedAt } = loanCase
  const hasFailedTransfer = transfer?.status === 'FAILED'
  return nextAct(
    { status, updatedAt, checks, hasFailedTransfer, bank, scenario: scenarioFor(lead.borrower.pan) },
    ctx.clock(),
  )
}

async function perform(ctx: TxContext, loanCase: Case, act: AutopilotAct): Promise<void> {
  const { tx, at } = ctx
  if (act.kind === 'reject')
    await rejectCase(tx, ctx, loanCase, { reviewerReference, ...rejectionFor(act.reasonCode), at })
  else if (act.kind === 'approve') await makeOffer(ctx, loanCase, act)
  else if (act.kind === 'disburse') await orderDisbursement(ctx, loanCase)
  else {
    const reasonCode = act.decision === 'APPROVED' ? 'KYC_IN_ORDER' : 'KYC_NOT_IN_ORDER'
    const reviewedCase = await decideKyc(ctx, loanCase, {
      decision: act.decision,
      reviewerReference,
      reasonCode,
      reasonMessage: null,
    })
    if (act.decision === 'REJECTED') await endAfterKycRejection(ctx, reviewedCase, reviewerReference)
  }
}

/** Offers at most the recommended amount, or rejects the case if the offer would exceed the exposure limit. */
async function makeOffer(
  ctx: TxContext,
  loanCase: Case,
  act: Extract<AutopilotAct, { kind: 'approve' }>,
): Promise<void> {
  const { tx, at } = ctx
  const { proposed_offer: proposed } = await leadOf(tx, ctx, loanCase.caseRef)
  const { decision } = await bankReviewOf(tx, ctx.seal, loanCase.caseRef)
  const recommended = ((paiseOf(proposed.loan_amount) * act.tenths) / 10n / 100n) * 100n
  const withoutStatement = BigInt(ctx.config.PARTNER_WITHOUT_STATEMENT_RUPEES) * 100n
  const amountPaise = maxOffer(decision, recommended, withoutStatement)
  const terms = productTerms(ctx.config, amountPaise, proposed.tenure_weeks)
  if (await limitFault(ctx, { caseRef: loanCase.caseRef, paise: terms.amountPaise, stage: 'offer' }))
    return rejectCase(tx, ctx, loanCase, { reviewerReference, ...exposureRejection, at })
  const validUntil = act.validSeconds === null ? {} : { validUntil: secondsAfter(at, act.validSeconds) }
  await approveCase(tx, ctx, loanCase, { reviewerReference, terms, ...validUntil, at })
}

async function leadOf(db: Run, { seal }: Context, caseRef: string): Promise<DataOf<'LEAD_SUBMITTED'>> {
  const sealed = await leadOfCase(db, caseRef)
  return seal.openJson<DataOf<'LEAD_SUBMITTED'>>(sealed, leadContext(caseRef))
}
