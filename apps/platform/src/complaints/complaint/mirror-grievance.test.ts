// Complaints about network loans reach the lender as grievances; the lender's answers become entries (FIS12 §20).
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { grievanceContext, complaint as raised } from '@lendloom/tests/setup/grievance'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { findGrievance } from '#platform/complaints/grievance/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { addBorrowerMessage, judgeResolution } from './borrower-acts.ts'
import type { Complaint } from './complaint.ts'
import { listEntries } from './entry/store.ts'
import { grievanceMirrorWorker } from './mirror-grievance.ts'
import { openComplaint } from './open-complaint.ts'
import { listQueue, type QueueFilter } from './queue/store.ts'
import { listByJourney } from './store.ts'
import { lockComplaintWithJourney } from './thread.ts'

const { platform, loan, raise, nextAcknowledged, answer } = await grievanceContext()
const { ctx } = platform
const worker = grievanceMirrorWorker(ctx)
after(() => worker.stop())

const open = (journey: Journey): Promise<Complaint> =>
  ctx.db.tx(async (tx) => {
    const lockedJourney = (await lockJourney(tx, journey.tenantId, journey.journeyId))!
    const { topic: category, text } = raised as { topic: 'CHARGES'; text: string }
    const newComplaint = {
      tenantId: journey.tenantId,
      origin: 'PAGE',
      category,
      text,
      language: 'en',
      attachments: [],
      journey: lockedJourney,
    } as const
    return openComplaint({ ...ctx, tx, at: ctx.clock() }, { ...newComplaint, attachments: [] })
  })
const currentComplaint = async (journey: Journey): Promise<Complaint> =>
  (await listByJourney(ctx.db, ctx.seal, journey))[0]!
const anyComplaint: QueueFilter = {
  tenantId: null,
  statuses: null,
  dueBefore: null,
  assigneeId: null,
  isUnassigned: false,
  isUnmatched: false,
  isEscalated: false,
  hasUnreadMessage: false,
  category: null,
  route: null,
  lender: null,
  journeyId: null,
  number: null,
  from: null,
  until: null,
}
const waitForStatus = (journey: Journey, status: Complaint['status']) =>
  waitFor(async () => (await currentComplaint(journey)).status === status)

test('FIS12 §20: the grievance carries messages between the borrower and the lender in both directions', async () => {
  const { journey } = await loan()
  const complaint = await open(journey)
  assert.equal(complaint.route, 'LENDER_NETWORK')
  assert.equal(complaint.status, 'ACKNOWLEDGED')
  const { grievanceId } = complaint
  const forwarded = (await listEntries(ctx.db, ctx.seal, complaint)).find(({ code }) => code === 'SENT_TO_LENDER')!
  assert.equal(forwarded.body.values?.by, 'LENDER_NETWORK', 'the console names the channel')
  await nextAcknowledged(journey, 'issue')
  const grievance = (await findGrievance(ctx.db, ctx.seal, journey, grievanceId!))!
  await answer(grievance, 'on_issue_status', ['PROCESSING', 'NEED-MORE-INFO'], { journey })
  await waitForStatus(journey, 'WAITING_FOR_BORROWER')
  const { tenantId, journeyId } = journey
  const [queued] = await listQueue(ctx.db, { ...anyComplaint, tenantId, journeyId }, null, 1)
  assert.equal(queued!.lenderAnswered, false, 'a question is no answer')
  await ctx.db.tx(async (tx) => {
    const actContext = { ...ctx, tx, at: ctx.clock() }
    await addBorrowerMessage(actContext, (await lockComplaintWithJourney(actContext, complaint))!, {
      text: 'It was on 18 November 2026.',
      attachments: [],
    })
  })
  const { message } = (await nextAcknowledged(journey, 'issue')).body
  assert.match(message.issue.description.long_desc, /It was on 18 November 2026/)
  await answer(grievance, 'on_issue_status', ['PROCESSING', 'NEED-MORE-INFO', 'RESOLVED'], { journey })
  await waitForStatus(journey, 'RESOLVED')
  const resolved = await currentComplaint(journey)
  assert.equal(resolved.outcome, 'UPHELD')
  assert.notEqual(resolved.firstAnsweredAt, null)
  const thread = await listEntries(ctx.db, ctx.seal, resolved)
  assert.deepEqual(
    thread
      .filter(({ author }) => author !== 'SYSTEM')
      .map(({ author, kind }) => ({ author, kind }))
      .sort((left, right) => left.author.localeCompare(right.author) || left.kind.localeCompare(right.kind)),
    [
      { author: 'BORROWER', kind: 'WORDS' },
      { author: 'BORROWER', kind: 'WORDS' },
      { author: 'LENDER', kind: 'QUESTION' },
      { author: 'LENDER', kind: 'RESOLUTION' },
    ],
  )
  assert.match(thread.find(({ kind }) => kind === 'RESOLUTION')!.body.text, /The charge is returned/)
  await ctx.db.tx(async (tx) => {
    const actContext = { ...ctx, tx, at: ctx.clock() }
    await judgeResolution(actContext, (await lockComplaintWithJourney(actContext, complaint))!, true)
  })
  const closed = (await findGrievance(ctx.db, ctx.seal, journey, grievanceId!))!
  assert.equal(closed.status, 'CLOSED')
  assert.equal(closed.rating, 'THUMBS-UP')
})

test('FIS12 §20: a grievance without a complaint opens a complaint', async () => {
  const { journey } = await loan()
  const grievance = await raise(journey)
  await waitFor(async () => (await listByJourney(ctx.db, ctx.seal, journey)).length === 1)
  const complaint = await currentComplaint(journey)
  assert.equal(complaint.grievanceId, grievance.grievanceId)
  assert.equal(complaint.category, 'CHARGES')
  assert.equal(complaint.route, 'LENDER_NETWORK')
  const entries = await listEntries(ctx.db, ctx.seal, complaint)
  assert.equal(entries[0]!.body.text, raised.text)
})

test('D3 §1: a complaint about a loan without an order id is mailed to the lender’s officer', async () => {
  const { journey } = await loan('DISBURSED', null)
  const complaint = await open(journey)
  assert.equal(complaint.route, 'LENDER_MAIL')
  assert.equal(complaint.grievanceId, null)
})
