// A link opens exactly what it was made for.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { integer, assert as law, property, string } from 'fast-check'
import { uuidv7 } from '#kit/crypto/id.ts'
import { newSealKey, sealWith } from '#kit/crypto/seal.ts'
import { conversationOfLink, linkToken } from './link.ts'

const oldKey = newSealKey('a')
const seal = sealWith(oldKey)

test('a token leads back to its conversation, for its purpose only, also after a rotation of keys', () => {
  const conversationId = uuidv7()
  const token = linkToken(seal, 'kyc', conversationId)
  assert.match(token, /^[0-9A-Za-z]{43}$/)
  assert.equal(conversationOfLink(seal, 'kyc', token), conversationId)
  assert.equal(conversationOfLink(seal, 'mandate', token), null)
  assert.equal(conversationOfLink(sealWith(newSealKey('c')), 'kyc', token), null)
  assert.equal(conversationOfLink(sealWith(`${newSealKey('b')},${oldKey}`), 'kyc', token), conversationId)
})

test('no other text opens anything', () => {
  const token = linkToken(seal, 'kyc', uuidv7())
  law(
    property(integer({ min: 0, max: 42 }), integer({ min: 1, max: 61 }), (place, shift) => {
      const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
      const other = letters[(letters.indexOf(token[place]!) + shift) % 62]!
      assert.equal(conversationOfLink(seal, 'kyc', token.slice(0, place) + other + token.slice(place + 1)), null)
    }),
    { numRuns: 200 },
  )
  law(
    property(string(), (text) => conversationOfLink(seal, 'kyc', text) === null),
    { numRuns: 100 },
  )
  assert.equal(conversationOfLink(seal, 'kyc', randomBytes(32).toString('hex')), null)
})
