// Tests the posting of unmatched receipts to a loan: the limit of one person, the second person, and the binding.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { checkedPaise, type Paise, rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import { startBank } from '@lendloom/tests/setup/bank'
import { deskPerson, pendingRequestPath } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { fullName } from '@lendloom/wire/exchange/lead'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { orderReturn } from '#partner/servicing/collection/receipt/return/order-return.ts'
import { readReceipt } from '#partner/servicing/collection/receipt/store.ts'

const bank = await startBank()
const partner = await startTestPartner({ BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' })
const { db } = partner
const provider = 'SANDBOX_BANK'
const ravi = await deskPerson(partner, 'Ravi', 'accounts')
const asha = await deskPerson(partner, 'Asha', 'operations')

const loanCase = new TestCase(partner)
await loanCase.runToDisbursement()
const { caseRef } = loanCase
const number = loanCase.loanId!
const page = `/desk/cases/${caseRef}`
const borrower = fullName(loanCase.lead.borrower)

/** Lets a receipt arrive that names no loan, and returns the address of its page. */
async function arrive(paise: Paise, payer = borrower, remark = 'shop rent') {
  const receiptId = uuidv4()
  await receiveReceipt(partner.ctx, {
    receipt_id: receiptId,
    method: 'NEFT',
    transaction_reference: `UTR${receiptId}`.replaceAll('-', '').toUpperCase(),
    amount: rupees(paise),
    currency: 'INR',
    at: new Date().toISOString(),
    value_date: businessDate(new Date()),
    payer_name: payer,
    remark,
  })
  return { receiptId, address: `/desk/money/receipts/${provider}/${receiptId}` }
}
const caseOf = async (receiptId: string) => (await readReceipt(db, provider, receiptId)).caseRef
const reason = 'The borrower sent the slip.'

test('D3 §6.4: one person posts a receipt up to the limit of their roles, with a reason', async () => {
  const { receiptId, address } = await arrive(10_000_00n)
  const view = await ravi.view(`${address}?number=${number}`)
  assert.match(view.text, /Post ₹10,000 to this loan/)
  const [, action = ''] = /action="([^"]+version=[^"]+)"/.exec(view.html) ?? []
  const withoutReason = await ravi.send(address, { number })
  assert.equal(withoutReason.status, 400)
  assert.match(withoutReason.text, /Enter a reason/)
  assert.equal(await caseOf(receiptId), null)
  await db`update case_file set snapshot_version = snapshot_version + 1 where case_ref = ${caseRef}`
  const outdated = await ravi.send(action.replaceAll('&amp;', '&'), { number, reason })
  assert.equal(outdated.status, 409, 'the case is no longer as shown')
  assert.match(outdated.text, /This case has changed since you opened it/)
  const posted = await ravi.send(address, { number, reason })
  assert.equal(posted.location, `${page}?done=RECEIPT_POSTED`)
  assert.equal(await caseOf(receiptId), caseRef)
  const [entry] = await db<{ subject: string; detail: string }>`
    select subject, detail from audit_entry where act = 'RECEIPT_POSTED'`
  assert.equal(entry!.subject, receiptId)
  assert.deepEqual(JSON.parse(entry!.detail), { amount: '10000.00', reason })
})

test('D3 §6.4: above the limit, a receipt is posted only after a second person approves, and only once', async () => {
  const { receiptId, address } = await arrive(10_000_01n)
  const view = await ravi.view(`${address}?number=${number}`)
  assert.match(view.text, /You may post up to ₹10,000 alone, so a second person decides\./)
  assert.doesNotMatch(view.text, /to this loan/)
  const asked = await ravi.send(address, { number, reason })
  assert.equal(asked.location, `${page}?done=REQUEST_MADE`)
  assert.equal(await caseOf(receiptId), null)
  const again = await ravi.send(address, { number, reason })
  assert.match(again.text, /The posting of a receipt is already waiting for approval\./)
  const request = await pendingRequestPath(partner, caseRef, 'POSTING')
  assert.equal((await ravi.send(`${request}/approve`)).status, 403, 'nobody approves their own request')
  const credit = await deskPerson(partner, 'Cara', 'credit')
  assert.equal((await credit.send(`${request}/approve`)).status, 403, 'credit does not decide on receipts')
  assert.match(
    (await asha.view('/desk/approvals')).text,
    /Posting of a receipt.*Amount₹10,000\.01.*See the payer and decide/s,
  )
  const approvals = await Promise.all([1, 2].map(() => asha.send(`${request}/approve`)))
  assert.deepEqual(approvals.map(({ status }) => status).sort(), [303, 409])
  assert.equal(await caseOf(receiptId), caseRef)
  const posted = (await loanCase.status()).payments.filter(({ amount }) => amount === '10000.01')
  assert.equal(posted.length, 1)
})

test('D3 §6.4: the page of a receipt asks for a loan, and for another one once it looked for one', async () => {
  const { address } = await arrive(5_000_00n)
  const labelAt = async (query: string) =>
    /(?:Loan|Another loan) or account number/.exec((await asha.view(`${address}?number=${query}`)).text)?.[0]
  assert.equal(await labelAt(''), 'Loan or account number')
  assert.equal(await labelAt('12345678'), 'Another loan or account number')
})

test('D3 §6.4: above the limit of an approver, the posting waits for another', async () => {
  const { receiptId, address } = await arrive(1_00_000_01n)
  assert.equal((await ravi.send(address, { number, reason })).status, 303)
  const request = await pendingRequestPath(partner, caseRef, 'POSTING')
  const aboveLimit = await asha.send(`${request}/approve`)
  assert.equal(aboveLimit.status, 403)
  assert.match(aboveLimit.text, /100000\.01 is more than your roles may approve/)
  assert.equal((await asha.send(`${request}/refuse`, { reason: 'Not sure whose it is.' })).status, 303)
  assert.equal(await caseOf(receiptId), null)
})

test('D3 §6.4: a posting of a receipt that is posted meanwhile closes and does nothing', async () => {
  const { receiptId, address } = await arrive(20_000_00n)
  assert.equal((await ravi.send(address, { number, reason })).status, 303)
  const request = await pendingRequestPath(partner, caseRef, 'POSTING')
  await db`
    update bank_receipt set case_ref = 'another', payment_id = ${uuidv4()}, posted_at = now()
    where receipt_id = ${receiptId}`
  const late = await asha.send(`${request}/approve`)
  assert.equal(late.status, 409)
  assert.match(late.text, /no longer possible, and the request is closed: this receipt is already posted/)
  assert.equal(await caseOf(receiptId), 'another')
})

test('D3 §6.4: a receipt whose remark names the loan is posted without a person, whatever its amount', async () => {
  const before = (await loanCase.status()).payments.length
  await receiveReceipt(partner.ctx, {
    receipt_id: 'R-AUTO',
    method: 'NEFT',
    transaction_reference: 'UTRAUTO',
    amount: '15000.00',
    currency: 'INR',
    at: new Date().toISOString(),
    value_date: businessDate(new Date()),
    payer_name: 'SOMEBODY',
    remark: number,
  })
  assert.equal(await caseOf('R-AUTO'), caseRef)
  assert.equal((await loanCase.status()).payments.length, before + 1)
})

for (const [payer, warning] of [
  ['SOMEBODY ELSE', 'The payer is not the borrower.'],
  [`${borrower} & SONS HUF`, 'The payer may not be the borrower.'],
  [' ', 'The bank did not name the payer.'],
] as const)
  test(`D3 §6.4: a receipt of the payer "${payer}" needs a second person whatever its amount`, async () => {
    const { receiptId, address } = await arrive(1_00n, payer)
    const view = (await ravi.view(`${address}?number=${number}`)).text
    assert.ok(view.includes(`${warning} Post it only if you know that the money is for this loan.`))
    assert.ok(view.includes(borrower) && view.includes('shop rent'))
    assert.doesNotMatch(view, /to this loan\s*$|Post ₹1/)
    assert.equal((await ravi.send(address, { number, reason })).location, `${page}?done=REQUEST_MADE`)
    assert.equal(await caseOf(receiptId), null)
    const approvals = (await asha.view('/desk/approvals')).text
    assert.ok(approvals.includes(warning))
    assert.ok(!approvals.includes('SOMEBODY ELSE'), 'the list of approvals, open to all roles, masks the payer')
    const decided = (await asha.view(page)).text
    assert.ok(decided.includes(payer.trim() || 'unknown') && decided.includes(warning))
    const cara = await deskPerson(partner, `Cara${receiptId}`, 'credit')
    if (payer.trim())
      assert.ok(!(await cara.view(page)).text.includes(payer), 'only who may see receipts sees the payer')
    assert.equal((await asha.send(`${await pendingRequestPath(partner, caseRef, 'POSTING')}/approve`)).status, 303)
    assert.equal(await caseOf(receiptId), caseRef)
  })

test('the account to which a receipt goes back is masked, and revealed for a reason that the audit log keeps', async () => {
  const { receiptId, address } = await arrive(20_000_00n, 'MOHAN LAL')
  const reveal = (form: Record<string, string>) => asha.send(`${address}/reveal`, form)
  const tooEarly = await reveal({ reason: 'RETURN_MONEY' })
  assert.equal(tooEarly.status, 409)
  assert.match(tooEarly.text, /This receipt does not go back to an account/)
  const account = { holder: 'Mohan Lal', number: '501000999901234', ifsc: 'HDFC0001234', reason: 'He wrote to us.' }
  assert.equal((await ravi.send(`${address}/return`, account)).status, 303)
  for (const person of [ravi, asha])
    assert.ok(!(await person.view(`${address}?number=`)).html.includes(account.number), 'masked for maker and decider')
  const withoutReason = await reveal({})
  assert.equal(withoutReason.status, 400)
  assert.match(withoutReason.text, /Choose a reason/)
  assert.ok(!withoutReason.html.includes(account.number))
  const revealed = await reveal({ reason: 'RETURN_MONEY', number })
  assert.match(revealed.text, /Account\s*501000999901234/)
  assert.match(revealed.text, new RegExp(`Loan ${number}`), 'the page keeps the loan')
  const entries = await db<{ detail: string }>`
    select detail from audit_entry where act = 'PERSONAL_DATA_REVEALED' and subject = ${receiptId}`
  assert.deepEqual(
    entries.map(({ detail }) => JSON.parse(detail)),
    [{ because: 'RETURN_MONEY', fields: 'account' }],
  )
  const [row] = await db<{ proposalId: string }>`
    select proposal_id from receipt_return_proposal where receipt_id = ${receiptId}`
  bank.policy.settleSeconds = 3600
  assert.equal((await asha.send(`${address}/returns/${row!.proposalId}/confirm`)).status, 303)
  const sent = await ravi.view(`${address}?number=`)
  assert.match(sent.text, /Account\s*•••• 1234/)
  assert.ok(!sent.html.includes(account.number), 'masked after it was sent')
})

test('D3 §6.4: two people send a stranger’s receipt back to the payer, and the desk lists it until the bank confirms', async () => {
  const { receiptId, address } = await arrive(20_000_00n, 'MOHAN LAL')
  const account = { holder: 'Mohan Lal', number: '501000999901234', ifsc: 'HDFC0001234', reason: 'He wrote to us.' }
  const receiptPage = `${address}?number=`
  const other = await ravi.send(`${address}/return`, { ...account, holder: 'Prakash Tandon' })
  assert.equal(other.status, 400)
  assert.match(other.text, /The holder of this account is not the payer/)
  assert.equal((await ravi.send(`${address}/return`, { ...account, reason: ' ' })).status, 400)
  assert.equal((await ravi.send(`${address}/return`, account)).status, 303)
  assert.match((await ravi.send(`${address}/return`, account)).text, /already waiting for a second person/)
  const [row] = await db<{ proposalId: string }>`
    select proposal_id from receipt_return_proposal where receipt_id = ${receiptId}`
  const proposal = `${address}/returns/${row!.proposalId}`
  assert.equal((await ravi.send(`${proposal}/confirm`)).status, 403, 'nobody confirms their own proposal')
  assert.match(
    (await asha.view('/desk/approvals')).text,
    /Send back to the payer\s*Receipt\s*₹20,000\s*Requested by\s*Ravi/,
  )
  assert.match(
    (await asha.view(receiptPage)).text,
    /Payer\s*MOHAN LAL\s*Account holder\s*Mohan Lal\s*Account\s*•••• 1234/,
  )
  bank.policy.settleSeconds = 3600
  const confirmations = await Promise.all([1, 2].map(() => asha.send(`${proposal}/confirm`)))
  assert.deepEqual(confirmations.map(({ status }) => status).sort(), [303, 409])
  assert.match((await ravi.view('/desk/money')).text, /Receipts being sent back[\s\S]*₹20,000/)
  const posting = await ravi.send(address, { number, reason })
  assert.equal(posting.status, 409)
  assert.match(posting.text, /This receipt is being sent back to its payer/)
  assert.equal((await ravi.send(`${address}/return`, account)).status, 409, 'never twice')
  assert.equal(await caseOf(receiptId), null)
})

test('D3 §6.4: a return above the approver’s limit, or of a receipt posted meanwhile, is not confirmed', async () => {
  const large = await arrive(25_000_01n, 'MOHAN LAL')
  const account = { holder: 'Mohan Lal', number: '501000999901234', ifsc: 'HDFC0001234', reason: 'He wrote to us.' }
  await ravi.send(`${large.address}/return`, account)
  const [first] = await db<{ proposalId: string }>`
    select proposal_id from receipt_return_proposal where receipt_id = ${large.receiptId}`
  const aboveLimit = await asha.send(`${large.address}/returns/${first!.proposalId}/confirm`)
  assert.equal(aboveLimit.status, 403)
  assert.match(aboveLimit.text, /25000\.01 is more than your roles may approve/)
  const posted = await arrive(5_00n)
  const own = { ...account, holder: borrower }
  await ravi.send(`${posted.address}/return`, own)
  const [row] = await db<{ proposalId: string }>`
    select proposal_id from receipt_return_proposal where receipt_id = ${posted.receiptId}`
  assert.equal((await ravi.send(posted.address, { number, reason })).status, 303)
  const late = await asha.send(`${posted.address}/returns/${row!.proposalId}/confirm`)
  assert.equal(late.status, 409)
  assert.match(late.text, /no longer possible, and the return is closed: this receipt is posted to a loan/)
})

test('D3 §2.5: two people record that the bank took a receipt back, and the page says when and by whom', async () => {
  const { receiptId, address } = await arrive(20_000_00n, 'MOHAN LAL')
  const today = businessDate(new Date())
  const form = { day: today, reference: 'RTN-4711', reason: 'The statement shows a reversal.' }
  for (const wrong of [{ reason: ' ' }, { day: plusDays(today, 1) }, { day: plusDays(today, -1) }, { reference: '-' }])
    assert.equal((await ravi.send(`${address}/taken-back`, { ...form, ...wrong })).status, 400)
  assert.equal((await ravi.send(`${address}/taken-back`, form)).status, 303)
  assert.match((await ravi.send(`${address}/taken-back`, form)).text, /already waiting for a second person/)
  const [row] = await db<{ proposalId: string }>`
    select proposal_id from receipt_return_proposal where receipt_id = ${receiptId}`
  const proposal = `${address}/returns/${row!.proposalId}`
  assert.equal((await ravi.send(`${proposal}/confirm`)).status, 403, 'nobody confirms their own proposal')
  assert.match(
    (await asha.view('/desk/approvals')).text,
    /The bank took this money back\s*Receipt\s*₹20,000\s*Requested by\s*Ravi/,
  )
  const receiptPage = `${address}?number=${number}`
  assert.match((await asha.view(receiptPage)).text, /RTN-4711[\s\S]*Record that ₹20,000 was taken back/)
  const confirmations = await Promise.all([1, 2].map(() => asha.send(`${proposal}/confirm`)))
  assert.deepEqual(confirmations.map(({ status }) => status).sort(), [303, 409])
  const { text } = await ravi.view(receiptPage)
  assert.match(text, /The bank took this money back[\s\S]*RTN-4711[\s\S]*Proposed by\s*Ravi\s*Confirmed by\s*Asha/)
  assert.doesNotMatch(text, /Send back to the payer|Propose to record it|Ask for approval/)
  assert.doesNotMatch((await ravi.view('/desk/money')).html, new RegExp(receiptId))
  const posting = await ravi.send(address, { number, reason })
  assert.equal(posting.status, 409)
  assert.match(posting.text, /The bank took the money of this receipt back/)
  const account = { holder: 'Mohan Lal', number: '501000999901234', ifsc: 'HDFC0001234', reason }
  assert.equal((await ravi.send(`${address}/return`, account)).status, 409)
  const acts = await db<{ act: string }>`select act from audit_entry where subject = ${receiptId} and act like '%TAK%'`
  assert.deepEqual(acts.map(({ act }) => act).sort(), ['RECEIPT_TAKEN_BACK', 'TAKING_BACK_PROPOSED'])
})

/** A loan of its own, whose payout the bank has confirmed. */
async function paidOutLoan() {
  bank.policy.settleSeconds = 0
  const paidCase = new TestCase(partner)
  await paidCase.runToDisbursement()
  const { disbursement } = await paidCase.status()
  const paise = checkedPaise(disbursement!.amount)
  return {
    paidCase,
    caseRef: paidCase.caseRef,
    number: paidCase.loanId!,
    paise,
    transfer: disbursement!.disbursement_id,
  }
}

test('D3 §2.5: two people record that a receipt without our reference is the return of a payout', async () => {
  const paid = await paidOutLoan()
  const payer = 'RETURNS POOL'
  const { receiptId, address } = await arrive(paid.paise, payer, 'RTN CREDIT')
  const form = { number: paid.number, transfer: paid.transfer, reason: 'The bank confirmed it by phone.' }
  const view = await ravi.view(`${address}?number=${paid.number}`)
  assert.match(view.text, /This is the return of our payout or refund[\s\S]*A returned payout cancels the loan/)
  assert.ok(view.html.includes(`value="${paid.transfer}"`))
  assert.match(view.text, /Payout of ₹97,640, \d+ \w+ \d{4}, SBXB\d+/)
  const withoutReason = await ravi.send(`${address}/transfer`, { ...form, reason: ' ' })
  assert.equal(withoutReason.status, 400)
  assert.match(withoutReason.text, /enter a reason/)
  assert.equal((await ravi.send(`${address}/transfer?version=1&seen=0000000000000`, form)).status, 409)
  const asked = await ravi.send(`${address}/transfer`, form)
  assert.equal(asked.location, `/desk/cases/${paid.caseRef}?done=REQUEST_MADE`)
  assert.equal((await paid.paidCase.status()).loan_status, 'ACTIVE', 'nothing happens before the approval')
  assert.match((await ravi.send(`${address}/transfer`, form)).text, /already waiting for approval/)
  const request = await pendingRequestPath(partner, paid.caseRef, 'TRANSFER_RETURN')
  assert.equal((await ravi.send(`${request}/approve`)).status, 403, 'nobody approves their own request')
  const chitra = await deskPerson(partner, 'Chitra', 'credit')
  assert.equal((await chitra.send(`${request}/approve`)).status, 403, 'credit does not decide on receipts')
  const approvals = (await asha.view('/desk/approvals')).text
  assert.match(approvals, /Return of our transfer[\s\S]*Transfer\s*Payout of ₹97,640/)
  assert.ok(!approvals.includes(payer), 'the list of approvals, open to all roles, masks the payer')
  const decided = (await asha.view(`/desk/cases/${paid.caseRef}`)).text
  assert.match(decided, /Paid to\s*.*•••• \d{4}, [A-Z]{4}0[\s\S]*A returned payout cancels the loan/)
  assert.ok(decided.includes(payer))
  assert.ok(!(await chitra.view(`/desk/cases/${paid.caseRef}`)).text.includes(payer), 'only who may see receipts')
  const decisions = await Promise.all([1, 2].map(() => asha.send(`${request}/approve`)))
  assert.deepEqual(decisions.map(({ status }) => status).sort(), [303, 409])
  const { loan_status, disbursement } = await paid.paidCase.status()
  assert.equal(loan_status, 'CANCELLED')
  assert.equal(disbursement!.status, 'FAILED')
  assert.equal(await caseOf(receiptId), null)
  const after = await ravi.view(`${address}?number=${paid.number}`)
  assert.match(after.text, /Return of a transfer of\s*a case/)
  assert.doesNotMatch(after.text, /This is the return of our payout|Send back to the payer|Ask for approval/)
  const posting = await ravi.send(address, { number, reason })
  assert.match(posting.text, /This receipt is the return of a transfer, not a payment/)
})

test('D3 §2.5: a receipt of another amount than the payout gets no form for its return, and is refused', async () => {
  const paid = await paidOutLoan()
  const { address } = await arrive(paid.paise - 1n)
  const view = await ravi.view(`${address}?number=${paid.number}`)
  assert.doesNotMatch(view.text, /This is the return of our payout/)
  const form = { number: paid.number, transfer: paid.transfer, reason }
  const refused = await ravi.send(`${address}/transfer`, form)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /The receipt is not of the amount of the transfer/)
  assert.equal((await ravi.send(`${address}/transfer`, { ...form, number: 'none' })).status, 409)
  assert.equal((await ravi.send(`${address}/transfer`, { ...form, transfer: 'none' })).status, 400)
})

test('D3 §2.5: the return of a payout closes without effect if the receipt is used before the approval', async () => {
  const paid = await paidOutLoan()
  const { receiptId, address } = await arrive(paid.paise)
  const form = { number: paid.number, transfer: paid.transfer, reason }
  assert.equal((await ravi.send(`${address}/transfer`, form)).status, 303)
  const request = await pendingRequestPath(partner, paid.caseRef, 'TRANSFER_RETURN')
  const account = { holder: borrower, number: '501000999901234', ifsc: 'HDFC0001234', reason: 'The payer asked.' }
  bank.policy.settleSeconds = 3600
  await db.tx((tx) =>
    orderReturn(
      { ...partner.ctx, tx, at: new Date() },
      { provider, receiptId },
      {
        holder_name: account.holder,
        account_number: account.number,
        ifsc: account.ifsc,
      },
    ),
  )
  const late = await asha.send(`${request}/approve`)
  assert.equal(late.status, 409)
  assert.match(late.text, /no longer possible, and the request is closed: this receipt is being sent back to its payer/)
  assert.equal((await paid.paidCase.status()).loan_status, 'ACTIVE')
})
