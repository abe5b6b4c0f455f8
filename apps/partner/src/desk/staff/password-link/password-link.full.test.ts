// Password links of staff. They keep one person from acting as two: users choose passwords through mailed links, and a
// link that is handed over makes both accounts count as one person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInLimiter } from '@lendloom/http/sign-in-limit'
import { signIn } from '@lendloom/identity/sign-in'
import {
  choosePasswordByLink,
  deskPerson,
  deskSession,
  enableSecondFactor,
  pendingChangePath,
  pendingRequestPath,
} from '@lendloom/tests/setup/desk'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { startTestPartner, type TestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until, waitUntilLocked } from '@lendloom/tests/setup/programs'
import { createFirstStaff } from '#partner/desk/staff/first-staff.ts'
import { changeRoles } from '#partner/desk/staff/staff.ts'
import { commandLineKey, isOnePerson } from '#partner/people/one-person.ts'
import { choosePassword, inviteStaff, resetPassword } from './password-link.ts'

const mails = await mailServer()
const byMail = await startTestPartner({ SMTP_URL: mails.url, PARTNER_AUTOPILOT: 'off' })
const byHand = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })

const linkPattern = /\/desk\/password\/([\w-]{43})/
/** Waits for a mail to a user; `before` is the number of earlier mails to skip. */
const mailTo = (email: string, before = 0) =>
  until(`a mail to ${email}`, async () => mails.mails.filter(({ to }) => to.includes(email))[before]?.text)
/** Joins the lines that quoted-printable broke. */
const decodeMail = (mail: string) => mail.replaceAll(/=\r?\n/g, '')

const terms = { annualRatePercent: '26', feePercent: '2', taxPercent: '18', otherCharges: '0', validDays: '3' }
const offerAboveLimit = { ...terms, amount: '300000', reason: 'A good shop.' }

/** Requests approval of an offer as this user; returns the path of the request. */
async function requestApproval(partner: TestPartner, maker: Awaited<ReturnType<typeof deskPerson>>): Promise<string> {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const page = `/desk/cases/${loanCase.caseRef}`
  await until('the case is under review', async () => /Approve with these terms/.test((await maker.view(page)).text))
  assert.equal((await maker.send(`${page}/offer`, offerAboveLimit)).status, 303)
  return pendingRequestPath(partner, loanCase.caseRef, 'OFFER')
}

