// Signing in to the console over real HTTP: sessions, limits and audit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteStaleSignIns } from '@lendloom/identity/session/store'
import { passwordCost, recommendedCost } from '@lendloom/seal/password'
import { type ConsoleUser, consolePassword, consoleUser, userWith } from '@lendloom/tests/setup/console'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { listNewest } from '#platform/people/audit/store.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const platform = await testPlatform({}, () => new Date(now))
const { url, ctx, tenant, secondTenant } = platform
const advanceMinutes = (minutes: number) => {
  now += minutes * 60_000
}

const signIn = (body: object, headers: Record<string, string> = {}) =>
  ask(`${url}/api/console/sign-in`, { method: 'POST', body, headers })
const cookiesOf = (headers: Headers) => headers.getSetCookie().map((each) => each.split(';')[0]!)

test('a person signs in with an email address in any letter case, sees the tenants and signs out', async () => {
  const { person } = await consoleUser(platform, { role: 'operator', email: 'meera@lendloom.example', name: 'Meera' })
  const signedIn = await signIn({ email: ' Meera@LENDLOOM.example ', password: consolePassword })
  assert.equal(signedIn.status, 200)
  const { sessionId: _, ...wire } = person
  assert.deepEqual(signedIn.body, { person: wire })
  const [session, device] = signedIn.headers.getSetCookie()
  assert.match(session!, /^console=[\w-]{86}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
  assert.match(device!, /^console-device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/)
  const user = userWith(url, cookiesOf(signedIn.headers)[0]!, person)
  const me = await user.ask('GET', '/me')
  assert.equal(me.headers.get('cache-control'), 'no-store')
  assert.deepEqual(me.body.person, wire)
  assert.equal(me.body.twoFactor, false)
  assert.equal(me.body.sandbox, true)
  assert.deepEqual(
    me.body.tenants.map(({ name }: { name: string }) => name),
    ['Sandbox Pay', 'Second Sandbox App'],
  )
  const signedOut = await user.ask('POST', '/sign-out')
  assert.equal(signedOut.status, 204)
  assert.equal(signedOut.headers.getSetCookie()[0]!.split(';')[0], 'console=')
  assert.equal((await user.ask('GET', '/me')).status, 401)
})

test('tenant staff see only their tenant', async () => {
  const viewer = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
  const me = await viewer.ask('GET', '/me')
  assert.deepEqual(me.body.tenants, [{ tenantId: tenant.tenantId, name: 'Sandbox Pay' }])
})

test('rejects a missing or wrong session and requests from other sites', async () => {
  const user = await consoleUser(platform, { role: 'admin' })
  const routes = [
    'GET /me',
    'GET /sessions',
    'GET /people',
    'GET /people/invitations',
    'GET /audit',
    'POST /totp',
    'POST /sign-out',
  ].map((each) => each.split(' ') as [string, string])
  for (const cookie of ['', 'console=x', `console=${'A'.repeat(86)}`, `${user.cookie.slice(0, -4)}AAAA`])
    for (const [method, path] of routes) {
      const refused = await userWith(url, cookie, user.person).ask(method, path)
      assert.equal(refused.status, 401, `${method} ${path}`)
      assert.equal(refused.body.error.code, 'AUTH_INVALID_SESSION', `${method} ${path}`)
    }
  const crossSiteHeaders: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of crossSiteHeaders) {
    for (const [method, path] of routes)
      assert.equal((await user.ask(method, path, undefined, headers)).status, 403, `${method} ${path}`)
    assert.equal((await signIn({ email: 'x@y.example', password: consolePassword }, headers)).status, 403)
  }
  assert.equal((await user.ask('GET', '/me', undefined, { 'sec-fetch-site': 'same-origin' })).status, 200)
})

