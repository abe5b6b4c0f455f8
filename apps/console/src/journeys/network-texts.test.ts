// Sentences and codes of network messages in the timeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionCodes, ignoredText, messageWords, reportWords } from './network-texts.ts'

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
  const text = (subject: string | null, state: string) => reportWords('Tulsi Credit', { subject, state })
  assert.equal(text('KYC', 'SUCCESSFUL'), 'Tulsi Credit reported: identity done')
  assert.equal(text('FORM', 'APPROVED'), 'Tulsi Credit reported: form approved')
  assert.equal(text(null, 'DISBURSED'), 'Tulsi Credit reported: disbursed')
  assert.equal(text('constructor', 'NEW_STATE'), 'Tulsi Credit reported: constructor new state')
  assert.equal(reportWords('Tulsi Credit', null), 'Tulsi Credit reported the status of the application')
})
