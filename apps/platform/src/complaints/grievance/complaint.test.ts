// Complaints in IGM 2.0.0 to a scripted lender: a refusal, an escalation, an acceptance, and the choice of the version.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProductId } from '@lendloom/lending/product/products'
import type { Json } from '@lendloom/tests/network-messages/conversation'
import { complaintWith, type LenderAction, lenderActor, refund, refusal } from '@lendloom/tests/setup/complaint-lender'
import { grievanceContext } from '@lendloom/tests/setup/grievance'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { nack } from '@lendloom/wire/network/context'
import { igmMessageFaults, igmVersionOf } from '@lendloom/wire/network/igm/codec'
import { readMessages } from '#platform/lenders/network/messages/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { closeGrievance, escalateGrievance, replyToGrievance } from './borrower-acts.ts'
import type { Grievance } from './grievance.ts'
import { grievancesOf, historyOf } from './grievance-history.ts'
import { igmVersionOfLender } from './store.ts'

const { network, platform, loan, act, raise, reload, nextAcknowledged, answer } = await grievanceContext()
const { ctx, advanceClock } = platform
const lateLoan = await loan()

/** A journey whose lender has answered a complaint in 2.0.0 before. */
async function loanOfLender200(type?: ProductId): Promise<Journey> {
  const { journey, conversation } = await loan('DISBURSED', 'order-1', type)
  const { tenantId } = journey
  const row = { tenantId, bppId: conversation.bppId, version: '2.0.0', updatedAt: ctx.clock() }
  await ctx.db`insert into lender_igm_version ${ctx.db(row)}`
  return journey
}

/** The next `issue`, checked against the rules, and its newest actions. */
async function nextIssue(journey: Journey): Promise<{ message: Json; codes: string[]; messageId: string }> {
  const { body } = await nextAcknowledged(journey, 'issue')
  assert.deepEqual(igmMessageFaults('issue', body.message), [])
  const codes = body.message.issue.actions.map(({ descriptor }: Json) => descriptor.code)
  return { message: body.message, codes, messageId: body.context.message_id }
}

const close = (journey: Journey, { grievanceId }: Grievance, ratingCode: string | null) =>
  act(journey, (tx, deps, lockedJourney, at) =>
    closeGrievance({ ...deps, tx, at }, lockedJourney, { grievanceId, ratingCode }),
  )
const escalate = (journey: Journey, { grievanceId }: Grievance) =>
  act(journey, (tx, deps, lockedJourney, at) => escalateGrievance({ ...deps, tx, at }, lockedJourney, grievanceId))

async function send(grievance: Grievance, journey: Journey, complaint: Json, messageId?: string): Promise<string> {
  const { body } = await answer(grievance, 'on_issue', [], { journey, complaint, ...(messageId && { messageId }) })
  const { ack } = body.message
  return ack.status === 'ACK' ? 'ACK' : `NACK ${body.error.code} ${body.error.path ?? ''}`.trim()
}

