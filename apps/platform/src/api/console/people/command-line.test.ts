// Sign-in of a command line: a person allows its code once, and its session is theirs and expires with the one that allowed it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '@lendloom/identity/person'
import { type ConsoleUser, consolePassword, consoleUser, userWith } from '@lendloom/tests/setup/console'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { waitUntilLocked } from '@lendloom/tests/setup/programs'
import { listNewest } from '#platform/people/audit/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { endAllSessions } from '#platform/people/manage-people.ts'

let realAheadMs = 0
/** Stops the clock of sessions, so that a slow machine refills no limit. */
let stoppedAtMs: number | null = null
const platform = await testPlatform(
  {},
  () => new Date(),
  () => new Date((stoppedAtMs ?? Date.now()) + realAheadMs),
)
const { url, ctx, tenant } = platform
const { tenantId } = tenant
const start = `${url}/api/console/sign-in/command-line`

interface Begun {
  userCode: string
  secret: string
}

async function begin(machine = 'priya-laptop'): Promise<Begun> {
  const { status, body } = await ask(start, { method: 'POST', body: { machine } })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.url, `${url}/console/command-line/${body.userCode}`)
  return body
}

const finish = ({ userCode, secret }: Begun, headers = {}) =>
  ask(`${start}/session`, { method: 'POST', body: { userCode, secret }, headers })

async function finished(begun: Begun): Promise<string> {
  const { status, body } = await finish(begun)
  assert.equal(status, 200, JSON.stringify(body))
  return body.state
}

const path = ({ userCode }: Begun) => `/command-line/${userCode}`

test('a person allows the command line of a machine, which then acts as the person', async () => {
  const developer = await consoleUser(platform, { role: 'developer', tenantId })
  const begun = await begin()
  assert.equal(await finished(begun), 'waiting')
  assert.deepEqual((await developer.ask('GET', path(begun))).body, { name: 'priya-laptop', network: '127.0.0.1' })
  assert.equal((await developer.ask('POST', path(begun), { isAllowed: true })).status, 204)
  assert.equal((await developer.ask('POST', path(begun), { isAllowed: true })).status, 404, 'a code is allowed once')

  assert.equal(
    await finished({ ...begun, secret: `${begun.secret.slice(1)}A` }),
    'ended',
    'another machine has no secret',
  )
  const { body, headers } = await finish(begun, { 'user-agent': 'lendloom-cli/1.0.0 (Linux)' })
  assert.equal(body.state, 'signed-in')
  assert.equal(body.person.personId, developer.person.personId)
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const commandLine = userWith(url, cookie, developer.person)
  assert.equal((await commandLine.ask('GET', '/me')).body.person.role, 'developer')
  const { items } = (await commandLine.ask('GET', '/sessions')).body
  assert.ok(items.some((each: { browser: string }) => each.browser === 'Lendloom command line, Linux'))
  assert.equal(await finished(begun), 'ended', 'a sign-in begins one session')
  const acts = (await listNewest(ctx.db, tenantId, null, 2)).map(({ act, personId }) => ({ act, personId }))
  assert.deepEqual(acts, [
    { act: 'SIGNED_IN', personId: developer.person.personId },
    { act: 'COMMAND_LINE_ALLOWED', personId: developer.person.personId },
  ])
})

test('a session of a command line ends no later than the session that allowed it, however many allow each other', async () => {
  const developer = await consoleUser(platform, { role: 'developer', tenantId })
  const expiryOf = async (by: typeof developer) => {
    const begun = await begin()
    assert.equal((await by.ask('POST', path(begun), { isAllowed: true })).status, 204)
    const { body, headers } = await finish(begun)
    const next = userWith(url, headers.getSetCookie()[0]?.split(';')[0] ?? '', developer.person)
    return { expiresAt: Date.parse(body.expiresAt), next }
  }
  const first = await expiryOf(developer)
  realAheadMs += 30 * 60_000
  const second = await expiryOf(first.next)
  assert.equal(second.expiresAt, first.expiresAt)
  assert.ok(first.expiresAt <= Date.now() + 12 * 3_600_000 + 60_000)
})

