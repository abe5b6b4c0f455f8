// Property of deliveries on a real database: despite failures no update is lost or reordered, and ids never change.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { doublingPauses, schedule } from '@lendloom/foundation/schedule'
import { uuidv4 } from '@lendloom/seal/id'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries, webhookFixture } from '@lendloom/tests/setup/webhooks'
import fc from 'fast-check'
import { webhookDeliveryWorker } from './deliver-updates.ts'

const ctx = await webhookFixture()
const receiver = await startReceiver()
after(() => receiver.stop())

const fastRetries = {
  ...immediateRetries,
  schedule: schedule(Array<string>(60).fill('PT0.005S'), 'give up'),
  pauseSchedule: doublingPauses(0.01, 0.02),
}

// The receiver's behaviour at a request; `accept and fail` processes the update but answers 500.
const behaviours = ['accept', 'accept', 'fail', 'accept and fail', 'break'] as const

test('D1 §6.3–4: despite failures, two workers deliver every update in order, at least once and with one id per event', async () => {
  const journeys = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      journeys,
      fc.array(fc.constantFrom(...behaviours), { minLength: 1, maxLength: 40 }),
      async (lengths, script) => {
        await ctx.clear()
        receiver.received.length = 0
        const { accepted, answer } = scriptedReceiver(script)
        receiver.answer = answer
        await ctx.endpoint(receiver.url('/a'))
        const workers = [webhookDeliveryWorker(ctx, fastRetries), webhookDeliveryWorker(ctx, fastRetries)]
        const eventIds = new Map<string, string[]>()
        await Promise.all(
          lengths.map(async (length) => {
            const journeyId = uuidv4()
            const ids: string[] = []
            eventIds.set(journeyId, ids)
            for (let sequence = 1; sequence <= length; sequence++) ids.push(await ctx.update(journeyId, sequence))
          }),
        )
        const allDeliveries = await ctx.waitUntilSettled()
        await Promise.all(workers.map((worker) => worker.stop()))
        assert.ok(allDeliveries.every(({ state }) => state === 'DELIVERED'))
        for (const [journeyId, ids] of eventIds) {
          const arrivals = accepted.filter((update) => update.journeyId === journeyId)
          assert.deepEqual(
            [...new Set(arrivals.map(({ id }) => id))],
            ids,
            'every event arrives in order with its own id',
          )
          const sequences = arrivals.map(({ sequence }) => sequence)
          assert.deepEqual(
            sequences,
            sequences.toSorted((a, b) => a - b),
            'no update is repeated after a later one',
          )
        }
      },
    ),
    { numRuns: roundsOf(12), endOnFailure: true },
  )
})

test('D1 §6: two workers name in each update exactly the earlier ones of its journey that were given up', async () => {
  const twice = { ...fastRetries, schedule: schedule(['PT0.005S'], 'give up') }
  const journeys = fc.array(fc.integer({ min: 2, max: 7 }), { minLength: 1, maxLength: 5 })
  const scripts = fc.array(fc.constantFrom('accept', 'fail', 'fail', 'accept and fail', 'break'), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(journeys, scripts, async (lengths, script) => {
      await ctx.clear()
      receiver.received.length = 0
      receiver.answer = scriptedReceiver(script).answer
      await ctx.endpoint(receiver.url('/a'))
      const workers = [webhookDeliveryWorker(ctx, twice), webhookDeliveryWorker(ctx, twice)]
      await Promise.all(
        lengths.map(async (length) => {
          const journeyId = uuidv4()
          for (let sequence = 1; sequence <= length; sequence++) await ctx.update(journeyId, sequence)
        }),
      )
      const all = await ctx.waitUntilSettled()
      await Promise.all(workers.map((worker) => worker.stop()))
      for (const { id, headers } of receiver.received) {
        const sent = all.find(({ eventId }) => eventId === id)
        const given = all.filter((one) => one.journeyId === sent?.journeyId && one.state === 'EXHAUSTED')
        const missing = given.filter(({ sequence }) => sequence < Number(sent?.sequence))
        const named = missing.toSorted((a, b) => a.sequence - b.sequence).map(({ eventId }) => eventId)
        assert.equal(headers['lendloom-missing'] ?? '', named.join(' '))
      }
    }),
    { numRuns: roundsOf(12), endOnFailure: true },
  )
})

interface AcceptedUpdate {
  journeyId: string
  sequence: number
  id: string
}

/** Follows the script, then accepts everything. */
function scriptedReceiver(script: string[]) {
  const accepted: AcceptedUpdate[] = []
  let step = 0
  const answer: typeof receiver.answer = ({ id, body }) => {
    const behaviour = script[step++] ?? 'accept'
    if (behaviour.startsWith('accept')) accepted.push({ ...JSON.parse(body.toString()), id })
    if (behaviour === 'break') return (response) => void response.destroy()
    return behaviour === 'accept' ? 200 : 500
  }
  return { accepted, answer }
}
