// Whoever adds a setting documents it by running one command; this notices when that was forgotten.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '#kit/config.ts'
import { home } from './installation.ts'
import { envExample } from './settings.ts'
import { startConfig } from './start/settings.ts'

test('.env.example lists every setting; when it does not: lendloom settings > .env.example', () => {
  assert.equal(readFileSync(join(home, '.env.example'), 'utf8'), `${envExample()}\n`)
})

test('what is wrong in the environment is said all at once, by name', () => {
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

test('addresses follow host and port unless they are given', () => {
  const here = startConfig({ PORT: '5000', HOST: '0.0.0.0' })
  assert.deepEqual([here.publicUrl, here.sandboxUrl], ['http://127.0.0.1:5000', 'http://127.0.0.1:4200'])
  assert.equal(startConfig({ PUBLIC_URL: 'https://lend.example' }).publicUrl, 'https://lend.example')
  assert.equal(startConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:4000')
})
