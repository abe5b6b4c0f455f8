// Passkeys of the console, tested with a software authenticator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '@lendloom/identity/person'
import { codeOf, stepAt } from '@lendloom/identity/src/totp.ts'
import { type Ceremony, newPasskey } from '@lendloom/tests/setup/authenticator'
import { base32Bytes } from '@lendloom/tests/setup/base32'
import { type ConsoleUser, consolePassword, consoleUser, subjectsMailedTo } from '@lendloom/tests/setup/console'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { waitUntilLocked } from '@lendloom/tests/setup/programs'
import { listNewest } from '#platform/people/audit/store.ts'
import { resetSecondFactor, setNewPassword } from '#platform/people/manage-people.ts'
import { platformTenant } from '#platform/people/person.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const mails = await mailServer()
const clock = () => new Date(now)
const platform = await testPlatform({ SMTP_URL: mails.url }, clock, clock)
const { url, ctx, tenant } = platform
const origin = url.replace('127.0.0.1', 'localhost')
const rpId = 'localhost'

const post = (path: string, body?: unknown) => ask(`${url}/api/console${path}`, { method: 'POST', body })
const challenge = async (): Promise<string> => (await post('/sign-in/passkey/options')).body.challenge
const signIn = (response: object) => post('/sign-in/passkey', { response })

async function registerPasskey(user: ConsoleUser, proof = {}) {
  const { body: options } = await user.ask('POST', '/passkeys/options', { password: consolePassword, ...proof })
  const device = newPasskey(options.user.id)
  const response = device.create({ challenge: options.challenge, origin, rpId })
  const added = await user.ask('POST', '/passkeys', { name: 'Phone', response })
  return { device, options, response, added }
}

test('creating a passkey requires the password; signing in with a passkey does not', async () => {
  const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
  assert.equal(
    (await user.ask('POST', '/passkeys/options', { password: 'wrong' })).body.error.details.field,
    'password',
  )
  const { device, options, response, added } = await registerPasskey(user)
  assert.deepEqual(options.rp, { name: 'Lendloom', id: 'localhost' })
  const joinIds = (...ids: string[]) => ids.map((id) => id.replaceAll('-', '')).join('')
  const userHandle = Buffer.from(options.user.id, 'base64url').toString('hex')
  assert.equal(
    userHandle,
    joinIds(tenant.tenantId, user.person.personId),
    'the user handle consists of ids, without personal data',
  )
  assert.equal(added.status, 201)
  assert.equal(
    (await user.ask('POST', '/passkeys', { name: 'Phone', response })).status,
    409,
    'the same response is rejected a second time',
  )
  now += 60_000
  const signedIn = await signIn(device.get({ challenge: await challenge(), origin, rpId }))
  assert.equal(signedIn.status, 200)
  assert.equal(signedIn.body.person.personId, user.person.personId)
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  assert.equal((await ask(`${url}/api/console/me`, { headers: { cookie } })).status, 200)
  const { items } = (await user.ask('GET', '/passkeys')).body
  assert.deepEqual(items, [{ ...added.body, usedAt: new Date(now).toISOString() }])
  const excluded = (await user.ask('POST', '/passkeys/options', { password: consolePassword })).body.excludeCredentials
  assert.equal(excluded[0].id, response.id)
  const acts = (await listNewest(ctx.db, tenant.tenantId, null, 2)).map(({ act, detail }) => ({
    act,
    detail: JSON.parse(detail),
  }))
  assert.deepEqual(acts, [
    { act: 'SIGNED_IN', detail: { passkey: added.body.passkeyId } },
    { act: 'PASSKEY_ADDED', detail: {} },
  ])
})

test('accepts an assertion once, within five minutes, with the right challenge, origin, owner and key', async () => {
  const user = await consoleUser(platform, { role: 'admin' })
  const { device, options } = await registerPasskey(user)
  const newCeremony = async (): Promise<Ceremony> => ({ challenge: await challenge(), origin, rpId })
  const assertion = device.get(await newCeremony())
  const concurrent = await Promise.all([signIn(assertion), signIn(assertion), signIn(assertion)])
  assert.deepEqual(concurrent.map(({ status }) => status).sort(), [200, 401, 401])
  const lateAssertion = device.get(await newCeremony())
  now += 300_000
  const foreignDevice = newPasskey(options.user.id)
  const ceremony = await newCeremony()
  const rejected = [
    lateAssertion,
    device.get({ ...ceremony, challenge: options.challenge }),
    device.get({ ...ceremony, challenge: Buffer.alloc(54).toString('base64url') }),
    device.get({ ...ceremony, challenge: '' }),
    device.get({ ...ceremony, origin: 'https://evil.example' }),
    device.get({ ...ceremony, rpId: 'evil.example' }),
    device.get({ ...ceremony, isVerified: false }),
    foreignDevice.get(ceremony),
    { ...foreignDevice.get(ceremony), id: assertion.id, rawId: assertion.rawId },
    { ...device.get(ceremony), response: { ...device.get(ceremony).response, userHandle: 'x' } },
  ]
  for (const [i, response] of rejected.entries()) assert.equal((await signIn(response)).status, 401, `response ${i}`)
  assert.equal((await signIn({ ...assertion, type: 'password' })).status, 400)
  assert.equal((await signIn(device.get(ceremony))).status, 200)
})

