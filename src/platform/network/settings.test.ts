// Validation of the network settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptionKeysFrom } from '#contract/network/challenge.ts'
import { signingKeysFrom } from '#contract/network/signing.ts'
import { type ConfigError, configFrom } from '#kit/runtime/config.ts'
import { networkSettings } from './settings.ts'

const keys = {
  NETWORK_SIGNING_KEY: signingKeysFrom(Buffer.alloc(32, 1)).privateKey,
  NETWORK_ENCRYPTION_KEY: encryptionKeysFrom(Buffer.alloc(32, 2)).privateKey,
}

test('FIS12 §5, §6.2: only the two private keys are required; every other setting has a sandbox default', () => {
  const config = configFrom(networkSettings, keys)
  assert.equal(config.NETWORK_SUBSCRIBER_ID, 'buyer.lendloom.example')
  assert.equal(config.NETWORK_CALL_TTL, 'PT30S')
})

test('FIS12 §4, §7.1: reports every invalid setting with the expected format, without printing keys', () => {
  const invalidSettings = {
    NETWORK_SUBSCRIBER_ID: 'https://buyer.example',
    NETWORK_CALL_TTL: '30s',
    NETWORK_SEARCH_TTL: 'PT0S',
    NETWORK_FINDER_FEE_TYPE: 'PERCENT_ANNUALIZED',
    NETWORK_FINDER_FEE: '1%',
    NETWORK_SETTLEMENT_TYPE: 'cheque',
    NETWORK_ENTITY: '[]',
    NETWORK_SIGNING_KEY: 'c2VjcmV0IHNlY3JldA==',
    NETWORK_ENCRYPTION_KEY: 'c2VjcmV0IHNlY3JldA==',
  }
  assert.throws(
    () => configFrom(networkSettings, invalidSettings),
    ({ message }: ConfigError) => {
      for (const name of Object.keys(invalidSettings)) assert.match(message, new RegExp(`${name} must be`))
      return !message.includes('c2VjcmV0')
    },
  )
})
