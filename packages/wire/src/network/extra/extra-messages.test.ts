// The extra messages: what may be sent, what is hidden in reports and summaries, and what a cancelled order says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedBody } from '@lendloom/cli/src/network/gist.ts'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { anonymized, hidden } from '#wire/network/anonymize-message.ts'
import { faultText } from '#wire/network/context.ts'
import type { ExtraAction } from '#wire/network/sequence.ts'
import { readOrder } from '#wire/network/v203/read-order.ts'
import { cancel, support, track } from '#wire/network/v203/update-and-status.ts'
import { extraMessageFaults, rating } from './extra-messages.ts'

const borrower = { phone: '+919800000042', email: 'anil.kamble@mail.example' }

test('FIS12 §25: our messages are closed, and name an order', () => {
  const faultsOf = (action: ExtraAction, message: object) => extraMessageFaults(action, message).map(faultText)
  assert.deepEqual(faultsOf('cancel', cancel('o-1', 'SOFT_CANCEL')), [])
  assert.deepEqual(faultsOf('support', support('o-1', borrower)), [])
  assert.deepEqual(faultsOf('support', support('o-1', { ...borrower, email: undefined })), [])
  assert.deepEqual(faultsOf('track', track('o-1')), [])
  assert.deepEqual(faultsOf('rating', rating('o-1', 5)), [])
  for (const [action, message] of [
    ['cancel', { ...cancel('o-1', 'SOFT_CANCEL'), reason: 'none' }],
    ['cancel', { ...cancel('o-1', 'SOFT_CANCEL'), descriptor: { name: 'x', code: 'CANCEL' } }],
    ['support', { support: { phone: borrower.phone } }],
    ['track', {}],
    ['rating', rating('o-1', 0)],
    ['rating', { ratings: [] }],
  ] as const)
    assert.notDeepEqual(faultsOf(action, message), [], JSON.stringify(message))
})

test('FIS12 §23, §25: the borrower’s contact and the lender’s pages are hidden in reports, and masked for operators', () => {
  const { context } = stepNamed('on_confirm') as unknown as { context: object }
  const message = support('o-1', borrower)
  assert.deepEqual(anonymized('support', { context, message }).message, {
    support: { order_id: 'o-1', phone: hidden, email: hidden },
  })
  const tracking = { id: 't-1', url: 'https://lender.example/t?of=anil', status: 'active' }
  assert.deepEqual(anonymized('on_track', { context, message: { tracking } }).message, {
    tracking: { ...tracking, url: hidden },
  })
  const shown = JSON.stringify(maskedBody(JSON.stringify({ context, message })))
  assert.doesNotMatch(shown, /9800000042|anil\.kamble/)
})

test('FIS12 §25: a payment without a label in a cancelled order is what the borrower returns, to a page or an account', () => {
  const { order } = stepNamed('on_confirm').message as { order: { payments: object[] } }
  const params = { amount: '69000', currency: 'INR', bank_account_number: '012345678901', bank_code: 'LEND0000001' }
  const returned = { id: 'p-9', type: 'POST_FULFILLMENT', status: 'NOT-PAID', collected_by: 'BPP', params }
  const read = (status: string, payment: object) =>
    readOrder({ order: { ...order, status, payments: [payment, ...order.payments] } })
  for (const status of ['SOFT_CANCEL', 'CANCELLED']) {
    const { servicing, returnAccount, unknownCodeWarnings } = read(status, returned)
    assert.equal(servicing[0]?.label, 'FORECLOSURE')
    assert.equal(servicing[0]?.amount, 69_000_00n)
    assert.equal(returnAccount, '012345678901, IFSC LEND0000001')
    assert.deepEqual(unknownCodeWarnings, [])
  }
  const masked = { ...returned, params: { ...params, bank_account_number: '<b>1</b>' } }
  assert.equal(read('CANCELLED', masked).returnAccount, null)
  const active = read('ACTIVE', returned)
  assert.deepEqual(active.servicing, [])
  assert.equal(active.returnAccount, null)
})
