// The list of arrears over real HTTP: bands, the way through the cases of a filter, and the assignment of many cases.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner, type TestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { lockCase, readCase } from '#partner/origination/case/store.ts'
import { productTerms } from '#partner/origination/review/offer.ts'
import { finalTerms } from '#partner/origination/terms/terms.ts'
import { decideDuePromises } from '#partner/servicing/collection/arrears/promise.ts'
import { newPayment, type Payment } from '#partner/servicing/collection/payment.ts'
import { insertPayment } from '#partner/servicing/collection/payment-store.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { openLoan } from '#partner/servicing/loan/open-loan.ts'
import { postReceipt } from '#partner/servicing/loan/post-receipt.ts'

const today = businessDate(new Date())
const path = '/desk/collections'
const address = (caseRef: string, rest = '') => `/desk/cases/${encodeURIComponent(caseRef)}${rest}`
const nextOf = (html: string) => /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
const listedLoans = (html: string) => html.match(/<td class=" title">/g)?.length ?? 0
type Desk = Awaited<ReturnType<typeof startDesk>>

/** A desk at eleven o'clock with four loans in arrears, which have no agent. */
async function startDesk() {
  let now = new Date()
  const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' }, () => now)
  const loans = [
    await openOverdueLoan(partner, 91),
    await openOverdueLoan(partner, 31),
    await openOverdueLoan(partner, 30),
    await openOverdueLoan(partner, 1),
  ] as const
  await dayEnd(partner.ctx, plusDays(today, -1), async () => {})
  now = secondsAfter(startOf(today), 11 * 3600)
  const [oldest, second, third, newest] = loans.map(({ caseRef }) => caseRef) as [string, string, string, string]
  const meera = await deskPerson(partner, 'Meera', 'operations')
  return {
    partner,
    db: partner.db,
    vikram: await deskPerson(partner, 'Vikram', 'collections'),
    meera,
    ravi: await deskPerson(partner, 'Ravi', 'viewer'),
    loans,
    caseRefs: [oldest, second, third, newest],
    oldest,
    second,
    third,
    newest,
    timeNow: () => now,
    /** Moves the clock to so many seconds after the midnight before today. */
    moveTo(seconds: number): void {
      now = secondsAfter(startOf(today), seconds)
    },
    mobileOf: (i: number) => loans[i]!.lead.borrower.mobile.slice(-10),
    assign: (staffId: string, cases: string[], more: [string, string][] = []) =>
      meera.send(`${path}/agent?whose=all`, [
        ['staffId', staffId],
        ...cases.map((each): [string, string] => ['case', `:${each}`]),
        ...more,
      ]),
    agents: () => partner.db<{ caseRef: string; staffId: string }>`
      select case_ref, staff_id from collection_agent order by case_ref`,
  }
}

/** Opens a loan whose oldest unpaid instalment fell due some days ago. */
async function openOverdueLoan(partner: TestPartner, daysAgo: number): Promise<TestCase> {
  const { db, ctx } = partner
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { caseRef } = loanCase
  await until('under review', async () => (await readCase(db, caseRef))?.status === 'UNDER_REVIEW')
  const terms = finalTerms(productTerms(ctx.config, 10_000_000n, 22))
  await db.tx(async (tx) => {
    const { loanId } = await lockCase(tx, caseRef)
    const loan = { caseRef, loanId, loanAccountId: `LA${loanId}`, terms, disbursedOn: plusDays(today, -daysAgo - 7) }
    await openLoan(tx, { ...loan, disbursedPaise: terms.netPaise, bankReference: 'SBXB26324000000000001' }, ctx.clock())
    await tx`update case_file set status = 'DISBURSED' where case_ref = ${caseRef}`
  })
  return loanCase
}

const byPost: [string, string][] = [['sentByPost', 'yes']]

/** A desk whose agent Vikram has the three oldest cases, and whose letters introduced him a day ago. */
async function deskOfVikram(): Promise<Desk> {
  const desk = await startDesk()
  const assigned = await desk.assign(desk.vikram.staffId, desk.caseRefs.slice(0, 3), byPost)
  assert.equal(assigned.status, 303)
  // A letter counts as sent at the time of the assignment.
  await desk.db`update agent_notice set settled_at = settled_at - interval '1 day'`
  return desk
}

