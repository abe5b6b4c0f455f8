// Waivers, write-offs and loss classifications at the desk. One person requests each, and a second person approves it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { startBank } from '@lendloom/tests/setup/bank'
import { deskPerson, pendingRequestPath, withCurrentVersion } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { readCase } from '#partner/origination/case/store.ts'
import { bureauAccounts } from '#partner/records/report/bureau-report.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { payoffOf } from '#partner/servicing/loan/account-view.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { reportDayEnd } from '#partner/work.ts'
import { checkedActs } from './checked-acts.ts'

const bank = await startBank()
const partner = await startTestPartner({ BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' })
const { db, ctx } = partner
const lena = await deskPerson(partner, 'Lena', 'collections')
const ravi = await deskPerson(partner, 'Ravi', 'credit')
const omar = await deskPerson(partner, 'Omar', 'credit')

test('D3 §3: two people settle a loan for less, and the borrower’s payment closes it', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.runToDisbursement()
  const { caseRef } = loanCase
  const page = `/desk/cases/${caseRef}`
  const [loan] = await db<{ disbursedOn: string }>`select disbursed_on from loan where case_ref = ${caseRef}`
  const form = { amount: '50,000', until: plusDays(businessDate(ctx.clock()), 10), reason: 'The shop burned down.' }
  const early = await lena.send(`${page}/settle`, form)
  assert.equal(early.status, 409)
  assert.match(early.text, /nothing of this loan is overdue/i)
  await dayEnd(ctx, plusDays(loan!.disbursedOn, 16), reportDayEnd(ctx))
  assert.match((await lena.view(page)).text, /Settle for less/)
  assert.equal((await lena.send(`${page}/settle`, form)).status, 303)
  const request = await pendingRequestPath(partner, caseRef, 'SETTLEMENT')
  assert.equal((await lena.send(`${request}/approve`)).status, 403, 'the requester cannot approve')
  const at = startOf(plusDays(loan!.disbursedOn, 18))
  const loanCaseNow = (await readCase(db, caseRef))!
  const given = await db.tx((tx) =>
    checkedActs.SETTLEMENT.amountOf(tx, loanCaseNow, new URLSearchParams(form), { ...ctx, at }),
  )
  const payoff = (await payoffOf(db, caseRef, businessDate(at), at))!
  assert.equal(
    rupees(given),
    rupees(payoff.total - 50_000_00n),
    'the limits apply to the rounded amount that is given up',
  )
  assert.equal((await omar.send(`${request}/approve`)).status, 303)
  assert.match((await ravi.view(page)).text, /Overdue\s*Settlement agreed.*Settlement agreed: ₹50,000 received from/s)
  const today = businessDate(ctx.clock())
  await receiveReceipt(ctx, {
    receipt_id: 'R-5',
    method: 'NEFT',
    transaction_reference: 'UTR90',
    amount: '50000.00',
    currency: 'INR',
    at: new Date().toISOString(),
    value_date: today,
    payer_name: 'ASHA',
    remark: loanCase.loanId!,
  })
  const { loan_status, soa } = await loanCase.status()
  assert.equal(loan_status, 'CLOSED')
  assert.equal(soa?.total_outstanding, '0.00')
  assert.match((await ravi.view(page)).text, /Settled for less/)
  assert.equal((await ravi.get(`${page}/papers/closure`)).status, 200)
  for await (const [account] of bureauAccounts(ctx, { reportedOn: today, closedSince: today, tolerance: 0n }))
    assert.equal(account?.settledOn, today)
})

test('D3 §2.5: a waiver, a write-off and a loss classification take effect only when a second person approves', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.runToDisbursement()
  const { caseRef } = loanCase
  const page = `/desk/cases/${caseRef}`
  const approveAsRavi = async (act: string) =>
    (await ravi.send(`${await pendingRequestPath(partner, caseRef, act)}/approve`)).status
  const prematureWriteOff = await lena.send(`${page}/write-off`, { reason: 'Gone.' })
  assert.equal(prematureWriteOff.status, 409)
  assert.match(prematureWriteOff.text, /Nothing of this loan is overdue/)

  const [loan] = await db<{ disbursedOn: string }>`select disbursed_on from loan where case_ref = ${caseRef}`
  await dayEnd(ctx, plusDays(loan!.disbursedOn, 16), reportDayEnd(ctx))
  const { soa } = await loanCase.status()
  assert.ok(Number(soa!.penalty_outstanding) > 0)
  const form = { penalty: soa!.penalty_outstanding, charges: '0', interest: '0' }
  const withoutReason = await lena.send(`${page}/waive`, form)
  assert.equal(withoutReason.status, 400)
  assert.match(withoutReason.text, /enter a reason/)
  const excessiveWaiver = await lena.send(`${page}/waive`, { ...form, interest: '99999', reason: 'Ill.' })
  assert.equal(excessiveWaiver.status, 400)
  assert.match(excessiveWaiver.text, /₹.* of interest is due, not ₹99,999/)
  const outdated = await withCurrentVersion(partner, `${page}/waive`)
  assert.equal((await lena.send(`${page}/waive`, { ...form, reason: 'She was ill.' })).status, 303)
  const refused = await ravi.send(outdated, { ...form, reason: 'Ill.' })
  assert.match(refused.text, /What changed: Asked for approval \(waiver, ₹[\d,.]+\) by Lena, /)
  assert.equal((await lena.send(`${await pendingRequestPath(partner, caseRef, 'WAIVER')}/approve`)).status, 403)
  const waiver = await pendingRequestPath(partner, caseRef, 'WAIVER')
  const answers = await Promise.all([ravi, omar].map((officer) => officer.send(`${waiver}/approve`)))
  assert.deepEqual(
    answers.map(({ status }) => status).sort(),
    [303, 409],
    'only one of two concurrent approvals succeeds',
  )
  const waived = await loanCase.status()
  assert.equal(waived.soa!.penalty_outstanding, '0.00')
  assert.equal(waived.soa!.principal_outstanding, soa!.principal_outstanding)

  assert.equal((await lena.send(`${page}/write-off`, { reason: 'The shop is closed.' })).status, 303)
  assert.equal(await approveAsRavi('WRITE_OFF'), 303)
  const writtenOff = await loanCase.status()
  assert.equal(writtenOff.loan_status, 'OVERDUE')
  assert.equal(writtenOff.soa!.total_outstanding, waived.soa!.total_outstanding)
  assert.match((await ravi.view(page)).text, /Written off on .*\. The borrower still owes it/)

  // After 100 days the loan is non-performing: the credit role may request the loss, the collections role may not.
  assert.equal((await ravi.send(`${page}/loss`, { reason: 'Gone.' })).status, 409)
  await dayEnd(ctx, plusDays(loan!.disbursedOn, 100), reportDayEnd(ctx))
  assert.match((await ravi.view(page)).text, /Classify as a loss/)
  const lossWithoutReason = await ravi.send(`${page}/loss`, {})
  assert.equal(lossWithoutReason.status, 400)
  assert.match(lossWithoutReason.text, /Enter a reason of at most 500 characters/)
  assert.equal((await lena.send(`${page}/loss`, { reason: 'Gone.' })).status, 403)
  await db`update approval_limit set approve_paise = 1 where act = 'LOSS' and role = 'credit'`
  assert.equal((await ravi.send(`${page}/loss`, { reason: 'The borrower is not found.' })).status, 303)
  const casePageText = async () => (await ravi.view(page)).text
  assert.doesNotMatch(await casePageText(), /Decided by staff/)
  const request = await pendingRequestPath(partner, caseRef, 'LOSS')
  assert.equal((await ravi.send(`${request}/approve`)).status, 403, 'the requester cannot approve')
  const aboveLimit = await omar.send(`${request}/approve`)
  assert.equal(aboveLimit.status, 403)
  assert.match(aboveLimit.text, /more than your roles may approve/)
  await db`update approval_limit set approve_paise = 20000000 where act = 'LOSS' and role = 'credit'`
  assert.equal((await omar.send(`${request}/approve`)).status, 303)
  assert.match(await casePageText(), /Decided by staff: The borrower is not found\./)
  const [lossClass] = await db<{ decidedBy: string }>`
    select decided_by from loan_class where case_ref = ${caseRef} and reason = 'DECISION'`
  assert.equal(lossClass!.decidedBy, omar.staffId)
  assert.equal((await ravi.send(`${page}/loss`, { reason: 'Again.' })).status, 409)
})
