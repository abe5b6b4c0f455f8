// Reads ISO 8601 durations, and adds seconds and days to instants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { daysAfter, durationMs, secondsAfter, systemClock } from './clock.ts'

test('durationMs reads durations in every unit', () => {
  const second = 1000
  const day = 86_400_000
  const known: Record<string, number> = {
    PT30S: 30 * second,
    'PT0.5S': 500,
    PT15M: 900 * second,
    PT2H: 7200 * second,
    P1D: day,
    P2W: 14 * day,
    P1M: 30 * day,
    P1Y: 365 * day,
    P1M1DT1H1M1S: 31 * day + 3661 * second,
    PT0S: 0,
    PT100H: 360_000 * second,
  }
  for (const [text, ms] of Object.entries(known)) assert.equal(durationMs(text), ms, text)
})

test('durationMs returns null for an invalid duration and for a duration of more than a century', () => {
  for (const text of [
    '',
    'P',
    'PT',
    'P1',
    '1D',
    'PT1D',
    'P1DT',
    'P-1D',
    'P1S',
    ' PT1S',
    'PT1S ',
    'pt1s',
    'P1.5D',
    'PT1,5S',
  ])
    assert.equal(durationMs(text), null, text)
  for (const text of ['P101Y', `P${'9'.repeat(400)}D`, 'P99999999999Y']) assert.equal(durationMs(text), null, text)
})

test('property: adding any duration to the current time gives a valid instant', () => {
  const part = fc.integer({ min: 0, max: 10 ** 9 })
  fc.assert(
    fc.property(part, part, (days, seconds) => {
      const ms = durationMs(`P${days}DT${seconds}S`)
      assert.ok(ms === null || !Number.isNaN(new Date(Date.now() + ms).getTime()))
    }),
  )
})

test('secondsAfter and daysAfter return a new instant', () => {
  const at = new Date('2026-02-28T23:59:59.500Z')
  assert.equal(secondsAfter(at, 0.5).toISOString(), '2026-03-01T00:00:00.000Z')
  assert.equal(secondsAfter(at, -60).toISOString(), '2026-02-28T23:58:59.500Z')
  assert.equal(daysAfter(at, 1).toISOString(), '2026-03-01T23:59:59.500Z')
  assert.equal(at.toISOString(), '2026-02-28T23:59:59.500Z')
  assert.ok(Math.abs(systemClock().getTime() - Date.now()) < 1000)
})
