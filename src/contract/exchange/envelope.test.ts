// The envelope: every event passes whole, and each wrong field of its frame is refused by name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleEvent } from '#test/setup/exchange-examples.ts'
import { envelopeFaults, eventTypes } from './envelope.ts'

test('D3 §6: there are fourteen event types, and an event of each is accepted', () => {
  assert.equal(eventTypes.length, 14)
  for (const type of eventTypes) assert.deepEqual(envelopeFaults(exampleEvent(type)), [], type)
})
