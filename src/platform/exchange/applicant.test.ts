// What a lead says of a borrower's bank data, when an analysis counts, and that it only ever makes a recommendation worse.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analysisFault, bankingOf, type StatementBlock } from './applicant.ts'
import { withStatement } from './recommend.ts'

const at = new Date('2026-11-20T10:00:00Z')
const account = {
  ...{ holder_name: 'Asha Kulkarni', account_number: '50100123456789', ifsc: 'HDFC0000001' },
  ...{ account_type: 'SAVINGS', bank_name: 'HDFC' },
}
const own = { accountNumber: '50100123456789', ifsc: 'HDFC0000001' }
const named = {
  ...{ holderName: 'Asha Kulkarni', accountType: 'SAVINGS', bankName: 'HDFC', ...own },
}
const analysis = { account: named, analyzedAt: at, periodFrom: '2026-05-01', periodTo: '2026-10-31' }
const figures = { returnedDebits: 0, obligationsPercent: 18 }
const completed = (change: Partial<typeof figures> | null = {}): NonNullable<StatementBlock> => ({
  ...{ status: 'COMPLETED', source: 'STATEMENT_UPLOAD', providerReference: 'BS-1', reason: null },
  evidence: {
    ...{ reference: 'BS-1', periodFrom: '2026-05-01', periodTo: '2026-10-31', reportData: { a: 1 }, account: named },
    ...{ analyzedAt: at.toISOString(), figures: change && { ...figures, ...change } },
  },
})
const failed: StatementBlock = {
  ...{ status: 'FAILED', source: 'STATEMENT_UPLOAD', providerReference: 'BS-1' },
  ...{ reason: 'PDF_FRAUD_DETECTED', evidence: null },
}
const declined: StatementBlock = { ...failed, status: 'DECLINED', providerReference: null, reason: null }

test('D3 §2.3: an analysis counts when it is whole, of this account, of days that have passed, and not of long ago', () => {
  const fault = (change: Partial<typeof analysis>) => analysisFault({ ...analysis, ...change }, own, at)
  assert.equal(fault({}), null)
  assert.equal(fault({ account: { ...named, accountNumber: '50100123456780' } }), 'ACCOUNT_MISMATCH')
  assert.equal(fault({ account: { ...named, ifsc: 'ICIC0000001' } }), 'ACCOUNT_MISMATCH')
  assert.equal(fault({ periodFrom: '2026-11-01' }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(fault({ periodTo: '2026-11-23' }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(fault({ analyzedAt: new Date('2026-11-22T10:00:00Z') }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(fault({ periodFrom: '2026-01-01', periodTo: '2026-08-11' }), 'STATEMENT_TOO_OLD')
  const { account: _, ...anonymous } = analysis
  assert.equal(analysisFault({ ...anonymous, account: null }, own, at), null, 'an analyser may not name the account')
  assert.equal(analysisFault({ ...analysis, periodTo: null }, own, at), 'ANALYSIS_INCOMPLETE')
})

test('D3 §2.3: whatever became of it, the lead gives a reason where there is none, and names the borrower’s own account', () => {
  const roomy = () => true
  const whole = bankingOf(completed(), account, roomy)
  assert.deepEqual(
    [whole.status, whole.source, whole.analysis_reference_id, whole.report_data, whole.unavailable_reason],
    ['COMPLETED', 'STATEMENT_UPLOAD', 'BS-1', { a: 1 }, null],
  )
  assert.equal(bankingOf(completed(), account, () => false).report_data, null, 'too long for an event: its file has it')
  const wrong = bankingOf(failed, account, roomy)
  assert.deepEqual([wrong.status, wrong.unavailable_reason], ['FAILED', 'PDF_FRAUD_DETECTED'])
  for (const none of [null, declined]) {
    const { status, unavailable_reason, report_data } = bankingOf(none, account, roomy)
    assert.deepEqual([status, report_data], ['NOT_PROVIDED', null])
    assert.match(unavailable_reason ?? '', /bank statement/)
  }
  for (const statement of [null, declined, failed, completed()])
    assert.deepEqual(bankingOf(statement, account, roomy).account, account)
})

test('D3 §2.3 proposed_offer: bank data turn a recommendation into a review, never into more', () => {
  const rules = { mostReturnedDebits: 2, mostObligationsPercent: 60 }
  const of = (statement: StatementBlock) => withStatement(rules, 'ELIGIBLE', statement)
  for (const statement of [null, declined, completed(), completed({ returnedDebits: 2, obligationsPercent: 60 })])
    assert.equal(of(statement), 'ELIGIBLE')
  const worse = [
    failed,
    completed(null),
    completed({ returnedDebits: 3 }),
    completed({ obligationsPercent: 61 }),
    completed({ returnedDebits: null as never }),
    completed({ obligationsPercent: null as never }),
  ]
  for (const statement of worse) assert.equal(of(statement), 'REVIEW_REQUIRED')
  for (const decision of ['INELIGIBLE', 'REVIEW_REQUIRED'] as const)
    assert.equal(withStatement(rules, decision, completed()), decision)
})
