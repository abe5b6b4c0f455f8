// The head of a journey in the console: its masked borrower, offers and steps, and the possible acts.

import { allOf } from '@lendloom/foundation/all-of'
import { isTerminal } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import { rupees } from '@lendloom/lending/money'
import { contractOf } from '@lendloom/lending/product/products'
import type {
  ActAvailability,
  ConsoleGold,
  ConsoleLine,
  ConsoleOffer,
  JourneyHead,
  ListedJourney,
} from '@lendloom/wire/console/journeys'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import { maskedAccount, maskedEmail, maskedPan } from '#platform/api/console/mask-borrower.ts'
import { loanAccountOf } from '#platform/api/loan/loan-account.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { loanSnapshotOf } from '#platform/lenders/partner/status-snapshot.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import type { Drawdown } from '#platform/lending/drawdown/drawdown.ts'
import { listDrawdowns } from '#platform/lending/drawdown/store.ts'
import { lifecycle } from '#platform/lending/journey/lifecycle.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { isSelected } from '#platform/lending/offer/offer.ts'
import { openLine } from '#platform/lending/offer/pledge.ts'
import { listWithLenders } from '#platform/lending/offer/store.ts'
import { inUsualOrder } from '#platform/lending/step/step.ts'
import { bankContext, listSteps } from '#platform/lending/step/store.ts'
import { noSuchJourney } from './journey-key.ts'
import { type HeadRow, type JourneyRow, readHead, readJourneyRow } from './journeys-store.ts'
import type { TimelineKey } from './timeline-store.ts'

/** All queries read one database snapshot. */
const readParts = (ctx: Context, key: TimelineKey) =>
  ctx.db.snapshot(async (db) => {
    const parts = await allOf({
      row: readJourneyRow(db, key),
      headRow: readHead(db, key),
      offers: listWithLenders(db, key),
      steps: listSteps(db, key),
    })
    const { row, offers, steps } = parts
    const offer = row?.status === 'DISBURSED' ? offers.find(isSelected) : undefined
    const loan =
      row && offer
        ? await loanAccountOf(db, {
            journey: row,
            offer,
            steps,
            snapshot: await loanSnapshotOf(db, ctx, row),
            at: ctx.clock(),
          })
        : null
    const hasLine = offers.some((each) => isSelected(each) && openLine(each) !== null)
    return { ...parts, loan, drawdowns: hasLine ? await listDrawdowns(db, key) : [] }
  })

export async function headOf(
  ctx: Context,
  who: ConsolePerson,
  key: TimelineKey,
  describe: (ctx: Context, row: JourneyRow, isCancelled: boolean) => ListedJourney,
): Promise<JourneyHead> {
  const { row, headRow, offers, steps, drawdowns, loan } = await readParts(ctx, key)
  if (!row) throw noSuchJourney()
  const head = required(headRow, 'the head of an existing journey')
  const listedItem = describe(ctx, row, loan?.state === 'CANCELLED')
  const { personal, bank, gold } = ctx.seal.openJson<BorrowerDetails>(
    row.profileSealed,
    detailsContext(key.tenantId, key.journeyId),
  )
  const account = head.bankSealed
    ? ctx.seal.openJson<BankAccount>(head.bankSealed, bankContext(key.tenantId, key.journeyId))
    : bank
  return {
    ...listedItem,
    application: head.application,
    networkTransactionId: head.networkTransactionId,
    caseRef: head.caseRef,
    endReason: row.endReason,
    previous: neighbourWire(head.previous),
    next: neighbourWire(head.next),
    lastBorrowerActAt: row.lastBorrowerActAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    borrower: {
      ...listedItem.borrower,
      pan: maskedPan(personal.pan),
      email: maskedEmail(personal.personalEmail),
      account: maskedAccount(account?.accountNumber),
    },
    loan,
    creditLine: lineWire(offers.find(isSelected), drawdowns, row.closedAt),
    gold: goldWire(gold, offers.find(isSelected)),
    visitsBranch: row.lenderMode === 'OFFLINE' && contractOf(row.type).visitsBranch,
    offers: offers.map(offerWire),
    steps: inUsualOrder(steps).map(({ name, status, attempts, diagnostics }) => ({
      name,
      status,
      attempts,
      problem: diagnostics?.problem ?? null,
    })),
    acts: actsFor(who, row, head, ctx.config.SANDBOX),
    deliveries: {
      waiting: head.waitingDeliveries,
      lost: head.lostDeliveries,
      failing: head.failing.map((each) => ({ ...each, at: new Date(each.at).toISOString() })),
    },
  }
}

