// What the page shows of the price and the account of a cancellation (FIS12 §25).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { extraFields, withContact } from './extra-actions-view.ts'

const price = { amount: '10000000', interest: null, charges: null, account: '123456789012, IFSC HDFC0000001' }
const at = '2026-11-26T12:00:00Z'
const nextDay = new Date('2026-11-27T06:00:00Z')

function exitPriceOf(
  cancellation: Conversation['extras']['cancellation'],
  now = new Date(at),
  setting = 'l.example:cancel',
) {
  const conversation = { bppId: 'l.example', lenderId: 'L', extras: { cancellation } } as unknown as Conversation
  const facts = { journey: { type: 'PERSONAL_LOAN', status: 'DISBURSED' }, chosen: undefined, conversation } as const
  return extraFields({ config: { NETWORK_EXTRA_ACTIONS: setting } } as Parameters<typeof extraFields>[0], facts, now)
    .exitPrice
}

test('FIS12 §25: a price is valid for its day, and the account of a decided cancellation until the return', () => {
  const confirmed = { status: 'CONFIRMED', at, confirmedAt: at, price } as const
  for (const view of [exitPriceOf(confirmed), exitPriceOf(confirmed, nextDay), exitPriceOf(confirmed, nextDay, '')]) {
    assert.equal(view?.state, 'STATED')
    assert.equal(view?.amount, '100000.00')
    assert.equal(view?.account, price.account)
  }
  const quoted = { status: 'QUOTED', at, price } as const
  assert.equal(exitPriceOf(quoted)?.state, 'STATED')
  assert.equal(exitPriceOf(quoted, nextDay)?.state, 'ASKABLE')
  assert.equal(exitPriceOf(quoted, new Date(at), ''), null)
})

test('FIS12 §25: zero and huge prices are shown', () => {
  for (const [amount, shown] of [
    ['0', '0.00'],
    ['99999999999999999999', '999999999999999999.99'],
  ] as const)
    assert.equal(exitPriceOf({ status: 'QUOTED', at, price: { ...price, amount } })?.amount, shown)
})

test('FIS12 §25: an empty contact leaves the known one', () => {
  const support = { phone: '1', email: 'a@b.example', link: 'https://b.example' }
  const lender = { id: 'L', support } as Parameters<ReturnType<typeof withContact>>[0]
  const contact = { phone: null, email: null, url: null }
  const conversation = { lenderId: 'L', extras: { support: contact } } as unknown as Conversation
  assert.deepEqual(withContact(conversation)(lender).support, support)
})
