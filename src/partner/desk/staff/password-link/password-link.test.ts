// One person must not act as two: users set passwords through mailed links; a link handed over makes both accounts
// count as one person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInLimiter } from '#kit/http/sign-in-limit.ts'
import { signIn } from '#kit/staff/sign-in.ts'
import { firstStaff } from '#partner/desk/staff/first-staff.ts'
import { commandLineKey, isOnePerson } from '#partner/desk/staff/one-person.ts'
import { changeRoles } from '#partner/desk/staff/staff.ts'
import {
  choosePasswordByLink,
  deskPerson,
  deskSession,
  pendingChangePath,
  pendingRequestPath,
  switchOnCodes,
} from '#test/setup/desk.ts'
import { mailServer } from '#test/setup/mail-server.ts'
import { startTestPartner, type TestPartner } from '#test/setup/partner.ts'
import { TestCase } from '#test/setup/partner-case.ts'
import { until, waitUntilLocked } from '#test/setup/programs.ts'
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
const above = { ...terms, amount: '300000', reason: 'A good shop.' }

/** A pending request for approval. */
async function requestBy(partner: TestPartner, maker: Awaited<ReturnType<typeof deskPerson>>): Promise<string> {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const page = `/desk/cases/${loanCase.caseRef}`
  await until('it is under review', async () => /Approve with these terms/.test((await maker.view(page)).text))
  assert.equal((await maker.send(`${page}/offer`, above)).status, 303)
  return pendingRequestPath(partner, loanCase.caseRef, 'OFFER')
}

