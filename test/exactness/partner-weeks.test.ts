// A loan of the lending partner from its first to its last week: time is moved as an operator moves it, and every week is lived through.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { clockFile } from '#cli/installation.ts'
import type { SnapshotStatus } from '#contract/exchange/snapshot.ts'
import { paiseFrom } from '#kit/money/money.ts'
import { readClockOffset } from '#kit/runtime/clock.ts'
import { stateOf } from '#test/setup/headless.ts'
import { loanFromPartner, type PartnerLoan, signInAgain, statusOf } from '#test/setup/partner-loan.ts'
import { clockAdvancer } from '#test/setup/passing.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-weeks-'))
after(() => rmSync(directory, { recursive: true }))
const programs = await startPrograms({
  partner: true,
  env: { CLOCK_FILE: clockFile(directory), SANDBOX_BANK_SECONDS: '1', PARTNER_STATUS_SECONDS: '30' },
})
const pass = clockAdvancer(programs, directory)
const playedTime = (): number => Date.now() + readClockOffset(clockFile(directory)).aheadMs

const of = (loan: PartnerLoan): Promise<SnapshotStatus> => statusOf(programs, loan)
const paidRows = ({ amortization_schedule }: SnapshotStatus) =>
  amortization_schedule!.installments.filter(({ status }) => status === 'PAID').length
const posted = ({ payments }: SnapshotStatus) => payments.filter(({ status }) => status === 'POSTED')
const total = (amounts: string[]) => amounts.reduce((sum, amount) => sum + paiseFrom(amount)!, 0n)

const [steady, poor] = await Promise.all([
  loanFromPartner(programs, { pan: 'ABCPE1234F', accountNumber: '50100123456781' }),
  loanFromPartner(programs, { pan: 'ABCPE9311F', accountNumber: '50100123456782' }),
])

test('D3 §1.1 rule 7: week after week a debit is presented and posted, and Status is consistent at every version', async () => {
  const first = await of(steady)
  assert.deepEqual([first.loan_status, paidRows(first), first.payments.length], ['ACTIVE', 0, 0])
  const began = playedTime()
  for (let week = 1; week <= 4; week++) {
    await pass('1w', { step: '1d' })
    const status = await of(steady)
    assert.ok(Math.abs(paidRows(status) - week) <= 1, `${paidRows(status)} rows are paid after ${week} weeks`)
  }
  assert.ok(playedTime() - began >= 28 * 86_400_000)
})

test('D3 §6 rule 7: a debit that the bank returned is a failed payment with its code, tried again, and no row was paid by it', async () => {
  // On a busy machine the bank's last word may still be on its way when the weeks have gone by.
  const status = await until('three rows that are paid', async () => {
    const now = await of(poor)
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
    const status = await of(loan)
    assert.deepEqual([status.loan_status, paidRows(status)], ['CLOSED', 22])
    assert.deepEqual([status.soa!.total_outstanding, status.soa!.total_overdue], ['0.00', '0.00'])
    const due = total(status.amortization_schedule!.installments.map(({ amount }) => amount))
    const paid = total(posted(status).map(({ amount }) => amount))
    assert.ok(paid >= due, `${paid} of ${due} paise were paid`)
    assert.equal(new Set(posted(status).map(({ bank_reference }) => bank_reference)).size, posted(status).length)
    const now = await signInAgain(programs, loan)
    await until('the journey is closed', async () => (await stateOf(now)).status === 'CLOSED')
  }
})

test('nothing that happened in those weeks was logged as an error', () => {
  assert.deepEqual(programs.errorLines, [])
})
