// The generated list of settings is up to date, and invalid settings are refused.
import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, configFrom, type Settings } from '@lendloom/foundation/config'
import { settings as partnerSettings } from '@lendloom/partner/settings'
import { unsafeOutsideSandbox as partnerUnsafe } from '@lendloom/partner/src/settings-faults.ts'
import { settings as platformSettings } from '@lendloom/platform/settings'
import { unsafeSettings as platformUnsafe } from '@lendloom/platform/src/settings-faults.ts'
import { settings as sandboxSettings } from '@lendloom/sandbox/settings'
import { newSealKey } from '@lendloom/seal/seal'
import { platformEnvironment } from '@lendloom/tests/setup/platform'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { home } from './installation.ts'
import { envExample } from './settings.ts'
import { secretNames } from './start/secret-names.ts'
import { startConfig } from './start/settings.ts'

test('.env.example lists every setting (lendloom settings > .env.example updates it)', () => {
  assert.equal(readFileSync(join(home, '.env.example'), 'utf8'), `${envExample()}\n`)
})

test('npm start knows every secret setting of the programs', () => {
  const settings: Settings = { ...platformSettings, ...partnerSettings, ...sandboxSettings }
  assert.deepEqual(
    secretNames,
    Object.keys(settings)
      .filter((name) => settings[name]?.secret)
      .sort(),
  )
})

test('all invalid settings are reported at once, by name', () => {
  assert.throws(
    () => startConfig({ PORT: 'four thousand', SANDBOX: 'yes', POSTGRES_PORT: '70000' }),
    (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /PORT must be a whole number from 1 to 65535, not "four thousand"/)
      assert.match(error.message, /SANDBOX must be on or off, not "yes"/)
      assert.match(error.message, /POSTGRES_PORT must be a whole number/)
      return true
    },
  )
})

const faultLines = (settings: Settings, env: Record<string, string>, check: (config: never) => string[]) => {
  try {
    configFrom(settings, { SANDBOX: 'off', ...env }, check as never)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n  ').slice(1)
  }
}
/** The settings that the lines name; those of a group separately. */
const names = (lines: string[]) =>
  lines
    .flatMap((line) => /without it, (.*) still/.exec(line)?.[1]?.split(', ') ?? line.split(/[ :]/).slice(0, 1))
    .sort()

const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64')

test('an RSA key whose numbers do not belong together is refused at the start', () => {
  const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const first = newKey()
  const second = newKey()
  const mixed = createPrivateKey({
    key: { ...first.export({ format: 'jwk' }), n: second.export({ format: 'jwk' }).n! },
    format: 'jwk',
  })
  const AA_SIGNING_KEY = mixed.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  assert.match(
    faultLines(platformSettings, { SANDBOX: 'on', AA_SIGNING_KEY }, () => []).join(),
    /AA_SIGNING_KEY must be an RSA/,
  )
})

test('a key of the wrong kind is refused at the start, and not printed', () => {
  const wrong = { AA_SIGNING_KEY: 'c2VjcmV0', MFC_SIGNING_KEY: 'c2VjcmV0', NETWORK_REGISTRY_ENCRYPTION_KEY: 'garbage' }
  const lines = faultLines(platformSettings, { ...wrong, SANDBOX: 'on' }, () => [])
  for (const name of Object.keys(wrong))
    assert.ok(
      lines.some((line) => line.startsWith(`${name} must be `)),
      name,
    )
  assert.ok(!lines.join().includes('c2VjcmV0'))
})

