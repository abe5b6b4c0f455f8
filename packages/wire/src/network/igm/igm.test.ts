// Grievance messages: complete ones are valid, and violations are reported by path.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedMessage } from '@lendloom/conformance/network/transcript'
import { invariantsOf as invariants203 } from '@lendloom/conformance/network/v203/invariants'
import { faultsOf } from '@lendloom/foundation/refusal'
import type { Json } from '@lendloom/tests/network-messages/conversation'
import {
  type GrievanceStep,
  grievance,
  grievanceStep,
  loanWithGrievance,
} from '@lendloom/tests/network-messages/grievance'
import { isObject, keyPathsIn, type Path, valueAtPath, withoutKey } from '@lendloom/tests/network-messages/take-apart'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { contextFaults, faultText } from '#wire/network/context.ts'
import { signatureHeader, signingKeysFrom } from '#wire/network/signing.ts'
import type { IgmAction, IgmCallback } from './actions.ts'
import { igmBodyFaults, igmCodecs, issueStatus, readRequestedIssueId } from './codec.ts'

const { outgoingFaults: igmOutgoingFaults, readIssue, readAnswer, writeIssue } = igmCodecs['1.0.0']
const readRespondent = (callback: IgmCallback, message: unknown) => readAnswer(callback, message, null)

const steps = grievance() as (GrievanceStep & { action: IgmAction })[]

test('FIS12 §20: every message of a complete grievance is valid for sending and receiving', () => {
  for (const { step, action, context, message } of steps) {
    assert.deepEqual(igmOutgoingFaults(action, message).map(faultText), [], step)
    assert.deepEqual(igmBodyFaults(action, { context, message }, '2.0.3'), [], step)
  }
})

/** Keys that FIS12 §20 does not require. */
const optionalKeys = [
  /\.email$/,
  /\.short_desc$/,
  /quantity$/,
  /fulfillments/,
  /additional_desc/,
  /refund_amount$/,
  /long_desc$/,
  /rating$/,
  /resolution_support$/,
  /chat_link$/,
  /respondent_info\.organization\.contact/,
  /resolution_support\.contact/,
  /resolution_support\.gros$/,
]

test('FIS12 §20: a missing key is reported unless optional', () => {
  const unreported = steps.flatMap(({ step, action, message }) =>
    [...keyPathsIn(message)].flatMap((path) =>
      igmOutgoingFaults(action, withoutKey(message, path)).length > 0 ? [] : [`${step} ${path.join('.')}`],
    ),
  )
  assert.deepEqual(
    unreported.filter((path) => !optionalKeys.some((pattern) => pattern.test(path))),
    [],
  )
  for (const key of ['description.long_desc', 'description.short_desc'])
    assert.ok(igmOutgoingFaults('issue', withoutKey(steps[0]!.message, ['issue', ...key.split('.')])).length > 0, key)
})

test('FIS12 §3.3: the rules report an unknown key, and never throw on a wrong value', () => {
  fc.assert(
    fc.property(fc.constantFrom(...steps), fc.nat(), fc.constantFrom(null, 7, '', [], {}, [null]), (step, n, value) => {
      const objects = [[] as Path, ...keyPathsIn(step.message)].filter((path) =>
        isObject(valueAtPath(step.message, path)),
      )
      const withUnknownKey = structuredClone(step.message)
      valueAtPath(withUnknownKey, objects[n % objects.length]!).surprise = true
      assert.ok(igmOutgoingFaults(step.action, withUnknownKey).some(({ path }) => path.endsWith('.surprise')))
      const paths = [...keyPathsIn(step.message)]
      const path = paths[n % paths.length]!
      const withWrongValue = structuredClone(step.message)
      valueAtPath(withWrongValue, path.slice(0, -1))[path.at(-1)!] = value
      igmOutgoingFaults(step.action, withWrongValue)
      if (igmBodyFaults(step.action, { context: step.context, message: withWrongValue }, '2.0.3').length > 0) return
      // A stored message can be parsed, or is rejected with the path of the fault.
      if (step.action === 'issue') faultsOf(() => readIssue(withWrongValue))
      else if (step.action !== 'issue_status')
        for (const each of faultsOf(() => readRespondent(step.action as IgmCallback, withWrongValue)))
          assert.match(each.path, /^message\./)
    }),
    { numRuns: roundsOf(300) },
  )
})

/** The faults of a message after replacing values of its issue; undefined deletes a key. */
function faultsAfterChange(name: string, values: Record<string, unknown>): string {
  const { action, message } = grievanceStep(name)
  replace(message.issue, values)
  return igmOutgoingFaults(action as IgmAction, message)
    .map(faultText)
    .join('\n')
}

