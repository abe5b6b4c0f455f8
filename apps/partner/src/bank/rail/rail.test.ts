// Tests each row of the tables of the rails, with the values of NPCI and RBI.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnCodes } from '@lendloom/wire/exchange/return-code-text'
import { eNach } from './e-nach.ts'
import { isRailOpen, returnPolicyOf } from './rail.ts'
import { railOf, rails } from './rails.ts'
import { upiAutopay } from './upi-autopay.ts'

const umn = '0123456789abcdef0123456789abcdef@okbank'
const acceptedAt = (rail: typeof eNach) => (time: string) => isRailOpen(rail, new Date(`2026-12-04T${time}:00+05:30`))

test('D3 §6.7: the number of a mandate tells its rail', () => {
  assert.equal(railOf('HDFC7021106230012345').method, 'ENACH')
  assert.equal(railOf(umn).method, 'UPI_AUTOPAY')
})

test('NPCI, 1 August 2025: UPI Autopay debits only outside the peak hours', () => {
  const times = ['00:00', '09:59', '10:00', '12:59', '13:00', '16:59', '17:00', '21:29', '21:30', '23:59']
  const isAccepted = [true, true, false, false, true, true, false, false, true, true]
  assert.deepEqual(times.map(acceptedAt(upiAutopay)), isAccepted)
})

test('NPCI, 1 August 2021: the bank accepts an e-NACH debit at any hour, also on holidays', () => {
  assert.deepEqual(['00:00', '13:59', '23:59'].map(acceptedAt(eNach)), [true, true, true])
  assert.ok(eNach.opensOnHolidays && upiAutopay.opensOnHolidays)
})

test('NACH clearing cycles: the result of a debit after the last session is known on the next evening', () => {
  const lastSession = eNach.sessions.at(-1)!
  assert.equal(eNach.sessions[0], 6)
  assert.equal(lastSession, 14)
  assert.equal(lastSession + eNach.resultHours, 24 + 21)
  assert.deepEqual(upiAutopay.sessions, [])
  assert.equal(upiAutopay.resultHours, 1)
})

test('RBI, e-mandate framework: the borrower gets a notice 24 hours before, and no debit above ₹15,000 without PIN', () => {
  assert.equal(eNach.noticeHours, 24)
  assert.equal(upiAutopay.noticeHours, 24)
  assert.equal(eNach.isNotifiedByBank, false)
  assert.equal(upiAutopay.isNotifiedByBank, true)
  assert.equal(upiAutopay.maxDebitPaise, 15_000_00n)
})

test('NPCI: limits of a mandate, tries, days between them, and pauses', () => {
  const row = ({ maxMandatePaise, maxAttempts, retryDays, isPausable }: typeof eNach) => ({
    maxMandatePaise,
    maxAttempts,
    retryDays,
    isPausable,
  })
  assert.deepEqual(row(eNach), { maxMandatePaise: 1_00_00_000_00n, maxAttempts: 3, retryDays: 3, isPausable: false })
  assert.deepEqual(row(upiAutopay), { maxMandatePaise: 1_00_000_00n, maxAttempts: 4, retryDays: 1, isPausable: true })
})

test('D3 §6.7: each code of UPI has its policy, and an unknown code needs a review', () => {
  const expected = {
    retry: 'Z9 Z8 Z7 ZU U30',
    wait: 'JPMP PEAK_HOURS NO_NOTICE',
    'new-mandate': 'JPMR JPMX JPMC XH ZX',
    stop: 'YE ZA',
    enquire: 'RB U01',
    review: '04 59 U02 XX',
  }
  for (const [policy, codes] of Object.entries(expected))
    for (const code of codes.split(' ')) assert.equal(returnPolicyOf(upiAutopay, code), policy, code)
})

test('D3 §6.7: a code has one policy in its table, and a meaning', () => {
  for (const { codes, method } of rails) {
    const listed = Object.values(codes).flatMap((each) => each.split(' ').filter(Boolean))
    assert.equal(new Set(listed).size, listed.length, method)
    assert.deepEqual(
      listed.filter((code) => !(code in returnCodes)),
      [],
    )
  }
})
