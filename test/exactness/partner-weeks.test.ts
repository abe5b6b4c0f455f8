// A loan of the lending partner from its first to its last week: time is moved as an operator moves it, and every week is lived through.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { clockFile } from '#cli/installation.ts'
import { inconsistencies } from '#contract/exchange/consistent-status.ts'
import type { Status } from '#contract/exchange/status.ts'
import type { OfferCard } from '#contract/headless/offer.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { paiseFrom } from '#kit/money/money.ts'
import { readAhead } from '#kit/runtime/movable-clock.ts'
import { findCaseOf } from '#platform/exchange/store.ts'
import { application, bankAccount, newApplicant, type Opening } from '#test/setup/borrower.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { begin, cardsOf, type HeadlessBorrower, must, offerPath, stateOf, walk } from '#test/setup/headless.ts'
import { passing } from '#test/setup/passing.ts'
import { ask } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-weeks-'))
after(() => rmSync(directory, { recursive: true }))
const programs = await startPrograms({
  partner: true,
  env: { CLOCK_FILE: clockFile(directory), SANDBOX_BANK_SECONDS: '1', PARTNER_STATUS_SECONDS: '30' },
})
const pass = passing(programs, directory)
const playedTime = (): number => Date.now() + readAhead(clockFile(directory)).aheadMs

interface Loan {
  borrower: HeadlessBorrower
  person: Opening
  caseRef: string
  /** Every snapshot that was seen, by its version. */
  seen: Map<number, Status>
}

/** A borrower whose PAN may ask for a fault scenario, with the money in an account that nobody else has: the bank counts its debits. */
async function disbursed(pan: string, accountNumber: string): Promise<Loan> {
  const person = newApplicant()
  const borrower = await begin(programs.platformUrl, programs.tenant, person)
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  const bankingInformation = { ...bankAccount, accountNumber, accountType: 'SAVINGS' }
  const work = { ...workProfile, employmentType: 'selfEmployed' }
  await must(borrower, 'PUT', path, { profile, workProfile: work, address, bankingInformation })
  await must(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  const card = await until('an offer of the partner', async () =>
    (await cardsOf(borrower)).find(
      ({ lenderName, status }: OfferCard) => lenderName === 'Celestium Finance Limited' && status === 'OFFER_RECEIVED',
    ),
  )
  await must(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
  assert.equal(await walk(borrower, card.offerID, ['DISBURSED', 'REJECTED'], deadlineMs), 'DISBURSED')
  const { caseRef } = (await findCaseOf(programs.db, {
    tenantId: programs.tenant.tenantId,
    journeyId: borrower.journeyId,
  }))!
  return { borrower, person, caseRef, seen: new Map() }
}

/** Status as the platform asks for it: consistent at every version, and never a version backward. */
async function statusOf({ caseRef, seen }: Loan): Promise<Status> {
  const { status, body } = await ask(`${programs.partnerUrl}/status?external_reference_id=${caseRef}`, {
    key: programs.toPartner!.bearer,
    headers: { 'x-request-id': uuidv4() },
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(inconsistencies(body), [], `version ${body.snapshot_version}`)
  assert.ok(body.snapshot_version >= Math.max(0, ...seen.keys()), 'versions only grow')
  seen.set(body.snapshot_version, body)
  return body
}

const paidRows = ({ amortization_schedule }: Status) =>
  amortization_schedule!.installments.filter(({ status }) => status === 'PAID').length
const posted = ({ payments }: Status) => payments.filter(({ status }) => status === 'POSTED')
const total = (amounts: string[]) => amounts.reduce((sum, amount) => sum + paiseFrom(amount)!, 0n)

const [steady, poor] = await Promise.all([
  disbursed('ABCPE1234F', '50100123456781'),
  disbursed('ABCPE9311F', '50100123456782'),
])

test('D3 §1.1 rule 7: week after week a debit is presented and posted, and Status is consistent at every version', async () => {
  const first = await statusOf(steady)
  assert.deepEqual([first.loan_status, paidRows(first), first.payments.length], ['ACTIVE', 0, 0])
  const began = playedTime()
  for (let week = 1; week <= 4; week++) {
    await pass('1w')
    const status = await statusOf(steady)
    assert.ok(Math.abs(paidRows(status) - week) <= 1, `${paidRows(status)} rows are paid after ${week} weeks`)
  }
  assert.ok(playedTime() - began >= 28 * 86_400_000)
})

test('D3 §6 rule 7: a debit that the bank returned is a failed payment with its code, tried again, and no row was paid by it', async () => {
  // On a busy machine the bank's last word may still be on its way when the weeks have gone by.
  const status = await until('three rows that are paid', async () => {
    const now = await statusOf(poor)
    return paidRows(now) >= 3 && now
  })
  const failed = status.payments.filter((payment) => payment.status === 'FAILED')
  assert.deepEqual(
    failed.map(({ reason_code }) => reason_code),
    ['04'],
  )
  const [collection] = failed.map(({ collection_id }) => collection_id)
  assert.ok(posted(status).every(({ collection_id }) => collection_id !== collection))
  const { penalty_outstanding } = status.soa!
  assert.equal(penalty_outstanding, '0.00')
})

test('D3 §3: after twenty-two weeks the loan is closed, nothing is owed, and the journey says so', async () => {
  await pass('20w', { step: '1d' })
  for (const loan of [steady, poor]) {
    const status = await statusOf(loan)
    assert.deepEqual([status.loan_status, paidRows(status)], ['CLOSED', 22])
    assert.deepEqual([status.soa!.total_outstanding, status.soa!.total_overdue], ['0.00', '0.00'])
    const due = total(status.amortization_schedule!.installments.map(({ amount }) => amount))
    const paid = total(posted(status).map(({ amount }) => amount))
    assert.ok(paid >= due, `${paid} of ${due} paise were paid`)
    assert.equal(new Set(posted(status).map(({ bank_reference }) => bank_reference)).size, posted(status).length)
    // The session of the first day has ended long ago; the journey is the borrower's still.
    const { sessionToken } = await begin(programs.platformUrl, programs.tenant, loan.person)
    const now = { ...loan.borrower, sessionToken }
    await until('the journey is closed', async () => (await stateOf(now)).status === 'CLOSED')
  }
})

test('nothing that happened in those weeks was logged as an error', () => {
  assert.deepEqual(programs.complaints, [])
})
