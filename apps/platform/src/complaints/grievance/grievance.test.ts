// Complaints over the network to a scripted lender: raising, deadlines, escalation, closing and rejection.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTerminal, leadsTo } from '@lendloom/foundation/machine'
import { faultsOf, Refusal } from '@lendloom/foundation/refusal'
import { complaint, grievanceContext } from '@lendloom/tests/setup/grievance'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { nack } from '@lendloom/wire/network/context'
import { igmMessageFaults } from '@lendloom/wire/network/igm/codec'
import { readMessages } from '#platform/lenders/network/messages/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import { closeGrievance, escalateGrievance, replyToGrievance } from './borrower-acts.ts'
import { type Grievance, grievanceMachine, mayEscalate } from './grievance.ts'
import { grievancesOf, historyOf } from './grievance-history.ts'
import { raiseGrievance, validatedText } from './raise-grievance.ts'
import { grievanceSettings } from './settings.ts'
import { listGrievances } from './store.ts'
import { codesOf } from './topic.ts'

const { network, platform, loan, act, raise, reload, nextAcknowledged, answer } = await grievanceContext()
const { ctx, advanceClock } = platform
// Created before a test advances the clock, because the lenders' answers to a search have the real time.
const loanOfSlowLender = await loan()
const loanOfUnreachableLender = await loan('ENDED')

const refusalOf = async (attempt: Promise<unknown>): Promise<Refusal> => {
  const refused = await attempt.then(
    () => null,
    (error) => error,
  )
  assert.ok(refused instanceof Refusal, String(refused))
  return refused
}
const waitForStatus = (grievance: Grievance, status: Grievance['status']) =>
  waitFor(async () => (await reload(grievance)).status === status)

test('FIS12 §20: a grievance can be closed from every open status, and has no transition afterwards', () => {
  for (const status of Object.keys(grievanceMachine) as Grievance['status'][]) {
    const isEnd = status === 'CLOSED' || status === 'REFUSED'
    assert.equal(isTerminal(grievanceMachine, status), isEnd, status)
    if (!isEnd) assert.ok(leadsTo(grievanceMachine, status, 'CLOSED'), status)
  }
})

test('D3 §2.1, FIS12 §20: an invalid complaint text and invalid GRIEVANCE_CODES are refused', () => {
  assert.equal(
    validatedText('  The 12 digits 412345678901 are of a payment \r\n'),
    'The 12 digits 412345678901 are of a payment',
  )
  for (const invalidInput of [
    'too short',
    'x'.repeat(2001),
    'with \u0007 a bell in it',
    'it is 9999 9999 0019, I think',
    'my aadhaar 999999990019',
  ])
    assert.deepEqual(
      faultsOf(() => validatedText(invalidInput)).map(({ path }) => path),
      ['text'],
    )
  assert.deepEqual(codesOf('MONEY', {}), { category: 'FULFILLMENT', subCategory: 'FLM01' })
  const read = grievanceSettings.GRIEVANCE_CODES.read('{"MONEY":"ORDER/ORD02"}')
  assert.deepEqual(codesOf('MONEY', read), { category: 'ORDER', subCategory: 'ORD02' })
  for (const invalidCodes of ['{"MONEY":"ORDER/XYZ"}', '{"LOVE":"ORDER/ORD01"}', '[]'])
    assert.throws(() => grievanceSettings.GRIEVANCE_CODES.read(invalidCodes), /must be a JSON object/)
})

