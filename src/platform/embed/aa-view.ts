// The hosted page's view of consents, of a fund statement, and of grievances (D2 §4 aa/sessions, FIS12 §20).
import type { EmbedConsent, EmbedFunds } from '#contract/hosted/embed-consents.ts'
import type { EmbedGrievance, EmbedGrievances } from '#contract/hosted/embed-grievance.ts'
import type { Portfolio } from '#contract/hosted/read-portfolio.ts'
import { wordsOf } from '#contract/reason/reason.ts'
import { rupees } from '#kit/money/money.ts'
import { type AaSession, aaIdOf, handleEnding, isOver, mayRedirect, mustEnterHandle } from '#platform/aa/session.ts'
import type { Context } from '#platform/context.ts'
import { registrarFor } from '#platform/fund-statement/begin.ts'
import { type FundStatement, isFetchable } from '#platform/fund-statement/fund-statement.ts'
import { isOpen, questionOf } from '#platform/grievance/grievance.ts'
import type { GrievanceOverview } from '#platform/grievance/read.ts'
import type { Journey } from '#platform/journey/journey.ts'

/**
 * Returns the newest consent request of each offer that the borrower or the aggregator must still complete. After a
 * failure nothing remains to be done, because the lender answers the offer request.
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
    const isDue = mayRedirect(session) && state !== 'RECONCILING'
    const report = isOver(state) ? 'OVER' : mustEnterHandle(session) ? 'HANDLE' : isDue ? 'DUE' : 'CHECKING'
    const handle =
      report === 'HANDLE' ? { refused: aaIdOf(ctx, session), at: handleEnding(ctx, session).slice(1) } : null
    return [{ offerId, ...lenderOf(offerId), purpose, standing: report, handle, problem: wordsOf(reason) }]
  })
}

/** Milliseconds until the page polls for the statement again. */
export const fundsPollMs = (newest: FundStatement | undefined): number | null =>
  newest?.status === 'PENDING' ? 1500 : null

/** Returns null for other products, after the search of lenders, and when no registrar is configured. */
export function fundsView(
  ctx: Pick<Context, 'config'>,
  journey: Journey,
  portfolio: Portfolio | null,
  newest: FundStatement | undefined,
): EmbedFunds | null {
  const { name, isConfigured } = registrarFor(ctx, journey)
  if (!isFetchable(journey)) return null
  const isKnown = portfolio !== null && portfolio.holdings.length > 0
  if (!isKnown && !isConfigured(ctx)) return null
  const standing = newest?.status ?? (isKnown ? 'READY' : 'NONE')
  return { registrar: name, standing, fault: newest?.reason ?? null }
}

/** Whether there may be a loan, about which the borrower can complain. */
export const hasLoan = ({ status }: Pick<Journey, 'status'>): boolean =>
  status === 'LENDER_REDIRECTED' || status === 'DISBURSED'

/** Lists grievances newest first; null before there is a loan. */
export function grievancesView(overview: GrievanceOverview | null): EmbedGrievances | null {
  if (overview === null || overview.channel === 'not-confirmed') return null
  return { possible: overview.channel === 'network', items: overview.grievances.map(grievanceView).reverse() }
}

function grievanceView({ grievance, officer, mayEscalate }: GrievanceOverview['grievances'][number]): EmbedGrievance {
  const { detail, refundPaise } = grievance
  return {
    id: grievance.grievanceId,
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

const pollMs = 5000

/** Poll interval while a grievance is open, because the lender may answer or the deadline may pass; otherwise null. */
export const grievancePollMs = (overview: GrievanceOverview | null): number | null =>
  overview?.grievances.some(({ grievance }) => isOpen(grievance)) ? pollMs : null
