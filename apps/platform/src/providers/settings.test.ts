// Tests how PROVIDER_CHOICES chooses adapters, and which of its values are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, configFrom } from '@lendloom/foundation/config'
import { unsafeSettings } from '#platform/settings-faults.ts'
import { adapterNamed } from './adapters.ts'
import { partnerProviderFaults } from './partner-providers.ts'
import {
  adapterFor,
  adapterNames,
  isDefaultAdapterUnused,
  missingSettings,
  providerKinds,
  providerSettings,
} from './settings.ts'

const { PROVIDER_CHOICES } = providerSettings
const configWith = (choices: unknown) => configFrom({ PROVIDER_CHOICES }, { PROVIDER_CHOICES: JSON.stringify(choices) })
const scope = { application: 'app-1', lender: 'CELESTIUM' }

test('the first adapter of each kind is the default', () => {
  const config = configFrom({ PROVIDER_CHOICES }, {})
  for (const kind of providerKinds) assert.equal(adapterFor(config, kind, scope), adapterNames[kind][0])
})

test('an unknown adapter name throws an error', () => {
  for (const name of ['unknown', 'toString']) assert.throws(() => adapterNamed('esign', name), /adapter/)
})

test('the error for an invalid entry of PROVIDER_CHOICES contains its index and field', () => {
  const invalid: [choices: unknown, why: RegExp][] = [
    ['esign', /choices must be array/],
    [[1], /choices.0 must be object/],
    [[{ kind: 'esign', use: 'lendloom', tenant: 'x' }], /choices.0.tenant is not a known field/],
    [
      [
        { kind: 'kyc', use: 'lendloom' },
        { kind: 'tax', use: 'lendloom' },
      ],
      /choices.1.kind must be one of kyc, esign/,
    ],
    [[{ kind: 'esign', use: 'paper' }], /choices.0.use must be one of lendloom/],
    [[{ kind: 'esign', use: 'lendloom', application: '' }], /choices.0.application/],
    [[{ kind: 'esign', use: 'lendloom', lender: 7 }], /choices.0.lender/],
  ]
  for (const [choices, why] of invalid)
    assert.throws(
      () => configWith(choices),
      (error) => error instanceof ConfigError && why.test(error.message),
      JSON.stringify(choices),
    )
})

test('the first entry that matches application and lender decides', () => {
  const config = configWith([
    { kind: 'kyc', use: 'lendloom' },
    { kind: 'esign', application: 'app-1', lender: 'CELESTIUM', use: 'cashfree' },
    { kind: 'esign', application: 'app-1', use: 'lendloom' },
    { kind: 'esign', lender: 'ANOTHER', use: 'cashfree' },
  ])
  const adapterOf = (application: string, lender: string) => adapterFor(config, 'esign', { application, lender })
  assert.equal(adapterOf('app-1', 'CELESTIUM'), 'cashfree')
  assert.equal(adapterOf('app-1', 'ANOTHER'), 'lendloom')
  assert.equal(adapterOf('app-2', 'ANOTHER'), 'cashfree')
  assert.equal(adapterOf('app-2', 'CELESTIUM'), 'lendloom', 'the default, because no entry matches')
  const forAll = configWith([{ kind: 'esign', use: 'cashfree' }])
  assert.equal(adapterFor(forAll, 'esign', scope), 'cashfree')
  assert.equal(adapterFor(forAll, 'kyc', scope), 'lendloom')
})

test('an adapter that is never used need not be configured', () => {
  const config = configWith([{ kind: 'esign', use: 'cashfree' }])
  const cashfree = { CASHFREE_CLIENT_ID: 'id', CASHFREE_CLIENT_SECRET: '' }
  assert.deepEqual(missingSettings({ ...config, ...cashfree }), [
    'CASHFREE_CLIENT_SECRET must be set when cashfree is used',
  ])
  assert.deepEqual(missingSettings({ ...config, ...cashfree, CASHFREE_CLIENT_SECRET: 'x' }), [])
  assert.deepEqual(missingSettings({ ...configWith([]), ...cashfree }), [])
  assert.equal(isDefaultAdapterUnused(config.PROVIDER_CHOICES, 'esign'), true)
  assert.equal(isDefaultAdapterUnused(config.PROVIDER_CHOICES, 'kyc'), false)
  const bothUsed = configWith([
    { kind: 'esign', application: 'app-1', use: 'lendloom' },
    { kind: 'esign', use: 'cashfree' },
  ])
  assert.equal(isDefaultAdapterUnused(bothUsed.PROVIDER_CHOICES, 'esign'), false)
  const fallback = (name: 'ESIGN_CREDENTIAL' | 'KYC_CREDENTIAL') => providerSettings[name].fallback!
  const credentials = { ESIGN_CREDENTIAL: fallback('ESIGN_CREDENTIAL'), KYC_CREDENTIAL: fallback('KYC_CREDENTIAL') }
  const outside = { SANDBOX: false, ...credentials }
  const faults = ['KYC_CREDENTIAL', 'ESIGN_CREDENTIAL'].map((name) => `${name} still has the sandbox's value`)
  assert.deepEqual(partnerProviderFaults({ ...outside, ...bothUsed }), faults)
  assert.deepEqual(partnerProviderFaults({ ...outside, ...config }), faults.slice(0, 1))
  assert.deepEqual(unsafeSettings({ ...outside, ...config, PARTNER_URL: 'https://p.example' }), faults.slice(0, 1))
  assert.deepEqual(unsafeSettings({ ...outside, ...config }), [], 'needed only with a lending partner')
})
