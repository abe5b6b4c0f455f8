// Consent sessions: the state machine, the effect of the aggregator server's reports, and the `sessionid` of a link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsTo } from '@lendloom/foundation/machine'
import { uuidv7 } from '@lendloom/seal/id'
import fc from 'fast-check'
import type { ConsentStatusReport } from '#platform/providers/account-aggregator/port.ts'
import {
  type AaEvent,
  type AaSession,
  type AaState,
  aaActionOf,
  aaMachine,
  aaOutcomes,
  aaStates,
  isOver,
  mayRedirect,
  sessionKeyOf,
  sessionRef,
  sessionToShow,
  stateAfter,
} from './aa-session.ts'
import { decisionOf } from './apply-consent-status.ts'

const finalStates: AaState[] = ['CONFIRMED', 'NOT_REQUIRED', 'FAILED', 'EXPIRED']
const openStates = aaStates.filter((state) => !finalStates.includes(state))
const events = [...new Set(aaStates.flatMap((state) => Object.keys(aaMachine[state]) as AaEvent[]))]

test('D2 §2.2: every state is reachable from REQUIRED, and exactly four states are final', () => {
  for (const state of aaStates.slice(1)) assert.ok(leadsTo(aaMachine, 'REQUIRED', state), state)
  assert.deepEqual(aaStates.filter(isOver), finalStates)
})

test('D2 §3: a link may be created until the lender is notified', () => {
  const session = (state: AaState, dispatchedAt: Date | null = null) => ({ state, dispatchedAt, consentHandle: 'h' })
  const allowed = aaStates.filter((state) => mayRedirect(session(state)))
  assert.deepEqual(allowed, ['REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS', 'RECONCILING'])
  for (const state of aaStates) assert.ok(!mayRedirect(session(state, new Date())), state)
  assert.equal(stateAfter('REQUIRED', 'linkCreated', 'linkCreated'), 'REDIRECT_READY')
})

test('D2 §2.2: no sequence of browser events ends a session or notifies the lender', () => {
  assert.equal(stateAfter('REDIRECT_READY', 'linkOpened', 'browserReturned'), 'USER_RETURNED')
  const browserEvents: AaEvent[] = [
    'linkCreated',
    'linkOpened',
    'browserReturned',
    'returnedUndecided',
    'checkRequired',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...browserEvents)), (sequence) => {
      assert.ok(!isOver(stateAfter('REQUIRED', ...sequence)))
      assert.notEqual(stateAfter('REQUIRED', ...sequence), 'APPROVAL_DISPATCHED')
    }),
  )
})

test('D2 §2.2: a final state never changes', () => {
  for (const state of finalStates) {
    for (const event of events) assert.equal(stateAfter(state, event), state)
    for (const outcome of Object.values(aaOutcomes)) assert.equal(outcome(state), state)
  }
})

test('D2 §2.2: the server’s report is applied from every open state', () => {
  for (const state of openStates) {
    assert.equal(aaOutcomes.failed(state), 'FAILED', state)
    assert.equal(aaOutcomes.expired(state), 'EXPIRED', state)
    assert.ok(['APPROVAL_DISPATCHED', 'RECONCILING'].includes(aaOutcomes.approved(state)), state)
    assert.equal(stateAfter(aaOutcomes.approved(state), 'confirmed'), 'CONFIRMED', state)
  }
})

const session = (state: AaState, returnedCode: number | null = null) =>
  ({ state, returnedCode, reason: null }) as AaSession
const report = (
  status: ConsentStatusReport['status'],
  artefact: ConsentStatusReport['artefact'] = null,
): ConsentStatusReport => ({
  status,
  consentId: artefact && 'c-1',
  artefact,
})
const active = report('APPROVED', { status: 'ACTIVE', isSignatureValid: true })

test('D2 §2.2: an approval needs an active, signed artefact, whatever the browser claimed', () => {
  for (const state of openStates)
    for (const code of [null, 0, 1, 4, 5])
      assert.deepEqual(decisionOf(session(state, code), active), { kind: 'approved' })
  for (const artefact of [
    null,
    { status: 'ACTIVE', isSignatureValid: false },
    { status: 'PAUSED', isSignatureValid: true },
  ] as const) {
    const result = decisionOf(session('USER_RETURNED', 0), report('READY', artefact))
    assert.deepEqual(result, { kind: 'open', state: 'RECONCILING' })
  }
})

