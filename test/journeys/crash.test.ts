// Programs are killed at random moments: every loan is disbursed, with each event under one id.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations, withoutRetries } from '#test/exactness/judge.ts'
import { disbursedStatuses } from '#test/exactness/lifecycle-oracle.ts'
import { newApplicant } from '#test/setup/borrower.ts'
import type { Program } from '#test/setup/database.ts'
import { startListener } from '#test/setup/listener.ts'
import { type CompletedLoan, completeLoan, seededRandom } from '#test/setup/patience.ts'
import { patientSettings, startPrograms } from '#test/setup/programs.ts'

const programs = await startPrograms({ env: patientSettings })
const listener = await startListener(programs.platformUrl, programs.tenant)

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

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

for (const [program, times, borrowers, seed] of [
  ['platform', 10, 10, 20_260_301],
  ['sandbox', 5, 5, 7_777],
] as const)
  test(`D1 §6.4: although the ${program} is killed ${times} times, every loan is disbursed with seven events`, async () => {
    const loans = await runLoansThroughCrashes(program, times, borrowers, seed)
    assert.equal(new Set(loans.map(({ journeyId }) => journeyId)).size, borrowers)
    await Promise.all(loans.map(assertAllUpdates))
    await assertOneLoanEach(loans)
  })

test('D1 §6: the updates obey the specification, and no extra journey was created', async () => {
  assert.deepEqual(findViolations(listener), [])
  const [row] = await programs.db<{ count: number }>`select count(*)::int as count from journey`
  assert.equal(row!.count, 15)
})
