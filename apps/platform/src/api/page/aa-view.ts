// What the hosted page shows of consents, fund statements and grievances (D2 §4 aa/sessions, FIS12 §20).

import { rupees } from '@lendloom/lending/money'
import { wordsOf } from '@lendloom/lending/reason/reason'
import { isRequestCategory } from '@lendloom/wire/console/complaint-lists'
import type { EmbedConsent, EmbedFunds } from '@lendloom/wire/hosted/embed-consents'
import type { EmbedGrievance, EmbedGrievances } from '@lendloom/wire/hosted/embed-grievance'
import type { Portfolio } from '@lendloom/wire/hosted/read-portfolio'
import type { LoanComplaints } from '#platform/complaints/complaint/store.ts'
import { isOpen, questionOf } from '#platform/complaints/grievance/grievance.ts'
import type { GrievanceOverview } from '#platform/complaints/grievance/read.ts'
import type { Context } from '#platform/context.ts'
import {
  type AaSession,
  aaIdOf,
  handleEnding,
  isOver,
  mayRedirect,
  mustEnterHandle,
} from '#platform/lenders/network/consent/session.ts'
import { registrarFor } from '#platform/lending/fund-statement/begin.ts'
import { type FundStatement, isFetchable } from '#platform/lending/fund-statement/fund-statement.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'

/**
 * Returns the newest consent request of each offer, unless it is complete. A failed request for underwriting counts as
 * complete, because the lender answers the offer request without the consent.
 */
export function consentViews(
  ctx: Pick<Context, 'seal' | 'config'>,
  { status }: Journey,
  sessions: AaSession[],
  lenderOf: (offerId: string) => { lenderId: string; lenderName: string },
): EmbedConsent[] {
  const purpose = status === 'LENDER_REDIRECTED' ? 'MONITORING' : 'UNDERWRITING'
  const newestByOffer = new Map(sessions.filter((each) => each.purpose === purpose).map((each) => [each.offerId, each]))
  return [...newestByOffer.values()].flatMap((session) => {
    const { state, offerId, reason } = session
    const isDone = state === 'CONFIRMED' || state === 'NOT_REQUIRED' || (purpose === 'UNDERWRITING' && isOver(state))
    if (isDone) return []
    const standing = standingOf(session)
    const handle =
      standing === 'HANDLE' ? { refused: aaIdOf(ctx, session), at: handleEnding(ctx, session).slice(1) } : null
    return [{ offerId, ...lenderOf(offerId), purpose, standing, handle, problem: wordsOf(reason) }]
  })
}

function standingOf(session: AaSession): EmbedConsent['standing'] {
  if (isOver(session.state)) return 'OVER'
  if (mustEnterHandle(session)) return 'HANDLE'
  return mayRedirect(session) && session.state !== 'RECONCILING' ? 'DUE' : 'CHECKING'
}

export const fundsPollMs = (newest: FundStatement | undefined): number | null =>
  newest?.status === 'PENDING' ? 1500 : null

/** Returns null if no statement may be fetched, or if a statement is neither stored nor available from a registrar. */
export function fundsView(
  ctx: Pick<Context, 'config'>,
  journey: Journey,
  portfolio: Portfolio | null,
  newest: FundStatement | undefined,
): EmbedFunds | null {
  const { name, isConfigured } = registrarFor(ctx, journey)
  if (!isFetchable(journey)) return null
  const hasHoldings = portfolio !== null && portfolio.holdings.length > 0
  if (!hasHoldings && !isConfigured(ctx)) return null
  const standing = newest?.status ?? (hasHoldings ? 'READY' : 'NONE')
  return { registrar: name, standing, fault: newest?.reason ?? null }
}

/** Whether the lender may have a loan of the borrower, who can then raise a grievance. */
export const hasLoan = ({ status }: Pick<Journey, 'status'>): boolean =>
  status === 'LENDER_REDIRECTED' || status === 'DISBURSED'

/** Lists grievances newest first, without those of requests, which help shows; null before there is a loan. */
export function grievancesView(
  overview: GrievanceOverview | null,
  complaints: LoanComplaints['ofGrievances'] = [],
): EmbedGrievances | null {
  if (overview === null || overview.channel === 'not-confirmed') return null
  const items = overview.grievances.flatMap((each) => {
    const complaint = complaints.find(({ grievanceId }) => grievanceId === each.grievance.grievanceId)
    return isRequestCategory(complaint?.category ?? '') ? [] : [grievanceView(each, complaint?.number ?? null)]
  })
  return { possible: overview.channel === 'network', items: items.reverse() }
}

function grievanceView(
  { grievance, officer, mayEscalate }: GrievanceOverview['grievances'][number],
  number: string | null,
): EmbedGrievance {
  const { detail, refundPaise } = grievance
  return {
    id: grievance.grievanceId,
    number,
    closedAt: detail.ours.findLast(({ action }) => action === 'CLOSE')?.at ?? null,
    topic: grievance.topic,
    text: detail.text,
    status: grievance.status,
    escalated: grievance.issueType === 'GRIEVANCE',
    mayEscalate,
    late: grievance.lateAt !== null && (grievance.status === 'OPEN' || grievance.status === 'ESCALATED'),
    notTaken: grievance.refusedCode !== null,
    raisedAt: grievance.createdAt.toISOString(),
    dueAt: grievance.resolutionDueAt.toISOString(),
    question: questionOf(grievance),
    resolution:
      grievance.status === 'RESOLVED' || grievance.status === 'CLOSED'
        ? detail.resolution && {
            ...detail.resolution,
            action: grievance.resolutionAction,
            refund: refundPaise === null ? null : rupees(refundPaise),
          }
        : null,
    rating: grievance.rating,
    officer,
  }
}

const openGrievancePollMs = 5000

export const grievancePollMs = (overview: GrievanceOverview | null): number | null =>
  overview?.grievances.some(({ grievance }) => isOpen(grievance)) ? openGrievancePollMs : null
