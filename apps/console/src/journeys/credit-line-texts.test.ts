// A credit line in words: what it waits for, how it ended, and how far a drawdown has come.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleLine } from '@lendloom/wire/console/journeys'
import { drawdownStatuses } from '@lendloom/wire/hosted/drawdown-status'
import { closedLineText, drawdownWords, openLineText } from './credit-line-texts.ts'
import { titleOf } from './journey-texts.ts'
import { rowTexts } from './timeline-row-texts.ts'

const at = '2026-12-01T10:00:00.000Z'
const drawdown = (status: ConsoleLine['drawdowns'][number]['status']) => ({
  drawdownId: '01930000-0000-7000-8000-000000000000',
  amount: '50000.00',
  status,
  reason: null,
  changedAt: at,
})
const line = { drawn: '0.00', available: '500000.00', closedAt: null, drawdowns: [] }

test('FIS12 §27.5: an open line waits for nobody unless a drawdown is under way', () => {
  assert.equal(openLineText(line, 'Tulsi Credit'), 'Open, nothing drawn yet.')
  assert.equal(openLineText({ ...line, drawn: '1.00' }, 'Tulsi Credit'), '')
  const textWith = (status: Parameters<typeof drawdown>[0]) =>
    openLineText({ ...line, drawdowns: [drawdown(status)] }, 'Tulsi Credit')
  assert.equal(textWith('REQUESTED'), 'Waiting for Tulsi Credit to state its terms for a drawdown of ₹50,000.')
  assert.equal(textWith('TERMS_READY'), 'Waiting for the borrower to agree to a drawdown of ₹50,000.')
  assert.equal(textWith('AGREED'), 'Waiting for Tulsi Credit to pay out ₹50,000.')
  assert.equal(
    textWith('FAILED'),
    'Tulsi Credit did not pay out the drawdown of ₹50,000. The line stays open: the borrower can draw up to ₹5,00,000.',
  )
  const refused = { ...drawdown('FAILED'), reason: 'DRAWDOWN_REFUSED' }
  assert.equal(
    openLineText({ ...line, drawdowns: [refused] }, 'Tulsi Credit'),
    'Tulsi Credit refused the drawdown of ₹50,000. The line stays open: the borrower can draw up to ₹5,00,000.',
  )
  assert.equal(textWith('PAID_OUT'), '')
})

test('FIS12 §17.5: a closed line says whether it was drawn, and whether it ended in the cooling-off period', () => {
  const closed = { ...line, closedAt: at }
  assert.equal(closedLineText(closed, { isCancelled: false }), ', never drawn')
  assert.equal(closedLineText(closed, { isCancelled: true }), ', never drawn')
  const drawn = { ...closed, drawdowns: [drawdown('PAID_OUT')] }
  assert.equal(closedLineText(drawn, { isCancelled: false }), '')
  assert.equal(closedLineText(drawn, { isCancelled: true }), ', within the cooling-off period')
})

test('FIS12 §27.5: each drawdown in the timeline has its state in words, and a failed one its reason', () => {
  const row = (state: string, params = {}) =>
    rowTexts({
      id: '1',
      entries: [
        {
          id: 'drawdown.1',
          at,
          kind: 'servicing',
          title: { code: 'drawdown', params: { amountPaise: '5000000', ...params } },
          state,
          correlationId: null,
        },
      ],
    })
  for (const status of drawdownStatuses) assert.notEqual(row(status).badge?.[1] ?? row(status).result, '', status)
  const paidOut = row('PAID_OUT')
  assert.equal(paidOut.what, 'Drawdown of ₹50,000')
  assert.equal(paidOut.badge, null)
  assert.equal(paidOut.result, 'Paid out')
  const failed = row('FAILED', { reason: 'PAYOUT_RETURNED' })
  assert.deepEqual(failed.badge, ['bad', 'Not paid out'])
  assert.equal(failed.note, 'Payout returned')
  const refused = row('FAILED', { reason: 'DRAWDOWN_REFUSED' })
  assert.deepEqual(refused.badge, ['bad', 'Refused'])
  assert.equal(refused.note, '', 'the badge says it')
  assert.deepEqual(drawdownWords('NEW_STATE', null), { tone: 'plain', word: 'New state', reason: '' })
})

test('FIS12 §17.5: closing a credit line is not called closing a loan, and costs nothing if nothing is owed', () => {
  const titled = (params: object) =>
    titleOf({
      id: 'servicing.1',
      at,
      kind: 'servicing',
      title: { code: 'servicing', params: { kind: 'FORECLOSURE', ...params } },
      state: 'PAID',
      correlationId: null,
    })
  assert.equal(titled({ amountPaise: '0', isOfLine: true }), 'Closing the credit line')
  assert.equal(titled({ amountPaise: '10000000', isOfLine: true }), 'Closing the credit line: ₹1,00,000')
  assert.equal(titled({ amountPaise: '10000000', isOfLine: false }), 'Closing the loan early: ₹1,00,000')
})
