// The lender's policy over real HTTP: one admin proposes a change with a start day, and a second admin confirms it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { startBank } from '@lendloom/tests/setup/bank'
import { type DeskPage, deskPerson, pendingChangePath } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { bankReviewOf, bankRulesOn } from '#partner/origination/review/bank/store.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'
import { classesOfBook, ratesFrom } from '#partner/servicing/loan/class/store.ts'

type Desk = Awaited<ReturnType<typeof startDesk>>

/** A lender with two admins, on a clock that the test moves ahead. Only a disbursement needs its bank. */
async function startDesk({ hasBank = false } = {}) {
  let clockOffsetMs = 0
  const clock = () => new Date(Date.now() + clockOffsetMs)
  const bank = hasBank ? await startBank({}, clock) : null
  const env: Record<string, string> = bank
    ? { BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' }
    : {}
  const partner = await startTestPartner(env, clock)
  const { db, ctx } = partner
  const devi = await deskPerson(partner, 'Devi', 'admin')
  return {
    partner,
    db,
    ctx,
    asha: await deskPerson(partner, 'Asha', 'admin'),
    devi,
    ravi: await deskPerson(partner, 'Ravi', 'credit', 'operations', 'collections', 'accounts'),
    setDaysAhead(days: number): void {
      clockOffsetMs = days * 86_400_000
    },
    confirm: async (setting: string, who = devi) => who.send(`${await pendingChangePath(partner, setting)}/confirm`),
  }
}

async function lastChangeOf({ db }: Desk) {
  const [row] = await db<{ detail: string; staffId: string }>`
    select detail, person_id as staff_id from audit_entry where act = 'POLICY_CHANGED' order by sequence desc limit 1`
  return { ...row!, detail: JSON.parse(row!.detail) }
}

const today = businessDate(new Date())
const from = plusDays(today, 3)
const path = '/desk/policy'
const debits = {
  retryDays: '3',
  mostAttempts: '2',
  weekdays: '1',
  contactFromHour: '9',
  contactUntilHour: '18',
  remindBefore: '3, 1',
  remindAfter: '1 3 7',
  from,
  reason: 'Fewer bounces.',
}
const rates = {
  'rate.STANDARD': '0.50',
  'rate.SMA_0': '0.50',
  'rate.SMA_1': '1',
  'rate.SMA_2': '5',
  'rate.SUB_STANDARD': '25',
  'rate.DOUBTFUL_1': '100',
  'rate.DOUBTFUL_2': '100',
  'rate.DOUBTFUL_3': '100',
  'rate.LOSS': '100',
  from,
  reason: 'Careful.',
}
const rule = { 'code.0': 'A_RULE', 'measure.0': 'months', 'bound.0': 'least', 'value.0': '6', 'effect.0': 'REVIEW' }

const assertRefused = (answer: DeskPage, status: number, message: RegExp) => {
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.text, message)
}

test('all users read the policy; only admins see forms and pending changes', async () => {
  const { asha, ravi } = await startDesk()
  const pageOfRavi = await ravi.view(path)
  const pageOfAsha = await asha.view(path)
  assert.match(pageOfRavi.text, /Days between a returned debit and the next attempt2/)
  assert.match(pageOfRavi.text, /Dear Lakshmi Nair,\s+₹9,580 is due on .*through your mandate/s)
  assert.match(pageOfRavi.text, /between 8:00 and 19:00/)
  assert.match(pageOfRavi.text, /Sub-standard10\.00%10\.00%/)
  assert.match(pageOfRavi.text, /Returned debits, last three monthsover 5 rule 1over 2 rule 3/)
  assert.ok(!pageOfRavi.html.includes('<form method="post" action="/desk/policy'))
  assert.ok(!pageOfRavi.text.includes('No changes to confirm') && pageOfAsha.text.includes('No changes to confirm'))
  const [index = ''] = /<nav class="jumps".*?<\/nav>/s.exec(pageOfAsha.html) ?? []
  for (const [, id] of index.matchAll(/href="#(.*?)"/g)) assert.ok(pageOfAsha.html.includes(` id="${id}">`), id)
  assert.equal(index.match(/href/g)?.length, 8)
  assert.ok(!pageOfRavi.html.includes('href="#changes"'))
  for (const action of ['debits', 'holidays', 'provisions', 'bank-rules'])
    assert.ok(pageOfAsha.html.includes(`action="/desk/policy/${action}"`), action)
})

