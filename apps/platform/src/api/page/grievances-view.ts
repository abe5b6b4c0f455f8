// What the hosted page shows of grievances at the lender (FIS12 §20).

import { rupees } from '@lendloom/lending/money'
import { isRequestCategory } from '@lendloom/wire/console/complaint-lists'
import type { EmbedGrievance, EmbedGrievances } from '@lendloom/wire/hosted/embed-grievance'
import type { LoanComplaints } from '#platform/complaints/complaint/loan-complaint-store.ts'
import { type Grievance, isOpen } from '#platform/complaints/grievance/grievance.ts'
import { type GrievanceOverview, historyOf } from '#platform/complaints/grievance/grievance-history.ts'

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
    messages: messagesOf(grievance),
    resolution: hasResolution(grievance)
      ? detail.resolution && {
          at: resolvedAtOf(grievance),
          ...detail.resolution,
          action: grievance.resolutionAction,
          refund: refundPaise === null ? null : rupees(refundPaise),
        }
      : null,
    rating: grievance.rating,
    officer,
  }
}

const hasResolution = ({ status }: Grievance): boolean => status === 'RESOLVED' || status === 'CLOSED'

const resolvedAtOf = ({ detail }: Grievance): string | null =>
  detail.theirs.findLast(({ action }) => action === 'RESOLVED')?.at ?? null

/** Questions and answers, and the resolutions that are no longer the lender's last word, oldest first. */
function messagesOf(grievance: Grievance): EmbedGrievance['messages'] {
  const latestResolution = hasResolution(grievance) ? resolvedAtOf(grievance) : null
  return historyOf(grievance).flatMap(({ at, by, action, text }) => {
    const isSaid = by === 'borrower' ? action === 'ADDED' : action === 'NEED-MORE-INFO' || action === 'RESOLVED'
    const isShownAsResolution = action === 'RESOLVED' && at === latestResolution
    return isSaid && !isShownAsResolution && text ? [{ at, by: by === 'borrower' ? 'BORROWER' : 'LENDER', text }] : []
  })
}

const openGrievancePollMs = 5000

export const grievancePollMs = (overview: GrievanceOverview | null): number | null =>
  overview?.grievances.some(({ grievance }) => isOpen(grievance)) ? openGrievancePollMs : null
