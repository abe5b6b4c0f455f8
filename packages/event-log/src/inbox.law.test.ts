// The final state does not depend on order, repetition, delay, failures or the number of workers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '@lendloom/foundation/refusal'
import { message, recordEffect, testInbox } from '@lendloom/tests/setup/inbox'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { until } from '@lendloom/tests/setup/programs'
import fc from 'fast-check'
import { receive } from './inbox.ts'

const inbox = await testInbox()

/** `refused` is the version that the handler refuses; 0 or a version above `versions` refuses none. */
const plan = fc.record({
  objects: fc.array(fc.record({ versions: fc.integer({ min: 1, max: 8 }), refused: fc.nat({ max: 8 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
  workers: fc.integer({ min: 1, max: 3 }),
  /** For each message: its sort key in the order of arrival, how often it is sent, and the delay before sending. */
  arrivals: fc.array(fc.record({ position: fc.nat(), times: fc.integer({ min: 1, max: 3 }), ms: fc.nat({ max: 6 }) }), {
    minLength: 40,
    maxLength: 40,
  }),
})

test('property, D3 §6: each version has one effect under any permutation, repetition and delay', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ objects, workers, arrivals }) => {
      await inbox.clear()
      const all = objects.flatMap(({ versions }, i) =>
        Array.from({ length: versions }, (_, v) =>
          message({ partitionKey: `case-${i % 2}`, entityType: 'PAYMENT', entityId: `pay-${i}`, entityVersion: v + 1 }),
        ),
      )
      const isRefused = (entityId: string, version: number) => objects[Number(entityId.slice(4))]!.refused === version
      for (let i = 0; i < workers; i++)
        inbox.start({
          async apply(tx, event) {
            await recordEffect(tx, event)
            if (isRefused(event.entityId, event.entityVersion))
              throw new Refusal('wrong-state', 'this version is refused')
          },
        })
      // Each repetition has the position and delay of another entry, so that it arrives at another time.
      const order = all
        .flatMap((event, i) =>
          Array.from({ length: arrivals[i]!.times }, (_, n) => ({ event, ...arrivals[(i + n * 11) % 40]! })),
        )
        .sort((a, b) => a.position - b.position)
      const receipts: Promise<unknown>[] = []
      for (const { event, ms } of order) {
        // A message with a shorter delay arrives together with the previous message.
        if (ms > 3) await sleep(ms)
        receipts.push(receive(inbox, { ...event, receivedAt: new Date() }))
      }
      await Promise.all(receipts)
      await until(
        'every message is settled',
        async () => (await inbox.outcomes()).size === all.length && (await inbox.waiting()) === 0,
      )
      await inbox.stopAll()
      const effects = await inbox.effects()
      for (const [i, { versions }] of objects.entries()) {
        const expected = Array.from({ length: versions }, (_, v) => v + 1).filter((v) => !isRefused(`pay-${i}`, v))
        const actual = effects.filter(({ entityId }) => entityId === `pay-${i}`).map(({ version }) => version)
        assert.deepEqual(actual, expected)
      }
      const outcomes = await inbox.outcomes()
      for (const { eventId, entityId, entityVersion } of all)
        assert.equal(outcomes.get(eventId), isRefused(entityId, entityVersion) ? 'FAILED' : 'APPLIED')
    }),
    { numRuns: roundsOf(15), endOnFailure: true },
  )
})
