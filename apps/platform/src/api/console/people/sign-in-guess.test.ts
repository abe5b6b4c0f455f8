// Guessing of passwords and second factors over real HTTP: guesses are counted across processes, limited and reported.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInLimiter } from '@lendloom/http/sign-in-limit'
import { changePassword, writePassword } from '@lendloom/identity/own-account'
import { keyOf } from '@lendloom/identity/person'
import { confirmSecondFactor } from '@lendloom/identity/second-factor'
import { signIn as enter } from '@lendloom/identity/sign-in'
import { codeOf, stepAt } from '@lendloom/identity/src/totp.ts'
import { hashPassword } from '@lendloom/seal/password'
import { base32Bytes } from '@lendloom/tests/setup/base32'
import { type ConsoleUser, consolePassword, consoleUser } from '@lendloom/tests/setup/console'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until, waitUntilLocked } from '@lendloom/tests/setup/programs'
import { outgoingMailWorker } from '#platform/mail/send-mail.ts'
import { listNewest } from '#platform/people/audit/store.ts'
import { platformTenant } from '#platform/people/person.ts'

const mails = await mailServer()
let now = Date.parse('2026-11-21T10:00:00Z')
const clock = () => new Date(now)
const platform = await testPlatform({ SMTP_URL: mails.url }, clock, clock)
const { url, ctx } = platform
const advanceMinutes = (minutes: number) => {
  now += minutes * 60_000
}

const codeNow = (secret: string) => codeOf(base32Bytes(secret), stepAt(clock()))

async function enableSecondFactor(user: ConsoleUser): Promise<string> {
  const { secret } = (await user.ask('POST', '/totp', { password: consolePassword })).body
  assert.equal((await user.ask('PUT', '/totp', { code: codeNow(secret) })).status, 200)
  advanceMinutes(2)
  return secret
}
const signIn = (email: string, change: object = {}, cookie = '') =>
  ask(`${url}/api/console/sign-in`, {
    method: 'POST',
    body: { email, password: consolePassword, ...change },
    headers: cookie ? { cookie } : {},
  })
/** A code that differs from the current one. */
const wrongCode = (secret: string) => (codeNow(secret) === '000000' ? '111111' : '000000')

test('wrong codes lock sign-in for increasing periods, across processes, until the password changes', async () => {
  const user = await consoleUser(platform, { role: 'operator', email: 'codes@lendloom.example' })
  const secret = await enableSecondFactor(user)
  const { email } = user.person
  const deviceCookie = (await signIn(email, { code: codeNow(secret) })).headers.getSetCookie()[1]!.split(';')[0]!
  const countAcceptedGuesses = async () => {
    let count = 0
    for (let i = 0; i < 12; i++) {
      // A new limiter simulates another process or a restart.
      const attempt = {
        email,
        password: consolePassword,
        code: wrongCode(secret),
        address: `198.51.100.${i}`,
        headers: {},
      }
      const outcome = await enter({ ...ctx, signIns: signInLimiter() }, attempt, clock()).catch((error) => error.kind)
      if (outcome === 'wrong') count++
      else assert.equal(outcome, 'rate-limited')
    }
    return count
  }
  assert.equal(await countAcceptedGuesses(), 5)
  const refused = await signIn(email, { code: codeNow(secret) })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '900')
  assert.match(
    refused.body.error.message,
    /these sign-in methods stay open: a browser in which you have signed in before, a passkey$/,
  )

  advanceMinutes(16)
  assert.equal(
    (await signIn(email, { code: codeNow(secret) }, deviceCookie)).status,
    200,
    'a known device is not locked out',
  )
  assert.equal(await countAcceptedGuesses(), 5)
  advanceMinutes(59)
  assert.equal(await countAcceptedGuesses(), 0)
  advanceMinutes(2)
  assert.equal(await countAcceptedGuesses(), 5)
  advanceMinutes(24 * 60 + 1)
  assert.equal(await countAcceptedGuesses(), 5)
  advanceMinutes(400 * 24 * 60)
  assert.equal(await countAcceptedGuesses(), 0, 'sign-in stays locked until the password changes')
  const fromKnownDevice = await signIn(email, { code: codeNow(secret) }, deviceCookie)
  assert.equal(fromKnownDevice.status, 200, 'a known device can still sign in')
  const cookie = fromKnownDevice.headers.getSetCookie()[0]!.split(';')[0]!
  const newPassword = 'a horse of another colour'
  const changed = await ask(`${url}/api/console/password`, {
    method: 'POST',
    body: { current: consolePassword, next: newPassword },
    headers: { cookie },
  })
  assert.equal(changed.status, 204)
  advanceMinutes(2)
  assert.equal((await signIn(email, { password: newPassword, code: codeNow(secret) })).status, 200)
})

