// The lifecycle table against D1 §3 and §6.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import { statuses } from '#contract/hosted/lifecycle-status.ts'
import { isTerminal, longestPath, next } from '#kit/runtime/machine.ts'
import { type JourneyMove, lifecycle } from './lifecycle-payload.ts'

test('D1 §6.3: no journey can emit more than seven lifecycle events', () => {
  assert.equal(longestPath(lifecycle, 'STARTED'), 7)
})

test('D1 §3: the table has exactly the statuses of D1', () => {
  assert.deepEqual(Object.keys(lifecycle).sort(), [...statuses].sort())
})

test('D1 §3: every status has exactly the transitions of D1, plus REJECTED', () => {
  const rows: [LifecycleStatus, LifecycleStatus[]][] = [
    ['STARTED', ['PROFILED']],
    ['PROFILED', ['OFFERED', 'NOT_OFFERED']],
    ['OFFERED', ['OFFER_SELECTED']],
    ['OFFER_SELECTED', ['OFFER_ACCEPTED']],
    ['OFFER_ACCEPTED', ['LENDER_REDIRECTED']],
    ['LENDER_REDIRECTED', ['DISBURSED']],
  ]
  for (const [from, onward] of rows)
    assert.deepEqual(Object.values(lifecycle[from]).sort(), [...onward, 'REJECTED'].sort(), from)
})

test('D1 §3: NOT_OFFERED, REJECTED and DISBURSED are terminal', () => {
  for (const status of ['NOT_OFFERED', 'REJECTED', 'DISBURSED'] as const) assert.ok(isTerminal(lifecycle, status))
})

test('D1 §3: OFFER_SELECTED is reached only from OFFERED', () => {
  const sources = statuses.filter((status) => next(lifecycle, status, 'selected' as JourneyMove))
  assert.deepEqual(sources, ['OFFERED'])
})
