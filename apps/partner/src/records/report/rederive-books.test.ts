// The books derived again from single postings, on the ledger of real loans, and rows changed behind the program's back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { testAccounts } from '@lendloom/tests/setup/account'
import { openCollections } from '@lendloom/tests/setup/collection'
import type { BankCredit } from '@lendloom/wire/bank/bank'
import { balancesText, trialBalance } from '#partner/books/ledger/trial-balance.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { monthEndBefore } from '#partner/servicing/loan/month/month-end.ts'
import { rederiveBooks } from './rederive-books.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx
const today = () => businessDate(ctx.clock())
async function differing(run: Run): Promise<string[]> {
  const { figures } = await rederiveBooks(run)
  return figures.filter(({ derived, stored }) => derived !== stored).map(({ what }) => what)
}

async function receiptArrives(amount: string, remark: string | null): Promise<void> {
  const id = uuidv4()
  await receiveReceipt(ctx, {
    receipt_id: id,
    method: 'NEFT',
    transaction_reference: `UTR${id}`,
    currency: 'INR',
    payer_name: 'Asha Kumar',
    amount,
    value_date: today(),
    remark,
    at: ctx.clock().toISOString(),
  } as BankCredit)
}

// Two loans after 45 days, which the tests only read.
const loan = await open.disbursedLoan()
await open.disbursedLoan()
await receiptArrives('4790.00', `loan ${(await accountOf(db, loan))!.loanId}`)
await receiptArrives('120.00', null)
open.advanceClock({ days: 45 })
await dayEnd(ctx, plusDays(today(), -1), async () => {})

test('D3 §2.5: the postings give all figures of real loans, and an empty ledger has no differences', async () => {
  const empty = await testAccounts()
  assert.deepEqual(await empty.db.snapshot(differing), [], 'an empty ledger')
  const { figures, postings } = await db.snapshot(rederiveBooks)
  assert.ok(postings > 20)
  const end = monthEndBefore(today())
  for (const name of [`${end} trial balance`, `${end} principal of each loan`, 'provisions', 'balances of each case'])
    assert.ok(
      figures.some(({ what }) => what === name),
      name,
    )
  assert.deepEqual(await db.snapshot(differing), [])
})

async function closeMonth(tx: Tx): Promise<void> {
  const to = monthEndBefore(today())
  const { rows } = await trialBalance(tx, { from: `${to.slice(0, 8)}01`, to })
  const balances = balancesText(rows.filter(({ account }) => account !== 'RECOVERY_INCOME'))
  await tx`
    insert into month_closing (closing_id, month_end, balances, open_steps, reason, state, made_by, maker_known_to, made_at,
      expires_at, decided_by, decided_at)
    values (${uuidv4()}, ${to}, ${balances}, '{}', 'x', 'CONFIRMED', ${uuidv4()}, '{}', now(), now(), ${uuidv4()}, now())`
}

const firstPosting = (condition: Fragment) => sql`(case_ref, entry_id, line) = (
  select case_ref, entry_id, line from ledger_posting p where ${condition} order by case_ref, entry_id, line limit 1)`
const anyLoan = sql`case_ref = (select min(case_ref) from loan)`

const postingColumns = sql`case_ref, entry_id, line, debit, credit, installment, paise`