test('an invalid change is refused at its field and not stored, and its form keeps the input', async () => {
  const { db, asha, ravi } = await startDesk()
  const invalidForms: [string, Record<string, string>, RegExp][] = [
    [
      'debits',
      { retryDays: '0' },
      /Days between a returned debit and the next attempt: it must be a whole number from 1 to 30/,
    ],
    ['debits', { contactFromHour: '7' }, /Contact from, hour: it must be a whole number from 8 to 19/],
    ['debits', { contactUntilHour: '20' }, /Contact until, hour: it must be a whole number from 8 to 19/],
    ['debits', { contactUntilHour: '9' }, /Contact until, hour: it must be later than the start hour/],
    ['debits', { weekdays: '8' }, /Weekdays for debits: choose at least one/],
    ['debits', { remindAfter: '1, soon' }, /Reminders after the due date, days: they must be at most ten numbers/],
    ['debits', { remindBefore: '1' }, /Reminders before the due date, days: one must be 2 or more/],
    ['debits', { from: today }, /Effective from: it must be a day after today/],
    ['debits', { from: '2026-02-30' }, /Effective from: it must be a day after today/],
    ['debits', { reason: ' ' }, /A second admin decides this: enter a reason of at most 500 characters/],
    ['provisions', { 'rate.SUB_STANDARD': '9.99' }, /Sub-standard: it must be a percentage from 10\.00, the norm/],
    [
      'provisions',
      { 'rate.DOUBTFUL_1': '50' },
      /Doubtful, up to 1 year: it must be a percentage from 100\.00, the norm/,
    ],
    ['provisions', { 'rate.STANDARD': '0.2' }, /Standard: it must be a percentage from 0\.25, the norm/],
    ['provisions', { 'rate.LOSS': '101' }, /Loss: it must be a percentage from 100\.00/],
    ['bank-rules', { ...rule, 'code.0': 'a rule' }, /Code of rule 1: it must contain only capital letters/],
    ['bank-rules', { ...rule, 'measure.0': 'height' }, /Figure of rule 1: choose one from the list/],
    ['bank-rules', { ...rule, 'value.0': '' }, /Value of rule 1: it must be a whole number/],
    ['bank-rules', { ...rule, ...ruleInRow(rule, 1) }, /Code of rule 2: it occurs twice/],
    ['holidays', { year: '2027', holidays: 'Holi' }, /Bank holidays, line 1: enter a day and a name/],
    [
      'holidays',
      { year: '2027', holidays: '2027-03-22 Holi\n2028-01-01 New Year' },
      /line 2: 2028-01-01 is not in 2027/,
    ],
    ['holidays', { year: '2027', holidays: '2027-03-22 Holi\n2027-03-22 Dol' }, /line 2: 2027-03-22 occurs twice/],
    ['holidays', { holidays: '' }, /Year is required/],
    ['holidays', { year: '2026', holidays: '' }, /2026-01-26 is not after today and cannot change/],
  ]
  const validForms = { debits, provisions: rates, 'bank-rules': { from, reason: 'New.' }, holidays: { reason: 'New.' } }
  for (const [action, change, message] of invalidForms) {
    const form = { ...validForms[action as keyof typeof validForms], ...change }
    const answer = await asha.send(`${path}/${action}`, form)
    assertRefused(answer, 400, message)
    assert.match(answer.html, /<details class="card todo" open>/, 'the form is open')
  }
  const outOfRange = await asha.send(`${path}/debits`, { ...debits, retryDays: '99' })
  assert.match(outOfRange.html, /name="retryDays" value="99"[^>]*aria-invalid="true"/)
  assertRefused(
    await asha.send(`${path}/holidays`, { year: '2031', holidays: holidays2031(), reason: 'None.' }),
    409,
    /already the current setting/,
  )
  assert.equal((await ravi.send(`${path}/debits`, debits)).status, 403)
  assert.equal((await db`select 1 from setting_change`).length, 0)
})

function ruleInRow(form: Record<string, string>, row: number): Record<string, string> {
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name.replace('.0', `.${row}`), value]))
}
const holidays2031 = () =>
  '2031-01-26 Republic Day\n\n2031-08-15 Independence Day\n2031-10-02 Mahatma Gandhi’s birthday\n'

