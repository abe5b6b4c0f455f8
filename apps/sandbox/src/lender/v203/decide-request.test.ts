// A lender's decision on a request, without a database: lapsed offers, repetitions, refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuyerRequest } from '@lendloom/wire/network/v203/select-to-confirm'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { policyUnder } from '#sandbox/lender/core/product.ts'
import type { Submission } from '#sandbox/lender/core/store.ts'
import { goldLoan } from '#sandbox/lender/gold-loan/gold-loan.ts'
import { personalLoan } from '#sandbox/lender/personal-loan/personal-loan.ts'
import { type ActInput, decideRequest } from './decide-request.ts'

const at = new Date('2026-11-20T06:00:00Z')
const conversation: Conversation = {
  conversationId: '01a1f786-79f0-70c1-a178-aca697f769ce',
  lender: 'meridian',
  transactionId: 't',
  product: 'PERSONAL_LOAN',
  version: null,
  assessment: null,
  bapId: 'buyer.example',
  bapUri: 'http://127.0.0.1:4000/ondc',
  bapAddress: null,
  status: 'CHOSEN',
  scenario: null,
  offeredPrincipal: 300_000_00n,
  offeredMonths: 24,
  annualBps: 1500n,
  principal: 200_000_00n,
  months: 12,
  goldMilligrams: null,
  goldPurity: null,
  branchId: null,
  visitAt: null,
  offerTtl: 'P15D',
  lapsesAt: new Date('2026-12-05T06:00:00Z'),
  agreedOn: null,
  consentHandle: null,
  monitoringHandle: null,
  orderId: null,
  sanctionedAt: null,
  disbursedAt: null,
  drawn: null,
  drawnAt: null,
  lineId: null,
  buyerTerms: null,
  finderFee: null,
  paymentId: null,
  createdAt: at,
  updatedAt: at,
}
const submission: Submission = {
  conversationId: conversation.conversationId,
  heading: 'SET_LOAN_AMOUNT',
  submissionId: 's-1',
  digest: null,
  outcome: 'SUCCESS',
  attempt: 1,
  submittedAt: at,
}
const request = (formId: string, submissionId = 's-1'): BuyerRequest => ({
  providerId: 'PROV-MERIDIAN',
  itemId: 'ITEM-MERIDIAN-PL',
  response: { formId, status: 'SUCCESS', outcome: 'success', submissionId },
  branchId: null,
  settlement: null,
  contract: null,
  warnings: [],
})
const inputWith = (change: Partial<Conversation>, overrides: Partial<ActInput> = {}): ActInput => ({
  policy: policyUnder(personalLoan, conversation),
  conversation: { ...conversation, ...change },
  applicant: null,
  submission,
  isSubmissionUnique: true,
  ids: { payment: 'PAY-1', order: 'ORDER-1' },
  bank: null,
  at,
  ...overrides,
})

test('FIS12 §8.1: a step completes when the request names its submission', () => {
  const effect = decideRequest(inputWith({}), 'select', request('FORM-AMOUNT'))
  assert.deepEqual('error' in effect ? effect : effect.change, { status: 'QUOTED' })
})

test('FIS12 §3.3: a repeated request gets the same answer and changes nothing', () => {
  const effect = decideRequest(inputWith({ status: 'QUOTED' }), 'select', request('FORM-AMOUNT'))
  assert.ok('step' in effect)
  assert.equal(effect.change, null)
  assert.equal(effect.step.heading, 'SET_LOAN_AMOUNT')
})

test('FIS12 §3.3: after the offer lapsed, select gets 40003 and the conversation expires', () => {
  const lapsesAt = new Date('2026-11-20T05:59:59Z')
  const effect = decideRequest(inputWith({ lapsesAt }), 'select', request('FORM-AMOUNT'))
  assert.deepEqual(effect, { error: { code: '40003', message: 'the offer has lapsed' }, change: { status: 'EXPIRED' } })
  const again = decideRequest(inputWith({ lapsesAt, status: 'EXPIRED' }), 'select', request('FORM-AMOUNT'))
  assert.deepEqual(again, { error: { code: '40003', message: 'the offer has lapsed' }, change: null })
})

test('FIS12 §12.4.2: a wrong submission id, form or action changes nothing', () => {
  const codeOf = (effect: ReturnType<typeof decideRequest>) => {
    assert.equal(effect.change, null)
    return 'error' in effect ? effect.error.code : null
  }
  assert.equal(codeOf(decideRequest(inputWith({}), 'select', request('FORM-AMOUNT', 'other'))), '80216')
  assert.equal(codeOf(decideRequest(inputWith({}), 'select', request('FORM-KYC'))), '30000')
  assert.equal(codeOf(decideRequest(inputWith({}), 'init', request('FORM-AMOUNT'))), '30000')
  assert.equal(codeOf(decideRequest(inputWith({ status: 'OFFERED' }), 'select', request('FORM-AMOUNT'))), '40001')
})

test('80206: a failed verification of the account reopens the bank form once', () => {
  const bank = { ...submission, heading: 'ACCOUNT_INFORMATION' as const }
  const withScenario = { status: 'ACCOUNTED', scenario: 'account-retry' } as const
  const first = decideRequest(inputWith(withScenario, { submission: bank }), 'init', request('FORM-BANK'))
  assert.deepEqual(first.change, { status: 'INITIATED' })
  const second = decideRequest(
    inputWith(withScenario, { submission: { ...bank, attempt: 2 } }),
    'init',
    request('FORM-BANK'),
  )
  assert.deepEqual(second.change, { status: 'MANDATING' })
})

test('FIS12 §9.1: confirm of a gold loan needs no form, disburses once, and gets the same answer when repeated', () => {
  const gold = { product: 'GOLD_LOAN', goldMilligrams: 40_000n, goldPurity: '22K', branchId: 'MERIDIAN-PUNE' } as const
  const confirm: BuyerRequest = { ...request(''), itemId: 'ITEM-MERIDIAN-GL', response: null }
  const confirmWith = (change: Partial<Conversation>) =>
    decideRequest(
      inputWith({ ...gold, ...change }, { policy: policyUnder(goldLoan, conversation) }),
      'confirm',
      confirm,
    )
  const disbursal = { status: 'DISBURSED', orderId: 'ORDER-1', disbursedAt: at }
  assert.deepEqual(confirmWith({ status: 'SANCTIONED' }), { disbursed: true, change: disbursal })
  assert.deepEqual(confirmWith({ status: 'DISBURSED' }), { disbursed: true, change: null })
  const codes = (['BOOKED', 'VISITED', 'EXPIRED'] as const).map((status) => {
    const effect = confirmWith({ status })
    return 'error' in effect ? effect.error.code : null
  })
  assert.deepEqual(codes, ['40001', '40001', '40003'])
})