test('a password reset mails a link that works once, and ends the user’s sessions', async () => {
  const admin = await deskPerson(byMail, 'Meera', 'admin')
  const checker = await deskPerson(byMail, 'Ravi', 'credit')
  const { email } = { email: 'ravi@lender.example' }
  const reset = await admin.send(`/desk/people/${email}/password`)
  assert.deepEqual([reset.status, linkPattern.test(reset.html)], [200, false], 'the admin sees no link')
  assert.match(reset.text, /A link to choose a password is on its way to ravi@lender\.example/)
  assert.equal((await checker.view('/desk')).status, 303, 'the session has ended')
  assert.equal(
    (
      await deskSession(byMail, { name: 'Ravi', email, password: 'correct horse battery' }).then((one) =>
        one.view('/desk'),
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
  const [, old] = linkPattern.exec(mail)!
  assert.equal((await fetch(`${byMail.url}/desk/password/${old}`)).status, 404, 'a newer link replaces it')

  const [link, token] = linkPattern.exec(newest)!
  // A web mail program opens the link from another site.
  const page = await fetch(`${byMail.url}${link}`, { headers: { 'sec-fetch-site': 'cross-site' } })
  assert.deepEqual([page.status, page.headers.get('referrer-policy')], [200, 'same-origin'])
  const send = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${byMail.url}${link}`, { method: 'POST', body: new URLSearchParams(form), headers })
  const fresh = 'a fresh horse battery'
  assert.equal((await send({ password: fresh, again: 'x' })).status, 400)
  assert.equal((await send({ password: 'short', again: 'short' })).status, 400)
  assert.equal((await send({ password: fresh, again: fresh }, { 'sec-fetch-site': 'cross-site' })).status, 403)
  const bothAnswers = await Promise.all([1, 2].map(() => send({ password: fresh, again: fresh })))
  assert.deepEqual(bothAnswers.map(({ status }) => status).sort(), [200, 404], 'one of two concurrent uses succeeds')
  const newSession = await deskSession(byMail, { name: 'Ravi', email, password: fresh })
  const seen = /Password reset by Meera on .*; password chosen on /
  assert.match((await newSession.view('/desk/me')).text, seen)
  assert.match((await admin.view('/desk/people')).text, seen)
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
  const request = await requestBy(byMail, clerk)
  assert.equal((await admin.send(`${request}/approve`)).status, 303)
})

test('when the invitation mail fails, the admin sees it and can send another link', async () => {
  const admin = await deskPerson(byMail, 'Devi', 'admin')
  mails.refusalCode = 550
  const form = { name: 'Nora', email: 'Nora@lender.example', role: 'viewer' }
  const added = await admin.send('/desk/people', form)
  assert.deepEqual([added.status, linkPattern.test(added.html)], [200, false])
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
  const { email } = { email: 'tara@lender.example' }
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

test('an admin who hands a link over and that user cannot decide each other’s requests', async () => {
  const admin = await deskPerson(byHand, 'Meera', 'admin', 'credit')
  const other = await deskPerson(byHand, 'Asha', 'admin')
  await deskPerson(byHand, 'Ravi', 'credit')
  const { email } = { email: 'ravi@lender.example' }
  const before = await requestBy(byHand, admin)
  const reset = await admin.send(`/desk/people/${email}/password`)
  assert.match(reset.text, /No mail server is set up\. Give this link/)
  const password = await choosePasswordByLink(byHand, reset.html)
  const ravi = await deskSession(byHand, { name: 'Ravi', email, password })
  const refused = await ravi.send(`${before}/approve`)
  assert.deepEqual([refused.status, /count as one person/.test(refused.text)], [403, true])
  assert.equal((await ravi.send(`${before}/refuse`, { reason: 'No.' })).status, 403)
  assert.doesNotMatch((await ravi.view('/desk/approvals')).html, /\/approve"/)
  assert.match((await ravi.view('/desk/me')).text, /Password reset by Meera.*Other people saw the link/s)
  assert.match((await admin.view('/desk/people')).text, /Password reset by Meera.*Other people saw the link/s)

  const made = await requestBy(byHand, ravi)
  assert.equal((await admin.send(`${made}/approve`)).status, 403, 'the admin cannot approve the user’s request either')
  await byHand.db`update staff set known_to = '{}' where email = ${email}`
  assert.equal((await admin.send(`${made}/approve`)).status, 403, 'the accounts at the time of the request count')
  assert.equal((await other.send(`${made}/approve`)).status, 303)
  assert.equal((await other.send(`${before}/approve`)).status, 303)
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
  const lena = await propose(admin, 'lena@lender.example')
  const confirmed = await tara.send(`${lena}/confirm`)
  assert.deepEqual([confirmed.status, /count as one person/.test(confirmed.text)], [403, true])
  assert.equal((await second.send(`${lena}/confirm`)).status, 303)
  const own = await propose(second, 'devi@lender.example')
  const mine = await tara.send(`${own}/confirm`)
  assert.deepEqual([mine.status, /You cannot decide about yourself/.test(mine.text)], [403, true])
})

test('accounts whose passwords one person may know count as one, across several links and the command line', async () => {
  const account = (staffId: string, ...knownTo: string[]) => ({ staffId, knownTo })
  assert.equal(isOnePerson(account('a'), account('b')), false)
  assert.equal(isOnePerson(account('a'), account('c', 'a')), true)
  assert.equal(isOnePerson(account('c', 'a'), account('d', 'a')), true)
  // Meera hands a link over to Ravi, so she may act as Ravi when he hands one over to Tara.
  const at = new Date()
  const { db } = byHand
  const person = (name: string) => ({ name, email: `${name}@chain.example`, roles: ['admin'] as const })
  const known = async (name: string) => {
    const [row] = await db<{ staffId: string; knownTo: string[] }>`
      select staff_id, known_to from staff where email = ${`${name}@chain.example`}`
    return row!
  }
  const meera = await deskPerson(byHand, 'Mira', 'admin')
  const handOver = async (name: string, by: { staffId: string; knownTo: string[] } | null) => {
    const token = await db.tx((tx) => inviteStaff(tx, person(name), 'hand', { account: by, at }))
    await choosePasswordByLink(byHand, `/desk/password/${token}`)
    return known(name)
  }
  const ravi = await handOver('ravi', account(meera.staffId))
  const tara = await handOver('tara', ravi)
  assert.deepEqual(tara.knownTo.toSorted(), [ravi.staffId, meera.staffId].toSorted())
  assert.equal(isOnePerson(account(meera.staffId), tara), true)
  // An operator may be any member of staff.
  const operator = await handOver('operator', null)
  await db.tx((tx) => changeRoles(tx, 'operator@chain.example', ['credit', 'admin'], at))
  assert.equal(isOnePerson(operator, account(meera.staffId)), true)
  // A reset by mail ends it.
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

test('an invalid link is refused before the password is hashed', async () => {
  await assert.rejects(choosePassword(byHand.ctx, 'a'.repeat(43), 'short', new Date()), { kind: 'absent' })
})

test('outside a sandbox an existing account with the password of the settings counts as an operator', async () => {
  await deskPerson(byHand, 'Charu', 'admin')
  await deskPerson(byHand, 'Chitra', 'admin')
  const settings = {
    ...{ PARTNER_DESK_EMAIL: 'charu@lender.example', PARTNER_DESK_PASSWORD: 'correct horse battery' },
    ...{ PARTNER_DESK_CHECKER_EMAIL: 'chitra@lender.example', PARTNER_DESK_CHECKER_PASSWORD: 'another one since then' },
  }
  const knownTo = async (isSandbox: boolean) => {
    await firstStaff({ ...byHand.ctx, config: { ...byHand.ctx.config, ...settings, SANDBOX: isSandbox } }, new Date())
    const rows = await byHand.db<{ knownTo: string[] }>`
      select known_to from staff where email like 'ch%@lender.example' order by email`
    return rows.map((row) => row.knownTo)
  }
  assert.deepEqual(await knownTo(true), [[], []])
  assert.deepEqual(await knownTo(false), [[commandLineKey], []])
})

test('a user gets one mail when wrong passwords pause the sign-in', async () => {
  await deskPerson(byMail, 'Omar', 'viewer')
  const email = 'omar@lender.example'
  const trying = { email, password: 'a wrong guess', address: '198.51.100.7', headers: {} }
  const guess = (at: Date) => signIn({ ...byMail.ctx, signIns: signInLimiter() }, trying, at)
  const begin = Date.now()
  for (let i = 0; i < 10; i++) assert.equal(await guess(new Date(begin)), 'wrong')
  await assert.rejects(guess(new Date(begin)), { kind: 'rate-limited' })
  for (let i = 0; i < 10; i++) await guess(new Date(begin + 16 * 60_000))
  byMail.db.wake('staff-sign-in-notice')
  const mail = decodeMail(await mailTo(email))
  assert.match(mail, /Hello Omar,.*several wrong passwords.* from the network 198\.51\.100\.7\./s)
  assert.match(mail, /You can still sign in by: a browser/)
  assert.ok(!mail.includes('a wrong guess'))
  await until('all mails are on their way', async () => {
    const waiting = await byMail.db`select from job where kind = 'staff-sign-in-notice'`
    return waiting.length === 0
  })
  assert.equal(mails.mails.filter(({ to }) => to.includes(email)).length, 1)
})

test('a password must not be the user’s e-mail address', async () => {
  const { email, name } = { email: 'own.address@lender.example', name: 'Own' }
  const actor = { account: null, at: new Date() }
  const token = await byHand.db.tx((tx) => inviteStaff(tx, { email, name, roles: ['viewer'] }, 'hand', actor))
  const choosing = choosePassword(byHand.ctx, token!, email.toUpperCase(), new Date())
  await assert.rejects(choosing, { kind: 'invalid' })
})

test('decision 0042: a user is mailed when a second factor is added', async () => {
  await switchOnCodes(byMail, await deskPerson(byMail, 'Mohan', 'credit'))
  const mail = decodeMail(await mailTo('mohan@lender.example'))
  assert.match(mail, /^Subject: Second factor set up for your account at the desk/m)
  assert.match(mail, /from the network 127\.0\.0\.1\..*a person who knows your password did it/s)
})