const neighbourWire = (row: HeadRow['next']): JourneyHead['next'] =>
  row && { ...row, createdAt: new Date(row.createdAt).toISOString() }

type OfferWithLender = Awaited<ReturnType<typeof listWithLenders>>[number]

/** The timeline has all of them. */
const maxDrawdowns = 20

function lineWire(
  chosen: OfferWithLender | undefined,
  drawdowns: Drawdown[],
  closedAt: Date | null,
): ConsoleLine | null {
  const line = chosen ? openLine(chosen) : null
  return (
    line && {
      limit: rupees(line.limit),
      drawn: rupees(line.utilised),
      available: rupees(line.available),
      openedAt: line.openedAt.toISOString(),
      reportedAt: line.changedAt.toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
      drawdowns: drawdowns.toReversed().slice(0, maxDrawdowns).map(drawdownWire),
    }
  )
}

const drawdownWire = (drawdown: Drawdown): ConsoleLine['drawdowns'][number] => ({
  drawdownId: drawdown.drawdownId,
  amount: rupees(drawdown.paidPaise ?? drawdown.principalPaise ?? drawdown.requestedPaise),
  status: drawdown.status,
  reason: drawdown.reason,
  changedAt: drawdown.updatedAt.toISOString(),
})

function goldWire(gold: BorrowerDetails['gold'], chosen: OfferWithLender | undefined): ConsoleGold | null {
  const branch = chosen?.branches.find(({ id }) => id === chosen.branchId)
  return (
    gold && {
      weightGrams: gold.jewelleryWeightGrams ?? null,
      purity: gold.purity ?? null,
      branch: branch ? (branch.name ?? branch.id) : null,
    }
  )
}

function offerWire(offer: OfferWithLender): ConsoleOffer {
  const terms = offer.terms && termsFrom(offer.terms)
  return {
    offerId: offer.offerId,
    lenderId: offer.lenderId,
    lender: offer.lender.name,
    status: offer.status,
    reason: offer.reason,
    chosen: isSelected(offer),
    accepted: offer.accepted,
    rejectedAt: offer.rejectedAt?.toISOString() ?? null,
    validUntil: offer.validUntil?.toISOString() ?? null,
    final: offer.finalTerms,
    principal: terms && rupees(terms.principal),
    installment: terms && rupees(terms.installmentAmount),
    interestRate: terms?.interestRate ?? null,
    apr: terms?.apr ?? null,
    term: terms?.term ?? null,
    installmentsCount: terms?.installmentsCount ?? null,
    repaymentFrequency: terms?.repaymentFrequency ?? null,
    creditLine: offer.creditLine,
  }
}

/** Lists all acts. `because` is the reason why the person cannot perform an act, and null for a possible act. */
function actsFor(
  { role, tenantId }: Pick<ConsolePerson, 'role' | 'tenantId'>,
  { active, status, erasedAt }: Pick<JourneyRow, 'active' | 'status' | 'erasedAt'>,
  { lostDeliveries, deadEvents, heldEvents }: Pick<HeadRow, 'lostDeliveries' | 'deadEvents' | 'heldEvents'>,
  isSandbox: boolean,
): ActAvailability[] {
  const act = (
    name: ActAvailability['act'],
    isPermitted: boolean,
    because: ActAvailability['because'],
    count: number | null = null,
  ) => ({
    act: name,
    possible: isPermitted && because === null,
    because: isPermitted ? because : ('ROLE' as const),
    count,
  })
  const mayAct = role !== 'viewer'
  const mayActOnEvents = tenantId === null && (role === 'operator' || role === 'admin')
  const reasonIfNone = (count: number) => (count === 0 ? 'NOTHING_TO_DO' : null)
  const whyNotMovable = () => {
    if (!isSandbox) return 'SANDBOX_ONLY'
    if (!active) return 'ENDED'
    return isTerminal(lifecycle, status) ? 'NOTHING_TO_DO' : null
  }
  return [
    act('reveal', mayAct, erasedAt ? 'NOTHING_TO_DO' : null),
    act('replay-deliveries', mayAct && role !== 'grievance-officer', reasonIfNone(lostDeliveries), lostDeliveries),
    act('replay-events', mayActOnEvents, reasonIfNone(deadEvents), deadEvents),
    act('retry-events', mayActOnEvents, reasonIfNone(heldEvents), heldEvents),
    act('move-on', mayAct && role !== 'grievance-officer', whyNotMovable()),
  ]
}
