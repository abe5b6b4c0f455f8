// Settings are read from the environment; all invalid settings are reported together.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  ConfigError,
  choice,
  configFrom,
  flag,
  networks,
  number,
  port,
  readSettings,
  sandboxValueFaults,
  secret,
  settingsAtDefault,
  text,
  url,
  withSecrets,
} from './config.ts'
import { line, settingGroup } from './setting-group.ts'

const settings = {
  NAME: text('Name of the program'),
  COLOUR: text('Colour of the page', 'red'),
  KEY: secret('Secret key', 'none'),
  PORT: port('Port of the server', 4000),
  COUNT: number('Number of workers', 3, 1, 10),
  ON: flag('Whether the program runs', 'on'),
  LEVEL: choice('Level of the log', ['low', 'high'], 'low'),
  HOME: url('Address of the home page', 'http://127.0.0.1:1/'),
}

test('a setting that is unset or empty gets its default', () => {
  assert.deepEqual(configFrom(settings, { NAME: 'x', COLOUR: '', ON: 'off' }), {
    NAME: 'x',
    COLOUR: 'red',
    KEY: 'none',
    PORT: 4000,
    COUNT: 3,
    ON: false,
    LEVEL: 'low',
    HOME: 'http://127.0.0.1:1',
  })
})

test('docs/how-to/run-in-production.md: a secret may be in a file, but no other setting', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    const file = join(directory, 'key')
    writeFileSync(file, 'from the file\n')
    const read = (env: Record<string, string>) => configFrom(settings, { NAME: 'x', ...env })
    assert.equal(read({ KEY_FILE: file }).KEY, 'from the file')
    assert.equal(read({ KEY_FILE: '', KEY: 'own' }).KEY, 'own')
    assert.equal(read({ COLOUR_FILE: file }).COLOUR, 'red')
    assert.throws(() => read({ KEY_FILE: file, KEY: 'own' }), /KEY and KEY_FILE are both set/)
    assert.throws(
      () => read({ KEY_FILE: join(directory, 'none') }),
      /KEY cannot be read from the file of KEY_FILE: ENOENT/,
    )
    assert.throws(
      () => read({ KEY_FILE: directory }),
      /KEY cannot be read from the file of KEY_FILE: it is not a regular file/,
    )
    assert.throws(() => read({ KEY_FILE: '/dev/zero' }), /it is not a regular file/)
    writeFileSync(file, '\n')
    assert.throws(() => read({ KEY_FILE: file }), /KEY cannot be .*it is empty/)
    writeFileSync(file, '\uFEFFfrom the file\r\n\n')
    assert.equal(read({ KEY_FILE: file }).KEY, 'from the file')
    writeFileSync(file, 'k'.repeat(65_537))
    assert.throws(() => read({ KEY_FILE: file }), /KEY cannot be .*more than 65536 bytes/)
    const env = withSecrets({ KEY_FILE: file.replace('key', 'other'), NAME: 'x' }, [])
    assert.deepEqual(Object.keys(env), ['KEY_FILE', 'NAME'])
    writeFileSync(file, 'k')
    assert.deepEqual(withSecrets({ KEY_FILE: file, NAME: 'x' }, ['KEY']), { NAME: 'x', KEY: 'k' })
  } finally {
    rmSync(directory, { recursive: true })
  }
})

const grouped = {
  MAIL: text('Address of the officer', 'default@x.example'),
  NAME: text('Name of the officer', 'Default'),
  OFFICER: settingGroup('The officer', {
    name: line('NAME'),
    mail: { setting: 'MAIL', pattern: /^\S+@\S+$/, format: 'an e-mail address' },
  }),
}

test('docs/reference/settings.md: a JSON setting gives the defaults of its parts, each of which may be set by itself', () => {
  const OFFICER = '{"name": "Asha", "mail": "a@x.example"}'
  const read = (env: Record<string, string>) => configFrom(grouped, env)
  assert.equal(read({ OFFICER }).NAME, 'Asha')
  assert.equal(read({ OFFICER }).MAIL, 'a@x.example')
  const named = read({ OFFICER, NAME: 'Ravi' })
  assert.equal(named.NAME, 'Ravi')
  assert.equal(named.MAIL, 'a@x.example')
  assert.equal(read({}).NAME, 'Default')
  assert.deepEqual(sandboxValueFaults(grouped, read({ MAIL: 'b@x.example' }), ['NAME', 'MAIL']), [
    "OFFICER is not set; without it, NAME still have the sandbox's values",
  ])
  const directory = mkdtempSync(join(tmpdir(), 'group-'))
  writeFileSync(join(directory, 'officer'), OFFICER)
  assert.equal(read({ OFFICER_FILE: join(directory, 'officer') }).NAME, 'Asha')
  rmSync(directory, { recursive: true })
})

