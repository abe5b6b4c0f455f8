// Sentences and codes of network messages in the timeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionCodes, ignoredText, messageWords, sentenceFor } from './network-texts.ts'

test('a row shows the codes of a request and its callback', () => {
  assert.equal(actionCodes('select', 'on_select'), 'select, on_select')
  assert.equal(actionCodes('select'), 'select')
  assert.equal(actionCodes(undefined, 'on_update'), 'on_update')
})

test('a row about a form names the form once', () => {
  const line = `${messageWords('form', 'Tulsi Credit')} ${actionCodes('form')}`.trim()
  assert.equal(line, 'Submitted the form to Tulsi Credit')
})

test('a message that changed nothing says why in an operator’s words', () => {
  assert.deepEqual(
    ['', 'the journey has ended', 'the conversation has ended: the borrower chose another offer'].map(ignoredText),
    [
      'Not used: it arrived too late',
      'Not used: the journey had already ended',
      'Not used: the borrower chose another offer',
    ],
  )
})

test('FIS12 §26: each report of a lender says what it reports', () => {
  const text = (subject: string | null, state: string) =>
    sentenceFor('on_status', 'Tulsi Credit', { about: { subject, state } })
  assert.equal(text('KYC', 'SUCCESSFUL'), 'Tulsi Credit reported: identity done')
  assert.equal(text('FORM', 'APPROVED'), 'Tulsi Credit reported: form approved')
  assert.equal(text(null, 'DISBURSED'), 'Tulsi Credit reported: disbursed')
  assert.equal(text('constructor', 'NEW_STATE'), 'Tulsi Credit reported: constructor new state')
  assert.equal(
    sentenceFor('on_status', 'Tulsi Credit', { about: null }),
    'Tulsi Credit reported the status of the application',
  )
})

test('FIS12 §27.5: a message of a drawdown is no message of the application', () => {
  const text = (action: string, state: string | null) =>
    sentenceFor(action, 'Tulsi Credit', { about: { subject: 'DRAWDOWN', state } })
  assert.equal(text('init', null), 'Asked Tulsi Credit for the terms of a drawdown')
  assert.equal(text('on_init', 'INITIATED'), 'Tulsi Credit stated the terms of the drawdown')
  assert.equal(text('on_init', null), 'Tulsi Credit answered about the drawdown')
  const refusal = { about: { subject: 'DRAWDOWN', state: null }, isError: true }
  assert.equal(sentenceFor('on_init', 'Tulsi Credit', refusal), 'Tulsi Credit refused the drawdown')
  assert.equal(text('confirm', null), 'Asked Tulsi Credit to pay out the drawdown')
  assert.equal(text('on_confirm', 'INITIATED'), 'Tulsi Credit accepted the drawdown')
  assert.equal(text('on_update', 'DISBURSED'), 'Tulsi Credit reported: drawdown disbursed')
})

test('FIS12 §7.4, §7.5, §11.1: an update says for which payment it is, and whether that is paid', () => {
  const text = (action: string, subject: string, state: string | null) =>
    sentenceFor(action, 'Tulsi Credit', { about: { subject, state } })
  assert.equal(text('update', 'FORECLOSURE', null), 'Asked Tulsi Credit for the payment page of the early closing')
  assert.equal(
    text('on_update', 'PRE_PART_PAYMENT', 'NOT-PAID'),
    'Tulsi Credit sent the payment page of a part payment',
  )
  assert.equal(
    text('on_update', 'MISSED_EMI_PAYMENT', 'PAID'),
    'Tulsi Credit confirmed the payment of a missed instalment',
  )
  assert.equal(
    sentenceFor('on_update', 'Tulsi Credit', { about: null }),
    'Tulsi Credit reported the new state of the loan',
  )
})
