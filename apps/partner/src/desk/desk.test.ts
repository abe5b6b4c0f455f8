// The desk over real HTTP: sign-in, case pages and acts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listOutbox } from '@lendloom/event-log/outbox'
import { readHtml } from '@lendloom/http/html'
import { withCurrentVersion } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { addStaff } from './staff/staff.ts'

const email = 'meera@lender.example'
const password = 'correct horse battery'
const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
await partner.db.tx((tx) => addStaff(tx, { email, name: 'Meera', password, roles: ['admin'] }, new Date()))

interface DeskRequest {
  cookie?: string | undefined
  form?: Record<string, string>
  headers?: Record<string, string>
}
const desk = async (path: string, { cookie, form, headers = {} }: DeskRequest = {}) =>
  fetch(`${partner.url}${form ? await withCurrentVersion(partner, path) : path}`, {
    redirect: 'manual',
    headers: { ...headers, ...(cookie && { cookie }) },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
async function signIn(as = email): Promise<string> {
  const answer = await desk('/desk/sign-in', { form: { email: ` ${as.toUpperCase()} `, password } })
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), '/desk')
  return answer.headers.get('set-cookie')!.split(';')[0]!
}
const textOf = async (answer: Response): Promise<string> => readHtml(await answer.text()).text()

test('the desk refuses requests without a session or from another site', async () => {
  const paths = ['/desk', '/desk/cases', '/desk/money', '/desk/exchange', '/desk/acts', '/desk/me', '/desk/cases/x']
  for (const path of [...paths, '/desk/cases/x/documents/y', '/desk/money/receipts/x/y?number=1']) {
    const refused = await desk(path)
    assert.equal(refused.status, 303)
    assert.equal(refused.headers.get('location'), '/desk/sign-in')
  }
  const withSlash = await desk('/desk/')
  assert.equal(withSlash.status, 303)
  assert.equal(withSlash.headers.get('location'), '/desk')
  const wrongPassword = await desk('/desk/sign-in', { form: { email, password: 'wrong' } })
  assert.equal(wrongPassword.status, 401)
  const wrongText = await textOf(wrongPassword)
  assert.match(wrongText, /The email or password is wrong/)
  assert.ok(wrongText.includes(`lendloom desk password ${email}`))
  const cookie = await signIn()
  assert.equal((await desk('/desk', { cookie })).status, 200)
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[])
    assert.equal((await desk('/desk/exchange', { cookie, headers })).status, 403)
  const sameOriginHeaders = { origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }
  assert.equal((await desk('/desk', { cookie, headers: sameOriginHeaders })).status, 200)
  assert.equal((await desk('/desk/sign-out', { cookie, form: {} })).status, 303)
  assert.equal((await desk('/desk', { cookie })).status, 303)
})

/** Tries to sign in with a wrong password that many times; returns the statuses. */
async function guess(as: string, times: number): Promise<number[]> {
  const statuses = []
  for (let i = 0; i < times; i++)
    statuses.push((await desk('/desk/sign-in', { form: { email: as, password: 'x' } })).status)
  return statuses
}

test('the sign-in page says who resets a password, and in the sandbox where the passwords are', async () => {
  const text = await textOf(await desk('/desk/sign-in'))
  assert.match(text, /Forgot your password\?.*An administrator of the desk resets it/)
  assert.match(text, /lendloom desk password you@example\.com/)
})

test('after five wrong passwords, further attempts are limited', async () => {
  const attempts = await guess('guess@lender.example', 8)
  assert.deepEqual(attempts, [401, 401, 401, 401, 401, 429, 429, 429])
})

