// Passkeys of the console with a software authenticator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '#kit/staff/person.ts'
import { listNewest } from '#platform/staff/audit/store.ts'
import { resetSecondFactor } from '#platform/staff/people.ts'
import { type Ceremony, newPasskey } from '#test/setup/authenticator.ts'
import { type ConsoleUser, consolePassword, consoleUser } from '#test/setup/console.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const platform = await testPlatform({}, () => new Date(now))
const { url, ctx, tenant } = platform
const origin = url.replace('127.0.0.1', 'localhost')
const rpId = 'localhost'

const post = (path: string, body?: unknown) => ask(`${url}/api/console${path}`, { method: 'POST', body })
const challenge = async (): Promise<string> => (await post('/sign-in/passkey/options')).body.challenge
const signIn = (response: object) => post('/sign-in/passkey', { response })

async function withPasskey(user: ConsoleUser) {
  const { body: options } = await user.ask('POST', '/passkeys/options', { password: consolePassword })
  const device = newPasskey(options.user.id)
  const response = device.create({ challenge: options.challenge, origin, rpId })
  const added = await user.ask('POST', '/passkeys', { name: 'Phone', response })
  return { device, options, response, added }
}

test('creating a passkey needs the password, and signing in with it does not', async () => {
  const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
  assert.equal(
    (await user.ask('POST', '/passkeys/options', { password: 'wrong' })).body.error.details.field,
    'password',
  )
  const { device, options, response, added } = await withPasskey(user)
  assert.deepEqual(options.rp, { name: 'Lendloom', id: 'localhost' })
  const idsOf = (...ids: string[]) => ids.map((id) => id.replaceAll('-', '')).join('')
  const handle = Buffer.from(options.user.id, 'base64url').toString('hex')
  assert.equal(handle, idsOf(tenant.tenantId, user.person.personId), 'nothing personal in the handle')
  assert.equal(added.status, 201)
  assert.equal((await user.ask('POST', '/passkeys', { name: 'Phone', response })).status, 409, 'the same answer again')
  now += 60_000
  const entered = await signIn(device.get({ challenge: await challenge(), origin, rpId }))
  assert.equal(entered.status, 200)
  assert.equal(entered.body.person.personId, user.person.personId)
  const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
  assert.equal((await ask(`${url}/api/console/me`, { headers: { cookie } })).status, 200)
  const { items } = (await user.ask('GET', '/passkeys')).body
  assert.deepEqual(items, [{ ...added.body, usedAt: new Date(now).toISOString() }])
  const excluded = (await user.ask('POST', '/passkeys/options', { password: consolePassword })).body.excludeCredentials
  assert.equal(excluded[0].id, response.id)
  const acts = (await listNewest(ctx.db, tenant.tenantId, null, 2)).map(({ act, detail }) => [act, JSON.parse(detail)])
  assert.deepEqual(acts, [
    ['SIGNED_IN', { passkey: added.body.passkeyId }],
    ['PASSKEY_ADDED', {}],
  ])
})

test('accepts an assertion once, within five minutes, only for our challenge, origin, owner and key', async () => {
  const user = await consoleUser(platform, { role: 'admin' })
  const { device, options } = await withPasskey(user)
  const right = async (): Promise<Ceremony> => ({ challenge: await challenge(), origin, rpId })
  const once = device.get(await right())
  const together = await Promise.all([signIn(once), signIn(once), signIn(once)])
  assert.deepEqual(together.map(({ status }) => status).sort(), [200, 401, 401])
  const late = device.get(await right())
  now += 300_000
  const other = newPasskey(options.user.id)
  const fresh = await right()
  const wrong = [
    late,
    device.get({ ...fresh, challenge: options.challenge }),
    device.get({ ...fresh, challenge: Buffer.alloc(54).toString('base64url') }),
    device.get({ ...fresh, challenge: '' }),
    device.get({ ...fresh, origin: 'https://evil.example' }),
    device.get({ ...fresh, rpId: 'evil.example' }),
    device.get({ ...fresh, isVerified: false }),
    other.get(fresh),
    { ...other.get(fresh), id: once.id, rawId: once.rawId },
    { ...device.get(fresh), response: { ...device.get(fresh).response, userHandle: 'x' } },
  ]
  for (const [i, response] of wrong.entries()) assert.equal((await signIn(response)).status, 401, `answer ${i}`)
  assert.equal((await signIn({ ...once, type: 'password' })).status, 400)
  assert.equal((await signIn(device.get(fresh))).status, 200)
})

test('rejects a registration for another challenge', async () => {
  const [mine, theirs] = [
    await consoleUser(platform, { role: 'viewer' }),
    await consoleUser(platform, { role: 'viewer' }),
  ]
  const { body: options } = await mine.ask('POST', '/passkeys/options', { password: consolePassword })
  const device = newPasskey(options.user.id)
  const ceremony = { challenge: options.challenge, origin, rpId }
  const add = (by: ConsoleUser, change: Partial<Ceremony> = {}) =>
    by.ask('POST', '/passkeys', { name: 'X', response: device.create({ ...ceremony, ...change }) })
  for (const refused of [
    await add(theirs),
    await add(mine, { challenge: await challenge() }),
    await add(mine, { origin: 'https://evil.example' }),
    await add(mine, { isVerified: false }),
  ])
    assert.deepEqual([refused.status, refused.body.error.details.field], [400, 'response'])
  const added = await add(mine)
  assert.equal(added.status, 201)
  const path = `/passkeys/${added.body.passkeyId}`
  assert.deepEqual(
    [(await theirs.ask('DELETE', path)).status, (await theirs.ask('GET', '/passkeys')).body.items],
    [404, []],
  )
  assert.equal((await mine.ask('DELETE', path)).status, 204)
  assert.equal((await signIn(device.get({ ...ceremony, challenge: await challenge() }))).status, 401)
})

test('removal and reset delete passkeys, and IP-address origins have none', async () => {
  const user = await consoleUser(platform, { role: 'viewer' })
  const { device } = await withPasskey(user)
  const at = new Date(now)
  await ctx.db.tx((tx) => resetSecondFactor({ ...ctx, tx, at }, null, keyOf(user.person)))
  assert.equal((await signIn(device.get({ challenge: await challenge(), origin, rpId }))).status, 401)
  assert.equal((await user.ask('GET', '/me')).status, 401, 'the reset ends the sessions')
  const gone = await consoleUser(platform, { role: 'viewer' })
  const again = await withPasskey(gone)
  const boss = await consoleUser(platform, { role: 'admin' })
  assert.equal((await boss.ask('DELETE', `/people/${gone.person.personId}`)).status, 204)
  assert.equal((await signIn(again.device.get({ challenge: await challenge(), origin, rpId }))).status, 401)

  const numbered = await testPlatform({ PUBLIC_URL: 'http://192.0.2.1:4000' })
  const api = `http://127.0.0.1:${numbered.ctx.config.PORT}/api/console/sign-in/passkey/options`
  assert.equal((await ask(api, { method: 'POST' })).status, 409)
})
