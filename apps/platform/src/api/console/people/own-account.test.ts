// A person's own account in the console: second factor, password and sessions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '@lendloom/identity/person'
import { beginSession } from '@lendloom/identity/session'
import { codeOf, stepAt } from '@lendloom/identity/src/totp.ts'
import { base32Bytes } from '@lendloom/tests/setup/base32'
import { type ConsoleUser, consolePassword, consoleUser } from '@lendloom/tests/setup/console'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { waitUntilLocked } from '@lendloom/tests/setup/programs'
import { listNewest } from '#platform/people/audit/store.ts'
import { resetSecondFactor } from '#platform/people/manage-people.ts'
import { platformTenant } from '#platform/people/person.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
/** How far the platform's clock is ahead of real time. */
let aheadMs = 0
const platform = await testPlatform(
  {},
  () => new Date(now + aheadMs),
  () => new Date(now),
)
const { url, ctx, tenant } = platform
const advanceSeconds = (seconds: number) => {
  now += seconds * 1000
}

const signIn = (
  email: string,
  change: { password?: string; code?: string } = {},
  headers: Record<string, string> = {},
) =>
  ask(`${url}/api/console/sign-in`, { method: 'POST', body: { email, password: consolePassword, ...change }, headers })

const codeNow = (secret: string) => codeOf(base32Bytes(secret), stepAt(new Date(now)))

async function enableSecondFactor(user: ConsoleUser) {
  const { body } = await user.ask('POST', '/totp', { password: consolePassword })
  assert.match(body.uri, new RegExp(`secret=${body.secret}&`))
  const confirmed = await user.ask('PUT', '/totp', { code: codeNow(body.secret) })
  assert.equal(confirmed.status, 200)
  return { secret: body.secret as string, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

test('a confirmed second factor is required at sign-in', async () => {
  const user = await consoleUser(platform, { role: 'admin', email: 'totp@lendloom.example' })
  assert.equal((await user.ask('PUT', '/totp', { code: '123456' })).status, 409, 'no second factor awaits confirmation')
  const pending = await user.ask('POST', '/totp', { password: consolePassword })
  const wrongCode = await user.ask('PUT', '/totp', { code: codeOf(base32Bytes(pending.body.secret), 1) })
  assert.equal(wrongCode.status, 400)
  assert.equal(wrongCode.body.error.details.field, 'code')
  assert.equal((await user.ask('GET', '/me')).body.twoFactor, false)
  assert.equal((await signIn(user.person.email)).status, 200, 'an unconfirmed second factor is not required')

  const { secret } = await enableSecondFactor(user)
  assert.equal((await user.ask('GET', '/me')).body.twoFactor, true)
  assert.equal(
    (await user.ask('POST', '/totp', { password: consolePassword })).status,
    409,
    'the secret cannot be replaced while a second factor is active',
  )
  advanceSeconds(60)
  const withoutCode = await signIn(user.person.email)
  assert.equal(withoutCode.status, 200)
  assert.deepEqual(withoutCode.body, { needs: 'code' })
  assert.deepEqual(withoutCode.headers.getSetCookie(), [])
  const signedIn = await signIn(user.person.email, { code: codeNow(secret) })
  assert.equal(signedIn.status, 200)
  assert.equal(signedIn.body.person.email, user.person.email)
})

test('decision 0042: setting up a second factor requires the password', async () => {
  const user = await consoleUser(platform, { role: 'viewer' })
  for (const body of [undefined, {}, { password: 'wrong' }]) {
    const { status, body: refused } = await user.ask('POST', '/totp', body)
    assert.equal(status, 400)
    assert.equal(refused.secret, undefined)
  }
  const pending = await ctx.db`select 1 from person_totp where person_id = ${user.person.personId}`
  assert.equal(pending.length, 0)
})

test('a second-factor code works only once, whether it signed in or confirmed the setup', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'once@lendloom.example' })
  const { secret } = await enableSecondFactor(user)
  const { email } = user.person
  assert.equal((await signIn(email, { code: codeNow(secret) })).status, 401, 'the confirming code is already used')
  advanceSeconds(90)
  const code = codeNow(secret)
  const concurrent = await Promise.all(Array.from({ length: 3 }, () => signIn(email, { code })))
  assert.deepEqual(concurrent.map(({ status }) => status).sort(), [200, 401, 401])
  advanceSeconds(90)
  assert.equal((await signIn(email, { code })).status, 401, 'the code has expired')
  advanceSeconds(90)
  const currentCode = codeNow(secret)
  const earlierCode = codeOf(base32Bytes(secret), stepAt(new Date(now)) - 1)
  assert.equal((await signIn(email, { code: currentCode })).status, 200)
  assert.equal((await signIn(email, { code: earlierCode })).status, 401, 'an accepted code invalidates earlier codes')
  const failures = await ctx.db<{ outcome: string }>`
    select outcome from sign_in_failure where person_id = ${user.person.personId}`
  assert.ok(failures.length >= 4 && failures.every(({ outcome }) => outcome === 'WRONG_CODE'))
})

