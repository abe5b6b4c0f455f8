// Tests the state machine of a case (D3 §3).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal, leadsTo, next } from '@lendloom/foundation/machine'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { type CaseMove, caseLifecycle, caseStatuses, isBeingChecked } from './lifecycle.ts'

const moves = [...new Set(caseStatuses.flatMap((status) => Object.keys(caseLifecycle[status]) as CaseMove[]))]

test('D3 §3: every status is reachable from RECEIVED, and REJECTED and EXPIRED are final', () => {
  for (const status of caseStatuses)
    if (status !== 'RECEIVED') assert.ok(leadsTo(caseLifecycle, 'RECEIVED', status), status)
  assert.deepEqual(
    caseStatuses.filter((status) => isTerminal(caseLifecycle, status)),
    ['REJECTED', 'EXPIRED'],
  )
  assert.deepEqual(
    caseLifecycle.DISBURSED,
    { payoutReturned: 'EXPIRED' },
    'only a returned payout ends a disbursed case',
  )
})

test('D3 §1.1: every path to DISBURSED leads through OFFER_ACCEPTED and READY_TO_DISBURSE', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 40 }), (path) => {
      let status = next(caseLifecycle, 'RECEIVED', 'documentsStored')!
      const visited = [status]
      for (const move of path) {
        const after = next(caseLifecycle, status, move)
        if (!after) continue
        status = after
        visited.push(after)
      }
      if (!visited.includes('DISBURSED')) return
      assert.ok(visited.indexOf('OFFER_ACCEPTED') > visited.indexOf('OFFERED'))
      assert.equal(visited[visited.indexOf('DISBURSED') - 1], 'DISBURSEMENT_PENDING')
      assert.ok(visited.indexOf('READY_TO_DISBURSE') > visited.indexOf('OFFER_ACCEPTED'))
    }),
    { numRuns: roundsOf(2000) },
  )
})

test('D3 §3: between acceptance and the order of the disbursement, only a stop or a lapse ends a case', () => {
  for (const status of caseStatuses.filter(isBeingChecked)) {
    for (const move of ['rejected', 'expired', 'offered', 'accepted'] as const)
      assert.equal(next(caseLifecycle, status, move), undefined, `${status} ${move}`)
    assert.equal(next(caseLifecycle, status, 'stopped'), 'REJECTED', status)
    assert.equal(next(caseLifecycle, status, 'lapsed'), 'EXPIRED', status)
  }
  for (const status of ['DISBURSEMENT_PENDING', 'DISBURSED', 'REJECTED', 'EXPIRED'] as const) {
    assert.equal(next(caseLifecycle, status, 'stopped'), undefined)
    assert.equal(next(caseLifecycle, status, 'lapsed'), undefined)
  }
})

test('D3 §3: a case with an undecided offer may get a changed offer, and an accepted offer cannot change', () => {
  assert.equal(next(caseLifecycle, 'OFFERED', 'offered'), 'OFFERED')
  assert.equal(next(caseLifecycle, 'OFFER_ACCEPTED', 'offered'), undefined)
})