test('of concurrent answers with the same count, as a copied device gives them, one signs in', async () => {
  const user = await consoleUser(platform, { role: 'viewer' })
  const { device } = await registerPasskey(user)
  const key = keyOf(user.person)
  const { passwordHash = '' } = (await ctx.staff.findPerson(ctx.db, key)) ?? {}
  for (const [count, expected] of [
    [7, [200, 401]],
    [7, [401, 401]],
    [8, [200, 401]],
  ] as const) {
    const answers: object[] = []
    for (let i = 0; i < 2; i++) answers.push(device.get({ challenge: await challenge(), origin, rpId, count }))
    let finished = 0
    const { attempts } = await ctx.db.tx(async (tx) => {
      // Both sign-ins read the stored count, and then wait for the person.
      assert.ok(await ctx.staff.lockIfPasswordUnchanged(tx, { ...key, passwordHash }))
      const begun = answers.map((each) => signIn(each).finally(() => finished++))
      await waitUntilLocked(ctx.db, () => finished > 0, 2)
      return { attempts: begun }
    })
    assert.deepEqual((await Promise.all(attempts)).map(({ status }) => status).sort(), expected, `count ${count}`)
  }
})

test('rejects a registration for another challenge, origin or person, or without user verification', async () => {
  const user = await consoleUser(platform, { role: 'viewer' })
  const otherUser = await consoleUser(platform, { role: 'viewer' })
  const { body: options } = await user.ask('POST', '/passkeys/options', { password: consolePassword })
  const device = newPasskey(options.user.id)
  const ceremony = { challenge: options.challenge, origin, rpId }
  const add = (person: ConsoleUser, change: Partial<Ceremony> = {}) =>
    person.ask('POST', '/passkeys', { name: 'X', response: device.create({ ...ceremony, ...change }) })
  for (const response of [
    await add(otherUser),
    await add(user, { challenge: await challenge() }),
    await add(user, { origin: 'https://evil.example' }),
    await add(user, { isVerified: false }),
  ]) {
    assert.equal(response.status, 400)
    assert.equal(response.body.error.details.field, 'response')
  }
  const added = await add(user)
  assert.equal(added.status, 201)
  const path = `/passkeys/${added.body.passkeyId}`
  assert.equal((await otherUser.ask('DELETE', path)).status, 404)
  assert.deepEqual((await otherUser.ask('GET', '/passkeys')).body.items, [])
  assert.equal((await user.ask('DELETE', path)).status, 204)
  assert.equal((await signIn(device.get({ ...ceremony, challenge: await challenge() }))).status, 401)
})

test('resetting the second factor or removing the user deletes the passkeys', async () => {
  const user = await consoleUser(platform, { role: 'viewer' })
  const { device } = await registerPasskey(user)
  const at = new Date(now)
  await ctx.db.tx((tx) => resetSecondFactor({ ...ctx, tx, at }, null, keyOf(user.person)))
  assert.equal((await signIn(device.get({ challenge: await challenge(), origin, rpId }))).status, 401)
  assert.equal((await user.ask('GET', '/me')).status, 401, 'the reset ends the sessions')
  const removed = await consoleUser(platform, { role: 'viewer' })
  const removedPasskey = await registerPasskey(removed)
  const boss = await consoleUser(platform, { role: 'admin' })
  assert.equal((await boss.ask('DELETE', `/people/${removed.person.personId}`)).status, 204)
  assert.equal((await signIn(removedPasskey.device.get({ challenge: await challenge(), origin, rpId }))).status, 401)
})

async function enableSecondFactor(user: ConsoleUser, keepPasskeyIds?: string[]): Promise<() => string> {
  const { secret } = (await user.ask('POST', '/totp', { password: consolePassword })).body
  const codeNow = () => {
    now += 30_000
    return codeOf(base32Bytes(secret), stepAt(clock()))
  }
  assert.equal(
    (await user.ask('PUT', '/totp', { code: codeNow(), ...(keepPasskeyIds && { keepPasskeyIds }) })).status,
    200,
  )
  return codeNow
}

