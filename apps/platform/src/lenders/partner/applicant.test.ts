// Bank data of a lead: its validity, its format for the partner, and its effect on the recommendation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideWithStatement } from './recommend-loan.ts'
import { analysisFault, bankingOf, type StatementBlock } from './statement-evidence.ts'

const at = new Date('2026-11-20T10:00:00Z')
const account = {
  holder_name: 'Asha Kulkarni',
  account_number: '50100123456789',
  ifsc: 'HDFC0000001',
  account_type: 'SAVINGS',
  bank_name: 'HDFC',
}
const borrowerAccount = { accountNumber: '50100123456789', ifsc: 'HDFC0000001' }
const analysedAccount = {
  holderName: 'Asha Kulkarni',
  accountType: 'SAVINGS',
  bankName: 'HDFC',
  ...borrowerAccount,
}
const analysis = { account: analysedAccount, analyzedAt: at, periodFrom: '2026-05-01', periodTo: '2026-10-31' }
const figures = { returnedDebits: 0, obligationsPercent: 18 }
const completedStatement = (change: Partial<typeof figures> | null = {}): NonNullable<StatementBlock> => ({
  status: 'COMPLETED',
  source: 'STATEMENT_UPLOAD',
  providerReference: 'BS-1',
  reason: null,
  evidence: {
    reference: 'BS-1',
    periodFrom: '2026-05-01',
    periodTo: '2026-10-31',
    reportData: { a: 1 },
    account: analysedAccount,
    analyzedAt: at.toISOString(),
    figures: change && { ...figures, ...change },
  },
})
const failedStatement: StatementBlock = {
  status: 'FAILED',
  source: 'STATEMENT_UPLOAD',
  providerReference: 'BS-1',
  reason: 'PDF_FRAUD_DETECTED',
  evidence: null,
}
const declinedStatement: StatementBlock = {
  ...failedStatement,
  status: 'DECLINED',
  providerReference: null,
  reason: null,
}

test('D3 §2.3: rejects an analysis that is incomplete, outdated, of another account or of future days', () => {
  const faultWith = (change: Partial<typeof analysis>) => analysisFault({ ...analysis, ...change }, borrowerAccount, at)
  assert.equal(faultWith({}), null)
  assert.equal(faultWith({ account: { ...analysedAccount, accountNumber: '50100123456780' } }), 'ACCOUNT_MISMATCH')
  assert.equal(faultWith({ account: { ...analysedAccount, ifsc: 'ICIC0000001' } }), 'ACCOUNT_MISMATCH')
  assert.equal(faultWith({ periodFrom: '2026-11-01' }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(faultWith({ periodTo: '2026-11-23' }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(faultWith({ analyzedAt: new Date('2026-11-22T10:00:00Z') }), 'PERIOD_NOT_PLAUSIBLE')
  assert.equal(faultWith({ periodFrom: '2026-01-01', periodTo: '2026-08-11' }), 'STATEMENT_TOO_OLD')
  const { account: _, ...anonymous } = analysis
  assert.equal(
    analysisFault({ ...anonymous, account: null }, borrowerAccount, at),
    null,
    'some analysers return no account',
  )
  assert.equal(analysisFault({ ...analysis, periodTo: null }, borrowerAccount, at), 'ANALYSIS_INCOMPLETE')
})

test('D3 §2.3: the banking block states why there is no statement', () => {
  const alwaysFits = () => true
  const complete = bankingOf(completedStatement(), account, alwaysFits)
  assert.equal(complete.status, 'COMPLETED')
  assert.equal(complete.source, 'STATEMENT_UPLOAD')
  assert.equal(complete.analysis_reference_id, 'BS-1')
  assert.deepEqual(complete.report_data, { a: 1 })
  assert.equal(complete.unavailable_reason, null)
  assert.equal(
    bankingOf(completedStatement(), account, () => false).report_data,
    null,
    'a report that does not fit into the event is sent only as a file',
  )
  const failedBlock = bankingOf(failedStatement, account, alwaysFits)
  assert.equal(failedBlock.status, 'FAILED')
  assert.equal(failedBlock.unavailable_reason, 'PDF_FRAUD_DETECTED')
  for (const missing of [null, declinedStatement]) {
    const { status, unavailable_reason, report_data } = bankingOf(missing, account, alwaysFits)
    assert.equal(status, 'NOT_PROVIDED')
    assert.equal(report_data, null)
    assert.match(unavailable_reason ?? '', /bank statement/)
  }
  for (const statement of [null, declinedStatement, failedStatement, completedStatement()])
    assert.deepEqual(bankingOf(statement, account, alwaysFits).account, account)
})

test('D3 §2.3 proposed_offer: bank data may only downgrade a recommendation to a review', () => {
  const rules = { mostReturnedDebits: 2, mostObligationsPercent: 60 }
  const decisionWith = (statement: StatementBlock) => decideWithStatement(rules, 'ELIGIBLE', statement)
  for (const statement of [
    null,
    declinedStatement,
    completedStatement(),
    completedStatement({ returnedDebits: 2, obligationsPercent: 60 }),
  ])
    assert.equal(decisionWith(statement), 'ELIGIBLE')
  const insufficientStatements = [
    failedStatement,
    completedStatement(null),
    completedStatement({ returnedDebits: 3 }),
    completedStatement({ obligationsPercent: 61 }),
    completedStatement({ returnedDebits: null as never }),
    completedStatement({ obligationsPercent: null as never }),
  ]
  for (const statement of insufficientStatements) assert.equal(decisionWith(statement), 'REVIEW_REQUIRED')
  for (const decision of ['INELIGIBLE', 'REVIEW_REQUIRED'] as const)
    assert.equal(decideWithStatement(rules, decision, completedStatement()), decision)
})