test('wrong passwords are recorded, but do not limit a known device of the person', async () => {
  const owner = 'asha@lender.example'
  await partner.db.tx((tx) => addStaff(tx, { email: owner, name: 'Asha', password, roles: ['admin'] }, new Date()))
  const first = await desk('/desk/sign-in', { form: { email: owner, password } })
  const cookies = first.headers.getSetCookie().map((each) => each.split(';')[0]!)
  assert.match(first.headers.getSetCookie()[1]!, /^desk-device=.{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=/)
  assert.deepEqual([...new Set(await guess(owner, 6))], [401, 429])
  const unknownDevice = await desk('/desk/sign-in', { form: { email: owner, password } })
  assert.equal(unknownDevice.status, 429, 'an unknown device is limited')
  assert.match(unknownDevice.headers.get('retry-after')!, /^\d+$/)
  const knownDevice = await desk('/desk/sign-in', { form: { email: owner, password }, cookie: cookies[1] })
  assert.equal(knownDevice.status, 303)
  assert.equal(knownDevice.headers.getSetCookie().length, 1)
  await guess('other@lender.example', 6)
  const otherPerson = await desk('/desk/sign-in', {
    form: { email: 'other@lender.example', password },
    cookie: cookies[1],
  })
  assert.equal(otherPerson.status, 429, 'a device is known only for its owner')
  const failures = await partner.db<{ outcome: string; name: string | null }>`
    select f.outcome, s.name from sign_in_failure f join staff s on s.staff_id = f.person_id where s.email = ${owner}`
  assert.deepEqual([...new Set(failures.map(({ outcome }) => outcome))].sort(), ['LIMITED', 'WRONG'])
  assert.ok(failures.every(({ name }) => name === 'Asha'))
  const page = await textOf(
    await desk('/desk/acts?part=sign-ins', { cookie: knownDevice.headers.getSetCookie()[0]!.split(';')[0] }),
  )
  assert.match(page, /Failed sign-ins[\s\S]*127\.0\.0\.1[\s\S]*Wrong email or password/)
})

test('a form with a NUL character is refused, and the message names the field', async () => {
  await partner.db.tx((tx) =>
    addStaff(tx, { email: 'nita@lender.example', name: 'Nita', password, roles: ['admin'] }, new Date()),
  )
  const cookie = await signIn('nita@lender.example')
  const nul = 'a\0b'
  for (const [path, form, name] of [
    ['/desk/sign-in', { email: nul, password: 'x' }, 'Email'],
    ['/desk/sign-in', { email, password: nul }, 'Password'],
    ['/desk/me/password', { password: nul, fresh: 'x', again: 'x' }, 'Password'],
    ['/desk/cases/x/reject', { reasonCode: 'OTHER', reasonMessage: nul }, 'ReasonMessage'],
    ['/desk/money/receipts/x/y', { number: nul }, 'Number'],
    ['/desk/autopilot', { on: nul }, 'On'],
  ] as const) {
    const answer = await desk(path, { cookie, form })
    assert.equal(answer.status, 400, path)
    assert.match(await textOf(answer), new RegExp(`${name} must not contain NUL`, 'i'), path)
  }
})

test('pages forbid scripts, framing and caching, and the session cookie is SameSite=Strict', async () => {
  const answer = await desk('/desk/sign-in', { form: { email, password } })
  assert.match(answer.headers.getSetCookie()[0]!, /; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
  const page = await desk('/desk', { cookie: answer.headers.get('set-cookie')!.split(';')[0] })
  const policy = page.headers.get('content-security-policy')!
  assert.ok(policy.includes("default-src 'none'") && policy.includes("frame-ancestors 'none'"))
  assert.ok(!policy.includes('script-src') && page.headers.get('cache-control') === 'no-store')
})

test('D3 §1.1: the page of a lead masks personal data, and a decision on the page is sent to the platform', async () => {
  const cookie = await signIn()
  assert.match(await textOf(await desk('/desk/search', { cookie, form: { q: 'no-1-like-that' } })), /No results/)
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { caseRef, lead } = loanCase
  const page = `/desk/cases/${caseRef}`
  const text = await until('the case exists', async () => {
    const answer = await desk(page, { cookie })
    return answer.status === 200 ? textOf(answer) : undefined
  })
  assert.ok(text.includes(lead.borrower.last_name) && text.includes(lead.borrower.pan.slice(-4)))
  assert.ok(!text.includes(lead.borrower.pan) && !text.includes(lead.borrower.mobile.slice(-10)))
  await until('the case is under review', async () => /Under review/.test(await textOf(await desk(page, { cookie }))))

  const form = {
    amount: '60000',
    annualRatePercent: '26',
    feePercent: '2',
    taxPercent: '18',
    otherCharges: '0',
    validDays: '3',
  }
  const invalidOffer = await desk(`${page}/offer`, { cookie, form: { ...form, amount: '6e4' } })
  assert.equal(invalidOffer.status, 400)
  assert.match(await textOf(invalidOffer), /Amount is not readable: "6e4"/)
  assert.equal((await desk(`${page}/disburse`, { cookie, form: {} })).status, 409)
  const review = await textOf(await desk(page, { cookie }))
  assert.match(
    review,
    /Bank data\s*No figures[\s\S]*Approve and offer[\s\S]*Date of birth/,
    'the figures are above the decision',
  )
  const offered = await desk(`${page}/offer`, { cookie, form })
  assert.equal(offered.status, 303)
  assert.match(
    await textOf(await desk(offered.headers.get('location')!, { cookie })),
    /Approved, and offered terms: ₹60,000, application \d+\./,
  )
  const event = await until('the decision is sent', () =>
    partner.events.find((each) => each.event_type === 'MANUAL_REVIEW_DECIDED' && each.entity_id === caseRef),
  )
  assert.ok(event.event_type === 'MANUAL_REVIEW_DECIDED')
  const { decision, offer } = event.data
  assert.equal(decision, 'APPROVED')
  assert.equal(offer?.loan_amount, '60000.00')
  assert.equal(offer?.annual_interest_rate_percent, '26.00')
  const after = await textOf(await desk(page, { cookie }))
  assert.ok(after.includes('Offered') && after.includes('Meera'), 'the history names the decider')
  assert.equal(
    (await desk(`${page}/reject`, { cookie, form: { reasonCode: 'LATE', reasonMessage: 'No.' } })).status,
    409,
  )
})

test('D3 §6 rule 8: an undelivered event can be resent from the desk', async () => {
  const cookie = await signIn()
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { caseRef } = loanCase
  await loanCase.waitForEvent('LEAD_REGISTERED')
  const [event] = await listOutbox(partner.db, { partitionKey: caseRef })
  const { eventId } = event!
  await until(
    'the delivery is recorded',
    async () => (await listOutbox(partner.db, { eventId }))[0]!.state === 'DELIVERED',
  )
  await partner.db`update outbox set state = 'DEAD', dead_at = now(), last_answer = '503' where event_id = ${eventId}`
  assert.match(await textOf(await desk('/desk/exchange', { cookie })), new RegExp(`${caseRef}\\s*Lead registered`))
  assert.equal((await desk(`/desk/exchange/replay/${eventId}`, { cookie, form: {} })).status, 303)
  await until(
    'the event is delivered',
    async () => (await listOutbox(partner.db, { eventId }))[0]!.state === 'DELIVERED',
  )
})
