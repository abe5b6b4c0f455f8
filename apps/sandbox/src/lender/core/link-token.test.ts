// Link tokens are valid for one conversation and one purpose.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { assert as assertProperty, integer, property, string } from 'fast-check'
import { idOfLink, linkToken } from './link-token.ts'

const oldKey = newSealKey('a')
const seal = sealWith(oldKey)

test('a token resolves to its conversation for its purpose only, also after a key rotation', () => {
  const conversationId = uuidv7()
  const token = linkToken(seal, 'kyc', conversationId)
  assert.match(token, /^[0-9A-Za-z]{43}$/)
  assert.equal(idOfLink(seal, 'kyc', token), conversationId)
  assert.equal(idOfLink(seal, 'mandate', token), null)
  assert.equal(idOfLink(sealWith(newSealKey('c')), 'kyc', token), null)
  assert.equal(idOfLink(sealWith(`${newSealKey('b')},${oldKey}`), 'kyc', token), conversationId)
})

test('a forged token resolves to nothing', () => {
  const token = linkToken(seal, 'kyc', uuidv7())
  assertProperty(
    property(integer({ min: 0, max: 42 }), integer({ min: 1, max: 61 }), (position, shift) => {
      const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
      const symbol = alphabet[(alphabet.indexOf(token[position]!) + shift) % 62]!
      assert.equal(idOfLink(seal, 'kyc', token.slice(0, position) + symbol + token.slice(position + 1)), null)
    }),
    { numRuns: roundsOf(200) },
  )
  assertProperty(
    property(string(), (text) => idOfLink(seal, 'kyc', text) === null),
    { numRuns: roundsOf(100) },
  )
  assert.equal(idOfLink(seal, 'kyc', randomBytes(32).toString('hex')), null)
})