test('D3 §6.7: a rest within the tolerance makes a loan no older, in the bands and on its page', async () => {
  const { db, vikram, oldest, timeNow } = await startDesk()
  const [olderRows] = await db<{ paise: bigint }>`
    select sum(interest_paise + principal_paise + penalty_paise)::bigint as paise from installment
    where case_ref = ${oldest} and due_on < ${plusDays(today, -40)}`
  const receipt = { caseRef: oldest, paymentId: randomUUID(), paise: olderRows!.paise - 1n, valueOn: today }
  await db.tx((tx) => postReceipt(tx, receipt, timeNow()))
  const { text } = await vikram.view(path)
  assert.match(text, /31–60 days\s*2[\s\S]*61–90 days\s*0[\s\S]*Over 90 days\s*0/)
  const over90Days = await vikram.view(`${path}?show=91`)
  assert.equal(listedLoans(over90Days.html), 0)
  const caseOfOldest = await vikram.view(address(oldest))
  assert.match(caseOfOldest.text, /35 days past due/)
})

test('D3 §6.7: the bands sum what is overdue and at risk, and each shows its loans alone', async () => {
  const { db, vikram } = await startDesk()
  const [sums] = await db<{ overdue: string; risk: string }>`
    select sum(principal_paise + interest_paise + charges_paise + penalty_paise)::text as overdue, (select sum(principal_paise)::text from loan) as risk
    from installment where fell_due`
  const { html, text } = await vikram.view(path)
  assert.match(text, /All 4\s+My cases 0\s+Unassigned 4/)
  assert.match(text, /1–30 days\s*2[\s\S]*31–60 days\s*1[\s\S]*61–90 days\s*0[\s\S]*Over 90 days\s*1/)
  const rupeesIn = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((sum, [, amount = '']) => {
      const [whole = '', paise = ''] = amount.replaceAll(',', '').split('.')
      return sum + BigInt(whole + paise.padEnd(2, '0'))
    }, 0n)
  assert.equal(rupeesIn(/₹([\d,.]+) overdue/g), BigInt(sums!.overdue))
  assert.equal(rupeesIn(/₹([\d,.]+) at risk/g), BigInt(sums!.risk))
  assert.equal(listedLoans(html), 4)
  const countIn = async (show: string) => listedLoans((await vikram.view(`${path}?show=${show}`)).html)
  assert.equal(await countIn('1'), 2)
  assert.equal(await countIn('31'), 1)
  assert.equal(await countIn('61'), 0)
  assert.equal(await countIn('91'), 1)
  assert.equal((await vikram.view(`${path}?show=2`)).status, 400)
})

test('D3 §6.7: many cases are assigned to one agent together or not at all, each with an audit entry', async () => {
  const { db, vikram, meera, ravi, caseRefs, newest, assign, agents } = await startDesk()
  assert.equal((await ravi.view(path)).html.includes('name="case"'), false, 'a viewer assigns no agents')
  assert.equal((await ravi.send(`${path}/agent`, { staffId: vikram.staffId })).status, 403)
  const withoutMail = await assign(vikram.staffId, caseRefs)
  assert.equal(withoutMail.status, 400)
  const [first] = await db<{ loanId: string }>`select loan_id from loan order by loan_id limit 1`
  assert.match(
    withoutMail.text,
    new RegExp(`No case was assigned\\. Loans ${first!.loanId}, [\\d, ]+: no email can introduce`),
  )
  assert.equal(withoutMail.html.match(/name="case"[^>]* checked/g)?.length, 4, 'the cases stay selected')
  await db`update loan set status = 'ACTIVE' where case_ref = ${newest}`
  const [paid] = await db<{ loanId: string }>`select loan_id from loan where case_ref = ${newest}`
  assert.match((await assign(vikram.staffId, caseRefs, byPost)).text, new RegExp(`Loan ${paid!.loanId}: not overdue`))
  await db`update loan set status = 'OVERDUE' where case_ref = ${newest}`
  for (const [staffId, cases] of [
    [ravi.staffId, caseRefs],
    ['', caseRefs],
    [vikram.staffId, []],
    [vikram.staffId, Array.from({ length: 201 }, (_, i) => `case-${i}`)],
  ] as const)
    assert.equal((await assign(staffId, [...cases], byPost)).status, 400)
  assert.equal((await assign(vikram.staffId, [...caseRefs, 'unknown'], byPost)).status, 404)
  assert.deepEqual(await agents(), [])

  const assigned = await assign(vikram.staffId, caseRefs.slice(0, 3), byPost)
  assert.equal(assigned.status, 303)
  assert.equal(assigned.location, `${path}?whose=all&done=AGENT_ASSIGNED`)
  assert.match((await meera.view(assigned.location)).text, /Assigned an agent to the case: 3 cases\./)
  assert.deepEqual(
    await agents(),
    caseRefs
      .slice(0, 3)
      .toSorted()
      .map((caseRef) => ({ caseRef, staffId: vikram.staffId })),
  )
  const entries = await db<{ caseRef: string }>`
    select case_ref from audit_entry where act = 'AGENT_ASSIGNED' and subject = ${vikram.staffId} order by case_ref`
  assert.deepEqual(
    entries.map(({ caseRef }) => caseRef),
    caseRefs.slice(0, 3).toSorted(),
  )
})