test('outside a sandbox the platform refuses sandbox-only settings and names all of them', () => {
  const needed = platformEnvironment('postgres://here/platform', 4000)
  const sandboxOnly = { CLOCK_FILE: '/clock.json', LENDLOOM_TIME_SCALE: '0.5', PARTNER_URL: 'http://partner.example' }
  const refused = names(faultLines(platformSettings, { ...needed, ...sandboxOnly }, platformUnsafe))
  for (const name of [
    'AA_SECRET',
    'AA_API_KEY',
    'AA_SIGNING_KEY',
    'KYC_CALLBACK_SECRET',
    'ESIGN_CREDENTIAL',
    'BUREAU_CREDENTIAL',
    'NETWORK_SETTLEMENT_ACCOUNT',
    'NETWORK_SETTLEMENT_VPA',
    'NETWORK_REGISTRY_ENCRYPTION_KEY',
    'PUBLIC_URL',
    'NETWORK_REGISTRY_URL',
    'KYC_URL',
    'PARTNER_URL',
    'PARTNER_CONTACT',
    'CLOCK_FILE',
    'LENDLOOM_TIME_SCALE',
  ])
    assert.ok(refused.includes(name), `${name} is named`)
  const set = Object.fromEntries(refused.map((name) => [name, `own-${name}`]))
  const liveSettings = {
    ...needed,
    ...set,
    CLOCK_FILE: '',
    LENDLOOM_TIME_SCALE: '1',
    PARTNER_CONTACT: '{}',
    ...Object.fromEntries(
      refused.filter((name) => name!.endsWith('_URL')).map((name) => [name, 'https://real.example']),
    ),
    PARTNER_URL: '',
    NETWORK_SUBSCRIBER_ID: 'buyer.real.example',
    AA_SIGNING_KEY: rsaKey,
    NETWORK_REGISTRY_ENCRYPTION_KEY: encryptionKeysFrom(Buffer.alloc(32, 1)).publicKey,
  }
  assert.deepEqual(faultLines(platformSettings, liveSettings, platformUnsafe), [])
  assert.deepEqual(faultLines(platformSettings, { ...needed, ...sandboxOnly, SANDBOX: 'on' }, platformUnsafe), [])
})

test('outside a sandbox the partner refuses sandbox-only settings and names all of them', () => {
  const secret = 'a-secret-of-two-parties'
  const client = {
    sender: 'A',
    bearer: secret,
    keys: [{ keyId: 'k', secret }],
    webhook: { bearer: secret, keyId: 'k', secret },
  }
  const needed = {
    PARTNER_DATABASE_URL: 'postgres://here/partner',
    LENDLOOM_KEYS: newSealKey('k1'),
    PARTNER_CLIENTS: JSON.stringify([client]),
  }
  const refused = faultLines(partnerSettings, { ...needed, CLOCK_FILE: '/clock.json' }, partnerUnsafe)
  assert.deepEqual(names(refused), [
    'BANK_BEARER',
    'BANK_NAME',
    'BANK_URL',
    'CLOCK_FILE',
    'PARTNER_AUTOPILOT',
    'PARTNER_DESK_SECOND_FACTOR',
    'PARTNER_GRIEVANCE_OFFICER',
    'PARTNER_LENDER_ADDRESS',
    'PARTNER_LENDER_GSTIN',
    'PARTNER_LENDER_NAME',
    'PARTNER_PUBLIC_URL',
    'PARTNER_REPAYMENT_ACCOUNT',
    'PLATFORM_WEBHOOK_URL',
  ])
  const https = ['BANK_URL', 'PARTNER_PUBLIC_URL', 'PLATFORM_WEBHOOK_URL'].map((name) => [name, 'https://real.example'])
  const ours = names(refused).map((name) => [name, 'ours'])
  const checked = { PARTNER_DESK_SECOND_FACTOR: 'required', PARTNER_LENDER_GSTIN: '27AAPFU0939F1ZV' }
  const safe = { PARTNER_AUTOPILOT: 'off', CLOCK_FILE: '', ...checked }
  const liveSettings = { ...needed, ...Object.fromEntries([...ours, ...https]), ...safe }
  assert.deepEqual(faultLines(partnerSettings, liveSettings, partnerUnsafe), [])
})

test('the default URLs follow from host and port', () => {
  const here = startConfig({ PORT: '5000', HOST: '0.0.0.0' })
  assert.equal(here.publicUrl, 'http://127.0.0.1:5000')
  assert.equal(here.sandboxUrl, 'http://127.0.0.1:4200')
  assert.equal(startConfig({ PUBLIC_URL: 'https://lend.example' }).publicUrl, 'https://lend.example')
  assert.equal(startConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:4000')
})
