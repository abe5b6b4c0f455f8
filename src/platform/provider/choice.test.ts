// Which adapter is used: the first choice that fits, else the first of the kind; a choice that cannot be is refused at start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, configFrom } from '#kit/runtime/config.ts'
import { adapterNamed } from './adapters.ts'
import { adapterFor } from './choice.ts'
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