describe('FIS12 §20: a complaint over the network', () => {
  describe('from raising to closing, one story', () => {
    let journey: Journey
    let grievance: Grievance
    const text = 'It was taken on 18 November.'
    const allActions = ['PROCESSING', 'NEED-MORE-INFO', 'PROCESSING', 'RESOLVED'] as const
    let messageId: string
    const reply = () =>
      act(journey, (tx, deps, lockedJourney, at) =>
        replyToGrievance({ ...deps, tx, at }, lockedJourney, { grievanceId: grievance.grievanceId, reply: text }),
      )
    const close = (rating: string | null) =>
      act(journey, (tx, deps, lockedJourney, at) =>
        closeGrievance({ ...deps, tx, at }, lockedJourney, { grievanceId: grievance.grievanceId, ratingCode: rating }),
      )

    test('is sent as one issue, and its personal data is stored encrypted', async () => {
      journey = (await loan()).journey
      grievance = await raise(journey)
      assert.equal(
        (await raise(journey)).grievanceId,
        grievance.grievanceId,
        'a repeated text returns the open complaint',
      )
      const opened = (await nextAcknowledged(journey, 'issue')).body
      assert.deepEqual(igmMessageFaults('issue', opened.message), [])
      assert.equal(opened.context.transaction_id, journey.networkTransactionId)
      assert.deepEqual(opened.message.issue.complainant_info, {
        person: { name: 'Anil Kamble' },
        contact: { phone: '9800000042' },
      })
      const [row] = await ctx.db<{ all: string }>`
        select g::text as all from grievance g where grievance_id = ${grievance.grievanceId}`
      assert.doesNotMatch(row!.all, /500 rupees|Anil|9800000042/, 'personal data is sealed')
      messageId = opened.context.message_id
    })

    test('stores a repeated answer of the lender once', async () => {
      for (const _ of [1, 2])
        assert.equal(
          (await answer(grievance, 'on_issue', ['PROCESSING'], { journey, messageId })).body.message.ack.status,
          'ACK',
        )
      assert.equal((await reload(grievance)).status, 'PROCESSING')
      const received = (await readMessages(ctx.db, ctx.seal, journey.tenantId, journey.journeyId)).filter(
        ({ action }) => action === 'on_issue',
      )
      assert.equal(received.length, 1, 'a repeated message is stored once')
    })

    test('sends the requested information once', async () => {
      await answer(grievance, 'on_issue_status', ['PROCESSING', 'NEED_MORE_INFO'], { journey })
      assert.equal((await reload(grievance)).status, 'NEEDS_INFO')
      await reply()
      const { issue: added } = (await nextAcknowledged(journey, 'issue')).body.message
      assert.deepEqual(igmMessageFaults('issue', { issue: added }), [])
      assert.match(added.description.long_desc, /Added: It was taken on 18 November\.$/)
      const page = await fetch(added.description.additional_desc.url)
      assert.match(await page.text(), /It was taken on 18 November\./)
      assert.equal(
        (await fetch(added.description.additional_desc.url.replace('/grievances/', '/grievances/AA'))).status,
        404,
      )
      assert.equal((await refusalOf(reply())).kind, 'wrong-state')
    })

    test('becomes RESOLVED, with each lender action once in the history', async () => {
      await answer(grievance, 'on_issue_status', [...allActions], { journey })
      await answer(grievance, 'on_issue_status', ['PROCESSING', 'NEED-MORE-INFO'], { journey })
      const resolved = await reload(grievance)
      assert.equal(resolved.status, 'RESOLVED')
      assert.equal(resolved.resolutionAction, 'REFUND')
      assert.equal(resolved.refundPaise, 500_00n)
      assert.deepEqual(
        historyOf(resolved)
          .map(({ by, action }) => `${by} ${action}`)
          .sort(),
        [
          'borrower ADDED',
          'borrower OPEN',
          'lender NEED-MORE-INFO',
          'lender PROCESSING',
          'lender PROCESSING',
          'lender RESOLVED',
        ],
      )
    })

    test('is closed after the resolution only with a rating', async () => {
      assert.equal((await refusalOf(close(null))).details.field, 'rating')
      await close('THUMBS_DOWN')
      const closed = (await nextAcknowledged(journey, 'issue')).body.message
      assert.deepEqual(igmMessageFaults('issue', closed), [])
      assert.equal(closed.issue.status, 'CLOSED')
      assert.equal(closed.issue.rating, 'THUMBS-DOWN')
    })

    test('stays CLOSED after further actions of lender and borrower', async () => {
      await answer(grievance, 'on_issue_status', [...allActions, 'PROCESSING'], { journey })
      assert.equal((await reload(grievance)).status, 'CLOSED', 'a closed complaint cannot change')
      assert.equal((await refusalOf(close('THUMBS-UP'))).kind, 'wrong-state')
    })
  })

  test('becomes REFUSED when the lender sends a NACK or an error', async () => {
    const { journey } = await loan()
    network.on('/ondc/issue', () => ({ status: 200, body: nack({ code: '40000', message: 'no' }) }))
    const nackedGrievance = await raise(journey)
    await waitForStatus(nackedGrievance, 'REFUSED')
    assert.equal((await reload(nackedGrievance)).refusedCode, '40000')
    network.on('/ondc/issue', undefined)
    const failedGrievance = await raise(journey)
    assert.notEqual(
      failedGrievance.grievanceId,
      nackedGrievance.grievanceId,
      'a refused complaint does not block a new one',
    )
    const { requestId: messageId } = failedGrievance
    await answer(failedGrievance, 'on_issue', [], {
      journey,
      messageId,
      error: { code: '30018', message: 'no such order' },
    })
    assert.equal((await reload(failedGrievance)).status, 'REFUSED')
  })

  test('is unchanged by an invalid lender message, which gets a NACK', async () => {
    const { journey } = await loan()
    const grievance = await raise(journey)
    const { requestId: messageId } = grievance
    const receive = async (...deps: Parameters<typeof answer>) => {
      const { body } = await answer(...deps)
      return { status: body.message.ack.status, code: body.error?.code, path: body.error?.path }
    }
    const nacked = (path: string) => ({ status: 'NACK', code: '20006', path: `$.${path}` })
    assert.deepEqual(
      await receive(grievance, 'on_issue', [], { journey, messageId }),
      nacked('message.issue.issue_actions.respondent_actions'),
    )
    assert.deepEqual(
      await receive(grievance, 'on_issue', ['THINKING' as never], { journey, messageId }),
      nacked('message.issue.issue_actions.respondent_actions.0.respondent_action'),
    )
    const unknownGrievance = { ...grievance, grievanceId: '0192e0a4-0000-7000-8000-0000000000aa' }
    assert.deepEqual(await receive(unknownGrievance, 'on_issue_status', ['RESOLVED'], { journey }), {
      status: 'NACK',
      code: '20008',
      path: undefined,
    })
    const { journey: otherJourney } = await loan()
    assert.deepEqual(await receive(grievance, 'on_issue_status', ['RESOLVED'], { journey: otherJourney }), {
      status: 'NACK',
      code: '20008',
      path: undefined,
    })
    assert.equal((await reload(grievance)).status, 'OPEN')
    assert.equal((await listGrievances(ctx.db, ctx.seal, otherJourney)).length, 0)
  })

  test('is refused without a confirmed network loan, with the lender’s contact', async () => {
    const { journey } = await loan('CONFIRM_SENT', null)
    const earlyRefusal = await refusalOf(raise(journey))
    assert.match(earlyRefusal.message, /has not confirmed the loan yet; please contact .+ directly: .+@/)
    const { journey: partnerJourney } = await loan()
    await ctx.db`update offer set via = 'PARTNER' where journey_id = ${partnerJourney.journeyId}`
    assert.match((await refusalOf(raise(partnerJourney))).message, /cannot be sent over the network; please contact/)
    const newJourney = await platform.newJourney()
    assert.match((await refusalOf(raise(newJourney))).message, /has not chosen a loan/)

    const { journey: confirmedJourney } = await loan()
    const refusalFor = (topic: string, text: string) =>
      refusalOf(
        act(confirmedJourney, (tx, deps, lockedJourney, at) =>
          raiseGrievance({ ...deps, tx, at }, lockedJourney, { topic, text }),
        ),
      )
    assert.equal((await refusalFor('LOVE', complaint.text)).details.field, 'topic')
    assert.equal((await refusalFor('OTHER', 'short')).details.field, 'text')
    for (let i = 0; i < 5; i++)
      await act(confirmedJourney, (tx, deps, lockedJourney, at) =>
        raiseGrievance({ ...deps, tx, at }, lockedJourney, { topic: 'OTHER', text: `${complaint.text} ${i}` }),
      )
    assert.match((await refusalFor('OTHER', complaint.text)).message, /at most 5 complaints/)
  })

  test('is asked for once while the lender works on it, and not after the resolution', async () => {
    const { journey } = await loan()
    const { journey: resolvedJourney } = await loan()
    const grievance = await raise(journey)
    const resolved = await raise(resolvedJourney)
    const messageIdOf = async (of: typeof journey) => (await nextAcknowledged(of, 'issue')).body.context.message_id
    const firstAt = ctx.clock()
    const opened = { journey, messageId: await messageIdOf(journey), firstAt }
    await answer(grievance, 'on_issue', ['PROCESSING'], opened)
    const done = { journey: resolvedJourney, messageId: await messageIdOf(resolvedJourney), firstAt }
    await answer(resolved, 'on_issue', ['PROCESSING'], done)
    await answer(resolved, 'on_issue_status', ['PROCESSING', 'RESOLVED'], { journey: resolvedJourney, firstAt })
    advanceClock(301)
    const request = (await nextAcknowledged(journey, 'issue_status')).body
    assert.deepEqual(request.message, { issue_id: grievance.grievanceId })
    const statusKeys = [grievance, resolved].map((each) => `${each.grievanceId}:STATUS:%`)
    await waitFor(async () => {
      const waiting = await ctx.db`
        select 1 from job
        where kind = 'grievance-follow-up' and key like any (${statusKeys})`
      return waiting.length === 0
    })
    const actionsOf = async (of: typeof journey) =>
      (await readMessages(ctx.db, ctx.seal, of.tenantId, of.journeyId)).map(({ action }) => action)
    assert.equal((await actionsOf(journey)).filter((action) => action === 'issue_status').length, 1)
    assert.equal((await actionsOf(resolvedJourney)).includes('issue_status'), false)
  })

  test('can be escalated once the lender has missed the resolution deadline', async () => {
    const { journey } = loanOfSlowLender
    const grievance = await raise(journey)
    const opened = (await nextAcknowledged(journey, 'issue')).body
    const escalate = () =>
      act(journey, (tx, deps, lockedJourney, at) =>
        escalateGrievance({ ...deps, tx, at }, lockedJourney, grievance.grievanceId),
      )
    advanceClock(7_201)
    const request = (await nextAcknowledged(journey, 'issue_status')).body
    assert.deepEqual(request.message, { issue_id: grievance.grievanceId })
    assert.deepEqual(igmMessageFaults('issue_status', request.message), [])
    assert.ok((await reload(grievance)).lateAt)
    const earlyRefusal = await refusalOf(escalate())
    assert.equal(earlyRefusal.details.from, grievance.resolutionDueAt.toISOString())

    // The platform accepts a late answer, and ignores its different creation time.
    const lateAnswer = {
      journey,
      messageId: opened.context.message_id,
      issue: { created_at: '2026-01-01T00:00:00.000Z' },
    }
    assert.equal((await answer(grievance, 'on_issue', ['CASCADED'], lateAnswer)).body.message.ack.status, 'ACK')
    assert.equal((await reload(grievance)).status, 'PROCESSING')
    const { version } = (await findJourney(ctx.db, journey.tenantId, journey.journeyId))!
    advanceClock(86_400)
    await nextAcknowledged(journey, 'issue_status')
    const { grievances } = await grievancesOf(ctx.db, ctx, journey, ctx.clock())
    assert.ok(grievances[0]!.mayEscalate)
    assert.equal(grievances[0]!.officer.name, 'Leela Rao')
    assert.ok((await reload(grievance)).escalationOfferedAt)
    assert.ok(
      (await findJourney(ctx.db, journey.tenantId, journey.journeyId))!.version > version,
      'the journey version increased, so the page refreshes',
    )

    const escalated = await escalate()
    const { issue } = (await nextAcknowledged(journey, 'issue')).body.message
    assert.deepEqual(igmMessageFaults('issue', { issue }), [])
    assert.equal(issue.issue_type, 'GRIEVANCE')
    assert.deepEqual(
      issue.issue_actions.complainant_actions.map((each: { complainant_action: string }) => each.complainant_action),
      ['OPEN', 'ESCALATE'],
    )
    assert.equal(mayEscalate(escalated, escalated.resolutionDueAt), false, 'a grievance can be escalated only once')
    assert.equal((await refusalOf(escalate())).kind, 'wrong-state')
    // The deadlines restart, and messages before the escalation do not count as an answer.
    advanceClock(7_201)
    await nextAcknowledged(journey, 'issue_status')
    assert.ok((await reload(grievance)).lateAt)
    await answer(grievance, 'on_issue_status', ['CASCADED', 'RESOLVED'], { journey, firstAt: ctx.clock() })
    assert.equal((await reload(grievance)).status, 'RESOLVED')
  })

  test('is resent if the lender was unreachable, even for a closed loan', async () => {
    const { journey } = loanOfUnreachableLender
    await ctx.db`update journey set active = false, closed_at = now() where journey_id = ${journey.journeyId}`
    network.on('/ondc/issue', () => ({ status: 503, body: '' }))
    const grievance = await raise(journey)
    await network.nextCall('/ondc/issue', journey.networkTransactionId)
    network.on('/ondc/issue', undefined)
    advanceClock(7_201)
    const resent = (await network.nextCall('/ondc/issue', journey.networkTransactionId)).body
    assert.equal(resent.message.issue.id, grievance.grievanceId)
    const { requestId } = await reload(grievance)
    assert.equal(resent.context.message_id, requestId)
    await answer(grievance, 'on_issue', ['PROCESSING'], { journey, messageId: requestId, firstAt: ctx.clock() })
    await waitForStatus(grievance, 'PROCESSING')
  })
})
