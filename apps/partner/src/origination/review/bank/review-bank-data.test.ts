// The lender's rules for bank data: figures, limits and effects. Missing data never improves a decision.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { figuresOf as sandboxFigures } from '@lendloom/sandbox/src/verification/bank-statement-figures.ts'
import { scenarioFor } from '@lendloom/sandbox/src/verification/fault-rules.ts'
import type { LeadSubmitted } from '@lendloom/wire/exchange/event/lead'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import type { StatementInsights } from '@lendloom/wire/provider/provider-interfaces'
import { figuresOf } from './bank-figures.ts'
import { maxOffer, reviewBankData } from './review-bank-data.ts'
import { bankRuleSettings } from './settings.ts'

const at = new Date('2026-11-20T10:00:00Z')
const { PARTNER_BANK_RULES: rules } = configFrom(bankRuleSettings, {})

const soundInsights: StatementInsights = {
  average_monthly_credits: '100000.00',
  average_monthly_debits: '90000.00',
  lowest_balance: '2000.00',
  average_closing_balance: '30000.00',
  average_monthly_salary: '0.00',
  average_monthly_obligations: '20000.00',
  returned_debits: 1,
  months: ['05', '06', '07', '08', '09', '10'].map((month) => ({
    month: `2026-${month}`,
    credits: '100000.00',
    debits: '90000.00',
    closing_balance: '30000.00',
    returned_debits: month === '05' ? 1 : 0,
  })),
}

function lead(insights: object | null, banking: Partial<LeadSubmitted['banking']> = {}): LeadSubmitted {
  const example = exampleLead()
  return {
    ...example,
    borrower: { ...example.borrower, monthly_income: '80000.00' },
    banking: { ...example.banking, report_data: insights as Record<string, unknown> | null, ...banking },
  }
}

test('D3 §2.3: figures use monthly counts if available, and the lower of inflow and stated income', () => {
  const figures = figuresOf(lead(soundInsights))
  assert.equal(figures.inflowPaise, 100_000_00n)
  assert.equal(figures.months, 6)
  assert.equal(figures.returnedDebits, 0, 'the last three months, not May')
  assert.equal(figures.obligationsPercent, 25, 'of the stated income, which is lower')
  assert.equal(figures.inflowPercent, 125)
  const withLowInflow = figuresOf(lead({ ...soundInsights, average_monthly_credits: '40000.00' }))
  assert.equal(withLowInflow.obligationsPercent, 50, 'of the inflow, which is lower')
  const uneven = figuresOf(lead({ ...soundInsights, average_monthly_credits: '39990.00' }))
  assert.equal(uneven.obligationsPercent, 50.1, 'above the limit of 50%, so a tenth above it')
  assert.equal(uneven.inflowPercent, 49.9, 'below the limit of 50%, so a tenth below it')
  const { months: _, ...withoutMonths } = soundInsights
  assert.equal(figuresOf(lead(withoutMonths)).returnedDebits, 1)
  const unknown = figuresOf(lead({ accounts: [], average_monthly_credits: 5 }))
  assert.ok(
    Object.values(unknown).every((figure) => figure === null),
    'a report in an unknown format has no figures',
  )
})

test('D3 §2.3, §1.1 rule 3: a rule that is not met declines or requires a review, with the code of the rule', () => {
  const resultOf = (change: object, banking: Partial<LeadSubmitted['banking']> = {}) => {
    const { decision, reasonCode } = reviewBankData(lead({ ...soundInsights, ...change }, banking), rules, at)
    return { decision, reasonCode }
  }
  const withReturnedDebits = (count: number) => ({
    months: soundInsights.months?.map((month) => ({
      ...month,
      returned_debits: month.month === '2026-10' ? count : 0,
    })),
  })
  assert.deepEqual(resultOf({}), { decision: 'APPROVE', reasonCode: null })
  assert.deepEqual(resultOf(withReturnedDebits(2)), { decision: 'APPROVE', reasonCode: null })
  assert.deepEqual(resultOf(withReturnedDebits(3)), { decision: 'REVIEW', reasonCode: 'RETURNED_DEBITS' })
  assert.deepEqual(resultOf(withReturnedDebits(6)), { decision: 'DECLINE', reasonCode: 'EXCESSIVE_RETURNED_DEBITS' })
  assert.deepEqual(resultOf({ average_monthly_obligations: '40000.01' }), {
    decision: 'REVIEW',
    reasonCode: 'OBLIGATIONS_TO_INCOME',
  })
  assert.deepEqual(resultOf({ average_monthly_obligations: '60000.00' }), {
    decision: 'DECLINE',
    reasonCode: 'OBLIGATIONS_TOO_HIGH',
  })
  assert.deepEqual(resultOf({ average_closing_balance: '2999.99' }), {
    decision: 'REVIEW',
    reasonCode: 'AVERAGE_BALANCE',
  })
  assert.deepEqual(resultOf({ months: soundInsights.months?.slice(0, 2) }), {
    decision: 'REVIEW',
    reasonCode: 'MONTHS_OF_STATEMENT',
  })
  assert.deepEqual(resultOf({}, { period_to: '2026-11-25' }), { decision: 'REVIEW', reasonCode: 'STATEMENT_PERIOD' })
  assert.deepEqual(resultOf({}, { period_to: '2026-07-31' }), { decision: 'REVIEW', reasonCode: 'STATEMENT_TOO_OLD' })
  const finding = reviewBankData(lead({ ...soundInsights, ...withReturnedDebits(3) }), rules, at).findings.find(
    ({ code }) => code === 'RETURNED_DEBITS',
  )
  assert.equal(finding?.outcome, 'NOT_MET')
  assert.equal(finding?.figure, 3)
  assert.equal(finding?.most, 2)
})

