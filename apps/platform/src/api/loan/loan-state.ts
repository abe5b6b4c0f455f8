// Reads the state of a loan for integrators: amounts from the newest report of the lender, and never added up from events.

import { allOf } from '@lendloom/foundation/all-of'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { reversalsIn } from '@lendloom/wire/exchange/account'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { LoanState } from '@lendloom/wire/hosted/loan-state'
import { installmentViews } from '#platform/api/page/servicing-view.ts'
import type { Context } from '#platform/context.ts'
import { loanSnapshotOf } from '#platform/lenders/partner/status-snapshot.ts'
import { type Installment, installmentStatus } from '#platform/lending/journey/installment.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { isErased } from '#platform/lending/journey/store.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { isSelected, type Offer } from '#platform/lending/offer/offer.ts'
import { openLine } from '#platform/lending/offer/pledge.ts'
import { listWithLenders } from '#platform/lending/offer/store.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import { isUnpaid, unpaidSum } from '#platform/lending/servicing/repayment-schedule.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { stepNamed } from '#platform/lending/step/step.ts'
import { listSteps } from '#platform/lending/step/store.ts'
import { loanAccountOf } from './loan-account.ts'

type LoanJourney = Pick<Journey, 'tenantId' | 'journeyId' | 'status' | 'endReason' | 'closedAt'>

/** All queries read one snapshot of the database. Throws `wrong-state` while the journey has no loan. */
export async function readLoanState(ctx: Context, journey: LoanJourney, at: Date): Promise<LoanState> {
  const state = await ctx.db.snapshot((db) => loanStateOf(db, ctx, journey, at))
  if (state === null) throw new Refusal('wrong-state', 'this journey has no loan, or its data was erased')
  return state
}

/** The state of the journey's loan at an instant; null while the journey has none, and after its data was erased. */
export async function loanStateOf(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  journey: LoanJourney,
  at: Date,
): Promise<LoanState | null> {
  const { isGone, offers, steps, operations, snapshot } = await allOf({
    isGone: isErased(db, journey),
    offers: listWithLenders(db, journey),
    steps: listSteps(db, journey),
    operations: listServicing(db, journey),
    snapshot: loanSnapshotOf(db, ctx, journey),
  })
  const offer = offers.find(isSelected)
  const isPaidOut = journey.status === 'DISBURSED'
  const line = offer ? openLine(offer) : null
  if (isGone || !offer || !(isPaidOut || line)) return null
  const account = isPaidOut ? await loanAccountOf(db, { journey, offer, steps, snapshot, at }) : null
  const dues = account && duesOf(account, offer, snapshot, at)
  const terms = offer.terms && termsFrom(offer.terms)
  return {
    journeyID: journey.journeyId,
    lender: offer.lender.name,
    state: stateOf(account, dues, { isLine: line !== null, isClosed: journey.closedAt !== null }),
    number: account?.number ?? null,
    paidOutAt: isPaidOut ? (stepNamed(steps, 'disbursal').updatedAt?.toISOString() ?? null) : null,
    closedAt: journey.closedAt?.toISOString() ?? null,
    reportedAt: snapshot?.snapshot_at ?? line?.changedAt.toISOString() ?? null,
    principal: line ? rupees(line.limit) : terms && rupees(terms.principal),
    outstanding: journey.closedAt ? null : outstandingIn(snapshot),
    unpaidInstalments: account?.unpaidInstalments ?? null,
    overdue: dues?.overdue ?? null,
    nextDue: dues?.nextDue ?? null,
    instalments: account ? installmentsOf(offer, snapshot, at) : [],
    payments: operations
      .filter(isPayment)
      .toReversed()
      .map((each) => paymentWire(each, snapshot)),
    creditLine: line && {
      limit: rupees(line.limit),
      drawn: rupees(line.utilised),
      available: rupees(line.available),
      reportedAt: line.changedAt.toISOString(),
    },
  }
}

type Account = Awaited<ReturnType<typeof loanAccountOf>>

type Dues = Pick<LoanState, 'overdue' | 'nextDue'>

/**
 * What is overdue and due next, as the lender tells it: a partner by its account. On the network an instalment is overdue
 * only by the lender's status; one whose day has passed stays due, because its payment may not be reported yet.
 */
function duesOf(account: Account, offer: Offer, snapshot: SnapshotStatus | null, at: Date): Dues {
  const { overdue: amount, overdueInstalments, overdueSince, nextDue, closedAt } = account
  if (snapshot)
    return {
      overdue: amount ? { amount, instalments: overdueInstalments, since: overdueSince } : null,
      nextDue,
    }
  const unpaid = closedAt === null ? offer.installments.filter(isUnpaid) : []
  const isLate = (each: Installment) => installmentStatus(each, at) === 'OVERDUE'
  const late = unpaid.filter(isLate)
  const next = unpaid.find((each) => !isLate(each))
  const [first] = late
  return {
    overdue: first ? { amount: rupees(unpaidSum(late)), instalments: late.length, since: dayOf(first) } : null,
    nextDue: next ? { dueOn: dayOf(next), amount: rupees(BigInt(next.amount)) } : null,
  }
}

const dayOf = ({ dueAt }: Installment): string => businessDate(new Date(dueAt))

function stateOf(
  account: Account | null,
  dues: Dues | null,
  { isLine, isClosed }: { isLine: boolean; isClosed: boolean },
): LoanState['state'] {
  if (account?.state === 'CANCELLED') return 'CANCELLED'
  if (isLine && isClosed) return 'CLOSED'
  if (account === null) return 'OPEN'
  return account.state === 'REPAID' ? 'REPAID' : dues?.overdue ? 'OVERDUE' : 'RUNNING'
}

function outstandingIn(snapshot: SnapshotStatus | null): LoanState['outstanding'] {
  const soa = snapshot?.soa
  return soa
    ? {
        total: soa.total_outstanding,
        principal: soa.principal_outstanding,
        interest: soa.interest_outstanding,
        charges: soa.charges_outstanding,
        penalCharges: soa.penalty_outstanding,
      }
    : null
}

function installmentsOf(offer: Offer, snapshot: SnapshotStatus | null, at: Date): LoanState['instalments'] {
  const told = new Map(offer.installments.map((each) => [each.serialNumber, installmentStatus(each, at)]))
  return installmentViews(offer.installments, snapshot, at).map(({ serialNumber, dueOn, amount, status }) => ({
    serialNumber,
    dueOn,
    amount,
    status: (snapshot === null && told.get(serialNumber)) || status,
  }))
}

type PaymentRow = ServicingRow & {
  kind: LoanState['payments'][number]['kind']
  status: LoanState['payments'][number]['status']
}

/** A question about the state of the loan is no payment. */
const isPayment = (operation: ServicingRow): operation is PaymentRow => operation.kind !== 'STATUS_REFRESH'

/** A payment stays PAID when its lender reports its return, which only the lender's report tells. */
function paymentWire(operation: PaymentRow, snapshot: SnapshotStatus | null): LoanState['payments'][number] {
  const { operationId, kind, status, paymentId } = operation
  const amount = operation.paidPaise ?? operation.amountPaise ?? operation.requestedPaise
  const isReturned = status === 'PAID' && reversalsIn(snapshot?.payments ?? []).has(paymentId)
  return {
    operationID: operationId,
    kind,
    status: isReturned ? 'RETURNED' : status,
    amount: amount === null ? null : rupees(amount),
    updatedAt: operation.updatedAt.toISOString(),
  }
}
