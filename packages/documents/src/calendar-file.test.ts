// Calendar files conform to RFC 5545.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarFile } from './calendar-file.ts'

const at = new Date('2026-11-22T06:30:15.250Z')
const day = { uid: 'loan-1@lendloom', on: '2026-12-05', title: 'EMI', text: 'Pay it' }

test('RFC 5545 §3.6: a reminder day becomes an all-day event with an alarm on the day before', () => {
  assert.deepEqual(calendarFile('Loan', [day], at).split('\r\n'), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lendloom//Reminders//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Loan',
    'BEGIN:VEVENT',
    'UID:loan-1@lendloom',
    'DTSTAMP:20261122T063015Z',
    'SEQUENCE:29922150',
    'DTSTART;VALUE=DATE:20261205',
    'TRANSP:TRANSPARENT',
    'SUMMARY:EMI',
    'DESCRIPTION:Pay it',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT15H',
    'DESCRIPTION:EMI',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('RFC 5545 §3.6.1: an instant becomes an hour with its place and an alarm two hours before', () => {
  const on = new Date('2026-12-05T05:30:00.000Z')
  const file = calendarFile('Visit', [{ ...day, on, place: 'Fort, Mumbai; 400001\r\nATTENDEE:x' }], at)
  const lines = [
    'DTSTART:20261205T053000Z',
    'DURATION:PT1H',
    'LOCATION:Fort\\, Mumbai\\; 400001\\nATTENDEE:x',
    'TRIGGER:-PT2H',
  ]
  for (const line of lines) assert.ok(file.includes(`\r\n${line}\r\n`), line)
  assert.ok(!file.includes('TRANSP'))
})

test('RFC 5545 §3.3.11: escapes special characters and line breaks', () => {
  const file = calendarFile('A', [{ ...day, title: 'Rao, Sons; \\ Co', text: 'one\r\ntwo\nthree\rEND:VEVENT' }], at)
  assert.ok(file.includes('SUMMARY:Rao\\, Sons\\; \\\\ Co\r\n'))
  assert.ok(file.includes('DESCRIPTION:one\\ntwo\\nthree\\nEND:VEVENT\r\n'))
  assert.equal(file.split('\r\nEND:VEVENT').length, 2)
})

test('RFC 5545 §3.1: folds lines at 75 octets without breaking a character', () => {
  const title = 'कावेरी बैंक की किस्त 😀 '.repeat(12).trim()
  const file = calendarFile('A', [{ ...day, title }], at)
  for (const line of file.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  assert.ok(file.replaceAll('\r\n ', '').includes(`SUMMARY:${title}\r\n`))
  assert.ok(!file.includes('\uFFFD'))
})

test('the same day has the same id and a higher sequence in a later file', () => {
  const [first, second] = [at, new Date('2026-11-23T06:30:15.250Z')].map((when) => calendarFile('A', [day], when))
  const propertyOf = (file: string, name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(file)?.[1]
  assert.equal(propertyOf(first!, 'UID'), propertyOf(second!, 'UID'))
  assert.ok(Number(propertyOf(second!, 'SEQUENCE')) > Number(propertyOf(first!, 'SEQUENCE')))
})
