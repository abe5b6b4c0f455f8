// The judge of extra messages: their shapes, ids, subject and place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultText } from '@lendloom/wire/network/context'
import { rating } from '@lendloom/wire/network/extra/extra-messages'
import type { AnyAction } from '@lendloom/wire/network/igm/actions'
import { cancel, support, track } from '@lendloom/wire/network/v203/update-and-status'
import { extraFaults } from './extras.ts'
import type { TranscriptMessage } from './transcript.ts'

const at = new Date('2026-11-20T06:00:00.000Z')

function messageOf<A extends AnyAction>(number: number, action: A, message: object, messageId = `m-${number}`) {
  const ids = { transaction_id: 't', bap_id: 'buyer.example', message_id: messageId, bpp_id: 'lender.example' }
  const timestamp = new Date(at.getTime() + number).toISOString()
  const context = { ...ids, action, version: '2.0.3', timestamp }
  const facts = { at, direction: 'sent', error: undefined, headers: {}, raw: '', isRejected: false }
  return { ...facts, message, path: `#${number} ${action} $`, action, context } as unknown as TranscriptMessage<A>
}

const confirmed = messageOf(1, 'on_confirm', { order: { id: 'o-1' } })
const priced = messageOf(5, 'on_cancel', { order: { id: 'o-1', status: 'SOFT_CANCEL' } }, 'm-4')
const loan = [confirmed, priced]
const contact = { support: { order_id: 'o-1', phone: '1800 000 111' } }
const valid = [
  messageOf(2, 'support', support('o-1', { phone: '+919800000042', email: undefined })),
  messageOf(3, 'on_support', contact, 'm-2'),
  messageOf(4, 'cancel', cancel('o-1', 'SOFT_CANCEL')),
  messageOf(6, 'cancel', cancel('o-1', 'CONFIRM_CANCEL')),
  messageOf(7, 'track', track('o-1')),
  messageOf(8, 'on_track', { tracking: { url: 'https://lender.example/t', status: 'active' } }, 'm-7'),
  messageOf(9, 'rating', rating('o-1', 5)),
  messageOf(10, 'on_rating', {}, 'm-9'),
]
const faultsOf = (extras: typeof valid, of = loan) => extraFaults(extras, of).map(faultText)

test('FIS12 §25: the extra messages of a loan have no faults', () => assert.deepEqual(faultsOf(valid), []))

test('FIS12 §25: a wrong shape, id, order or place is a fault', () => {
  const one = (...extras: typeof valid) => faultsOf(extras)
  assert.match(one(messageOf(9, 'rating', rating('o-1', 6)))[0]!, /value is 6, must be one of 1, 2, 3, 4, 5/)
  assert.match(one(messageOf(9, 'rating', rating('o-2', 5)))[0]!, /is about the order o-2/)
  assert.match(one(messageOf(9, 'track', { order_id: 'o-1', callback: 'x' }))[0]!, /FIS12 §3.3/)
  assert.match(one(messageOf(9, 'on_track', { tracking: { status: 'active' } }))[0]!, /answers no request/)
  assert.match(
    one(messageOf(9, 'on_support', contact, 'm-7'), messageOf(10, 'track', track('o-1'), 'm-1'))[1]!,
    /used before/,
  )
  assert.match(one(messageOf(4, 'cancel', cancel('o-1', 'CONFIRM_CANCEL')))[0]!, /before the lender stated the price/)
  const again = [...valid, messageOf(11, 'rating', rating('o-1', 1))]
  assert.match(faultsOf(again)[0]!, /rates the loan again/)
  assert.match(faultsOf([messageOf(2, 'track', track('o-1'))], [])[0]!, /there is no loan/)
})
