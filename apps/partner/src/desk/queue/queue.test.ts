// Work queues over real HTTP: the age of the oldest item and of each row, and which items are late.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import type { Act } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { shownLines } from './queue-part.ts'
import { isLate } from './waiting-time.ts'

const hoursAfter = (at: Date, hours: number): Date => secondsAfter(at, hours * 3600)
let now = new Date()
const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' }, () => now)
const meera = await deskPerson(partner, 'Meera', 'accounts')

test('a queue shows the age of its oldest item and of each row, and marks late items', async () => {
  const receivedAt = now
  await partner.db`
    insert into bank_receipt (provider, receipt_id, method, transaction_reference, amount_paise, value_on, words_sealed, received_at)
    values ('bank', 'R-1', 'NEFT', 'UTR-1', 100, '2026-11-20', ${partner.ctx.seal.json({ payer: 'A', remark: 'B' }, 'bank_receipt R-1')}, ${receivedAt})`
  assert.match((await meera.view('/desk')).text, /1 Unmatched receipts oldest: less than a minute/)
  now = hoursAfter(receivedAt, 3)
  assert.match((await meera.view('/desk/money')).text, /Unmatched receipts[\s\S]*3 hours/)
  now = receivedAt
  const loanCase = new TestCase(partner)
  await loanCase.register()
  await until('the case is under review', async () => /1 Applications to review/.test((await meera.view('/desk')).text))
  const queue = await meera.view('/desk/cases?need=review')
  assert.doesNotMatch(queue.text, /Late/)
  assert.match(queue.text, /1 case · Clear filters/)
  assert.match(queue.html, /href="\?need=review&amp;status=OFFERED"/)
  // 49 hours later the first session has expired, so another user signs in.
  now = hoursAfter(receivedAt, 49)
  const ravi = await deskPerson(partner, 'Ravi', 'accounts')
  const { text } = await ravi.view('/desk')
  assert.match(text, /1 Applications to review oldest: 2 days, late/)
  assert.match(text, /1 Unmatched receipts oldest: 2 days, late/)
  assert.match((await ravi.view('/desk/cases?need=review')).text, /Age[\s\S]*2 days Late/)
  assert.match((await ravi.view('/desk/money')).text, /2 days Late/)
})

test('the start page begins with the queue of the person’s roles, and folds the queues of other roles', async () => {
  const leela = await deskPerson(partner, 'Leela', 'credit')
  const dev = await deskPerson(partner, 'Dev', 'accounts')
  const asha = await deskPerson(partner, 'Asha', 'viewer')
  assert.match(
    (await leela.view('/desk')).text,
    /Your queue\s*1 Applications to review[\s\S]*1 queue of other roles\s*1 Unmatched receipts/,
  )
  assert.match(
    (await dev.view('/desk')).text,
    /Your queue\s*1 Unmatched receipts[\s\S]*1 queue of other roles\s*1 Applications to review/,
  )
  assert.match((await asha.view('/desk')).text, /Nothing waits for you\.\s*2 queues of other roles/)
})

test('beside little work stands the money of the day alone, and the counts are below', () => {
  const credit: Staff = { staffId: 'c', email: 'c@lender.example', name: 'C', roles: ['credit'], knownTo: [] }
  const queueOf = (count: number, acts: Act[] | null) => ({
    name: 'review' as const,
    label: '',
    href: '',
    acts,
    count,
    since: null,
  })
  const own = queueOf(2, ['OFFERED'])
  const empty = queueOf(0, ['OFFERED'])
  const ofOthers = queueOf(1, ['REFUND_ORDERED'])
  assert.equal(shownLines([own, queueOf(1, null), empty, ofOthers], credit), 2, 'those of others are folded')
  assert.equal(shownLines([empty, ofOthers, ofOthers, ofOthers], credit), 3, 'and open if nothing else waits')
})

test('an item is late only after the target time of its queue, and overdue loans have no target time', () => {
  const at = new Date('2026-11-20T06:00:00.000Z')
  assert.equal(isLate('dead', at, hoursAfter(at, 1)), false)
  assert.equal(isLate('dead', at, hoursAfter(at, 1.01)), true)
  assert.equal(isLate('overdue', at, hoursAfter(at, 9999)), false)
})
