// The allowed sequence of actions in dialect 2.3.0, compared with 2.0.3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, actions, callbacks, mayFollow } from '#wire/network/sequence.ts'
import { sequence230 } from './categories.ts'

const allowedAfter = (last: Action | 'start', follows: typeof mayFollow) =>
  actions
    .filter((action) => follows(last, action))
    .sort()
    .join(' ')

test('FIS12 §4.1: 2.3.0 adds only these sequences to those of 2.0.3', () => {
  const allowed: Partial<Record<Action | 'start', string>> = {
    start: 'init search',
    on_search: 'search select',
    on_select: 'init on_confirm on_status select',
    confirm: 'on_confirm status',
    on_confirm: 'on_cancel on_status on_update status update',
    on_status: 'confirm init on_cancel on_confirm on_status on_update select status update',
    on_update: 'on_cancel on_status on_update status update',
  }
  for (const last of ['start', ...actions] as const)
    assert.equal(allowedAfter(last, sequence230.mayFollow), allowed[last] ?? allowedAfter(last, mayFollow), last)
})

test('FIS12 §4.1, §27.2, §27.5: on_init must answer a request, and on_confirm unless a loan has stops', () => {
  const answersOnly = callbacks.filter((callback) => !sequence230.mayBeUnsolicited(callback))
  assert.deepEqual(answersOnly, ['on_init', 'on_confirm'])
  const withStops = (stops: unknown) => ({ order: { fulfillments: [{ id: 'F', stops }] } })
  const kyc = { type: 'KYC', instructions: { code: 'COMPLETED' } }
  assert.equal(sequence230.mayBeUnsolicited('on_confirm', withStops([kyc])), true)
  for (const stops of [undefined, [], [{ type: 'KYC' }], 'KYC'])
    assert.equal(sequence230.mayBeUnsolicited('on_confirm', withStops(stops)), false)
  const drawdown = { order: { ...withStops([kyc]).order, ref_order_ids: ['line'] } }
  assert.equal(sequence230.mayBeUnsolicited('on_confirm', drawdown), false, 'nobody agreed to it')
})
