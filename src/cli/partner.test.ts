// The commands about lending partners, on a real database: stored fields, credentials shown once, and refusals that change nothing.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Refusal } from '#kit/http/refusal.ts'
import { listNewest } from '#platform/staff/audit/store.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { keysAndAddressOf } from '#test/setup/command-line.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { CannotRun, UsageError } from './command.ts'
import { partner } from './partner.ts'

const lender = await startLenderExchange()
const { ctx } = await testPlatform(lender.env)
const env = keysAndAddressOf(ctx)
const directory = mkdtempSync(join(tmpdir(), 'lendloom-partner-command-'))
after(() => rmSync(directory, { recursive: true }))

type Options = Record<string, string | boolean | string[]>
async function run(name: string, args: string[] = [], options: Options = {}, own = env) {
  const found = partner.commands.find((each) => each.name === `partner ${name}`)
  if (!found) throw new Error(`there is no command ${name}`)
  const printed = await found.run({ args, options, json: false, env: own })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}
const wrongFields = (paths: string[]) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual([error.kind, (error.details.fields ?? []).map(({ path }) => path)], ['invalid', paths])
  return true
}
const acts = async () => (await listNewest(ctx.db, platformTenant, null, 20)).map(({ act }) => act)
const url = 'http://127.0.0.1:9'

test('D3 §1: the partner of the settings is stored and can be changed; its secrets are not shown', async () => {
  const { text, data } = await run('list')
  assert.deepEqual(
    data.items.map(({ sender, name, isOff }: Record<string, unknown>) => [sender, name, isOff]),
    [['CELESTIUM', 'Celestium Finance Limited', false]],
  )
  assert.match(text, /CELESTIUM/)
  const { bearer, secret } = JSON.parse(lender.env.PARTNER_CREDENTIALS)
  const set = ['mostRupees=300000', 'ratePercent=21.5', 'groName=Asha Rao']
  const { data: changed } = await run('change', ['celestium'], { name: 'Celestium', set, product: ['personal_loan'] })
  assert.deepEqual(
    [
      changed.name,
      changed.rules.mostRupees,
      changed.rules.ratePercent,
      changed.rules.leastRupees,
      changed.contact.groName,
    ],
    ['Celestium', 300_000, '21.5', 10_000, 'Asha Rao'],
  )
  assert.equal(changed.contact.groEmail, 'nodal@celestium.example', 'what is not given stays')
  assert.doesNotMatch(JSON.stringify([text, data, changed]), new RegExp(`${bearer}|${secret}`))
  assert.equal((await acts())[0], 'PARTNER_CHANGED')
})

test('a wrong option is named and changes nothing', async () => {
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
  const outside = keysAndAddressOf((await testPlatform({ SANDBOX: 'off' })).ctx)
  const open = { name: 'X', url: 'http://lender.example', set: ['groEmail= '] }
  await assert.rejects(run('add', ['X'], open, outside), (error) => {
    assert.ok(error instanceof Refusal, String(error))
    const paths = new Set((error.details.fields ?? []).map(({ path }) => path))
    assert.deepEqual([paths.has('url'), paths.has('contact.groEmail')], [true, true])
    return true
  })
  await assert.rejects(run('add', ['celestium'], { name: 'X', url }), wrongFields(['sender']))
  await assert.rejects(run('add', ['LENDLOOM'], { name: 'X', url }), wrongFields(['ourSender']))
  assert.deepEqual((await run('show', ['CELESTIUM'])).data, before)
})

test('D3 §5: a partner is added switched off, with generated credentials that are shown once, or with existing ones', async () => {
  const { text, data } = await run('add', ['SECOND'], { name: 'Second Capital', url: `${url}/` })
  const { credentials } = data
  assert.deepEqual([data.partner.url, data.partner.isOff, credentials.sender], [url, true, 'LENDLOOM'])
  assert.ok(text.includes(credentials.secret) && text.includes(credentials.webhook.keys[0].secret))
  assert.doesNotMatch(JSON.stringify(await run('show', ['SECOND'])), new RegExp(credentials.secret))
  const file = join(directory, 'credentials.json')
  const theirs = { ...credentials, bearer: 'b'.repeat(20), webhook: { ...credentials.webhook, sender: 'THIRD' } }
  writeFileSync(file, JSON.stringify(theirs))
  await assert.rejects(
    run('add', ['THIRD'], { name: 'Third', url, credentials: file }),
    wrongFields(['incoming.bearer']),
  )
  writeFileSync(file, JSON.stringify({ ...theirs, webhook: { ...theirs.webhook, bearer: 'c'.repeat(20) } }))
  const out = join(directory, 'out.json')
  const added = await run('add', ['THIRD'], { name: 'Third', url, credentials: file, out })
  assert.equal(JSON.parse(readFileSync(out, 'utf8')).webhook.bearer, 'c'.repeat(20))
  assert.equal(statSync(out).mode & 0o777, 0o600)
  assert.doesNotMatch(`${added.text}${JSON.stringify(added.data)}`, /c{20}/)
  await run('switch-on', ['SECOND'])
  assert.equal((await run('show', ['SECOND'])).data.isOff, false)
  await assert.rejects(run('switch-off', ['SECOND'], { reason: 'no' }), wrongFields(['reason']))
  const { data: off } = await run('switch-off', ['SECOND'], { reason: 'It has no money left.' })
  assert.deepEqual(off.effect, { searching: 0, offered: 0, chosen: 0, loans: 0 })
  assert.match((await run('show', ['SECOND'])).text, /off: It has no money left\./)
  assert.deepEqual((await acts()).slice(0, 4), [
    'LENDER_SWITCHED_OFF',
    'LENDER_SWITCHED_ON',
    'PARTNER_ADDED',
    'PARTNER_ADDED',
  ])
})

test('D3 §5: a credential is rotated with an overlap, one at a time, and without overlap if it leaked', async () => {
  const { data } = await run('rotate', ['CELESTIUM'], { direction: 'outgoing' })
  assert.ok(new Date(data.outgoing.from) > new Date(Date.now() + 23 * 3_600_000))
  assert.deepEqual(
    data.partner.outgoing.map(({ isUsed }: { isUsed: boolean }) => isUsed),
    [true, false],
  )
  const { bearer } = JSON.parse(lender.env.PARTNER_CREDENTIALS)
  assert.equal(data.outgoing.bearer, bearer, 'the bearer stays unless asked for')
  await assert.rejects(run('rotate', ['CELESTIUM'], { direction: 'outgoing' }), Refusal)
  const leaked = await run('rotate', ['CELESTIUM'], { direction: 'outgoing', 'overlap-hours': '0', bearer: true })
  assert.deepEqual([leaked.data.partner.outgoing.length, leaked.data.outgoing.bearer === bearer], [1, false])
  await assert.rejects(run('rotate', ['CELESTIUM'], { direction: 'sideways' }), UsageError)
  await assert.rejects(run('rotate', ['CELESTIUM'], { direction: 'incoming', 'overlap-hours': 'x' }), UsageError)
  const file = join(directory, 'theirs.json')
  writeFileSync(file, JSON.stringify({ keyId: 'theirs-2', secret: 's'.repeat(24) }))
  const given = { direction: 'incoming', 'overlap-hours': '0', credential: file }
  const theirs = await run('rotate', ['CELESTIUM'], given)
  assert.deepEqual([theirs.data.incoming.keyId, theirs.data.partner.incoming.length], ['theirs-2', 1])
  assert.equal((await acts())[0], 'PARTNER_CREDENTIAL_ROTATED')
})
