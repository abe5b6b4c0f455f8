// What the papers of a closed loan say about money that was paid or refunded in excess.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import { readEntries } from '#partner/ledger/store.ts'
import { payoffOf } from '#partner/loan/account.ts'
import { postPaidRefund, reserveRefund } from '#partner/loan/refund.ts'
import { disbursedOn, openSettled, testAccounts } from '#test/setup/account.ts'
import { textsOf } from '#test/setup/pdf-text.ts'
import { availablePapers, paperPdf } from './paper.ts'

const accounts = await testAccounts()
const { db, ctx, act, open, receive, reverse, view, setClock } = accounts
const today = plusDays(disbursedOn, 10)
const at = startOf(today)

async function paperCaseOf(caseRef: string) {
  const [account, entries] = [await view(caseRef), await readEntries(db, caseRef)]
  return { borrower: 'ASHA KUMAR', loanId: account.loanId, offer: undefined, account, entries }
}

async function textOf(caseRef: string, name: 'no-dues' | 'closure'): Promise<string> {
  const pdf = await paperPdf(ctx.config, { name, paperCase: await paperCaseOf(caseRef), year: 2026, at })
  return (await textsOf(pdf)).join(' ')
}

test('D3 §2.5: the papers of a closed loan name what the lender still refunds, and certify no claim that it has', async () => {
  setClock(at)
  const caseRef = await open()
  const { total } = (await payoffOf(db, caseRef, today, at))!
  await receive(caseRef, total, today, 'payoff')
  assert.doesNotMatch(await textOf(caseRef, 'no-dues'), /excess/)
  await receive(caseRef, 1_000_00n, today, 'beyond')
  const refund = { caseRef, refundId: 'one', on: today }
  await act(caseRef, (tx) => reserveRefund(tx, refund, 400_00n, at))
  for (const name of ['no-dues', 'closure'] as const)
    assert.match(await textOf(caseRef, name), /₹1,000\.00 that you paid in excess is refunded/, name)
  await act(caseRef, (tx) => postPaidRefund(tx, refund, 400_00n, at))
  for (const name of ['no-dues', 'closure'] as const)
    assert.match(await textOf(caseRef, name), /₹600\.00 that you paid in excess is refunded/, name)
  await reverse(caseRef, 'beyond', today)
  const papers = availablePapers(await paperCaseOf(caseRef))
  assert.deepEqual(papers, ['schedule', 'statement', 'interest'], 'the borrower owes 400 rupees')
})

test('D3 §3: the no-dues certificate of a settled loan says for what it was settled', async () => {
  const caseRef = await openSettled(accounts, plusDays(disbursedOn, 17))
  assert.match(await textOf(caseRef, 'no-dues'), /Status: settled\..*₹50,000\.00, which is less than the amount owed/)
})
