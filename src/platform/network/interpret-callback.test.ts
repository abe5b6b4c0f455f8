// What the messages of a whole loan mean, one after the other, and what they mean where they do not belong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isCallback } from '#contract/network/sequence.ts'
import { type NetworkOrder, readOrder } from '#contract/network/v203/read-order.ts'
import { next } from '#kit/runtime/machine.ts'
import { personalLoan, stepNamed } from '#test/network-messages/personal-loan.ts'
import type { Conversation } from './conversation.ts'
import { interpretCallback, type LenderCallback } from './interpret-callback.ts'
import { type ConversationStage, stageNames, stages } from './stage.ts'

const at = (stage: ConversationStage, formId = 'form-KYC'): Conversation =>
  ({ journeyType: 'PERSONAL_LOAN', stage, formId, paymentId: null, orderId: null }) as Conversation
const word = (step: string, change: Partial<NetworkOrder> = {}, solicited = true): LenderCallback => {
  const { action, message } = stepNamed(step)
  return { type: action as LenderCallback['type'], order: { ...readOrder(message), ...change }, solicited }
}
const formOf = (step: string) => readOrder(stepNamed(step).message).formResponse!.formId!

test('FIS12 §8.1: each message of the model loan moves the conversation on', () => {
  const walk: [string, ConversationStage, string, ConversationStage][] = [
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
  for (const [step, stage, move, reached] of walk) {
    const meaning = interpretCallback(at(stage, 'form-answered'), word(step))
    assert.ok('move' in meaning, `${step} at ${stage}: ${JSON.stringify(meaning)}`)
    assert.deepEqual([meaning.move, meaning.change.stage], [move, reached], step)
  }
})

test('FIS12 §8.1 row 18: a consent to watch the account that comes with the state DISBURSED is asked for before the money counts', () => {
  const both = word('on_update_disbursed', { consentHandle: 'H-2' }, false)
  for (const [stage, move, reached] of [
    ['CONFIRM_SENT', 'consentRequested', 'MONITORING_REQUESTED'],
    ['CONFIRMED', 'consentRequested', 'MONITORING_REQUESTED'],
    ['MONITORING_REQUESTED', 'consentRequested', 'MONITORING_REQUESTED'],
    ['MONITORING_GIVEN', 'disbursed', 'DISBURSED'],
    ['DISBURSED', 'refreshed', 'DISBURSED'],
  ] as const) {
    const meaning = interpretCallback(at(stage), both)
    assert.ok('move' in meaning, stage)
    assert.deepEqual([meaning.move, meaning.change.stage], [move, reached], stage)
  }
})

test('FIS12 §11.3: a lender cancels from its final terms until the money is paid, by the state, by the order, or by on_cancel', () => {
  const { message } = stepNamed('on_update_disbursed')
  const byStatus = readOrder({ order: { ...message.order, status: 'cancelled' } })
  assert.equal(byStatus.state, 'CANCELLED', 'the fulfilment may keep its state')
  const words: LenderCallback[] = [
    word('on_update_disbursed', { state: 'CANCELLED' }, false),
    { type: 'on_cancel', order: readOrder(message), solicited: false },
    { type: 'on_status', order: byStatus, solicited: true },
  ]
  for (const each of words) {
    for (const stage of ['FINAL_TERMS', 'AGREEMENT_REQUESTED', 'CONFIRMED', 'MONITORING_GIVEN'] as const) {
      const meaning = interpretCallback(at(stage), each)
      assert.ok('move' in meaning, stage)
      assert.deepEqual([meaning.move, meaning.change.stage], ['cancelled', 'ENDED'], stage)
      assert.equal(meaning.change.endedBecause, 'the lender cancelled the loan')
    }
    for (const stage of ['OFFERED', 'DISBURSED'] as const)
      assert.ok('outOfSequence' in interpretCallback(at(stage), each), `${each.type} at ${stage}`)
  }
})

test('FIS12 §7.7: a finished page brings the submission that the next request repeats', () => {
  for (const [step, stage, reached] of [
    ['on_status_kyc', 'FINAL_TERMS', 'KYC_DONE'],
    ['on_status_mandate', 'MANDATE_REQUESTED', 'MANDATE_DONE'],
    ['on_status_esign', 'AGREEMENT_REQUESTED', 'AGREEMENT_DONE'],
  ] as const) {
    const pushed = word(step, {}, false)
    const meaning = interpretCallback(at(stage, formOf(step)), pushed)
    assert.ok('move' in meaning)
    assert.deepEqual([meaning.move, meaning.change.stage], ['pageDone', reached])
    assert.equal(meaning.change.submissionId, pushed.order.formResponse!.submissionId)
  }
})

test('FIS12 §7.7: a page that failed or is still open leaves the stage; one of another step means nothing', () => {
  const response = readOrder(stepNamed('on_status_kyc').message).formResponse!
  const moveFor = (change: Partial<typeof response>) =>
    interpretCallback(
      at('FINAL_TERMS', response.formId!),
      word('on_status_kyc', { formResponse: { ...response, ...change } }, false),
    )
  assert.equal((moveFor({ status: 'REJECTED', outcome: 'failure' }) as { move: string }).move, 'pageFailed')
  assert.equal((moveFor({ status: 'PENDING', outcome: 'waiting' }) as { move: string }).move, 'pageWaiting')
  assert.ok('outOfSequence' in moveFor({ formId: 'another form' }))
  assert.ok('outOfSequence' in moveFor({ submissionId: null }))
})

test('FIS12 §8.1 rows 6–9: an offer comes with a form, and final terms with a new page of the lender', () => {
  assert.ok('outOfSequence' in interpretCallback(at('SELECTED'), word('on_select_2', { form: null })))
  const { form } = readOrder(stepNamed('on_select_3').message)
  const meant = (step: string, formId: string, change: Partial<NetworkOrder> = {}) =>
    interpretCallback(at('RESELECTED', formId), word(step, change))
  assert.ok('move' in meant('on_select_3', 'form-AMOUNT'))
  assert.ok('outOfSequence' in meant('on_select_2', 'form-AMOUNT'), 'the first offer once more')
  assert.ok('outOfSequence' in meant('on_select_3', form!.id), 'the form that was answered')
  assert.ok('outOfSequence' in meant('on_select_3', 'form-AMOUNT', { form: null }), 'no page')
})

test('FIS12 §19.2: who asks for a consent repeats the form that was answered, which is not to be answered again', () => {
  const form = { id: 'form-PROFILE', url: 'https://lender.example/forms/1', mimeType: 'text/html' }
  const page = { ...form, heading: null, headings: [], index: null, resubmit: false }
  const meaning = interpretCallback(at('SELECTED', form.id), word('on_select_1', { form: page }))
  assert.ok('move' in meaning)
  assert.equal(meaning.move, 'consentRequested')
  assert.ok(!('submissionId' in meaning.change), 'what was submitted stays')
})

test('FIS12 §14.5: the same push told twice moves nothing the second time', () => {
  const meaning = interpretCallback(at('KYC_DONE', formOf('on_status_kyc')), word('on_status_kyc', {}, false))
  assert.ok('outOfSequence' in meaning)
})

test('FIS12 §11.2: asked where a confirm stands, an order confirms it and none sends us back to confirm', () => {
  const sanctioned = interpretCallback(at('CONFIRM_SENT'), { ...word('on_confirm'), type: 'on_status' })
  assert.equal((sanctioned as { move: string }).move, 'confirmed')
  const nothing = interpretCallback(at('CONFIRM_SENT', 'form-ESIGN'), word('on_status_esign', { formResponse: null }))
  assert.deepEqual([(nothing as { move: string }).move], ['notConfirmed'])
})

const afterConfirm: ConversationStage[] = [
  'CONFIRM_SENT',
  'CONFIRMED',
  'MONITORING_REQUESTED',
  'MONITORING_GIVEN',
  'DISBURSED',
]

test('FIS12 §12.4.4: money is never believed before confirm, nor from a message without an order', () => {
  for (const stage of stageNames) {
    const meaning = interpretCallback(at(stage), word('on_status', {}, false))
    const believed = 'move' in meaning && meaning.change.stage === 'DISBURSED'
    assert.equal(believed, afterConfirm.includes(stage), stage)
    const nameless = interpretCallback(at(stage), word('on_status', { orderId: null, formResponse: null }, false))
    assert.ok(!('move' in nameless) || nameless.change.stage === stage, stage)
  }
})

test('FIS12 §4.1: whatever message comes at whatever stage, the conversation only goes where the table leads', () => {
  const words = personalLoan().filter(({ action }) => isCallback(action) && action !== 'on_search')
  fc.assert(
    fc.property(
      fc.constantFrom(...words),
      fc.constantFrom(...stageNames),
      fc.boolean(),
      fc.constantFrom('form-KYC', 'form-ESIGN', 'form-MANDATE', 'x'),
      ({ action, message }, stage, solicited, formId) => {
        const received = { type: action as LenderCallback['type'], order: readOrder(message), solicited }
        const meaning = interpretCallback(at(stage, formId), received)
        if ('move' in meaning) assert.equal(meaning.change.stage, next(stages, stage, meaning.move))
        else assert.match(meaning.outOfSequence, new RegExp(` at ${stage}$`))
      },
    ),
  )
})