test('each of the ten recovery codes works once and is stored as a digest', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'lost@lendloom.example' })
  const { secret, recoveryCodes } = await enableSecondFactor(user)
  assert.equal(new Set(recoveryCodes).size, 10)
  for (const each of recoveryCodes) assert.match(each, /^[A-Z2-7]{5}-[A-Z2-7]{5}$/)
  const { email } = user.person
  const [first = '', second = ''] = recoveryCodes
  assert.equal((await signIn(email, { code: first.toLowerCase().replace('-', '') })).status, 200)
  assert.equal((await signIn(email, { code: first })).status, 401)
  const otherUser = await consoleUser(platform, { role: 'viewer' })
  await enableSecondFactor(otherUser)
  advanceSeconds(60)
  assert.equal(
    (await signIn(otherUser.person.email, { code: second })).status,
    401,
    'a recovery code of another person is rejected',
  )
  const rows = await ctx.db<{ row: string }>`
    select person::text as row from person union all select person_recovery_code::text from person_recovery_code`
  for (const secretText of [secret, base32Bytes(secret).toString('hex'), ...recoveryCodes, email, consolePassword])
    assert.ok(!rows.some(({ row }) => row.includes(secretText)), secretText)

  assert.equal((await user.ask('DELETE', '/totp', { code: 'AAAAA-AAAAA' })).status, 400)
  assert.equal((await user.ask('DELETE', '/totp', { code: second })).status, 204)
  assert.equal((await user.ask('GET', '/me')).body.twoFactor, false)
  assert.equal((await user.ask('DELETE', '/totp', { code: second })).status, 409)
  advanceSeconds(60)
  assert.equal((await signIn(email)).status, 200)
})

test('the CLI resets a lost second factor', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'no-phone@lendloom.example' })
  await enableSecondFactor(user)
  const at = new Date(now)
  await ctx.db.tx((tx) => resetSecondFactor({ ...ctx, tx, at }, null, keyOf(user.person)))
  advanceSeconds(60)
  assert.equal((await signIn(user.person.email)).body.person.personId, user.person.personId)
})

test('decision 0042: a reset of the second factor during a sign-in prevents its session', async () => {
  const user = await consoleUser(platform, { role: 'viewer' })
  const key = keyOf(user.person)
  const at = new Date(now)
  const { passwordHash = '' } = (await ctx.staff.findPerson(ctx.db, key)) ?? {}
  let isReset = false
  const { pendingReset } = await ctx.db.tx(async (tx) => {
    assert.ok(await ctx.staff.lockIfPasswordUnchanged(tx, { ...key, passwordHash }))
    const resetting = ctx.db.tx((other) => resetSecondFactor({ ...ctx, tx: other, at }, null, key))
    const resetDone = resetting.then(() => (isReset = true))
    await waitUntilLocked(ctx.db, () => isReset)
    await beginSession({ ...ctx, tx, at }, key, { address: '192.0.2.7', headers: {} }, { proof: 'CODE' })
    return { pendingReset: resetDone }
  })
  await pendingReset
  assert.equal((await ctx.db`select from person_session where person_id = ${key.personId}`).length, 0)
})

test('a password change requires the current password and twelve characters, and ends all other sessions', async () => {
  const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId, email: 'karan@pay.example' })
  const otherSession = await signIn('karan@pay.example')
  const cookie = otherSession.headers.getSetCookie()[0]!.split(';')[0]!
  const next = 'a horse of another colour'
  for (const [body, field] of [
    [{ current: 'wrong', next }, 'current'],
    [{ current: consolePassword, next: 'short' }, 'next'],
    [{ current: consolePassword, next: 'KARAN@pay.example' }, 'next'],
    [{ current: consolePassword }, 'next'],
  ] as const) {
    const refused = await user.ask('POST', '/password', body)
    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.details.field, field)
  }
  assert.equal((await user.ask('POST', '/password', { current: consolePassword, next })).status, 204)
  assert.equal((await user.ask('GET', '/me')).status, 200, 'the session that changed the password stays open')
  assert.equal((await ask(`${url}/api/console/me`, { headers: { cookie } })).status, 401)
  advanceSeconds(120)
  assert.equal((await signIn('karan@pay.example')).status, 401)
  assert.equal((await signIn('karan@pay.example', { password: next })).status, 200)
})

