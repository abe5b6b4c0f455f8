// Complaint messages of IGM 2.0.0: complete ones are valid, written ones equal the model, and a changed trail is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedMessage } from '@lendloom/conformance/network/transcript'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { faultsOf } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Json } from '@lendloom/tests/network-messages/conversation'
import {
  complaintSteps,
  type GrievanceStep,
  grievance,
  loanWithGrievance,
} from '@lendloom/tests/network-messages/grievance'
import { isObject, keyPathsIn, type Path, valueAtPath, withoutKey } from '@lendloom/tests/network-messages/take-apart'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { faultText } from '#wire/network/context.ts'
import type { IgmAction } from '#wire/network/igm/actions.ts'
import { igmBodyFaults, igmCodecs, igmVersionOf, versionNamedIn } from '#wire/network/igm/codec.ts'
import type { IssueDraft } from '#wire/network/igm/complaint.ts'
import { signatureHeader, signingKeysFrom } from '#wire/network/signing.ts'
import { emptyTrail, type IssueTrail } from './schema.ts'

const { outgoingFaults, readAnswer, readIssue, writeAnswer, writeIssue } = igmCodecs['2.0.0']
const steps = complaintSteps() as (GrievanceStep & { action: IgmAction })[]
const stepNamed = (name: string) =>
  required(
    structuredClone(steps).find(({ step }) => step === name),
    `step ${name}`,
  )

/** The trail after these messages of the model, in both directions. */
function trailAfter(name: string): IssueTrail {
  const { issue } = stepNamed(name).message
  const respondents = issue.actors.slice(2)
  return {
    actions: issue.actions,
    actors: respondents,
    respondentIds: issue.respondent_ids ?? [],
    resolverIds: issue.resolver_ids ?? [],
    resolutions: issue.resolutions ?? [],
  }
}

test('FIS12 §20.1: every message of a complete complaint is valid for sending and receiving', () => {
  for (const { step, action, context, message } of steps) {
    assert.deepEqual(outgoingFaults(action, message).map(faultText), [], step)
    assert.deepEqual(igmBodyFaults(action, { context, message }, '2.0.3'), [], step)
    assert.equal(igmVersionOf(message), action === 'issue_status' ? '1.0.0' : '2.0.0', step)
  }
  for (const { step, message } of grievance()) assert.equal(igmVersionOf(message), '1.0.0', step)
})

/** Keys that no published rule requires, or not from every actor and action. */
const optionalKeys = [
  /resolutions/,
  /resolver_ids$/,
  /ref_(id|type)$/,
  /descriptor\.name$/,
  /tags/,
  /^issue\S* update_target$/,
  /fulfillment/i,
  /actors\.[23]/,
  /actions\.\d+\.descriptor\.short_desc$/,
]

test('FIS12 §20.1: a missing key is reported unless optional', () => {
  const unreported = steps.flatMap(({ step, action, message }) =>
    [...keyPathsIn(message)].flatMap((path) =>
      outgoingFaults(action, withoutKey(message, path)).length > 0 ? [] : [`${step} ${path.join('.')}`],
    ),
  )
  assert.deepEqual(
    unreported.filter((path) => !optionalKeys.some((pattern) => pattern.test(path))),
    [],
  )
  const { message } = stepNamed('issue_open')
  for (const path of [
    ['actions', '0', 'descriptor', 'short_desc'],
    ['actors', '0', 'info', 'contact', 'email'],
  ])
    assert.ok(outgoingFaults('issue', withoutKey(message, ['issue', ...path])).length > 0, path.join('.'))
})

