// Days in India: where they begin, and that steps between them add up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  businessDate,
  daysBetween,
  daysOfPeriod,
  dayText,
  lastDayOf,
  longDayText,
  plusDays,
  startOf,
} from './calendar.ts'

test('D3 §2.1: a day in India begins at half past six in the evening, UTC', () => {
  assert.equal(businessDate(new Date('2026-11-20T18:29:59.999Z')), '2026-11-20')
  assert.equal(businessDate(new Date('2026-11-20T18:30:00.000Z')), '2026-11-21')
  assert.equal(startOf('2026-11-21').toISOString(), '2026-11-20T18:30:00.000Z')
})

test('steps over months, years and leap days', () => {
  assert.equal(plusDays('2026-12-29', 7), '2027-01-05')
  assert.equal(plusDays('2028-02-28', 1), '2028-02-29')
  assert.equal(plusDays('2027-03-01', -1), '2027-02-28')
  assert.equal(daysBetween('2026-11-20', '2027-04-23'), 154)
})

test('a period in days, weeks or hours is so many whole days; one in months or words is not', () => {
  assert.deepEqual(['P3D', 'P0D', 'P2W', 'PT72H', 'PT36H'].map(daysOfPeriod), [3, 0, 14, 3, 1])
  for (const text of ['', 'P', 'P1M', 'PT', 'P1DT1H', '3 days', 'three days'])
    assert.equal(daysOfPeriod(text), null, text)
})

test('a period that begins at an instant ends on a day in India, also across the end of a month', () => {
  assert.equal(lastDayOf('P5D', new Date('2026-11-22T06:00:00Z')), '2026-11-27')
  assert.equal(lastDayOf('P3D', new Date('2026-11-28T18:29:59Z')), '2026-12-01')
  assert.equal(lastDayOf('P3D', new Date('2026-11-28T18:30:00Z')), '2026-12-02', 'the next day has begun')
  assert.equal(lastDayOf('P1W', new Date('2026-12-28T06:00:00Z')), '2027-01-04')
  for (const words of ['', 'three days', 'P1M']) assert.equal(lastDayOf(words, new Date()), null, words)
})

test('a day in words is that day, wherever it is read', () => {
  assert.deepEqual([dayText('2026-11-20'), longDayText('2026-11-20')], ['20 Nov 2026', '20 November 2026'])
  assert.equal(dayText('2027-01-01'), '1 Jan 2027')
})

test('what is no day is an error', () => {
  for (const text of ['2026-02-30', '2026-13-01', '2026-1-1', '', 'today', '2026-11-20T00:00:00Z'])
    assert.throws(() => plusDays(text, 0), /is not a day/)
})

test('property: steps and distances are each other, and a day is where it begins', () => {
  const start = '2026-01-01'
  fc.assert(
    fc.property(fc.integer({ min: -40_000, max: 40_000 }), fc.integer({ min: -400, max: 400 }), (far, step) => {
      const on = plusDays(start, far)
      assert.equal(daysBetween(start, on), far)
      assert.equal(plusDays(plusDays(on, step), -step), on)
      assert.equal(businessDate(startOf(on)), on)
      assert.equal(businessDate(new Date(startOf(on).getTime() - 1)), plusDays(on, -1))
    }),
  )
})
