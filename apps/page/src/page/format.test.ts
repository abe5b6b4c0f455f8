// Formats of money, rates, dates and durations.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { languages } from '@lendloom/lending/language'
import { textFilesOf } from '../text/catalogues.ts'
import { setLanguage } from '../text.ts'
import { about, ago, day, lastDay, months, percent, period, rateOf, rupees, tenureOf, units } from './format.ts'

beforeEach(() => setLanguage('en', textFilesOf('en').page))

test('rupees are grouped in lakhs, and zero paise are hidden', () => {
  assert.equal(rupees('200000.00'), '₹2,00,000')
  assert.equal(rupees('12345678.00'), '₹1,23,45,678')
  assert.equal(rupees('1234.50'), '₹1,234.50')
  assert.equal(rupees('0.00'), '₹0')
})

test('units keep all decimals and are grouped like amounts', () => {
  assert.equal(units('6249.000'), '6,249.000')
  assert.equal(units('123456789012345.6781'), '12,34,56,78,90,12,345.6781')
  assert.equal(units('0.001'), '0.001')
  assert.equal(units('12'), '12')
})

test('a rate is parsed with or without a percent sign, and other text is unchanged', () => {
  assert.equal(rateOf('14.25%'), 14.25)
  assert.equal(rateOf('14'), 14)
  assert.equal(rateOf('on request'), null)
  assert.equal(percent('12.610'), '12.61%')
  assert.equal(percent('on request'), 'on request')
})

test('a date is the day in India, with the month as a word', () => {
  assert.equal(day('2027-01-05'), '5\u00a0Jan\u00a02027')
  assert.equal(day('2027-01-04T20:00:00.000Z'), '5\u00a0Jan\u00a02027')
  assert.equal(day('soon'), 'soon')
})

test('a period’s last day is called today on that day, with the hour, in every language', () => {
  assert.equal(lastDay('2026-11-29', '2026-11-28'), day('2026-11-29'))
  assert.equal(lastDay('2026-11-29', undefined), day('2026-11-29'))
  const todayIn = languages.map((language) => {
    setLanguage(language, textFilesOf(language).page)
    return lastDay('2026-11-29', '2026-11-29').replace(/,.*11:59.*/, '')
  })
  assert.deepEqual(todayIn, ['today', 'आज', 'இன்று', 'ఈ రోజు', 'आज', 'আজ'])
})

test('elapsed time is in whole units, and seconds in tens', () => {
  assert.deepEqual([19, 59, 60, 7199, 7200, 200_000].map(ago), [
    '10 seconds ago',
    '50 seconds ago',
    '1 minute ago',
    '1 hour ago',
    '2 hours ago',
    '2 days ago',
  ])
})

test('an approximate duration is rounded up', () => {
  assert.deepEqual([1, 45, 60, 5400, 7200, 100_000].map(about), [
    '10 seconds',
    '50 seconds',
    '60 seconds',
    '2 hours',
    '2 hours',
    '2 days',
  ])
})

test('terms and periods are written in the page’s language', () => {
  assert.equal(months(24), '24 months')
  assert.equal(period('P5D'), '5 days')
  assert.equal(period('three days'), 'three days')
  setLanguage('hi', textFilesOf('hi').page)
  assert.equal(months(24), '24\u00a0महीने')
  assert.equal(period('P5D'), '5 दिन')
  setLanguage('ta', textFilesOf('ta').page)
  assert.equal(about(60), '60 விநாடிகள்')
  assert.equal(about(7200), '2 மணிநேரம்')
})

test('every language groups amounts in lakhs, and writes dates and periods in its own words', () => {
  const texts = languages.map((language) => {
    setLanguage(language, textFilesOf(language).page)
    assert.equal(rupees('200000.00'), '₹2,00,000')
    assert.equal(percent('12.610'), '12.61%')
    assert.equal(units('6249.000'), '6,249.000')
    return [day('2027-01-05'), period('P5D'), months(24)]
  })
  for (const column of [0, 1, 2]) assert.equal(new Set(texts.map((row) => row[column])).size, languages.length)
})

test('a weekly loan counts weeks, any other loan months', () => {
  const offer = { numberOfInstallments: 22, tenureMonths: 5 }
  assert.equal(tenureOf({ ...offer, repaymentFrequency: 'WEEKLY' }), '22 weeks')
  assert.equal(tenureOf({ ...offer, repaymentFrequency: 'MONTHLY' }), '5 months')
  assert.equal(tenureOf({ ...offer, repaymentFrequency: null }), '5 months')
})
