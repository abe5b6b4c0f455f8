// The bounce calendar over real HTTP: weeks, the debits of a day, and both as files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { deskPerson } from '#test/setup/desk.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { TestCase } from '#test/setup/partner-case.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const meera = await deskPerson(partner, 'Meera', 'collections')
const loanCase = new TestCase(partner)
await loanCase.register()

const today = businessDate(new Date())
/** A day of the calendar's page before the one of today. */
const early = plusDays(today, -40)
/** Debits that the bank returned on a day. */
const returned = (on: string, count: number) => db`
  insert into payment (case_ref, payment_id, status, method, amount_paise, installment_ids, collection_id, attempt_number,
    collection_on, reason_code, created_at, updated_at)
  select ${loanCase.caseRef}, gen_random_uuid(), 'FAILED', 'ENACH', 931200, '{}', gen_random_uuid(), 1, ${on}::date, '04', now(), now()
  from generate_series(1, ${count}::integer)`
await returned(today, 1)
await returned(early, 30)

const path = '/desk/collections'
const linkTo = (html: string, words: string) =>
  new RegExp(`href="([^"#]*)[^"]*"[^>]*>${words}<`).exec(html)?.[1]?.replaceAll('&amp;', '&')

test('D3 §6.7: links to other weeks keep the selected arrears', async () => {
  const now = await meera.view(`${path}?whose=mine`)
  assert.match(now.text, /1 of 1 debits returned/)
  assert.doesNotMatch(now.html, /Later weeks/)
  const before = await meera.view(`${path}${linkTo(now.html, 'Earlier weeks')}`)
  assert.match(before.text, /30 of 30 debits returned/)
  assert.match(before.html, /whose=mine/)
  const again = await meera.view(`${path}${linkTo(before.html, 'Later weeks')}`)
  assert.match(again.text, /1 of 1 debits returned/)
  assert.equal(linkTo(before.html, 'This week'), `?whose=mine&week=${today}`)
})

test('D3 §6.7: the shown weeks and the debits of a day can be downloaded', async () => {
  const file = await (await meera.get(`${path}?week=${early}&csv=bounce-calendar`)).text()
  assert.match(file, new RegExp(`Day,Presented,Returned,Amount returned,Holiday\\r\\n${early},30,30,279360\\.00,`))
  const day = await meera.view(`${path}?week=${early}&on=${early}`)
  assert.match(day.text, /Returned of/)
  assert.match(day.html, /Pages of Returned debits/)
  const debits = await (await meera.get(`${path}?on=${early}&csv=returned-debits`)).text()
  assert.equal(debits.trim().split('\r\n').length, 31)
})

test('an invalid day is refused by its field', async () => {
  for (const field of ['on', 'week']) {
    const { status, text } = await meera.view(`${path}?${field}=2026-02-31`)
    assert.deepEqual([status, new RegExp(`${field} is not a day`, 'i').test(text)], [400, true])
  }
})
