// A loan of the lending partner from its first to its last week: the operator's command moves the clock week by week.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { clockFile } from '@lendloom/cli/src/installation.ts'
import { readClockOffset } from '@lendloom/foundation/clock'
import { paiseFrom } from '@lendloom/lending/money'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
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
const advanceClock = clockAdvancer(programs, directory)
const simulatedTime = (): number => Date.now() + readClockOffset(clockFile(directory)).aheadMs

const readStatus = (loan: PartnerLoan): Promise<SnapshotStatus> => statusOf(programs, loan)
const paidRows = ({ amortization_schedule }: SnapshotStatus) =>
  amortization_schedule!.installments.filter(({ status }) => status === 'PAID').length
const postedPayments = ({ payments }: SnapshotStatus) => payments.filter(({ status }) => status === 'POSTED')
const total = (amounts: string[]) => amounts.reduce((sum, amount) => sum + paiseFrom(amount)!, 0n)

const [regular, withReturnedDebit] = await Promise.all([
  loanFromPartner(programs, { pan: 'ABCPE1234F', accountNumber: '50100123456781' }),
  loanFromPartner(programs, { pan: 'ABCPE9311F', accountNumber: '50100123456782' }),
])

describe('D3 §1.1: loans of twenty-two weeks, one story', () => {
  test('D3 §1.1 rule 7: each week a debit is presented and posted to one instalment', async () => {
    const first = await readStatus(regular)
    assert.equal(first.loan_status, 'ACTIVE')
    assert.equal(paidRows(first), 0)
    assert.equal(first.payments.length, 0)
    const startedAt = simulatedTime()
    for (let week = 1; week <= 4; week++) {
      await advanceClock('1w', { step: '1d' })
      const status = await readStatus(regular)
      assert.ok(Math.abs(paidRows(status) - week) <= 1, `${paidRows(status)} rows are paid after ${week} weeks`)
    }
    assert.ok(simulatedTime() - startedAt >= 28 * 86_400_000)
  })

  test('D3 §6 rule 7: a returned debit is a failed payment with the bank’s code and pays no instalment', async () => {
    // On a busy machine the bank's last result may arrive after the four weeks.
    const status = await until('three rows are paid', async () => {
      const current = await readStatus(withReturnedDebit)
      return paidRows(current) >= 3 && current
    })
    const failed = status.payments.filter((payment) => payment.status === 'FAILED')
    assert.deepEqual(
      failed.map(({ reason_code }) => reason_code),
      ['04'],
    )
    const [collection] = failed.map(({ collection_id }) => collection_id)
    assert.ok(postedPayments(status).every(({ collection_id }) => collection_id !== collection))
    const { penalty_outstanding } = status.soa!
    assert.equal(penalty_outstanding, '0.00')
  })

  test('D3 §3: after twenty-two weeks the loan and its journey are closed, and nothing is owed', async () => {
    await advanceClock('20w', { step: '1d' })
    for (const loan of [regular, withReturnedDebit]) {
      const status = await readStatus(loan)
      assert.equal(status.loan_status, 'CLOSED')
      assert.equal(paidRows(status), 22)
      assert.equal(status.soa!.total_outstanding, '0.00')
      assert.equal(status.soa!.total_overdue, '0.00')
      const due = total(status.amortization_schedule!.installments.map(({ amount }) => amount))
      const paid = total(postedPayments(status).map(({ amount }) => amount))
      assert.ok(paid >= due, `${paid} of ${due} paise were paid`)
      assert.equal(
        new Set(postedPayments(status).map(({ bank_reference }) => bank_reference)).size,
        postedPayments(status).length,
      )
      const borrower = await signInAgain(programs, loan)
      await until('the journey is closed', async () => (await stateOf(borrower)).status === 'CLOSED')
    }
  })

  test('no program logged an error', () => {
    assert.deepEqual(programs.errorLines, [])
  })
})
