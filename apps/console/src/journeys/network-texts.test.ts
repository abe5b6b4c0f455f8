// Sentences and codes of network messages in the timeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionCodes, ignoredText, messageWords } from './network-texts.ts'

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
