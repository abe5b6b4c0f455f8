// Which adapter is used: the first choice that fits, else the first of the kind; a choice that cannot be is refused at start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, configFrom } from '#kit/runtime/config.ts'
import { unsafeOutside } from '#platform/outside-sandbox.ts'
import { adapterFor, adapterNamed, isReplaced, unconfigured } from './adapters.ts'
import { adapterNames, providerKinds, providerSettings } from './settings.ts'

const { PROVIDER_CHOICES } = providerSettings
const choosing = (choices: unknown) => configFrom({ PROVIDER_CHOICES }, { PROVIDER_CHOICES: JSON.stringify(choices) })
const whom = { application: 'app-1', lender: 'CELESTIUM' }

test('without a choice the first adapter of each kind is used, and every name has an adapter', () => {
  const config = configFrom({ PROVIDER_CHOICES }, {})
  for (const kind of providerKinds) {
    const names = adapterNames[kind]
    assert.equal(adapterFor(config, kind, whom), names[0])
    for (const name of names) assert.ok(adapterNamed(kind, name))
  }
  for (const name of ['nobody', 'toString']) assert.throws(() => adapterNamed('esign', name), /no adapter/)
})

test('a choice that nobody could follow is refused by its place and field', () => {
  const wrong: [choices: unknown, why: RegExp][] = [
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
  for (const [choices, why] of wrong)
    assert.throws(
      () => choosing(choices),
      (error) => error instanceof ConfigError && why.test(error.message),
      JSON.stringify(choices),
    )
})

test('the first choice that fits decides: for this application, with this lender, or for everybody', () => {
  const config = choosing([
    { kind: 'kyc', use: 'lendloom' },
    { kind: 'esign', application: 'app-1', lender: 'CELESTIUM', use: 'cashfree' },
    { kind: 'esign', application: 'app-1', use: 'lendloom' },
    { kind: 'esign', lender: 'ANOTHER', use: 'cashfree' },
  ])
  const used = (application: string, lender: string) => adapterFor(config, 'esign', { application, lender })
  assert.equal(used('app-1', 'CELESTIUM'), 'cashfree')
  assert.equal(used('app-1', 'ANOTHER'), 'lendloom')
  assert.equal(used('app-2', 'ANOTHER'), 'cashfree')
  assert.equal(used('app-2', 'CELESTIUM'), 'lendloom', 'nothing fits: the first of the kind')
  const forAll = choosing([{ kind: 'esign', use: 'cashfree' }])
  assert.equal(adapterFor(forAll, 'esign', whom), 'cashfree')
  assert.equal(adapterFor(forAll, 'kyc', whom), 'lendloom')
})

test('an adapter that is chosen must be configured, and one that is of no use need not be', () => {
  const config = choosing([{ kind: 'esign', use: 'cashfree' }])
  const cashfree = { CASHFREE_CLIENT_ID: 'id', CASHFREE_CLIENT_SECRET: '' }
  assert.deepEqual(unconfigured({ ...config, ...cashfree }), [
    'CASHFREE_CLIENT_SECRET must be set where cashfree is used',
  ])
  assert.deepEqual(unconfigured({ ...config, ...cashfree, CASHFREE_CLIENT_SECRET: 'x' }), [])
  assert.deepEqual(unconfigured({ ...choosing([]), ...cashfree }), [])
  assert.equal(isReplaced(config.PROVIDER_CHOICES, 'esign', 'lendloom'), true)
  assert.equal(isReplaced(config.PROVIDER_CHOICES, 'kyc', 'lendloom'), false)
  const some = choosing([
    { kind: 'esign', application: 'app-1', use: 'lendloom' },
    { kind: 'esign', use: 'cashfree' },
  ])
  assert.equal(isReplaced(some.PROVIDER_CHOICES, 'esign', 'lendloom'), false)
  const fallback = (name: 'ESIGN_CREDENTIAL' | 'KYC_CREDENTIAL') => providerSettings[name].fallback!
  const credentials = { ESIGN_CREDENTIAL: fallback('ESIGN_CREDENTIAL'), KYC_CREDENTIAL: fallback('KYC_CREDENTIAL') }
  const outside = { SANDBOX: false, ...credentials }
  const kyc = "KYC_CREDENTIAL is still the sandbox's"
  assert.deepEqual(unsafeOutside({ ...outside, ...some }), [kyc, "ESIGN_CREDENTIAL is still the sandbox's"])
  assert.deepEqual(unsafeOutside({ ...outside, ...config }), [kyc])
})
