// What the page shows of the payments that the borrower requested, and the price of each.

import { rupees } from '@lendloom/lending/money'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type { EmbedPayment } from '@lendloom/wire/hosted/embed-servicing'
import { resultDay, withoutRepeats } from '#platform/lenders/partner/servicing/payment-claim.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { isClaimed, isOpen, isPayable, newlyEndedMs, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { paymentCheckMs } from '#platform/lending/servicing/poll-servicing.ts'

interface PaymentOptions {
  /** The terms of a loan that the borrower cancels; otherwise null. */
  cancelledTerms?: Offer['terms']
  /** The account of a lender without a payment page, to which the borrower transfers; null for other lenders. */
  payTo?: string | null
  isMissed?: boolean
  isDebited?: boolean
  /** When an open request ends at the latest if it is not paid. */
  unpaidUntil?(operation: ServicingRow): Date
  urlOf?(operation: ServicingRow): string | null
  reportUrlOf?(operation: ServicingRow): string | null
}

/** Returns the newest operation of each kind that is open or has just ended, except status refreshes. */
export function paymentViews(
  operations: ServicingRow[],
  at: Date,
  {
    cancelledTerms = null,
    payTo = null,
    isMissed = false,
    isDebited = false,
    unpaidUntil,
    urlOf = () => null,
    reportUrlOf = () => null,
  }: PaymentOptions = {},
): EmbedPayment[] {
  const newest = new Map(withoutRepeats(operations).map((each) => [each.kind, each]))
  return [...newest.values()].flatMap((operation) => {
    const { kind, status, operationId, amountPaise, paidPaise, requestedPaise, savedPaise, reason, updatedAt } =
      operation
    // What was asked for lets the borrower ask for it again.
    const amount = paidPaise ?? amountPaise ?? (status === 'FAILED' ? requestedPaise : null)
    const isReported = payTo !== null && isClaimed(operation)
    const isUnpaid = isReported && status === 'FAILED' && (isMissed || kind !== 'MISSED_EMI_PAYMENT')
    const isMissing = isUnpaid && kind === 'MISSED_EMI_PAYMENT'
    const isPast = !isOpen(operation) && !isMissing && at.getTime() - updatedAt.getTime() > newlyEndedMs
    const isAwaited = payTo !== null && !isClaimed(operation) && status !== 'PAID'
    const isObsolete = kind === 'MISSED_EMI_PAYMENT' && (isMissed && !isDebited ? status === 'EXPIRED' : isAwaited)
    if (kind === 'STATUS_REFRESH' || status === 'DONE' || isPast || isObsolete) return []
    const pageUrl = isReported ? null : urlOf(operation)
    return [
      {
        operationId,
        kind,
        askedAt: operation.requestedAt.toISOString(),
        unpaidUntil: payTo === null && isOpen(operation) ? (unpaidUntil?.(operation).toISOString() ?? null) : null,
        status,
        amount: amount === null ? null : rupees(amount),
        parts: paymentParts(operation),
        keptFees: keptFees(operation, cancelledTerms),
        redirectUrl: isUnpaid ? reportUrlOf(operation) : pageUrl,
        payTo,
        claim: claimView(operation),
        check: payTo === null ? checkView(operation, operations, at) : null,
        saved: savedPaise === null ? null : rupees(savedPaise),
        problem: wordsOf(reason),
      },
    ]
  })
}

/** The borrower says that a payment is made by asking for the loan's status while its page is open. */
function checkView(operation: ServicingRow, operations: ServicingRow[], at: Date): EmbedPayment['check'] {
  const asked = operations.findLast(
    ({ kind, requestedAt }) => kind === 'STATUS_REFRESH' && requestedAt > operation.requestedAt,
  )
  if (!asked || !isPayable(operation)) return null
  const until = new Date(asked.requestedAt.getTime() + paymentCheckMs)
  return { until: until.toISOString(), isOver: at >= until }
}

function claimView({ transactionId, claimedOn, updatedAt }: ServicingRow): EmbedPayment['claim'] {
  if (transactionId === null || claimedOn === null) return null
  return { reference: transactionId, paidOn: claimedOn, resultBy: resultDay(updatedAt) }
}

/** If the price includes the whole principal, the lender does not refund what it deducted from the payout. */
export function keptFees(
  { kind, amountPaise }: Pick<ServicingRow, 'kind' | 'amountPaise'>,
  stored: Offer['terms'],
): string | null {
  if (!stored || kind !== 'FORECLOSURE' || amountPaise === null) return null
  const { principal, netDisbursed } = termsFrom(stored)
  const fees = principal - netDisbursed
  return fees > 0n && amountPaise >= principal ? rupees(fees) : null
}

/** The parts of a price that has more than one: the instalment or the principal, interest, and charges. */
export function paymentParts({
  kind,
  amountPaise,
  interestPaise,
  chargesPaise,
}: Pick<ServicingRow, 'kind' | 'amountPaise' | 'interestPaise' | 'chargesPaise'>): EmbedPayment['parts'] {
  if (amountPaise === null || interestPaise === null || chargesPaise === null) return []
  const parts = [
    {
      part: kind === 'MISSED_EMI_PAYMENT' ? ('instalment' as const) : ('principal' as const),
      paise: amountPaise - interestPaise - chargesPaise,
    },
    { part: 'interest' as const, paise: interestPaise },
    { part: 'charges' as const, paise: chargesPaise },
  ].filter(({ paise }) => paise > 0n)
  return parts.length > 1 ? parts.map(({ part, paise }) => ({ part, amount: rupees(paise) })) : []
}
