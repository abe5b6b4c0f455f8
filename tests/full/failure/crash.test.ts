// Programs are killed at random moments: every loan is disbursed, with each event under one id, and the network's collector
// receives every message.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from '@lendloom/postgres/sql'
import { findViolations, withoutRetries } from '#test/oracles/judge.ts'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { call, enter, newApplicant, openSession } from '#test/setup/borrower.ts'
import { commandLine } from '#test/setup/command-line.ts'
import type { Program } from '#test/setup/database.ts'
import { startListener } from '#test/setup/listener.ts'
import { type CompletedLoan, completeLoan, seededRandom } from '#test/setup/patience.ts'
import { patientSettings, startPrograms, until } from '#test/setup/programs.ts'
import { simulatedClock } from '#test/setup/simulated-clock.ts'

const clock = simulatedClock()
const env = { ...patientSettings, CLOCK_FILE: clock.file, SANDBOX_GRIEVANCE_SECONDS: '0' }
const programs = await startPrograms({ env, collector: true })
const listener = await startListener(programs.platformUrl, programs.tenant)

/** Runs loans and kills the program this many times, at seeded random moments. */
async function runLoansThroughCrashes(
  program: Program,
  times: number,
  borrowers: number,
  seed: number,
): Promise<CompletedLoan[]> {
  const random = seededRandom(seed)
  const loans: Promise<CompletedLoan>[] = []
  const { callbackUrl } = listener
  async function killRepeatedly(): Promise<void> {
    for (let i = 0; i < times; i++) {
      await sleep(150 + random() * 1200)
      await programs.kill(program)
      await programs.start(program)
    }
  }
  async function startLoans(): Promise<void> {
    for (let i = 0; i < borrowers; i++) {
      loans.push(completeLoan(programs, newApplicant({ callbackUrl })))
      await sleep(300 + random() * 1500)
    }
  }
  await Promise.all([killRepeatedly(), startLoans()])
  return Promise.all(loans)
}

async function assertAllUpdates({ journeyId, person }: CompletedLoan): Promise<void> {
  for (const channel of ['webhook', 'callback'] as const) {
    await listener.waitForArrivals(journeyId, 'DISBURSED', [channel])
    const events = withoutRetries(listener.received(journeyId, channel))
    assert.deepEqual(
      events.map(({ status }) => status),
      disbursedStatuses,
      `${journeyId} on the ${channel}`,
    )
    for (const { payload } of events) assert.equal(payload.borrower.provider_id, person.borrowerProviderID)
  }
  const recorded = await programs.db<{ status: string; sequence: number; eventId: string }>`
    select status, sequence, event_id from lifecycle_event where journey_id = ${journeyId} order by sequence`
  assert.deepEqual(
    recorded.map(({ status }) => status),
    disbursedStatuses,
  )
  assert.deepEqual(
    recorded.map(({ eventId }) => eventId),
    withoutRetries(listener.received(journeyId)).map(({ id }) => id),
  )
}

async function assertOneLoanEach(loans: CompletedLoan[]): Promise<void> {
  const transactions = await programs.db<{ id: string }>`
    select network_transaction_id as id from journey where journey_id = any(${loans.map(({ journeyId }) => journeyId)}::uuid[])`
  const orders = await programs.sandboxDb<{ transactionId: string; count: number }>`
    select transaction_id, count(*)::int as count from conversation
    where transaction_id = any(${transactions.map(({ id }) => id)}) and order_id is not null group by transaction_id`
  assert.equal(orders.length, loans.length)
  for (const { transactionId, count } of orders) assert.equal(count, 1, `${transactionId} became ${count} loans`)
}

/** Forms are no messages of the network. */
const isReported = sql`action <> 'form' and (direction = 'received' or tries > 0)`

/** What the collector must have: each message of the journal, and its answer if there was one. */
async function expectedRecords(): Promise<string[]> {
  const rows = await programs.db<{ messageId: string; action: string; lender: string; isAnswered: boolean }>`
    select message_id, action, case action when 'search' then '' else party end as lender,
      direction = 'received' or outcome = 'ACK' or outcome like 'NACK%' as is_answered
    from network_message where ${isReported}`
  const records = rows.flatMap(({ messageId, action, lender, isAnswered }) =>
    ['', ...(isAnswered ? ['_response'] : [])].map((suffix) => `${messageId} ${action}${suffix} ${lender}`),
  )
  return [...new Set(records)].sort()
}

