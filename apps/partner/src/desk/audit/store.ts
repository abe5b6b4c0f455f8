// The queries of the desk's audit log: its page, the acts of a case, and who did an act last.

import type { AuditLog } from '@lendloom/identity/audit/store'
import { noTenant } from '@lendloom/identity/person'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { descending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Fragment, type Run, sql } from '@lendloom/postgres/sql'
import type { NumberedCase } from '#partner/desk/cases/case-number.ts'
import type { PersonalField } from '#partner/desk/cases/personal-data.ts'

/** The log of the desk in the table of audit entries, which has the case of an act besides the common columns. */
export const deskLog: AuditLog = { tenantId: noTenant, programColumns: sql`, case_ref` }

/** The name of the log where its head is kept outside. */
export const deskLogName = 'desk'

export interface ActRow {
  sequence: number
  act: string
  caseRef: string | null
  subject: string | null
  /** The name of the person whom the act is about. */
  subjectName: string | null
  detail: string
  at: Date
  /** The name of the person. Null for the command line, and for a failed sign-in. */
  name: string | null
  /** The numbers of the case, and whether it has a loan; null for an act about none. */
  loanId: string | null
  leadId: string | null
  hasLoan: boolean | null
}

/** The numbers of the case that an act is about; null for an act about none. */
export const numberedCaseOf = ({ loanId, leadId, hasLoan }: ActRow): NumberedCase | null =>
  loanId === null || leadId === null ? null : { loanId, leadId, hasLoan: hasLoan === true }

export interface ActFilter {
  staffId?: string | null
  act?: string | null
  excludedActs?: readonly string[]
  /** The reference, loan number, lead number or account number of a case. */
  number?: string | null
  from?: string | null
  until?: string | null
}

/**
 * Joins acts with people and cases. Selects the acts first, and then only their cases, because cases may be on other
 * database servers.
 */
const withPeopleAndCases = (acts: Fragment): Fragment => sql`
  with page as materialized (
    select a.sequence, a.person_id, a.act, a.case_ref, a.subject, a.detail, a.at from audit_entry a
    where a.tenant_id = ${noTenant} and ${acts}),
  about as materialized (
    select c.case_ref, c.loan_id, c.lead_id, exists (select from loan l where l.case_ref = c.case_ref) as has_loan
    from case_file c where c.case_ref in (select case_ref from page))
  select a.sequence, a.act, a.case_ref, a.subject, a.detail, a.at, s.name, t.name as subject_name, c.loan_id, c.lead_id, c.has_loan`
const joinedPage = sql`from page a left join staff s on s.staff_id = a.person_id left join staff t on t.email = a.subject
  left join about c on c.case_ref = a.case_ref`

/** The order of acts: newest first. */
export const actsInOrder = descending([sql`a.sequence`, 'integer'])

/** Returns a page of the acts that a filter selects. */
export const listActs = (db: Run, filter: ActFilter, window: PageWindow) => {
  const { staffId = null, act = null, excludedActs = [], number = null, from = null, until = null } = filter
  const conditions: Fragment[] = [
    ...(staffId === null ? [] : [sql`a.person_id = ${staffId}::uuid`]),
    ...(act === null ? [] : [sql`a.act = ${act}`]),
    ...(excludedActs.length === 0 ? [] : [sql`a.act <> all(${[...excludedActs]}::text[])`]),
    ...(from === null ? [] : [sql`a.at >= ${startOf(from)}`]),
    ...(until === null ? [] : [sql`a.at < ${startOf(plusDays(until, 1))}`]),
    ...(number === null
      ? []
      : [
          sql`a.case_ref in (select case_ref from case_file where ${number}::text in (case_ref, loan_id, lead_id)
            union all select case_ref from loan where loan_account_id = ${number}::text)`,
        ]),
  ]
  const where = conditions.reduce((all, each) => sql`${all} and ${each}`, sql`true`)
  const { key, beyond, order } = pageClauses(actsInOrder, window)
  return db<
    ActRow & KeyedRow
  >`${withPeopleAndCases(sql`${where} and ${beyond} ${order}`)}, ${key} ${joinedPage} ${order}`
}

/** Returns who did an act last on each of the cases. */
export const lastActors = (db: Run, act: string, caseRefs: string[]) => db<{ caseRef: string; name: string }>`
  with page as materialized (
    select distinct on (a.case_ref) a.case_ref, a.person_id from audit_entry a
    where a.tenant_id = ${noTenant} and a.act = ${act} and a.case_ref = any(${caseRefs}::text[])
    order by a.case_ref, a.sequence desc)
  select page.case_ref, s.name from page join staff s on s.staff_id = page.person_id`

/** Whether a person has revealed a personal datum of a case since a time. */
export async function hasRevealed(
  db: Run,
  { staffId, caseRef, field, since }: { staffId: string; caseRef: string; field: PersonalField; since: Date },
): Promise<boolean> {
  const rows = await db`
    select from audit_entry a where a.tenant_id = ${noTenant} and a.case_ref = ${caseRef} and a.person_id = ${staffId}
      and a.act = 'PERSONAL_DATA_REVEALED' and a.at >= ${since}
      and ${field}::text = any(string_to_array(a.detail::jsonb->>'fields', ', ')) limit 1`
  return rows.length > 0
}

/** Returns the newest acts on a case, except the excluded ones. */
export const actsOfCase = (db: Run, caseRef: string, excludedActs: readonly string[], limit: number) => {
  const newest = sql`order by a.sequence desc limit ${limit}`
  const acts = sql`a.case_ref = ${caseRef} and a.act <> all(${[...excludedActs]}::text[]) ${newest}`
  return db<ActRow>`${withPeopleAndCases(acts)} ${joinedPage} ${newest}`
}
