// The commands about lending partners, on a real database: fields, credentials, and refusals that change nothing.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { listNewest } from '@lendloom/platform/src/people/audit/store.ts'
import { platformTenant } from '@lendloom/platform/src/people/person.ts'
import { keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { CannotRun, UsageError } from './command.ts'
import { partner } from './partner.ts'

const lender = await startLenderExchange()
const { ctx } = await testPlatform(lender.env)
const env = keysAndAddressOf(ctx)
const directory = mkdtempSync(join(tmpdir(), 'lendloom-partner-command-'))
after(() => rmSync(directory, { recursive: true }))

type Options = Record<string, string | boolean | string[]>
async function run(name: string, args: string[] = [], options: Options = {}, commandEnv = env) {
  const found = partner.commands.find((each) => each.name === `partner ${name}`)
  if (!found) throw new Error(`there is no command ${name}`)
  const printed = await found.run({ args, options, json: false, env: commandEnv })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}
const wrongFields = (paths: string[]) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.equal(error.kind, 'invalid')
  assert.deepEqual(
    (error.details.fields ?? []).map(({ path }) => path),
    paths,
  )
  return true
}
const acts = async () => (await listNewest(ctx.db, platformTenant, null, 20)).map(({ act }) => act)
const url = 'http://127.0.0.1:9'

test('D3 §1: the partner from the settings can be listed and changed, without showing its secrets', async () => {
  const { text, data } = await run('list')
  assert.deepEqual(
    data.items.map(({ sender, name, isOff }: Record<string, unknown>) => ({ sender, name, isOff })),
    [{ sender: 'CELESTIUM', name: 'Celestium Finance Limited', isOff: false }],
  )
  assert.match(text, /CELESTIUM/)
  const { bearer, secret } = JSON.parse(lender.env.PARTNER_CREDENTIALS)
  const set = ['mostRupees=300000', 'ratePercent=21.5', 'groName=Asha Rao']
  const { data: changed } = await run('change', ['celestium'], { name: 'Celestium', set, product: ['personal_loan'] })
  assert.equal(changed.name, 'Celestium')
  assert.equal(changed.rules.mostRupees, 300_000)
  assert.equal(changed.rules.ratePercent, '21.5')
  assert.equal(changed.rules.leastRupees, 10_000)
  assert.equal(changed.contact.groName, 'Asha Rao')
  assert.equal(changed.contact.groEmail, 'nodal@celestium.example', 'a field without an option keeps its value')
  assert.doesNotMatch(JSON.stringify([text, data, changed]), new RegExp(`${bearer}|${secret}`))
  assert.equal((await acts())[0], 'PARTNER_CHANGED')
})

test('an invalid option is named in the error and changes nothing', async () => {
  const before = (await run('show', ['CELESTIUM'])).data
  await assert.rejects(
    run('change', ['CELESTIUM'], { set: ['leastRupees=900000'] }),
    wrongFields(['rules.leastRupees']),
  )
  await assert.rejects(run('change', ['CELESTIUM'], { set: ['ratePercent=a lot'] }), wrongFields(['rules.ratePercent']))
  await assert.rejects(run('change', ['CELESTIUM'], { url: 'ftp://x.example' }), wrongFields(['url']))
  await assert.rejects(run('change', ['CELESTIUM'], { product: ['GOLD_LOAN'] }), wrongFields(['products']))
  await assert.rejects(run('change', ['CELESTIUM'], { set: ['sender=X'] }), UsageError)
  await assert.rejects(run('change', ['CELESTIUM'], {}), UsageError)
  await assert.rejects(run('change', ['NOBODY'], { name: 'X' }), CannotRun)
  const liveEnv = keysAndAddressOf((await testPlatform({ SANDBOX: 'off' })).ctx)
  const insecure = { name: 'X', url: 'http://lender.example', set: ['groEmail= '] }
  await assert.rejects(run('add', ['X'], insecure, liveEnv), (error) => {
    assert.ok(error instanceof Refusal, String(error))
    const paths = new Set((error.details.fields ?? []).map(({ path }) => path))
    assert.equal(paths.has('url'), true)
    assert.equal(paths.has('contact.groEmail'), true)
    return true
  })
  await assert.rejects(run('add', ['celestium'], { name: 'X', url }), wrongFields(['sender']))
  await assert.rejects(run('add', ['LENDLOOM'], { name: 'X', url }), wrongFields(['ourSender']))
  assert.deepEqual((await run('show', ['CELESTIUM'])).data, before)
})

