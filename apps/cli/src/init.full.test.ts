// `lendloom init` makes keys and an environment file with which a program starts, once the named settings are added.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseEnv } from 'node:util'
import { configFrom } from '@lendloom/foundation/config'
import { settings } from '@lendloom/platform/settings'
import { settingsFaults } from '@lendloom/platform/src/settings-faults.ts'
import { sealWith } from '@lendloom/seal/seal'
import { commandLine } from '@lendloom/tests/setup/command-line'
import { signingKey } from '@lendloom/wire/network/signing'

const page = 'docs/how-to/run-in-production.md'
const home = mkdtempSync(join(tmpdir(), 'init-'))
after(() => rmSync(home, { recursive: true }))
const { run, runJson, runFailing } = commandLine({})
const answers = ['--url', 'https://lend.example', '--database', 'postgres://u:tiger-secret@db/lendloom']

test(`${page}: the platform gets new keys in files that only the owner reads, and the rest is listed`, async () => {
  const directory = join(home, 'platform')
  const { missing, publicKeys } = await runJson('init', directory, ...answers, '--network', 'prod')
  const file = join(directory, 'platform.env')
  const env = parseEnv(readFileSync(file, 'utf8'))
  const config = configFrom(settings, env)
  assert.equal(config.PUBLIC_URL, 'https://lend.example')
  assert.equal(config.NETWORK_SUBSCRIBER_ID, 'lend.example')
  assert.equal(config.DATABASE_URL, 'postgres://u:tiger-secret@db/lendloom')
  assert.match(config.NETWORK_REGISTRY_URL, /^https:\/\/prod\./)
  assert.equal(signingKey(config.NETWORK_SIGNING_KEY).type, 'private')
  const seal = sealWith(config.LENDLOOM_KEYS)
  assert.equal(seal.openJson(seal.json('x', 'a'), 'a'), 'x')
  assert.deepEqual(missing, ['NETWORK_SETTLEMENT', 'AA_ACCOUNT', 'GRIEVANCE_OFFICER', 'NODAL_OFFICER'])
  for (const name of missing) assert.match(readFileSync(file, 'utf8'), new RegExp(`^#${name}={"`, 'm'))
  assert.equal(Object.keys(publicKeys).length, 4)
  const paths = [file, ...readdirSync(join(directory, 'secrets')).map((name) => join(directory, 'secrets', name))]
  for (const path of paths) assert.equal(statSync(path).mode & 0o777, 0o600, path)
  assert.doesNotMatch(readFileSync(file, 'utf8'), /tiger-secret|k1:/)
})

test(`${page}: the platform starts when the listed settings are filled in, at most twelve by hand`, async () => {
  const directory = join(home, 'filled')
  const mail = ['--mail', 'smtp://mail.lend.example:587', '--alerts', 'ops@lend.example']
  await runJson('init', directory, ...answers, ...mail)
  const values: Record<string, string> = {
    ifsc: 'HDFC0000001',
    account: '123456789012',
    vpa: 'lend@bank',
    registryUrl: 'https://aa.example',
    id: 'aa',
    handle: 'aa',
    lspId: 'lend',
    secret: 's',
    apiKey: 'k',
    name: 'Asha Rao',
    phone: '022-40001234',
    email: 'asha@lend.example',
  }
  const fill = (group: string) => group.replace(/"(\w+)":""/g, (_, field) => `"${field}":"${values[field]}"`)
  const lines = readFileSync(join(directory, 'platform.env'), 'utf8').replace(/^#([A-Z_]+=\{.*)$/gm, (_, group) =>
    fill(group),
  )
  const env = parseEnv(lines)
  const config = configFrom(settings, env, settingsFaults)
  assert.equal(config.NODAL_OFFICER_NAME, 'Asha Rao')
  assert.equal(config.AA_REGISTRY_URL, 'https://aa.example')
  assert.equal(config.SMTP_URL, 'smtp://mail.lend.example:587')
  assert.equal(config.ALERT_EMAIL, 'ops@lend.example')
  const byHand = Object.keys(env).filter((name) => name !== 'SANDBOX' && !/_KEYS?_FILE$/.test(name))
  assert.equal(byHand.length, 10, byHand.join())
})

test(`${page}: two installations have different keys, and a directory in use is refused`, async () => {
  const keysOf = async (name: string) => {
    const { code, text } = await run('init', join(home, name), ...answers, '--mounted', '/run/lendloom')
    assert.equal(code, 0)
    assert.doesNotMatch(text, /tiger-secret/)
    return readFileSync(join(home, name, 'secrets', 'LENDLOOM_KEYS'), 'utf8')
  }
  const first = await keysOf('first')
  assert.notEqual(first, await keysOf('second'))
  assert.match(
    readFileSync(join(home, 'first', 'platform.env'), 'utf8'),
    /_KEYS_FILE=\/run\/lendloom\/secrets\/LENDLOOM/,
  )
  assert.match((await runFailing('init', join(home, 'first'), ...answers)).errorOutput, /not empty/)
  assert.equal(readFileSync(join(home, 'first', 'secrets', 'LENDLOOM_KEYS'), 'utf8'), first)
})

test(`${page}: the partner gets its own keys and safe choices`, async () => {
  const directory = join(home, 'partner')
  const { missing } = await runJson('init', directory, '--program', 'partner', ...answers)
  const env = parseEnv(readFileSync(join(directory, 'partner.env'), 'utf8'))
  assert.equal(env.SANDBOX, 'off')
  assert.equal(env.PARTNER_AUTOPILOT, 'off')
  assert.equal(env.PARTNER_DESK_SECOND_FACTOR, 'required')
  assert.equal(env.PARTNER_FILES_DIR, '/var/lib/lendloom/files')
  assert.ok(missing.includes('PARTNER_CLIENTS'))
})

test(`${page}: a missing or invalid answer is named, and nothing is written`, async () => {
  const directory = join(home, 'none')
  const refusals: [args: string[], message: RegExp][] = [
    [[], /--url is missing/],
    [['--url', 'http://lend.example'], /--database is missing|--url must begin with https/],
    [[...answers, '--mail', 'mail.lend.example'], /--mail is not valid/],
    [[...answers, '--network', 'moon'], /--network must be preprod or prod/],
    [[...answers, '--subscriber', 'https://lend.example'], /--subscriber is not valid/],
    [['--url', 'https://lend.example', '--database', 'db'], /--database is not valid/],
    [['--url', 'https://lend.example', '--database', 'https://db/x'], /--database is not valid/],
    [['--url', 'https://u:p@lend.example', '--database', 'postgres://db/x'], /--url must have no user/],
    [[...answers, '--mounted', 'run/lendloom'], /--mounted must be an absolute path/],
    [[...answers, '--mounted', '/run/a\nSANDBOX=on'], /the path must have no blanks/],
    [['--url', 'https://lend.example\nPORT=1', '--database', 'postgres://db/x'], /--url must have no blanks/],
    [[...answers, '--program', 'sandbox'], /--program must be/],
  ]
  for (const [args, message] of refusals) {
    const { code, errorOutput: text } = await runFailing('init', directory, ...args)
    assert.equal(code, 2, args.join(' '))
    assert.match(text, message)
  }
  writeFileSync(join(home, 'file'), '')
  assert.equal((await runFailing('init', join(home, 'file', 'inside'), ...answers)).code, 1)
  assert.equal(existsSync(directory), false)
})
