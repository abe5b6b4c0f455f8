// The business calendar counts days in India.
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

test('D3 §2.1: a day in India begins at 18:30 UTC', () => {
  assert.equal(businessDate(new Date('2026-11-20T18:29:59.999Z')), '2026-11-20')
  assert.equal(businessDate(new Date('2026-11-20T18:30:00.000Z')), '2026-11-21')
  assert.equal(startOf('2026-11-21').toISOString(), '2026-11-20T18:30:00.000Z')
})

test('plusDays and daysBetween count across months, years and leap days', () => {
  assert.equal(plusDays('2026-12-29', 7), '2027-01-05')
  assert.equal(plusDays('2028-02-28', 1), '2028-02-29')
  assert.equal(plusDays('2027-03-01', -1), '2027-02-28')
  assert.equal(daysBetween('2026-11-20', '2027-04-23'), 154)
})

test('daysOfPeriod reads days, weeks and hours as whole days, and returns null for other periods', () => {
  assert.deepEqual(['P3D', 'P0D', 'P2W', 'PT72H', 'PT36H'].map(daysOfPeriod), [3, 0, 14, 3, 1])
  for (const text of ['', 'P', 'P1M', 'PT', 'P1DT1H', '3 days', 'three days'])
    assert.equal(daysOfPeriod(text), null, text)
})

test('lastDayOf counts days in India, including across the end of a month', () => {
  assert.equal(lastDayOf('P5D', new Date('2026-11-22T06:00:00Z')), '2026-11-27')
  assert.equal(lastDayOf('P3D', new Date('2026-11-28T18:29:59Z')), '2026-12-01')
  assert.equal(lastDayOf('P3D', new Date('2026-11-28T18:30:00Z')), '2026-12-02', 'the next day has begun in India')
  assert.equal(lastDayOf('P1W', new Date('2026-12-28T06:00:00Z')), '2027-01-04')
  for (const text of ['', 'three days', 'P1M']) assert.equal(lastDayOf(text, new Date()), null, text)
})

test('dayText and longDayText write a day with the name of the month', () => {
  assert.equal(dayText('2026-11-20'), '20 Nov 2026')
  assert.equal(longDayText('2026-11-20'), '20 November 2026')
  assert.equal(dayText('2027-01-01'), '1 Jan 2027')
})

test('plusDays throws on an invalid day', () => {
  for (const text of ['2026-02-30', '2026-13-01', '2026-1-1', '', 'today', '2026-11-20T00:00:00Z'])
    assert.throws(() => plusDays(text, 0), /is not a day/)
})

test('property: daysBetween reverses plusDays, and startOf is the first instant of a day', () => {
  const start = '2026-01-01'
  fc.assert(
    fc.property(fc.integer({ min: -40_000, max: 40_000 }), fc.integer({ min: -400, max: 400 }), (distance, step) => {
      const day = plusDays(start, distance)
      assert.equal(daysBetween(start, day), distance)
      assert.equal(plusDays(plusDays(day, step), -step), day)
      assert.equal(businessDate(startOf(day)), day)
      assert.equal(businessDate(new Date(startOf(day).getTime() - 1)), plusDays(day, -1))
    }),
  )
})