test('D3 §6.7: a debit policy confirmed by a second admin applies from its start day', async () => {
  const desk = await startDesk()
  const { partner, db, asha, devi, ravi, confirm } = desk
  assert.equal((await asha.send(`${path}/debits`, debits)).status, 303)
  assertRefused(await devi.send(`${path}/debits`, debits), 409, /is already waiting for a second admin/)
  assert.equal((await confirm('DEBITS', asha)).status, 403)
  assert.equal((await policyOn(db, from)).retryDays, 2, 'not in effect before the confirmation')
  assert.match((await devi.view('/desk')).text, /1 Changes to confirm/)
  assert.ok(!(await ravi.view('/desk')).text.includes('Changes to confirm'))
  const confirmPath = `${await pendingChangePath(partner, 'DEBITS')}/confirm`
  const concurrentAnswers = await Promise.all([devi.send(confirmPath), devi.send(confirmPath)])
  assert.deepEqual(concurrentAnswers.map(({ status }) => status).sort(), [303, 409])
  assert.equal((await policyOn(db, plusDays(from, -1))).retryDays, 2)
  const policyFrom = await policyOn(db, from)
  assert.equal(policyFrom.retryDays, 3)
  assert.deepEqual(policyFrom.weekdays, [1])
  assert.equal(policyFrom.onHolidays, false)
  assert.deepEqual(policyFrom.remindBefore, [1, 3])
  const { detail, staffId } = await lastChangeOf(desk)
  assert.equal(staffId, devi.staffId)
  assert.equal(detail.setting, 'DEBITS')
  assert.equal(detail.from, from)
  assert.equal(detail.proposedBy, 'Asha')
  assert.equal(detail['Days between a returned debit and the next attempt'], 'from 2 to 3')
  assert.equal(detail['Contact hours'], 'from 8 am to 7 pm to 9 am to 6 pm')
  assert.match((await ravi.view(path)).text, new RegExp(`In forceFrom ${from}`))
})

test('approvals: a change of a setting is shown with its values, and is decided there', async () => {
  const { partner, asha, devi } = await startDesk()
  const approvals = '/desk/approvals'
  assert.match((await devi.view(approvals)).text, /Nothing to approve\./)
  await asha.send(`${path}/debits`, debits)
  const { text } = await devi.view(approvals)
  assert.match(text, /Proposed by Asha .* ago\./)
  assert.match(text, /Fewer bounces\./)
  assert.match(text, /Days between a returned debit and the next attempt 2.*becomes 3/)
  assert.match((await asha.view(approvals)).text, /You proposed this, so another admin must decide\./)
  const confirmed = await devi.send(`${await pendingChangePath(partner, 'DEBITS')}/confirm`, { returnTo: 'approvals' })
  assert.equal(confirmed.location, `${approvals}?done=POLICY_CHANGED`)
  assert.match((await devi.view(approvals)).text, /Nothing to approve\./)
})

/** One admin proposes the debits, and the other confirms them. */
async function confirmDebits({ asha, confirm }: Desk): Promise<void> {
  assert.equal((await asha.send(`${path}/debits`, debits)).status, 303)
  assert.equal((await confirm('DEBITS')).status, 303)
}

test('a pending change can be refused with a reason, withdrawn by its proposer only, or expire', async () => {
  const desk = await startDesk()
  const { partner, db, asha, devi, confirm } = desk
  await confirmDebits(desk)
  const fiveDays = { ...debits, retryDays: '5' }
  await asha.send(`${path}/debits`, fiveDays)
  const first = await pendingChangePath(partner, 'DEBITS')
  assert.equal((await devi.send(`${first}/refuse`)).status, 400)
  assert.equal((await devi.send(`${first}/withdraw`)).status, 403)
  assert.equal((await devi.send(`${first}/refuse`, { reason: 'Five days are long.' })).status, 303)
  const news = /Devi refused your change: Debits, contacts and reminders\s+Reason: Five days are long\./
  assert.match((await asha.view(path)).text, news)
  assert.doesNotMatch((await devi.view(path)).text, /refused your change/, 'only its proposer is told')
  assert.match((await asha.view('/desk')).text, /1 Your changes that were refused/)
  assert.doesNotMatch((await devi.view('/desk')).text, /Your changes that were refused/)
  await asha.send(`${path}/debits`, fiveDays)
  assert.doesNotMatch((await asha.view(path)).text, news, 'the proposer has acted on it')
  assert.doesNotMatch((await asha.view('/desk')).text, /Your changes that were refused/)
  assert.equal((await asha.send(`${await pendingChangePath(partner, 'DEBITS')}/withdraw`)).status, 303)
  await asha.send(`${path}/debits`, fiveDays)
  await db`update setting_change set expires_at = now() - interval '1 minute' where state = 'WAITING'`
  assertRefused(await confirm('DEBITS'), 409, /has expired/)
  assert.equal((await asha.send(`${path}/debits`, fiveDays)).status, 303, 'an expired change does not block another')
  assert.equal((await asha.send(`${await pendingChangePath(partner, 'DEBITS')}/withdraw`)).status, 303)
  assert.equal((await policyOn(db, from)).retryDays, 3)
  const states = await db<{
    state: string
  }>`select state from setting_change where setting = 'DEBITS' order by change_id`
  assert.deepEqual(
    states.map(({ state }) => state),
    ['CONFIRMED', 'REFUSED', 'WITHDRAWN', 'EXPIRED', 'WITHDRAWN'],
  )
})