test('a refused, expired or wrong code, and a code whose person has signed out, begin no session', async () => {
  const developer = await consoleUser(platform, { role: 'developer', tenantId })
  const refused = await begin()
  assert.equal((await developer.ask('POST', path(refused), { isAllowed: false })).status, 204)
  assert.equal(await finished(refused), 'ended')
  assert.equal((await developer.ask('GET', path(refused))).status, 404)

  const expired = await begin()
  realAheadMs += 11 * 60_000
  assert.equal((await developer.ask('POST', path(expired), { isAllowed: true })).status, 404)
  assert.equal(await finished(expired), 'ended')

  const allowed = await begin()
  assert.equal((await developer.ask('POST', path(allowed), { isAllowed: true })).status, 204)
  assert.equal((await developer.ask('POST', '/sign-out')).status, 204)
  assert.equal(await finished(allowed), 'ended')
  for (const code of ['ABCDEFG', 'abcdefgh', 'ABCDEFGH1'])
    assert.equal(
      (await (await consoleUser(platform, { role: 'admin' })).ask('GET', `/command-line/${code}`)).status,
      400,
    )
})

test('decision 0042: an end of all sessions while a sign-in finishes also ends the new session', async () => {
  const { ask: askAs, person } = await consoleUser(platform, { role: 'developer', tenantId })
  const begun = await begin()
  assert.equal((await askAs('POST', path(begun), { isAllowed: true })).status, 204)
  const { finishing, ending } = await ctx.db.tx(async (tx) => {
    // The audit log is locked, so the sign-in waits after the insert of its session.
    await noteStaffAct({ tx, at: new Date() }, person, { act: 'PERSON_ROLE' })
    let isOver = false
    const signIn = finished(begun).finally(() => (isOver = true))
    await waitUntilLocked(ctx.db, () => isOver)
    const end = ctx.db
      .tx((other) => endAllSessions({ ...ctx, tx: other, at: new Date() }, null, keyOf(person)))
      .finally(() => (isOver = true))
    await waitUntilLocked(ctx.db, () => isOver, 2)
    return { finishing: signIn, ending: end }
  })
  assert.equal(await finishing, 'signed-in')
  await ending
  assert.deepEqual(await ctx.db`select from person_session where person_id = ${person.personId}`, [])
})

/** Lets `by` allow a command line, and returns the command line. */
async function allowedBy(by: ConsoleUser): Promise<ConsoleUser> {
  const begun = await begin()
  assert.equal((await by.ask('POST', path(begun), { isAllowed: true })).status, 204)
  const { headers } = await finish(begun)
  return userWith(url, headers.getSetCookie()[0]?.split(';')[0] ?? '', by.person)
}

const meAs = async (user: ConsoleUser) => (await user.ask('GET', '/me')).status

test('decision 0042: a command line ends with the session that allowed it, also through another command line', async () => {
  const { email } = (await consoleUser(platform, { role: 'developer', tenantId })).person
  const signIn = async () => {
    realAheadMs += 60_000
    const body = { email, password: consolePassword }
    const { headers, body: reply } = await ask(`${url}/api/console/sign-in`, { method: 'POST', body })
    return userWith(url, headers.getSetCookie()[0]?.split(';')[0] ?? '', reply.person)
  }
  const ends: ((browser: ConsoleUser, other: ConsoleUser) => Promise<unknown>)[] = [
    (browser) => browser.ask('POST', '/sign-out'),
    async (browser, other) => {
      const { items } = (await browser.ask('GET', '/sessions')).body
      const { sessionId } = items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
      await other.ask('DELETE', `/sessions/${sessionId}`)
    },
  ]
  for (const end of ends) {
    const browser = await signIn()
    const other = await signIn()
    const first = await allowedBy(browser)
    const second = await allowedBy(first)
    const ofOther = await allowedBy(other)
    const { items } = (await second.ask('GET', '/sessions')).body
    const [own, parent] = items.filter(
      ({ allowedBySessionId }: { allowedBySessionId: string | null }) => allowedBySessionId,
    )
    assert.ok(own && parent)
    await end(browser, other)
    const statuses = await Promise.all([browser, first, second, other, ofOther].map(meAs))
    assert.deepEqual(statuses, [401, 401, 401, 200, 200])
  }
  const browser = await signIn()
  const first = await allowedBy(browser)
  const second = await allowedBy(first)
  assert.equal((await first.ask('POST', '/sign-out')).status, 204)
  assert.deepEqual(await Promise.all([browser, first, second].map(meAs)), [200, 401, 401])
  const next = 'a horse of another colour'
  const third = await allowedBy(browser)
  assert.equal((await browser.ask('POST', '/password', { current: consolePassword, next })).status, 204)
  assert.deepEqual(await Promise.all([browser, third].map(meAs)), [200, 401])
})

