// The queries of the collections page: overdue loans with their agents and promises, and returned debits by day.

import { ascending, descending, type KeyedRow, type PageWindow, pageClauses } from '#kit/db/keyset.ts'
import { type Run, sql } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import type { AssetClass } from '#partner/loan/class/asset-class.ts'

export interface ArrearsLine {
  caseRef: string
  loanId: string
  leadSealed: Buffer
  assetClass: AssetClass
  nextDueOn: string
  overduePaise: Paise
  agentId: string | null
  agent: string | null
  promisedOn: string | null
  promisedPaise: Paise | null
  isHeld: boolean
}

interface ArrearsFilter {
  /** Lists only the cases of this agent; null lists all cases. */
  agentId: string | null
  /** Whether to list only cases without an agent. */
  isUnassigned: boolean
}

export const arrearsInOrder = ascending([sql`l.next_due_on`, 'date'], [sql`l.case_ref`, 'text'])

export const listArrears = (db: Run, { agentId, isUnassigned }: ArrearsFilter, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(arrearsInOrder, window)
  return db<ArrearsLine & KeyedRow>`
    select l.case_ref, l.loan_id, d.lead_sealed, l.asset_class, l.next_due_on,
      (select coalesce(sum(i.principal_paise + i.interest_paise + i.charges_paise + i.penalty_paise - i.principal_paid_paise
        - i.interest_paid_paise - i.charges_paid_paise - i.penalty_paid_paise), 0)::bigint
        from installment i where i.case_ref = l.case_ref and i.fell_due) as overdue_paise,
      a.staff_id as agent_id, s.name as agent, p.promised_on, p.amount_paise as promised_paise,
      exists (select from collection_hold h where h.case_ref = l.case_ref) as is_held, ${key}
    from loan l join case_lead d using (case_ref) left join collection_agent a using (case_ref)
      left join staff s on s.staff_id = a.staff_id
      left join payment_promise p on p.case_ref = l.case_ref and p.state = 'OPEN'
    where l.status = 'OVERDUE' and (${agentId}::uuid is null or a.staff_id = ${agentId}::uuid)
      and (not ${isUnassigned}::boolean or a.staff_id is null) and ${beyond} ${order}`
}

export const countArrears = async (db: Run, staffId: string) => {
  const [counts] = await db<{ all: number; mine: number; nobody: number }>`
    select count(*)::int as "all", count(*) filter (where a.staff_id = ${staffId}::uuid)::int as mine,
      count(*) filter (where a.staff_id is null)::int as nobody
    from loan l left join collection_agent a using (case_ref) where l.status = 'OVERDUE'`
  return counts ?? { all: 0, mine: 0, nobody: 0 }
}

export interface BounceDay {
  on: string
  presented: number
  returned: number
  returnedPaise: Paise
}

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
