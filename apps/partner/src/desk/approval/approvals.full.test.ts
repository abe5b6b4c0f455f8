// Tests requests and approvals by two people over HTTP.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { verifyLog } from '@lendloom/identity/audit'
import { businessDate } from '@lendloom/lending/calendar'
import { startBank } from '@lendloom/tests/setup/bank'
import { deskPerson, pendingChangePath, pendingRequestPath } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { fullName } from '@lendloom/wire/exchange/lead'
import { deskLog } from '#partner/desk/audit/store.ts'
import { readPaymentSumsOf } from '#partner/desk/books/payments-store.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import type { Payee } from '#partner/servicing/collection/transfer/carry-out-transfer.ts'
import { payeeContext } from '#partner/servicing/collection/transfer/disbursement.ts'
import { refundContext } from '#partner/servicing/collection/transfer/refund.ts'

const bank = await startBank()
const partner = await startTestPartner({
  BANK_URL: bank.url,
  BANK_BEARER: bank.bearer,
  BANK_POLL_SECONDS: '1',
  PARTNER_AUTOPILOT: 'off',
})
const { db } = partner
const meera = await deskPerson(partner, 'Meera', 'credit', 'operations')
const ravi = await deskPerson(partner, 'Ravi', 'credit', 'operations', 'accounts')
const asha = await deskPerson(partner, 'Asha', 'admin')
const clerk = await deskPerson(partner, 'Clerk', 'credit')

const terms = { annualRatePercent: '26', feePercent: '2', taxPercent: '18', otherCharges: '0', validDays: '3' }
const aboveLimit = { ...terms, amount: '300000' }

async function openCaseUnderReview(): Promise<TestCase> {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const page = `/desk/cases/${loanCase.caseRef}`
  await until('the case is under review', async () => /Approve with these terms/.test((await meera.view(page)).text))
  return loanCase
}
const statesOf = async (caseRef: string) => {
  const rows = await db<{ state: string; decisionReason: string | null }>`
    select state, decision_reason from approval_request where case_ref = ${caseRef} order by made_at, request_id`
  return rows.map(({ state }) => state)
}
const countOffers = async (caseRef: string) => (await db`select 1 from case_offer where case_ref = ${caseRef}`).length

