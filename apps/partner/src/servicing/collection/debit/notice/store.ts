// The table debit_notice: whether the bank told a borrower of the next day's debit, or why no notice was needed.

import type { Paise } from '@lendloom/lending/money'
import type { Run, Tx } from '@lendloom/postgres/sql'

interface NoticeKey {
  caseRef: string
  collectionOn: string
  noticedAt: Date
}

export type DebitNotice = NoticeKey &
  (
    | { umrn: string; amountPaise: Paise; state: 'SENT' | 'REFUSED'; reasonCode: string | null }
    | { umrn: null; amountPaise: null; state: 'NOT_NEEDED'; reasonCode: string }
  )

/** Stores the notice of a day in place of an earlier one. */
export const putNotice = (tx: Tx, notice: DebitNotice) => tx`
  insert into debit_notice ${tx({ ...notice })} on conflict (case_ref, collection_on) do update set umrn = excluded.umrn,
    amount_paise = excluded.amount_paise, state = excluded.state, reason_code = excluded.reason_code,
    noticed_at = excluded.noticed_at`

/** Returns the notice of a day; undefined without one. */
export async function readNotice(db: Run, caseRef: string, on: string): Promise<DebitNotice | undefined> {
  const [notice] = await db<DebitNotice>`
    select case_ref, collection_on, umrn, amount_paise, state, reason_code, noticed_at from debit_notice
    where case_ref = ${caseRef} and collection_on = ${on}::date`
  return notice
}

/** Returns cases on these rails with dues on a day and without a notice for it: the next after `after`. */
export const casesToNotify = (
  db: Run,
  { methods, on, after, limit }: { methods: string[]; on: string; after: string; limit: number },
) => db<{ caseRef: string }>`
  select l.case_ref from loan l join case_check c on c.case_ref = l.case_ref and c.name = 'mandate'
  where l.next_due_on <= ${on}::date and l.case_ref > ${after} and c.rail = any(${methods}::text[])
    and not exists (select from debit_notice n where n.case_ref = l.case_ref and n.collection_on = ${on}::date)
  order by l.case_ref limit ${limit}`