test('password guesses within a session are limited as at sign-in', async () => {
  const user = await consoleUser(platform, { role: 'viewer' })
  const statuses = []
  for (let i = 0; i < 7; i++)
    statuses.push((await user.ask('POST', '/password', { current: 'x', next: 'y'.repeat(12) })).status)
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429])
})

test('a person lists own sessions with time, network and browser, and ends one', async () => {
  advanceSeconds(600)
  const user = await consoleUser(platform, { role: 'support', tenantId: tenant.tenantId, email: 'leela@pay.example' })
  const other = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
  const agent =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML) Chrome/142.0.0.0 Mobile Safari/537.36'
  advanceSeconds(60)
  const phone = await signIn('leela@pay.example', {}, { 'user-agent': agent })
  const { body } = await user.ask('GET', '/sessions')
  assert.equal(body.next, null)
  assert.deepEqual(
    body.items.map(({ network, browser, isCurrent }: Record<string, unknown>) => ({ network, browser, isCurrent })),
    [
      { network: '127.0.0.1', browser: 'Chrome, Android', isCurrent: false },
      { network: '127.0.0.1', browser: 'Unknown browser', isCurrent: true },
    ],
  )
  const [{ sessionId, createdAt, expiresAt }] = body.items
  assert.equal(createdAt, new Date(now).toISOString())
  assert.equal(Date.parse(expiresAt) - now, 12 * 3_600_000)
  aheadMs = 16 * 86_400_000
  const [shown] = (await user.ask('GET', '/sessions')).body.items
  assert.equal(shown.createdAt, createdAt, 'a moved clock does not move the sign-in, which the audit log has too')
  assert.equal(Date.parse(shown.usedAt), now + aheadMs)
  const { items } = (await other.ask('GET', '/people')).body
  assert.equal(Math.max(...items.map((each: { lastUsedAt: string }) => Date.parse(each.lastUsedAt))), now + aheadMs)
  aheadMs = 0
  assert.equal((await other.ask('DELETE', `/sessions/${sessionId}`)).status, 404)
  assert.equal((await user.ask('DELETE', '/sessions/x')).status, 400)
  assert.equal((await user.ask('DELETE', `/sessions/${sessionId}`)).status, 204)
  assert.equal((await user.ask('DELETE', `/sessions/${sessionId}`)).status, 404)
  const cookie = phone.headers.getSetCookie()[0]!.split(';')[0]!
  assert.equal((await ask(`${url}/api/console/me`, { headers: { cookie } })).status, 401)
  assert.equal((await user.ask('GET', '/sessions')).body.items.length, 1)
  advanceSeconds(3600)
  assert.equal((await user.ask('GET', '/sessions')).status, 401)
})

test('the audit log records every change of a person’s own account, without secrets', async () => {
  const user = await consoleUser(platform, { role: 'operator' })
  const { secret, recoveryCodes } = await enableSecondFactor(user)
  await user.ask('POST', '/password', { current: consolePassword, next: 'another password' })
  await user.ask('DELETE', '/totp', { code: recoveryCodes[0] })
  const rows = await listNewest(ctx.db, platformTenant, null, 3)
  assert.deepEqual(
    rows.map(({ act, personId, subject }) => ({ act, personId, subject })),
    [
      { act: 'SECOND_FACTOR_OFF', personId: user.person.personId, subject: user.person.personId },
      { act: 'PASSWORD_CHANGED', personId: user.person.personId, subject: user.person.personId },
      { act: 'SECOND_FACTOR_ON', personId: user.person.personId, subject: user.person.personId },
    ],
  )
  const text = JSON.stringify(await listNewest(ctx.db, platformTenant, null, 1000))
  for (const hidden of [secret, recoveryCodes[0]!, user.person.email, 'another password'])
    assert.ok(!text.includes(hidden))
})