test('an offer above the officer’s limit is made only after a second person approves', async () => {
  const { caseRef } = await openCaseUnderReview()
  const page = `/desk/cases/${caseRef}`
  const withoutReason = await meera.send(`${page}/offer`, aboveLimit)
  assert.equal(withoutReason.status, 400)
  assert.match(withoutReason.text, /A second person decides this: enter a reason/)
  assert.equal((await meera.send(`${page}/offer`, { ...aboveLimit, reason: 'A good shop.' })).status, 303)
  assert.equal(await countOffers(caseRef), 0)
  assert.deepEqual(await statesOf(caseRef), ['WAITING'])
  const duplicate = await meera.send(`${page}/offer`, { ...aboveLimit, reason: 'A good shop.' })
  assert.match(duplicate.text, /The offer is already waiting for approval\./)
  assert.match(
    (await ravi.view(page)).text,
    /Waiting for a second person: offer\s*Offer to approve\s*₹3,00,000 3\stimes what was recommended\s*Recommended\s*₹1,00,000\s*Weekly instalment\s*₹14,\d{3} 22 instalments[\s\S]*?EMIs are \d+\.\d% of income; the policy declines above 70%[\s\S]*?Requested by\s*Meera/,
  )
  assert.match(
    (await ravi.view('/desk/approvals')).text,
    /Offer\s*Asha \S+ · application \d+\s*Offer to approve\s*₹3,00,000 3\stimes what was recommended.*EMIs are \d+\.\d% of income; the policy declines above 70%.*Requested by\s*Meera\s*Waiting\s*(?:less than a minute|\d+ minutes?)\s*since .*?Reason\s*A good shop\.\s*Stated monthly income.*?Bureau score.*Annual interest rate\s*26\.00%.*Processing fee\s*₹6,000.*Tax on the fee\s*₹1,080.*Valid for\s*3 days/s,
  )
  assert.match((await ravi.view(page)).html, /<button class="primary">Approve the offer of ₹3,00,000<\/button>/)
  assert.match((await ravi.view('/desk')).text, /1 Pending approvals/)
  const waitingPage = (await meera.view(page)).text
  assert.doesNotMatch(waitingPage, /Approve and offer/, 'the form is behind a link while the offer waits')
  assert.match(waitingPage, /Propose other terms/)
  assert.match((await meera.view(`${page}?act=offer`)).text, /Approve and offer/)
  const ownOverview = (await meera.view('/desk')).text
  assert.match(ownOverview, /1 Asked by you, waiting for a second person/)
  assert.doesNotMatch(ownOverview, /1 Pending approvals/, 'nobody decides what they asked for')
  const file = await (await ravi.fetch('/desk/approvals?csv=pending-approvals')).text()
  assert.match(
    file,
    /What,Number,Amount,Details,Requested by,Age,Reason\r\nOffer,Application \d+,300000\.00,"?Amount₹3,00,000/,
  )

  const request = await pendingRequestPath(partner, caseRef, 'OFFER')
  const ownApproval = await meera.send(`${request}/approve`)
  assert.equal(ownApproval.status, 403)
  assert.match(ownApproval.text, /You cannot decide your own proposal/)
  assert.equal((await ravi.send(`${request}/refuse`)).status, 400)
  assert.equal((await ravi.send(`${request}/withdraw`)).status, 403)
  const approvals = await Promise.all([ravi, asha, clerk].map((each) => each.send(`${request}/approve`)))
  assert.deepEqual(approvals.map(({ status }) => status).sort(), [303, 409, 409])
  assert.equal(await countOffers(caseRef), 1)
  assert.deepEqual(await statesOf(caseRef), ['APPROVED'])

  assert.equal((await meera.send(`${page}/offer`, { ...terms, amount: '90000' })).status, 303)
  assert.equal(await countOffers(caseRef), 2, 'within the limit')
  assert.match(
    (await meera.view('/desk/cases')).html,
    new RegExp(`${caseRef}[\\s\\S]*?₹90,000`),
    'the amount of the newest offer',
  )
})

test('an officer cannot approve their own request or a request above their limit', async () => {
  const { caseRef } = await openCaseUnderReview()
  const page = `/desk/cases/${caseRef}`
  assert.equal((await asha.send(`${page}/offer`, { ...aboveLimit, amount: '1200000', reason: 'Large.' })).status, 303)
  const request = await pendingRequestPath(partner, caseRef, 'OFFER')
  assert.equal((await asha.send(`${request}/approve`)).status, 403)
  const aboveOwnLimit = await ravi.send(`${request}/approve`)
  assert.equal(aboveOwnLimit.status, 403)
  assert.match(aboveOwnLimit.text, /more than your roles may approve/)
  const offered = await ravi.view('/desk/approvals')
  assert.match(offered.text, /You can approve up to ₹10,00,000; above that, you can only refuse\./)
  assert.ok(!offered.html.includes(`${request}/approve`) && offered.html.includes(`${request}/refuse`))
  assert.ok((await ravi.view(page)).html.includes(`${request}/refuse`), 'the case page also offers only the refusal')
  const queueOf = async (who: typeof ravi) => /(\d+) ?Pending approvals/.exec((await who.view('/desk')).text)?.[1]
  assert.equal(await queueOf(ravi), '0', 'the queue counts what the approver may approve')
  assert.match(offered.text, /Waiting for others 1[\s\S]*₹12,00,000[\s\S]*You can approve up to ₹10,00,000/)
  assert.match((await asha.view('/desk/approvals')).text, /Nothing waits for you\.\s*You asked for 1[\s\S]*₹12,00,000/)
  assert.match((await asha.view(page)).text, /You asked for this\. No one at the desk has a limit to approve it/)
  const accountant = await deskPerson(partner, 'Nina', 'accounts')
  assert.match((await accountant.view('/desk/approvals')).text, /Your roles cannot decide this/)
  const others = await accountant.send(`${request}/refuse`, { reason: 'No.' })
  assert.equal(others.status, 403)
  assert.match(others.text, /Your roles cannot decide this: offer/)
  assert.equal(
    (await asha.send(`${request}/refuse`, { reason: 'No.' })).status,
    403,
    'makers withdraw their own requests, they do not refuse them',
  )
  const place = 'list=all..2026-11-02'
  const inList = await asha.send(`${request}/refuse?${place}`, { reason: 'No.' })
  assert.ok(inList.html.includes(`href="/desk/cases/${caseRef}?${place}"`), 'a refused decision leads back to the case')
  const withdrawn = await asha.send(`${request}/withdraw?${place}`)
  assert.equal(withdrawn.location, `/desk/cases/${caseRef}?done=REQUEST_WITHDRAWN&${place}`)
  assert.equal(await countOffers(caseRef), 0)
  assert.deepEqual(await statesOf(caseRef), ['WITHDRAWN'])
  assert.equal((await ravi.send(`${request}/approve`)).status, 409)
})

