// What the hosted page shows of complaints (FIS12 §20).
import type { EmbedGrievance, EmbedGrievances } from '#contract/hosted/embed-grievance.ts'
import { rupees } from '#kit/money/money.ts'
import { isOpen, questionOf } from '#platform/grievance/grievance.ts'
import type { GrievanceOverview } from '#platform/grievance/read.ts'
import type { Journey } from '#platform/journey/journey.ts'

/** Whether there may be a loan to complain of. */
export const hasLoan = ({ status }: Pick<Journey, 'status'>): boolean =>
  status === 'LENDER_REDIRECTED' || status === 'DISBURSED'

/** The newest first; null where there is no loan yet. */
export function grievanceParts(overview: GrievanceOverview | null): EmbedGrievances | null {
  if (overview === null || overview.channel === 'not-confirmed') return null
  return { possible: overview.channel === 'network', items: overview.grievances.map(part).reverse() }
}

function part({ grievance, officer, mayEscalate }: GrievanceOverview['grievances'][number]): EmbedGrievance {
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

/** While one is open the lender may answer, or its time may end. */
export const grievancePollMs = (overview: GrievanceOverview | null): number | null =>
  overview?.grievances.some(({ grievance }) => isOpen(grievance)) ? pollMs : null