function replace(holder: Json, values: Record<string, unknown>): void {
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split('.')
    const parent = keys.slice(0, -1).reduce((object: Json, key) => object[key], holder)
    if (value === undefined) delete parent[keys.at(-1)!]
    else parent[keys.at(-1)!] = value
  }
}

test('FIS12 §20: an unknown code, or a status or type that contradicts the actions, is reported', () => {
  assert.match(faultsAfterChange('issue_open', { category: 'LOAN' }), /category is LOAN/)
  assert.match(faultsAfterChange('issue_open', { status: 'CLOSED' }), /if and only if/)
  assert.match(faultsAfterChange('issue_open', { issue_type: 'GRIEVANCE' }), /after the action ESCALATE/)
  assert.match(faultsAfterChange('issue_close', { rating: 'FIVE' }), /rating is FIVE/)
  assert.match(
    faultsAfterChange('on_issue_status_resolved', { 'resolution.action_triggered': 'PAY' }),
    /action_triggered is PAY/,
  )
  const level = 'issue_actions.respondent_actions.0.cascaded_level'
  assert.match(faultsAfterChange('on_issue_processing', { [level]: undefined }), /cascaded_level must be present/)
  assert.equal(faultsAfterChange('issue_open', { category: 'ITEM', sub_category: 'ITM04' }), '')
  assert.equal(faultsAfterChange('issue_close', { rating: 'THUMBS_UP' }), '')
})

test('FIS12 §20: only known codes are accepted, with hyphens or underscores', () => {
  const { message } = grievanceStep('on_issue_status_question')
  message.issue.issue_actions.respondent_actions[1].respondent_action = 'NEED_MORE_INFO'
  message.issue.resolution_provider.respondent_info.resolution_support.gros[0].gro_type = 'INTEFACING-NP-GRO'
  assert.deepEqual(igmOutgoingFaults('on_issue_status', message), [])
  const read = readRespondent('on_issue_status', message)
  assert.deepEqual(
    read.actions.map(({ action }) => action),
    ['PROCESSING', 'NEED-MORE-INFO'],
  )
  assert.equal(read.provider!.officers[0]!.name, 'Vikram Deshpande')
  assert.equal(
    readIssue({ issue: { ...grievanceStep('issue_close').message.issue, rating: 'THUMBS_DOWN' } }).rating,
    'THUMBS-DOWN',
  )
  assert.equal(readRequestedIssueId(grievanceStep('issue_status').message), read.issueId)
  const decided = readRespondent('on_issue_status', grievanceStep('on_issue_status_decided').message)
  assert.equal(decided.resolution!.action, 'REFUND')
  assert.equal(decided.resolution!.refund, 500_00n)

  message.issue.issue_actions.respondent_actions[1].respondent_action = 'THINKING'
  const [wrong] = faultsOf(() => readRespondent('on_issue_status', message))
  assert.equal(wrong!.path, 'message.issue.issue_actions.respondent_actions.1.respondent_action')
})

test('FIS12 §20: dialect 2.3.0 accepts grievance actions', () => {
  const { context } = grievanceStep('on_issue_processing')
  const context230 = {
    ...context,
    version: '2.3.0',
    bap_uri: 'https://b.example/ondc',
    bpp_uri: 'https://l.example/ondc',
  }
  assert.deepEqual(contextFaults(context230, 'context', '2.3.0'), [])
})