test('an officer can refuse a request above their limit', async () => {
  const { caseRef } = await openCaseUnderReview()
  await asha.send(`/desk/cases/${caseRef}/offer`, { ...aboveLimit, amount: '1200000', reason: 'Large.' })
  const request = await pendingRequestPath(partner, caseRef, 'OFFER')
  const { status, location } = await ravi.send(`${request}/refuse`, { reason: 'Too much for this shop.' })
  assert.equal(status, 303)
  assert.equal(location, '/desk/approvals?done=REQUEST_REFUSED')
  assert.match(
    (await ravi.view(location)).html,
    new RegExp(`Refused a request: offer, [^<]*<a href="/desk/cases/${caseRef}">`),
  )
  assert.match((await ravi.view(location!)).text, /Refused a request: offer, ₹12,00,000, application \d+\./)
  assert.equal(await countOffers(caseRef), 0)
  assert.deepEqual(await statesOf(caseRef), ['REFUSED'])
  assert.match((await asha.view(`/desk/cases/${caseRef}?tab=history`)).text, /Too much for this shop\./)
  const news = /Ravi refused your request: offer, ₹12,00,000(?: · application \d+)?\s*Reason: Too much for this shop\./
  for (const path of ['/desk', `/desk/cases/${caseRef}`]) assert.match((await asha.view(path)).text, news, path)
  assert.doesNotMatch((await ravi.view('/desk')).text, news, 'only the person who asked is told')
  await asha.send(`/desk/cases/${caseRef}/offer`, { ...aboveLimit, amount: '1100000', reason: 'Less.' })
  for (const path of ['/desk', `/desk/cases/${caseRef}`])
    assert.doesNotMatch((await asha.view(path)).text, /refused your request/, 'until the person asks again')
})

test('the approval of an act that is no longer possible is refused, and closes the request', async () => {
  const { caseRef } = await openCaseUnderReview()
  const page = `/desk/cases/${caseRef}`
  await meera.send(`${page}/offer`, { ...aboveLimit, reason: 'Fast.' })
  const rejected = { reasonCode: 'OTHER', reasonMessage: 'Another one said no.' }
  assert.equal((await clerk.send(`${page}/reject`, rejected)).status, 303)
  const lateApproval = await ravi.send(`${await pendingRequestPath(partner, caseRef, 'OFFER')}/approve`)
  assert.match(lateApproval.text, /no longer possible, and the request is closed: the case is rejected/)
  assert.equal(lateApproval.status, 409)
  assert.equal(await countOffers(caseRef), 0)
  assert.deepEqual(await statesOf(caseRef), ['REFUSED'])
  const impossibleOffer = await meera.send(`${page}/offer`, { ...aboveLimit, reason: 'Again.' })
  assert.equal(impossibleOffer.status, 409, 'an act that the case does not allow makes no request')
  assert.deepEqual(await statesOf(caseRef), ['REFUSED'])
})

test('an undecided request expires after seven days', async () => {
  const { caseRef } = await openCaseUnderReview()
  await meera.send(`/desk/cases/${caseRef}/offer`, { ...aboveLimit, reason: 'Waits.' })
  await db`update approval_request set expires_at = now() - interval '1 minute' where case_ref = ${caseRef}`
  const expiredRequest = await pendingRequestPath(partner, caseRef, 'OFFER')
  assert.equal((await ravi.send(`${expiredRequest}/approve`)).status, 409)
  assert.equal((await meera.send(`/desk/cases/${caseRef}/offer`, { ...aboveLimit, reason: 'Once more.' })).status, 303)
  assert.deepEqual(await statesOf(caseRef), ['EXPIRED', 'WAITING'])
})