test('a password reset mails a link that works once, and ends the user’s sessions', async () => {
  const admin = await deskPerson(byMail, 'Meera', 'admin')
  const checker = await deskPerson(byMail, 'Ravi', 'credit')
  const email = 'ravi@lender.example'
  const reset = await admin.send(`/desk/people/${email}/password`)
  assert.equal(reset.status, 200)
  assert.equal(linkPattern.test(reset.html), false, 'the admin sees no link')
  assert.match(reset.text, /A link to choose a password is on its way to Ravi \(ravi@lender\.example\)\./)
  assert.equal((await checker.view('/desk')).status, 303, 'the session has ended')
  assert.equal(
    (
      await deskSession(byMail, { name: 'Ravi', email, password: 'correct horse battery' }).then((session) =>
        session.view('/desk'),
      )
    ).status,
    303,
  )

  const mail = decodeMail(await mailTo(email))
  assert.match(mail, /Meera reset your password at the desk/)
  const { length: sent } = mails.mails
  await admin.send(`/desk/people/${email}/password`)
  const newest = decodeMail(await mailTo(email, 1))
  assert.equal(mails.mails.length, sent + 1)
  const [, oldToken] = linkPattern.exec(mail)!
  assert.equal((await fetch(`${byMail.url}/desk/password/${oldToken}`)).status, 404, 'only the newest link works')
  const cutOff = await fetch(`${byMail.url}/desk/password/${oldToken!.slice(0, 20)}`)
  assert.equal(cutOff.status, 404)
  assert.match(
    await cutOff.text(),
    /This link is not complete or no longer valid.*ask an administrator of the desk for a new link.*href="\/desk\/sign-in"/s,
  )

  const [link, token] = linkPattern.exec(newest)!
  // A web mail program opens the link from another site.
  const page = await fetch(`${byMail.url}${link}`, { headers: { 'sec-fetch-site': 'cross-site' } })
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('referrer-policy'), 'same-origin')
  const send = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${byMail.url}${link}`, { method: 'POST', body: new URLSearchParams(form), headers })
  const password = 'a fresh horse battery'
  assert.equal((await send({ password, again: 'x' })).status, 400)
  assert.equal((await send({ password: 'short', again: 'short' })).status, 400)
  assert.equal((await send({ password, again: password }, { 'sec-fetch-site': 'cross-site' })).status, 403)
  const bothAnswers = await Promise.all([1, 2].map(() => send({ password, again: password })))
  assert.deepEqual(bothAnswers.map(({ status }) => status).sort(), [200, 404], 'one of two concurrent uses succeeds')
  const newSession = await deskSession(byMail, { name: 'Ravi', email, password })
  const linkState = /Password reset by Meera on .*; password chosen on /
  assert.match((await newSession.view('/desk/me')).text, linkState)
  assert.match((await admin.view('/desk/people')).text, linkState)
  const storedRows = await byMail.db<{ row: string }>`
    select l::text || coalesce(j.payload::text, '') as row from staff_password_link l left join job j on true`
  assert.ok(!storedRows.some(({ row }) => row.includes(token!)), 'the token is stored nowhere')
})

test('an admin who resets a password by mail can still decide the user’s requests', async () => {
  const admin = await deskPerson(byMail, 'Asha', 'admin')
  await deskPerson(byMail, 'Clerk', 'credit')
  await admin.send('/desk/people/clerk@lender.example/password')
  const password = await choosePasswordByLink(byMail, decodeMail(await mailTo('clerk@lender.example')))
  const clerk = await deskSession(byMail, { name: 'Clerk', email: 'clerk@lender.example', password })
  const request = await requestApproval(byMail, clerk)
  assert.equal((await admin.send(`${request}/approve`)).status, 303)
})

test('when the invitation mail fails, the admin sees it and can send another link', async () => {
  const admin = await deskPerson(byMail, 'Devi', 'admin')
  mails.refusalCode = 550
  const form = { name: 'Nora', email: 'Nora@lender.example', role: 'viewer' }
  const added = await admin.send('/desk/people', form)
  assert.equal(added.status, 200)
  assert.equal(linkPattern.test(added.html), false)
  await until('the mail was refused', async () =>
    /Invited by Devi on .*; the email was not delivered: 550/.test((await admin.view('/desk/people')).text),
  )
  mails.refusalCode = null
  await admin.send('/desk/people/nora@lender.example/password')
  const password = await choosePasswordByLink(byMail, decodeMail(await mailTo('nora@lender.example')))
  const nora = await deskSession(byMail, { ...form, email: 'nora@lender.example', password })
  assert.equal((await nora.view('/desk')).status, 200)
})

test('a removed user who is added again keeps no earlier link or password', async () => {
  const admin = await deskPerson(byMail, 'Uma', 'admin')
  const email = 'tara@lender.example'
  await deskPerson(byMail, 'Tara', 'credit')
  await admin.send(`/desk/people/${email}/password`)
  const [link] = linkPattern.exec(decodeMail(await mailTo(email)))!
  assert.equal((await admin.send(`/desk/people/${email}/remove`)).status, 303)
  assert.equal((await fetch(`${byMail.url}${link}`)).status, 404)
  const again = await admin.send('/desk/people', { name: 'Tara', email, role: 'credit' })
  assert.equal(linkPattern.test(again.html), false)
  assert.equal((await fetch(`${byMail.url}${link}`)).status, 404)
  const [row] = await byMail.db<{ roles: string[] }>`select roles from staff where email = ${email}`
  assert.deepEqual(row!.roles, ['viewer'], 'the other role waits for a second admin')
})

test('an admin who hands over a password link and the user of that link cannot decide each other’s requests', async () => {
  const admin = await deskPerson(byHand, 'Meera', 'admin', 'credit')
  const other = await deskPerson(byHand, 'Asha', 'admin')
  await deskPerson(byHand, 'Ravi', 'credit')
  const email = 'ravi@lender.example'
  const adminRequest = await requestApproval(byHand, admin)
  const reset = await admin.send(`/desk/people/${email}/password`)
  assert.match(reset.text, /No mail server is set up\. Give this link to Ravi \(ravi@lender\.example\);/)
  const password = await choosePasswordByLink(byHand, reset.html)
  const ravi = await deskSession(byHand, { name: 'Ravi', email, password })
  const refused = await ravi.send(`${adminRequest}/approve`)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /count as one person/)
  assert.equal((await ravi.send(`${adminRequest}/refuse`, { reason: 'No.' })).status, 403)
  assert.doesNotMatch((await ravi.view('/desk/approvals')).html, /\/approve"/)
  assert.match((await ravi.view('/desk/me')).text, /Password reset by Meera.*Other people saw the link/s)
  assert.match((await admin.view('/desk/people')).text, /Password reset by Meera.*Other people saw the link/s)

  const raviRequest = await requestApproval(byHand, ravi)
  assert.equal((await admin.send(`${raviRequest}/approve`)).status, 403)
  await byHand.db`update staff set known_to = '{}' where email = ${email}`
  // What counts is who knew the password at the time of the request.
  assert.equal((await admin.send(`${raviRequest}/approve`)).status, 403)
  assert.equal((await other.send(`${raviRequest}/approve`)).status, 303)
  assert.equal((await other.send(`${adminRequest}/approve`)).status, 303)
})

test('an account whose link the proposer handed over confirms neither settings nor roles', async () => {
  const admin = await deskPerson(byHand, 'Devi', 'admin')
  const second = await deskPerson(byHand, 'Uma', 'admin')
  await deskPerson(byHand, 'Tara', 'admin')
  await deskPerson(byHand, 'Lena', 'viewer')
  const password = await choosePasswordByLink(
    byHand,
    (await admin.send('/desk/people/tara@lender.example/password')).html,
  )
  const tara = await deskSession(byHand, { name: 'Tara', email: 'tara@lender.example', password })
  const propose = async (by: typeof admin, email: string) => {
    assert.equal((await by.send(`/desk/people/${email}/roles`, { role: 'credit', reason: 'New work.' })).status, 303)
    return pendingChangePath(byHand, 'ROLES')
  }
  const lenaChange = await propose(admin, 'lena@lender.example')
  const confirmed = await tara.send(`${lenaChange}/confirm`)
  assert.equal(confirmed.status, 403)
  assert.match(confirmed.text, /count as one person/)
  assert.equal((await second.send(`${lenaChange}/confirm`)).status, 303)
  const deviChange = await propose(second, 'devi@lender.example')
  const refused = await tara.send(`${deviChange}/confirm`)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /You cannot decide about yourself/)
})

test('accounts whose passwords one person may know count as one person, also through several links or the command line', async () => {
  const account = (staffId: string, ...knownTo: string[]) => ({ staffId, knownTo })
  assert.equal(isOnePerson(account('a'), account('b')), false)
  assert.equal(isOnePerson(account('a'), account('c', 'a')), true)
  assert.equal(isOnePerson(account('c', 'a'), account('d', 'a')), true)
  // Mira hands a link over to Ravi. When Ravi hands a link over to Tara, Mira may be acting as Ravi.
  const at = new Date()
  const { db } = byHand
  const person = (name: string) => ({ name, email: `${name}@chain.example`, roles: ['admin'] as const })
  const readStaff = async (name: string) => {
    const [row] = await db<{ staffId: string; knownTo: string[] }>`
      select staff_id, known_to from staff where email = ${`${name}@chain.example`}`
    return row!
  }
  const mira = await deskPerson(byHand, 'Mira', 'admin')
  const handOver = async (name: string, by: { staffId: string; knownTo: string[] } | null) => {
    const token = await db.tx((tx) => inviteStaff(tx, person(name), 'hand', { account: by, at }))
    await choosePasswordByLink(byHand, `/desk/password/${token}`)
    return readStaff(name)
  }
  const ravi = await handOver('ravi', account(mira.staffId))
  const tara = await handOver('tara', ravi)
  assert.deepEqual(tara.knownTo.toSorted(), [ravi.staffId, mira.staffId].toSorted())
  assert.equal(isOnePerson(account(mira.staffId), tara), true)
  // An operator may be any member of staff.
  const operator = await handOver('operator', null)
  await db.tx((tx) => changeRoles(tx, 'operator@chain.example', ['credit', 'admin'], at))
  assert.equal(isOnePerson(operator, account(mira.staffId)), true)
  // After a reset by mail only the user knows the password.
  await byMail.db.tx((tx) => inviteStaff(tx, person('operator'), 'hand', { account: null, at }))
  await byMail.db.tx((tx) => resetPassword(tx, 'operator@chain.example', 'mail', { account: null, at }))
  await choosePasswordByLink(byMail, decodeMail(await mailTo('operator@chain.example')))
  const [row] = await byMail.db<{ knownTo: string[] }>`
    select known_to from staff where email = 'operator@chain.example'`
  assert.deepEqual(row!.knownTo, [])
})

test('a sign-in during a password reset starts no session', async () => {
  await deskPerson(byHand, 'Kiran', 'credit')
  const email = 'kiran@lender.example'
  const body = new URLSearchParams({ email, password: 'correct horse battery' })
  let status: number | undefined
  const signingIn = await byHand.db.tx(async (tx) => {
    await resetPassword(tx, email, 'hand', { account: null, at: new Date() })
    const sent = fetch(`${byHand.url}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })
    const noted = sent.then((answer) => (status = answer.status))
    await waitUntilLocked(byHand.db, () => status !== undefined)
    return { noted }
  })
  assert.equal(await signingIn.noted, 401)
  const sessions = await byHand.db`
    select from person_session o join staff s on s.staff_id = o.person_id where s.email = ${email}`
  assert.equal(sessions.length, 0)
})

