// The desk's queries of cases: the filtered list, counts by state, and the moves, reviews and debit check of one case.

import type { Paise } from '@lendloom/lending/money'
import {
  ascending,
  descending,
  type KeyedRow,
  type Keyset,
  type PageWindow,
  pageClauses,
} from '@lendloom/postgres/keyset'
import { type Run, sql } from '@lendloom/postgres/sql'
import type { CaseQueue } from '#partner/desk/queue/case-queues.ts'
import { isHeldRow, queueConditions, waitStarts } from '#partner/desk/queue/store.ts'
import type { CaseMove, CaseStatus } from '#partner/origination/case/lifecycle.ts'
import type { AssetClass } from '#partner/servicing/loan/class/asset-class.ts'
import type { LoanStatus } from '#partner/servicing/loan/loan.ts'

/** The state of loan `l`: a loan closed by a cooling-off cancellation is shown as cancelled. */
export const loanState = sql`case when l.status = 'CLOSED' and l.exit_until is not null and exists (
    select from ledger_entry e where e.case_ref = l.case_ref and e.kind = 'FEE_RETURN' and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id))
  then 'CANCELLED' else l.status end`

/** A case in a list. */
export interface CaseLine {
  caseRef: string
  loanId: string
  leadId: string
  status: CaseStatus
  loanStatus: LoanStatus | null
  assetClass: AssetClass | null
  nextDueOn: string | null
  /** The amount of the loan or of the newest offer; null without either. */
  agreedPaise: Paise | null
  exitUntil: string | null
  updatedAt: Date
  leadSealed: Buffer
}

/** A case in the filtered list, with what its queue shows. */
export interface QueuedLine extends CaseLine {
  /** Since when the case waits in the queue of the filter; null without a queue. */
  since: Date | null
  /** The sum and the last value date of the held payments; null without held payments. */
  heldPaise: Paise | null
  heldOn: string | null
  disbursedOn: string | null
  coolOffDays: number | null
}

export interface CaseFilter {
  status?: string | null
  need?: CaseQueue | null
  assetClass?: AssetClass | null
}

/** A queue starts with the case that has waited longest; without a queue, the last changed case is first. */
export const casesInOrder = (need: CaseQueue | null): Keyset =>
  need
    ? ascending([waitStarts[need], 'instant'], [sql`c.case_ref`, 'text'])
    : descending([sql`c.updated_at`, 'instant'], [sql`c.case_ref`, 'text'])

/** Returns a page of the cases that a filter selects. */
export const listCases = (
  db: Run,
  { status = null, need = null, assetClass = null }: CaseFilter,
  window: PageWindow,
) => {
  const { key, beyond, order } = pageClauses(casesInOrder(need), window)
  return db<QueuedLine & KeyedRow>`
    select c.case_ref, c.loan_id, c.lead_id, c.status, ${loanState} as loan_status, l.asset_class, l.next_due_on, (coalesce(l.terms, (
        select o.terms from case_offer o where o.case_ref = c.case_ref order by o.version desc limit 1))->>'amountPaise')::bigint as agreed_paise,
      c.updated_at, l.exit_until, d.lead_sealed, l.disbursed_on, (l.terms->>'coolOffDays')::int as cool_off_days,
      (select sum(p.amount_paise)::bigint from payment p where p.case_ref = c.case_ref and ${isHeldRow}) as held_paise,
      (select max(p.value_on) from payment p where p.case_ref = c.case_ref and ${isHeldRow}) as held_on,
      ${need ? waitStarts[need] : sql`null::timestamptz`} as since, ${key}
    from case_file c join case_lead d on d.case_ref = c.case_ref left join loan l on l.case_ref = c.case_ref
    where (${status}::text is null or c.status = ${status}::text or ${loanState} = ${status}::text)
      and (${assetClass}::text is null or l.asset_class = ${assetClass}::text and l.status in ('ACTIVE', 'OVERDUE'))
      and (${need ? queueConditions[need] : sql`true`}) and ${beyond}
    ${order}`
}

/** Counts the cases in each status. */
export const countCases = (db: Run) => db<{ status: CaseStatus; count: number }>`
  select status, count(*)::int as count from case_file group by status`

/** Counts the loans in each state. */
export const countLoans = (db: Run) => db<{ status: LoanStatus; count: number }>`
  select ${loanState} as status, count(*)::int as count from loan l group by 1 order by 1`

export interface CaseTransition {
  number: number
  move: CaseMove
  status: string
  at: Date
}

/** Returns the status changes of a case, oldest first. */
export const listTransitions = (db: Run, caseRef: string) => db<CaseTransition>`
  select number, move, status, at from case_move where case_ref = ${caseRef} order by number`

export interface ReviewRow {
  kind: 'APPLICATION' | 'KYC'
  decision: string
  reviewer: string
  reasonCode: string | null
  reasonMessage: string | null
  reviewedAt: Date
}

/** Returns the decisions of reviewers on a case, oldest first. */
export const listReviews = (db: Run, caseRef: string) => db<ReviewRow>`
  select r.kind, r.decision, coalesce(s.name, r.reviewer_reference) as reviewer, r.reason_code, r.reason_message, r.reviewed_at
  from case_review r left join staff s on s.staff_id::text = r.reviewer_reference
  where r.case_ref = ${caseRef} order by r.reviewed_at`

/** Returns when and with what outcome the case was last checked for a debit; undefined before the first check. */
export async function readDebitCheck(
  db: Run,
  caseRef: string,
): Promise<{ outcome: string; lookedAt: Date } | undefined> {
  const [row] = await db<{ outcome: string; lookedAt: Date }>`
    select outcome, looked_at from collection_day where case_ref = ${caseRef}`
  return row
}
