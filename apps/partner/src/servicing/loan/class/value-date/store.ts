// Reads the classes of loans and replaces them, when a payment with an earlier value date changes them.

import { date, integer, rowsAs, text } from '@lendloom/postgres/rows'
import { sql, type Tx } from '@lendloom/postgres/sql'
import type { Classification, ClassReason } from '#partner/servicing/loan/class/asset-class.ts'
import { classColumns, type PastClass } from '#partner/servicing/loan/class/store.ts'

/** Returns the classes of each loan that count, oldest first, by case reference. */
export async function uncorrectedClasses(tx: Tx, caseRefs: string[]): Promise<Map<string, PastClass[]>> {
  const classRows = await tx<PastClass & { caseRef: string }>`
    select case_ref, ${classColumns} from loan_class
    where case_ref = any(${caseRefs}::text[]) and corrected_on is null order by case_ref, from_on, number`
  return Map.groupBy(classRows, ({ caseRef }) => caseRef)
}

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