test('an unknown link is refused as absent before the password is checked', async () => {
  await assert.rejects(choosePassword(byHand.ctx, 'a'.repeat(43), 'short', new Date()), { kind: 'absent' })
})

test('outside a sandbox an existing account with the password of the settings counts as an operator', async () => {
  await deskPerson(byHand, 'Charu', 'admin')
  await deskPerson(byHand, 'Chitra', 'admin')
  const settings = {
    PARTNER_DESK_EMAIL: 'charu@lender.example',
    PARTNER_DESK_PASSWORD: 'correct horse battery',
    PARTNER_DESK_CHECKER_EMAIL: 'chitra@lender.example',
    PARTNER_DESK_CHECKER_PASSWORD: 'another one since then',
  }
  const knownTo = async (isSandbox: boolean) => {
    const config = { ...byHand.ctx.config, ...settings, SANDBOX: isSandbox }
    await createFirstStaff({ ...byHand.ctx, config }, new Date())
    const rows = await byHand.db<{ knownTo: string[] }>`
      select known_to from staff where email like 'ch%@lender.example' order by email`
    return rows.map((row) => row.knownTo)
  }
  assert.deepEqual(await knownTo(true), [[], []])
  assert.deepEqual(await knownTo(false), [[commandLineKey], []])
})