test('wrong passwords are rejected, limited and recorded equally for known and unknown addresses', async () => {
  const { person } = await consoleUser(platform, {
    role: 'support',
    tenantId: tenant.tenantId,
    email: 'asha@pay.example',
  })
  for (const email of ['asha@pay.example', 'unknown@pay.example']) {
    const replies = []
    for (let i = 0; i < 7; i++) replies.push(await signIn({ email, password: 'wrong' }))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [401, 401, 401, 401, 401, 429, 429],
    )
    const { requestID, correlationID, timestamp, ...refused } = replies[0]!.body
    assert.deepEqual(refused, {
      data: null,
      error: {
        code: 'AUTH_INVALID_SESSION',
        message: 'the email or password is wrong',
        retryable: false,
        details: {},
      },
    })
    assert.match(replies[6]!.headers.get('retry-after')!, /^\d+$/)
  }
  const outcomesOf = async (user: ConsoleUser, personId: string | null) => {
    const { items } = (await user.ask('GET', '/sign-in-failures')).body
    type Item = { personId: string | null; outcome: string; email: string; network: string }
    const ownItems = items.filter((item: Item) => item.personId === personId) as Item[]
    assert.ok(ownItems.every(({ network }) => network === '127.0.0.1'))
    return [...new Set(ownItems.map(({ outcome, email }) => `${outcome} ${email}`))].sort()
  }
  const [platformAdmin, tenantAdmin, otherTenantAdmin] = await Promise.all([
    consoleUser(platform, { role: 'admin' }),
    consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId }),
    consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId }),
  ])
  const expectedOutcomes = (email: string) => [`LIMITED ${email}`, `WRONG ${email}`]
  assert.deepEqual(await outcomesOf(tenantAdmin, person.personId), expectedOutcomes('asha@pay.example'))
  assert.deepEqual(await outcomesOf(platformAdmin, null), expectedOutcomes('unknown@pay.example'))
  const limited = (await tenantAdmin.ask('GET', '/sign-in-failures?outcome=LIMITED')).body.items
  assert.deepEqual(
    [...new Set(limited.map((each: { outcome: string; personName: string }) => `${each.outcome} ${each.personName}`))],
    [`LIMITED ${person.name}`],
  )
  assert.equal((await tenantAdmin.ask('GET', '/sign-in-failures?outcome=UNKNOWN')).status, 400)
  assert.deepEqual((await otherTenantAdmin.ask('GET', '/sign-in-failures')).body, { items: [], next: null })
  assert.equal((await otherTenantAdmin.ask('GET', `/sign-in-failures?tenantId=${tenant.tenantId}`)).status, 404)
  const operator = await consoleUser(platform, { role: 'operator' })
  assert.equal((await operator.ask('GET', '/sign-in-failures')).status, 403)
  const rows = await ctx.db<{ row: string }>`select sign_in_failure::text as row from sign_in_failure`
  assert.ok(!rows.some(({ row }) => row.includes('@') || row.includes('127.0.0.1')))
  advanceMinutes(181 * 24 * 60)
  await deleteStaleSignIns(ctx.db, new Date(now), new Date(now - 180 * 86_400_000))
  assert.deepEqual(await ctx.db`select 1 from sign_in_failure union all select 1 from person_session`, [])
})