test('FIS12 §3.3: the rules report an unknown key, and readers refuse a wrong value by its path', () => {
  fc.assert(
    fc.property(fc.constantFrom(...steps), fc.nat(), fc.constantFrom(null, 7, '', [], {}, [null]), (step, n, value) => {
      const objects = [[] as Path, ...keyPathsIn(step.message)].filter((path) =>
        isObject(valueAtPath(step.message, path)),
      )
      const withUnknownKey = structuredClone(step.message)
      valueAtPath(withUnknownKey, objects[n % objects.length]!).surprise = true
      assert.ok(outgoingFaults(step.action, withUnknownKey).some(({ path }) => path.endsWith('.surprise')))
      const paths = [...keyPathsIn(step.message)]
      const path = paths[n % paths.length]!
      const wrong = structuredClone(step.message)
      valueAtPath(wrong, path.slice(0, -1))[path.at(-1)!] = value
      outgoingFaults(step.action, wrong)
      if (step.action === 'issue_status') return
      const read = () =>
        step.action === 'issue' ? readIssue(wrong) : readAnswer('on_issue', wrong, trailAfter(step.step))
      for (const each of faultsOf(read)) assert.match(each.path, /^message(\.|$)/)
    }),
    { numRuns: roundsOf(300) },
  )
})

const by = {
  org: 'buyer.lendloom.example',
  name: 'Neha Joshi',
  phone: '022-40007001',
  email: 'help@buyer.lendloom.example',
}
const at = (hour: number) => new Date(`2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`)
const openDraft: IssueDraft = {
  issueId: '4f6f1e2a-0d4f-4a44-9d1c-5c2b6a7c9e10',
  category: 'PAYMENT',
  subCategory: 'PMT01',
  complainant: { name: 'Sunita Pawar', phone: '9800000077', email: 'sunita@mail.example' },
  order: { id: 'order-9', itemId: 'gold-account-aggregator', providerId: 'sahyadri', fulfillmentIds: ['loan-1'] },
  description: {
    short: 'A charge that was not agreed',
    long: 'A charge of 500 rupees was taken that the offer did not show.',
    textUrl: 'https://buyer.lendloom.example/ondc/grievance/1/text',
  },
  additions: [],
  participant: 'buyer.lendloom.example/ondc',
  responseTime: 'PT2H',
  resolutionTime: 'P1D',
  issueType: 'ISSUE',
  rating: null,
  actions: [{ action: 'OPEN', text: 'Complaint raised', at: at(9) }],
  by,
  trail: null,
  createdAt: at(9),
  updatedAt: at(9),
}

/** The trail after a message of the lender that arrives on our trail. */
const received = (trail: IssueTrail | null, step: string) =>
  readAnswer('on_issue', stepNamed(step).message, trail).trail

test('FIS12 §20.1: built messages equal the model, from opening through refusal and acceptance to the rating', () => {
  const opened = writeIssue(openDraft)
  assert.deepEqual(opened.message, stepNamed('issue_open').message)
  assert.deepEqual(writeIssue({ ...openDraft, trail: opened.trail }).message, opened.message, 'a repeat adds nothing')

  const questioned = received(received(opened.trail, 'on_issue_processing'), 'on_issue_question')
  const added = {
    ...openDraft,
    description: {
      ...openDraft.description,
      long: `${openDraft.description.long}\n\nAdded: It was taken on 18 November.`,
    },
    additions: [{ at: at(11), text: 'It was taken on 18 November.' }],
  }
  const answered = writeIssue({ ...added, trail: questioned, updatedAt: at(11) })
  assert.deepEqual(answered.message, stepNamed('issue_added').message)

  const proposed = received(received(answered.trail, 'on_issue_added'), 'on_issue_proposed')
  const text = 'Not satisfied with the resolution'
  const escalatedActions = [...openDraft.actions, { action: 'ESCALATE' as const, text, at: at(13) }]
  const escalatedDraft = { ...added, issueType: 'GRIEVANCE' as const, actions: escalatedActions }
  const escalated = writeIssue({ ...escalatedDraft, trail: proposed, updatedAt: at(13) })
  assert.deepEqual(escalated.message, stepNamed('issue_escalated').message)

  const again = received(received(escalated.trail, 'on_issue_escalated'), 'on_issue_second_proposal')
  const closing = { action: 'CLOSE' as const, text: 'Complaint closed', at: at(16) }
  const closedDraft = { ...escalatedDraft, rating: 'THUMBS-UP' as const, actions: [...escalatedActions, closing] }
  const accepted = writeIssue({ ...closedDraft, trail: again, updatedAt: at(16) })
  assert.deepEqual(accepted.message, stepNamed('issue_accepted').message)
  const resolved = received(accepted.trail, 'on_issue_resolved')
  assert.deepEqual(
    writeIssue({ ...closedDraft, trail: resolved, updatedAt: at(18) }).message,
    stepNamed('issue_closed').message,
  )
})