test('confirming a change closes it without effect if the policy has changed since or its start day has passed', async () => {
  const desk = await startDesk()
  const { db, asha, setDaysAhead, confirm } = desk
  await confirmDebits(desk)
  await asha.send(`${path}/debits`, { ...debits, mostAttempts: '1' })
  await db`update collection_policy set most_attempts = 7 where from_on = ${from}`
  assertRefused(await confirm('DEBITS'), 409, /the change is closed: it has changed since this was proposed/)
  await asha.send(`${path}/debits`, { ...debits, mostAttempts: '1' })
  setDaysAhead(3)
  assertRefused(await confirm('DEBITS'), 409, /the change is closed: effective from: it must be a day after today/i)
  setDaysAhead(0)
  assert.equal((await policyOn(db, from)).mostAttempts, 7)
})

test('a confirmed list of bank holidays replaces all holidays of its year', async () => {
  const desk = await startDesk()
  const { db, asha, devi, ravi, confirm } = desk
  const holidays = '2032-01-26 Republic Day\n\n 2032-03-27  Holi \n2032-10-02 Gandhi Jayanti'
  assert.equal(
    (await asha.send(`${path}/holidays`, { year: '2032', holidays, reason: 'The list of the RBI.' })).status,
    303,
  )
  assert.match(
    (await devi.view(path)).text,
    /Bank holidays: 2032[\s\S]*2032-08-15 Independence Day becomes none2032-03-27 none becomes Holi/,
  )
  assert.equal((await confirm('HOLIDAYS')).status, 303)
  assert.equal((await policyOn(db, '2032-03-27')).holiday, 'Holi')
  assert.equal((await policyOn(db, '2032-08-15')).holiday, null)
  assert.equal((await policyOn(db, '2031-08-15')).holiday, 'Independence Day', 'other years stay')
  assert.match((await ravi.view(`${path}?year=2032`)).text, /27 Mar 2032Holi/)
  const { detail } = await lastChangeOf(desk)
  assert.equal(detail['2032-10-02'], 'from Mahatma Gandhi’s birthday to Gandhi Jayanti')
})

test('the day-end uses confirmed provision rates from their start day', async () => {
  const desk = await startDesk({ hasBank: true })
  const { partner, db, asha, ravi, confirm } = desk
  assert.equal((await asha.send(`${path}/provisions`, rates)).status, 303)
  assert.equal((await confirm('PROVISIONS')).status, 303)
  const loanCase = new TestCase(partner)
  await loanCase.runToDisbursement()
  const rateOn = async (on: string) => (await classesOfBook(db, on))[0]?.provisionBps
  assert.equal(await rateOn(plusDays(from, -1)), 40)
  assert.equal(await rateOn(from), 50)
  assert.equal((await ratesFrom(db, today)).length, 18, 'nine current and nine planned rates')
  assert.match((await ravi.view(path)).text, /Sub-standard10\.00%10\.00%25\.00%/)
  const { detail } = await lastChangeOf(desk)
  assert.equal(detail['Sub-standard'], 'from 10.00% to 25.00%')
  assert.equal(detail.Loss, undefined, 'unchanged rates are not in the entry')
})

test('D3 §2.3: confirmed bank data rules replace the rules of the settings from their start day', async () => {
  const desk = await startDesk()
  const { partner, db, ctx, asha, ravi, setDaysAhead, confirm } = desk
  assert.equal((await asha.send(`${path}/bank-rules`, { ...rule, from, reason: 'Simpler.' })).status, 303)
  assert.equal((await confirm('BANK_RULES')).status, 303)
  assert.equal(await bankRulesOn(db, ctx.config, plusDays(from, -1)), ctx.config.PARTNER_BANK_RULES)
  assert.deepEqual(await bankRulesOn(db, ctx.config, from), [
    { code: 'A_RULE', measure: 'months', least: 6, effect: 'REVIEW' },
  ])
  assert.match((await ravi.view(path)).text, /Other rules take effect on/)
  setDaysAhead(4)
  const loanCase = new TestCase(partner)
  await loanCase.register()
  setDaysAhead(0)
  const review = await bankReviewOf(db, ctx.seal, loanCase.caseRef)
  assert.deepEqual(
    review.findings.map(({ code }) => code),
    ['A_RULE'],
  )
  const { detail } = await lastChangeOf(desk)
  assert.equal(detail.A_RULE, 'from none to Months covered under 6: Review')
  assert.match(detail.RETURNED_DEBITS, / to none$/)
})

test('a single admin is warned that no second person can confirm', async () => {
  const { db, asha, devi } = await startDesk()
  await db`update staff set removed_at = now() where staff_id = ${devi.staffId}`
  assert.match((await asha.view(path)).text, /You are the only admin, so no one else can confirm a change/)
  await db`update staff set removed_at = null where staff_id = ${devi.staffId}`
})