test('several wrong codes alert the person by mail and are audited', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'alerted@lendloom.example', name: 'Vikram' })
  const secret = await enableSecondFactor(user)
  const { email } = user.person
  assert.deepEqual((await signIn(email)).body, { needs: 'code' })
  for (let i = 0; i < 5; i++) {
    assert.equal((await signIn(email, { code: wrongCode(secret) })).status, 401)
    advanceMinutes(1)
  }
  const rows = await listNewest(ctx.db, platformTenant, null, 2)
  assert.deepEqual(
    rows.map(({ act, subject }) => ({ act, subject })),
    [
      { act: 'SIGN_IN_PAUSED', subject: user.person.personId },
      { act: 'CODE_REQUESTED', subject: user.person.personId },
    ],
  )
  assert.deepEqual(Object.keys(JSON.parse(rows[0]!.detail)), ['network', 'secret', 'until'])
  const worker = outgoingMailWorker(ctx)
  const sent = await until('both mails', async () => {
    const found = mails.mails.filter(({ to }) => to.includes(email))
    return found.length === 2 && found.map(({ text }) => text.replaceAll(/=\r?\n/g, ''))
  })
  await worker.stop()
  const [alertText = '', setUpText = ''] = sent.toSorted(
    (a, b) => Number(/was set up/.test(a)) - Number(/was set up/.test(b)),
  )
  assert.match(
    setUpText,
    /Hello Vikram.*A second factor was set up for your Lendloom account.*Tell your administrator now/s,
  )
  assert.match(alertText, /Hello Vikram/)
  assert.match(alertText, /A person who knows your password entered several wrong codes.*change your password now/s)
})

test('limits wrong passwords across processes and for unknown addresses, but not for a known device', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'passwords@lendloom.example' })
  const { email } = user.person
  const deviceCookie = (await signIn(email)).headers.getSetCookie()[1]!.split(';')[0]!
  const countAcceptedGuesses = async (emailAddress: string) => {
    let count = 0
    for (let i = 0; i < 15; i++) {
      const attempt = { email: emailAddress, password: 'wrong', address: '198.51.100.9', headers: {} }
      const outcome = await enter({ ...ctx, signIns: signInLimiter() }, attempt, clock()).catch((error) => error.kind)
      if (outcome === 'wrong') count++
    }
    return count
  }
  assert.equal(await countAcceptedGuesses(email), 10)
  assert.equal(await countAcceptedGuesses('unknown@lendloom.example'), 10)
  const refused = await signIn(email)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '900')
  assert.equal((await signIn(email, {}, deviceCookie)).status, 200)
})

test('guessing within a session cannot disable the second factor', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'session@lendloom.example' })
  const secret = await enableSecondFactor(user)
  const statuses = []
  for (let i = 0; i < 7; i++) {
    advanceMinutes(1)
    statuses.push((await user.ask('DELETE', '/totp', { code: wrongCode(secret) })).status)
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429])
})

test('counts guesses within a session across processes', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'within@lendloom.example' })
  const { person } = user
  const { secret } = (await user.ask('POST', '/totp', { password: consolePassword })).body
  const inNewProcess = () => ({ ...ctx, signIns: signInLimiter() })
  const outcomesOf = async (attempts: number, guess: () => Promise<unknown>) => {
    const kinds = []
    for (let i = 0; i < attempts; i++) kinds.push(await guess().catch((error) => error.kind))
    return kinds.map((kind) => (kind === 'invalid' ? 'wrong' : kind))
  }
  const address = '198.51.100.9'
  const passwords = await outcomesOf(12, () =>
    changePassword(inNewProcess(), person, { current: 'wrong', next: 'a horse of another colour', address }, clock()),
  )
  assert.deepEqual(passwords, [...Array(10).fill('wrong'), 'rate-limited', 'rate-limited'])
  const codes = await outcomesOf(6, () =>
    confirmSecondFactor(
      inNewProcess(),
      person,
      { code: wrongCode(secret), address, headers: {}, isIdentityProven: false },
      clock(),
    ),
  )
  assert.deepEqual(codes, [...Array(5).fill('wrong'), 'rate-limited'])
  assert.equal((await signIn(person.email)).status, 200, 'guesses within a session do not lock sign-in')
})

test('a password change during a sign-in prevents the session', async () => {
  const user = await consoleUser(platform, { role: 'viewer', email: 'race@lendloom.example' })
  const key = keyOf(user.person)
  const hash = await hashPassword('a horse of another colour')
  let status: number | undefined
  const { pendingStatus } = await ctx.db.tx(async (tx) => {
    await writePassword({ tx, staff: ctx.staff }, key, hash)
    const signInDone = signIn(user.person.email).then((reply) => (status = reply.status))
    await waitUntilLocked(ctx.db, () => status !== undefined)
    return { pendingStatus: signInDone }
  })
  assert.equal(await pendingStatus, 401)
  assert.equal((await ctx.db`select from person_session where person_id = ${key.personId}`).length, 0)
})
