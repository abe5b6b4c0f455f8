// The tables loan_class, provision_rate, business_day and business_day_class.

import type { Paise } from '@lendloom/lending/money'
import { partitionCondition } from '@lendloom/postgres/partition-condition'
import { bigint, date, integer, rowsAs, text } from '@lendloom/postgres/rows'
import { type Fragment, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { principalSince } from '#partner/books/ledger/store.ts'
import type { AssetClass, ClassReason } from './asset-class.ts'

/** A loan that is running, settled or of a class other than standard, with the borrower. */
export interface BorrowerLoan {
  /** The PAN's digest, in hexadecimal. */
  borrower: string
  caseRef: string
  assetClass: AssetClass
  npaOn: string | null
  /** A written-off loan is not in the books and has no income in suspense. */
  isWrittenOff: boolean
  /** The day from which the arrears of the oldest unpaid row count; null if all rows are paid. */
  arrearsFrom: string | null
  isRunning: boolean
  settledOn: string | null
  /** Whether a receipt was posted on this day or later, after its value date, while the loan was not standard. */
  hasLateMoney: boolean
  /** Whether a payout of the borrower came back on this day or later, so that its loan was never overdue. */
  hasReturnedPayout: boolean
  /** The last waiver since the loan became non-performing; null if the loan is performing or overdue. */
  waivedAt: Date | null
  /** The last payment that was not reversed; null if the loan is performing or overdue. */
  paidAt: Date | null
  /** The days past due when the current class was assigned; 0 without a class. */
  daysPastDue: number
  /** The day whose day-end assigned the current class. */
  classSince: string | null
  /** The last time as non-performing, of a loan that performs again; null without one. */
  endedNpa: EndedNpa | null
  /**
   * The day from which arrears above the tolerance count, without claimed refunds; or, if it is earlier, of the oldest row
   * whose payment the bank took back since the last day-end. Null without `endedNpa`. A claim is a new debt, and does not
   * reopen what was paid. A payment on the day of the return reopens nothing less: the row was unpaid when the time as
   * non-performing ended.
   */
  reopenedFrom: string | null
}

/** A time as non-performing that ended because all arrears were paid or given up. */
export interface EndedNpa {
  npaOn: string
  /** The day whose day-end made the loan standard. */
  endedOn: string
  assetClass: AssetClass
  /** The officer who decided the class, and why; null if the day-end classified the loan. */
  decidedBy: string | null
  remark: string | null
}

/** The day of the day-end, and the overdue amount up to which a loan is not past due. */
export interface DuesLimit {
  on: string
  tolerance: Paise
}

interface OwedRows {
  /** Which rows count. */
  rows: Fragment
  /** What of a row does not count. */
  without: Fragment
  tolerance: Paise
}

/** The day from which the first row counts, oldest first, with which the loan owes more than the tolerance. */
const owedSince = ({ rows, without, tolerance }: OwedRows) => sql`(
  select min(owed.from_on) from (
    select coalesce(i.counts_from, i.due_on) as from_on, sum(i.penalty_paise + i.charges_paise + i.interest_paise
      + i.principal_paise - i.penalty_paid_paise - i.charges_paid_paise - i.interest_paid_paise - i.principal_paid_paise
      - ${without}) over (order by coalesce(i.counts_from, i.due_on)) as paise
    from installment i where i.case_ref = l.case_ref and ${rows}) as owed
  where owed.paise > ${tolerance})`

const endedNpa = ({ on, tolerance }: DuesLimit) => sql`
  case when l.npa_on is null then (
    select jsonb_build_object('npaOn', k.npa_on, 'endedOn', k.until_on, 'assetClass', k.asset_class,
      'decidedBy', k.decided_by, 'remark', k.remark)
    from loan_class k where k.case_ref = l.case_ref and k.corrected_on is null and k.npa_on is not null
      and k.until_on is not null
    order by k.number desc limit 1) end as ended_npa,
  case when l.npa_on is null and exists (select from loan_class k where k.case_ref = l.case_ref and k.npa_on is not null) then (
    select least(${owedSince({ rows: sql`i.fell_due`, without: sql`i.claimed_paise`, tolerance })},
      (select min(coalesce(i.counts_from, i.due_on)) from installment i
      where i.case_ref = l.case_ref and i.fell_due and exists (
        select from ledger_entry r join ledger_posting p on (p.case_ref, p.entry_id) = (r.case_ref, r.reverses)
        where r.case_ref = i.case_ref and r.kind = 'REVERSAL' and r.posted_on >= ${on}::date and p.debit = 'BANK'
          and p.installment = i.number)))) end as reopened_from`

const currentClass = (column: Fragment) => sql`(
  select ${column} from loan_class k where k.case_ref = l.case_ref and k.until_on is null)`

/**
 * The day from which the arrears of the oldest unpaid row count. A version before this column may have saved the loan,
 * without it. Arrears never count from an earlier day than the due date.
 */
const arrearsFrom = sql`(case when l.next_due_on is not null then greatest(l.arrears_from, l.next_due_on) end)`

/**
 * The day from which arrears count: of the first row with which the loan owes more than the tolerance, oldest first. A
 * smaller rest of an old row does not age. Null if the loan is not past due.
 */
export const pastDueSince = ({ on, tolerance }: DuesLimit) => sql`
  case when ${arrearsFrom} > ${on}::date then ${arrearsFrom} else
    ${owedSince({ rows: sql`coalesce(i.counts_from, i.due_on) <= ${on}::date`, without: sql`0`, tolerance })} end`

/** Returns the day from which the arrears of a case's loan count; null if the loan is not past due. */
export async function readPastDueSince(db: Run, caseRef: string, limit: DuesLimit): Promise<string | null> {
  const [loan] = await db<{ since: string | null }>`
    select ${pastDueSince(limit)} as since from loan l where l.case_ref = ${caseRef}`
  return loan?.since ?? null
}

/** The borrowers of whom a payout came back on this day or later. */
const returnedTo = ({ on }: DuesLimit) => sql`
  returned as materialized (
    select c.pan_digest from ledger_entry e join case_file c using (case_ref)
    where e.posted_on >= ${on}::date and e.kind = 'PAYOUT_RETURN')`

/** `waived_at` and `paid_at`, read only for NPAs that are no longer overdue, `has_late_money` and `has_returned_payout`. */
const paymentTimes = (limit: DuesLimit) => sql`
  case when l.npa_on is not null and coalesce(${pastDueSince(limit)} > ${limit.on}::date, true) then (
    select max(e.posted_at) from ledger_entry e
    where e.case_ref = l.case_ref and e.kind = 'WAIVER' and e.business_on > l.npa_on) end as waived_at,
  case when l.npa_on is not null and coalesce(${pastDueSince(limit)} > ${limit.on}::date, true) then (
    select max(e.posted_at) from ledger_entry e where e.case_ref = l.case_ref and e.kind = 'RECEIPT' and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id)) end as paid_at,
  l.asset_class <> 'STANDARD' and exists (
    select from ledger_entry e where e.case_ref = l.case_ref and e.kind = 'RECEIPT' and e.posted_on >= ${limit.on}::date
      and e.business_on < e.posted_on) as has_late_money,
  c.pan_digest in (select pan_digest from returned) as has_returned_payout`

/** The borrower of a case: materialized, because the borrower's other cases may be on other database servers. */
const borrowerOf = (caseRef: string) => sql`
  with borrower as materialized (select pan_digest from case_file where case_ref = ${caseRef})`

/** Returns the cases of all loans of this case's borrower, who is identified by the PAN. */
export async function loansOfBorrower(db: Run, caseRef: string): Promise<string[]> {
  const found = await db<{ caseRef: string }>`
    ${borrowerOf(caseRef)} select l.case_ref from borrower join case_file c using (pan_digest) join loan l using (case_ref)
    order by l.case_ref`
  return found.map((each) => each.caseRef)
}

/** Returns the outstanding principal of all loans of this case's borrower. */
export async function principalOfBorrower(tx: Tx, caseRef: string): Promise<Paise> {
  const found = await tx<{ paise: Paise }>`
    ${borrowerOf(caseRef)} select coalesce(sum(l.principal_paise), 0)::bigint as paise
    from borrower join case_file c using (pan_digest) join loan l using (case_ref)`
  return oneRow(found).paise
}

/**
 * Returns the loans of all borrowers who have an overdue loan or a loan of a class other than standard, ordered by
 * borrower.
 */
export const loansInArrears = (db: Run, limit: DuesLimit) => db<Omit<BorrowerLoan, 'daysPastDue' | 'classSince'>>`
  with ${returnedTo(limit)},
  borrower as materialized (
    select c.pan_digest from loan l join case_file c using (case_ref)
    where l.next_due_on <= ${limit.on}::date or l.asset_class <> 'STANDARD'
    union select pan_digest from returned)
  select encode(c.pan_digest, 'hex') as borrower, l.case_ref, l.asset_class, l.npa_on, ${pastDueSince(limit)} as arrears_from,
    l.written_off_on is not null as is_written_off, l.status in ('ACTIVE', 'OVERDUE') as is_running,
    l.settled_on, ${endedNpa(limit)}, ${paymentTimes(limit)}
  from borrower b join case_file c using (pan_digest) join loan l using (case_ref)
  where l.status in ('ACTIVE', 'OVERDUE') or l.asset_class <> 'STANDARD' or l.settled_on is not null
  order by c.pan_digest, l.case_ref`

/** Returns the loans of the given cases with their current classes, ordered by borrower. */
export const loansOfCases = (tx: Tx, caseRefs: string[], limit: DuesLimit) => tx<BorrowerLoan>`
  with ${returnedTo(limit)}
  select encode(c.pan_digest, 'hex') as borrower, l.case_ref, l.asset_class, l.npa_on, ${pastDueSince(limit)} as arrears_from,
    l.written_off_on is not null as is_written_off, l.status in ('ACTIVE', 'OVERDUE') as is_running, l.settled_on,
    coalesce(${currentClass(sql`k.days_past_due`)}, 0) as days_past_due, ${currentClass(sql`k.from_on`)} as class_since,
    ${endedNpa(limit)}, ${paymentTimes(limit)}
  from case_file c join loan l using (case_ref)
  where c.case_ref = any(${caseRefs}::text[]) order by c.pan_digest, l.case_ref`

export interface NewClass {
  caseRef: string
  assetClass: AssetClass
  npaOn: string | null
  daysPastDue: number
  reason: ClassReason
  decidedBy: string | null
  remark: string | null
}

/** Ends the current classes of locked loans on a day, and assigns new classes from that day. */
export async function assignClasses(tx: Tx, classes: NewClass[], on: string): Promise<void> {
  const caseRefs = classes.map(({ caseRef }) => caseRef)
  await Promise.all([
    tx`update loan_class set until_on = ${on} where case_ref = any(${caseRefs}::text[]) and until_on is null`,
    tx`
      insert into loan_class (case_ref, number, asset_class, npa_on, days_past_due, reason, from_on, recorded_on, decided_by,
        remark)
      select input.case_ref, 1 + coalesce(past.count, 0), asset_class, npa_on, days_past_due, reason, ${on}, ${on},
        decided_by, remark
      from ${rowsAs(sql`input`, classes, {
        caseRef: text((each) => each.caseRef),
        assetClass: text((each) => each.assetClass),
        npaOn: date((each) => each.npaOn),
        daysPastDue: integer((each) => each.daysPastDue),
        reason: text((each) => each.reason),
        decidedBy: text((each) => each.decidedBy),
        remark: text((each) => each.remark),
      })}
      left join (select case_ref, count(*) from loan_class where case_ref = any(${caseRefs}::text[]) group by case_ref) as past
        using (case_ref)`,
    tx`
      update loan l set asset_class = input.asset_class, npa_on = input.npa_on
      from ${rowsAs(sql`input`, classes, {
        caseRef: text((each) => each.caseRef),
        assetClass: text((each) => each.assetClass),
        npaOn: date((each) => each.npaOn),
      })}
      where l.case_ref = input.case_ref and ${partitionCondition(sql`l`, caseRefs)}`,
  ])
}

export interface PastClass {
  number: number
  assetClass: AssetClass
  npaOn: string | null
  daysPastDue: number
  reason: ClassReason
  fromOn: string
  untilOn: string | null
  /** The day-end that replaced the class, because money was the lender's earlier; null while the class counts. */
  correctedOn: string | null
  decidedBy: string | null
  remark: string | null
}

export const classColumns = sql`number, asset_class, npa_on, days_past_due, reason, from_on, until_on, corrected_on, decided_by, remark`

/** Returns all classes that a loan had since the loan was first overdue, newest first. */
export const classesOf = (db: Run, caseRef: string) => db<PastClass>`
  select ${classColumns} from loan_class where case_ref = ${caseRef} order by number desc`

/** The loans of one asset class on a day, and the provision rate. */
export interface ClassOfBook {
  assetClass: AssetClass
  loans: number
  principalPaise: Paise
  provisionBps: number
}

/**
 * Returns the loans by class with their principal at the end of a day, without loans written off by then. A class
 * without a provision rate has the rate 0.
 */
export const classesOfBook = (db: Run, on: string) => db<ClassOfBook>`
  with later as (${principalSince(on)}),
  book as (
    select l.asset_class, l.status, l.principal_paise - coalesce(later.paise, 0) as principal_paise
    from loan l left join later using (case_ref)
    where coalesce(l.written_off_on > ${on}::date, true) and not coalesce(later.is_disbursed_since, false))
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

/** Returns the rates that apply on a day, and the rates that start later. */
export const ratesFrom = (db: Run, on: string) => db<ProvisionRate>`
  select r.asset_class, r.from_on, r.bps from provision_rate r
  where r.from_on >= (select max(e.from_on) from provision_rate e
    where e.asset_class = r.asset_class and e.from_on <= ${on}::date)
  order by r.from_on, r.asset_class`

/** Saves rates. Replaces rates of the same class and start date. */
export async function saveRates(tx: Tx, rates: ProvisionRate[]): Promise<void> {
  await tx`
    insert into provision_rate (asset_class, from_on, bps)
    select asset_class, from_on, bps from ${rowsAs(sql`input`, rates, {
      assetClass: text((rate) => rate.assetClass),
      fromOn: date((rate) => rate.fromOn),
      bps: integer((rate) => rate.bps),
    })}
    on conflict (asset_class, from_on) do update set bps = excluded.bps`
}

export async function currentProvision(db: Run, caseRef: string): Promise<Paise> {
  const sums = await db<{ paise: Paise }>`
    select coalesce(sum(case when credit = 'PROVISION' then paise else -paise end), 0)::bigint as paise
    from ledger_posting where case_ref = ${caseRef} and 'PROVISION' in (debit, credit)`
  return oneRow(sums).paise
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

export async function lastBusinessDay(db: Run): Promise<BusinessDay | undefined> {
  const [day] = await db<BusinessDay>`
    select ended_on, loans, entries, failed, classified, provision_paise, provision_change_paise, began_at, ended_at
    from business_day order by ended_on desc limit 1`
  return day
}

/**
 * Locks the last closed day until the transaction ends, so that the next day cannot close meanwhile. Returns null if no
 * day is closed. If this lock had to wait, the returned day may no longer be the last closed day.
 */
export async function lockLastDay(tx: Tx): Promise<string | null> {
  const [last] = await tx<{
    endedOn: string
  }>`select ended_on from business_day order by ended_on desc limit 1 for share`
  return last?.endedOn ?? null
}

/** Waits for transactions that post to a day's books. Call this function before recording the day. */
export async function closeBooks(tx: Tx): Promise<void> {
  const last = await tx`select 1 from business_day order by ended_on desc limit 1 for update`
  if (last.length === 0) await tx`lock table business_day in exclusive mode`
}

/**
 * Records a day. If this day or a later one was recorded before, only updates the counts and returns false: another
 * process has posted the provisions.
 */
export async function recordDay(tx: Tx, day: BusinessDay): Promise<boolean> {
  const later = await tx`select from business_day where ended_on > ${day.endedOn} limit 1`
  if (later.length === 0) {
    const added = await tx`insert into business_day ${tx({ ...day })} on conflict do nothing returning 1`
    if (added.length > 0) return true
  }
  await tx`
    update business_day set loans = loans + ${day.loans}, entries = entries + ${day.entries}, failed = ${day.failed},
      classified = classified + ${day.classified}, ended_at = ${day.endedAt} where ended_on = ${day.endedOn}`
  return false
}

export interface ProvisionedClass extends ClassOfBook {
  provisionPaise: Paise
}

export async function recordClasses(tx: Tx, endedOn: string, classes: ProvisionedClass[]): Promise<void> {
  await tx`
    insert into business_day_class (ended_on, asset_class, loans, principal_paise, provision_bps, provision_paise)
    select ${endedOn}, asset_class, loans, principal_paise, provision_bps, provision_paise
    from ${rowsAs(sql`input`, classes, {
      assetClass: text((each) => each.assetClass),
      loans: integer((each) => each.loans),
      principalPaise: bigint((each) => each.principalPaise),
      provisionBps: integer((each) => each.provisionBps),
      provisionPaise: bigint((each) => each.provisionPaise),
    })}`
}

export const classesOnDay = (db: Run, endedOn: string) => db<ProvisionedClass>`
  select asset_class, loans, principal_paise, provision_bps, provision_paise from business_day_class
  where ended_on = ${endedOn}`