test('D3 §6.7: an agent begins with their own cases, and goes from each to the next of the list', async () => {
  const { partner, vikram, meera, oldest, second, third, mobileOf } = await deskOfVikram()
  const { html, text } = await vikram.view(path)
  assert.match(html, /aria-current="true" href="[^"]*whose=mine">My cases 3/)
  assert.match((await meera.view(path)).html, /aria-current="true" href="[^"]*whose=all">All 4/)
  assert.match(text, /Vikram/)
  const firstAddress = /<td class=" title">[\s\S]*?href="(\/desk\/cases\/[^"]+)"/.exec(html)?.[1] ?? ''
  assert.match(firstAddress, new RegExp(`^${address(oldest)}\\?list=mine\\.\\.`))
  const first = await vikram.view(firstAddress)
  assert.match(first.text, new RegExp(`Show number •••• ${mobileOf(0).slice(-4)}`))
  const secondPage = await vikram.view(nextOf(first.html) ?? '')
  assert.ok(nextOf(first.html)?.startsWith(address(second)))

  const place = new URL(nextOf(first.html)!, partner.url).search
  assert.match(secondPage.html, new RegExp(`action="${address(second)}/contact\\?[^"]*list=mine`))
  const promised = await vikram.send(address(second, `/promise${place}`), { amount: '5,000', promisedOn: today })
  assert.equal(promised.location, `${address(second)}?done=PROMISE_MADE&list=${place.slice('?list='.length)}`)
  assert.match((await vikram.view(promised.location)).text, /Recorded a promise to pay: loan \d+\./)
  const quote = await vikram.view(address(second, `/payoff${place}`))
  assert.ok(quote.html.includes(`href="${address(second, place)}"`), 'a quote leads back to the place')
  const task = { text: 'Call again', assignee: vikram.staffId, dueOn: today }
  assert.equal((await vikram.send(address(second, `/task${place}`), task)).status, 303)
  assert.match((await vikram.view(address(second, place))).html, /action="[^"]+\/task-done\?list=mine/)
  const contact = { way: 'CALL', outcome: 'REACHED', note: 'Pays today.', contactedAt: `${today}T10:30` }
  const withoutNote = await vikram.send(address(second, `/contact${place}`), { ...contact, note: '' })
  assert.equal(withoutNote.status, 400)
  assert.match(withoutNote.text, /Write down what the borrower said/)
  assert.ok(nextOf(withoutNote.html), 'a refused form keeps the place in the list')
  const unreached = { ...contact, outcome: 'NOT_REACHED', note: '', contactedAt: `${today}T10:10` }
  assert.equal((await vikram.send(address(second, '/contact'), unreached)).status, 303)
  const noted = await vikram.send(address(second, `/contact${place}`), contact)
  assert.equal(noted.status, 303)
  assert.ok(nextOf((await vikram.view(noted.location)).html)?.startsWith(address(third)))
  const end = await vikram.view(nextOf((await vikram.view(noted.location)).html) ?? '')
  assert.equal(nextOf(end.html), undefined)
  assert.match(end.text, /Back to the list/)

  const due = await vikram.view(`${path}?show=promised`)
  assert.match(due.text, /Promises due\s*1[\s\S]*₹5,000 by [\w ]+Today[\s\S]*Spoke to the borrower/)
  assert.equal(listedLoans(due.html), 1)
  assert.equal((await vikram.view(address(second, '?list=mine.31.2026-02-31'))).status, 200, 'no such place')
})