test('decision 0042: a sign-out while a command line finishes its sign-in also ends the new session', async () => {
  const user = await consoleUser(platform, { role: 'developer', tenantId })
  const begun = await begin()
  assert.equal((await user.ask('POST', path(begun), { isAllowed: true })).status, 204)
  const { finishing, signingOut } = await ctx.db.tx(async (tx) => {
    // The audit log is locked, so the sign-in waits after the insert of its session.
    await noteStaffAct({ tx, at: new Date() }, user.person, { act: 'PERSON_ROLE' })
    let isOver = false
    const signIn = finished(begun).finally(() => (isOver = true))
    await waitUntilLocked(ctx.db, () => isOver)
    const signOut = user.ask('POST', '/sign-out').finally(() => (isOver = true))
    await waitUntilLocked(ctx.db, () => isOver, 2)
    return { finishing: signIn, signingOut: signOut }
  })
  assert.equal(await finishing, 'signed-in')
  assert.equal((await signingOut).status, 204)
  assert.deepEqual(await ctx.db`select from person_session where person_id = ${user.person.personId}`, [])
})

test('another site, a person without a session and the command line of the machine cannot allow a code', async () => {
  const developer = await consoleUser(platform, { role: 'developer', tenantId })
  const begun = await begin()
  const body = { isAllowed: true }
  const crossSite = await developer.ask('POST', path(begun), body, { 'sec-fetch-site': 'cross-site' })
  assert.equal(crossSite.status, 403)
  assert.equal((await ask(`${url}/api/console${path(begun)}`, { method: 'POST', body })).status, 401)
  assert.equal(await finished(begun), 'waiting')
  for (const machine of ['', 'x'.repeat(65), 'two\nlines', 'Press Allow to verify your account', '\u202Epotpal'])
    assert.equal((await ask(start, { method: 'POST', body: { machine } })).status, 400, machine)
})

test('RFC 8628 §3.5: a command line that polls too often, and a network that tries many codes, must slow down', async () => {
  stoppedAtMs = Date.now()
  const begun = await begin()
  const polls = await Promise.all(Array.from({ length: 12 }, () => finish(begun)))
  const refused = polls.filter(({ status }) => status === 429)
  assert.ok(refused.length >= 5, 'only some polls at once are answered')
  assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1))
  realAheadMs += 10_000
  assert.equal(await finished(begun), 'waiting', 'the sign-in continues after the pause')

  const letters = 'BCDFGHJKLM'
  const codes = Array.from(
    { length: 140 },
    (_, i) => `ZZZZZ${[100, 10, 1].map((each) => letters[Math.floor(i / each) % 10]).join('')}`,
  )
  const guesses = await Promise.all(codes.map((userCode) => finish({ userCode, secret: 'x' })))
  assert.ok(guesses.some(({ status }) => status === 429))
  realAheadMs += 60_000
  stoppedAtMs = null
})

test('sign-ins of a network are limited', async () => {
  stoppedAtMs = Date.now()
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => ask(start, { method: 'POST', body: { machine: 'vm' } })),
  )
  assert.ok(replies.some(({ status }) => status === 429))
  stoppedAtMs = null
})
