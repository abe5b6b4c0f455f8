// After the faults: nothing is lost, doubled, out of order, stuck or unbalanced.

import { businessDate } from '@lendloom/lending/calendar'
import { balancesOf } from '@lendloom/partner/src/books/ledger/post-entries.ts'
import { isBalanced, trialBalance } from '@lendloom/partner/src/books/ledger/trial-balance.ts'
import { listStalledJourneys } from '@lendloom/platform/src/records/figures/stalled-journeys.ts'
import type { Db } from '@lendloom/postgres/sql'
import type { Checks } from '../setup/checks.ts'
import type { Installation } from '../setup/installation.ts'
import { until } from '../setup/until.ts'

const count = async (db: Db, query: string): Promise<number> =>
  Number((await db.pool.query<{ n: string }>(`select count(*) as n from (${query}) rows`)).rows[0]?.n ?? 0)

/** Events that the other side has not been given, or has not applied, and jobs that are long due. */
const pending: Record<string, string> = {
  'events to send': `select 1 from outbox where state = 'PENDING'`,
  'events to apply': 'select 1 from inbox_waiting',
  'jobs due for a minute': `select 1 from job where due_at < now() - interval '60 seconds'`,
}

/** Waits until all queues are empty; notes what is left. */
export async function noteDrained(
  { db, partnerDb }: Pick<Installation, 'db' | 'partnerDb'>,
  all: Checks,
  seconds: number,
): Promise<void> {
  const left = async () => {
    const counts: string[] = []
    for (const [name, side] of [
      ['platform', db],
      ['partner', partnerDb],
    ] as const)
      for (const [what, query] of Object.entries(pending)) {
        const number = await count(side, query)
        if (number > 0) counts.push(`${name}: ${number} ${what}`)
      }
    return counts
  }
  const isDrained = await until(async () => (await left()).length === 0, 'the queues are empty', seconds).then(
    () => true,
    () => false,
  )
  all.note('no event, update or job is stuck', isDrained, isDrained ? undefined : (await left()).join(', '))
}

export const nextActClaim = 'every journey has a next act'

/** Journeys with neither an act of the borrower nor a job that moves them, each with its status. */
export async function withoutNextAct(db: Db, at: Date): Promise<string[]> {
  const stalled = await listStalledJourneys(db, { at, limit: 10 })
  return stalled.map(({ journeyId, status }) => `${journeyId} is ${status}`)
}

export async function noteNextActs({ db }: Pick<Installation, 'db'>, all: Checks, at: Date): Promise<void> {
  const found = await withoutNextAct(db, at)
  all.note(nextActClaim, found.length === 0, found.join(', '))
}

/** Each event of the partner exchange is stored and applied once by the other side, in the order of its entity. */
export async function noteExchange(
  { db, partnerDb }: Pick<Installation, 'db' | 'partnerDb'>,
  all: Checks,
): Promise<number> {
  let events = 0
  for (const [from, to, side] of [
    [db, partnerDb, 'platform'],
    [partnerDb, db, 'partner'],
  ] as const) {
    const { rows: sent } = await from.pool.query<{ id: string; state: string }>(
      'select event_id as id, state from outbox',
    )
    const { rows: applied } = await to.pool.query<{ id: string; outcome: string }>(
      'select event_id as id, outcome from inbox_outcome',
    )
    events += sent.length
    const times = Map.groupBy(applied, ({ id }) => id)
    const lost = sent.filter(({ id }) => times.get(id)?.some(({ outcome }) => outcome !== 'FAILED') !== true)
    const doubled = [...times].filter(([, outcomes]) => outcomes.length > 1)
    all.note(`no event of the ${side} is lost`, lost.length === 0, `${lost.length} of ${sent.length}`)
    all.note(`no event of the ${side} is applied twice`, doubled.length === 0, doubled.length)
    const disordered = await count(
      to,
      `select 1 from inbox i join inbox_outcome o using (sender, event_id)
       join inbox j on (j.sender, j.case_ref, j.entity_type, j.entity_id) = (i.sender, i.case_ref, i.entity_type, i.entity_id)
       join inbox_outcome p on (p.sender, p.event_id) = (j.sender, j.event_id)
       where i.entity_version < j.entity_version and o.settled_at > p.settled_at`,
    )
    all.note(`the events of the ${side} are applied in order`, disordered === 0, disordered)
  }
  return events
}

/** One order at the network, one lifecycle, one payout for each loan. */
export async function noteOnce(
  { db, sandboxDb }: Pick<Installation, 'db' | 'sandboxDb'>,
  all: Checks,
  partnerLoans: number,
): Promise<void> {
  const statuses = await count(db, 'select 1 from lifecycle_event group by journey_id, status having count(*) > 1')
  all.note('no journey reached a status twice', statuses === 0, statuses)
  const orders = await count(
    sandboxDb,
    `select 1 from conversation where order_id is not null group by transaction_id having count(*) > 1`,
  )
  all.note('no application became two loans at the network', orders === 0, orders)
  const paid = await count(sandboxDb, `select 1 from bank_transfer where status = 'SUCCESS'`)
  all.note('every loan of the partner was paid out once', paid === partnerLoans, `${paid} of ${partnerLoans}`)
}

/** The partner's ledger: debits equal credits, and its bank account equals the bank's own record of each case. */
export async function noteBooks(
  { partnerDb, sandboxDb }: Pick<Installation, 'partnerDb' | 'sandboxDb'>,
  all: Checks,
  cases: string[],
): Promise<void> {
  const today = businessDate(new Date(Date.now() + 40 * 86_400_000))
  const balance = await trialBalance(partnerDb, { from: '2026-01-01', to: today })
  all.note(
    'the trial balance is zero',
    isBalanced(balance),
    `debits ${balance.total.debit}, credits ${balance.total.credit}`,
  )
  let wrong = 0
  for (const caseRef of cases) {
    const { BANK = 0n } = await balancesOf(partnerDb, caseRef)
    const { rows: orders } = await partnerDb.pool.query<{ id: string }>(
      'select disbursement_id::text as id from disbursement where case_ref = $1',
      [caseRef],
    )
    const { rows: payments } = await partnerDb.pool.query<{ id: string }>(
      'select collection_id::text as id from payment where case_ref = $1 and collection_id is not null',
      [caseRef],
    )
    const {
      rows: [out],
    } = await sandboxDb.pool.query<{ paise: string | null }>(
      `select sum(amount_paise) as paise from bank_transfer where status = 'SUCCESS' and client_reference = any($1)`,
      [orders.map(({ id }) => id)],
    )
    const {
      rows: [received],
    } = await sandboxDb.pool.query<{ paise: string | null }>(
      `select sum(d.amount_paise) as paise from bank_debit d join bank_debit_result r using (reference)
       where r.status = 'CONFIRMED' and d.reference = any($1)`,
      [payments.map(({ id }) => id)],
    )
    if (orders.length !== 1 || BANK !== BigInt(received?.paise ?? 0) - BigInt(out?.paise ?? 0)) wrong++
  }
  all.note('the ledger of every case equals its bank', wrong === 0, `${wrong} of ${cases.length}`)
  const debits = await count(sandboxDb, 'select 1 from bank_debit')
  const payments = await count(
    partnerDb,
    `select 1 from payment where collection_id is not null and status <> 'DROPPED'`,
  )
  all.note('the partner knows every debit of the bank', debits === payments, `${payments} of ${debits}`)
}
