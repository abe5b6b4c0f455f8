// Signing in to the console by OpenID Connect against a real provider.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from '@lendloom/foundation/record'
import { beginOpenId, signInByOpenId } from '@lendloom/identity/open-id'
import { listLinks } from '@lendloom/identity/open-id/store'
import { keyOf } from '@lendloom/identity/person'
import { codeOf, stepAt } from '@lendloom/identity/src/totp.ts'
import { base32Bytes } from '@lendloom/tests/setup/base32'
import {
  type ConsoleUser,
  consolePassword,
  consoleUser,
  subjectsMailedTo,
  userWith,
} from '@lendloom/tests/setup/console'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { client, openIdProvider } from '@lendloom/tests/setup/open-id-provider'
import { ask, freePort, testPlatform } from '@lendloom/tests/setup/platform'
import { waitUntilLocked } from '@lendloom/tests/setup/programs'
import { listNewest } from '#platform/people/audit/store.ts'
import { resetSecondFactor, setNewPassword } from '#platform/people/manage-people.ts'

const issuer = `http://127.0.0.1:${await freePort()}`
let now = Date.now()
const advanceSeconds = (seconds: number) => {
  now += seconds * 1000
}
const mails = await mailServer()
const platform = await testPlatform(
  {
    SMTP_URL: mails.url,
    OPENID_ISSUER: issuer,
    OPENID_CLIENT_ID: client.id,
    OPENID_CLIENT_SECRET: client.secret,
    OPENID_NAME: 'Lend SSO',
    OPENID_DOMAINS: 'lend.example, pay.example',
  },
  () => new Date(now),
)
const { ctx, tenant, url: publicUrl } = platform
const { host } = new URL(publicUrl)
const returnUrl = `${publicUrl}/api/console/sign-in/openid/return`
const provider = await openIdProvider(issuer, returnUrl)

/** Cookies of a browser, keyed by host and name. */
type Jar = Map<string, string>
const cookiesOf = (jar: Jar, url: string): string =>
  [...jar]
    .flatMap(([key, value]) => (key.startsWith(`${new URL(url).host} `) ? [`${key.split(' ')[1]}=${value}`] : []))
    .join('; ')

async function visit(jar: Jar, url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    ...init,
    headers: { ...init.headers, cookie: cookiesOf(jar, url) },
  })
  for (const cookie of response.headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';')
    const at = pair.indexOf('=')
    jar.set(`${new URL(url).host} ${pair.slice(0, at)}`, pair.slice(at + 1))
  }
  return response
}

const begin = (jar: Jar, next = '/console') =>
  visit(jar, `${publicUrl}/api/console/sign-in/openid`, {
    method: 'POST',
    body: JSON.stringify({ next }),
    headers: { 'content-type': 'application/json' },
  })

const urlIn = async (response: Response): Promise<string> => String(fieldsOf(await response.json()).url)

