// Acts that a second person approves, always or above a limit: the amount that counts, and what is done once somebody has.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Case } from '#partner/case/case.ts'
import { giveUp, takeLoss } from '#partner/collection/give-up.ts'
import { orderDisbursement } from '#partner/collection/order-disbursement.ts'
import { orderRefund } from '#partner/collection/order-refund.ts'
import { changeAccount } from '#partner/collection/payee.ts'
import { reverseByHand } from '#partner/collection/reverse-by-hand.ts'
import { findPayment } from '#partner/collection/store.ts'
import type { Context } from '#partner/context.ts'
import { accountOf } from '#partner/loan/account.ts'
import { decideLoss } from '#partner/loan/class/decide-loss.ts'
import { loansOfBorrower, principalOfBorrower } from '#partner/loan/class/store.ts'
import { claimOn } from '#partner/loan/write-off-loan.ts'
import { approve } from '#partner/review/decide.ts'
import { productTerms } from '#partner/review/product.ts'
import { currentOffer } from '#partner/review/store.ts'
import type { CheckedName } from './approval/request.ts'
import { matching, paiseIn, percentIn, reasonIn } from './form-fields.ts'
import type { Act } from './staff-act.ts'

/** What somebody at the desk decides by a form. */
export interface DeskDecision {
  form: URLSearchParams
  staffId: string
  at: Date
}
export type Deciding = (tx: Tx, ctx: Context, loanCase: Case, decision: DeskDecision) => Promise<unknown>

export interface CheckedAct {
  /** What whoever does it alone, or asks for it, must be allowed. */
  act: Act
  /** As it is read after "approve": `the transfer`. */
  label: string
  /** All cases that it changes, where that may be more than the one. */
  casesOf?(tx: Tx, caseRef: string): Promise<string[]>
  /** The amount that the limits are about. Refused as `invalid` where the form does not say it. */
  amountOf(tx: Tx, loanCase: Case, form: URLSearchParams): Promise<Paise>
  run: Deciding
}

const tenureWeeks = 22

const offer: Deciding = (tx, ctx, loanCase, { form, staffId, at }) => {
  const terms = {
    ...productTerms(ctx.config, paiseIn(form, 'amount'), tenureWeeks),
    annualRatePercent: percentIn(form, 'annualRatePercent'),
    feePercent: percentIn(form, 'feePercent'),
    taxPercent: percentIn(form, 'taxPercent'),
    otherChargesPaise: paiseIn(form, 'otherCharges'),
  }
  const validUntil = daysAfter(at, Number(matching(form, 'validDays', /^[1-9]\d?$/)))
  return approve(tx, ctx, loanCase, { reviewerReference: staffId, terms, validUntil, at })
}

async function offeredNet(tx: Tx, { caseRef }: Case): Promise<Paise> {
  const offered = await currentOffer(tx, caseRef)
  if (!offered) throw new Refusal('wrong-state', 'nothing was offered yet')
  return offered.terms.netPaise
}

async function paidAmount(tx: Tx, { caseRef }: Case, form: URLSearchParams): Promise<Paise> {
  const payment = await findPayment(tx, caseRef, paymentIn(form))
  if (!payment) throw new Refusal('wrong-state', 'there is no such payment')
  return payment.amountPaise
}

const waivedIn = (form: URLSearchParams) => ({
  penalty: paiseIn(form, 'penalty'),
  charges: paiseIn(form, 'charges'),
  interest: paiseIn(form, 'interest'),
})

const paymentIn = (form: URLSearchParams): string => matching(form, 'payment', /^[0-9a-f-]{36}$/)

/** Refused as `invalid` at the field that is not as a bank writes it. */
export const accountIn = (form: URLSearchParams) => ({
  holder_name: matching(form, 'holder', /^\S.{1,99}$/),
  account_number: matching(form, 'number', /^[0-9A-Za-z]{5,35}$/),
  ifsc: matching(form, 'ifsc', /^[A-Z]{4}0[A-Z0-9]{6}$/),
})

/** What would go there now: the loan that is not paid out yet, or what was paid too much. */
async function goingOut(tx: Tx, { caseRef, status }: Case, form: URLSearchParams): Promise<Paise> {
  accountIn(form)
  if (status !== 'DISBURSED') return (await currentOffer(tx, caseRef))?.terms.netPaise ?? 0n
  const unapplied = (await accountOf(tx, caseRef))?.unappliedPaise ?? 0n
  return unapplied > 0n ? unapplied : 0n
}

export const checkedActs: Record<CheckedName, CheckedAct> = {
  OFFER: {
    act: 'OFFERED',
    label: 'offer',
    amountOf: async (_tx, _loanCase, form) => paiseIn(form, 'amount'),
    run: offer,
  },
  PAYOUT: {
    act: 'TRANSFER_ORDERED',
    label: 'transfer to the borrower',
    amountOf: offeredNet,
    run: (tx, ctx, loanCase, { at }) => orderDisbursement({ ...ctx, tx, at }, loanCase),
  },
  REFUND: {
    act: 'REFUND_ORDERED',
    label: 'refund',
    amountOf: async (_tx, _loanCase, form) => paiseIn(form, 'amount'),
    run: (tx, ctx, loanCase, { form, at }) => orderRefund({ ...ctx, tx, at }, loanCase, paiseIn(form, 'amount')),
  },
  WAIVER: {
    act: 'WAIVED',
    label: 'waiver',
    amountOf: async (_tx, _loanCase, form) => {
      const { penalty, charges, interest } = waivedIn(form)
      return penalty + charges + interest
    },
    run: (tx, ctx, loanCase, { form, at }) => giveUp({ ...ctx, tx, at }, loanCase, waivedIn(form)),
  },
  WRITE_OFF: {
    act: 'WRITTEN_OFF',
    label: 'write-off',
    amountOf: (tx, { caseRef }) => claimOn(tx, caseRef),
    run: (tx, _ctx, loanCase, { at }) => takeLoss({ tx, at }, loanCase),
  },
  LOSS: {
    act: 'LOSS_DECIDED',
    label: 'classification as a loss',
    casesOf: loansOfBorrower,
    amountOf: (tx, { caseRef }) => principalOfBorrower(tx, caseRef),
    run: (tx, _ctx, { caseRef }, { form, staffId, at }) =>
      decideLoss(tx, { caseRef, decidedBy: staffId, remark: reasonIn(form), on: businessDate(at) }),
  },
  REVERSAL: {
    act: 'RECEIPT_REVERSED',
    label: 'taking back of a receipt',
    amountOf: paidAmount,
    run: (tx, ctx, loanCase, { form, at }) => reverseByHand({ ...ctx, tx, at }, loanCase, paymentIn(form)),
  },
  ACCOUNT: {
    act: 'ACCOUNT_CHANGED',
    label: 'change of the bank account',
    amountOf: goingOut,
    run: (tx, ctx, loanCase, { form, staffId, at }) =>
      changeAccount({ ...ctx, tx, at }, loanCase, { account: accountIn(form), approvedBy: staffId }),
  },
}
