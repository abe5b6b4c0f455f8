// Parts of the page's view after disbursal: instalments, dues, documents, payments and requests.

import type { BorrowerRequest } from '#contract/console/complaint-lists.ts'
import type { Soa } from '#contract/exchange/account.ts'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { type EmbedDues, type EmbedLeave, type EmbedPayment, loanDocuments } from '#contract/hosted/embed-servicing.ts'
import { wordsOf } from '#contract/reason/reason.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import type { SignedAgreement } from '#platform/exchange/store.ts'
import { type Installment, installmentStatus, type Journey } from '#platform/journey/journey.ts'
import { rulesOf } from '#platform/lender/rules.ts'
import type { CoolingOffExit, LoanDocumentLink } from '#platform/offer/documents.ts'
import type { Offer } from '#platform/offer/offer.ts'
import { isOpen, overdueInstalments, type ServicingRow } from '#platform/servicing/store.ts'

/** Returns the repayment plan, with the status of each instalment on the day of `at`. */
export function installmentViews(installments: Installment[], at: Date): EmbedView['installments'] {
  const late = overdueInstalments(installments, at)
  return installments.map((each) => ({
    serialNumber: each.serialNumber,
    amount: rupees(BigInt(each.amount)),
    dueOn: businessDate(new Date(each.dueAt)),
    status: late.includes(each) ? 'OVERDUE' : installmentStatus(each, at),
  }))
}

export function duesViews(account: Soa | null): EmbedDues[] {
  if (!account) return []
  const { total_outstanding, total_overdue, penalty_outstanding } = account
  const parts: EmbedDues[] = [
    { part: 'outstanding', amount: total_outstanding },
    { part: 'overdue', amount: total_overdue },
    { part: 'penalCharges', amount: penalty_outstanding },
  ]
  return parts.filter(({ amount }) => amount !== '0.00')
}

export const documentViews = (documents: LoanDocumentLink[]): EmbedView['documents'] =>
  documents.map(({ code, name, url }) => ({ code: loanDocuments.find((each) => each === code) ?? null, name, url }))

export const agreementView = (
  { fileName }: Pick<SignedAgreement, 'fileName'>,
  url: string,
): EmbedView['documents'][number] => ({ code: 'LOAN_AGREEMENT', name: fileName, url })

/** Returns how the borrower can exit the loan in the cooling-off period, and the cost; null outside the period. */
export function coolingOffView(exit: CoolingOffExit | null): EmbedLeave | null {
  if (!exit) return null
  const { until, agreed, cost } = exit
  return {
    until,
    agreed,
    cost: cost && {
      days: cost.days,
      principal: rupees(cost.principal),
      interest: rupees(cost.interest),
      feeReturned: rupees(cost.fee),
      total: rupees(cost.total),
    },
  }
}

/**
 * Lists the written requests that the borrower can make: cancellation between acceptance and disbursal, a part payment
 * after disbursal. Before acceptance the borrower withdraws the consent instead.
 */
export function availableRequests(
  { active, status }: Pick<Journey, 'active' | 'status'>,
  chosen: Pick<Offer, 'channel'> | undefined,
): BorrowerRequest[] {
  if (!chosen || !active || !rulesOf(chosen).acceptsWrittenRequests) return []
  if (status === 'OFFER_ACCEPTED' || status === 'LENDER_REDIRECTED') return ['CANCELLATION']
  return status === 'DISBURSED' ? ['PART_PAYMENT'] : []
}

/** Returns the newest operation of each kind, except status refreshes and completed operations. */
export function paymentViews(operations: ServicingRow[]): EmbedPayment[] {
  const newest = new Map(operations.map((each) => [each.kind, each]))
  return [...newest.values()].flatMap(({ kind, status, operationId, amountPaise, paidPaise, url, reason }) => {
    const amount = paidPaise ?? amountPaise
    return kind === 'STATUS_REFRESH' || status === 'DONE'
      ? []
      : [
          {
            operationId,
            kind,
            status,
            amount: amount === null ? null : rupees(amount),
            redirectUrl: url,
            problem: wordsOf(reason),
          },
        ]
  })
}

const pollMs = 2000

export const servicingPollMs = (operations: ServicingRow[]): number | null => (operations.some(isOpen) ? pollMs : null)
