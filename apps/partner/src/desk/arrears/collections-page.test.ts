// The calendar of returned debits over real HTTP: its weeks, the debits of a day, and the CSV files of both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const meera = await deskPerson(partner, 'Meera', 'collections')
const loanCase = new TestCase(partner)
await loanCase.register()

const today = businessDate(new Date())
/** A day that the calendar shows only after a click on `Earlier weeks`. */
const earlierDay = plusDays(today, -40)
/** Inserts debits that the bank returned on a day. */
const insertReturnedDebits = (on: string, count: number) => db`
  insert into payment (case_ref, payment_id, status, method, amount_paise, installment_ids, collection_id, attempt_number,
    collection_on, reason_code, created_at, updated_at)
  select ${loanCase.caseRef}, gen_random_uuid(), 'FAILED', 'ENACH', 931200, '{}', gen_random_uuid(), 1, ${on}::date, '04', now(), now()
  from generate_series(1, ${count}::integer)`
await insertReturnedDebits(today, 1)
// More than one page of 25.
await insertReturnedDebits(earlierDay, 30)

const path = '/desk/collections'
const linkTo = (html: string, linkText: string) =>
  new RegExp(`href="([^"#]*)[^"]*"[^>]*>${linkText}<`).exec(html)?.[1]?.replaceAll('&amp;', '&')

test('D3 §6.7: links to other weeks keep the filter of the arrears', async () => {
  const thisWeek = await meera.view(`${path}?whose=mine`)
  assert.match(thisWeek.text, /1 debit, 1 returned/)
  assert.doesNotMatch(thisWeek.html, /Later weeks/)
  const earlierWeeks = await meera.view(`${path}${linkTo(thisWeek.html, 'Earlier weeks')}`)
  assert.match(earlierWeeks.text, /30 debits, 30 returned/)
  assert.match(earlierWeeks.html, /whose=mine/)
  const laterWeeks = await meera.view(`${path}${linkTo(earlierWeeks.html, 'Later weeks')}`)
  assert.match(laterWeeks.text, /1 debit, 1 returned/)
  assert.equal(linkTo(earlierWeeks.html, 'This week'), `?whose=mine&week=${today}`)
})

test('D3 §6.7: weeks without a debit or a holiday say so, because a phone shows only days with one', async () => {
  const { html, text } = await meera.view(`${path}?week=${plusDays(today, -400)}`)
  assert.match(text, /No debits presented in these weeks\./)
  assert.doesNotMatch(html, /class="calendar"/)
})

test('D3 §6.7: the displayed weeks and the debits of a day can be downloaded as CSV', async () => {
  const file = await (await meera.get(`${path}?week=${earlierDay}&csv=bounce-calendar`)).text()
  assert.match(file, new RegExp(`Day,Presented,Returned,Amount returned,Holiday\\r\\n${earlierDay},30,30,279360\\.00,`))
  const day = await meera.view(`${path}?week=${earlierDay}&on=${earlierDay}`)
  assert.match(day.text, /Returned on/)
  assert.match(day.html, /Pages of Returned debits/)
  assert.match(day.text, /Insufficient funds \(04\)/)
  const debits = await (await meera.get(`${path}?on=${earlierDay}&csv=returned-debits`)).text()
  assert.equal(debits.trim().split('\r\n').length, 31)
  const none = await meera.get(`${path}?on=2026-01-01&csv=returned-debits`)
  assert.equal(none.status, 200)
  assert.equal(await none.text(), 'Borrower,Loan,Amount,Try,Reason\r\n')
  assert.equal((await meera.get(`${path}?csv=returned-debits`)).status, 404, 'without a day there is no such table')
})

test('an invalid day is refused, and the message names the field', async () => {
  for (const field of ['on', 'week']) {
    const { status, text } = await meera.view(`${path}?${field}=2026-02-31`)
    assert.equal(status, 400)
    assert.equal(new RegExp(`${field} is not a day`, 'i').test(text), true)
  }
})
