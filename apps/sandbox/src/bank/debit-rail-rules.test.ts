// Tests each rule by which the bank judges a debit, per rail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DebitFile, faultOf, type PresentedDebit, sessionEnd } from './debit-rail-rules.ts'

const on = '2026-12-04'
const at = (time: string, day = on) => new Date(`${day}T${time}:00+05:30`)
const umrn = 'SBXB7201126000000077'
const umn = '0123456789abcdef0123456789abcdef@okbank'

type Change = Partial<PresentedDebit> &
  Partial<DebitFile> & { time?: string; status?: 'ACTIVE' | 'PAUSED' | 'CANCELLED' }

const codeOf =
  (number: string) =>
  ({ time = '09:00', status = 'ACTIVE', ...change }: Change = {}) => {
    const term = { validFrom: '2026-11-01', validUntil: '2027-05-01', updatedAt: at('00:00') }
    const mandate = { umrn: number, maximumPaise: 20_000_00n, status, ...term }
    const notice = { umrn: number, collectionOn: on, amountPaise: 4790_00n, sentAt: at('09:00', '2026-12-03') }
    const debit = { umrn: number, amountPaise: 4790_00n, collectionOn: on, ...change }
    return faultOf(debit, { mandate, notice, earlierTries: 0, ...change }, at(time))
  }
const nach = codeOf(umrn)
const upi = codeOf(umn)

test('NPCI, 1 August 2025: the bank returns a UPI debit in the peak hours, and an e-NACH debit at no hour', () => {
  const times = ['09:59', '10:00', '12:59', '13:00', '16:59', '17:00', '21:29', '21:30']
  const codes = [null, 'PEAK_HOURS', 'PEAK_HOURS', null, null, 'PEAK_HOURS', 'PEAK_HOURS', null]
  assert.deepEqual(
    times.map((time) => upi({ time })),
    codes,
  )
  assert.deepEqual([...new Set(times.map((time) => nach({ time })))], [null])
})

test('NPCI, 1 August 2021: the bank accepts debits on Republic Day', () => {
  const day = { collectionOn: '2027-01-26' }
  const file = { mandate: undefined, notice: undefined, earlierTries: 0 }
  assert.equal(faultOf({ umrn, amountPaise: 1n, ...day }, file, at('09:00', '2027-01-26')), null)
})

test('RBI, e-mandate framework: the bank returns a UPI debit without notice of its day and amount 24 hours before', () => {
  const notice = { umrn: umn, collectionOn: on, amountPaise: 4790_00n, sentAt: at('09:01', '2026-12-03') }
  assert.equal(upi({ notice }), 'NO_NOTICE')
  assert.equal(upi({ notice, time: '09:01' }), null)
  assert.equal(upi({ notice: undefined }), 'NO_NOTICE')
  assert.equal(upi({ amountPaise: 4790_01n }), 'NO_NOTICE')
  assert.equal(upi({ amountPaise: 4000_00n }), null)
  assert.equal(upi({ collectionOn: '2026-12-05' }), 'NO_NOTICE')
  assert.equal(nach({ notice: undefined }), null)
})

test('RBI, e-mandate framework: the bank returns a UPI debit above ₹15,000, and any debit above its mandate', () => {
  const notice = { umrn: umn, collectionOn: on, amountPaise: 30_000_00n, sentAt: at('08:00', '2026-12-03') }
  assert.equal(upi({ notice, amountPaise: 15_000_00n }), null)
  assert.equal(upi({ notice, amountPaise: 15_000_01n }), 'U02')
  assert.equal(nach({ amountPaise: 20_000_00n }), null)
  assert.equal(nach({ amountPaise: 20_000_01n }), '26')
  assert.equal(nach({ mandate: undefined, amountPaise: 1_00_00_000_01n }), '26')
})

test('D3 §6.7: the bank returns a debit of a paused or cancelled mandate, and outside its dates', () => {
  assert.equal(upi({ status: 'PAUSED' }), 'JPMP')
  assert.equal(upi({ status: 'CANCELLED' }), 'JPMR')
  assert.equal(nach({ status: 'CANCELLED' }), '21')
  const outside = ['2026-10-31', '2026-12-03', '2027-05-02']
  assert.deepEqual(
    outside.map((collectionOn) => nach({ collectionOn })),
    ['28', '32', '29'],
  )
  assert.deepEqual(
    outside.map((collectionOn) => upi({ collectionOn })),
    ['NOT_STARTED', 'NO_NOTICE', 'JPMX'],
  )
})

test('NPCI, 1 August 2025: the bank returns the fifth try under one notice', () => {
  assert.deepEqual(
    [3, 4].map((earlierTries) => upi({ earlierTries })),
    [null, 'TOO_MANY_TRIES'],
  )
})

test('NACH clearing cycles: the result of an e-NACH debit is complete at 21:00 of its session’s day', () => {
  assert.deepEqual(sessionEnd(umrn, at('13:59')), at('21:00'))
  assert.deepEqual(sessionEnd(umrn, at('14:00')), at('21:00', '2026-12-05'))
  assert.deepEqual(sessionEnd(umn, at('14:00')), at('14:00'))
})