const changes: Record<string, Fragment> = {
  'the amount of a posting': sql`update ledger_posting set paise = paise + 1 where ${firstPosting(sql`debit = 'INTEREST'`)}`,
  'the account of a posting': sql`
    update ledger_posting set debit = 'CHARGES' where ${firstPosting(sql`debit = 'PENALTY'`)}`,
  'an account that is not in the chart': sql`
    update ledger_posting set credit = 'SAVINGS' where ${firstPosting(sql`credit = 'FEE_INCOME'`)}`,
  'a deleted posting': sql`delete from ledger_posting where ${firstPosting(sql`debit = 'BANK' and credit = 'INTEREST'`)}`,
  'a deleted posting of income alone': sql`delete from ledger_posting where entry_id = 'provision-' || (
    select max(ended_on) from business_day where provision_change_paise <> 0)`,
  'an entry without its postings': sql`
    insert into ledger_entry (case_ref, entry_id, kind, business_on, posted_at, posted_on)
    select case_ref, 'more', 'ACCRUAL', business_on, posted_at, posted_on from ledger_entry limit 1`,
  'a balanced posting without an entry': sql`
    insert into ledger_posting (${postingColumns})
    select case_ref, 'more', 1, 'WAIVED', 'FEE_INCOME', 0, 5 from loan limit 1`,
  'a balanced posting to money': sql`
    insert into ledger_posting (${postingColumns})
    select case_ref, 'disbursement', 9, 'BANK', 'FEE_INCOME', 0, 5 from loan limit 1`,
  'the principal of two loans, with the same sum': sql`
    update loan set principal_paise = principal_paise + case when ${anyLoan} then 1 else -1 end`,
  'the principal of two loans at a month end': sql`
    update loan_month set principal_paise = principal_paise + case when ${anyLoan} then 1 else -1 end`,
  'a month end without loans': sql`delete from loan_month`,
  'a schedule row': sql`update installment set interest_paise = interest_paise - 1 where number = 2`,
  'the provision of an earlier day': sql`
    update business_day set provision_paise = 5 where ended_on = (select min(ended_on) from business_day)`,
  'the provision of a class': sql`update business_day_class set provision_paise = provision_paise + 1`,
  'the class of a loan': sql`update loan set asset_class = 'SMA_0' where asset_class <> 'SMA_0' and ${anyLoan}`,
  'the amount of a receipt': sql`update bank_receipt set amount_paise = amount_paise + 1 where payment_id is null`,
  'the amount of a payment': sql`update payment set amount_paise = amount_paise - 1 where status = 'POSTED'`,
  'the transfer of a loan': sql`update loan set disbursed_paise = disbursed_paise - 1 where ${anyLoan}`,
  'the figures of a closed month': sql`
    update month_closing set balances = replace(balances, '"0.00","0.00","0.00","0.00"', '"0.00","1.00","0.00","1.00"')`,
  'figures of a closed month that are not JSON': sql`update month_closing set balances = 'none'`,
  'income of a closed month, moved to another account': sql`
    update ledger_posting set credit = 'CHARGES_INCOME' where ${firstPosting(sql`credit = 'FEE_INCOME'`)}`,
  'the day of a posting, moved out of a closed month': sql`
    update ledger_entry set posted_on = (select max(ended_on) + 1 from business_day) where kind = 'DISBURSEMENT'`,
  'an invoice without its number': sql`delete from tax_document where number = 1`,
  'the day of an invoice': sql`update tax_document set issued_on = issued_on + 40 where number = 1`,
  'the number of the newest invoice': sql`update tax_document set number = 9 where number = 2`,
  'the lent amount of a loan': sql`
    update loan set terms = jsonb_set(terms, '{amountPaise}', '"10000100"') where ${anyLoan}`,
  'the disbursement day of a loan': sql`update loan set disbursed_on = disbursed_on - 40 where ${anyLoan}`,
  'the rate of a loan': sql`
    update loan set terms = jsonb_set(terms, '{annualRatePercent}', '"23.00"') where ${anyLoan}`,
  'the status of a loan': sql`update loan set status = 'CLOSED' where ${anyLoan}`,
  'a write-off without an entry': sql`update loan set written_off_on = disbursed_on + 50 where ${anyLoan}`,
  'a settlement without an entry': sql`
    update loan set settled_on = disbursed_on + 9, settlement_paise = 1, settlement_agreed_on = disbursed_on,
      settlement_until = disbursed_on + 9 where ${anyLoan}`,
  'the instalment of a loan': sql`update loan set installment_paise = installment_paise + 1 where ${anyLoan}`,
  'the due date of a schedule row': sql`update installment set due_on = due_on + 1 where number = 2 and ${anyLoan}`,
  'principal moved between schedule rows': sql`
    update installment set principal_paise = principal_paise + case number when 2 then 100 else -100 end
    where number in (2, 20) and ${anyLoan}`,
  'a schedule row that is not due yet': sql`update installment set fell_due = false where number = 3 and ${anyLoan}`,
  'the loans of a class': sql`update business_day_class set loans = loans + 1 where ended_on = (
    select max(ended_on) from business_day)`,
  'the principal of a class': sql`update business_day_class set principal_paise = principal_paise - 1`,
  'the class of a day': sql`update loan_class set asset_class = 'SMA_2' where asset_class = 'SMA_1' and ${anyLoan}`,
  'the amount due in a month': sql`update portfolio_month set due_paise = due_paise + 1`,
  'the amount collected in a month': sql`update portfolio_month set collected_paise = collected_paise - 1`,
  'the late amount of a vintage': sql`update portfolio_vintage set late_paise = late_paise + 1`,
  'the loans of a vintage': sql`update portfolio_vintage set loans = loans + 1`,
  'a roll': sql`update portfolio_roll set to_state = 'SMA_2'`,
  'the value date of a payment': sql`update payment set value_on = value_on - 40 where status = 'POSTED'`,
  'the kind of an entry': sql`update ledger_entry set kind = 'WAIVER' where kind = 'PENALTY'`,
  'a closed month without entries': sql`with gone as (delete from ledger_entry) delete from ledger_posting`,
}

test('D3 §2.5: each row changed behind the program is found, and a figure without a difference is not', async () => {
  const unchanged = new Error('rolled back')
  const found = (change: Fragment) =>
    db
      .tx(async (tx) => {
        await closeMonth(tx)
        assert.deepEqual(await differing(tx), [], 'an account that the closed month did not have yet')
        await tx`${change}`
        unchanged.cause = await differing(tx)
        throw unchanged
      })
      .catch((error: unknown) => assert.equal(error, unchanged))
  const missed: string[] = []
  for (const [name, change] of Object.entries(changes)) {
    await found(change)
    if ((unchanged.cause as string[]).length === 0) missed.push(name)
  }
  assert.deepEqual(missed, [])
  assert.deepEqual(await db.snapshot(differing), [], 'nothing was stored')
})
