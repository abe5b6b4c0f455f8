// The ten states of a session as a graph, what the server's word makes of each, and the reference that leads a browser back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { uuidv7 } from '#kit/crypto/id.ts'
import { leadsTo } from '#kit/runtime/machine.ts'
import type { ConsentStatusReport } from '#platform/provider/account-aggregator/port.ts'
import { decisionOf } from './prove.ts'
import {
  type AaMove,
  type AaSession,
  type AaState,
  aaActionOf,
  aaMachine,
  aaStates,
  after,
  consentDue,
  isOver,
  maySend,
  outcomes,
  placeOf,
  sessionRef,
} from './session.ts'

const over: AaState[] = ['CONFIRMED', 'NOT_REQUIRED', 'FAILED', 'EXPIRED']
const open = aaStates.filter((state) => !over.includes(state))
const moves = [...new Set(aaStates.flatMap((state) => Object.keys(aaMachine[state]) as AaMove[]))]

test('D2 §2.2: every state can be reached, and four of them are the end', () => {
  for (const state of aaStates.slice(1)) assert.ok(leadsTo(aaMachine, 'REQUIRED', state), state)
  assert.deepEqual(aaStates.filter(isOver), over)
})

test('D2 §3: a link is made before the first visit, again while it is unused, and never after the lender was told', () => {
  const session = (state: AaState, dispatchedAt: Date | null = null) => ({ state, dispatchedAt, consentHandle: 'h' })
  const allowed = aaStates.filter((state) => maySend(session(state)))
  assert.deepEqual(allowed, ['REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS', 'RECONCILING'])
  for (const state of aaStates) assert.ok(!maySend(session(state, new Date())), state)
  assert.equal(after('REQUIRED', 'minted', 'minted'), 'REDIRECT_READY')
})

test('D2 §2.2: a browser’s return alone confirms nothing', () => {
  assert.equal(after('REDIRECT_READY', 'seen', 'returned'), 'USER_RETURNED')
  const browsers: AaMove[] = ['minted', 'seen', 'returned', 'undecided', 'doubted']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...browsers)), (done) => {
      assert.ok(!isOver(after('REQUIRED', ...done)))
      assert.notEqual(after('REQUIRED', ...done), 'APPROVAL_DISPATCHED')
    }),
  )
})

test('D2 §2.2: what is over stays as it is, whatever comes late', () => {
  for (const state of over) {
    for (const move of moves) assert.equal(after(state, move), state)
    for (const outcome of Object.values(outcomes)) assert.equal(outcome(state), state)
  }
})

test('D2 §2.2: the server’s word reaches its end from every open state', () => {
  for (const state of open) {
    assert.equal(outcomes.failed(state), 'FAILED', state)
    assert.equal(outcomes.expired(state), 'EXPIRED', state)
    assert.ok(['APPROVAL_DISPATCHED', 'RECONCILING'].includes(outcomes.approved(state)), state)
    assert.equal(after(outcomes.approved(state), 'confirmed'), 'CONFIRMED', state)
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
const active = report('APPROVED', { status: 'ACTIVE', proven: true })

test('D2 §2.2: an approval counts with an active artefact and its signature, whatever the browser said', () => {
  for (const state of open)
    for (const code of [null, 0, 1, 4, 5])
      assert.deepEqual(decisionOf(session(state, code), active), { is: 'approved' })
  for (const artefact of [null, { status: 'ACTIVE', proven: false }, { status: 'PAUSED', proven: true }] as const) {
    const result = decisionOf(session('USER_RETURNED', 0), report('READY', artefact))
    assert.deepEqual(result, { is: 'open', state: 'RECONCILING' })
  }
})

test('D2 §2.2: rejected, failed, revoked before use and expired at the aggregator end the session', () => {
  const endOf = (given: ConsentStatusReport) =>
    (decisionOf(session('IN_PROGRESS', 0), given) as { state: AaState }).state
  assert.deepEqual(
    ['REJECTED', 'FAILED', 'EXPIRED'].map((status) => endOf(report(status as 'REJECTED'))),
    ['FAILED', 'FAILED', 'EXPIRED'],
  )
  assert.equal(endOf(report('APPROVED', { status: 'REVOKED', proven: true })), 'FAILED')
  assert.equal(endOf(report('APPROVED', { status: 'EXPIRED', proven: true })), 'EXPIRED')
})

test('D2 §2.2: while the aggregator says PENDING, the error code of the return decides', () => {
  const after = (code: number) =>
    (decisionOf(session('USER_RETURNED', code), report('PENDING')) as { state: AaState }).state
  assert.equal(after(5), 'REDIRECT_READY')
  assert.equal(after(0), 'RECONCILING')
  for (const code of [1, 2, 3, 4]) assert.equal(after(code), 'FAILED')
  for (const state of ['REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS', 'RECONCILING'] as const)
    assert.deepEqual(decisionOf(session(state), report('PENDING')), { is: 'open', state })
})

test('D2 §2.2: the action required of the client in each state', () => {
  const actionAt = (consentHandle: string | null, handleWanted: boolean) => (state: AaState) =>
    aaActionOf({ state, consentHandle, handleWanted })
  const actions = Object.fromEntries(aaStates.map((state) => [state, actionAt('h', false)(state)]))
  assert.deepEqual(
    [actionAt(null, true)('REQUIRED'), actionAt(null, false)('REQUIRED'), actionAt(null, true)('FAILED')],
    ['SUBMIT_FORM', 'WAIT', 'NONE'],
    'without a consent another handle is named, or waited for',
  )
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

test('D2 §4: the reference of a session leads back to it, and no other text leads anywhere', () => {
  const place = { tenantId: uuidv7(), journeyId: uuidv7(), aaSessionId: uuidv7() }
  assert.deepEqual(placeOf(sessionRef(place)), place)
  for (const wrong of [
    '',
    'x',
    sessionRef(place).slice(1),
    `${sessionRef(place)}0`,
    '-'.repeat(sessionRef(place).length),
  ])
    assert.equal(placeOf(wrong), null)
})

test('D1 §4: of several consents the one that waits for the borrower is shown, else one that is on its way', () => {
  const dispatchedAt = new Date()
  const requested = { consentHandle: 'h', handleWanted: false, dispatchedAt: null } as const
  const failed = { ...requested, state: 'FAILED' } as const
  const dispatched = { ...requested, state: 'RECONCILING', dispatchedAt } as const
  const required = { ...requested, state: 'REQUIRED' } as const
  const naming = { ...required, consentHandle: null, handleWanted: true }
  assert.equal(consentDue([failed]), undefined)
  assert.equal(consentDue([dispatched, failed]), dispatched)
  assert.equal(
    consentDue([required, dispatched, failed]),
    required,
    'a newer one that waits for its lender does not hide it',
  )
  assert.equal(consentDue([naming, dispatched]), naming, 'naming another handle is up to the borrower too')
  assert.equal(maySend(naming), false)
})