/** A session of the user in another browser. */
async function otherSession(user: ConsoleUser, codeNow: () => string): Promise<() => Promise<number>> {
  now += 60_000
  const { email } = user.person
  const { status, headers } = await post('/sign-in', { email, password: consolePassword, code: codeNow() })
  assert.equal(status, 200)
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!
  return async () => (await ask(`${url}/api/console/me`, { headers: { cookie } })).status
}

test('decision 0042: a new or removed passkey requires a code, mails its owner, ends other sessions and is listed', async () => {
  const user = await consoleUser(platform, { role: 'support', tenantId: tenant.tenantId, email: 'owner@pay.example' })
  const admin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
  const listed = async () => {
    const { items } = (await admin.ask('GET', '/people')).body
    return items.find(({ personId }: { personId: string }) => personId === user.person.personId).passkeys
  }
  const codeNow = await enableSecondFactor(user)
  const password = consolePassword
  for (const proof of [{ password }, { password, code: 'AAAAA-AAAAA' }]) {
    now += 60_000
    const { status, body } = await user.ask('POST', '/passkeys/options', proof)
    assert.equal(status, 400)
    assert.equal(body.error?.details.field, 'code')
  }
  const before = await otherSession(user, codeNow)
  assert.equal(await listed(), 0)
  now += 60_000
  const { added } = await registerPasskey(user, { code: codeNow() })
  assert.equal(added.status, 201)
  assert.equal(await before(), 401)
  assert.equal((await user.ask('GET', '/me')).status, 200)
  assert.equal(await listed(), 1)
  const between = await otherSession(user, codeNow)
  assert.equal((await user.ask('DELETE', `/passkeys/${added.body.passkeyId}`)).status, 204)
  assert.equal(await between(), 401)
  assert.equal((await user.ask('GET', '/me')).status, 200)
  assert.equal(await listed(), 0)
  assert.deepEqual(await subjectsMailedTo(platform, mails, { email: 'owner@pay.example', count: 3 }), [
    'Passkey added to your Lendloom account',
    'Passkey removed from your Lendloom account',
    'Second factor set up for your Lendloom account',
  ])
})

test('decision 0042: a new password or second factor removes the passkeys that the person does not confirm', async () => {
  for (const change of ['password', 'second factor']) {
    const user = await consoleUser(platform, { role: 'viewer' })
    const own = await registerPasskey(user)
    const foreign = await registerPasskey(user)
    const keepPasskeyIds = [own.added.body.passkeyId]
    now += 300_000
    const next = 'a horse of another colour'
    if (change === 'second factor') await enableSecondFactor(user, keepPasskeyIds)
    else
      assert.equal(
        (await user.ask('POST', '/password', { current: consolePassword, next, keepPasskeyIds })).status,
        204,
      )
    const statuses = []
    for (const { device } of [own, foreign])
      statuses.push((await signIn(device.get({ challenge: await challenge(), origin, rpId }))).status)
    assert.deepEqual(statuses, [200, 401], change)
    const entries = await listNewest(ctx.db, platformTenant, null, 3)
    const entry = entries.find(({ act }) => act === (change === 'password' ? 'PASSWORD_CHANGED' : 'SECOND_FACTOR_ON'))
    assert.equal(entry?.detail, '{"passkeysRemoved":1}')
  }
})

test('decision 0042: without a confirmation, and after a reset of the password, no passkey signs in', async () => {
  const resets: ((user: ConsoleUser) => Promise<unknown>)[] = [
    (user) => user.ask('POST', '/password', { current: consolePassword, next: 'a horse of another colour' }),
    (user) => enableSecondFactor(user),
    ({ person }) => ctx.db.tx((tx) => setNewPassword({ ...ctx, tx, at: clock() }, null, keyOf(person), 'another hash')),
  ]
  for (const [i, reset] of resets.entries()) {
    const user = await consoleUser(platform, { role: 'viewer' })
    const { device } = await registerPasskey(user)
    now += 300_000
    await reset(user)
    assert.equal((await signIn(device.get({ challenge: await challenge(), origin, rpId }))).status, 401, `reset ${i}`)
  }
})

test('a platform at an IP address offers no passkeys', async () => {
  const ipAddressPlatform = await testPlatform({ PUBLIC_URL: 'http://192.0.2.1:4000' })
  const api = `http://127.0.0.1:${ipAddressPlatform.ctx.config.PORT}/api/console/sign-in/passkey/options`
  assert.equal((await ask(api, { method: 'POST' })).status, 409)
})