test('FIS12 §20: built messages equal the fixtures', () => {
  const by = {
    org: 'buyer.lendloom.example',
    name: 'Neha Joshi',
    phone: '022-40007001',
    email: 'help@buyer.lendloom.example',
  }
  const opened = { action: 'OPEN' as const, text: 'Complaint raised', at: new Date('2026-11-20T09:00:00.000Z') }
  const escalated = {
    action: 'ESCALATE' as const,
    text: 'The complaint is taken further',
    at: new Date('2026-11-20T16:00:00.000Z'),
  }
  const { issue: open } = grievanceStep('issue_open').message
  const draft = {
    issueId: open.id,
    category: 'PAYMENT',
    subCategory: 'PMT01',
    complainant: { name: 'Sunita Pawar', phone: '9800000077', email: 'sunita@mail.example' },
    order: { id: 'order-9', itemId: 'gold-account-aggregator', providerId: 'sahyadri', fulfillmentIds: ['loan-1'] },
    description: {
      short: open.description.short_desc,
      long: open.description.long_desc,
      textUrl: 'https://buyer.lendloom.example/ondc/grievance/1/text',
    },
    additions: [],
    participant: 'buyer.lendloom.example/ondc',
    responseTime: 'PT2H',
    resolutionTime: 'P1D',
    issueType: 'ISSUE' as const,
    rating: null,
    actions: [opened],
    by,
    trail: null,
    createdAt: opened.at,
    updatedAt: opened.at,
  }
  assert.deepEqual(writeIssue(draft).message, { issue: open })
  assert.deepEqual(
    writeIssue({ ...draft, issueType: 'GRIEVANCE', actions: [opened, escalated], updatedAt: escalated.at }).message,
    grievanceStep('issue_escalate').message,
  )
  const closed = { action: 'CLOSE' as const, text: 'Complaint closed', at: new Date('2026-11-21T09:00:00.000Z') }
  assert.deepEqual(
    writeIssue({ ...draft, rating: 'THUMBS-UP', actions: [opened, escalated, closed], updatedAt: closed.at }).message,
    grievanceStep('issue_close').message,
  )
  assert.deepEqual(issueStatus(open.id), grievanceStep('issue_status').message)
})

const keys: Record<string, ReturnType<typeof signingKeysFrom>> = {
  'buyer.lendloom.example': signingKeysFrom(Buffer.alloc(32, 1)),
  'sahyadri.example': signingKeysFrom(Buffer.alloc(32, 2)),
}

function record({ action, context, message }: GrievanceStep): RecordedMessage {
  const body = JSON.stringify({ context, message })
  const when = new Date(context.timestamp)
  const isAnswer = action.startsWith('on_')
  const sender = isAnswer ? 'sahyadri.example' : 'buyer.lendloom.example'
  const { privateKey } = keys[sender]!
  const authorization = signatureHeader(body, { subscriberId: sender, uniqueKeyId: 'k1', privateKey, at: when })
  return {
    at: when,
    direction: isAnswer ? 'received' : 'sent',
    party: 'sahyadri.example',
    action,
    headers: { authorization },
    body,
  }
}

const faultsOfSteps = (steps: GrievanceStep[]): string =>
  invariants203(steps.map(record), ({ subscriberId }) => keys[subscriberId]?.publicKey ?? null)
    .map(faultText)
    .join('\n')

/** The faults of the loan and its grievance after replacing values of one step. */
function loanFaultsAfterChange(name: string, values: Record<string, unknown>): string {
  const steps = loanWithGrievance()
  replace(
    steps.find(({ step }) => step === name),
    values,
  )
  return faultsOfSteps(steps)
}

/** The faults of the loan and its grievance without these messages. */
const faultsWithout = (...names: string[]): string =>
  faultsOfSteps(loanWithGrievance().filter(({ step }) => !names.includes(step)))

test('FIS12 §20, §12.4: violations across the messages of a loan with a grievance are reported', () => {
  assert.equal(faultsOfSteps(loanWithGrievance()), '')
  assert.match(faultsWithout('on_confirm', 'issue_open'), /before on_confirm/)
  assert.match(faultsWithout('issue_open'), /was not raised/)
  const createdAtPath = 'message.issue.created_at'
  const actionsPath = 'message.issue.issue_actions.respondent_actions'
  assert.match(
    loanFaultsAfterChange('on_issue_status_asked', { [createdAtPath]: '2026-11-20T09:00:01.000Z' }),
    /created_at is .*09:00:01/,
  )
  const { respondent_actions: respondentActions } = grievanceStep('on_issue_status_decided').message.issue.issue_actions
  assert.match(
    loanFaultsAfterChange('on_issue_status_decided', { [actionsPath]: respondentActions.toSpliced(1, 1) }),
    /leaves out or changes/,
  )
  assert.equal(loanFaultsAfterChange('on_issue_added', { 'context.message_id': 'unsolicited' }), '')
  const { message_id: usedMessageId } = grievanceStep('issue_open').context
  assert.match(
    loanFaultsAfterChange('issue_added', { 'context.message_id': usedMessageId }),
    /used before|another body/,
  )
  assert.match(
    loanFaultsAfterChange('issue_added', { 'context.timestamp': '2026-11-20T08:00:00.000Z' }),
    /not later than the message/,
  )
  assert.match(loanFaultsAfterChange('issue_escalate', { 'message.issue.order_details.id': 'order-8' }), /another loan/)
  assert.match(loanFaultsAfterChange('issue_close', { 'context.transaction_id': 'another' }), /transaction_id/)
})
