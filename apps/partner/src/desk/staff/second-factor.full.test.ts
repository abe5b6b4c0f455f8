// Attacks over HTTP on the desk's sign-in and on four-eyes approvals (decision 0042).
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { systemClock } from '@lendloom/foundation/clock'
import { readHtml } from '@lendloom/http/html'
import { noTenant } from '@lendloom/identity/person'
import { codeOf, stepAt } from '@lendloom/identity/src/totp.ts'
import { uuidv4 } from '@lendloom/seal/id'
import { digestOf } from '@lendloom/seal/token'
import { base32Bytes } from '@lendloom/tests/setup/base32'
import {
  choosePasswordByLink,
  type DeskPerson,
  deskPassword,
  deskPerson,
  deskSession,
  deskTicket,
  enableSecondFactor,
  freshCode,
  pendingChangePath,
  setUpSecondFactor,
  submitCode,
} from '@lendloom/tests/setup/desk'
import { client, openIdProvider } from '@lendloom/tests/setup/open-id-provider'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { freePort } from '@lendloom/tests/setup/platform'
import { approve, refuse } from '#partner/desk/approval/four-eyes.ts'
import { changeProposal, proposeChange } from '#partner/desk/change/propose-change.ts'
import { assignToken } from '#partner/people/password-link-store.ts'
import type { SignedIn } from './desk-auth.ts'
import { linkAddress, linkQueue, newLinkToken, resetPassword } from './password-link/password-link.ts'
import { resetSecondFactor } from './reset-second-factor.ts'

const issuer = `http://127.0.0.1:${await freePort()}`
let now = Date.now()
/** Each test starts an hour after the previous test, so that the sign-in limits of that test have expired. */
beforeEach(() => {
  now += 3_600_000
})
const env = {
  PARTNER_AUTOPILOT: 'off',
  PARTNER_DESK_SECOND_FACTOR: 'required',
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: client.id,
  OPENID_CLIENT_SECRET: client.secret,
  OPENID_NAME: 'Lend SSO',
  OPENID_DOMAINS: 'lender.example',
}
const partner = await startTestPartner(env, () => new Date(now))
const { db } = partner
const provider = await openIdProvider(issuer, `${partner.url}/desk/sign-in/openid/return`)
const emailOf = ({ name }: { name: string }) => `${name.toLowerCase()}@lender.example`
const { person: maker } = await userWithSecondFactor('Maker', 'admin')

/** Creates a user who is signed in with a second factor. */
async function userWithSecondFactor(name: string, ...roles: Parameters<typeof deskPerson>[2][]) {
  const person = await deskPerson(partner, name, ...roles)
  const { secret, recoveryCodes } = await enableSecondFactor(partner, person)
  return { person, secret, recoveryCodes, email: emailOf(person) }
}

/** Proposes a role for a user. Returns the path of the pending change. */
async function proposeRole(by: DeskPerson, subject: DeskPerson, role: string): Promise<string> {
  const { status } = await by.send(`/desk/people/${emailOf(subject)}/roles`, { role, reason: 'To try it.' })
  assert.equal(status, 303)
  return pendingChangePath(partner, 'ROLES')
}
const rolesOf = async ({ staffId }: DeskPerson) =>
  (await db<{ roles: string[] }>`select roles from staff where staff_id = ${staffId}`)[0]?.roles

test('decision 0042: with a password alone a user can view and propose, but not approve', async () => {
  const checker = await deskPerson(partner, 'Checker', 'admin')
  const subject = await deskPerson(partner, 'Asha', 'viewer')
  const change = await proposeRole(maker, subject, 'credit')
  const page = await checker.view('/desk/policy')
  assert.match(page.text, /To decide, you need a second factor/)
  const refused = await checker.send(`${change}/confirm`)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /To decide, you need a second factor/)
  const request = '/desk/approvals/x/018f0000-0000-7000-8000-000000000000/approve'
  assert.equal((await checker.send(request)).status, 403)
  assert.deepEqual(await rolesOf(subject), ['viewer'])

  const wrong = await checker.send('/desk/me/second-factor', { password: 'not the password' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /not the current password/)
  const { secret, recoveryCodes } = await enableSecondFactor(partner, checker)
  assert.equal(recoveryCodes.length, 10)
  assert.equal((await checker.send(`${change}/confirm`)).status, 303)
  assert.deepEqual(await rolesOf(subject), ['credit'])
  assert.equal((await checker.send(request)).status, 404, 'the user may approve, but the request does not exist')

  assert.equal(
    (await checker.send('/desk/me/second-factor/off', { code: await freshCode(partner, secret) })).status,
    303,
  )
  assert.equal((await checker.send(request)).status, 403, 'without the second factor the session cannot approve')
})

