// What a borrower does on the hosted page after disbursal, and how it shows there: each act asks the lender (D2 §4).

import { type EmbedView, EmbedViewReply } from '#contract/hosted/embed.ts'
import {
  type EmbedPayment,
  EmbedServicingRequest,
  type InstallmentStatus,
  type ServicingPath,
  servicingPaths,
} from '#contract/hosted/embed-servicing.ts'
import { Closed, OneOf } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { paiseFrom, rupees } from '#kit/money/money.ts'
import { embedSession } from '#platform/access/embed-session.ts'
import { route } from '#platform/context.ts'
import { type Installment, installmentStatus } from '#platform/journey/terms.ts'
import { requestServicing, requestStatusRefresh } from '#platform/servicing/request.ts'
import { isOpen, overdue, type Servicing, type ServicingKind } from '#platform/servicing/servicing.ts'
import { acted } from './act.ts'

const kinds: Record<Exclude<ServicingPath, 'status'>, Exclude<ServicingKind, 'STATUS_REFRESH'>> = {
  foreclosure: 'FORECLOSURE',
  'pre-part-payment': 'PRE_PART_PAYMENT',
  'missed-emi-payment': 'MISSED_EMI_PAYMENT',
}

export const service = route({
  method: 'POST',
  path: '/api/embed/servicing/{kind}',
  section: 'D2 §4',
  summary: 'Ask the lender for a payment page, or how the loan stands',
  auth: embedSession,
  hidden: true,
  params: Closed({ kind: OneOf([...servicingPaths]) }),
  body: EmbedServicingRequest,
  reply: { 200: EmbedViewReply },
  handle: ({ who, params, body, at }, ctx) =>
    acted(ctx, who, at, async (tx, journey) => {
      if (params.kind === 'status') return requestStatusRefresh(tx, ctx, journey, at)
      const amount = body.amount === undefined ? {} : { amount: paiseFrom(body.amount)! }
      return requestServicing(tx, ctx, journey, kinds[params.kind], amount, at)
    }),
})

/** The plan with what each instalment means for the borrower today. */
export function installmentParts(installments: Installment[], at: Date): EmbedView['installments'] {
  const late = overdue(installments, at)
  return installments.map((each) => ({
    serialNumber: each.serialNumber,
    amount: rupees(BigInt(each.amount)),
    dueOn: businessDate(new Date(each.dueAt)),
    status: late.includes(each) ? 'OVERDUE' : (installmentStatus(each, at) as InstallmentStatus),
  }))
}

/** The newest of each kind, which is the one that counts. */
export function paymentParts(operations: Servicing[]): EmbedPayment[] {
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
            problem: reason,
          },
        ]
  })
}

const pollMs = 2000

/** While something is open the lender may answer at any moment. */
export const servicingPollMs = (operations: Servicing[]): number | null => (operations.some(isOpen) ? pollMs : null)
