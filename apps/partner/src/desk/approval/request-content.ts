// What the person who approves a request sees of it: the current facts of the case, for each kind of act.

import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { entriesOfUnapplied } from '#partner/books/ledger/store.ts'
import type { Context } from '#partner/context.ts'
import { classNames } from '#partner/desk/arrears/asset-class-text-en.ts'
import { hasRevealed } from '#partner/desk/audit/store.ts'
import { comparePayer, payerWarnings } from '#partner/desk/books/compare-payer.ts'
import { effectTexts, transferText } from '#partner/desk/books/transfer-return-part.ts'
import { termFacts } from '#partner/desk/cases/offer-parts.ts'
import { requestedField } from '#partner/desk/cases/personal-data.ts'
import type { FactLine } from '#partner/desk/parts/facts.ts'
import { badge, countText, formatDay, inlineLabelOf, inr, labelOf, wireInr } from '#partner/desk/parts/format.ts'
import { maskedName, maskedNumber } from '#partner/desk/parts/mask.ts'
import { paiseIn } from '#partner/desk/parts/read-fields.ts'
import { disbursementBlockers } from '#partner/origination/case/disbursement-blockers.ts'
import { factsOf } from '#partner/origination/case/recheck-case.ts'
import { readCase } from '#partner/origination/case/store.ts'
import { currentOffer } from '#partner/origination/review/store.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import type { Staff } from '#partner/people/person.ts'
import { findPayment } from '#partner/servicing/collection/payment-store.ts'
import { receiptTexts } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { findReceipt, receiptOfPayment } from '#partner/servicing/collection/receipt/store.ts'
import type { Payee } from '#partner/servicing/collection/transfer/carry-out-transfer.ts'
import { refundPayee } from '#partner/servicing/collection/transfer/order-refund.ts'
import { payeeOfTransfer, payoutAccountOf } from '#partner/servicing/collection/transfer/payout-account.ts'
import { confirmedTransfers } from '#partner/servicing/collection/transfer/store.ts'
import { accountOf, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { loansOfBorrower } from '#partner/servicing/loan/class/store.ts'
import { unappliedIn } from '#partner/servicing/loan/set-off.ts'
import { type ApprovalRequest, type CheckedActName, payloadContext } from './approval-rules.ts'
import {
  readAccount,
  readExitRequest,
  readPaymentId,
  readReceiptKey,
  readSettlement,
  readTransferId,
  readValidDays,
  readWaiver,
  termsOfForm,
} from './read-act-forms.ts'

/** The name of what a transfer pays out, which is the amount that is asked for. */
export const netAmountName = 'Net amount'

/**
 * Whether the person has seen what they would approve. A new account is masked until the person reveals it, and money
 * goes to whatever number is approved.
 */
export const hasSeenRequest = async (
  db: Run,
  { staffId }: Pick<Staff, 'staffId'>,
  { act, caseRef, madeAt: since }: Pick<ApprovalRequest, 'act' | 'caseRef' | 'madeAt'>,
): Promise<boolean> => act !== 'ACCOUNT' || (await hasRevealed(db, { staffId, caseRef, field: requestedField, since }))

/** The terms of a request to offer; null for another act. */
export const requestedTerms = (
  { config, seal }: Pick<Context, 'config' | 'seal'>,
  request: SealedPayload & Pick<ApprovalRequest, 'act'>,
): LoanTerms | null => (request.act === 'OFFER' ? termsOfForm(config, submittedForm(seal, request)) : null)

type SealedPayload = Pick<ApprovalRequest, 'requestId' | 'payloadSealed'>

/** Opens the sealed form with which the act was requested. */
export const submittedForm = (seal: Seal, { requestId, payloadSealed }: SealedPayload): URLSearchParams =>
  new URLSearchParams(seal.openJson<[string, string][]>(payloadSealed, payloadContext(requestId)))

export interface RequestContext {
  caseRef: string
  form: URLSearchParams
  at: Date
  /** Whether the holder of an account, or the payer of a receipt, is shown, for comparison with the borrower. */
  isUnmasked: boolean
  /** Whether the person has just revealed the number of a new account. */
  isRevealed: boolean
}

const payeeText = ({ account }: Payee, isUnmasked: boolean): string =>
  `${isUnmasked ? account.holder_name : maskedName(account.holder_name)}, ${maskedNumber(account.account_number)}, ${account.ifsc}`

/** How an entry of the ledger made the overpayment, in words. */
const overpaymentSources: Partial<Record<LedgerEntry['kind'], string>> = {
  RECEIPT: 'payment beyond what was owed',
  REVERSAL: 'earlier entry reversed',
  AMENDMENT: 'charge or interest corrected',
  SET_OFF: 'used for dues',
  FEE_RETURN: 'fee refunded after the cancellation',
  REFUND: 'refund',
  SETTLEMENT: 'beyond the agreed sum',
}

/** Returns the entries that make up the overpayment, with their days. */
async function overpaymentText(db: Run, caseRef: string): Promise<Html> {
  const entries = await entriesOfUnapplied(db, caseRef)
  return html`${entries.flatMap(({ kind, businessOn, postings }) => {
    const paise = unappliedIn(postings)
    return paise === 0n
      ? []
      : html`<div>${formatDay(businessOn)}: ${inr(paise)}, ${overpaymentSources[kind] ?? labelOf(kind)}</div>`
  })}`
}

type ContentReader = (db: Run, ctx: Context, request: RequestContext) => Promise<FactLine[]>

/** Returns a function that shows the names and words of a receipt, masked if they must be. */
const nameShownAs =
  (isUnmasked: boolean) =>
  (text: string | null): string | null =>
    text && (isUnmasked ? text : maskedName(text))

/** Reads the facts of each kind of act: labels with their values. */
const contentReaders: Record<CheckedActName, ContentReader> = {
  async OFFER(_db, { config }, { form }) {
    return [...termFacts(termsOfForm(config, form)), ['Valid for', countText(readValidDays(form), 'day')]]
  },
  async PAYOUT(db, ctx, { caseRef, at, isUnmasked }) {
    const [offer, payee, loanCase] = await Promise.all([
      currentOffer(db, caseRef),
      payoutAccountOf(db, ctx, caseRef),
      readCase(db, caseRef),
    ])
    const facts = loanCase && (await factsOf(db, ctx, loanCase, at))
    const mandate = facts?.checks.mandate.facts
    const blockers = facts ? disbursementBlockers(facts) : []
    return [
      [netAmountName, offer && inr(offer.terms.netPaise)],
      ['Loan amount', offer && inr(offer.terms.amountPaise)],
      ['Paid to', payeeText(payee, isUnmasked)],
      ['Mandate', facts && badge(facts.checks.mandate.status)],
      ['Mandate limit', mandate?.maximumAmount && wireInr(mandate.maximumAmount)],
      ['Signature', facts && badge(facts.checks.esign.status)],
      ['KYC', facts && badge(facts.checks.kyc.status)],
      ['Missing', blockers.length > 0 ? blockers.map(inlineLabelOf).join(', ') : 'nothing'],
    ]
  },
  REFUND: async (db, ctx, { caseRef, form, isUnmasked }) => [
    ['Amount', inr(paiseIn(form, 'amount'))],
    ['Paid to', payeeText(await refundPayee(db, ctx, caseRef), isUnmasked)],
    ['Why the money is over', await overpaymentText(db, caseRef)],
  ],
  async WAIVER(_db, _ctx, { form }) {
    const { penalty, charges, interest } = readWaiver(form)
    return [
      ['Penal charges', inr(penalty)],
      ['Other charges', inr(charges)],
      ['Interest', inr(interest)],
      ['Principal', `${inr(0n)}: cannot be waived`],
    ]
  },
  async WRITE_OFF(db, _ctx, { caseRef }) {
    const account = await accountOf(db, caseRef)
    if (!account) return []
    const { soa, nextDueOn, assetClass } = account
    return [
      ['Principal', inr(soa.principalPaise)],
      ['Interest due', inr(soa.interestPaise)],
      ['Penal charges', inr(soa.penaltyPaise)],
      ['Other charges', inr(soa.chargesPaise)],
      ['Unpaid since', nextDueOn && formatDay(nextDueOn)],
      ['Class', classNames[assetClass]],
    ]
  },
  async SETTLEMENT(db, _ctx, { caseRef, form, at }) {
    const { paise, until } = readSettlement(form)
    const [account, payoff] = await Promise.all([accountOf(db, caseRef), payoffOf(db, caseRef, businessDate(at), at)])
    return [
      ['Agreed sum', inr(paise)],
      ['To pay by', formatDay(until)],
      ['Closes the loan today', payoff && inr(payoff.total)],
      ['Given up', payoff && inr(payoff.total - paise)],
      ['Unpaid since', account?.nextDueOn && formatDay(account.nextDueOn)],
      ['Class', account && classNames[account.assetClass]],
    ]
  },
  async LOSS(db, _ctx, { caseRef }) {
    const [loans, account] = await Promise.all([loansOfBorrower(db, caseRef), accountOf(db, caseRef)])
    return [
      ['Loans of the borrower', loans.length],
      ['Class', account && classNames[account.assetClass]],
      ['Non-performing since', account?.npaOn && formatDay(account.npaOn)],
    ]
  },
  async POSTING(db, { seal }, { caseRef, form, isUnmasked }) {
    const { provider, receiptId } = readReceiptKey(form)
    const receipt = await findReceipt(db, provider, receiptId)
    if (!receipt) return [['Receipt', 'no longer exists']]
    const { payer, remark, borrower, match } = await comparePayer(db, seal, receipt, caseRef)
    const warning = payerWarnings[match]
    const shown = nameShownAs(isUnmasked)
    return [
      ['Receipt', inr(receipt.amountPaise)],
      ['Payer', shown(payer) || 'unknown'],
      ['Borrower', shown(borrower)],
      ['Warning', warning && html`<strong>${warning}</strong>`],
      ['Remark', shown(remark)],
      ['Value date', formatDay(receipt.valueOn)],
      ['Method', labelOf(receipt.method)],
      ['Reference', receipt.transactionReference],
    ]
  },
  async REVERSAL(db, { seal }, { caseRef, form }) {
    const payment = await findPayment(db, caseRef, readPaymentId(form))
    if (!payment) return [['Receipt', 'no longer exists']]
    const receipt = await receiptOfPayment(db, payment)
    const payer = receipt && receiptTexts(seal, receipt).payer
    return [
      ['Receipt', inr(payment.amountPaise)],
      ['Value date', payment.valueOn && formatDay(payment.valueOn)],
      ['Method', labelOf(payment.method)],
      ['Reference', payment.bankReference],
      ['Payer', payer && maskedName(payer)],
      ['State', badge(payment.status)],
    ]
  },
  async TRANSFER_RETURN(db, { seal }, { caseRef, form, isUnmasked }) {
    const { provider, receiptId } = readReceiptKey(form)
    const transferId = readTransferId(form)
    const receipt = await findReceipt(db, provider, receiptId)
    if (!receipt) return [['Receipt', 'no longer exists']]
    const transfer = (await confirmedTransfers(db, caseRef)).find((each) => each.transferId === transferId)
    const { payer, remark } = receiptTexts(seal, receipt)
    const shown = nameShownAs(isUnmasked)
    return [
      ['Receipt', inr(receipt.amountPaise)],
      ['Payer', shown(payer) || 'unknown'],
      ['Remark', shown(remark)],
      ['Value date', formatDay(receipt.valueOn)],
      ['Reference', receipt.transactionReference],
      ['Transfer', transfer ? transferText(transfer) : 'no longer confirmed'],
      ['Paid to', transfer && payeeText(payeeOfTransfer(seal, transfer), isUnmasked)],
      ['Effect', transfer && effectTexts[transfer.kind]],
    ]
  },
  async ACCOUNT(db, ctx, { caseRef, form, isUnmasked, isRevealed }) {
    const { holder_name: holder, account_number: number, ifsc } = readAccount(form)
    const currentPayee = await payoutAccountOf(db, ctx, caseRef).catch(() => null)
    return [
      ['New account of', isUnmasked ? html`<strong>${holder}</strong>` : maskedName(holder)],
      ['Account', isRevealed ? html`<strong>${number}</strong>` : maskedNumber(number)],
      ['IFSC', isUnmasked ? html`<strong>${ifsc}</strong>` : ifsc],
      ['Replaces', currentPayee && payeeText(currentPayee, isUnmasked)],
    ]
  },
  async CANCELLATION(db, _ctx, { caseRef, form, at }) {
    const account = await accountOf(db, caseRef)
    const { requestedOn, reference } = readExitRequest(form, at)
    return [
      ['The borrower asked on', formatDay(requestedOn)],
      ['Request number', reference],
      ['Cooling-off period until', account && formatDay(account.coolingOffUntil)],
      ['Fee and tax to refund', account && inr(account.retainedFeePaise)],
      ['Outstanding', account && inr(account.soa.totalPaise)],
    ]
  },
}

/** Reads the current facts of a pending request. */
export const requestContentOf = (
  db: Run,
  ctx: Context,
  request: SealedPayload & Pick<ApprovalRequest, 'act' | 'caseRef'>,
  { at, isUnmasked, isRevealed }: Pick<RequestContext, 'at' | 'isUnmasked' | 'isRevealed'>,
): Promise<FactLine[]> =>
  contentReaders[request.act](db, ctx, {
    caseRef: request.caseRef,
    form: submittedForm(ctx.seal, request),
    at,
    isUnmasked,
    isRevealed,
  })
