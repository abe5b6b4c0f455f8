// Bank data of a lead: valid analyses, the banking block, and their effect on the recommendation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analysisFault, bankingOf, type StatementBlock } from './applicant.ts'
import { withStatement } from './recommend.ts'

const at = new Date('2026-11-20T10:00:00Z')
const account = {
  ...{ holder_name: 'Asha Kulkarni', account_number: '50100123456789', ifsc: 'HDFC0000001' },
  ...{ account_type: 'SAVINGS', bank_name: 'HDFC' },
}
const borrowerAccount = { accountNumber: '50100123456789', ifsc: 'HDFC0000001' }
const analysedAccount = {
  ...{ holderName: 'Asha Kulkarni', accountType: 'SAVINGS', bankName: 'HDFC', ...borrowerAccount },
}
const analysis = { account: analysedAccount, analyzedAt: at, periodFrom: '2026-05-01', periodTo: '2026-10-31' }
const figures = { returnedDebits: 0, obligationsPercent: 18 }
const completed = (change: Partial<typeof figures> | null = {}): NonNullable<StatementBlock> => ({
  ...{ status: 'COMPLETED', source: 'STATEMENT_UPLOAD', providerReference: 'BS-1', reason: null },
  evidence: {
    ...{
      reference: 'BS-1',
      periodFrom: '2026-05-01',
      periodTo: '2026-10-31',
      reportData: { a: 1 },
      account: analysedAccount,
    },
    ...{ analyzedAt: at.toISOString(), figures: change && { ...figures, ...change } },
  },
})
const failed: StatementBlock = {
  ...{ status: 'FAILED', source: 'STATEMENT_UPLOAD', providerReference: 'BS-1' },
  ...{ reason: 'PDF_FRAUD_DETECTED', evidence: null },
}
const declined: StatementBlock = { ...failed, status: 'DECLINED', providerReference: null, reason: null }

test('D3 §2.3: rejects an incomplete or outdated analysis, and one of another account or of future days', () => {
  const fault = (change: Partial<typeof analysis>) => analysisFault({ ...analysis, ...change }, borrowerAccount, at)
  assert.equal(fault({}), null)
  assert.equal(fault({ account: { ...analysedAccount, accountNumber: '50100123456780' } }), 'ACCOUNT_MISMATCH')
  assert.equal(fault({ account: { ...analysedAccount, ifsc: 'ICIC0000001' } }), 'ACCOUNT_MISMATCH')
  assert.equal(fault({ periodFrom: '2026-11-01' }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(fault({ periodTo: '2026-11-23' }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(fault({ analyzedAt: new Date('2026-11-22T10:00:00Z') }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(fault({ periodFrom: '2026-01-01', periodTo: '2026-08-11' }), 'STATEMENT_TOO_OLD')
  const { account: _, ...anonymous } = analysis
  assert.equal(
    analysisFault({ ...anonymous, account: null }, borrowerAccount, at),
    null,
    'some analysers return no account',
  )
  assert.equal(analysisFault({ ...analysis, periodTo: null }, borrowerAccount, at), 'ANALYSIS_INCOMPLETE')
})

test('D3 §2.3: the banking block gives a reason for a missing statement', () => {
  const alwaysFits = () => true
  const complete = bankingOf(completed(), account, alwaysFits)
  assert.deepEqual(
    [
      complete.status,
      complete.source,
      complete.analysis_reference_id,
      complete.report_data,
      complete.unavailable_reason,
    ],
    ['COMPLETED', 'STATEMENT_UPLOAD', 'BS-1', { a: 1 }, null],
  )
  assert.equal(
    bankingOf(completed(), account, () => false).report_data,
    null,
    'a report that does not fit into the event is sent only as a file',
  )
  const failedBlock = bankingOf(failed, account, alwaysFits)
  assert.deepEqual([failedBlock.status, failedBlock.unavailable_reason], ['FAILED', 'PDF_FRAUD_DETECTED'])
  for (const missing of [null, declined]) {
    const { status, unavailable_reason, report_data } = bankingOf(missing, account, alwaysFits)
    assert.deepEqual([status, report_data], ['NOT_PROVIDED', null])
    assert.match(unavailable_reason ?? '', /bank statement/)
  }
  for (const statement of [null, declined, failed, completed()])
    assert.deepEqual(bankingOf(statement, account, alwaysFits).account, account)
})

test('D3 §2.3 proposed_offer: bank data may only downgrade a recommendation to a review', () => {
  const rules = { mostReturnedDebits: 2, mostObligationsPercent: 60 }
  const decisionWith = (statement: StatementBlock) => withStatement(rules, 'ELIGIBLE', statement)
  for (const statement of [null, declined, completed(), completed({ returnedDebits: 2, obligationsPercent: 60 })])
    assert.equal(decisionWith(statement), 'ELIGIBLE')
  const worse = [
    failed,
    completed(null),
    completed({ returnedDebits: 3 }),
    completed({ obligationsPercent: 61 }),
    completed({ returnedDebits: null as never }),
    completed({ obligationsPercent: null as never }),
  ]
  for (const statement of worse) assert.equal(decisionWith(statement), 'REVIEW_REQUIRED')
  for (const decision of ['INELIGIBLE', 'REVIEW_REQUIRED'] as const)
    assert.equal(withStatement(rules, decision, completed()), decision)
})
