// Orders the disbursement of an approved loan once all conditions are met.
import { Refusal } from '@lendloom/foundation/refusal'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import type { TxContext } from '#partner/context.ts'
import { disbursementBlockers } from '#partner/origination/case/disbursement-blockers.ts'
import { requireLimit } from '#partner/origination/case/exposure/require-limit.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { moveCase } from '#partner/origination/case/move-case.ts'
import { factsOf } from '#partner/origination/case/recheck-case.ts'
import { readOffer } from '#partner/origination/review/store.ts'
import { nextDisbursementId } from '#partner/servicing/collection/order-id.ts'
import { reportDisbursement } from '#partner/servicing/collection/report-to-platform.ts'
import { type DisbursementRow, payeeContext } from './disbursement.ts'
import { payoutAccountOf } from './payout-account.ts'
import { insertDisbursement } from './store.ts'

export const transferKind = 'transfer'

export interface TransferJob {
  caseRef: string
  disbursementId: string
}

/**
 * Orders the transfer of the net loan amount to the borrower's own account, under the lock of the case, and reports the
 * disbursement as pending. Throws `wrong-state` if the case is not ready, a condition of D3 §1.1 is not met, the
 * borrower's account is unknown, or the loan would exceed the borrower's limit.
 */
export async function orderDisbursement(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
): Promise<DisbursementRow> {
  const { tx, at } = ctx
  const blockers = disbursementBlockers(await factsOf(tx, ctx, loanCase, at))
  if (blockers.length > 0)
    throw new Refusal('wrong-state', `the loan cannot be disbursed: ${blockers.join(', ')}`, { blockers })
  const [offer, payee] = await Promise.all([
    readOffer(tx, loanCase.caseRef),
    payoutAccountOf(tx, ctx, loanCase.caseRef),
  ])
  await requireLimit(ctx, { caseRef: loanCase.caseRef, paise: offer.terms.amountPaise, stage: 'disbursement' })
  const moved = await moveCase(tx, loanCase, 'disbursing', at)
  const disbursementId = await nextDisbursementId(tx, loanCase.caseRef)
  const disbursement: DisbursementRow = {
    caseRef: loanCase.caseRef,
    disbursementId,
    status: 'ORDERED',
    amountPaise: offer.terms.netPaise,
    payeeSealed: ctx.seal.json(payee, payeeContext(disbursementId)),
    bankReference: null,
    reasonCode: null,
    sentAt: null,
    confirmedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  await insertDisbursement(tx, disbursement)
  await reportDisbursement(ctx, moved, { disbursement })
  const payload: TransferJob = { caseRef: loanCase.caseRef, disbursementId }
  await enqueue(tx, { tenantId: noTenantId, kind: transferKind, key: disbursementId, payload, dueAt: at })
  return disbursement
}