test('a number to call is shown only once the audit log has that a collector saw it, and nothing else is revealed', async () => {
  const { db, vikram, ravi, loans, oldest, mobileOf, moveTo } = await deskOfVikram()
  const mobile = mobileOf(0)
  const { borrower } = loans[0]!.lead
  const [, place = ''] =
    /<td class=" title">[\s\S]*?href="[^"?]+(\?list=[^"]+)"/.exec((await vikram.view(path)).html) ?? []
  const reveal = (form: [string, string][], person = vikram) => person.send(address(oldest, `/reveal${place}`), form)
  const toCall: [string, string][] = [
    ['field', 'mobile'],
    ['reason', 'CALL_ABOUT_DUES'],
  ]
  const masked = await vikram.view(address(oldest, place))
  assert.ok(!masked.html.includes(mobile))
  assert.match(masked.html, /name="field" value="mobile"><input type="hidden" name="reason" value="CALL_ABOUT_DUES">/)
  const form = await vikram.view(address(oldest, '?act=reveal'))
  assert.match(form.text, /What you need to see\s*Mobile\s*Why/, 'a collector may reveal nothing else')
  const revealed = await reveal(toCall)
  assert.equal(revealed.status, 200)
  assert.ok(revealed.html.includes(`href="tel:+91${mobile}">Call <small>${mobile.slice(0, 5)} ${mobile.slice(5)}`))
  assert.ok(nextOf(revealed.html), 'the page keeps its place in the list')
  for (const field of ['pan', 'dateOfBirth', 'email']) {
    const refused = await reveal([...toCall, ['field', field]])
    assert.equal(refused.status, 403)
    assert.match(refused.text, /Your role may reveal only the mobile number/)
    assert.ok(!refused.text.includes(borrower.pan) && !refused.html.includes(mobile))
  }
  assert.equal((await reveal(toCall, ravi)).status, 403)
  moveTo(19 * 3600 + 60)
  assert.equal((await reveal(toCall)).status, 403, 'nobody may call at this hour')
  assert.doesNotMatch((await vikram.view(address(oldest))).text, /Reveal/)
  const entries = await db<{ detail: string }>`
    select detail from audit_entry where act = 'PERSONAL_DATA_REVEALED' and case_ref = ${oldest}`
  assert.deepEqual(
    entries.map(({ detail }) => JSON.parse(detail)),
    [{ because: 'CALL_ABOUT_DUES', fields: 'mobile' }],
  )
})

test('RBI, hours of contact: the page has no number to call outside the hours, or before the agent is introduced', async () => {
  const { db, vikram, ravi, loans, oldest, newest, mobileOf, moveTo } = await deskOfVikram()
  const numbers = new Map(loans.map(({ caseRef }, i) => [caseRef, mobileOf(i)]))
  const toCall = { field: 'mobile', reason: 'CALL_ABOUT_DUES' }
  const hasNumber = async (caseRef: string, person = vikram) =>
    (await person.send(address(caseRef, '/reveal'), toCall)).html.includes(`tel:+91${numbers.get(caseRef)}`)
  assert.equal(await hasNumber(oldest), true)
  assert.equal(await hasNumber(oldest, ravi), false)
  assert.equal(await hasNumber(newest), true)
  await db`update agent_notice set state = 'FAILED' where case_ref = ${oldest}`
  assert.equal(await hasNumber(oldest), false)
  moveTo(19 * 3600 + 60)
  assert.equal(await hasNumber(newest), false)
  const late = await vikram.view(address(newest))
  assert.match(late.html, /<a class="secondary" role="link" aria-disabled="true">Call <small>from 8 am/)
  assert.match(late.text, /Do not call, visit or message the borrower before 8\sam tomorrow\./)
  assert.match(late.html, /name="contactedAt" value=""[\s\S]*name="outcome" required><option value="" selected>/)
  moveTo(7 * 3600)
  assert.match((await vikram.view(address(newest))).text, /before 8\sam today\./)
})

test('D3 §1.1 rule 3: an assignment from an outdated page names the loan and who changed its agent', async () => {
  const { partner, db, vikram, meera, third, newest, agents } = await deskOfVikram()
  const leela = await deskPerson(partner, 'Leela', 'operations')
  const agentOfCase = async (caseRef: string) =>
    (await agents()).find((each) => each.caseRef === caseRef)?.staffId ?? null
  const loanIdOf = async (caseRef: string) =>
    (await db<{ loanId: string }>`select loan_id from loan where case_ref = ${caseRef}`)[0]!.loanId
  const valueOn = async (person: typeof meera, page: string, caseRef: string) => {
    const found = new RegExp(`name="case" value="([^":]*:${caseRef})"`).exec((await person.view(page)).html)
    assert.ok(found, `${page} has the case ${caseRef}`)
    return found[1]!
  }
  const list = `${path}?whose=all`
  const formOf = (staffId: string, values: string[]): [string, string][] => [
    ['staffId', staffId],
    ['sentByPost', 'yes'],
    ...values.map((value): [string, string] => ['case', value]),
  ]
  const ofNewest = await valueOn(leela, list, newest)
  const ofThird = await valueOn(leela, list, third)
  assert.equal(ofNewest, `:${newest}`)
  assert.equal(ofThird, `${vikram.staffId}:${third}`)

  const onCase = await valueOn(meera, `${address(newest)}?act=agent`, newest)
  assert.equal((await meera.send(address(newest, '/agent'), formOf(vikram.staffId, [onCase]))).status, 303)
  const late = await leela.send(`${path}/agent?whose=all`, formOf(leela.staffId, [ofNewest, ofThird]))
  const change = `Loan ${await loanIdOf(newest)}: Meera assigned Vikram after you opened the page`
  assert.equal(late.status, 409)
  assert.equal(late.text.includes(`No case was assigned. ${change}.`), true)
  assert.equal(late.html.match(/name="case"[^>]* checked/g)?.length, 2, 'the cases stay selected')
  assert.equal(await agentOfCase(newest), vikram.staffId)
  assert.equal(await agentOfCase(third), vikram.staffId)
  const lateOnCase = await leela.send(address(newest, '/agent'), formOf(leela.staffId, [onCase]))
  assert.equal(lateOnCase.status, 409)
  assert.equal(lateOnCase.text.includes(change), true)
  assert.equal(
    (await leela.send(address(newest, '/agent'), formOf('', []))).status,
    409,
    'without what the page showed',
  )

  const shown = [await valueOn(leela, list, newest), await valueOn(leela, list, third)]
  const sent = await Promise.all([
    meera.send(`${path}/agent?whose=all`, formOf(meera.staffId, shown)),
    leela.send(address(newest, '/agent'), formOf('', [shown[0]!])),
  ])
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 409])
  const isBulk = sent[0].status === 303
  assert.match(sent[isBulk ? 1 : 0].text, isBulk ? /: Meera assigned Meera after/ : /: Leela removed the agent after/)
  assert.equal(await agentOfCase(newest), isBulk ? meera.staffId : null)
  assert.equal(await agentOfCase(third), isBulk ? meera.staffId : vikram.staffId)
})