test('docs/reference/settings.md: each wrong field of a JSON setting is named, without its value', () => {
  const faultsOf = (OFFICER: string) => readSettings(grouped, { OFFICER }).faults
  assert.deepEqual(faultsOf('Asha'), ['OFFICER must be a JSON object of name, mail'])
  assert.deepEqual(faultsOf('["Asha"]'), ['OFFICER must be a JSON object of name, mail'])
  assert.deepEqual(faultsOf('{"name": "A\\nB", "mail": "secret", "fax": "1"}'), [
    'OFFICER is not valid: "fax" is not a known field; name must be a text of 1 to 300 characters in one line; mail must be an e-mail address',
  ])
  assert.equal(faultsOf('{"name": 5, "__proto__": {}}').length, 1)
})

test('docs/decisions/0023-a-program-says-how-it-is.md: reports all missing and invalid settings in one message', () => {
  const wrong = { PORT: '70000', COUNT: '0', ON: 'yes', LEVEL: 'constructor', HOME: 'nowhere' }
  assert.throws(
    () => configFrom(settings, wrong),
    (error: Error) => {
      assert.ok(error instanceof ConfigError)
      assert.deepEqual(error.message.split('\n  '), [
        'configuration:',
        'NAME is not set: Name of the program',
        'PORT must be a whole number from 1 to 65535, not "70000"',
        'COUNT must be a whole number from 1 to 10, not "0"',
        'ON must be on or off, not "yes"',
        'LEVEL must be one of low, high, not "constructor"',
        'HOME must be a URL',
      ])
      return true
    },
  )
})

test('number accepts only whole decimal numbers', () => {
  const read = (value: string) => configFrom({ N: number('n', 0, -5, 1e6) }, { N: value }).N
  assert.deepEqual(['0', '-5', '1000000', '007'].map(read), [0, -5, 1_000_000, 7])
  for (const value of ['1.5', '1e3', '0x10', ' 1', '1 ', '', 'NaN', 'Infinity', '1_000', '--1'].filter(Boolean))
    assert.throws(() => read(value), /must be a whole number/, value)
})

test('url accepts only known schemes, and its error does not repeat a password', () => {
  const read = (value: string) => configFrom({ U: url('u') }, { U: value }).U
  assert.equal(read('postgres://u:p@h:5432/d'), 'postgres://u:p@h:5432/d')
  assert.equal(read('https://x.example/'), 'https://x.example')
  for (const value of ['ftp://x', 'javascript:alert(1)', 'x.example', 'postgres//user:hunter2@host'])
    assert.throws(
      () => read(value),
      (error: Error) => /U must be a URL/.test(error.message) && !/hunter2/.test(error.message),
    )
})

test('networks accepts only IP addresses and networks', () => {
  const read = (value: string) => configFrom({ N: networks('n') }, { N: value }).N
  assert.deepEqual(read(''), [])
  assert.deepEqual(read('127.0.0.1, 10.0.0.0/8,fd00::/8'), ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  for (const wrong of ['loopback', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/8/8', '10.0.0.0/'])
    assert.throws(() => read(wrong), /N must be IP addresses or networks/, wrong)
})

test('faults of combinations of settings are reported together with faults of single settings', () => {
  assert.throws(
    () =>
      configFrom(settings, { PORT: '0' }, (config) => settingsAtDefault(settings, config, ['COLOUR', 'HOME', 'PORT'])),
    { message: /^configuration:\n {2}NAME is not set.*\n {2}PORT must be.*\n {2}COLOUR\n {2}HOME$/ },
  )
})

test('only a secret setting is marked as secret', () => {
  assert.equal(settings.KEY.secret, true)
  assert.equal('secret' in settings.NAME, false)
  assert.equal(settings.LEVEL.about, 'Level of the log; one of low, high')
})