test('D3 §2.3: a missing figure, a missing statement or a failed analysis never permits the full offer', () => {
  for (const key of ['average_monthly_credits', 'average_closing_balance', 'average_monthly_obligations'] as const) {
    const { [key]: _, ...incomplete } = soundInsights
    const { decision, reasonCode, findings } = reviewBankData(lead(incomplete), rules, at)
    assert.equal(decision, 'LOWER', key)
    assert.equal(reasonCode?.endsWith('_MISSING'), true, key)
    assert.ok(findings.some(({ outcome }) => outcome === 'MISSING'))
  }
  assert.equal(reviewBankData(lead(null), rules, at).decision, 'LOWER')
  const noAnalysis = { analysis_reference_id: null, analyzed_at: null, period_from: null, period_to: null } as const
  const none = reviewBankData(
    lead(null, { ...noAnalysis, status: 'NOT_PROVIDED', unavailable_reason: 'no' }),
    rules,
    at,
  )
  assert.equal(none.decision, 'LOWER')
  assert.equal(none.reasonCode, 'STATEMENT_NOT_PROVIDED')
  const failed = reviewBankData(
    lead(null, { ...noAnalysis, status: 'FAILED', unavailable_reason: 'PDF_FRAUD_DETECTED' }),
    rules,
    at,
  )
  assert.equal(failed.decision, 'REVIEW')
  assert.equal(failed.reasonCode, 'STATEMENT_FAILED')
  assert.equal(maxOffer('LOWER', 200_000_00n, 100_000_00n), 100_000_00n)
  assert.equal(maxOffer('LOWER', 50_000_00n, 100_000_00n), 50_000_00n, 'the recommendation is lower')
  assert.equal(maxOffer('APPROVE', 200_000_00n, 100_000_00n), 200_000_00n)
})

test('the digits of a sandbox PAN choose bank data that is approved, reviewed or declined', () => {
  const decisionFor = (pan: string) => {
    const { insights, periodFrom, periodTo } = sandboxFigures('50100123456789', scenarioFor(pan), at)
    const period = { period_from: periodFrom, period_to: periodTo }
    return reviewBankData(lead(insights, period), rules, at).decision
  }
  assert.deepEqual(['ABCPE1234F', 'ABCPE9144F', 'ABCPE9145F', 'ABCPE9146F'].map(decisionFor), [
    'APPROVE',
    'REVIEW',
    'DECLINE',
    'DECLINE',
  ])
})

test('rejects invalid rules at program start, with the reason', () => {
  const read = (value: string) => () => configFrom(bankRuleSettings, { PARTNER_BANK_RULES: value })
  const rule = { code: 'A_RULE', measure: 'months', least: 3, effect: 'REVIEW' }
  assert.throws(read('no json'), /PARTNER_BANK_RULES/)
  assert.throws(read(JSON.stringify([{ ...rule, measure: 'height' }])), /measure/)
  assert.throws(read(JSON.stringify([{ ...rule, most: 5 }])), /rules\.0 must have either most or least/)
  assert.throws(read(JSON.stringify([rule, { ...rule }])), /is used twice/)
  assert.deepEqual(read('[]')().PARTNER_BANK_RULES, [])
})