test('FIS12 §20.1: without the complainant’s address the officer’s stands in, and a withdrawal closes at once', () => {
  const complainant = { ...openDraft.complainant, email: null }
  const closing = { action: 'CLOSE' as const, text: 'Complaint withdrawn', at: at(10) }
  const actions = [...openDraft.actions, closing]
  const { message } = writeIssue({ ...openDraft, complainant, actions, trail: trailAfter('on_issue_processing') })
  assert.deepEqual(outgoingFaults('issue', message).map(faultText), [])
  const { issue } = message as Json
  assert.equal(issue.actors[0].info.contact.email, by.email)
  assert.equal(issue.status, 'CLOSED')
  assert.equal(issue.actions.at(-1).descriptor.code, 'CLOSED')
})

test('FIS12 §20.1: an answer has the actions, the officers and the chosen resolution in our terms', () => {
  const proposal = readAnswer('on_issue', stepNamed('on_issue_proposed').message, trailAfter('issue_added'))
  assert.deepEqual(
    proposal.actions.map(({ action, text }) => ({ action, text })),
    [
      { action: 'PROCESSING', text: 'The complaint is being looked into' },
      { action: 'NEED-MORE-INFO', text: 'On which day was it taken?' },
      { action: 'PROCESSING', text: 'The answer was received' },
      { action: 'RESOLVED', text: 'Please choose' },
    ],
  )
  assert.equal(proposal.resolution!.text, 'The charge stays')
  assert.equal(proposal.resolution!.action, 'NO-ACTION')
  const last = readAnswer('on_issue', stepNamed('on_issue_resolved').message, trailAfter('issue_accepted'))
  assert.equal(last.resolution!.action, 'REFUND')
  assert.equal(last.resolution!.refund, 500_00n)
  assert.equal(last.provider!.person, 'Vikram Deshpande')
  assert.equal(last.provider!.officers[0]!.name, 'Leela Rao')

  const older = stepNamed('on_issue_question').message
  older.issue.actors[0].type = 'CUSTOMER'
  older.issue.actors[2].type = 'TRANSACTION-COUNTERPARTY-NP'
  older.issue.actions[2].descriptor.code = 'NEED-MORE-INFO'
  assert.equal(readAnswer('on_issue', older, trailAfter('issue_open')).actions[1]!.action, 'NEED-MORE-INFO')
  const late = readAnswer('on_issue', stepNamed('on_issue_question').message, trailAfter('issue_escalated'))
  assert.deepEqual(late.trail, trailAfter('issue_escalated'), 'an old message adds nothing')
})

/** The paths at which an answer is refused after a change of its issue. */
function refusedAt(change: (issue: Json) => void, trail: IssueTrail = trailAfter('on_issue_question')): string[] {
  const { message } = stepNamed('on_issue_added')
  change(message.issue)
  return faultsOf(() => readAnswer('on_issue', message, trail)).map(({ path }) => path.replace('message.issue.', ''))
}