test('D3 §5: a partner is added switched off, with generated or existing credentials', async () => {
  const { text, data } = await run('add', ['SECOND'], { name: 'Second Capital', url: `${url}/` })
  const { credentials } = data
  assert.equal(data.partner.url, url)
  assert.equal(data.partner.isOff, true)
  assert.equal(credentials.sender, 'LENDLOOM')
  assert.ok(text.includes(credentials.secret) && text.includes(credentials.webhook.keys[0].secret))
  assert.doesNotMatch(JSON.stringify(await run('show', ['SECOND'])), new RegExp(credentials.secret))
  const file = join(directory, 'credentials.json')
  const existing = { ...credentials, bearer: 'b'.repeat(20), webhook: { ...credentials.webhook, sender: 'THIRD' } }
  writeFileSync(file, JSON.stringify(existing))
  await assert.rejects(
    run('add', ['THIRD'], { name: 'Third', url, credentials: file }),
    wrongFields(['incoming.bearer']),
  )
  const keys = [...existing.webhook.keys, { keyId: 'second-key', secret: 's'.repeat(40) }]
  writeFileSync(file, JSON.stringify({ ...existing, webhook: { ...existing.webhook, bearer: 'c'.repeat(20), keys } }))
  const out = join(directory, 'out.json')
  const added = await run('add', ['THIRD'], { name: 'Third', url, credentials: file, out })
  assert.equal(JSON.parse(readFileSync(out, 'utf8')).webhook.bearer, 'c'.repeat(20))
  assert.deepEqual(
    added.data.partner.incoming.map(({ keyId }: { keyId: string }) => keyId),
    keys.map(({ keyId }) => keyId),
    'every key of the file',
  )
  assert.equal(statSync(out).mode & 0o777, 0o600)
  assert.doesNotMatch(`${added.text}${JSON.stringify(added.data)}`, /c{20}/)
  await run('switch-on', ['SECOND'])
  assert.equal((await run('show', ['SECOND'])).data.isOff, false)
  const effect = { searching: '0', offered: '0' }
  await assert.rejects(run('switch-off', ['SECOND'], { reason: 'no', ...effect }), wrongFields(['reason']))
  const { data: off } = await run('switch-off', ['SECOND'], { reason: 'It has no money left.', ...effect })
  assert.equal(off.isOff, true)
  assert.match((await run('show', ['SECOND'])).text, /off: It has no money left\./)
  assert.deepEqual((await acts()).slice(0, 4), [
    'LENDER_SWITCHED_OFF',
    'LENDER_SWITCHED_ON',
    'PARTNER_ADDED',
    'PARTNER_ADDED',
  ])
})

test('D3 §5: a credential is rotated with an overlap, or without one if it leaked', async () => {
  const { data } = await run('rotate', ['CELESTIUM'], { direction: 'outgoing' })
  assert.ok(new Date(data.outgoing.from) > new Date(Date.now() + 23 * 3_600_000))
  assert.deepEqual(
    data.partner.outgoing.map(({ isUsed }: { isUsed: boolean }) => isUsed),
    [true, false],
  )
  const { bearer } = JSON.parse(lender.env.PARTNER_CREDENTIALS)
  assert.equal(data.outgoing.bearer, bearer, 'the bearer token stays unless --bearer is set')
  await assert.rejects(run('rotate', ['CELESTIUM'], { direction: 'outgoing' }), Refusal)
  const leaked = await run('rotate', ['CELESTIUM'], { direction: 'outgoing', 'overlap-hours': '0', bearer: true })
  assert.equal(leaked.data.partner.outgoing.length, 1)
  assert.equal(leaked.data.outgoing.bearer === bearer, false)
  await assert.rejects(run('rotate', ['CELESTIUM'], { direction: 'sideways' }), UsageError)
  await assert.rejects(run('rotate', ['CELESTIUM'], { direction: 'incoming', 'overlap-hours': 'x' }), UsageError)
  const file = join(directory, 'theirs.json')
  writeFileSync(file, JSON.stringify({ keyId: 'theirs-2', secret: 's'.repeat(24) }))
  const incomingOptions = { direction: 'incoming', 'overlap-hours': '0', credential: file }
  const incoming = await run('rotate', ['CELESTIUM'], incomingOptions)
  assert.equal(incoming.data.incoming.keyId, 'theirs-2')
  assert.equal(incoming.data.partner.incoming.length, 1)
  assert.equal((await acts())[0], 'PARTNER_CREDENTIAL_ROTATED')
})