/** Follows the provider's redirects until one leads back to the platform; returns that URL. */
async function followToReturnUrl(jar: Jar, firstUrl: string): Promise<string> {
  let url = firstUrl
  while (!url.startsWith(returnUrl)) {
    const response = await visit(jar, url)
    const location = response.headers.get('location')
    assert.ok(location, `${url} must redirect, but answered ${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  return url
}

const beginAndFollow = async (jar: Jar, next?: string): Promise<string> =>
  followToReturnUrl(jar, await urlIn(await begin(jar, next)))

/** Runs a complete sign-in; returns the browser's final location. */
async function signIn(jar: Jar = new Map(), changeReturnUrl = (url: string): string => url, next?: string) {
  advanceSeconds(10)
  const response = await visit(jar, changeReturnUrl(await beginAndFollow(jar, next)))
  assert.equal(response.status, 303)
  return response.headers.get('location')
}

const listFailures = async (forTenant = false) => {
  const admin = await consoleUser(platform, { role: 'admin', tenantId: forTenant ? tenant.tenantId : null })
  return (await admin.ask('GET', '/sign-in-failures')).body.items as {
    outcome: string
    email: string
    personId: string | null
  }[]
}

test('the first sign-in links the account by email address; later ones use the link until it is removed', async () => {
  assert.deepEqual((await ask(`${publicUrl}/api/console/sign-in/ways`)).body, {
    openId: 'Lend SSO',
    passkeyOrigin: publicUrl.replace('127.0.0.1', 'localhost'),
    sandbox: true,
  })
  const user = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId, email: 'karan@pay.example' })
  provider.user = { subject: 'sub-karan', email: 'Karan@Pay.example', methods: ['pwd', 'otp'] }
  const jar: Jar = new Map()
  const begun = await begin(jar, '/console/journeys?status=OFFERED')
  assert.match(
    begun.headers.getSetCookie()[0]!,
    /^console-openid=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
  const parameters = new URL(await urlIn(begun)).searchParams
  assert.equal(parameters.get('redirect_uri'), returnUrl)
  assert.equal(parameters.get('response_type'), 'code')
  assert.equal(parameters.get('scope'), 'openid email')
  assert.equal(parameters.get('code_challenge_method'), 'S256')
  assert.equal(await signIn(jar, undefined, '/console/journeys?status=OFFERED'), '/console/journeys?status=OFFERED')
  const cookie = `console=${jar.get(`${host} console`)}`
  assert.equal(jar.get(`${host} console-openid`), '', 'the cookie of the finished sign-in is cleared')
  const signedIn = userWith(publicUrl, cookie, user.person)
  assert.equal((await signedIn.ask('GET', '/me')).body.person.personId, user.person.personId)
  const acts = (await listNewest(ctx.db, tenant.tenantId, null, 2)).map(({ act, detail }) => ({
    act,
    detail: JSON.parse(detail),
  }))
  assert.deepEqual(acts, [
    { act: 'SIGNED_IN', detail: { openId: provider.issuer, amr: 'pwd otp' } },
    { act: 'OPENID_LINKED', detail: { openId: provider.issuer } },
  ])

  provider.user = { subject: 'sub-karan', email: 'karan.malhotra@pay.example' }
  assert.equal(await signIn(), '/console', 'a linked account signs in even if its address has changed')
  const { items } = (await signedIn.ask('GET', '/linked-accounts')).body
  assert.equal(items.length, 1)
  assert.equal(items[0].issuer, provider.issuer)
  const other = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
  assert.equal((await other.ask('DELETE', `/linked-accounts/${items[0].linkId}`)).status, 404)
  assert.deepEqual((await other.ask('GET', '/linked-accounts')).body.items, [])
  assert.equal((await signedIn.ask('DELETE', `/linked-accounts/${items[0].linkId}`)).status, 204)
  assert.equal(await signIn(), '/console?sign-in=unknown')
})

test('rejects an account that is uninvited, unverified, removed or of another domain', async () => {
  const user = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId, email: 'sunita@pay.example' })
  provider.user = { subject: 'sub-unknown', email: 'unknown@pay.example' }
  assert.equal(await signIn(), '/console?sign-in=unknown')
  provider.user = { subject: 'sub-sunita', email: 'sunita@pay.example', isVerified: false }
  assert.equal(await signIn(), '/console?sign-in=unverified')
  provider.user = { subject: 'sub-sunita' }
  assert.equal(await signIn(), '/console?sign-in=unverified')
  provider.user = { subject: 'sub-elsewhere', email: 'sunita@pay.example.evil.example' }
  assert.equal(await signIn(), '/console?sign-in=domain')
  provider.user = { subject: 'sub-sunita', email: 'sunita@pay.example' }
  assert.equal(await signIn(), '/console')
  provider.user = { subject: 'sub-next-sunita', email: 'sunita@pay.example' }
  assert.equal(await signIn(), '/console?sign-in=other-account', 'another account with her address is rejected')
  const failuresOfUser = (await listFailures(true)).filter(({ personId }) => personId === user.person.personId)
  assert.deepEqual(
    failuresOfUser.map(({ outcome, email }) => ({ outcome, email })),
    [{ outcome: 'OPENID_OTHER_ACCOUNT', email: 'sunita@pay.example' }],
  )
  const outcomes = (await listFailures()).slice(0, 4).map(({ outcome, email }) => ({ outcome, email }))
  assert.deepEqual(outcomes, [
    { outcome: 'OPENID_DOMAIN', email: 'sunita@pay.example.evil.example' },
    { outcome: 'OPENID_UNVERIFIED', email: '' },
    { outcome: 'OPENID_UNVERIFIED', email: 'sunita@pay.example' },
    { outcome: 'OPENID_UNKNOWN', email: 'unknown@pay.example' },
  ])
  const admin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
  assert.equal((await admin.ask('DELETE', `/people/${user.person.personId}`)).status, 204)
  provider.user = { subject: 'sub-sunita', email: 'sunita@pay.example' }
  assert.equal(await signIn(), '/console?sign-in=unknown')
  await consoleUser(platform, { role: 'viewer', email: 'sunita@pay.example' })
  assert.equal(await signIn(), '/console', 'the account can be linked to the newly added person')
})

test('accepts a response once, within ten minutes, in the browser that began, with its state and nonce', async () => {
  await consoleUser(platform, { role: 'operator', email: 'meera@lend.example' })
  provider.user = { subject: 'sub-meera', email: 'meera@lend.example' }
  const withParameter = (name: string, value: string) => (answeredUrl: string) => {
    const url = new URL(answeredUrl)
    url.searchParams.set(name, value)
    return url.href
  }
  assert.equal(await signIn(new Map(), withParameter('state', 'x'.repeat(43))), '/console?sign-in=expired')
  assert.equal(await signIn(new Map(), withParameter('code', 'another')), '/console?sign-in=unproven')
  assert.equal(await signIn(new Map(), withParameter('iss', 'https://evil.example')), '/console?sign-in=unproven')
  provider.nonce = 'the nonce of another sign-in'
  assert.equal(await signIn(), '/console?sign-in=unproven')
  provider.nonce = null
  advanceSeconds(60)
  const jar: Jar = new Map()
  const answeredUrl = await beginAndFollow(jar)
  assert.equal(
    (await visit(new Map(), answeredUrl)).headers.get('location'),
    '/console?sign-in=expired',
    'another browser',
  )
  const oldJar = new Map(jar)
  assert.equal((await visit(jar, answeredUrl)).headers.get('location'), '/console')
  assert.equal((await visit(jar, answeredUrl)).headers.get('location'), '/console?sign-in=expired')
  assert.equal(
    (await visit(oldJar, answeredUrl)).headers.get('location'),
    '/console?sign-in=unproven',
    'the code was used',
  )
  const lateJar: Jar = new Map()
  const lateUrl = await beginAndFollow(lateJar)
  advanceSeconds(600)
  assert.equal((await visit(lateJar, lateUrl)).headers.get('location'), '/console?sign-in=expired')
  assert.equal((await listFailures()).filter(({ outcome }) => outcome === 'OPENID_UNPROVEN').length, 4)
  assert.equal(
    (await visit(new Map(), `${returnUrl}?a=1&a=2&state[]=x`)).headers.get('location'),
    '/console?sign-in=expired',
  )
  for (const next of ['https://evil.example', '//evil.example', '/console\\evil', '/consolex', '/desk'])
    assert.equal((await begin(new Map(), next)).status, 400, next)
  const crossSite = await ask(`${publicUrl}/api/console/sign-in/openid`, {
    method: 'POST',
    body: { next: '/console' },
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(crossSite.status, 403)
})

test('reports a declined sign-in and an unavailable provider', async () => {
  await consoleUser(platform, { role: 'operator', email: 'anil@lend.example' })
  provider.user = null
  assert.equal(await signIn(), '/console?sign-in=declined')
  provider.user = { subject: 'sub-anil', email: 'anil@lend.example' }
  advanceSeconds(60)
  const jar: Jar = new Map()
  const answeredUrl = await beginAndFollow(jar)
  await provider.stop()
  assert.equal((await visit(jar, answeredUrl)).headers.get('location'), '/console?sign-in=away')
  advanceSeconds(3600)
  assert.equal((await begin(new Map())).status, 503)
  await provider.start()
  assert.equal(await signIn(), '/console')
})

test('limits sign-in attempts per network address', async () => {
  advanceSeconds(600)
  const statuses: number[] = []
  for (let i = 0; i < 40; i++) statuses.push((await begin(new Map())).status)
  assert.equal(statuses[0], 200)
  assert.equal(statuses.at(-1), 429)
})

test('links an account only after the second factor, unless the provider may replace the factor', async () => {
  advanceSeconds(600)
  const user = await consoleUser(platform, { role: 'support', tenantId: tenant.tenantId, email: 'code@pay.example' })
  const { secret } = (await user.ask('POST', '/totp', { password: consolePassword })).body
  const codeNow = () => codeOf(base32Bytes(secret), stepAt(ctx.realClock()))
  assert.equal((await user.ask('PUT', '/totp', { code: codeNow() })).status, 200)
  await ctx.db`update person_totp set totp_step = 0 where person_id = ${user.person.personId}`
  provider.user = { subject: 'sub-code', email: 'code@pay.example' }
  const jar: Jar = new Map()
  assert.equal(await signIn(jar, undefined, '/console/journeys'), '/console?sign-in=code')
  assert.equal(jar.get(`${host} console`), undefined, 'no session yet')
  assert.deepEqual((await user.ask('GET', '/linked-accounts')).body.items, [])
  const confirm = (code: string, browser = jar) =>
    visit(browser, `${publicUrl}/api/console/sign-in/openid/code`, {
      method: 'POST',
      body: JSON.stringify({ code }),
      headers: { 'content-type': 'application/json' },
    })
  assert.equal((await confirm(codeNow(), new Map())).status, 401, 'in another browser')
  const wrongCode = codeNow() === '000000' ? '111111' : '000000'
  for (let i = 0; i < 5; i++) assert.equal((await confirm(wrongCode)).status, 401)
  assert.equal((await confirm(codeNow())).status, 429, 'codes are limited as at a sign-in with a password')
  await ctx.db`delete from guess_count`
  const signedIn = await confirm(codeNow())
  assert.equal(signedIn.status, 200)
  assert.equal(fieldsOf(await signedIn.json()).next, '/console/journeys')
  const session = userWith(publicUrl, `console=${jar.get(`${host} console`)}`, user.person)
  assert.equal((await session.ask('GET', '/linked-accounts')).body.items.length, 1)
  const acts = (await listNewest(ctx.db, tenant.tenantId, null, 4)).map(({ act }) => act)
  assert.deepEqual(acts, ['SIGNED_IN', 'OPENID_LINKED', 'SIGN_IN_PAUSED', 'CODE_REQUESTED'])

  const withoutSecondFactor = { ...ctx, staff: { ...ctx.staff, openIdReplacesSecondFactor: true } }
  const begun = await beginOpenId(withoutSecondFactor, { address: '198.51.100.1', next: '/console' }, new Date(now))
  const url = await followToReturnUrl(new Map(), begun.url)
  const query = Object.fromEntries(new URL(url).searchParams)
  const client = { query, sealedRequest: begun.sealedRequest, address: '198.51.100.1', headers: {} }
  const outcome = await signInByOpenId(withoutSecondFactor, client, new Date(now))
  assert.ok(
    typeof outcome === 'object' && 'cookies' in outcome,
    'with the setting, the provider replaces the second factor',
  )
})

test('decision 0042: a sign-in finishes once, also at a provider that accepts a code again', async () => {
  advanceSeconds(600)
  const user = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId, email: 'twice@pay.example' })
  provider.user = { subject: 'sub-twice', email: 'twice@pay.example' }
  provider.acceptsCodesAgain = true
  const jar: Jar = new Map()
  const answeredUrl = await beginAndFollow(jar)
  const browsers = [new Map(jar), new Map(jar), new Map(jar)]
  const finishes = await Promise.all(browsers.map((each) => visit(each, answeredUrl)))
  const pages = finishes.map(({ headers }) => headers.get('location'))
  assert.deepEqual(pages.sort(), ['/console', '/console?sign-in=expired', '/console?sign-in=expired'])

  const session = browsers.map((each) => each.get(`${host} console`)).find(Boolean)
  const signedIn = userWith(publicUrl, `console=${session}`, user.person)
  const { recoveryCodes } = await enableSecondFactor(signedIn)
  const codeJar: Jar = new Map()
  assert.equal(await signIn(codeJar), '/console?sign-in=code')
  const confirm = (code: string) =>
    visit(new Map(codeJar), `${publicUrl}/api/console/sign-in/openid/code`, {
      method: 'POST',
      body: JSON.stringify({ code }),
      headers: { 'content-type': 'application/json' },
    })
  const confirmed = await Promise.all(recoveryCodes.slice(0, 2).map(confirm))
  assert.deepEqual(
    confirmed.map(({ status }) => status).sort(),
    [200, 401],
    'each code is right, but the step was used',
  )
  provider.acceptsCodesAgain = false
})

async function enableSecondFactor(user: ConsoleUser): Promise<{ recoveryCodes: string[] }> {
  const { secret } = (await user.ask('POST', '/totp', { password: consolePassword })).body
  const confirmed = await user.ask('PUT', '/totp', { code: codeOf(base32Bytes(secret), stepAt(ctx.realClock())) })
  assert.equal(confirmed.status, 200)
  return confirmed.body
}

test('decision 0042: the first sign-in with an account ends other sessions, mails the owner and is listed', async () => {
  advanceSeconds(600)
  const user = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId, email: 'first@pay.example' })
  const admin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
  const isListed = async () => {
    const { items } = (await admin.ask('GET', '/people')).body
    return items.find(({ personId }: { personId: string }) => personId === user.person.personId).hasLinkedAccount
  }
  assert.equal(await isListed(), false)
  provider.user = { subject: 'sub-first', email: 'first@pay.example' }
  const jar: Jar = new Map()
  assert.equal(await signIn(jar), '/console')
  assert.equal((await user.ask('GET', '/me')).status, 401)
  assert.equal(await isListed(), true)
  const inBrowser = (browser: Jar) => userWith(publicUrl, `console=${browser.get(`${host} console`)}`, user.person)
  const later: Jar = new Map()
  assert.equal(await signIn(later), '/console')
  assert.equal((await inBrowser(jar).ask('GET', '/me')).status, 200, 'a later sign-in ends no session')

  const [link] = (await inBrowser(later).ask('GET', '/linked-accounts')).body.items
  assert.equal((await inBrowser(later).ask('DELETE', `/linked-accounts/${link.linkId}`)).status, 204)
  assert.equal((await inBrowser(jar).ask('GET', '/me')).status, 401)
  assert.equal(await isListed(), false)
  const subjects = await subjectsMailedTo(platform, mails, { email: 'first@pay.example', count: 2 })
  assert.deepEqual(subjects, [
    'OpenID account linked to your Lendloom account',
    'OpenID account unlinked from your Lendloom account',
  ])
})

test('decision 0042: a new password unlinks the accounts of the provider, as does a reset of the second factor', async () => {
  const next = 'a horse of another colour'
  const resets: ((user: ConsoleUser) => Promise<unknown>)[] = [
    (user) => user.ask('POST', '/password', { current: consolePassword, next }),
    ({ person }) => ctx.db.tx((tx) => setNewPassword({ ...ctx, tx, at: new Date(now) }, null, keyOf(person), 'a hash')),
    ({ person }) => ctx.db.tx((tx) => resetSecondFactor({ ...ctx, tx, at: new Date(now) }, null, keyOf(person))),
  ]
  for (const [i, reset] of resets.entries()) {
    advanceSeconds(600)
    const email = `reset-${i}@pay.example`
    const user = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId, email })
    provider.user = { subject: `sub-reset-${i}`, email }
    const jar: Jar = new Map()
    assert.equal(await signIn(jar), '/console')
    await reset(userWith(publicUrl, `console=${jar.get(`${host} console`)}`, user.person))
    assert.deepEqual(await listLinks(ctx.db, keyOf(user.person)), [], email)
  }
})

test('decision 0042: a password reset during a provider sign-in prevents the session', async () => {
  advanceSeconds(600)
  const user = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId, email: 'reset@pay.example' })
  provider.user = { subject: 'sub-reset', email: 'reset@pay.example' }
  const jar: Jar = new Map()
  const answeredUrl = await beginAndFollow(jar)
  let location: string | null | undefined
  const { pendingVisit } = await ctx.db.tx(async (tx) => {
    await setNewPassword({ ...ctx, tx, at: new Date(now) }, null, keyOf(user.person), 'another hash')
    const visited = visit(jar, answeredUrl).then(({ headers }) => (location = headers.get('location')))
    await waitUntilLocked(ctx.db, () => location !== undefined)
    return { pendingVisit: visited }
  })
  assert.equal(await pendingVisit, '/console?sign-in=failed')
  assert.equal((await ctx.db`select from person_session where person_id = ${user.person.personId}`).length, 0)
})
