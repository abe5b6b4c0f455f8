// What the complaints about a loan say of it: its requested or granted exit in the cooling-off period, and open questions.

import { type Run, sql } from '@lendloom/postgres/sql'
import { type BorrowerRequest, borrowerRequests, isRequestCategory } from '@lendloom/wire/console/complaint-lists'
import { type Complaint, isRefusedOrWithdrawn } from './complaint.ts'
import type { ComplaintTimes } from './deadlines.ts'

export type ExitRequest = Pick<Complaint, 'number' | 'receivedAt' | 'origin' | 'status' | 'outcome'>

export interface WrittenRequest extends ComplaintTimes {
  category: BorrowerRequest
  receivedAt: Date
}

type Row = ExitRequest & ComplaintTimes & Pick<Complaint, 'category' | 'grievanceId'> & { isGranted: boolean }

export interface LoanComplaints {
  /** The newest request to exit the loan, unless it was withdrawn or refused, or has ended with the loan. */
  exitRequest: ExitRequest | undefined
  exitRequestedAt: Date | null
  /** Whether a request is closed because the loan is cancelled. */
  isExitGranted: boolean
  /** Whether there was ever a request to exit, also a withdrawn or refused one. */
  hasRequestedExit: boolean
  /** The newest of each kind of the other requests, unless it is closed. */
  requests: WrittenRequest[]
  /** Whether a complaint has an answer or a question to read under Help; grievances of the network have their own. */
  isAnswered: boolean
  isOpen: boolean
  ofGrievances: Pick<Complaint, 'number' | 'category' | 'grievanceId'>[]
}

/** Condition on complaint `c`: the lender recorded the exit, so that our letter about it closed the request. */
const isExitGranted = sql`c.category = 'COOLING_OFF' and c.outcome = 'UPHELD' and exists (
  select from complaint_entry e where e.tenant_id = c.tenant_id and e.complaint_id = c.complaint_id
    and e.author = 'SYSTEM' and e.kind = 'RESOLUTION')`

/** Reads what the page of a loan shows of its complaints. */
export async function findLoanComplaints(
  db: Run,
  { tenantId, journeyId, closedAt }: { tenantId: string; journeyId: string; closedAt: Date | null },
): Promise<LoanComplaints> {
  const rows = await db<Row>`
    select c.number, c.received_at, c.origin, c.status, c.category, c.outcome, c.grievance_id, c.first_answered_at,
      c.first_answer_due_at, c.resolution_due_at, c.exit_pay_by, c.reopened, ${isExitGranted} as is_granted
    from complaint c
    where c.tenant_id = ${tenantId} and c.journey_id = ${journeyId} and c.status <> 'MERGED'
    order by c.received_at desc, c.complaint_id desc limit 50`
  const isExit = ({ category }: Row) => category === 'COOLING_OFF'
  const ofHelp = rows.filter((row) => !isRequestCategory(row.category) && !row.grievanceId)
  const exitRequest = rows.find((row) => isExit(row) && !(row.status === 'CLOSED' && isRefusedOrWithdrawn(row)))
  return {
    exitRequest: closedAt === null || exitRequest?.status !== 'CLOSED' ? exitRequest : undefined,
    exitRequestedAt: exitRequest?.receivedAt ?? null,
    isExitGranted: rows.some(({ isGranted }) => isGranted),
    hasRequestedExit: rows.some(isExit),
    requests: borrowerRequests.flatMap((category) => {
      const newest = rows.find((row) => row.category === category)
      return newest && newest.status !== 'CLOSED' ? [{ ...newest, category }] : []
    }),
    isAnswered: ofHelp.some(({ status }) => ['RESOLVED', 'WAITING_FOR_BORROWER'].includes(status)),
    isOpen: ofHelp.some(({ status }) => status !== 'CLOSED'),
    ofGrievances: rows.filter(({ grievanceId }) => grievanceId !== null),
  }
}

/** The journeys whose loan was cancelled in its cooling-off period. */
export async function listCancelledLoans(
  db: Run,
  journeys: { tenantId: string; journeyId: string }[],
): Promise<string[]> {
  if (journeys.length === 0) return []
  const rows = await db<{ journeyId: string }>`
    select distinct c.journey_id from complaint c
    where c.tenant_id = any(${journeys.map(({ tenantId }) => tenantId)}::uuid[])
      and c.journey_id = any(${journeys.map(({ journeyId }) => journeyId)}::uuid[]) and ${isExitGranted}`
  return rows.map(({ journeyId }) => journeyId)
}
