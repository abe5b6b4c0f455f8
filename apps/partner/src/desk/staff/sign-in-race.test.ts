// Sign-ins and decisions concurrent with changes of the account (decision 0042).
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { noTenant } from '@lendloom/identity/person'
import { finishSignIn, signIn } from '@lendloom/identity/sign-in'
import { confirmTotp, writePendingTotp } from '@lendloom/identity/src/second-factor/store.ts'
import {
  type DeskPerson,
  deskPassword,
  deskPerson,
  deskSession,
  deskTicket,
  enableSecondFactor,
  freshCode,
  pendingChangePath,
  withCookie,
} from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { approve } from '#partner/desk/approval/four-eyes.ts'
import { changeProposal } from '#partner/desk/change/propose-change.ts'
import type { SignedIn } from './desk-auth.ts'
import { resetSecondFactor } from './reset-second-factor.ts'

let now = Date.now()
/** Each test starts an hour after the previous test, so that the sign-in limits of that test have expired. */
beforeEach(() => {
  now += 3_600_000
})
const partner = await startTestPartner(
  { PARTNER_AUTOPILOT: 'off', PARTNER_DESK_SECOND_FACTOR: 'required' },
  () => new Date(now),
)
const { db, ctx } = partner
const maker = await deskPerson(partner, 'Maker', 'admin')
const emailOf = ({ name }: { name: string }) => `${name.toLowerCase()}@lender.example`
const client = { address: '192.0.2.7', headers: {} }

test('decision 0042: setting up a second factor ends other sessions and forgets other browsers', async () => {
  const owner = await deskPerson(partner, 'Owner', 'admin')
  const credentials = { name: owner.name, email: emailOf(owner), password: deskPassword }
  const thiefSession = await deskSession(partner, credentials)
  const ownerAnswer = await fetch(`${partner.url}/desk/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(credentials),
  })
  const cookie = ownerAnswer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const ownerSession = withCookie(partner, { ...owner, cookie })
  await enableSecondFactor(partner, ownerSession)
  assert.equal((await ownerSession.view('/desk')).status, 200)
  assert.equal((await thiefSession.view('/desk')).status, 303)
  const devices = await db`select 1 from person_device where person_id = ${owner.staffId}`
  assert.equal(devices.length, 1, 'only the owner’s browser is still known')
})

test('decision 0042: over https the desk sets __Host- cookies', async () => {
  const person = await deskPerson(partner, 'Hosted', 'viewer')
  const staff = { ...ctx.staff, publicUrl: 'https://desk.lender.example' }
  const signedIn = await signIn(
    { ...ctx, staff },
    { ...client, email: emailOf(person), password: deskPassword },
    new Date(now),
  )
  assert.ok(typeof signedIn === 'object' && 'cookies' in signedIn)
  const [session = '', device = ''] = signedIn.cookies
  assert.match(session, /^__Host-desk=[\w-]{86}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/)
  assert.match(device, /^__Host-desk-device=.*; Path=\/; .*; Secure$/)
})

test('decision 0042: a password sign-in starts no session if a second factor is set up meanwhile', async () => {
  const owner = await deskPerson(partner, 'Quick', 'admin')
  const findByEmail: typeof ctx.staff.findByEmail = async (...args) => {
    const found = await ctx.staff.findByEmail(...args)
    await enableSecondFactor(partner, owner)
    return found
  }
  const attempt = { ...client, email: emailOf(owner), password: deskPassword }
  assert.equal(await signIn({ ...ctx, staff: { ...ctx.staff, findByEmail } }, attempt, new Date(now)), 'wrong')
})

test('decision 0042: a correct code starts no session if the second factor is reset meanwhile', async () => {
  const owner = await deskPerson(partner, 'Slow', 'admin')
  const email = emailOf(owner)
  const { secret } = await enableSecondFactor(partner, owner)
  const ticket = await deskTicket(partner, email, deskPassword)
  let isReset = false
  const findPerson: typeof ctx.staff.findPerson = async (...args) => {
    const found = await ctx.staff.findPerson(...args)
    if (!isReset) await db.tx((tx) => resetSecondFactor(tx, email, { account: null, at: new Date(now) }))
    isReset = true
    return found
  }
  const code = await freshCode(partner, secret)
  const contextWithReset = { ...ctx, staff: { ...ctx.staff, findPerson } }
  assert.equal(await finishSignIn(contextWithReset, { ...client, ticket, code }, new Date(now)), 'wrong')
})

test('decision 0042: a pending secret that was replaced cannot be confirmed', async () => {
  const owner = await deskPerson(partner, 'Swap', 'admin')
  const key = { tenantId: noTenant, personId: owner.staffId }
  await db.tx((tx) => writePendingTotp(tx, key, Buffer.from('of the owner')))
  await db.tx((tx) => writePendingTotp(tx, key, Buffer.from('of a thief')))
  assert.equal(
    await db.tx((tx) => confirmTotp(tx, key, { step: 1, sealed: Buffer.from('of the owner'), decidesAt: new Date() })),
    false,
  )
})

/** Returns the user as the session check saw them before the concurrent change. */
async function signedInUser({ staffId, name }: DeskPerson): Promise<SignedIn> {
  const [row] = await db<{ sessionId: string }>`select session_id from person_session where person_id = ${staffId}`
  const email = emailOf({ name })
  return {
    staffId,
    personId: staffId,
    tenantId: null,
    sessionId: row?.sessionId ?? '',
    email,
    name,
    roles: ['admin'],
    knownTo: [],
    possibleUserEmails: [email],
    decidesAt: null,
    isProven: true,
  }
}

test('decision 0042: an approval fails if the user loses the role or the second factor meanwhile', async () => {
  const subject = await deskPerson(partner, 'Noor', 'viewer')
  const checker = await deskPerson(partner, 'Ravi', 'admin')
  await enableSecondFactor(partner, checker)
  const who = await signedInUser(checker)
  await maker.send(`/desk/people/${emailOf(subject)}/roles`, { role: 'credit', reason: 'To try it.' })
  const change = await pendingChangePath(partner, 'ROLES')
  const decided = { changeId: change.split('/').at(-1) ?? '', reason: null, at: new Date(now) }
  const changeStates = async () =>
    (await db<{ state: string }>`select state from setting_change`).map((each) => each.state)

  await db`update staff set roles = '{viewer}' where staff_id = ${checker.staffId}`
  await assert.rejects(approve(ctx, who, changeProposal(ctx, who, decided), decided), { kind: 'forbidden' })
  await db`update staff set roles = '{admin}' where staff_id = ${checker.staffId}`
  await db`update person_session set proof = 'PASSWORD' where person_id = ${checker.staffId}`
  await assert.rejects(approve(ctx, who, changeProposal(ctx, who, decided), decided), { kind: 'forbidden' })
  assert.deepEqual(await changeStates(), ['WAITING'])
  await db`update person_session set proof = 'CODE' where person_id = ${checker.staffId}`
  await approve(ctx, who, changeProposal(ctx, who, decided), decided)
  assert.deepEqual(await changeStates(), ['CONFIRMED'])
})
