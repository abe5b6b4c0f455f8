// The sequence of a conversation in dialect 2.3.0, compared with 2.0.3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, actions, callbacks, mayFollow } from '#contract/network/sequence.ts'
import { sequence230 } from './categories.ts'

const following = (last: Action | 'start', follows: typeof mayFollow) =>
  actions
    .filter((action) => follows(last, action))
    .sort()
    .join(' ')

test('FIS12 §4.1: 2.3.0 allows only its additional sequences', () => {
  const allowed: Partial<Record<Action | 'start', string>> = {
    on_search: 'search select',
    on_select: 'init on_status select',
    confirm: 'on_confirm status',
    on_confirm: 'on_cancel on_status on_update status update',
    on_status: 'confirm init on_cancel on_status on_update select status update',
    on_update: 'on_cancel on_status on_update status update',
  }
  for (const last of ['start', ...actions] as const)
    assert.equal(following(last, sequence230.mayFollow), allowed[last] ?? following(last, mayFollow), last)
})

test('FIS12 §4.1: only on_init and on_confirm must answer a request', () => {
  const forced = callbacks.filter((callback) => !sequence230.mayBeUnsolicited(callback))
  assert.deepEqual(forced, ['on_init', 'on_confirm'])
})
