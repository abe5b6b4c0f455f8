// The head of a journey in the console: its masked borrower, offers and steps, and the possible acts.

import type { ConsoleOffer, JourneyHead, ListedJourney, PossibleAct } from '#contract/console/journeys.ts'
import type { BankAccount } from '#contract/hosted/embed.ts'
import { rupees } from '#kit/money/money.ts'
import { isTerminal } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'
import { type BorrowerDetails, detailsContext } from '#platform/borrower/borrower.ts'
import { maskedAccount, maskedEmail, maskedPan } from '#platform/console/masked.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { termsFrom } from '#platform/journey/journey.ts'
import { lifecycle } from '#platform/journey/lifecycle-payload.ts'
import { isSelected } from '#platform/offer/offer.ts'
import { listWithLenders } from '#platform/offer/store.ts'
import { bankContext, listSteps } from '#platform/step/store.ts'
import { noSuchJourney } from './journey-place.ts'
import { type HeadRow, type JourneyRow, readHead, readRow } from './journeys-store.ts'
import type { TimelineKey } from './timeline-store.ts'

/** Reads everything from one snapshot. */
export async function headOf(
  ctx: Context,
  who: ConsolePerson,
  of: TimelineKey,
  listed: (ctx: Context, row: JourneyRow) => ListedJourney,
): Promise<JourneyHead> {
  const [found, more, offers, steps] = await ctx.db.snapshot((db) =>
    Promise.all([readRow(db, of), readHead(db, of), listWithLenders(db, of), listSteps(db, of)]),
  )
  if (!found) throw noSuchJourney()
  const head = required(more, 'the rest of a journey that is there')
  const row = listed(ctx, found)
  const { personal, bank } = ctx.seal.openJson<BorrowerDetails>(
    found.profileSealed,
    detailsContext(of.tenantId, of.journeyId),
  )
  const account = head.bankSealed
    ? ctx.seal.openJson<BankAccount>(head.bankSealed, bankContext(of.tenantId, of.journeyId))
    : bank
  return {
    ...row,
    application: head.application,
    networkTransactionId: head.networkTransactionId,
    caseRef: head.caseRef,
    endReason: found.endReason,
    lastBorrowerActAt: found.lastBorrowerActAt.toISOString(),
    closedAt: found.closedAt?.toISOString() ?? null,
    borrower: {
      ...row.borrower,
      pan: maskedPan(personal.pan),
      email: maskedEmail(personal.personalEmail),
      account: maskedAccount(account?.accountNumber),
    },
    offers: offers.map(offerWire),
    steps: steps.map(({ name, status, attempts, diagnostics }) => ({
      name,
      status,
      attempts,
      problem: diagnostics?.problem ?? null,
    })),
    acts: actsFor(who, found, head, ctx.config.SANDBOX),
    deliveries: { waiting: head.waitingDeliveries, lost: head.lostDeliveries },
  }
}

function offerWire(offer: Awaited<ReturnType<typeof listWithLenders>>[number]): ConsoleOffer {
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
  }
}

/** Viewers have no acts, and an act without an object is not offered. */
function actsFor(
  { role, tenantId }: Pick<ConsolePerson, 'role' | 'tenantId'>,
  { active, status }: Pick<JourneyRow, 'active' | 'status'>,
  { lostDeliveries, deadEvents, heldEvents }: Pick<HeadRow, 'lostDeliveries' | 'deadEvents' | 'heldEvents'>,
  isSandbox: boolean,
): PossibleAct[] {
  const act = (
    name: PossibleAct['act'],
    may: boolean,
    because: PossibleAct['because'],
    count: number | null = null,
  ) => ({
    act: name,
    possible: may && because === null,
    because: may ? because : ('ROLE' as const),
    count,
  })
  const acting = role !== 'viewer'
  const ofPlatform = tenantId === null && (role === 'operator' || role === 'admin')
  const some = (count: number) => (count === 0 ? 'NOTHING_TO_DO' : null)
  return [
    act('reveal', acting, null),
    act('replay-deliveries', acting && role !== 'grievance-officer', some(lostDeliveries), lostDeliveries),
    act('replay-events', ofPlatform, some(deadEvents), deadEvents),
    act('retry-events', ofPlatform, some(heldEvents), heldEvents),
    act(
      'move-on',
      role !== 'viewer' && role !== 'grievance-officer',
      !isSandbox ? 'SANDBOX_ONLY' : !active ? 'ENDED' : isTerminal(lifecycle, status) ? 'NOTHING_TO_DO' : null,
    ),
  ]
}
