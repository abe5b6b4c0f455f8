// The books derived again from single postings, on the ledger of real loans.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '#kit/money/calendar.ts'
import { recordMonths } from '#partner/loan/month/keep-month.ts'
import { accountsOn, disbursedOn } from '#test/setup/account.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { rederiveBooks } from './rederive.ts'

const partner = await startTestPartner({}, () => new Date('2026-11-20T06:00:00.000Z'))
const { db } = partner
const { open, receive, endDay } = accountsOn(db)
const differing = async () => {
  const { figures } = await db.snapshot(rederiveBooks)
  return figures.filter(({ derived, stored }) => derived !== stored).map(({ what }) => what)
}

test('D3 §2.5: the postings give the trial balances, the principal and the provisions, and a changed row is found', async () => {
  assert.deepEqual(await differing(), [], 'an empty ledger')
  const [loan] = [await open(), await open()]
  await receive(loan, 4790_00n, plusDays(disbursedOn, 7))
  for (let on = disbursedOn; on <= '2026-12-31'; on = plusDays(on, 1)) await endDay(on)
  await recordMonths(db, '2026-12-31')
  const { figures, postings } = await db.snapshot(rederiveBooks)
  assert.ok(postings > 20)
  const names = figures.map(({ what }) => what)
  for (const name of ['2026-11-30 trial balance', '2026-12-31 trial balance', 'provisions', 'principal of all loans'])
    assert.ok(names.includes(name), name)
  assert.deepEqual(await differing(), [])

  await db`update loan set principal_paise = principal_paise + 1 where case_ref = ${loan}`
  assert.deepEqual(await differing(), [`principal of ${loan}`, 'principal of all loans'])
  await db`update loan set principal_paise = principal_paise - 1 where case_ref = ${loan}`
  await db`update business_day set provision_paise = provision_paise + 1 where ended_on = '2026-12-31'`
  assert.deepEqual(await differing(), ['provisions'])
  await db`update business_day set provision_paise = provision_paise - 1 where ended_on = '2026-12-31'`
  await db`
    insert into bank_receipt (provider, receipt_id, method, transaction_reference, amount_paise, value_on, words_sealed, received_at)
    values ('bank', 'R1', 'NEFT', 'UTR1', 100, '2026-12-31', '', now())`
  assert.deepEqual(await differing(), ['receipts not yet posted'])
  await db`delete from bank_receipt`
  await db`update loan_month set principal_paise = principal_paise - 1 where month_end = '2026-11-30' and case_ref = ${loan}`
  assert.deepEqual(await differing(), ['2026-11-30 principal of the portfolio'])
})