describe('FIS12 §20.1: a complaint in IGM 2.0.0', () => {
  for (const type of ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'] as const)
    test(`about a ${type} is opened, questioned, refused, escalated, accepted and closed with a rating`, async () => {
      const journey = await loanOfLender200(type)
      const grievance = await raise(journey)
      const opened = await nextIssue(journey)
      assert.deepEqual(opened.codes, ['OPEN'])
      assert.equal(opened.message.issue.level, 'ISSUE')
      const lenderSays = (message: Json, added: LenderAction[], resolutions?: Json[], messageId?: string) =>
        send(grievance, journey, complaintWith(message, added, resolutions), messageId)

      assert.equal(await lenderSays(opened.message, [{ code: 'PROCESSING' }], [], opened.messageId), 'ACK')
      assert.equal((await reload(grievance)).status, 'PROCESSING')
      const question = [{ code: 'PROCESSING' }, { code: 'INFO_REQUESTED', text: 'On which day?' }]
      assert.equal(await lenderSays(opened.message, question), 'ACK', 'an unsolicited on_issue')
      assert.equal((await reload(grievance)).status, 'NEEDS_INFO')
      const reply = { grievanceId: grievance.grievanceId, reply: 'It was taken on 18 November.' }
      await act(journey, (tx, deps, locked, at) => replyToGrievance({ ...deps, tx, at }, locked, reply))
      const added = await nextIssue(journey)
      const given = added.message.issue.actions.at(-1)
      assert.equal(given.ref_id, 'B2')
      assert.equal(given.descriptor.short_desc, reply.reply)
      const page = await fetch(added.message.issue.descriptor.additional_desc.url)
      assert.match(await page.text(), /charge of 500 rupees.+on 18 November/s)

      assert.equal(await lenderSays(added.message, [{ code: 'RESOLUTION_PROPOSED', ref: 'R1' }], [refusal]), 'ACK')
      const proposed = await reload(grievance)
      assert.equal(proposed.status, 'RESOLVED')
      assert.equal(proposed.resolutionAction, 'NO-ACTION')
      assert.equal(proposed.refundPaise, null)
      await escalate(journey, grievance)
      const escalated = await nextIssue(journey)
      assert.deepEqual(escalated.codes.slice(-2), ['RESOLUTION_REJECTED', 'ESCALATED'])
      assert.equal(escalated.message.issue.level, 'GRIEVANCE')

      const byOfficer = [
        { code: 'PROCESSING', by: 'GRO2' },
        { code: 'RESOLUTION_PROPOSED', by: 'GRO2', ref: 'R2' },
      ]
      assert.equal(await lenderSays(escalated.message, byOfficer, [refund]), 'ACK')
      const again = await reload(grievance)
      assert.equal(again.status, 'RESOLVED')
      assert.equal(again.resolutionAction, 'REFUND')
      assert.equal(again.refundPaise, 500_00n)
      assert.equal((await grievancesOf(ctx.db, ctx, journey, ctx.clock())).grievances[0]!.officer.name, 'Leela Rao')
      await close(journey, grievance, 'THUMBS-UP')
      const accepted = await nextIssue(journey)
      assert.equal(accepted.codes.at(-1), 'RESOLUTION_ACCEPTED')
      assert.equal(accepted.message.issue.status, 'PROCESSING')
      assert.equal((await reload(grievance)).status, 'CLOSED')

      assert.equal(await lenderSays(accepted.message, [{ code: 'RESOLVED', by: 'GRO2', ref: 'R2' }]), 'ACK')
      const closed = await nextIssue(journey)
      assert.deepEqual(closed.codes.slice(-2), ['RESOLVED', 'CLOSED'])
      assert.equal(closed.message.issue.status, 'CLOSED')
      assert.equal(closed.message.issue.actions.at(-1).tags[0].list[0].value, 'THUMBS_UP')
      assert.deepEqual(
        historyOf(await reload(grievance))
          .map(({ by, action }) => `${by} ${action}`)
          .sort(),
        [
          'borrower ADDED',
          'borrower CLOSE',
          'borrower ESCALATE',
          'borrower OPEN',
          'lender NEED-MORE-INFO',
          'lender PROCESSING',
          'lender PROCESSING',
          'lender RESOLVED',
          'lender RESOLVED',
        ],
      )
    })

  test('is sent once more in the version that a NACK names, and the next complaint at once', async () => {
    const { journey, conversation } = await loan()
    const rejection = { code: '20006', message: 'message.issue must be in IGM 2.0.0' }
    network.on('/ondc/issue', ({ body }) =>
      igmVersionOf(body.message) === '1.0.0' ? { status: 200, body: nack(rejection) } : undefined,
    )
    const grievance = await raise(journey)
    const first = await network.nextCall('/ondc/issue', journey.networkTransactionId)
    assert.equal(igmVersionOf(first.body.message), '1.0.0')
    network.on('/ondc/issue', undefined)
    const second = await nextIssue(journey)
    assert.equal(igmVersionOf(second.message), '2.0.0')
    assert.equal(second.message.issue.id, grievance.grievanceId)
    const { tenantId } = journey
    assert.equal(await igmVersionOfLender(ctx.db, tenantId, conversation.bppId), undefined, 'not before an answer')
    const complaint = complaintWith(second.message, [{ code: 'PROCESSING' }])
    assert.equal(await send(grievance, journey, complaint, second.messageId), 'ACK')
    const reloaded = await reload(grievance)
    assert.equal(reloaded.status, 'PROCESSING')
    assert.equal(reloaded.igmVersion, '2.0.0')
    assert.equal(await igmVersionOfLender(ctx.db, tenantId, conversation.bppId), '2.0.0')
    await close(journey, grievance, null)
    assert.equal((await nextIssue(journey)).codes.at(-1), 'CLOSED')
    await raise(journey)
    assert.equal(igmVersionOf((await nextIssue(journey)).message), '2.0.0')
  })

  test('becomes REFUSED when the lender rejects both versions', async () => {
    const { journey } = await loan()
    network.on('/ondc/issue', ({ body }) => {
      const other = igmVersionOf(body.message) === '1.0.0' ? '2.0.0' : '1.0.0'
      return { status: 200, body: nack({ code: '20006', message: `must be in IGM ${other}` }) }
    })
    const grievance = await raise(journey)
    await waitFor(async () => (await reload(grievance)).status === 'REFUSED')
    network.on('/ondc/issue', undefined)
    const sent = (await readMessages(ctx.db, ctx.seal, journey.tenantId, journey.journeyId)).filter(
      ({ action }) => action === 'issue',
    )
    assert.equal(sent.length, 2)
  })

  test('is unchanged by a faulty answer, which gets a NACK', async () => {
    const journey = await loanOfLender200()
    const grievance = await raise(journey)
    const { message, messageId } = await nextIssue(journey)
    const processing = complaintWith(message, [{ code: 'PROCESSING' }])
    assert.equal(await send(grievance, journey, processing, messageId), 'ACK')
    assert.equal(await send(grievance, journey, processing, messageId), 'ACK', 'a repeat')
    assert.equal(await send(grievance, journey, message), 'ACK', 'an older state adds nothing')
    const before = await reload(grievance)

    const resolved = (change: (issue: Json) => void) => {
      const complaint = complaintWith(processing, [{ code: 'RESOLVED' }])
      change(complaint.issue)
      return complaint
    }
    const other = await loanOfLender200()
    const otherGrievance = await raise(other)
    const cases: [expected: string, complaint: Json, about?: Journey][] = [
      ['NACK 20008', resolved((issue) => (issue.id = otherGrievance.grievanceId))],
      ['NACK 20008', resolved((issue) => (issue.id = 'ISSUE-1'))],
      ['NACK 20008', resolved(() => {}), other],
      ['NACK 20006 $.message.issue.actions.2', resolved((issue) => (issue.actions[2].action_by = 'NP1'))],
      ['NACK 20006 $.message.issue.actions.2.action_by', resolved((issue) => (issue.actions[2].action_by = 'X'))],
      [
        'NACK 20006 $.message.issue.actors.1.type',
        resolved((issue) => (issue.actors[1] = { ...lenderActor, id: 'NP1' })),
      ],
      ['NACK 20006 $.message.issue.actions.1', resolved((issue) => issue.actions.splice(1, 1))],
      ['NACK 20006 $.message.issue.actions.2.id', resolved((issue) => (issue.actions[2].id = 'B1'))],
      [
        'NACK 20006 $.message.issue.actions',
        resolved((issue) => (issue.actions = Array.from({ length: 2_000 }, () => issue.actions[2]))),
      ],
    ]
    for (const [expected, complaint, about = journey] of cases)
      assert.equal(await send(grievance, about, complaint), expected)
    assert.equal(
      await send(
        grievance,
        journey,
        resolved(() => {}),
        messageId,
      ),
      'NACK 20008 $.context.message_id',
      'another body',
    )
    const inOlder = await answer(grievance, 'on_issue', ['RESOLVED'], { journey })
    assert.equal(inOlder.body.error.path, '$.message.issue')
    const { updatedAt: _, ...unchanged } = before
    const { updatedAt: __, ...after } = await reload(grievance)
    assert.deepEqual(after, unchanged)
    assert.equal((await reload(otherGrievance)).status, 'OPEN')
  })

  test('in 1.0.0 keeps its version, and takes an unsolicited on_issue', async () => {
    const { journey } = await loan()
    const grievance = await raise(journey)
    await nextAcknowledged(journey, 'issue')
    assert.equal((await answer(grievance, 'on_issue', ['PROCESSING'], { journey })).body.message.ack.status, 'ACK')
    assert.equal((await reload(grievance)).status, 'PROCESSING')
    const resolution = { code: 'RESOLVED', id: 'B9' }
    const open = { id: 'NP1_A1', descriptor: { code: 'OPEN' }, updated_at: ctx.clock().toISOString(), action_by: 'NP1' }
    const issue = {
      id: grievance.grievanceId,
      status: 'PROCESSING',
      level: 'ISSUE',
      refs: [],
      source_id: 'CUST1',
      created_at: grievance.createdAt.toISOString(),
      updated_at: ctx.clock().toISOString(),
      actions: [open],
      actors: [{ id: 'NP1', type: 'INTERFACING_NP' }],
    }
    assert.equal(await send(grievance, journey, complaintWith({ issue }, [resolution])), 'NACK 20006 $.message.issue')
    assert.equal((await reload(grievance)).status, 'PROCESSING')
  })

  test('is closed at the deadline if the lender does not carry out the accepted resolution', async () => {
    const { journey, conversation } = lateLoan
    const { tenantId } = journey
    const row = { tenantId, bppId: conversation.bppId, version: '2.0.0', updatedAt: ctx.clock() }
    await ctx.db`insert into lender_igm_version ${ctx.db(row)}`
    const grievance = await raise(journey)
    const { message } = await nextIssue(journey)
    const proposal = complaintWith(message, [{ code: 'RESOLUTION_PROPOSED', ref: 'R1' }], [refusal])
    assert.equal(await send(grievance, journey, proposal), 'ACK')
    await close(journey, grievance, 'THUMBS-DOWN')
    assert.equal((await nextIssue(journey)).codes.at(-1), 'RESOLUTION_ACCEPTED')
    advanceClock(7_201)
    const closed = await nextIssue(journey)
    assert.equal(closed.codes.at(-1), 'CLOSED')
    const late = complaintWith(closed.message, [{ code: 'RESOLVED', ref: 'R1' }])
    assert.equal(await send(grievance, journey, late), 'ACK')
    assert.equal((await reload(grievance)).status, 'CLOSED')
  })
})