test('a user gets only one mail when wrong passwords block the sign-in repeatedly', async () => {
  await deskPerson(byMail, 'Omar', 'viewer')
  const email = 'omar@lender.example'
  const attempt = { email, password: 'a wrong guess', address: '198.51.100.7', headers: {} }
  const guess = (at: Date) => signIn({ ...byMail.ctx, signIns: signInLimiter() }, attempt, at)
  const begin = Date.now()
  for (let i = 0; i < 10; i++) assert.equal(await guess(new Date(begin)), 'wrong')
  await assert.rejects(guess(new Date(begin)), { kind: 'rate-limited' })
  for (let i = 0; i < 10; i++) await guess(new Date(begin + 16 * 60_000))
  byMail.db.wake('staff-sign-in-notice')
  const mail = decodeMail(await mailTo(email))
  assert.match(mail, /Hello Omar,.*several wrong passwords.* from the network 198\.51\.100\.7\./s)
  assert.match(mail, /You can still sign in by: a browser/)
  assert.ok(!mail.includes('a wrong guess'))
  await until('all mails are sent', async () => {
    const queuedJobs = await byMail.db`select from job where kind = 'staff-sign-in-notice'`
    return queuedJobs.length === 0
  })
  assert.equal(mails.mails.filter(({ to }) => to.includes(email)).length, 1)
})

test('a password must not be the user’s e-mail address', async () => {
  const email = 'own.address@lender.example'
  const name = 'Own'
  const actor = { account: null, at: new Date() }
  const token = await byHand.db.tx((tx) => inviteStaff(tx, { email, name, roles: ['viewer'] }, 'hand', actor))
  const choice = choosePassword(byHand.ctx, token!, email.toUpperCase(), new Date())
  await assert.rejects(choice, { kind: 'invalid' })
})

test('decision 0042: a user is mailed when a second factor is added', async () => {
  await enableSecondFactor(byMail, await deskPerson(byMail, 'Mohan', 'credit'))
  const mail = decodeMail(await mailTo('mohan@lender.example'))
  assert.match(mail, /^Subject: Second factor set up for your account at the desk/m)
  assert.match(mail, /from the network 127\.0\.0\.1\..*a person who knows your password did it/s)
})
