// How the platform chooses catalogue items to apply for, and finds the conversation of a message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { type CatalogItem, readOnSearch } from '@lendloom/wire/network/v203/search'
import fc from 'fast-check'
import { type Conversation, chooseItems, conversationOf } from './conversation.ts'
import type { ConversationStage } from './stage.ts'

const catalogue = readOnSearch(stepNamed('on_search').message)
const [model] = catalogue as [CatalogItem]
const item = (change: Partial<CatalogItem>): CatalogItem => ({ ...model, ...change })

test('FIS12 §8.1: prefers a lender’s bureau item to its account-aggregator item', () => {
  assert.deepEqual(
    catalogue.map(({ assessment }) => assessment),
    ['bureau', 'account-aggregator'],
  )
  assert.deepEqual(
    chooseItems(catalogue).map(({ itemId }) => itemId),
    ['pl-bureau'],
  )
  const others = catalogue.filter(({ assessment }) => assessment !== 'bureau')
  assert.deepEqual(
    chooseItems(others).map(({ itemId }) => itemId),
    ['pl-account-aggregator'],
  )
  const unspecified = item({ itemId: 'unspecified', assessment: null })
  assert.deepEqual(chooseItems([...others, unspecified]), [unspecified])
})

test('FIS12 §12.1: chooses an item without an assessment type only if there is no bureau item', () => {
  const unspecified = item({ itemId: 'unspecified', assessment: null })
  assert.deepEqual(chooseItems([unspecified]), [unspecified])
  assert.deepEqual(
    chooseItems([unspecified, item({ itemId: 'bureau', assessment: 'bureau' })]).map(({ itemId }) => itemId),
    ['bureau'],
  )
})

test('FIS12 §12.1: skips an item that has no form or does not match', () => {
  assert.deepEqual(chooseItems([item({ form: null }), item({ matched: false })]), [])
})

test('FIS12 §2: chooses one item per provider from any catalogue', () => {
  const anyItem = fc.record({
    providerId: fc.constantFrom('a', 'b', 'c'),
    itemId: fc.string({ maxLength: 3 }),
    assessment: fc.constantFrom('bureau' as const, 'account-aggregator' as const, null),
    matched: fc.boolean(),
    form: fc.constantFrom(model.form, null),
  })
  fc.assert(
    fc.property(fc.array(anyItem), (items) => {
      const chosen = chooseItems(items.map(item))
      assert.equal(new Set(chosen.map(({ providerId }) => providerId)).size, chosen.length)
      assert.ok(chosen.every(({ form, matched }) => form !== null && matched))
      for (const { providerId, assessment } of chosen) {
        const usable = items.filter((each) => each.providerId === providerId && each.form && each.matched)
        const best = ['bureau', null, 'account-aggregator'].find((type) =>
          usable.some((each) => each.assessment === type),
        )
        assert.equal(assessment, best)
      }
    }),
  )
})

test('FIS12 §2: a message belongs to the conversation with its provider and item, or to the only possible one', () => {
  const conversationAbout = (providerId: string, itemId: string) =>
    ({ providerId, itemId, orderId: null }) as Conversation
  const first = conversationAbout('p', 'i')
  const second = conversationAbout('p', 'j')
  assert.equal(conversationOf([first, second], { orderId: null, providerId: 'p', itemId: 'j' }), second)
  assert.equal(conversationOf([first, second], { orderId: null, providerId: 'p', itemId: 'x' }), undefined)
  assert.equal(conversationOf([first], { orderId: null, providerId: 'p', itemId: 'shortened' }), first)
  assert.equal(conversationOf([first], { orderId: null, providerId: 'q', itemId: 'i' }), undefined)
  assert.equal(conversationOf([first], null), first)
  assert.equal(conversationOf([first, second], null), undefined)
  assert.equal(conversationOf([], null), undefined)
})

test('FIS12 §18.1: a message about an order belongs to that order’s conversation, even with another provider or item', () => {
  const conversationWith = (orderId: string | null, providerId: string, stage: ConversationStage) =>
    ({ orderId, providerId, itemId: 'i', stage }) as Conversation
  const placed = conversationWith('O-1', 'p', 'CONFIRMED')
  const ended = conversationWith('O-0', 'p', 'ENDED')
  const open = conversationWith(null, 'q', 'CONFIRM_SENT')
  const all = [placed, ended, open]
  const conversationFor = (orderId: string, providerId: string) =>
    conversationOf(all, { orderId, providerId, itemId: 'another' })
  assert.equal(conversationFor('O-1', 'changed'), placed)
  assert.equal(conversationFor('O-1', 'q'), placed)
  assert.equal(conversationFor('O-0', 'p'), ended)
  assert.equal(conversationFor('O-9', 'p'), undefined, 'the provider’s conversation has a different order')
  assert.equal(conversationFor('O-9', 'q'), open, 'the conversation has no order id yet')
  assert.equal(conversationFor('O-9', 'changed'), open, 'on_confirm, which changes the provider, is not applied yet')
  assert.equal(conversationOf([placed, ended], { orderId: 'O-9', providerId: 'changed', itemId: 'i' }), undefined)
  assert.equal(conversationOf([placed], { orderId: null, providerId: 'p', itemId: 'i' }), placed)
})
