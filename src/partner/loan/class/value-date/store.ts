// Reads the rows that fell due and the value dates of their payments, and replaces classes of loans.

import { date, integer, rowsAs, text } from '#kit/db/rows.ts'
import { sql, type Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import type { LedgerEntry } from '#partner/ledger/store.ts'
import type { Classification, ClassReason } from '#partner/loan/class/asset-class.ts'
import { classColumns, type PastClass } from '#partner/loan/class/store.ts'

type EntryKind = LedgerEntry['kind']

export async function uncorrectedClasses(tx: Tx, caseRefs: string[]): Promise<Map<string, PastClass[]>> {
  const found = await tx<PastClass & { caseRef: string }>`
    select case_ref, ${classColumns} from loan_class
    where case_ref = any(${caseRefs}::text[]) and corrected_on is null order by case_ref, from_on, number`
  return Map.groupBy(found, ({ caseRef }) => caseRef)
}

/** A row that fell due. */
export interface DueRow {
  caseRef: string
  /** The day from which the row counted as overdue. */
  dueOn: string
  /** What was due, with what was waived since. */
  duePaise: Paise
  /** What is paid, waived or given up today. */
  paidPaise: Paise
}

/** What paid rows that fell due, or reduced them, on one day. */
export interface RowPayment {
  caseRef: string
  /** The value date. */
  on: string
  paise: Paise
  /** `WAIVER`, `SETTLEMENT` or `ROUND_OFF` if it was given up. */
  kind: EntryKind
}

const rowsOfLoans = (caseRefs: string[]) => sql`
  i.case_ref = any(${caseRefs}::text[]) and i.fell_due and not exists (
    select from ledger_entry e where e.case_ref = i.case_ref and e.kind = 'PAYOUT_RETURN')`

const payingPostings = sql`
  e.reverses is null and p.credit in ('PENALTY', 'CHARGES', 'INTEREST', 'PRINCIPAL')
    and p.debit not in ('INTEREST', 'PRINCIPAL', 'INTEREST_INCOME') and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id)`

/** Returns all rows that fell due, oldest first, without those of a loan whose payout came back: nothing was owed. */
export const dueRowsOf = (tx: Tx, caseRefs: string[]) => tx<DueRow>`
  with waived as (
    select e.case_ref, p.installment as number, sum(p.paise)::bigint as paise
    from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    where e.case_ref = any(${caseRefs}::text[]) and e.kind = 'WAIVER' and ${payingPostings}
    group by e.case_ref, p.installment)
  select i.case_ref, coalesce(i.counts_from, i.due_on) as due_on,
    i.penalty_paise + i.charges_paise + i.interest_paise + i.principal_paise + coalesce(waived.paise, 0) as due_paise,
    i.penalty_paid_paise + i.charges_paid_paise + i.interest_paid_paise + i.principal_paid_paise
      + coalesce(waived.paise, 0) as paid_paise
  from installment i left join waived using (case_ref, number)
  where ${rowsOfLoans(caseRefs)} order by i.case_ref, due_on, i.number`

export const rowPaymentsOf = (tx: Tx, caseRefs: string[]) => tx<RowPayment>`
  select e.case_ref, e.business_on as "on", e.kind, sum(p.paise)::bigint as paise
  from ledger_entry e join ledger_posting p using (case_ref, entry_id)
    join installment i on (i.case_ref, i.number) = (e.case_ref, p.installment)
  where e.case_ref = any(${caseRefs}::text[]) and ${payingPostings} and ${rowsOfLoans(caseRefs)}
  group by e.case_ref, e.business_on, e.kind`

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