test('FIS12 §20.1: an answer that changes a trail, or acts for us, is refused at the place', () => {
  const answered = trailAfter('issue_added')
  assert.deepEqual(
    refusedAt(() => {}, answered),
    [],
  )
  assert.deepEqual(
    refusedAt(() => {}),
    ['actions.3'],
    'an action of ours that we did not send',
  )
  assert.deepEqual(
    refusedAt(() => {}, emptyTrail),
    ['actions.0'],
  )
  const cases: [change: (issue: Json) => void, ...paths: string[]][] = [
    [(issue) => (issue.actions[4].action_by = 'NP1'), 'actions.4'],
    [(issue) => (issue.actions[4].action_by = 'NP9'), 'actions.4.action_by'],
    [(issue) => (issue.actors[2].type = 'CONSUMER'), ...[1, 2, 4].map((i) => `actions.${i}.action_by`)],
    [(issue) => (issue.actors[1].type = 'COUNTERPARTY_NP'), 'actors.1.type'],
    [(issue) => (issue.actions[4].descriptor.code = 'CLOSED'), 'actions.4.descriptor.code'],
    [(issue) => (issue.actions[4].descriptor.code = 'constructor'), 'actions.4.descriptor.code'],
    [(issue) => (issue.actions[4].id = 'B1'), 'actions.4.id'],
    [(issue) => (issue.actions[1].updated_at = '2026-11-20T09:21:00.000Z'), 'actions.1'],
    [(issue) => issue.actions.splice(1, 1), 'actions.1'],
    [(issue) => issue.actions.splice(1, 2, issue.actions[2], issue.actions[1]), 'actions.1'],
    [(issue) => (issue.actions = Array.from({ length: 201 }, () => issue.actions[0])), 'actions'],
    [(issue) => (issue.actors = Array.from({ length: 51 }, () => issue.actors[0])), 'actors'],
  ]
  for (const [change, ...paths] of cases) {
    const found = refusedAt(change, answered)
    assert.ok(
      paths.every((path) => found.includes(path)),
      `${change}: ${found}`,
    )
  }
  const actionsOf = (count: number) => (issue: Json) => {
    for (let i = 0; issue.actions.length < count; i++) issue.actions.push({ ...issue.actions[4], id: `C${i}` })
  }
  assert.deepEqual(refusedAt(actionsOf(200), answered), [])
})

test('FIS12 §20.1: a lender reads an issue, and refuses one without order, known actions or its last action', () => {
  const read = (name: string) => readIssue(stepNamed(name).message)
  assert.equal(read('issue_open').orderId, 'order-9')
  assert.equal(read('issue_added').hasAddition, true)
  const escalated = read('issue_escalated')
  assert.equal(escalated.issueType, 'GRIEVANCE')
  assert.equal(escalated.isAccepted, false)
  const accepted = read('issue_accepted')
  assert.equal(accepted.isAccepted, true)
  assert.equal(accepted.isClosed, false)
  const closed = read('issue_closed')
  assert.equal(closed.isClosed, true)
  assert.equal(closed.rating, 'THUMBS-UP')
  const changes: [path: string, (issue: Json) => void][] = [
    ['refs', (issue) => issue.refs.shift()],
    ['last_action_id', (issue) => (issue.last_action_id = 'A7')],
    ['actions.0', (issue) => (issue.actions[0].descriptor.code = 'RESOLVED')],
    ['actors.1.type', (issue) => (issue.actors[1].type = 'COUNTERPARTY_NP')],
  ]
  for (const [path, change] of changes) {
    const { message } = stepNamed('issue_open')
    change(message.issue)
    assert.deepEqual(
      faultsOf(() => readIssue(message)).map((each) => each.path),
      [`message.issue.${path}`],
    )
  }
})

