// Validation of the network settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ConfigError, configFrom } from '@lendloom/foundation/config'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { signingKeysFrom } from '@lendloom/wire/network/signing'
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

test('FIS12 §23: the address of the collector has no user, query or fragment, because the console shows it', () => {
  const read = (url: string) => configFrom(networkSettings, { ...keys, NETWORK_OBSERVABILITY_URL: url })
  const url = 'https://collector.example:8443/v1/api/push-txn-logs'
  assert.equal(read(url).NETWORK_OBSERVABILITY_URL, url)
  for (const wrong of [
    'https://me:secret@collector.example/push',
    `${url}?token=1`,
    `${url}#x`,
    'collector.example/push',
  ])
    assert.throws(() => read(wrong), /NETWORK_OBSERVABILITY_URL must be an http\(s\) URL with a path/, wrong)
})

test('FIS12 §6.2: the halves of a signing key must belong together', () => {
  const keyFrom = (byte: number) => Buffer.from(signingKeysFrom(Buffer.alloc(32, byte)).privateKey, 'base64')
  const own = keyFrom(1)
  const other = keyFrom(3)
  const mixed = Buffer.concat([own.subarray(0, 32), other.subarray(32)]).toString('base64')
  assert.throws(
    () => configFrom(networkSettings, { ...keys, NETWORK_SIGNING_KEY: mixed }),
    /NETWORK_SIGNING_KEY must be/,
  )
})

test('docs/how-to/run-in-production.md: NETWORK gives the addresses of the network, each of which may be set', () => {
  const prod = configFrom(networkSettings, { ...keys, NETWORK: 'prod', NETWORK_GATEWAY_URL: 'https://gateway.example' })
  assert.match(prod.NETWORK_REGISTRY_URL, /^https:\/\/prod\./)
  assert.notEqual(prod.NETWORK_REGISTRY_ENCRYPTION_KEY, '')
  assert.equal(prod.NETWORK_GATEWAY_URL, 'https://gateway.example')
  assert.throws(
    () => configFrom(networkSettings, { ...keys, NETWORK: 'moon' }),
    /NETWORK must be one of sandbox, preprod, prod/,
  )
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