async function collectedRecords(): Promise<{ accepted: string[]; faults: string[]; repeated: number }> {
  const rows = await programs.sandboxDb<{ record: string; fault: string | null; times: number }>`
    select message_id || ' ' || type || ' ' || bpp_id as record, fault, times from collected_report`
  return {
    accepted: rows.flatMap(({ record, fault }) => (fault === null ? [record] : [])).sort(),
    faults: rows.flatMap(({ fault }) => fault ?? []),
    repeated: rows.filter(({ times }) => times > 1).length,
  }
}

const operator = commandLine(programs.operatorEnv)

/** The sums of the days that the console shows. */
async function consoleCounts(): Promise<Record<'journal' | 'reported' | 'waiting' | 'refused', number>> {
  const { collector } = await operator.runJson('network', 'reports')
  const sumOf = (name: string) =>
    collector.days.reduce((sum: number, day: Record<string, number>) => sum + day[name]!, 0)
  const [journal, reported, waiting, refused] = ['journal', 'reported', 'waiting', 'refused'].map(sumOf)
  return { journal, reported, waiting, refused }
}

async function metricCounts(): Promise<Record<string, number>> {
  const text = await (await fetch(`${programs.platformUrl}/metrics`)).text()
  const lines = text.matchAll(/^network_reports\{state="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, state, count]) => [state, Number(count)]))
}

describe('D1 §6.4, FIS12 §23: loans through crashes of either program, one story', () => {
  const completedLoans: CompletedLoan[] = []

  for (const [program, times, borrowers, seed] of [
    ['platform', 10, 10, 20_260_301],
    ['sandbox', 5, 5, 7_777],
  ] as const)
    test(`D1 §6.4: although the ${program} is killed ${times} times, every loan is disbursed with seven events`, async () => {
      const loans = await runLoansThroughCrashes(program, times, borrowers, seed)
      completedLoans.push(...loans)
      assert.equal(new Set(loans.map(({ journeyId }) => journeyId)).size, borrowers)
      await Promise.all(loans.map(assertAllUpdates))
      await assertOneLoanEach(loans)
    })

  test('D1 §6: the updates obey the specification, and no extra journey was created', async () => {
    assert.deepEqual(findViolations(listener), [])
    const [row] = await programs.db<{ count: number }>`select count(*)::int as count from journey`
    assert.equal(row!.count, 15)
  })

  test("FIS12 §23: although the platform is killed while it reports, the network's collector receives every message and answer", async () => {
    const complaint = { topic: 'CHARGES', text: 'A charge of 500 rupees was taken that the offer did not show.' }
    for (const { person } of completedLoans.slice(0, 5)) {
      const { body } = await openSession(programs.platformUrl, programs.tenant, person)
      const borrower = await enter(programs.platformUrl, body.embedUrl)
      assert.equal((await call(borrower, 'POST', '/grievances', complaint)).status, 200)
      const before = (await collectedRecords()).accepted.length
      await until('the next reports', async () => {
        await clock.advance(61)
        return (await collectedRecords()).accepted.length > before
      })
      await programs.kill('platform')
      await programs.start('platform')
    }
    // The programs still exchange messages, so all sides are compared until one look finds them equal.
    const { accepted, faults } = await until('the end of the reports', async () => {
      await clock.advance(61)
      const [open] = await programs.db`select from grievance where status <> 'RESOLVED'`
      const { journal, reported, waiting } = await consoleCounts()
      const collected = await collectedRecords()
      const expected = await expectedRecords()
      const isEqual = isDeepStrictEqual(collected.accepted, expected) && journal === reported && waiting === 0
      return !open && isEqual && collected
    })
    assert.deepEqual(faults, [])
    assert.equal((await consoleCounts()).refused, 0)
    assert.ok(accepted.some((record) => record.includes(' on_issue_response ')))
    // As after a kill between the collector's answer and its record.
    await programs.db`
      update network_report set state = 'WAITING', is_message_accepted = false, due_at = ${new Date()}
      where message_key = (select min(message_key::text)::uuid from network_report)`
    await clock.advance(601)
    await until('the repeated report', async () => (await consoleCounts()).waiting === 0)
    await until('the metric', async () => {
      const { journal: _, ...states } = await consoleCounts()
      return isDeepStrictEqual(await metricCounts(), states)
    })
    const again = await collectedRecords()
    assert.deepEqual(again.faults, [])
    assert.deepEqual(
      accepted.filter((record) => !again.accepted.includes(record)),
      [],
    )
    assert.equal(new Set(again.accepted).size, again.accepted.length, 'each record once')
    assert.ok(again.repeated > 0)
  })
})