test('decision 0042: for a day, a user with a new second factor cannot decide or change users', async () => {
  const thief = await deskPerson(partner, 'Thief', 'admin')
  const subject = await deskPerson(partner, 'Ines', 'viewer')
  const change = await proposeRole(maker, subject, 'credit')
  const userPath = `/desk/people/${emailOf(subject)}`
  const newUser = { name: 'Accomplice', email: 'accomplice@lender.example', role: 'viewer' }
  const attempts = [`${change}/confirm`, `${userPath}/password`, `${userPath}/second-factor`, `${userPath}/remove`]
  const assertAllRefused = async (person: DeskPerson) => {
    for (const path of attempts) assert.equal((await person.send(path)).status, 403, path)
    assert.equal((await person.send('/desk/people', newUser)).status, 403)
  }
  await assertAllRefused(thief)
  const { secret } = await setUpSecondFactor(partner, thief)
  await assertAllRefused(thief)
  const credentials = { name: 'Thief', email: emailOf(thief), password: deskPassword, secret }
  const secondSession = await deskSession(partner, credentials)
  await assertAllRefused(secondSession)
  assert.match((await secondSession.view('/desk/me')).text, /You can approve with this factor from/)
  await db`update person_totp set decides_at = ${new Date()} where person_id = ${thief.staffId}`
  assert.equal((await secondSession.send(`${change}/confirm`)).status, 303, 'the factor is a day old')
})

test('decision 0042: a user who sets up a second factor after a mailed password link can decide at once', async () => {
  const person = await deskPerson(partner, 'Mailed', 'admin')
  const email = emailOf(person)
  const at = new Date(now)
  await db.tx(async (tx) => {
    await resetPassword(tx, email, 'mail', { account: null, at })
    // Without the job, the mail worker does not replace this test's token.
    await tx`delete from job where kind = ${linkQueue}`
  })
  const [link] = await db<{
    linkId: string
  }>`select link_id from staff_password_link where staff_id = ${person.staffId}`
  const token = newLinkToken()
  await assignToken(db, link?.linkId ?? '', digestOf(token))
  await choosePasswordByLink(partner, linkAddress(partner.url, token), deskPassword)
  const newSession = await deskSession(partner, { name: 'Mailed', email, password: deskPassword })
  await setUpSecondFactor(partner, newSession)
  const request = '/desk/approvals/x/018f0000-0000-7000-8000-000000000000/approve'
  assert.equal((await newSession.send(request)).status, 404, 'the user may approve, but the request does not exist')
})

