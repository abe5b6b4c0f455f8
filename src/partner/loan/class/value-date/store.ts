// Reads the rows that fell due and the value dates of their payments, and replaces classes of loans.

import { date, integer, rowsAs, text } from '#kit/db/rows.ts'
import { sql, type Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Classification, ClassReason } from '#partner/loan/class/asset-class.ts'
import { classColumns, type PastClass } from '#partner/loan/class/store.ts'

export async function uncorrectedClasses(tx: Tx, caseRefs: string[]): Promise<Map<string, PastClass[]>> {
  const found = await tx<PastClass & { caseRef: string }>`
    select case_ref, ${classColumns} from loan_class
    where case_ref = any(${caseRefs}::text[]) and corrected_on is null order by case_ref, from_on, number`
  return Map.groupBy(found, ({ caseRef }) => caseRef)
}

/** A row that fell due. */
export interface DueRow {
  caseRef: string
  number: number
  /** The day from which the row counted as overdue. */
  dueOn: string
  /** What no money has paid: it is owed today, or was waived or given up. */
  unpaidPaise: Paise
}

/** The part of an entry that paid a row with money. */
export interface RowPayment {
  caseRef: string
  number: number
  /** The value date. */
  paidOn: string
  paise: Paise
}

const payingPostings = (caseRefs: string[]) => sql`
  select e.case_ref, p.installment as number, e.business_on as paid_on, p.paise,
    e.kind in ('WAIVER', 'SETTLEMENT', 'ROUND_OFF') as is_given_up
  from ledger_entry e join ledger_posting p using (case_ref, entry_id)
  where e.case_ref = any(${caseRefs}::text[]) and e.reverses is null
    and p.credit in ('PENALTY', 'CHARGES', 'INTEREST', 'PRINCIPAL')
    and p.debit not in ('INTEREST', 'PRINCIPAL', 'INTEREST_INCOME') and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id)`

/** Returns all rows that fell due, oldest first, without those of a loan whose payout came back: nothing was owed. */
export const dueRowsOf = (tx: Tx, caseRefs: string[]) => tx<DueRow>`
  with given_up as (
    select case_ref, number, sum(paise)::bigint as paise from (${payingPostings(caseRefs)}) as each
    where is_given_up group by case_ref, number)
  select i.case_ref, i.number, coalesce(i.counts_from, i.due_on) as due_on,
    i.penalty_paise + i.charges_paise + i.interest_paise + i.principal_paise - i.penalty_paid_paise - i.charges_paid_paise
      - i.interest_paid_paise - i.principal_paid_paise + coalesce(given_up.paise, 0) as unpaid_paise
  from installment i left join given_up using (case_ref, number)
  where i.case_ref = any(${caseRefs}::text[]) and i.fell_due and not exists (
    select from ledger_entry e where e.case_ref = i.case_ref and e.kind = 'PAYOUT_RETURN')
  order by i.case_ref, due_on, i.number`

export const rowPaymentsOf = (tx: Tx, caseRefs: string[]) => tx<RowPayment>`
  select case_ref, number, paid_on, paise from (${payingPostings(caseRefs)}) as each where not is_given_up`

/** The corrected classes of a loan, which replace its class of this number and all later ones. */
export interface ReplacedClass {
  caseRef: string
  firstNumber: number
  classes: (Classification & { fromOn: string; untilOn: string | null; reason: ClassReason })[]
}

/** Replaces classes of a locked loan at a day-end. The replaced ones stay in the history. */
export async function replaceClasses(
  tx: Tx,
  { caseRef, firstNumber, classes }: ReplacedClass,
  on: string,
): Promise<void> {
  const last = classes.at(-1)
  const numbered = classes.map((each, i) => ({ ...each, number: i + 1 }))
  await tx`
    update loan_class set corrected_on = ${on}, until_on = coalesce(until_on, ${on}::date)
    where case_ref = ${caseRef} and number >= ${firstNumber} and corrected_on is null`
  await tx`update loan_class set until_on = ${classes[0]?.fromOn ?? on} where case_ref = ${caseRef} and until_on is null`
  await tx`
    insert into loan_class (case_ref, number, asset_class, npa_on, days_past_due, reason, from_on, until_on, recorded_on)
    select ${caseRef}, past.count + input.number, asset_class, npa_on, days_past_due, reason, from_on, until_on, ${on}
    from ${rowsAs(sql`input`, numbered, {
      number: integer((each) => each.number),
      assetClass: text((each) => each.assetClass),
      npaOn: date((each) => each.npaOn),
      daysPastDue: integer((each) => each.daysPastDue),
      reason: text((each) => each.reason),
      fromOn: date((each) => each.fromOn),
      untilOn: date((each) => each.untilOn),
    })},
      (select count(*) from loan_class where case_ref = ${caseRef}) as past`
  await tx`
    update loan set asset_class = ${last?.assetClass ?? 'STANDARD'}, npa_on = ${last?.npaOn ?? null}
    where case_ref = ${caseRef}`
}