test('response time does not reveal whether an address exists', async (t) => {
  const testCost = { ...passwordCost }
  Object.assign(passwordCost, recommendedCost)
  t.after(() => void Object.assign(passwordCost, testCost))
  const cpuMicrosecondsOf = async (email: string) => {
    const start = process.cpuUsage()
    await signIn({ email, password: 'wrong' })
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  advanceMinutes(60)
  await consoleUser(platform, { role: 'viewer', email: 'there@pay.example' })
  // A request takes one or two milliseconds of CPU time, and tens of milliseconds if it hashes.
  const minHashingMicroseconds = 5000
  for (const email of ['there@pay.example', 'not-there@pay.example'])
    assert.ok((await cpuMicrosecondsOf(email)) > minHashingMicroseconds, email)
})

test('password guesses do not lock out the owner on a known device', async () => {
  advanceMinutes(60)
  await consoleUser(platform, { role: 'operator', email: 'owner@lendloom.example' })
  const firstSignIn = await signIn({ email: 'owner@lendloom.example', password: consolePassword })
  const [, device] = cookiesOf(firstSignIn.headers)
  for (let i = 0; i < 6; i++) await signIn({ email: 'owner@lendloom.example', password: 'x' })
  const credentials = { email: 'owner@lendloom.example', password: consolePassword }
  assert.equal((await signIn(credentials)).status, 429)
  const fromKnownDevice = await signIn(credentials, { cookie: device! })
  assert.equal(fromKnownDevice.status, 200)
  assert.equal(fromKnownDevice.headers.getSetCookie().length, 1, 'no new device cookie is set')
})

test('a session ends an hour after its last use and twelve hours after its start', async () => {
  const unused = await consoleUser(platform, { role: 'viewer' })
  const active = await consoleUser(platform, { role: 'viewer' })
  advanceMinutes(59)
  assert.equal((await active.ask('GET', '/me')).status, 200)
  advanceMinutes(1)
  assert.equal((await unused.ask('GET', '/me')).status, 401)
  for (let hours = 1; hours < 12; hours++) {
    assert.equal((await active.ask('GET', '/me')).status, 200, `after ${hours} hours`)
    advanceMinutes(59)
  }
  advanceMinutes(12)
  assert.equal((await active.ask('GET', '/me')).status, 401)
})

test('the audit log of a tenant records sign-ins and sign-outs', async () => {
  advanceMinutes(60)
  await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId, email: 'karan@pay.example' })
  const signedIn = await signIn({ email: 'karan@pay.example', password: consolePassword })
  const person = { ...signedIn.body.person, sessionId: '' }
  await userWith(url, cookiesOf(signedIn.headers)[0]!, person).ask('POST', '/sign-out')
  const acts = (await listNewest(ctx.db, tenant.tenantId, null, 2)).map(({ act, personId }) => ({ act, personId }))
  assert.deepEqual(acts, [
    { act: 'SIGNED_OUT', personId: person.personId },
    { act: 'SIGNED_IN', personId: person.personId },
  ])
})

test('under https the cookies are bound to the host', async () => {
  const secure = await testPlatform({ PUBLIC_URL: 'https://console.lendloom.example' })
  await consoleUser({ ...secure, url: '' }, { role: 'viewer', email: 'tls@lendloom.example' })
  const localUrl = `http://127.0.0.1:${secure.ctx.config.PORT}`
  const body = { email: 'tls@lendloom.example', password: consolePassword }
  const signedIn = await ask(`${localUrl}/api/console/sign-in`, { method: 'POST', body })
  const [session, device] = signedIn.headers.getSetCookie()
  assert.match(session!, /^__Host-console=[\w-]{86}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/)
  assert.match(device!, /^__Host-console-device=.*; Secure$/)
  const me = await ask(`${localUrl}/api/console/me`, { headers: { cookie: session!.split(';')[0]! } })
  assert.equal(me.status, 200)
})

test('moving the simulation clock by a month does not end a session', async () => {
  let simulatedTime = Date.parse('2026-11-21T10:00:00Z')
  let realTime = Date.parse('2026-11-21T10:00:00Z')
  const movedPlatform = await testPlatform(
    {},
    () => new Date(simulatedTime),
    () => new Date(realTime),
  )
  const operator = await consoleUser(movedPlatform, { role: 'operator' })
  simulatedTime += 30 * 86_400_000
  assert.equal((await operator.ask('GET', '/me')).status, 200)
  assert.equal((await operator.ask('GET', '/sessions')).body.items.length, 1)
  realTime += 61 * 60_000
  assert.equal(
    (await operator.ask('GET', '/me')).status,
    401,
    'the session ends after an hour of real time without use',
  )
})
