// The effect of each lender message at a stage that expects the message, and at other stages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { next } from '@lendloom/foundation/machine'
import { personalLoan, stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { isCallback } from '@lendloom/wire/network/sequence'
import { type NetworkOrder, readOrder } from '@lendloom/wire/network/v203/read-order'
import fc from 'fast-check'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { type ConversationStage, conversationStageNames, conversationStages } from '#platform/lenders/network/stage.ts'
import { type LenderCallback, moveOfCallback } from './move-of-callback.ts'

const conversationAt = (stage: ConversationStage, formId = 'form-KYC'): Conversation =>
  ({
    journeyType: 'PERSONAL_LOAN',
    stage,
    formId,
    submissionId: null,
    answeredSubmissions: [] as string[],
    paymentId: null,
    orderId: null,
    extras: {},
  }) as Conversation
const callback = (step: string, change: Partial<NetworkOrder> = {}, solicited = true): LenderCallback => {
  const { action, message } = stepNamed(step)
  return { type: action as LenderCallback['type'], order: { ...readOrder(message), ...change }, solicited }
}
const formOf = (step: string) => readOrder(stepNamed(step).message).formResponse!.formId!

test('FIS12 §8.1: each message of the model loan advances the conversation', () => {
  const steps: [string, ConversationStage, string, ConversationStage][] = [
    ['on_select_1', 'SELECTED', 'consentRequested', 'CONSENT_REQUESTED'],
    ['on_select_1', 'CONSENT_GIVEN', 'consentRequested', 'CONSENT_REQUESTED'],
    ['on_select_2', 'CONSENT_GIVEN', 'offered', 'OFFERED'],
    ['on_select_2', 'SELECTED', 'offered', 'OFFERED'],
    ['on_select_3', 'RESELECTED', 'finalTerms', 'FINAL_TERMS'],
    ['on_init_1', 'INITIATED', 'bankRequested', 'BANK_REQUESTED'],
    ['on_init_2', 'INITIATED', 'mandateRequested', 'MANDATE_REQUESTED'],
    ['on_init_3', 'INITIATED', 'agreementRequested', 'AGREEMENT_REQUESTED'],
    ['on_confirm', 'CONFIRM_SENT', 'confirmed', 'CONFIRMED'],
    ['on_update_monitoring', 'CONFIRMED', 'consentRequested', 'MONITORING_REQUESTED'],
    ['on_update_monitoring', 'MONITORING_GIVEN', 'consentRequested', 'MONITORING_GIVEN'],
    ['on_update_disbursed', 'MONITORING_GIVEN', 'disbursed', 'DISBURSED'],
    ['on_update_disbursed', 'CONFIRMED', 'disbursed', 'DISBURSED'],
    ['on_status', 'CONFIRMED', 'disbursed', 'DISBURSED'],
    ['on_status', 'DISBURSED', 'refreshed', 'DISBURSED'],
    ['on_update_foreclosure_paid', 'DISBURSED', 'completed', 'ENDED'],
  ]
  for (const [step, stage, move, reached] of steps) {
    const meaning = moveOfCallback(conversationAt(stage, 'form-answered'), callback(step))
    assert.ok('move' in meaning, `${step} at ${stage}: ${JSON.stringify(meaning)}`)
    assert.equal(meaning.move, move, step)
    assert.equal(meaning.change.stage, reached, step)
  }
})

test('FIS12 §8.1 row 18: a message with DISBURSED and a monitoring consent request first requests the consent', () => {
  const disbursalWithConsent = callback('on_update_disbursed', { consentHandle: 'H-2' }, false)
  for (const [stage, move, reached] of [
    ['CONFIRM_SENT', 'consentRequested', 'MONITORING_REQUESTED'],
    ['CONFIRMED', 'consentRequested', 'MONITORING_REQUESTED'],
    ['MONITORING_REQUESTED', 'consentRequested', 'MONITORING_REQUESTED'],
    ['MONITORING_GIVEN', 'disbursed', 'DISBURSED'],
    ['DISBURSED', 'refreshed', 'DISBURSED'],
  ] as const) {
    const meaning = moveOfCallback(conversationAt(stage), disbursalWithConsent)
    assert.ok('move' in meaning, stage)
    assert.equal(meaning.move, move, stage)
    assert.equal(meaning.change.stage, reached, stage)
  }
})

test('FIS12 §26.4: with the choice of a branch no page counts yet, and only a gold loan has such a choice', () => {
  const branches = [{ id: 'L1' }] as NetworkOrder['branches']
  const answered = { formId: 'FORM', submissionId: 'SUB-1', extras: { progress: { stops: [] } } }
  const gold = { ...conversationAt('SELECTED'), ...answered, journeyType: 'GOLD_LOAN' } as Conversation
  const withPage = moveOfCallback(gold, callback('on_select_2', { branches }))
  assert.ok('move' in withPage)
  assert.equal(withPage.move, 'offered')
  assert.equal(withPage.change.formId, undefined, 'the answered form stays, and the choice of the branch names it')
  assert.equal(withPage.change.submissionId, undefined)
  const personal = { ...conversationAt('SELECTED'), ...answered } as Conversation
  assert.ok('outOfSequence' in moveOfCallback(personal, callback('on_select_2', { branches, form: null })))
})

test('FIS12 §11.3: a lender may cancel after the final terms and before disbursal, by state, order status or on_cancel', () => {
  const { message } = stepNamed('on_update_disbursed')
  const byStatus = readOrder({ order: { ...message.order, status: 'cancelled' } })
  assert.equal(byStatus.state, 'CANCELLED', 'the order status counts, even if the fulfilment keeps its state')
  const cancellations: LenderCallback[] = [
    callback('on_update_disbursed', { state: 'CANCELLED' }, false),
    { type: 'on_cancel', order: readOrder(message), solicited: false },
    { type: 'on_status', order: byStatus, solicited: true },
  ]
  for (const each of cancellations) {
    for (const stage of ['FINAL_TERMS', 'AGREEMENT_REQUESTED', 'CONFIRMED', 'MONITORING_GIVEN'] as const) {
      const meaning = moveOfCallback(conversationAt(stage), each)
      assert.ok('move' in meaning, stage)
      assert.equal(meaning.move, 'cancelled', stage)
      assert.equal(meaning.change.stage, 'ENDED', stage)
      assert.equal(meaning.change.endedBecause, 'the lender cancelled the loan')
    }
    for (const stage of ['OFFERED', 'DISBURSED'] as const)
      assert.ok('outOfSequence' in moveOfCallback(conversationAt(stage), each), `${each.type} at ${stage}`)
  }
})

test('FIS12 §7.7: a completed page sets the submission id for the next request', () => {
  for (const [step, stage, reached] of [
    ['on_status_kyc', 'FINAL_TERMS', 'KYC_DONE'],
    ['on_status_mandate', 'MANDATE_REQUESTED', 'MANDATE_DONE'],
    ['on_status_esign', 'AGREEMENT_REQUESTED', 'AGREEMENT_DONE'],
  ] as const) {
    const pushed = callback(step, {}, false)
    const meaning = moveOfCallback(conversationAt(stage, formOf(step)), pushed)
    assert.ok('move' in meaning)
    assert.equal(meaning.move, 'pageDone')
    assert.equal(meaning.change.stage, reached)
    assert.equal(meaning.change.submissionId, pushed.order.formResponse!.submissionId)
  }
})

test('FIS12 §7.7: only the completed page of the current step advances the conversation', () => {
  const response = readOrder(stepNamed('on_status_kyc').message).formResponse!
  const moveFor = (change: Partial<typeof response>) =>
    moveOfCallback(
      conversationAt('FINAL_TERMS', response.formId!),
      callback('on_status_kyc', { formResponse: { ...response, ...change } }, false),
    )
  assert.equal((moveFor({ status: 'REJECTED', outcome: 'failure' }) as { move: string }).move, 'pageFailed')
  assert.equal((moveFor({ status: 'PENDING', outcome: 'waiting' }) as { move: string }).move, 'pageWaiting')
  assert.ok('outOfSequence' in moveFor({ formId: 'another form' }))
  assert.ok('outOfSequence' in moveFor({ submissionId: null }))
})

test('FIS12 §8.1 rows 6–9: an offer needs a form, and final terms need a new page', () => {
  assert.ok('outOfSequence' in moveOfCallback(conversationAt('SELECTED'), callback('on_select_2', { form: null })))
  const { form } = readOrder(stepNamed('on_select_3').message)
  const interpretSelect = (step: string, formId: string, change: Partial<NetworkOrder> = {}) =>
    moveOfCallback(conversationAt('RESELECTED', formId), callback(step, change))
  assert.ok('move' in interpretSelect('on_select_3', 'form-AMOUNT'))
  assert.ok('outOfSequence' in interpretSelect('on_select_2', 'form-AMOUNT'), 'the first offer repeated')
  assert.ok('outOfSequence' in interpretSelect('on_select_3', form!.id), 'the answered form repeated')
  assert.ok('outOfSequence' in interpretSelect('on_select_3', 'form-AMOUNT', { form: null }), 'no page')
})

test('FIS12 §19.2: a consent request that repeats the answered form keeps the submission id', () => {
  const form = { id: 'form-PROFILE', url: 'https://lender.example/forms/1', mimeType: 'text/html' }
  const page = { ...form, heading: null, headings: [], index: null, resubmit: false }
  const meaning = moveOfCallback(conversationAt('SELECTED', form.id), callback('on_select_1', { form: page }))
  assert.ok('move' in meaning)
  assert.equal(meaning.move, 'consentRequested')
  assert.ok(!('submissionId' in meaning.change), 'the submission id does not change')
})

test('FIS12 §14.5: a repeated unsolicited message is out of sequence', () => {
  const meaning = moveOfCallback(
    conversationAt('KYC_DONE', formOf('on_status_kyc')),
    callback('on_status_kyc', {}, false),
  )
  assert.ok('outOfSequence' in meaning)
})

test('FIS12 §11.2: a status answer confirms the loan if it has an order, and otherwise allows another confirm', () => {
  const withOrder = moveOfCallback(conversationAt('CONFIRM_SENT'), { ...callback('on_confirm'), type: 'on_status' })
  assert.equal((withOrder as { move: string }).move, 'confirmed')
  const withoutOrder = moveOfCallback(
    conversationAt('CONFIRM_SENT', 'form-ESIGN'),
    callback('on_status_esign', { formResponse: null }),
  )
  assert.equal((withoutOrder as { move: string }).move, 'notConfirmed')
})

test('FIS12 §18.1: a message that names another order is not applied, even if it answers our request', () => {
  for (const orderId of ['ORDER-1', null]) {
    const conversation = { ...conversationAt('CONFIRMED'), orderId }
    const meaning = moveOfCallback(conversation, callback('on_status', { orderId: 'ORDER-2' }))
    if (orderId === null) assert.ok('move' in meaning)
    else assert.deepEqual(meaning, { outOfSequence: 'on_status (another order) at CONFIRMED' })
  }
})

const afterConfirm: ConversationStage[] = [
  'CONFIRM_SENT',
  'CONFIRMED',
  'MONITORING_REQUESTED',
  'MONITORING_GIVEN',
  'DISBURSED',
]

test('FIS12 §12.4.4: DISBURSED is ignored before confirm and in a message without an order', () => {
  for (const stage of conversationStageNames) {
    const meaning = moveOfCallback(conversationAt(stage), callback('on_status', {}, false))
    const isDisbursed = 'move' in meaning && meaning.change.stage === 'DISBURSED'
    assert.equal(isDisbursed, afterConfirm.includes(stage), stage)
    const withoutOrder = moveOfCallback(
      conversationAt(stage),
      callback('on_status', { orderId: null, formResponse: null }, false),
    )
    assert.ok(!('move' in withoutOrder) || withoutOrder.change.stage === stage, stage)
  }
})

test('FIS12 §4.1: any message at any stage changes the stage only as the transition table allows', () => {
  const lenderMessages = personalLoan().filter(({ action }) => isCallback(action) && action !== 'on_search')
  fc.assert(
    fc.property(
      fc.constantFrom(...lenderMessages),
      fc.constantFrom(...conversationStageNames),
      fc.boolean(),
      fc.constantFrom('form-KYC', 'form-ESIGN', 'form-MANDATE', 'x'),
      ({ action, message }, stage, solicited, formId) => {
        const received = { type: action as LenderCallback['type'], order: readOrder(message), solicited }
        const meaning = moveOfCallback(conversationAt(stage, formId), received)
        if ('move' in meaning) assert.equal(meaning.change.stage, next(conversationStages, stage, meaning.move))
        else assert.match(meaning.outOfSequence, new RegExp(` at ${stage}$`))
      },
    ),
  )
})
