// Texts that no rule requires: our messages must contain them, other parties' messages need not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, Step } from '@lendloom/tests/network-messages/conversation'
import { goldLoan } from '@lendloom/tests/network-messages/gold-loan'
import { lamf } from '@lendloom/tests/network-messages/lamf'
import { personalLoan } from '@lendloom/tests/network-messages/personal-loan'
import type { Dialect } from '@lendloom/wire/network/context'
import { isCallback } from '@lendloom/wire/network/sequence'
import { readOrder as readOrder203 } from '@lendloom/wire/network/v203/read-order'
import { readUpdate } from '@lendloom/wire/network/v203/update-and-status'
import { readOrder as readOrder230 } from '@lendloom/wire/network/v230/read-order'
import { conventionFaults } from './conventions.ts'

const loans: [Dialect, Step[]][] = [
  ['2.0.3', personalLoan()],
  ['2.0.3', goldLoan()],
  ['2.3.0', lamf()],
]

test('FIS12 §21: a missing description of a tag is reported by path', () => {
  for (const [dialect, steps] of loans)
    for (const { step, message } of steps) {
      assert.deepEqual(conventionFaults(dialect, message), [], step)
      for (const { tag, path } of tagsIn(message)) {
        const { name } = tag.descriptor
        delete tag.descriptor.name
        const found = conventionFaults(dialect, message).map((fault) => fault.path)
        assert.deepEqual(found, name === undefined ? [] : [`${path}.descriptor.name`], step)
        if (name !== undefined) tag.descriptor.name = name
      }
    }
  const [, , onSelect] = personalLoan().filter(({ action }) => action === 'on_select')
  const { list } = onSelect!.message.order.items[0].tags[0]
  delete list[1].descriptor.short_desc
  delete onSelect!.message.order.provider.descriptor.long_desc
  assert.deepEqual(
    conventionFaults('2.0.3', onSelect!.message).map(({ path, section }) => ({ path, section })),
    [
      { path: '$.message.order.provider.descriptor.long_desc', section: 'FIS12 §21' },
      { path: '$.message.order.items[0].tags[0].list[1].descriptor.short_desc', section: 'FIS12 §21' },
    ],
  )
})

function tagsIn(value: Json, path = '$.message'): { tag: Json; path: string }[] {
  if (value === null || typeof value !== 'object') return []
  const ownTags = Array.isArray(value.tags)
    ? value.tags.map((tag: Json, i: number) => ({ tag, path: `${path}.tags[${i}]` }))
    : []
  const nested = Object.entries(value).flatMap(([key, inner]) =>
    tagsIn(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  )
  return [...ownTags, ...nested]
}

test('FIS12 §21: a lender without descriptions is read the same', () => {
  const isOrderCallback = ({ action }: Step) => isCallback(action) && action !== 'on_search'
  const pairs = [
    [readOrder203, personalLoan().filter(isOrderCallback), personalLoan(true).filter(isOrderCallback)],
    [readOrder230, lamf().filter(isOrderCallback), lamf(true).filter(isOrderCallback)],
  ] as const
  for (const [read, described, bare] of pairs)
    for (const [i, { step, message }] of bare.entries())
      assert.deepEqual(read(message), read(described[i]!.message), step)
})

test('FIS12 §18.3: an amount is read only from an update about a part payment', () => {
  const message = (label: string) => ({
    update_target: 'payments',
    order: { id: 'o', payments: [{ type: 'POST_FULFILLMENT', time: { label }, params: { amount: '50000' } }] },
  })
  assert.deepEqual(readUpdate(message('FORECLOSURE')), { orderId: 'o', target: 'payments', label: 'FORECLOSURE' })
  assert.deepEqual(readUpdate(message('PRE_PART_PAYMENT')), {
    orderId: 'o',
    target: 'payments',
    label: 'PRE_PART_PAYMENT',
    amount: 50_000_00n,
  })
})
