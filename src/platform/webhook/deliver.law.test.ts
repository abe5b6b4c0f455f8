// Law of delivery on a real database: despite failures nothing is lost or reordered, and ids never change.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { uuidv4 } from '#kit/crypto/id.ts'
import { doublingPauses, schedule } from '#kit/runtime/schedule.ts'
import { startReceiver } from '#test/setup/receiver.ts'
import { immediateRetries, webhookFixture } from '#test/setup/webhooks.ts'
import { deliver } from './deliver.ts'

const ctx = await webhookFixture()
const receiver = await startReceiver()
after(() => receiver.stop())

const patient = {
  ...immediateRetries,
  schedule: schedule(Array<string>(60).fill('PT0.005S'), 'give up'),
  pauseSchedule: doublingPauses(0.01, 0.02),
}

// The receiver's behaviour per request: accept, fail, fail after accepting, or break the connection.
const moods = ['take', 'take', 'fail', 'take and fail', 'break'] as const

test('D1 §6.3–4: with any failures and two workers, each journey arrives in order, at least once, one id per event', async () => {
  const journeys = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      journeys,
      fc.array(fc.constantFrom(...moods), { minLength: 1, maxLength: 40 }),
      async (lengths, script) => {
        await ctx.clear()
        receiver.received.length = 0
        const { taken, answer } = scripted(script)
        receiver.answer = answer
        await ctx.endpoint(receiver.url('/a'))
        const workers = [deliver(ctx, patient), deliver(ctx, patient)]
        const sent = new Map<string, string[]>()
        await Promise.all(
          lengths.map(async (length) => {
            const journeyId = uuidv4()
            const ids: string[] = []
            sent.set(journeyId, ids)
            for (let sequence = 1; sequence <= length; sequence++) ids.push(await ctx.update(journeyId, sequence))
          }),
        )
        const all = await ctx.waitUntilSettled()
        await Promise.all(workers.map((worker) => worker.stop()))
        assert.ok(all.every(({ state }) => state === 'DELIVERED'))
        for (const [journeyId, ids] of sent) {
          const seen = taken.filter((one) => one.journeyId === journeyId)
          assert.deepEqual(
            [...new Set(seen.map(({ id }) => id))],
            ids,
            'every event, first seen in order, under its own id',
          )
          const sequences = seen.map(({ sequence }) => sequence)
          assert.deepEqual(
            sequences,
            sequences.toSorted((a, b) => a - b),
            'nothing comes back after a later one',
          )
        }
      },
    ),
    { numRuns: 12 },
  )
})

interface Taken {
  journeyId: string
  sequence: number
  id: string
}

/** Follows the script, then accepts everything. */
function scripted(script: (typeof moods)[number][]) {
  const taken: Taken[] = []
  let step = 0
  const answer: typeof receiver.answer = ({ id, body }) => {
    const mood = script[step++] ?? 'take'
    if (mood.startsWith('take')) taken.push({ ...JSON.parse(body.toString()), id })
    if (mood === 'break') return (response) => void response.destroy()
    return mood === 'take' ? 200 : 500
  }
  return { taken, answer }
}