test('decision 0042: a user with a second factor needs a code to sign in, and each code works once', async () => {
  const { email, secret, recoveryCodes } = await userWithSecondFactor('Once', 'admin')
  const passwordAnswer = await fetch(`${partner.url}/desk/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, password: deskPassword }),
  })
  assert.equal(passwordAnswer.status, 200)
  assert.deepEqual(passwordAnswer.headers.getSetCookie(), [])
  const ticket = await deskTicket(partner, email, deskPassword)
  const code = await freshCode(partner, secret)
  assert.equal((await submitCode(partner, ticket, code)).status, 303)
  assert.equal((await submitCode(partner, ticket, code)).status, 401, 'a code works once')
  assert.equal((await submitCode(partner, ticket, recoveryCodes[0] ?? '')).status, 303)
  assert.equal((await submitCode(partner, ticket, recoveryCodes[0] ?? '')).status, 401)
  const concurrentAnswers = await Promise.all([1, 2].map(() => submitCode(partner, ticket, recoveryCodes[1] ?? '')))
  assert.deepEqual(
    concurrentAnswers.map(({ status }) => status).sort(),
    [303, 401],
    'one of two concurrent sign-ins with the same code succeeds',
  )
})

test('decision 0042: a sign-in ticket ends when the password changes, and a forged ticket is refused', async () => {
  const { person, email, secret } = await userWithSecondFactor('Tess', 'admin')
  const ticket = await deskTicket(partner, email, deskPassword)
  const newPassword = 'another horse battery'
  await person.send('/desk/me/password', { password: deskPassword, fresh: newPassword, again: newPassword })
  const late = await submitCode(partner, ticket, await freshCode(partner, secret))
  assert.equal(late.status, 401)
  assert.match(await late.text(), /took too long/)
  const bytes = Buffer.from(ticket, 'base64url')
  bytes[40] = (bytes[40] ?? 0) ^ 1
  for (const forged of [bytes.toString('base64url'), '', 'x'.repeat(200)])
    assert.equal((await submitCode(partner, forged, '000000')).status, 401)
})

test('decision 0042: five wrong codes lock the sign-in, also with a new ticket', async () => {
  const { email, secret } = await userWithSecondFactor('Guess', 'admin')
  const wrong = codeOf(base32Bytes(secret), stepAt(systemClock()) - 100)
  const first = await deskTicket(partner, email, deskPassword)
  for (let i = 0; i < 5; i++) assert.equal((await submitCode(partner, first, wrong)).status, 401)
  const right = await submitCode(
    partner,
    await deskTicket(partner, email, deskPassword),
    await freshCode(partner, secret),
  )
  assert.equal(right.status, 429, 'a correct code is refused while the sign-in is locked')
  const entries = await db`select 1 from audit_entry where act = 'SIGN_IN_PAUSED'`
  assert.equal(entries.length, 1)
  await db`delete from guess_count`
})

test('decision 0042: signing in replaces a session cookie that an attacker planted', async () => {
  const planted = `desk=${Buffer.alloc(64, 7).toString('base64url')}`
  const person = await deskPerson(partner, 'Fixed', 'viewer')
  const body = new URLSearchParams({ email: emailOf(person), password: deskPassword })
  const options = { method: 'POST', body, redirect: 'manual', headers: { cookie: planted } } as const
  const entered = await fetch(`${partner.url}/desk/sign-in`, options)
  const [session] = (entered.headers.getSetCookie()[0] ?? '').split(';')
  assert.notEqual(session, planted)
  const openDesk = (cookie: string) => fetch(`${partner.url}/desk`, { redirect: 'manual', headers: { cookie } })
  assert.equal((await openDesk(planted)).status, 303)
  assert.equal((await openDesk(session ?? '')).status, 200)
})

test('decision 0042: removal, a password reset and a second factor reset end all sessions at once', async () => {
  for (const [name, action] of [
    ['Gone', 'remove'],
    ['Reset', 'password'],
    ['Lost', 'second-factor'],
  ] as const) {
    const { person } = await userWithSecondFactor(name, 'admin')
    assert.equal((await person.view('/desk')).status, 200)
    assert.ok((await maker.send(`/desk/people/${emailOf(person)}/${action}`)).status < 400)
    assert.equal((await person.view('/desk')).status, 303, action)
  }
})

test('decision 0042: a user cannot approve a proposal by the admin who reset the user’s second factor', async () => {
  const { person, email } = await userWithSecondFactor('Robin', 'admin')
  const subject = await deskPerson(partner, 'Noor', 'viewer')
  assert.equal((await maker.send(`/desk/people/${email}/second-factor`)).status, 303)
  const newSession = await deskSession(partner, { name: 'Robin', email, password: deskPassword })
  await enableSecondFactor(partner, newSession)
  const change = await proposeRole(maker, subject, 'accounts')
  const refused = await newSession.send(`${change}/confirm`)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /count as one person/)
  assert.deepEqual(await rolesOf(subject), ['viewer'])
  assert.equal((await maker.send(`${change}/withdraw`)).status, 303)
  assert.equal(
    (await newSession.send(`/desk/people/${email}/second-factor`)).status,
    403,
    'admins cannot reset their own factor',
  )
  await db.tx((tx) => resetSecondFactor(tx, email, { account: null, at: new Date() }))
  const [row] = await db<{ knownTo: string[] }>`select known_to from staff where staff_id = ${person.staffId}`
  assert.equal(row?.knownTo.length, 2, 'the admin and the operator both count as possible users of the account')
})

test('decision 0042: one of two concurrent confirmations fails; so does one after the roles have changed', async () => {
  const first = await userWithSecondFactor('One', 'admin')
  const second = await userWithSecondFactor('Two', 'admin')
  const subject = await deskPerson(partner, 'Xerxes', 'viewer')
  const change = await proposeRole(maker, subject, 'credit')
  const answers = await Promise.all([first, second].map(({ person }) => person.send(`${change}/confirm`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
  const stale = await proposeRole(maker, subject, 'operations')
  await db`update staff set roles = '{accounts}' where staff_id = ${subject.staffId}`
  assert.equal((await first.person.send(`${stale}/confirm`)).status, 409)
  assert.deepEqual(await rolesOf(subject), ['accounts'])
})

test('decision 0042: a proposal, approval or refusal fails if the user’s session has ended', async () => {
  const { person, email } = await userWithSecondFactor('Late', 'admin')
  const subject = await deskPerson(partner, 'Yusuf', 'viewer')
  const change = await proposeRole(maker, subject, 'credit')
  const who: SignedIn = {
    staffId: person.staffId,
    personId: person.staffId,
    tenantId: null,
    sessionId: uuidv4(),
    email,
    name: 'Late',
    roles: ['admin'],
    knownTo: [],
    possibleUserEmails: [email],
    decidesAt: null,
    isProven: true,
  }
  const decided = { changeId: change.split('/').at(-1) ?? '', reason: null, at: new Date(now) }
  await assert.rejects(approve(partner.ctx, who, changeProposal(partner.ctx, who, decided), decided), {
    kind: 'bad-session',
  })
  const refused = { ...decided, reason: 'not her' }
  await assert.rejects(refuse(partner.ctx, who, changeProposal(partner.ctx, who, refused), refused), {
    kind: 'bad-session',
  })
  const form = new URLSearchParams({ role: 'credit', reason: 'a new desk' })
  const newcomer = await deskPerson(partner, 'Newcomer', 'viewer')
  const ownProposal = { setting: 'ROLES' as const, subject: emailOf(newcomer), form, at: decided.at }
  await assert.rejects(proposeChange(partner.ctx, who, ownProposal), { kind: 'bad-session' })
  assert.deepEqual(await rolesOf(subject), ['viewer'])
  assert.equal((await person.send(`${change}/confirm`)).status, 303)
})

test('decision 0042: after a password reset by a handed-over link, the second factor is still required', async () => {
  const { email, secret } = await userWithSecondFactor('Linked', 'admin')
  const linkPage = await maker.send(`/desk/people/${email}/password`)
  const password = await choosePasswordByLink(partner, linkPage.html)
  const ticket = await deskTicket(partner, email, password)
  assert.notEqual(ticket, '')
  assert.equal((await submitCode(partner, ticket, await freshCode(partner, secret))).status, 303)
})

/** Follows the redirects to the provider and back, like a browser. Returns the last response and its cookies. */
async function signInByOpenId(): Promise<{ status: number; text: string; cookies: string[] }> {
  const jar = new Map<string, string>()
  let url = `${partner.url}/desk/sign-in/openid`
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    const cookies = answer.headers.getSetCookie()
    for (const each of cookies) {
      const [name = '', value = ''] = (each.split(';')[0] ?? '').split(/=(.*)/s)
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) return { status: answer.status, text: readHtml(await answer.text()).text(), cookies }
    url = new URL(location, url).href
  }
  throw new Error('more than ten redirects')
}

test('decision 0042: OpenID signs in only existing users with a verified address of an allowed domain', async () => {
  const person = await deskPerson(partner, 'Olga', 'admin')
  const email = emailOf(person)
  for (const [user, problem] of [
    [{ subject: 's1', email, isVerified: false }, /not verified/],
    [{ subject: 's1', email: 'olga@elsewhere.example' }, /domain/],
    [{ subject: 's1', email: 'unknown@lender.example' }, /No account has this address/],
    [null, /declined/],
  ] as const) {
    provider.user = user
    const { status, text } = await signInByOpenId()
    assert.equal(status, 401, text)
    assert.equal(problem.test(text), true, text)
  }
  provider.user = { subject: 's1', email: email.toUpperCase() }
  const signedIn = await signInByOpenId()
  assert.match(signedIn.text, /You are signed in/)
  const cookie = signedIn.cookies.find((each) => each.startsWith('desk='))?.split(';')[0] ?? ''
  const approveRequest = () =>
    fetch(`${partner.url}/desk/approvals/x/018f0000-0000-7000-8000-000000000000/approve`, {
      method: 'POST',
      headers: { cookie },
    })
  assert.equal((await approveRequest()).status, 404, 'a fresh sign-in may approve, but the request does not exist')
  await db`update person_session set created_at = ${new Date(Date.now() - 61 * 60_000)} where person_id = ${person.staffId}`
  assert.equal((await approveRequest()).status, 403, 'a sign-in 61 minutes ago may not approve')
  provider.user = { subject: 's2', email }
  assert.match((await signInByOpenId()).text, /another account/)
})

test('decision 0042: a linked OpenID account is listed, can be unlinked, and does not outlive a password', async () => {
  const person = await deskPerson(partner, 'Linda', 'viewer')
  const email = emailOf(person)
  provider.user = { subject: 'linda', email }
  const signIn = async () => {
    now += 60_000
    const { cookies } = await signInByOpenId()
    return cookies.find((each) => each.startsWith('desk='))?.split(';')[0] ?? ''
  }
  const request = (cookie: string, path: string, form?: Record<string, string>) =>
    fetch(partner.url + path, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
  const linkRows = () => db`select link_id from person_open_id where person_id = ${person.staffId}`
  const cookie = await signIn()
  assert.equal((await person.view('/desk/me')).status, 303, 'the first sign-in with the account ends other sessions')
  assert.match((await maker.view('/desk/people')).text, /Linda.*OpenID linked/s)
  const ownPage = await (await request(cookie, '/desk/me')).text()
  const [action = ''] = /\/desk\/me\/linked-accounts\/[\w-]+\/unlink/.exec(ownPage) ?? []
  assert.equal((await request(cookie, action, {})).status, 303)
  assert.equal((await linkRows()).length, 0)
  const acts = await db<{ act: string }>`
    select act from audit_entry where person_id = ${person.staffId} and act like 'OPENID%' order by sequence`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['OPENID_LINKED', 'OPENID_UNLINKED'],
  )

  const change = { password: deskPassword, fresh: 'a horse of another colour', again: 'a horse of another colour' }
  const own = await signIn()
  const byAdmin = () => maker.send(`/desk/people/${email}/password`)
  assert.equal((await linkRows()).length, 1)
  assert.equal((await request(own, '/desk/me/password', change)).status, 303)
  assert.equal((await linkRows()).length, 0, 'her own new password')
  await signIn()
  assert.equal((await linkRows()).length, 1)
  await byAdmin()
  assert.equal((await linkRows()).length, 0, 'a reset by an admin')
})

test('decision 0042: removing a user deletes the second factor and the linked OpenID account', async () => {
  const { person, email } = await userWithSecondFactor('Rehired', 'admin')
  const identityRows = () =>
    db`select person_id from person_open_id where person_id = ${person.staffId}
      union select person_id from person_totp where person_id = ${person.staffId} and totp_sealed is not null`
  await db`
    insert into person_open_id (tenant_id, issuer, subject_digest, link_id, of_tenant_id, person_id, created_at, used_at)
    values (${noTenant}, ${issuer}, '\\x01', ${uuidv4()}, ${noTenant}, ${person.staffId}, now(), now())`
  assert.equal((await identityRows()).length, 1)
  await maker.send(`/desk/people/${email}/remove`)
  assert.equal((await identityRows()).length, 0)
})

test('decision 0042: a session alone cannot read an unconfirmed secret', async () => {
  const person = await deskPerson(partner, 'Pending', 'admin')
  await person.send('/desk/me/second-factor', { password: deskPassword })
  const wrong = await person.send('/desk/me/second-factor/confirm', { code: '000000' })
  assert.equal(wrong.status, 400)
  assert.doesNotMatch(wrong.html, /(?:[A-Z2-7]{4} ){3}|otpauth/)
  assert.doesNotMatch((await person.view('/desk/me')).html, /otpauth/)
})

test('decision 0042: OpenID does not replace the second factor of a user who has one', async () => {
  const { email } = await userWithSecondFactor('Both', 'admin')
  provider.user = { subject: 'both', email }
  const { text, cookies } = await signInByOpenId()
  assert.match(text, /Enter the six digits/)
  assert.ok(!cookies.some((each) => each.startsWith('desk=')))
})
