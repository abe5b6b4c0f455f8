// The machine of a case: only what D3 §3 allows, and nothing after its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isTerminal, leadsTo, next } from '#kit/runtime/machine.ts'
import { type CaseMove, caseStatuses, isBeingChecked, lifecycle } from './lifecycle.ts'

const moves = [...new Set(caseStatuses.flatMap((status) => Object.keys(lifecycle[status]) as CaseMove[]))]

test('D3 §3: every state is reached from RECEIVED, and three are ends', () => {
  for (const status of caseStatuses)
    if (status !== 'RECEIVED') assert.ok(leadsTo(lifecycle, 'RECEIVED', status), status)
  assert.deepEqual(
    caseStatuses.filter((status) => isTerminal(lifecycle, status)),
    ['DISBURSED', 'REJECTED', 'EXPIRED'],
  )
})

test('D3 §1.1: no walk comes to DISBURSED but through an accepted offer and READY_TO_DISBURSE', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 40 }), (walk) => {
      let status = next(lifecycle, 'RECEIVED', 'documentsStored')!
      const seen = [status]
      for (const move of walk) {
        const after = next(lifecycle, status, move)
        if (!after) continue
        status = after
        seen.push(after)
      }
      if (!seen.includes('DISBURSED')) return
      assert.ok(seen.indexOf('OFFER_ACCEPTED') > seen.indexOf('OFFERED'))
      assert.equal(seen[seen.indexOf('DISBURSED') - 1], 'DISBURSEMENT_PENDING')
      assert.ok(seen.indexOf('READY_TO_DISBURSE') > seen.indexOf('OFFER_ACCEPTED'))
    }),
    { numRuns: 2000 },
  )
})

test('D3 §3: an accepted offer is not taken back: after it only a stop or a lapse ends a case, and nothing does once money moves', () => {
  for (const status of caseStatuses.filter(isBeingChecked)) {
    for (const move of ['rejected', 'expired', 'offered', 'accepted'] as const)
      assert.equal(next(lifecycle, status, move), undefined, `${status} ${move}`)
    assert.equal(next(lifecycle, status, 'stopped'), 'REJECTED', status)
    assert.equal(next(lifecycle, status, 'lapsed'), 'EXPIRED', status)
  }
  for (const status of ['DISBURSEMENT_PENDING', 'DISBURSED', 'REJECTED', 'EXPIRED'] as const)
    assert.deepEqual([next(lifecycle, status, 'stopped'), next(lifecycle, status, 'lapsed')], [undefined, undefined])
})

test('D3 §3: a changed offer needs a fresh decision: offering again stays OFFERED', () => {
  assert.equal(next(lifecycle, 'OFFERED', 'offered'), 'OFFERED')
  assert.equal(next(lifecycle, 'OFFER_ACCEPTED', 'offered'), undefined)
})
