// The queries of the collections page: overdue loans with their agents and promises, and returned debits by day.

import type { Paise } from '@lendloom/lending/money'
import { ascending, descending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql } from '@lendloom/postgres/sql'
import type { ContactOutcome } from '#partner/servicing/collection/arrears/store.ts'
import type { AssetClass } from '#partner/servicing/loan/class/asset-class.ts'
import { type DuesLimit, pastDueSince } from '#partner/servicing/loan/class/store.ts'

export interface ArrearsLine {
  caseRef: string
  loanId: string
  leadSealed: Buffer
  assetClass: AssetClass
  nextDueOn: string
  /** The day from which arrears above the tolerance count; null if the loan owes less at the last day-end. */
  pastDueSince: string | null
  overduePaise: Paise
  principalPaise: Paise
  agentId: string | null
  agent: string | null
  promisedOn: string | null
  promisedPaise: Paise | null
  isPromiseBroken: boolean
  contactedAt: Date | null
  outcome: ContactOutcome | null
  isHeld: boolean
}

export interface ArrearsFilter {
  agentId: string | null
  isUnassigned: boolean
  /** The days between which the arrears began to count; null without a limit. */
  dueFrom: string | null
  dueUntil: string | null
  promisedBy: string | null
  /** The last day-end, at which the days past due are counted. */
  limit: DuesLimit
}

/** The first day past due of each band; the last band has no end. */
export const bandStarts = [1, 31, 61, 91] as const

/** The order of loans in arrears: the oldest due first. */
export const arrearsInOrder = ascending([sql`l.next_due_on`, 'date'], [sql`l.case_ref`, 'text'])

const loansInArrears = sql`loan l left join collection_agent a using (case_ref)
  left join payment_promise p on p.case_ref = l.case_ref and (p.state = 'OPEN' or p.state = 'BROKEN'
    and not exists (select from payment_promise q where q.case_ref = p.case_ref and q.made_at > p.made_at)
    and not exists (select from contact_note n where n.case_ref = p.case_ref and n.contacted_at >= p.decided_at))`

const overduePaise = sql`(select coalesce(sum(i.principal_paise + i.interest_paise + i.charges_paise + i.penalty_paise
  - i.principal_paid_paise - i.interest_paid_paise - i.charges_paid_paise - i.penalty_paid_paise), 0)::bigint
  from installment i where i.case_ref = l.case_ref and i.fell_due and not i.is_waiting) as overdue_paise`

const isAssignedTo = ({ agentId, isUnassigned }: Pick<ArrearsFilter, 'agentId' | 'isUnassigned'>) =>
  sql`l.status = 'OVERDUE' and (${agentId}::uuid is null or a.staff_id = ${agentId}::uuid)
    and (not ${isUnassigned}::boolean or a.staff_id is null)`

/** Returns a page of the loans in arrears that a filter selects. */
export const listArrears = (db: Run, filter: ArrearsFilter, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(arrearsInOrder, window)
  const { dueFrom, dueUntil, promisedBy } = filter
  return db<ArrearsLine & KeyedRow>`
    select l.case_ref, l.loan_id, d.lead_sealed, l.asset_class, l.next_due_on, ${pastDueSince(filter.limit)} as past_due_since, ${overduePaise}, l.principal_paise,
      a.staff_id as agent_id, s.name as agent, p.promised_on, p.amount_paise as promised_paise,
      coalesce(p.state = 'BROKEN', false) as is_promise_broken, c.contacted_at, c.outcome,
      exists (select from collection_hold h where h.case_ref = l.case_ref) as is_held, ${key}
    from ${loansInArrears} join case_lead d on d.case_ref = l.case_ref left join staff s on s.staff_id = a.staff_id
      left join lateral (select n.contacted_at, n.outcome from contact_note n where n.case_ref = l.case_ref
        order by n.contacted_at desc limit 1) c on true
    where ${isAssignedTo(filter)} and (${dueFrom}::date is null or coalesce(${pastDueSince(filter.limit)} >= ${dueFrom}::date, true))
      and (${dueUntil}::date is null or ${pastDueSince(filter.limit)} <= ${dueUntil}::date)
      and (${promisedBy}::date is null or p.promised_on <= ${promisedBy}::date) and ${beyond} ${order}`
}

