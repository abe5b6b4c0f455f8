// A request to cancel a loan ends when the lender cancels the loan; the borrower's complaints about the loan do not.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { businessDate, longDayText, plusDays } from '@lendloom/lending/calendar'
import { sql } from '@lendloom/postgres/sql'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { complaintSetup } from '@lendloom/tests/setup/complaints'
import { consoleUser } from '@lendloom/tests/setup/console'
import { grievanceContext } from '@lendloom/tests/setup/grievance'
import { terms } from '@lendloom/tests/setup/offered'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import type { ComplaintCategory } from '@lendloom/wire/console/complaint-lists'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { listGrievances } from '#platform/complaints/grievance/store.ts'
import type { Context } from '#platform/context.ts'
import { emptyPartner } from '#platform/lenders/partner/directory/change-partner.ts'
import { firstPartnerId } from '#platform/lenders/partner/directory/lending-partner.ts'
import { insertPartner } from '#platform/lenders/partner/directory/store.ts'
import { sandboxContact } from '#platform/lenders/partner/partner-contact.ts'
import { rowOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { storeStatus } from '#platform/lenders/partner/status-snapshot.ts'
import { findMainCase } from '#platform/lenders/partner/store.ts'
import { detailsContext } from '#platform/lending/borrower/borrower.ts'
import { recordClosedLoan, reportExit } from '#platform/lending/journey/closed-loan.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { toStoredTerms } from '#platform/lending/journey/stored-terms.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'
import { insertServicing } from '#platform/lending/servicing/store.ts'
import { recordDisbursal, storeInstallments } from '#platform/lending/step/lender-decision.ts'
import { listMailsAbout } from '#platform/mail/queue-mail.ts'
import { addBorrowerMessage, withdrawComplaint } from './borrower-acts.ts'
import { loanExitWorker } from './close-exit-requests.ts'
import type { Complaint } from './complaint.ts'
import { dueAtOf, dueTimes, exitEndsAt } from './deadlines.ts'
import { listEntries } from './entry/store.ts'
import { loanOf } from './lender-store.ts'
import { writeOfficer } from './officer/store.ts'
import { type NewComplaint, openComplaint } from './open-complaint.ts'
import { findComplaint, listByJourney } from './store.ts'
import { dayText } from './text.ts'
import { requireLockedComplaint } from './thread.ts'

const { platform, ctx, advanceDays, mails, receiveMail } = await complaintSetup()
const worker = loanExitWorker(ctx)
after(() => worker.stop())

/** The partner of the loans, which names its account for repayments. */
const partner = {
  ...emptyPartner(firstPartnerId, 'CELESTIUM', ctx.clock()),
  contact: { ...sandboxContact, repaymentAccount: 'Celestium, account 123, IFSC CELF0000001' },
}
await ctx.db.tx((tx) => insertPartner(tx, rowOf(ctx.seal, partner)))

const day = 86_400_000

/** A loan of a lending partner, paid out today, with a cooling-off period of three days. */
async function partnerLoan(): Promise<JourneyKey> {
  const { tenantId, journeyId } = await caseAt(platform, 'ACCEPTED')
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const dueAt = new Date(at.getTime() + 30 * day).toISOString()
    const installment = { serialNumber: 1, amount: '21548904', status: 'NOT-PAID', startsAt: at.toISOString(), dueAt }
    await storeInstallments(tx, journey, [{ ...installment, status: 'NOT-PAID' }], at)
    await recordDisbursal({ ...ctx, tx, at }, journey)
  })
  return { tenantId, journeyId }
}

const officer = { level: 'OFFICER', name: 'Meera Iyer', email: 'gro@celestium.example', phone: '080-1' } as const

type Priced = Awaited<ReturnType<typeof pricedLoan>>

