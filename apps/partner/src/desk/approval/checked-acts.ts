// The acts that need a second person, always or above a limit: how their amount is computed, and how each is performed.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, daysBetween } from '@lendloom/lending/calendar'
import { maxPaise, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { Context } from '#partner/context.ts'
import { comparePayer } from '#partner/desk/books/compare-payer.ts'
import { openLead } from '#partner/desk/cases/open-lead.ts'
import { paiseIn, reasonIn } from '#partner/desk/parts/read-fields.ts'
import type { Act, StaffActDetails } from '#partner/desk/staff/staff-acts.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { leadOfCase } from '#partner/origination/case/store.ts'
import { isBeyondPolicy, reviewOffer } from '#partner/origination/review/bank/review-offer.ts'
import { bankReviewOf, bankRulesOn } from '#partner/origination/review/bank/store.ts'
import { approveCase } from '#partner/origination/review/review-case.ts'
import { currentOffer } from '#partner/origination/review/store.ts'
import { waiveAmounts, writeOffLoan } from '#partner/servicing/collection/give-up-dues.ts'
import { findPayment } from '#partner/servicing/collection/payment-store.ts'
import { postByHand, reverseByHand } from '#partner/servicing/collection/receipt/post-by-hand.ts'
import { type BankReceipt, findReceipt } from '#partner/servicing/collection/receipt/store.ts'
import { requestExit } from '#partner/servicing/collection/request-exit.ts'
import { orderDisbursement } from '#partner/servicing/collection/transfer/order-disbursement.ts'
import { orderRefund } from '#partner/servicing/collection/transfer/order-refund.ts'
import { changePayoutAccount } from '#partner/servicing/collection/transfer/payout-account.ts'
import { returnByHand } from '#partner/servicing/collection/transfer/return-transfer.ts'
import type { ExitRequest } from '#partner/servicing/loan/accept-exit-request.ts'
import { accountOf, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { decideLoss } from '#partner/servicing/loan/class/classify.ts'
import { loansOfBorrower, principalOfBorrower } from '#partner/servicing/loan/class/store.ts'
import { agreeSettlement } from '#partner/servicing/loan/settlement/agree-settlement.ts'
import { claimOnBorrower } from '#partner/servicing/loan/write-off.ts'
import type { CheckedActName } from './approval-rules.ts'
import {
  readAccount,
  readExitRequest,
  readPaymentId,
  readReceiptKey,
  readSettlement,
  readTerms,
  readTransferId,
  readValidDays,
  readWaiver,
  termsOfForm,
} from './read-act-forms.ts'

interface DeskDecision {
  form: URLSearchParams
  staffId: string
  at: Date
}

export type DecisionAct = (tx: Tx, ctx: Context, loanCase: Case, decision: DeskDecision) => Promise<unknown>

export interface CheckedAct {
  /** The permission that a person needs to perform the act or to request its approval. */
  act: Act
  /** A noun for messages, such as `refund`. */
  label: string
  /** Returns all cases that the act changes. Absent if it changes only its own case. */
  casesOf?(tx: Tx, caseRef: string): Promise<string[]>
  /** Returns the amount to compare with the limits. Throws `invalid` if the form lacks a valid amount. */
  amountOf(tx: Tx, loanCase: Case, form: URLSearchParams, ctx: Pick<Context, 'seal'> & { at: Date }): Promise<Paise>
  /** Whether the act needs a second person whatever its amount. Absent if only the amount decides. */
  isForTwo?(
    tx: Tx,
    loanCase: Case,
    form: URLSearchParams,
    ctx: Pick<Context, 'seal' | 'config'> & { at: Date },
  ): Promise<boolean>
  run: DecisionAct
  /** Returns what the audit log says of the act of one person, beside the amount. */
  aboutOf?(form: URLSearchParams): Pick<StaffActDetails, 'subject'> & { detail: Record<string, string> }
}

const offer: DecisionAct = (tx, ctx, loanCase, { form, staffId, at }) => {
  const validUntil = daysAfter(at, readValidDays(form))
  return approveCase(tx, ctx, loanCase, {
    reviewerReference: staffId,
    terms: readTerms(ctx.config, form),
    validUntil,
    at,
  })
}

/** Whether the policy declines the offer: its instalment breaks a mandatory rule for EMIs. */
async function isOfferBeyondPolicy(
  tx: Tx,
  { seal, config, at }: Pick<Context, 'seal' | 'config'> & { at: Date },
  { caseRef }: Case,
  form: URLSearchParams,
): Promise<boolean> {
  const [lead, { figures }, rules] = await Promise.all([
    leadOfCase(tx, caseRef),
    bankReviewOf(tx, seal, caseRef),
    bankRulesOn(tx, config, businessDate(at)),
  ])
  const data = { lead: openLead(seal, caseRef, lead), figures, rules }
  return isBeyondPolicy(reviewOffer(termsOfForm(config, form), data))
}

async function netAmountOfOffer(tx: Tx, { caseRef }: Case): Promise<Paise> {
  const offer = await currentOffer(tx, caseRef)
  if (!offer) throw new Refusal('wrong-state', 'there is no offer yet')
  return offer.terms.netPaise
}

async function amountOfPayment(tx: Tx, { caseRef }: Case, form: URLSearchParams): Promise<Paise> {
  const payment = await findPayment(tx, caseRef, readPaymentId(form))
  if (!payment) throw new Refusal('wrong-state', 'this payment does not exist')
  return payment.amountPaise
}

/** Throws `absent` if the receipt is unknown. */
async function requireReceipt(tx: Tx, form: URLSearchParams): Promise<BankReceipt> {
  const { provider, receiptId } = readReceiptKey(form)
  const receipt = await findReceipt(tx, provider, receiptId)
  if (!receipt) throw new Refusal('absent', 'there is no such receipt')
  return receipt
}

/** One person who posts a receipt alone must also say why the money is the borrower's. */
const postReceipt: DecisionAct = (tx, ctx, loanCase, { form, at }) => {
  reasonIn(form)
  return postByHand({ ...ctx, tx, at }, loanCase, readReceiptKey(form))
}

/** Days after the request within which one person can record it. Covers a weekend with adjacent holidays. */
export const soleRecordingDays = 7

/** Whether a second person approves an exit request that is recorded late. */
export const isLateExitRequest = ({ requestedOn, today }: Pick<ExitRequest, 'requestedOn' | 'today'>): boolean =>
  daysBetween(requestedOn, today) > soleRecordingDays

/**
 * Returns the larger of the overpayment and the loan's net amount, of which a transfer could go to the new account.
 * Before an offer, the recommended amount counts as the net amount.
 */
async function maxPayout(tx: Tx, { caseRef }: Case, form: URLSearchParams, { seal }: Pick<Context, 'seal'>) {
  readAccount(form)
  const [offered, account, lead] = await Promise.all([
    currentOffer(tx, caseRef),
    accountOf(tx, caseRef),
    leadOfCase(tx, caseRef),
  ])
  const loanPayout = offered?.terms.netPaise ?? paiseOf(openLead(seal, caseRef, lead).proposed_offer.loan_amount)
  const unapplied = account?.unappliedPaise ?? 0n
  return unapplied > loanPayout ? unapplied : loanPayout
}

export const checkedActs: Record<CheckedActName, CheckedAct> = {
  OFFER: {
    act: 'OFFERED',
    label: 'offer',
    amountOf: async (_tx, _loanCase, form) => paiseIn(form, 'amount'),
    isForTwo: (tx, loanCase, form, ctx) => isOfferBeyondPolicy(tx, ctx, loanCase, form),
    run: offer,
  },
  PAYOUT: {
    act: 'TRANSFER_ORDERED',
    label: 'transfer to the borrower',
    amountOf: netAmountOfOffer,
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
      const { penalty, charges, interest } = readWaiver(form)
      return penalty + charges + interest
    },
    run: (tx, ctx, loanCase, { form, at }) => waiveAmounts({ ...ctx, tx, at }, loanCase, readWaiver(form)),
  },
  WRITE_OFF: {
    act: 'WRITTEN_OFF',
    label: 'write-off',
    amountOf: (tx, { caseRef }, _form, { at }) => claimOnBorrower(tx, caseRef, businessDate(at), at),
    run: (tx, _ctx, loanCase, { at }) => writeOffLoan({ tx, at }, loanCase),
  },
  SETTLEMENT: {
    act: 'SETTLEMENT_AGREED',
    label: 'settlement for less',
    amountOf: async (tx, { caseRef }, form, { at }) => {
      const payoff = await payoffOf(tx, caseRef, businessDate(at), at)
      return maxPaise(0n, (payoff?.total ?? 0n) - readSettlement(form).paise)
    },
    run: (tx, _ctx, { caseRef }, { form, at }) =>
      agreeSettlement(tx, caseRef, { ...readSettlement(form), today: businessDate(at) }, at),
  },
  LOSS: {
    act: 'LOSS_DECIDED',
    label: 'classification as a loss',
    casesOf: loansOfBorrower,
    amountOf: (tx, { caseRef }) => principalOfBorrower(tx, caseRef),
    run: (tx, _ctx, { caseRef }, { form, staffId, at }) =>
      decideLoss(tx, { caseRef, decidedBy: staffId, remark: reasonIn(form), on: businessDate(at) }),
  },
  POSTING: {
    act: 'RECEIPT_POSTED',
    label: 'posting of a receipt',
    amountOf: async (tx, _loanCase, form) => (await requireReceipt(tx, form)).amountPaise,
    isForTwo: async (tx, { caseRef }, form, { seal }) =>
      (await comparePayer(tx, seal, await requireReceipt(tx, form), caseRef)).match !== 'SAME',
    run: postReceipt,
    aboutOf: (form) => ({ subject: readReceiptKey(form).receiptId, detail: { reason: reasonIn(form) } }),
  },
  REVERSAL: {
    act: 'RECEIPT_REVERSED',
    label: 'reversal of a receipt',
    amountOf: amountOfPayment,
    run: (tx, ctx, loanCase, { form, at }) => reverseByHand({ ...ctx, tx, at }, loanCase, readPaymentId(form)),
  },
  TRANSFER_RETURN: {
    act: 'TRANSFER_RETURNED',
    label: 'return of our transfer',
    amountOf: async (tx, _loanCase, form) => (await requireReceipt(tx, form)).amountPaise,
    run: (tx, ctx, loanCase, { form, at }) =>
      returnByHand({ ...ctx, tx, at }, loanCase, { ...readReceiptKey(form), transferId: readTransferId(form) }),
  },
  ACCOUNT: {
    act: 'ACCOUNT_CHANGED',
    label: 'change of the bank account',
    amountOf: maxPayout,
    run: (tx, ctx, loanCase, { form, staffId, at }) =>
      changePayoutAccount({ ...ctx, tx, at }, loanCase, { account: readAccount(form), approvedBy: staffId }),
  },
  CANCELLATION: {
    act: 'COOLING_OFF_EXIT',
    label: 'late cooling-off cancellation',
    amountOf: async (tx, { caseRef }) => (await accountOf(tx, caseRef))?.retainedFeePaise ?? 0n,
    run: (tx, ctx, loanCase, { form, at }) => requestExit({ ...ctx, tx, at }, loanCase, readExitRequest(form, at)),
  },
}
