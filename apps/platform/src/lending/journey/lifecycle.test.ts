// The statuses and transitions of the lifecycle (D1 §3, §6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal, longestPath, next } from '@lendloom/foundation/machine'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { type JourneyMove, lifecycle } from './lifecycle.ts'

test('D1 §6.3: no journey can emit more than seven lifecycle events', () => {
  assert.equal(longestPath(lifecycle, 'STARTED'), 7)
})

test('D1 §3: the lifecycle has exactly the statuses of D1', () => {
  assert.deepEqual(Object.keys(lifecycle).sort(), [...statuses].sort())
})

test('D1 §3: every non-terminal status has exactly the transitions of D1 and the one to REJECTED', () => {
  const rows: [LifecycleStatus, LifecycleStatus[]][] = [
    ['STARTED', ['PROFILED']],
    ['PROFILED', ['OFFERED', 'NOT_OFFERED']],
    ['OFFERED', ['OFFER_SELECTED']],
    ['OFFER_SELECTED', ['OFFER_ACCEPTED']],
    ['OFFER_ACCEPTED', ['LENDER_REDIRECTED']],
    ['LENDER_REDIRECTED', ['DISBURSED']],
  ]
  for (const [from, nextStatuses] of rows)
    assert.deepEqual(Object.values(lifecycle[from]).sort(), [...nextStatuses, 'REJECTED'].sort(), from)
})

test('D1 §3: NOT_OFFERED, REJECTED and DISBURSED are terminal', () => {
  for (const status of ['NOT_OFFERED', 'REJECTED', 'DISBURSED'] as const) assert.ok(isTerminal(lifecycle, status))
})

test('D1 §3: OFFER_SELECTED is reached only from OFFERED', () => {
  const sources = statuses.filter((status) => next(lifecycle, status, 'selected' as JourneyMove))
  assert.deepEqual(sources, ['OFFERED'])
})