/** A loan whose exit has a known price, and the transfers that its lender reports. */
async function pricedLoan() {
  const loan = await partnerLoan()
  const { db, seal, clock } = ctx
  const { lenderId } = (await loanOf(db, loan))!
  await db.tx((tx) => writeOfficer(tx, seal, { party: `${lenderId}/partner`, ...officer }, clock()))
  const set = sql`terms = ${JSON.stringify(toStoredTerms(terms))}`
  await db`update offer set ${set} where journey_id = ${loan.journeyId}`
  const today = businessDate(clock())
  const transfer = { installment_ids: [], collection_id: null, mandate_reference: null, claim_reference: null }
  const paid = {
    ...transfer,
    status: 'POSTED' as const,
    bank_reference: 'UTR9',
    value_date: today,
    amount: '198000.00',
  }
  const report = (...changes: object[]) =>
    db.tx(async (tx) => {
      const journey = (await lockJourney(tx, loan.tenantId, loan.journeyId))!
      const application = (await findMainCase(tx, journey))!
      const payments = changes.map((each) => ({ ...exampleData('PAYMENT_UPDATED'), ...paid, ...each }))
      const snapshot = {
        payments,
        snapshot_at: clock().toISOString(),
        snapshot_version: 12 + Math.round(clock().getTime() / 1000),
      }
      await storeStatus({ ...ctx, tx, at: clock() }, application, exampleStatus(snapshot))
    })
  return { loan, today, report }
}

const open = (
  owner: Context,
  { tenantId, journeyId }: JourneyKey,
  category: ComplaintCategory,
  { text = `I write about ${category}.`, language = 'en' }: Partial<Pick<NewComplaint, 'text' | 'language'>> = {},
): Promise<Complaint> =>
  owner.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const details = { category, text, language, attachments: [], journey } as const
    const contact = { email: 'asha@mail.example' }
    return openComplaint(
      { ...owner, tx, at: owner.clock() },
      { tenantId, origin: 'PAGE', ...details, attachments: [], contact },
    )
  })
const close = (owner: Context, loan: JourneyKey): Promise<void> =>
  owner.db.tx(async (tx) => {
    await lockJourney(tx, loan.tenantId, loan.journeyId)
    await recordClosedLoan(tx, loan, owner.clock())
  })
const reload = async (owner: Context, complaint: Complaint): Promise<Complaint> =>
  (await findComplaint(owner.db, owner.seal, complaint))!
const waitForWork = (owner: Context) =>
  waitFor(async () => (await owner.db`select 1 from job where kind = 'loan-closed'`).length === 0)

test('D3 §1: the cancelled loan closes the request once and informs the borrower once; complaints stay open', async () => {
  const { loan, report } = await pricedLoan()
  const other = await partnerLoan()
  const request = await open(ctx, loan, 'COOLING_OFF')
  await report({ amount: '197640.00' })
  const complaint = await open(ctx, loan, 'CHARGES')
  const otherRequest = await open(ctx, other, 'COOLING_OFF')
  const officerOfPlatform = await consoleUser(platform, { role: 'grievance-officer' })
  const stateOf = async ({ journeyId, tenantId }: JourneyKey) =>
    (await officerOfPlatform.ask('GET', `/journeys/${journeyId}?tenantId=${tenantId}`)).body.loan.state
  assert.equal(await stateOf(loan), 'RUNNING')
  assert.equal(await stateOf(other), 'RUNNING')
  advanceDays(2)
  for (let i = 0; i < 2; i++) {
    await close(ctx, loan)
    await waitForWork(ctx)
  }
  const { status, outcome, satisfied, closedAt } = await reload(ctx, request)
  assert.equal(status, 'CLOSED')
  assert.equal(outcome, 'UPHELD')
  assert.equal(satisfied, null)
  assert.equal(await stateOf(loan), 'CANCELLED')
  assert.equal(await stateOf(other), 'RUNNING')
  const { items } = (await officerOfPlatform.ask('GET', '/journeys?limit=200')).body
  const cancelledIds = items.flatMap((item: { isCancelled: boolean; journeyId: string }) =>
    item.isCancelled ? [item.journeyId] : [],
  )
  assert.deepEqual(cancelledIds, [loan.journeyId], 'the list too says that the loan is cancelled')
  assert.ok(closedAt)
  const shown = (await listEntries(ctx.db, ctx.seal, request)).filter((entry) => entry.shown)
  const says = `Your loan is cancelled, as you requested. You no longer owe Celestium Finance Limited anything. Request ${request.number} is closed.\n\nYour payment: ₹1,97,640 · UTR9`
  assert.deepEqual(
    shown.slice(-2).map(({ kind, code, body }) => ({ kind, code, text: body.text })),
    [
      { kind: 'RESOLUTION', code: null, text: says },
      { kind: 'EVENT', code: 'CLOSED', text: '' },
    ],
  )
  advanceDays(31)
  await waitFor(async () => (await reload(ctx, otherRequest)).ombudsmanAt !== null)
  const toBorrower = (await mails(request.complaintId)).filter(({ to }) => to === 'asha@mail.example')
  assert.deepEqual(
    toBorrower.map(({ subject }) => subject),
    [`Your request ${request.number}`, `Your loan is cancelled · ${request.number}`],
    'the acknowledgement and the end; no reminder',
  )
  assert.ok(toBorrower[1]!.text.includes(says))
  for (const { text } of toBorrower) assert.doesNotMatch(text, /complaint/i)
  assert.equal((await reload(ctx, complaint)).status, 'ACKNOWLEDGED')
  assert.equal((await reload(ctx, otherRequest)).status, 'ACKNOWLEDGED')
})

