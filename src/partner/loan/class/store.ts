// Tables of asset classes: loan_class, provision_rate, business_day, business_day_class; and the classes of loans.

import { ofOneCase } from '#kit/db/one-case.ts'
import { type Fragment, oneRow, type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import { principalSince } from '#partner/ledger/store.ts'
import type { AssetClass, ClassReason } from './asset-class.ts'

/** A borrower's loan that runs, or that has a class to lose. */
export interface BorrowerLoan {
  /** The PAN's digest, in hexadecimal. */
  borrower: string
  caseRef: string
  assetClass: AssetClass
  npaOn: string | null
  /** It is no longer in the books, and its income is not in suspense. */
  isWrittenOff: boolean
  nextDueOn: string | null
  isRunning: boolean
  /** When it was last waived what was due since it is non-performing, and last paid; null while something is overdue. */
  waivedAt: Date | null
  paidAt: Date | null
  /** For the current class; 0 without one. */
  daysPastDue: number
  /** The day from whose end on that class holds. */
  classSince: string | null
}

const classThatHolds = (column: Fragment) => sql`(
  select ${column} from loan_class k where k.case_ref = l.case_ref and k.until_on is null)`

/** Looked up only of a loan that may perform again at the end of a day. */
const sinceNonPerforming = (on: string) => sql`
  case when l.npa_on is not null and coalesce(l.next_due_on > ${on}::date, true) then (
    select max(e.posted_at) from ledger_entry e
    where e.case_ref = l.case_ref and e.kind = 'WAIVER' and e.business_on > l.npa_on) end as waived_at,
  case when l.npa_on is not null and coalesce(l.next_due_on > ${on}::date, true) then (
    select max(e.posted_at) from ledger_entry e where e.case_ref = l.case_ref and e.kind = 'RECEIPT' and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id)) end as paid_at`

/** A case's borrower. Read first, because the borrower's other cases may be on other servers. */
const borrowerOf = (caseRef: string) => sql`
  with borrower as materialized (select pan_digest from case_file where case_ref = ${caseRef})`

/** The cases of all loans of the borrower of one. */
export async function loansOfBorrower(db: Run, caseRef: string): Promise<string[]> {
  const found = await db<{ caseRef: string }>`
    ${borrowerOf(caseRef)} select l.case_ref from borrower join case_file c using (pan_digest) join loan l using (case_ref)
    order by l.case_ref`
  return found.map((each) => each.caseRef)
}

/** Principal that is outstanding of all loans of the borrower of one. */
export async function principalOfBorrower(tx: Tx, caseRef: string): Promise<Paise> {
  const found = await tx<{ paise: Paise }>`
    ${borrowerOf(caseRef)} select coalesce(sum(l.principal_paise), 0)::bigint as paise
    from borrower join case_file c using (pan_digest) join loan l using (case_ref)`
  return oneRow(found).paise
}

/** The loans of all borrowers who have something overdue on a day or a class other than standard, by borrower. */
export const loansInArrears = (db: Run, on: string) => db<Omit<BorrowerLoan, 'daysPastDue' | 'classSince'>>`
  with borrower as materialized (
    select distinct c.pan_digest from loan l join case_file c using (case_ref)
    where l.next_due_on <= ${on}::date or l.asset_class <> 'STANDARD')
  select encode(c.pan_digest, 'hex') as borrower, l.case_ref, l.asset_class, l.npa_on, l.next_due_on,
    l.written_off_on is not null as is_written_off, l.status in ('ACTIVE', 'OVERDUE') as is_running, ${sinceNonPerforming(on)}
  from borrower b join case_file c using (pan_digest) join loan l using (case_ref)
  where l.status in ('ACTIVE', 'OVERDUE') or l.asset_class <> 'STANDARD'
  order by c.pan_digest, l.case_ref`

/** As above for some borrowers, by the cases of their loans. */
export const loansAgain = (tx: Tx, caseRefs: string[], on: string) => tx<BorrowerLoan>`
  select encode(c.pan_digest, 'hex') as borrower, l.case_ref, l.asset_class, l.npa_on, l.next_due_on,
    l.written_off_on is not null as is_written_off, l.status in ('ACTIVE', 'OVERDUE') as is_running, 
    coalesce(${classThatHolds(sql`k.days_past_due`)}, 0) as days_past_due, ${classThatHolds(sql`k.from_on`)} as class_since,
    ${sinceNonPerforming(on)}
  from case_file c join loan l using (case_ref)
  where c.case_ref = any(${caseRefs}::text[]) order by c.pan_digest, l.case_ref`

/** A class that a loan gets. */
export interface NewClass {
  caseRef: string
  assetClass: AssetClass
  npaOn: string | null
  daysPastDue: number
  reason: ClassReason
  decidedBy: string | null
  remark: string | null
}

/** Assigns classes to locked loans from the end of a day, and ends the previous ones. */
export async function giveClasses(tx: Tx, classes: NewClass[], on: string): Promise<void> {
  const caseRefs = classes.map(({ caseRef }) => caseRef)
  const given = classes.map(({ assetClass }) => assetClass)
  await Promise.all([
    tx`update loan_class set until_on = ${on} where case_ref = any(${caseRefs}::text[]) and until_on is null`,
    tx`
      insert into loan_class (case_ref, number, asset_class, days_past_due, reason, from_on, decided_by, remark)
      select input.case_ref, 1 + coalesce(had.count, 0), asset_class, days_past_due, reason, ${on}, decided_by, remark
      from unnest(${caseRefs}::text[], ${given}::text[], ${classes.map((each) => each.daysPastDue)}::integer[],
        ${classes.map((each) => each.reason)}::text[], ${classes.map((each) => each.decidedBy)}::text[],
        ${classes.map((each) => each.remark)}::text[]
      ) as input (case_ref, asset_class, days_past_due, reason, decided_by, remark)
      left join (select case_ref, count(*) from loan_class where case_ref = any(${caseRefs}::text[]) group by case_ref) as had
        using (case_ref)`,
    tx`
      update loan l set asset_class = input.asset_class, npa_on = input.npa_on
      from unnest(${caseRefs}::text[], ${given}::text[], ${classes.map(({ npaOn }) => npaOn)}::date[]
      ) as input (case_ref, asset_class, npa_on)
      where l.case_ref = input.case_ref and ${ofOneCase(sql`l`, caseRefs)}`,
  ])
}

export interface PastClass {
  assetClass: AssetClass
  daysPastDue: number
  reason: ClassReason
  fromOn: string
  untilOn: string | null
  decidedBy: string | null
  remark: string | null
}

/** The classes that a loan has had since it was first overdue, the newest first. */
export const classesOf = (db: Run, caseRef: string) => db<PastClass>`
  select asset_class, days_past_due, reason, from_on, until_on, decided_by, remark from loan_class
  where case_ref = ${caseRef} order by number desc`

/** One class of the book, and the rate that is provided for it on a day. */
export interface ClassOfBook {
  assetClass: AssetClass
  loans: number
  principalPaise: Paise
  provisionBps: number
}

/**
 * By the books of a day: later postings are not included. A class without a rate has no provision; loans that were
 * written off by then are not in the books.
 */
export const classesOfBook = (db: Run, on: string) => db<ClassOfBook>`
  with later as (${principalSince(on)}),
  book as (
    select l.asset_class, l.status, l.principal_paise - coalesce(later.paise, 0) as principal_paise
    from loan l left join later using (case_ref)
    where coalesce(l.written_off_on > ${on}::date, true) and not coalesce(later.is_opened, false))
  select b.asset_class, count(*)::int as loans, sum(b.principal_paise)::bigint as principal_paise,
    coalesce((select r.bps from provision_rate r where r.asset_class = b.asset_class and r.from_on <= ${on}::date
      order by r.from_on desc limit 1), 0) as provision_bps
  from book b where b.status in ('ACTIVE', 'OVERDUE') or b.principal_paise > 0 group by b.asset_class`

export interface ProvisionRate {
  assetClass: AssetClass
  fromOn: string
  /** Hundredths of a percent of the outstanding principal. */
  bps: number
}

/** The rates that hold on a day, and those that begin later. */
export const ratesFrom = (db: Run, on: string) => db<ProvisionRate>`
  select r.asset_class, r.from_on, r.bps from provision_rate r
  where r.from_on >= (select max(e.from_on) from provision_rate e
    where e.asset_class = r.asset_class and e.from_on <= ${on}::date)
  order by r.from_on, r.asset_class`

/** In the place of those that begin on the same day. */
export async function saveRates(tx: Tx, rates: ProvisionRate[]): Promise<void> {
  await tx`
    insert into provision_rate (asset_class, from_on, bps)
    select asset_class, from_on, bps from unnest(${rates.map(({ assetClass }) => assetClass)}::text[],
      ${rates.map(({ fromOn }) => fromOn)}::date[], ${rates.map(({ bps }) => bps)}::integer[]
    ) as input (asset_class, from_on, bps)
    on conflict (asset_class, from_on) do update set bps = excluded.bps`
}

/** The current provision. */
export async function provisionHeld(db: Run, caseRef: string): Promise<Paise> {
  const held = await db<{ paise: Paise }>`
    select coalesce(sum(case when credit = 'PROVISION' then paise else -paise end), 0)::bigint as paise
    from ledger_posting where case_ref = ${caseRef} and 'PROVISION' in (debit, credit)`
  return oneRow(held).paise
}

export interface BusinessDay {
  endedOn: string
  loans: number
  entries: number
  failed: number
  classified: number
  provisionPaise: Paise
  provisionChangePaise: Paise
  beganAt: Date
  endedAt: Date
}

/** The last business day that was ended. */
export async function lastBusinessDay(db: Run): Promise<BusinessDay | undefined> {
  const [day] = await db<BusinessDay>`
    select ended_on, loans, entries, failed, classified, provision_paise, provision_change_paise, began_at, ended_at
    from business_day order by ended_on desc limit 1`
  return day
}

/**
 * Locks the last ended day, so that no further day is recorded until the transaction ends, and returns it; null before
 * the first: then the lock of the table keeps the first one out. A caller that waited may hold one that is no longer
 * the last.
 */
export async function keepBooksOpen(tx: Tx): Promise<string | null> {
  const [held] = await tx<{
    endedOn: string
  }>`select ended_on from business_day order by ended_on desc limit 1 for share`
  return held?.endedOn ?? null
}

/** Before a day is recorded: waits for transactions that post to its books. */
export async function closeBooks(tx: Tx): Promise<void> {
  const last = await tx`select 1 from business_day order by ended_on desc limit 1 for update`
  if (last.length === 0) await tx`lock table business_day in exclusive mode`
}

/** False when the day was ended before: it then counts what was done again, and has its provisions. */
export async function recordDay(tx: Tx, day: BusinessDay): Promise<boolean> {
  const added = await tx`
    insert into business_day ${tx({ ...day })} on conflict do nothing returning 1`
  if (added.length > 0) return true
  await tx`
    update business_day set loans = loans + ${day.loans}, entries = entries + ${day.entries}, failed = ${day.failed},
      classified = classified + ${day.classified}, ended_at = ${day.endedAt} where ended_on = ${day.endedOn}`
  return false
}

export interface DayOfClass extends ClassOfBook {
  provisionPaise: Paise
}

export async function recordClasses(tx: Tx, endedOn: string, classes: DayOfClass[]): Promise<void> {
  await tx`
    insert into business_day_class (ended_on, asset_class, loans, principal_paise, provision_bps, provision_paise)
    select ${endedOn}, asset_class, loans, principal_paise, provision_bps, provision_paise
    from unnest(${classes.map((each) => each.assetClass)}::text[], ${classes.map((each) => each.loans)}::integer[],
      ${classes.map((each) => each.principalPaise)}::bigint[], ${classes.map((each) => each.provisionBps)}::integer[],
      ${classes.map((each) => each.provisionPaise)}::bigint[]
    ) as input (asset_class, loans, principal_paise, provision_bps, provision_paise)`
}

/** The classes of the book as they were recorded for a day. */
export const classesOnDay = (db: Run, endedOn: string) => db<DayOfClass>`
  select asset_class, loans, principal_paise, provision_bps, provision_paise from business_day_class
  where ended_on = ${endedOn}`
