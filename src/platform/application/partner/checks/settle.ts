// What a check means for the borrower's steps: one passed opens the next, one failed may be tried again (D3 §1.1 rule 5).

import type { StepReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'
import type { Concerned } from '#platform/application/partner/case-job.ts'
import { reject } from '#platform/application/partner/take-status.ts'
import type { TxContext } from '#platform/context.ts'
import { type CheckKind, checkContext, type PartnerCheck } from '#platform/exchange/check.ts'
import { followUpPartner } from '#platform/exchange/status.ts'
import { moveStep, stepFailed, stepReady, stepSucceeded } from '#platform/step/move.ts'
import { findStep, type StepName } from '#platform/step/store.ts'
import { checkUrl } from './link.ts'
import { type CheckEvent, endingOf } from './status-report.ts'

export const stepOf: Record<CheckKind, StepName> = { kyc: 'kyc', mandate: 'eMandate', esign: 'loanAgreement' }

const again: Record<CheckKind, StepReason> = {
  kyc: 'IDENTITY_TRY_AGAIN',
  mandate: 'MANDATE_TRY_AGAIN',
  esign: 'AGREEMENT_TRY_AGAIN',
}

export async function settleCheck(ctx: TxContext, concerned: Concerned, check: PartnerCheck): Promise<void> {
  const { tx, at } = ctx
  const { journey } = concerned
  const { kind } = check
  const step = await findStep(tx, journey, stepOf[kind])
  if (!journey.active || step.status === 'SUCCESS') return
  const ending = endingOf(kind, check)
  if (ending === 'failed')
    return void (await stepFailed(tx, journey, { name: stepOf[kind], problem: again[kind], retryable: true, at }))
  if (ending === 'refused') return refuse(ctx, concerned)
  if (ending !== 'passed') return
  if (kind === 'kyc') return settleKyc(ctx, concerned, check)
  await stepSucceeded(tx, journey, stepOf[kind], at)
  if (kind === 'mandate') return open(ctx, concerned, 'esign')
  // Everything is with the lender now: it is asked when it says nothing.
  await followUpPartner(ctx, concerned.application)
}

/**
 * KYC is done by the provider's verified approval, and by video only when the lender's own review agrees: what they
 * disagree about stays pending (D3 §6 rule 2).
 */
export async function settleKyc(ctx: TxContext, concerned: Concerned, check: PartnerCheck): Promise<void> {
  const { tx, at } = ctx
  const { journey } = concerned
  if (!journey.active || endingOf('kyc', check) !== 'passed' || check.lenderReview === 'REJECTED') return
  const { data } = ctx.seal.openJson<CheckEvent & { type: 'KYC_UPDATED' }>(
    required(check.resultSealed, 'the result of a check that has ended'),
    checkContext('result', check),
  )
  if (data.mode === 'VIDEO_AND_MANUAL_REVIEW' && check.lenderReview !== 'APPROVED') return
  if ((await findStep(tx, journey, 'kyc')).status === 'SUCCESS') return
  await stepSucceeded(tx, journey, 'kyc', at)
  await spareAccountForm(tx, concerned, at)
  await open(ctx, concerned, 'mandate')
}

/** The account was told with the lead: it is not asked for again. */
async function spareAccountForm(tx: Tx, { journey }: Concerned, at: Date): Promise<void> {
  const { status } = await findStep(tx, journey, 'bankMandate')
  if (status === 'PENDING') await moveStep(tx, journey, { name: 'bankMandate', move: 'spared', change: {}, at })
}

async function open(ctx: TxContext, { application, journey }: Concerned, kind: CheckKind): Promise<void> {
  const { tx, at } = ctx
  await stepReady(tx, journey, {
    name: stepOf[kind],
    page: { url: checkUrl(ctx, application, kind), formId: kind },
    at,
  })
}

/** The provider has judged against the borrower: without a verified KYC there is no loan. */
async function refuse(ctx: TxContext, concerned: Concerned): Promise<void> {
  const { tx, at } = ctx
  const reason = 'IDENTITY_REFUSED'
  await stepFailed(tx, concerned.journey, { name: 'kyc', problem: reason, retryable: false, at })
  await reject(ctx, concerned, 'KYC was rejected', reason)
}