test('FIS12 §20.1: a lender’s answers are valid, and repeat what the buyer app sent', () => {
  const lender = {
    org: 'sahyadri.example',
    name: 'Vikram Deshpande',
    phone: '020-40005511',
    email: 'care@sahyadri.example',
  }
  const names = ['PROCESSING', 'NEED-MORE-INFO', 'PROCESSING', 'RESOLVED', 'CONFIRMED'] as const
  const draft = {
    issueId: openDraft.issueId,
    actions: names.map((action, i) => ({ action, text: action, at: at(10 + i), by: lender, level: 1 })),
    createdAt: at(9).toISOString(),
    updatedAt: at(15),
    provider: { organization: lender, chatLink: '', support: lender, officer: lender },
    resolution: { short: 'We refund ₹500', long: 'Within five days', action: 'REFUND' as const, refund: 500_00n },
    request: stepNamed('issue_open').message,
  }
  const answer: Json = writeAnswer('on_issue', draft)
  assert.deepEqual(outgoingFaults('on_issue', answer).map(faultText), [])
  const { actions, resolution } = readAnswer('on_issue', answer, trailAfter('issue_open'))
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['PROCESSING', 'NEED-MORE-INFO', 'PROCESSING', 'RESOLVED', 'RESOLVED'],
  )
  assert.equal(resolution!.action, 'REFUND')
  assert.equal(resolution!.refund, 500_00n)
  assert.equal(answer.issue.status, 'RESOLVED')
})

test('FIS12 §20.1: a rejection names the other version, or a field that only that version has', () => {
  const code = '20006'
  assert.equal(versionNamedIn({ code, message: 'only IGM 2.0.0 is supported' }, '1.0.0'), '2.0.0')
  assert.equal(versionNamedIn({ code, path: '$.message.issue.actors' }, '1.0.0'), '2.0.0')
  assert.equal(versionNamedIn({ code, path: '$.message.issue.issue_actions.complainant_actions' }, '2.0.0'), '1.0.0')
  assert.equal(versionNamedIn({ code, path: '$.message.issue.refs' }, '2.0.0'), null)
  assert.equal(versionNamedIn({ code: '40000', message: 'no such order' }, '2.0.0'), null)
})

const keys: Record<string, ReturnType<typeof signingKeysFrom>> = {
  'buyer.lendloom.example': signingKeysFrom(Buffer.alloc(32, 1)),
  'sahyadri.example': signingKeysFrom(Buffer.alloc(32, 2)),
}

function record({ action, context, message }: GrievanceStep): RecordedMessage {
  const body = JSON.stringify({ context, message })
  const sender = action.startsWith('on_') ? 'sahyadri.example' : 'buyer.lendloom.example'
  const { privateKey } = keys[sender]!
  const when = new Date(context.timestamp)
  const authorization = signatureHeader(body, { subscriberId: sender, uniqueKeyId: 'k1', privateKey, at: when })
  const direction = action.startsWith('on_') ? 'received' : 'sent'
  return { at: when, direction, party: 'sahyadri.example', action, headers: { authorization }, body }
}

function faultsAfter(name: string, change: (issue: Json) => void): string {
  const changed = loanWithGrievance(complaintSteps())
  const step = changed.find((each) => each.step === name)
  if (step) change(step.message.issue)
  return invariantsOf(changed.map(record), ({ subscriberId }) => keys[subscriberId]?.publicKey ?? null)
    .map(faultText)
    .join('\n')
}

test('FIS12 §20.1, §12.4: violations across the messages of a complaint are reported', () => {
  assert.equal(
    faultsAfter('', () => {}),
    '',
  )
  assert.match(
    faultsAfter('issue_added', (issue) => (issue.refs[0].ref_id = 'order-8')),
    /another loan/,
  )
  assert.match(
    faultsAfter('on_issue_added', (issue) => issue.actions.splice(1, 1)),
    /leaves out or changes/,
  )
  assert.match(
    faultsAfter('on_issue_added', (issue) => (issue.created_at = '2026-11-20T09:00:01.000Z')),
    /created_at is/,
  )
  const [older] = grievance()
  const inOlder = (issue: Json) => {
    for (const name of Object.keys(issue)) delete issue[name]
    Object.assign(issue, older!.message.issue)
  }
  assert.match(faultsAfter('issue_closed', inOlder), /is in IGM 1\.0\.0, unlike the grievance/)
})