test('only offers and postings can have a limit up to which an officer acts alone', async () => {
  const soleLimits = await db<{
    act: string
  }>`select distinct act from approval_limit where alone_paise > 0 order by act`
  assert.deepEqual(
    soleLimits.map(({ act }) => act),
    ['OFFER', 'POSTING'],
  )
  await assert.rejects(db`update approval_limit set alone_paise = 1 where act = 'PAYOUT'`, /approval_limit_check/)
  assert.doesNotMatch((await asha.view('/desk/limits')).html, /name="alone\.PAYOUT/)
})

test('limits that an admin proposes apply once a second admin confirms them', async () => {
  const form: Record<string, string> = { reason: 'One crore is too much.' }
  for (const act of [
    'OFFER',
    'PAYOUT',
    'REFUND',
    'WAIVER',
    'WRITE_OFF',
    'SETTLEMENT',
    'LOSS',
    'POSTING',
    'REVERSAL',
    'TRANSFER_RETURN',
    'ACCOUNT',
    'CANCELLATION',
  ])
    for (const role of ['credit', 'operations', 'accounts', 'admin'])
      Object.assign(form, { [`alone.${act}.${role}`]: '0', [`approve.${act}.${role}`]: '10,00,000' })
  const limitOf = async () => {
    const [row] = await db<{ alone: bigint; approve: bigint }>`
      select alone_paise as alone, approve_paise as approve from approval_limit where role = 'credit' and act = 'OFFER'`
    return row
  }
  const before = await limitOf()
  const invalidForm = await asha.send('/desk/limits', { ...form, 'approve.OFFER.credit': 'much' })
  assert.equal(invalidForm.status, 400)
  assert.match(invalidForm.text, /approve\.OFFER\.credit is not readable/i)
  assert.ok(invalidForm.html.includes('value="much"'))
  assert.equal((await asha.send('/desk/limits', { ...form, reason: '' })).status, 400)
  assert.equal((await asha.send('/desk/limits', form)).status, 303)
  assert.equal((await asha.send('/desk/limits', form)).status, 409, 'another proposal is pending')
  assert.equal((await ravi.send('/desk/limits', form)).status, 403)
  assert.deepEqual(await limitOf(), before, 'unconfirmed limits are not in effect')
  const change = await pendingChangePath(partner, 'LIMITS')
  assert.match((await asha.view('/desk/limits')).text, /Waiting for a second admin: The limits of approval/)
  assert.equal((await asha.send(`${change}/confirm`)).status, 403, 'the proposer cannot confirm')
  assert.equal((await ravi.send(`${change}/confirm`)).status, 403, 'only an admin can confirm')
  const devi = await deskPerson(partner, 'Devi', 'admin')
  assert.match((await devi.view('/desk/policy')).text, /Offer, Credit, alone up to 200000\.00 becomes 0\.00/)
  assert.equal((await devi.send(`${change}/confirm`)).status, 303)
  assert.deepEqual(await limitOf(), { alone: 0n, approve: 1_000_000_00n })
  const [entry] = await db<{ detail: string; staffId: string }>`
    select detail, person_id as staff_id from audit_entry where act = 'LIMITS_CHANGED'`
  assert.match(entry!.detail, /"Offer, Credit, alone up to":"from 200000\.00 to 0\.00"/)
  assert.match(entry!.detail, /"proposedBy":"Asha"/)
  assert.equal(entry!.staffId, devi.staffId)
})

describe('acts that always need two people, one story of a loan', () => {
  let loanCase: TestCase
  let caseRef: string
  let page: string
  let account: { holder: string; number: string; ifsc: string }

  test('a payout is ordered only after a second person approves', async () => {
    await db`update approval_limit set alone_paise = 0 where act = 'OFFER'`
    loanCase = await openCaseUnderReview()
    caseRef = loanCase.caseRef
    page = `/desk/cases/${caseRef}`
    const approve = async (act: string) =>
      (await ravi.send(`${await pendingRequestPath(partner, caseRef, act)}/approve`)).status
    await meera.send(`${page}/offer`, { ...terms, amount: '100000', reason: 'As recommended.' })
    assert.equal(await approve('OFFER'), 303)
    await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
    await loanCase.decide()
    await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
    await loanCase.verify()
    await loanCase.waitForStatus('READY_TO_DISBURSE')
    const toPayOut = async () => (await readPaymentSumsOf(db, businessDate(new Date()))).toPayOutPaise
    assert.equal(await toPayOut(), 97_640_00n)
    assert.match((await meera.view('/desk')).text, /To pay out\s*₹97,640/, 'also before the first loan')
    assert.doesNotMatch((await meera.view(page)).html, /Order the transfer/)
    const disbursementId = randomUUID()
    const payee = { account_number: '50100123456789', ifsc: 'HDFC0000123', holder_name: 'Another Person' }
    const payeeSealed = partner.ctx.seal.json(payee, payeeContext(disbursementId))
    await db`
      insert into disbursement (case_ref, disbursement_id, status, amount_paise, payee_sealed, reason_code, created_at, updated_at)
      values (${caseRef}, ${disbursementId}, 'FAILED', 9764000, ${payeeSealed}, 'ACCOUNT_NAME_MISMATCH', now(), now())`
    const refused = await meera.view(page)
    assert.match(refused.text, /The bank refused the payout, .*change the borrower’s bank account first/)
    assert.match(refused.html, /act=account[^>]*>Change the borrower’s bank account/)
    assert.doesNotMatch(refused.text, /All checks are complete/)
    await db`delete from disbursement where disbursement_id = ${disbursementId}`
    assert.equal((await meera.send(`${page}/disburse`)).status, 400, 'a reason is needed')
    assert.equal((await meera.send(`${page}/disburse`, { reason: 'All is there.' })).status, 303)
    assert.equal((await loanCase.status()).case_status, 'READY_TO_DISBURSE')
    assert.doesNotMatch(
      (await meera.view(page)).text,
      /All checks are complete/,
      'the form is gone while a request is pending',
    )
    const payout = (await ravi.view('/desk/approvals')).text
    assert.doesNotMatch(payout, /Amount\s*₹97,640\s*Requested/, 'the amount stands once')
    assert.match(
      payout,
      /Net amount\s*₹97,640\s*Waiting[\s\S]*Requested by[\s\S]*Loan amount\s*₹1,00,000\s*Paid to\s*.*•••• \d{4}, [A-Z]{4}0/,
    )
    assert.match(payout, /Paid to\s*A•••• \S••••, •••• \d{4}/, 'the list masks the holder of every account')
    assert.match(
      payout,
      /Mandate\s*Active\s*Mandate limit\s*₹10,000\s*Signature\s*Completed\s*KYC\s*Approved\s*Missing\s*nothing/,
    )
    const own = await meera.send(`${await pendingRequestPath(partner, caseRef, 'PAYOUT')}/approve`)
    assert.equal(own.status, 403)
    assert.equal((await loanCase.status()).case_status, 'READY_TO_DISBURSE')
    assert.equal(await approve('PAYOUT'), 303)
    await loanCase.waitForStatus('DISBURSED')
    assert.equal(await toPayOut(), 0n)
  })

  test('a receipt is reversed after a second person approves', async () => {
    await receiveReceipt(partner.ctx, {
      receipt_id: 'R-9',
      method: 'UPI',
      transaction_reference: 'UTR99',
      amount: '1500.00',
      currency: 'INR',
      at: new Date().toISOString(),
      value_date: businessDate(new Date()),
      payer_name: 'SOMEBODY',
      remark: loanCase.loanId!,
    })
    const [paid] = (await loanCase.status()).payments
    const outstandingBefore = (await loanCase.status()).soa!.total_outstanding
    const withoutReason = await ravi.send(`${page}/reverse`, { payment: paid!.payment_id, reason: ' ' })
    assert.equal(withoutReason.status, 400)
    assert.ok(withoutReason.html.includes(`<option value="${paid!.payment_id}" selected>`), 'the chosen receipt stays')
    assert.equal(
      (await ravi.send(`${page}/reverse`, { payment: paid!.payment_id, reason: 'It was another’s.' })).status,
      303,
    )
    assert.match(
      (await asha.view('/desk/approvals')).text,
      /Receipt\s*₹1,500\s*Value date.*Method\s*UPI\s*Reference\s*UTR99\s*Payer\s*S••••\s*State\s*Posted/,
    )
    const reversal = await ravi.send(`${await pendingRequestPath(partner, caseRef, 'REVERSAL')}/approve`)
    assert.equal(reversal.status, 403)
    assert.equal((await asha.send(`${await pendingRequestPath(partner, caseRef, 'REVERSAL')}/approve`)).status, 303)
    const after = await loanCase.status()
    assert.deepEqual(
      after.payments.map(({ status, amount, reason_code }) => ({ status, amount, reason_code })),
      [
        { status: 'POSTED', amount: '1500.00', reason_code: null },
        { status: 'REVERSED', amount: '1500.00', reason_code: 'POSTED_IN_ERROR' },
      ],
    )
    assert.ok(Number(after.soa!.total_outstanding) > Number(outstandingBefore))
    assert.match((await ravi.view('/desk/money')).text, /SOMEBODY.*₹1,500/s, 'the receipt is unmatched again')
    const csv = await (await ravi.get('/desk/money?csv=unmatched-receipts')).text()
    assert.match(csv, /SOMEBODY.*,UTR99,1500\.00,\r\n/, 'the form in the row is left out')
    const posting = { number: loanCase.loanId!, reason: 'The shop called.' }
    assert.equal((await ravi.send('/desk/money/receipts/SANDBOX_BANK/R-9', posting)).status, 303)
    assert.equal((await asha.send(`${await pendingRequestPath(partner, caseRef, 'POSTING')}/approve`)).status, 303)
  })

  test('a refund request cannot exceed the refundable amount', async () => {
    // The borrower pays more than the outstanding amount.
    await receiveReceipt(partner.ctx, {
      receipt_id: 'R-10',
      method: 'NEFT',
      transaction_reference: 'UTR100',
      amount: '150000.00',
      currency: 'INR',
      at: new Date().toISOString(),
      value_date: businessDate(new Date()),
      payer_name: 'SOMEBODY',
      remark: loanCase.loanId!,
    })
    const due = (await ravi.view('/desk/refunds')).text
    assert.match(due, new RegExp(`${fullName(loanCase.lead.borrower)}\\s*${loanCase.loanId}`), 'names the borrower')
    assert.match(due, /₹\d\d,\d{3}(?:\.\d\d)?(?:less than a minute|\d+ minutes?)/)
    const excessive = await ravi.send(`${page}/refund`, { amount: '149999', reason: 'Paid too much.' })
    assert.match(excessive.text, /the refundable balance is .*, not ₹1,49,999/i)
  })

  test('an approver reveals the full number of a new account before the approval, and the audit log keeps why', async () => {
    account = { holder: loanCase.lead.banking.account!.holder_name, number: '50200099991234', ifsc: 'ICIC0000007' }
    const shortIfsc = await ravi.send(`${page}/account`, { ...account, ifsc: 'ICIC', reason: 'Closed.' })
    assert.equal(shortIfsc.status, 400)
    assert.match(shortIfsc.text, /Ifsc is not readable/)
    assert.equal((await ravi.send(`${page}/account`, { ...account, reason: 'The old one is closed.' })).status, 303)
    const own = await ravi.view(page)
    assert.match(
      own.text,
      /You asked for this\. Asha, Clerk, Devi or \d others can approve it until [^.]*\.\s*Withdraw/,
    )
    assert.match(own.html, /<button class="secondary">Reveal the account number/, 'the maker has nothing to decide')
    assert.doesNotMatch(own.html, /act=account/, 'the same act cannot be requested twice')
    const masked = await asha.view(page)
    assert.match(masked.text, /Account\s*•••• 1234\s*IFSC\s*ICIC0000007[\s\S]*Reveal the account number/)
    assert.ok(!masked.html.includes(account.number))
    assert.match(masked.text, /You can approve it once you have seen the whole number/)
    const request = await pendingRequestPath(partner, caseRef, 'ACCOUNT')
    assert.ok(!masked.html.includes(`${request}/approve`), 'no button approves a number that nobody checked')
    const unseen = await asha.send(`${request}/approve`)
    assert.equal(unseen.status, 409)
    assert.match(unseen.text, /Reveal the requested account first/)
    assert.ok(unseen.html.includes(`<a href="${page}">Case</a>`), 'a refused decision leads back to the case')
    assert.match(
      (await asha.view(`${page}?act=reveal`)).html,
      /value="requestedAccount" checked/,
      'the form suggests what the approver needs',
    )
    const toCompare = { field: 'requestedAccount', reason: 'CHECK_DOCUMENT' }
    const revealed = await asha.send(`${page}/reveal`, toCompare)
    assert.match(revealed.text, /Account\s*50200099991234\s*IFSC\s*ICIC0000007/)
    assert.ok(revealed.html.includes(`${request}/approve`))
    assert.ok((await asha.view(page)).html.includes(`${request}/approve`), 'masked again, but seen')
    const [entry] = await db<{ detail: string }>`select detail from audit_entry where act = 'PERSONAL_DATA_REVEALED'`
    assert.deepEqual(JSON.parse(entry!.detail), { because: 'CHECK_DOCUMENT', fields: 'requestedAccount' })
    const approvalsPage = (await asha.view('/desk/approvals')).text
    assert.match(approvalsPage, /Account\s*•••• 1234\s*IFSC\s*ICIC0000007\s*Replaces\s*A•••• \S••••, •••• \d{4}/)
    assert.match(approvalsPage, /Waiting for you \d[\s\S]*See the account and decide/)
    assert.doesNotMatch(approvalsPage, /50200099991234/)
    // The request’s amount is the loan’s payout, because the overpayment is smaller.
    assert.match(
      approvalsPage,
      /Change of the bank account\s*Asha Kumar · loan \d+\s*Could go to the new account, at most\s*₹97,640/,
    )
    const onlooker = await deskPerson(partner, 'Onno', 'viewer')
    assert.doesNotMatch((await onlooker.view(page)).text, /50200099991234/, 'only approvers see the full number')
    assert.equal((await onlooker.send(`${page}/reveal`, toCompare)).status, 403)
    const search = async () => (await ravi.send('/desk/search', { q: account.number })).location
    assert.equal(await search(), '', 'not found before the approval')
    assert.equal((await asha.send(`${await pendingRequestPath(partner, caseRef, 'ACCOUNT')}/approve`)).status, 303)
    assert.equal(await search(), page, 'the case is found by its new payout account')
    assert.match((await ravi.view(page)).text, /Payout account\s*•••• 1234/)
    const [change] = await db<{
      accountSealed: Buffer
    }>`select account_sealed from account_change where case_ref = ${caseRef}`
    assert.ok(!change!.accountSealed.includes(account.number))
  })

  test('a refund goes to the approved account', async () => {
    assert.equal((await ravi.send(`${page}/refund`, { amount: '500', reason: 'Paid too much.' })).status, 303)
    assert.match(
      (await asha.view(page)).text,
      /Amount\s*₹500\s*Waiting[\s\S]*Requested by[\s\S]*Paid to\s*.*•••• 1234, ICIC0000007\s*Why the money is over.*payment beyond what was owed/,
    )
    assert.equal((await asha.send(`${await pendingRequestPath(partner, caseRef, 'REFUND')}/approve`)).status, 303)
    await until('the refund is paid', async () => /Refunded to the borrower\s*₹500/.test((await ravi.view(page)).text))
    const [refund] = await db<{ refundId: string; payeeSealed: Buffer }>`
      select refund_id, payee_sealed from refund where case_ref = ${caseRef}`
    const payee = partner.ctx.seal.openJson<Payee>(refund!.payeeSealed, refundContext(refund!.refundId))
    assert.equal(payee.account.account_number, account.number)
    assert.equal(payee.account.ifsc, account.ifsc)
    assert.equal((await verifyLog(db, deskLog)).fault, null)
  })
})