test('D3 §1.1 rule 3: of two officers who hold, release or record a promise, the second learns what the first did', async () => {
  const { partner, db, meera, third, moveTo } = await deskOfVikram()
  const nikhil = await deskPerson(partner, 'Nikhil', 'operations')
  const both = async (name: string, forms: [Record<string, string>, Record<string, string>]) => {
    const sent = await Promise.all([
      meera.send(address(third, `/${name}`), forms[0]),
      nikhil.send(address(third, `/${name}`), forms[1]),
    ])
    const statuses = sent.map(({ status }) => status)
    const first = statuses[0] === 303 ? 'Meera' : 'Nikhil'
    return { statuses: statuses.toSorted(), first, refusal: sent.find(({ status }) => status !== 303)!.text }
  }
  const sinceOn = async (person: typeof meera) =>
    /name="since" value="([^"]+)"/.exec((await person.view(address(third))).html)?.[1] ?? ''

  const promises = await both('promise', [
    { amount: '500', promisedOn: today },
    { amount: '600', promisedOn: today },
  ])
  assert.deepEqual(promises.statuses, [303, 409])
  const amount = promises.first === 'Meera' ? '500' : '600'
  assert.match(promises.refusal, new RegExp(`${promises.first} already recorded a promise of ₹${amount} by`))

  const holds = await both('hold', [{ reason: 'DISPUTE' }, { reason: 'DISPUTE' }])
  assert.deepEqual(holds.statuses, [303, 409])
  const newHold = 'put debits on hold after you opened the page: '
  assert.ok(holds.refusal.includes(`${holds.first} ${newHold}The borrower disputes the debit.`))

  const seen = await sinceOn(meera)
  const seenByOther = await sinceOn(nikhil)
  const releases = await both('release', [{ since: seen }, { since: seenByOther }])
  assert.deepEqual(releases.statuses, [303, 404])
  assert.match(releases.refusal, /The debits of this case are not on hold\./)

  moveTo(11 * 3600 + 60)
  assert.equal((await meera.send(address(third, '/hold'), { reason: 'LEGAL' })).status, 303)
  const late = await nikhil.send(address(third, '/release'), { since: seenByOther })
  assert.equal(late.status, 409)
  assert.equal(late.text.includes(`Meera ${newHold}A court or an authority.`), true)
  await db`update collection_hold set reason_code = '61', payment_id = gen_random_uuid() where case_ref = ${third}`
  const returned = await nikhil.send(address(third, '/release'), { since: seenByOther })
  assert.match(returned.text, /Debits went on hold after you opened the page: Mandate cancelled \(61\)\./)
  assert.equal((await nikhil.send(address(third, '/release'), { since: await sinceOn(nikhil) })).status, 303)
})