test('D3 §1: the mails of a partner’s cancellation name amount, account, remark and last day, then the payment', async () => {
  const { loan, today, report } = await pricedLoan()
  const { loanId } = (await loanOf(ctx.db, loan))!
  const request = await open(ctx, loan, 'COOLING_OFF')
  assert.equal(request.route, 'LENDER_MAIL')
  const payBy = longDayText(plusDays(today, 3))
  const [toLender] = (await mails(request.complaintId)).filter(({ to }) => to === officer.email)
  assert.match(toLender!.text, /Please record the cancellation in your system at once, with the number above/)
  assert.ok(toLender!.text.includes(payBy), toLender!.text)
  assert.doesNotMatch(toLender!.text, /To be resolved by|\{/)
  const [acknowledged] = (await mails(request.complaintId)).filter(({ to }) => to === 'asha@mail.example')
  const { text } = acknowledged!
  assert.match(text, /^Amount if you pay today: ₹[\d,]+$/m)
  for (const part of [`Pay to: ${partner.contact.repaymentAccount}`, `the loan number: ${loanId}`, request.number])
    assert.ok(text.includes(part), part)
  assert.ok(text.includes(`Pay by: ${payBy}`), text)
  assert.doesNotMatch(text, /first answer|\{/)

  await report({ payment_id: 'earlier', value_date: plusDays(today, -1), amount: '100.00' }, {})
  await close(ctx, loan)
  await waitForWork(ctx)
  assert.match(await textsOf(ctx, request), /^Your payment: ₹1,98,000 · UTR9$/m)
})

test('D3 §1: who asks to cancel after paying is not asked to pay again', async () => {
  const officerOfPlatform = await consoleUser(platform, { role: 'grievance-officer' })
  for (const { change, says, toLender, payment } of [
    {
      change: { status: 'PENDING_VERIFICATION' },
      says: 'has your payment of ₹1,98,000 and ends the loan with it',
      toLender: 'has already paid ₹1,98,000, which you hold.',
      payment: 'HELD',
    },
    {
      change: {},
      says: 'has booked your payment of ₹1,98,000 as a repayment',
      toLender: 'has already paid ₹1,98,000, which you posted as a repayment.',
      payment: 'POSTED',
    },
    {
      change: { amount: '1.00' },
      says: 'Amount if you pay today: ',
      toLender: 'the last day for the payment, ',
      payment: 'AWAITED',
    },
  ]) {
    const { loan, today, report } = await pricedLoan()
    await report(change)
    const request = await open(ctx, loan, 'COOLING_OFF')
    const [mail] = (await mails(request.complaintId)).filter(({ to }) => to === 'asha@mail.example')
    assert.ok(mail!.text.includes(says), mail!.text)
    assert.equal(/Pay to|Amount if/.test(mail!.text), 'amount' in change)
    const [task] = (await mails(request.complaintId)).filter(({ to }) => to === officer.email)
    assert.ok(task!.text.includes(toLender), task!.text)
    const { body } = await officerOfPlatform.ask('GET', `/complaints/${request.complaintId}`)
    assert.equal(body.exit.payment, payment)
    assert.equal(body.exit.payBy, plusDays(today, 3))
    const endsAt = payment === 'AWAITED' ? exitEndsAt(body.exit.payBy) : request.resolutionDueAt
    assert.deepEqual(dueAtOf(request), endsAt, 'one day for the answer')
    assert.equal(body.exitPayBy, payment === 'AWAITED' ? body.exit.payBy : null)
    assert.equal(body.exitEndsAt, payment === 'AWAITED' ? endsAt.toISOString() : null)
    assert.equal(body.dueAt, endsAt.toISOString())
    if (payment === 'POSTED') assert.ok(mail!.text.includes(dayText('en', request.resolutionDueAt)), mail!.text)
    const due = dueTimes(request).map(([name]) => name)
    assert.equal(due.includes('FIRST_ANSWER'), payment !== 'POSTED')
    assert.doesNotMatch(task!.text, /\{/)
    assert.doesNotMatch(mail!.text, /\{/)
  }
})

test('D3 §1: a loan that is repaid in full, or reopened, leaves the request to the officers', async () => {
  const { loan: late, report } = await pricedLoan()
  const reopened = await partnerLoan()
  const lateRequest = await open(ctx, late, 'COOLING_OFF')
  const reopenedRequest = await open(ctx, reopened, 'COOLING_OFF')
  await ctx.db.tx(async (tx) => {
    await lockJourney(tx, reopened.tenantId, reopened.journeyId)
    await recordClosedLoan(tx, reopened, ctx.clock())
    await tx`update journey set closed_at = null, active = true where journey_id = ${reopened.journeyId}`
  })
  await report({ amount: '216000.00' })
  await close(ctx, late)
  await waitForWork(ctx)
  for (const request of [lateRequest, reopenedRequest])
    assert.equal((await reload(ctx, request)).status, 'ACKNOWLEDGED')
  await ctx.db.tx((tx) => reportExit(tx, late, ctx.clock()))
  await waitForWork(ctx)
  const { status, outcome } = await reload(ctx, lateRequest)
  assert.equal(status, 'CLOSED', 'the lender reported the exit afterwards')
  assert.equal(outcome, 'UPHELD')
  assert.match(
    await textsOf(ctx, lateRequest),
    /You paid more than you owed\. Celestium Finance Limited returns the rest/,
  )
})

/** Runs the jobs that are due on the fourth day after the last day for the payment. */
async function afterLastDay(requests: Complaint[], days = 7) {
  advanceDays(days)
  const ids = requests.map(({ complaintId }) => complaintId)
  const isHandled = async () =>
    (
      await ctx.db`select 1 from job where kind = 'complaint-clock' and payload->>'due' = 'UNPAID'
      and payload->>'complaintId' = any(${ids}::text[]) and due_at < ${new Date(ctx.clock().getTime() + 60_000)}`
    ).length === 0
  await waitFor(isHandled)
}

test('D3 §1: a request whose payment did not arrive is closed with one mail, and never escalated', async () => {
  const unpaid = await pricedLoan()
  const short = await pricedLoan()
  const requests = [await open(ctx, unpaid.loan, 'COOLING_OFF'), await open(ctx, short.loan, 'COOLING_OFF')]
  await afterLastDay(requests)
  for (const request of requests) assert.equal((await reload(ctx, request)).status, 'ACKNOWLEDGED', 'nothing is known')
  for (const { complaintId } of requests)
    assert.equal(
      (await ctx.db`select 1 from job where kind = 'partner-status' and key like ${`%unpaid:${complaintId}%`}`).length,
      1,
    )
  await unpaid.report()
  await short.report({ amount: '100.00' })
  advanceDays(0.01)
  for (const request of requests) {
    await waitFor(async () => (await reload(ctx, request)).status === 'CLOSED')
    const toBorrower = (await mails(request.complaintId)).filter(({ to }) => to === 'asha@mail.example')
    assert.equal(toBorrower.length, 2)
    assert.match(toBorrower[1]!.text, /did not receive the full amount by .*\. So your loan continues, and request GR-/)
    assert.doesNotMatch(toBorrower[1]!.text, /\{/)
    assert.equal((await reload(ctx, request)).outcome, 'WITHDRAWN')
    const shown = (await listEntries(ctx.db, ctx.seal, request)).filter((entry) => entry.shown).slice(-2)
    assert.deepEqual(
      shown.map(({ kind, code }) => ({ kind, code })),
      [
        { kind: 'WORDS', code: null },
        { kind: 'EVENT', code: 'CLOSED' },
      ],
    )
    assert.ok(toBorrower[1]!.text.includes(shown[0]!.body.text), 'the thread has the text of the mail')
  }
  advanceDays(31)
  await close(ctx, unpaid.loan)
  await ctx.db.tx((tx) => reportExit(tx, unpaid.loan, ctx.clock()))
  await waitForWork(ctx)
  assert.equal((await reload(ctx, requests[0]!)).outcome, 'UPHELD', 'the lender recorded it nevertheless')
  assert.equal((await reload(ctx, requests[1]!)).escalatedAt, null)
})

test('D3 §1: an unpaid request stays open if money may arrive, anyone has written, or another request follows', async () => {
  const loans = await Promise.all(Array.from({ length: 5 }, () => pricedLoan()))
  const [held, claimed, written, second, merged] = loans as [Priced, Priced, Priced, Priced, Priced]
  const requests = await Promise.all(loans.map(({ loan }) => open(ctx, loan, 'COOLING_OFF')))
  advanceDays(3)
  await ctx.db`update complaint set replied_at = now() where complaint_id = ${requests[2]!.complaintId}`
  const another = await open(ctx, second.loan, 'COOLING_OFF', { text: 'I ask once more to cancel this loan.' })
  await ctx.db`update complaint set status = 'IN_PROGRESS' where complaint_id = ${requests[4]!.complaintId}`
  advanceDays(3)
  await held.report({ status: 'PENDING_VERIFICATION' })
  await claimed.report({ status: 'PENDING_VERIFICATION', value_date: null, bank_reference: null })
  for (const each of [written, second, merged]) await each.report()
  await afterLastDay(requests, 1)
  for (const request of requests)
    assert.notEqual((await reload(ctx, request)).status, 'CLOSED', String(requests.indexOf(request)))
  await second.report()
  advanceDays(3)
  await waitFor(async () => (await reload(ctx, another)).status === 'CLOSED')
  assert.equal((await reload(ctx, requests[3]!)).status, 'CLOSED', 'with the newest one')
  assert.equal((await mails(requests[3]!.complaintId)).filter(({ text }) => /full amount/.test(text)).length, 0)
})

test('D3 §1: a request that was paid after the last day is closed like an unpaid one, and the console says so', async () => {
  const officerOfPlatform = await consoleUser(platform, { role: 'grievance-officer' })
  const loans = await Promise.all(Array.from({ length: 4 }, () => pricedLoan()))
  const [posted, held, completed, claimed] = loans as [Priced, Priced, Priced, Priced]
  const requests = await Promise.all(loans.map(({ loan }) => open(ctx, loan, 'COOLING_OFF')))
  const on = plusDays(posted.today, 4)
  const late = { value_date: on }
  await completed.report({ amount: '9580.00' })
  const exitOf = async ({ complaintId }: Complaint) =>
    (await officerOfPlatform.ask('GET', `/complaints/${complaintId}`)).body.exit
  const partPaid = await exitOf(requests[2]!)
  assert.equal(partPaid.payment, 'AWAITED')
  assert.equal(partPaid.received, '₹9,580')
  assert.equal(partPaid.paidLateOn, null)
  assert.ok(partPaid.amount)
  advanceDays(4)
  await posted.report(late)
  await held.report({ ...late, status: 'PENDING_VERIFICATION' })
  const mandate = { payment_id: 'debit', collection_id: 'c1', mandate_reference: 'm1', value_date: plusDays(on, 1) }
  await completed.report({ payment_id: 'first', amount: '9580.00' }, late, { ...mandate, amount: '200000.00' })
  await claimed.report({ status: 'PENDING_VERIFICATION', value_date: null, bank_reference: null }, late)
  for (const [i, received] of ['₹1,98,000', '₹1,98,000', '₹4,07,580', '₹1,98,000'].entries())
    assert.deepEqual(
      await exitOf(requests[i]!),
      { payBy: plusDays(posted.today, 3), payment: 'LATE', amount: null, received, paidLateOn: on },
      String(i),
    )
  await afterLastDay(requests, 3)
  for (const request of requests.slice(0, 3)) {
    const { status, outcome } = await reload(ctx, request)
    assert.equal(status, 'CLOSED', String(requests.indexOf(request)))
    assert.equal(outcome, 'WITHDRAWN', String(requests.indexOf(request)))
    const mail = (await mails(request.complaintId)).filter(({ to }) => to === 'asha@mail.example').at(-1)!
    assert.match(mail.text, /did not receive the full amount by .* Anything you paid counts as a repayment\./s)
    assert.doesNotMatch(mail.text, /\{/)
  }
  assert.equal((await reload(ctx, requests[3]!)).status, 'ACKNOWLEDGED', 'a claim may still arrive')
})

test('D3 §1: a message after a late payment reaches the lender with the day of the payment', async () => {
  const { loan, today, report } = await pricedLoan()
  const request = await open(ctx, loan, 'COOLING_OFF')
  advanceDays(5)
  await report({ value_date: plusDays(today, 4) })
  const message = { text: 'I have paid. Please cancel the loan.', attachments: [] }
  await ctx.db.tx(async (tx) => {
    const actCtx = { ...ctx, tx, at: ctx.clock() }
    await addBorrowerMessage(actCtx, await requireLockedComplaint(actCtx, request), message)
  })
  const { text } = (await mails(request.complaintId)).filter(({ to }) => to === officer.email).at(-1)!
  const paidOn = longDayText(plusDays(today, 4))
  const payBy = longDayText(plusDays(today, 3))
  assert.ok(text.includes(`paid ₹1,98,000 on ${paidOn}, after the last day for the payment, ${payBy}.`), text)
})

const toLenderOf = async ({ complaintId }: Complaint) =>
  (await mails(complaintId)).filter(({ to }) => to === officer.email)
const remindersToStaff = async ({ complaintId }: Complaint) =>
  (await mails(complaintId)).filter(({ subject }) => subject.endsWith('paid, but not recorded'))

/** Waits until no job about payments of a request is due. */
const paymentsLookedAt = ({ complaintId }: Complaint) =>
  waitFor(
    async () =>
      (
        await ctx.db`select 1 from job where kind = 'complaint-clock' and payload->>'complaintId' = ${complaintId}
          and payload->>'due' in ('PAYMENT', 'UNRECORDED', 'STILL_UNRECORDED') and (due_at <= ${ctx.clock()} or unanswered_claims > 0)`
      ).length === 0,
  )
async function advance(request: Complaint, days: number) {
  advanceDays(days)
  await paymentsLookedAt(request)
}

test('D3 §1: the lender learns once that the payment of a cancellation arrived, and is reminded after 3 and 7 days', async () => {
  for (const { change, says } of [
    { change: { status: 'PENDING_VERIFICATION' }, says: 'already paid ₹1,98,000, which you hold' },
    { change: {}, says: 'already paid ₹1,98,000, which you posted as a repayment' },
  ]) {
    const { loan, report } = await pricedLoan()
    const request = await open(ctx, loan, 'COOLING_OFF', { language: 'ta' })
    await report({ amount: '9580.00' })
    await advance(request, 0.1)
    assert.equal((await toLenderOf(request)).length, 1, 'a part of the price')
    for (let i = 0; i < 3; i++) {
      await report(change)
      await advance(request, 0.1)
    }
    const sent = await toLenderOf(request)
    assert.equal(sent.length, 2, 'repeated snapshots change nothing')
    assert.ok(sent[1]!.text.includes(says), sent[1]!.text)
    assert.ok(sent[1]!.text.includes(`In the borrower's words (Tamil):\n\nI write about COOLING_OFF.`))
    assert.equal((await remindersToStaff(request)).length, 0)
    await advance(request, 3)
    assert.match((await toLenderOf(request)).at(-1)!.subject, /^Reminder: request GR-/)
    const [reminder, ...more] = await remindersToStaff(request)
    assert.deepEqual(more, [])
    assert.match(reminder!.text, /The lender has the payment for request GR-[^{]*$/)
    await advance(request, 4)
    assert.equal((await toLenderOf(request)).length, 4)
    assert.equal((await remindersToStaff(request)).length, 2)
    await advance(request, 3)
    assert.equal((await toLenderOf(request)).length, 4)
    assert.equal((await remindersToStaff(request)).length, 2)
  }
})

test('D3 §1: a payment before the request is followed by the same reminders, unless the lender answers or closes', async () => {
  const loans = await Promise.all(Array.from({ length: 4 }, () => pricedLoan()))
  for (const { report } of loans) await report({})
  const requests = await Promise.all(loans.map(({ loan }) => open(ctx, loan, 'COOLING_OFF')))
  const [forgotten, answered, closed, withdrawn] = requests as [Complaint, Complaint, Complaint, Complaint]
  await receiveMail({ from: officer.email, tag: answered.replyTag, text: 'We are looking into it.' })
  await close(ctx, loans[2]!.loan)
  await waitForWork(ctx)
  await ctx.db.tx(async (tx) => {
    const actCtx = { ...ctx, tx, at: ctx.clock() }
    await withdrawComplaint(actCtx, await requireLockedComplaint(actCtx, withdrawn))
  })
  advanceDays(8)
  for (const request of requests) await paymentsLookedAt(request)
  assert.equal((await toLenderOf(forgotten)).length, 3)
  assert.equal((await remindersToStaff(forgotten)).length, 2)
  for (const request of [answered, closed, withdrawn]) {
    assert.equal((await toLenderOf(request)).length, 1)
    assert.equal((await remindersToStaff(request)).length, 0)
  }
})

test('D3 §1: of two requests of a loan only the newest open one follows the payment', async () => {
  const { loan, report } = await pricedLoan()
  const first = await open(ctx, loan, 'COOLING_OFF')
  advanceDays(0.01)
  const second = await open(ctx, loan, 'COOLING_OFF', { text: 'I ask once more to cancel this loan.' })
  await report({})
  await advance(second, 0.1)
  assert.equal((await toLenderOf(first)).length, 1)
  assert.equal((await toLenderOf(second)).length, 2)
  await ctx.db.tx(async (tx) => {
    const actCtx = { ...ctx, tx, at: ctx.clock() }
    await withdrawComplaint(actCtx, await requireLockedComplaint(actCtx, second))
  })
  await advance(first, 0.1)
  assert.equal((await toLenderOf(first)).length, 2)
  assert.equal((await toLenderOf(second)).length, 2)
})

test('D3 §1: a mail about a payment that could not be committed is neither lost nor sent twice', async () => {
  const { loan, report } = await pricedLoan()
  const request = await open(ctx, loan, 'COOLING_OFF')
  await report({})
  await ctx.db`create function refuse() returns trigger language plpgsql as 'begin raise exception ''crash''; end'`
  await ctx.db`create trigger refuse before insert on complaint_entry for each row execute function refuse()`
  advanceDays(0.1)
  await waitFor(
    async () =>
      (
        await ctx.db<{ attempt: number }>`select attempt from job where payload->>'complaintId' = ${request.complaintId}
          and payload->>'due' = 'PAYMENT'`
      )[0]!.attempt > 0,
  )
  assert.equal((await toLenderOf(request)).length, 1)
  await ctx.db`drop trigger refuse on complaint_entry`
  await advance(request, 0.1)
  await advance(request, 0.1)
  assert.equal((await toLenderOf(request)).length, 2)
})

test('D3 §1: an exit that the lender reports without a request leaves one mail', async () => {
  const { loan, report } = await pricedLoan()
  await report({})
  for (let i = 0; i < 2; i++) {
    await ctx.db.tx((tx) => reportExit(tx, loan, ctx.clock()))
    if (i === 0) await close(ctx, loan)
    advanceDays(0.01)
    await waitForWork(ctx)
  }
  const requests = await listByJourney(ctx.db, ctx.seal, loan)
  assert.deepEqual(
    requests.map(({ status, outcome }) => ({ status, outcome })),
    [{ status: 'CLOSED', outcome: 'UPHELD' }],
  )
})

test('D3 §1: the mail of a request names no amount that only the lender knows', async () => {
  const request = await open(ctx, await partnerLoan(), 'COOLING_OFF')
  const [mail] = (await mails(request.complaintId)).filter(({ to }) => to === 'asha@mail.example')
  assert.doesNotMatch(mail!.text, /Amount if you pay|Pay by/)
  assert.match(mail!.text, /first answer by/)
})

/** A loan of a network lender, paid out now. */
async function networkLoan() {
  const network = await grievanceContext()
  const { ctx: owner } = network.platform
  const networkWorker = loanExitWorker(owner)
  after(() => networkWorker.stop())
  const { journey } = await network.loan()
  const { tenantId, journeyId } = journey
  const at = owner.clock()
  const step = { name: 'disbursal', status: 'SUCCESS', updatedAt: at }
  await owner.db`insert into step ${owner.db({ bucket: bucketOf(journeyId), tenantId, journeyId, ...step })}`
  await owner.db`update offer set terms = ${JSON.stringify(toStoredTerms(terms))} where journey_id = ${journeyId}`
  const personal = { mobile: '9800000042', panName: 'Anil Kamble', personalEmail: 'anil@mail.example' }
  const profile = owner.seal.json({ personal, work: {}, address: {}, gold: null }, detailsContext(tenantId, journeyId))
  await owner.db`update profile set profile_sealed = ${profile} where journey_id = ${journeyId}`
  return { network, owner, journey }
}

/** Stores a payment that the borrower requested on the page. */
function storePayment(owner: Context, { tenantId, journeyId }: JourneyKey, change: Partial<ServicingRow> = {}) {
  const at = owner.clock()
  const paise = 20_000_000n
  const payment: ServicingRow = {
    tenantId,
    journeyId,
    operationId: uuidv4(bucketOf(journeyId)),
    kind: 'FORECLOSURE',
    status: 'PAID',
    asks: 1,
    serialNumber: null,
    requestedPaise: null,
    interestPaise: null,
    chargesPaise: null,
    url: null,
    urlSealed: null,
    reason: null,
    amountPaise: paise,
    paidPaise: paise,
    savedPaise: null,
    paymentId: 'p',
    transactionId: 'UTR77',
    claimedOn: null,
    requestedAt: at,
    updatedAt: at,
  }
  return owner.db.tx((tx) => insertServicing(tx, { ...payment, ...change }))
}

async function closeTwice(owner: Context, journey: JourneyKey): Promise<Complaint[]> {
  for (let i = 0; i < 2; i++) {
    await close(owner, journey)
    await waitForWork(owner)
  }
  return listByJourney(owner.db, owner.seal, journey)
}

const textsOf = async (owner: Context, request: Complaint): Promise<string> =>
  (await listEntries(owner.db, owner.seal, request)).map(({ body }) => body.text).join('\n')

test('FIS12 §20: the cancelled loan of a network lender closes the request and its grievance', async () => {
  const { network, owner, journey } = await networkLoan()
  const request = await open(owner, journey, 'COOLING_OFF')
  assert.equal(request.route, 'LENDER_NETWORK')
  await network.nextAcknowledged(journey, 'issue')
  await close(owner, journey)
  await waitForWork(owner)
  assert.equal((await reload(owner, request)).status, 'CLOSED')
  const { message } = (await network.nextAcknowledged(journey, 'issue')).body
  assert.equal(message.issue.status, 'CLOSED')
  assert.deepEqual(
    (await listGrievances(owner.db, owner.seal, journey)).map(({ status, rating }) => ({ status, rating })),
    [{ status: 'CLOSED', rating: null }],
  )
})

test('FIS12 §7.4: a network loan that the borrower cancelled by closing it leaves a mail with the payment', async () => {
  const { owner, journey } = await networkLoan()
  await storePayment(owner, journey)
  const requests = await closeTwice(owner, journey)
  assert.deepEqual(
    requests.map(({ category, status, outcome }) => ({ category, status, outcome })),
    [{ category: 'COOLING_OFF', status: 'CLOSED', outcome: 'UPHELD' }],
    'recorded once',
  )
  const [request] = requests
  const texts = await textsOf(owner, request!)
  assert.match(texts, /Your loan is cancelled, as you requested\. You no longer owe/)
  assert.match(texts, /Your payment: ₹2,00,000(\.00)? · UTR77/)
  assert.equal((await listMailsAbout(owner.db, journey.tenantId, 'complaint', request!.complaintId)).length, 1)
  assert.deepEqual(await listGrievances(owner.db, owner.seal, journey), [], 'the lender receives no request')
})

test('FIS12 §7.4: a network loan that is repaid at the lender in its cooling-off period leaves no request', async () => {
  for (const change of [{ status: 'FAILED' }, { kind: 'MISSED_EMI_PAYMENT' }] as const) {
    const { owner, journey } = await networkLoan()
    await storePayment(owner, journey, change)
    assert.deepEqual(await closeTwice(owner, journey), [], JSON.stringify(change))
  }
  const { owner, journey } = await networkLoan()
  await storePayment(owner, journey, { status: 'EXPIRED', paidPaise: null })
  const [request] = await closeTwice(owner, journey)
  assert.equal(request?.outcome, 'UPHELD', 'the borrower opened the cancellation here')
  assert.doesNotMatch(await textsOf(owner, request!), /Your payment/)
})

test('FIS12 §7.4: an earlier request that was withdrawn or refused does not suppress the mail of the cancellation', async () => {
  for (const outcome of ['WITHDRAWN', 'NOT_UPHELD']) {
    const { owner, journey } = await networkLoan()
    const earlier = await open(owner, journey, 'COOLING_OFF')
    await owner.db`update complaint set status = 'CLOSED', outcome = ${outcome}, closed_at = now() where complaint_id = ${earlier.complaintId}`
    await storePayment(owner, journey)
    const requests = await closeTwice(owner, journey)
    assert.deepEqual(requests.map((each) => each.outcome).sort(), [outcome, 'UPHELD'].sort(), 'recorded once')
    const request = requests.find((each) => each.complaintId !== earlier.complaintId)!
    assert.match(await textsOf(owner, request), /Your loan is cancelled, as you requested/)
    assert.equal((await listMailsAbout(owner.db, journey.tenantId, 'complaint', request.complaintId)).length, 1)
  }
})