/** Counts the loans in arrears, those of a staff member, and those without an agent. */
export const countArrears = async (db: Run, staffId: string) => {
  const [counts] = await db<{ all: number; mine: number; nobody: number }>`
    select count(*)::int as "all", count(*) filter (where a.staff_id = ${staffId}::uuid)::int as mine,
      count(*) filter (where a.staff_id is null)::int as nobody
    from loan l left join collection_agent a using (case_ref) where l.status = 'OVERDUE'`
  return counts ?? { all: 0, mine: 0, nobody: 0 }
}

export interface ArrearsBand {
  band: number
  loans: number
  overduePaise: Paise
  principalPaise: Paise
  promisesDue: number
}

/** Sums the loans of each band on the day after the limit's. Bands without loans are left out. */
export const sumBands = (db: Run, filter: Pick<ArrearsFilter, 'agentId' | 'isUnassigned' | 'limit'>, today: string) =>
  db<ArrearsBand>`
    select greatest(width_bucket(${today}::date - past_due_since, ${bandStarts}::integer[]) - 1, 0) as band, count(*)::int as loans,
      sum(overdue_paise)::bigint as overdue_paise, sum(principal_paise)::bigint as principal_paise,
      (count(*) filter (where promised_on <= ${today}::date))::int as promises_due
    from (select ${pastDueSince(filter.limit)} as past_due_since, l.principal_paise, p.promised_on, ${overduePaise} from ${loansInArrears}
      where ${isAssignedTo(filter)}) as arrears
    group by 1`

export interface CaseToAssign {
  caseRef: string
  loanId: string
  leadSealed: Buffer
  isOverdue: boolean
  isIntroduced: boolean
}

/** Returns the loans that are to be assigned to an agent, and whether the agent was introduced to each borrower. */
export const casesToAssign = (tx: Run, caseRefs: string[], agentId: string) => tx<CaseToAssign>`
  select l.case_ref, l.loan_id, d.lead_sealed, l.status = 'OVERDUE' as is_overdue,
    exists (select from agent_notice n where n.case_ref = l.case_ref and n.staff_id = ${agentId} and n.state = 'SENT')
      as is_introduced
  from loan l join case_lead d using (case_ref) where l.case_ref = any(${caseRefs}::text[]) order by l.loan_id`

/** Returns the cases with their present agents. */
export const agentsOf = (tx: Run, caseRefs: string[]) => tx<{
  caseRef: string
  loanId: string
  agentId: string | null
  agent: string | null
}>`
  select c.case_ref, c.loan_id, a.staff_id as agent_id, s.name as agent
  from case_file c left join collection_agent a using (case_ref) left join staff s on s.staff_id = a.staff_id
  where c.case_ref = any(${caseRefs}::text[]) order by c.loan_id`

export interface BounceDay {
  on: string
  presented: number
  returned: number
  returnedPaise: Paise
}

/** Counts the presented and the returned debits of each day. */
export const bouncesBetween = (db: Run, from: string, until: string) => db<BounceDay>`
  select collection_on as "on", count(*)::int as presented,
    count(*) filter (where status in ('FAILED', 'TAKEN_BACK'))::int as returned,
    coalesce(sum(amount_paise) filter (where status in ('FAILED', 'TAKEN_BACK')), 0)::bigint as returned_paise
  from payment where collection_on between ${from}::date and ${until}::date and collection_id is not null
    and reversal_of_payment_id is null and status not in ('PREPARED', 'DROPPED')
  group by collection_on`

export interface Bounce {
  caseRef: string
  loanId: string
  leadSealed: Buffer
  amountPaise: Paise
  reasonCode: string | null
  attemptNumber: number | null
}

/** The order of returned debits: the largest first. */
export const bouncesInOrder = descending([sql`p.amount_paise`, 'integer'], [sql`p.payment_id`, 'uuid'])

/** Lists the returned debits of a day. A debit that was returned late has the reason code of its reversal. */
export const bouncesOn = (db: Run, on: string, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(bouncesInOrder, window)
  return db<Bounce & KeyedRow>`
    select p.case_ref, c.loan_id, d.lead_sealed, p.amount_paise, coalesce(p.reason_code, r.reason_code) as reason_code,
      p.attempt_number, ${key}
    from payment p join case_file c using (case_ref) join case_lead d using (case_ref)
      left join payment r on r.case_ref = p.case_ref and r.reversal_of_payment_id = p.payment_id
    where p.collection_on = ${on}::date and p.collection_id is not null and p.status in ('FAILED', 'TAKEN_BACK')
      and p.reversal_of_payment_id is null and ${beyond} ${order}`
}