test('D3 §6.7: a broken promise stays on the list until the next contact', async () => {
  const { db, vikram, meera, oldest, timeNow } = await startDesk()
  const promisedOn = plusDays(today, -1)
  const promised = `${path}?whose=all&show=promised`
  await db`
    insert into payment_promise (case_ref, promise_id, amount_paise, promised_on, made_by, made_at)
    values (${oldest}, gen_random_uuid(), 70000, ${promisedOn}, ${meera.staffId}, ${startOf(promisedOn)})`
  await decideDuePromises({ db, clock: () => secondsAfter(startOf(today), 60) })
  const before = await meera.view(promised)
  assert.match(before.text, /Promise broken on [\w ]+₹700/)
  await db`
    insert into contact_note (case_ref, note_id, way, outcome, text_sealed, staff_id, contacted_at, noted_at)
    values (${oldest}, gen_random_uuid(), 'CALL', 'NOT_REACHED', '', ${vikram.staffId}, ${timeNow()}, ${timeNow()})`
  const after = await meera.view(promised)
  assert.doesNotMatch(after.text, /Promise broken/)
  assert.equal(listedLoans(before.html) - listedLoans(after.html), 1)
})

test('D3 §6.7: a case names its last debit, and not the return of an earlier one', async () => {
  const { db, vikram, newest, timeNow } = await startDesk()
  const debit = (
    paymentId: string,
    values: Partial<Payment> & Pick<Payment, 'status' | 'amountPaise'>,
    minute: number,
  ) =>
    newPayment(
      {
        caseRef: newest,
        paymentId,
        method: 'ENACH',
        collectionId: paymentId,
        attemptNumber: 1,
        ...values,
        collectionOn: values.collectionOn ?? today,
      },
      secondsAfter(timeNow(), minute * 60),
    )
  const posted = randomUUID()
  const submitted = randomUUID()
  const reversal = randomUUID()
  const before = plusDays(today, -7)
  const earlier = { amountPaise: 500_00n, collectionOn: before, valueOn: before }
  await db.tx(async (tx) => {
    await insertPayment(tx, debit(posted, { status: 'TAKEN_BACK', ...earlier }, 0))
    await insertPayment(tx, debit(submitted, { status: 'SUBMITTED', amountPaise: 700_00n }, 1))
    const returned = { ...earlier, reversalOfPaymentId: posted, reasonCode: '04' }
    await insertPayment(tx, debit(reversal, { status: 'REVERSED', ...returned }, 2))
  })
  assert.match((await vikram.view(address(newest))).text, /Last debit, [\w ]+: ₹700, submitted\./)
  await db`delete from payment where payment_id = ${submitted}`
  assert.match(
    (await vikram.view(address(newest))).text,
    /Last debit, [\w ]+: ₹500, taken back: Insufficient funds \(04\)\./,
  )
})