test('D2 §2.2: a consent that is rejected, failed, revoked or expired at the aggregator ends the session', () => {
  const endOf = (status: ConsentStatusReport) =>
    (decisionOf(session('IN_PROGRESS', 0), status) as { state: AaState }).state
  assert.deepEqual(
    ['REJECTED', 'FAILED', 'EXPIRED'].map((status) => endOf(report(status as 'REJECTED'))),
    ['FAILED', 'FAILED', 'EXPIRED'],
  )
  assert.equal(endOf(report('APPROVED', { status: 'REVOKED', isSignatureValid: true })), 'FAILED')
  assert.equal(endOf(report('APPROVED', { status: 'EXPIRED', isSignatureValid: true })), 'EXPIRED')
})

test('D2 §2.2: while the aggregator reports PENDING, the error code of the return decides the state', () => {
  const stateAfterCode = (code: number) =>
    (decisionOf(session('USER_RETURNED', code), report('PENDING')) as { state: AaState }).state
  assert.equal(stateAfterCode(5), 'REDIRECT_READY')
  assert.equal(stateAfterCode(0), 'RECONCILING')
  for (const code of [1, 2, 3, 4]) assert.equal(stateAfterCode(code), 'FAILED')
  for (const state of ['REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS', 'RECONCILING'] as const)
    assert.deepEqual(decisionOf(session(state), report('PENDING')), { kind: 'open', state })
})

test('D2 §2.2: each state tells the client which action is required', () => {
  const actionAt = (consentHandle: string | null, handleWanted: boolean) => (state: AaState) =>
    aaActionOf({ state, consentHandle, handleWanted })
  const actions = Object.fromEntries(aaStates.map((state) => [state, actionAt('h', false)(state)]))
  assert.equal(
    actionAt(null, true)('REQUIRED'),
    'SUBMIT_FORM',
    'without a consent the borrower must enter another handle',
  )
  assert.equal(actionAt(null, false)('REQUIRED'), 'WAIT', 'the lender’s answer is pending')
  assert.equal(actionAt(null, true)('FAILED'), 'NONE')
  assert.deepEqual(actions, {
    REQUIRED: 'REDIRECT',
    REDIRECT_READY: 'REDIRECT',
    IN_PROGRESS: 'AWAIT_CALLBACK',
    USER_RETURNED: 'WAIT',
    APPROVAL_DISPATCHED: 'WAIT',
    RECONCILING: 'RECONCILE',
    CONFIRMED: 'NONE',
    NOT_REQUIRED: 'NONE',
    FAILED: 'NONE',
    EXPIRED: 'NONE',
  })
})

test('D2 §4: only a valid `sessionid` decodes to a session', () => {
  const key = { tenantId: uuidv7(), journeyId: uuidv7(), aaSessionId: uuidv7() }
  assert.deepEqual(sessionKeyOf(sessionRef(key)), key)
  for (const invalidRef of [
    '',
    'x',
    sessionRef(key).slice(1),
    `${sessionRef(key)}0`,
    '-'.repeat(sessionRef(key).length),
  ])
    assert.equal(sessionKeyOf(invalidRef), null)
})

test('D1 §4: the newest session that waits for the borrower is shown, or else the newest open session', () => {
  const dispatchedAt = new Date()
  const baseSession = { consentHandle: 'h', handleWanted: false, dispatchedAt: null } as const
  const failedSession = { ...baseSession, state: 'FAILED' } as const
  const notifiedSession = { ...baseSession, state: 'RECONCILING', dispatchedAt } as const
  const newSession = { ...baseSession, state: 'REQUIRED' } as const
  const withoutHandle = { ...newSession, consentHandle: null, handleWanted: true }
  assert.equal(sessionToShow([failedSession]), undefined)
  assert.equal(sessionToShow([notifiedSession, failedSession]), notifiedSession)
  assert.equal(
    sessionToShow([newSession, notifiedSession, failedSession]),
    newSession,
    'a newer consent that waits for its lender does not take priority',
  )
  assert.equal(
    sessionToShow([withoutHandle, notifiedSession]),
    withoutHandle,
    'a session without a usable handle also waits for the borrower',
  )
  assert.equal(mayRedirect(withoutHandle), false)
})
