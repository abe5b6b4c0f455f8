// What a lender does with a complaint, scenario by scenario, without a database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import { afterIssue, afterStep, type Issue, resolutionOf } from './store.ts'

type Acting = Pick<Issue, 'actions' | 'escalated'>
const done = (acting: Acting, action: Issue['actions'][number]['action']): Acting => ({
  ...acting,
  actions: [...acting.actions, { action, text: '', at: '2026-11-20T09:00:00.000Z' }],
})

/** All that the lender does by itself from here on. */
function walk(scenario: FaultScenario | null, change: 'opened' | 'added' | 'escalated', from: Acting) {
  const first = afterIssue(from, scenario, change)
  if (!first) return { steps: ['silence'], acting: from }
  let acting = done(from, first.step.action)
  const steps: string[] = [first.delay === 'now' ? first.step.action : `${first.delay} ${first.step.action}`]
  for (let next = afterStep(acting, scenario); next; next = afterStep(acting, scenario)) {
    acting = done(acting, next.action)
    steps.push(next.isSilent ? `untold ${next.action}` : next.action)
  }
  return { steps, acting }
}

const fresh: Acting = { actions: [], escalated: false }

test('FIS12 §20: a complaint is taken up and resolved, unless the PAN asks for something else', () => {
  for (const [scenario, ...steps] of [
    [null, 'PROCESSING', 'RESOLVED'],
    ['grievance-late', 'late PROCESSING', 'RESOLVED'],
    ['grievance-question', 'PROCESSING', 'NEED-MORE-INFO'],
    ['grievance-silent', 'silence'],
    ['grievance-refund', 'PROCESSING', 'RESOLVED'],
    ['grievance-untold', 'PROCESSING', 'untold RESOLVED'],
  ] as [FaultScenario | null, ...string[]][])
    assert.deepEqual(walk(scenario, 'opened', fresh).steps, steps, scenario ?? 'no scenario')
})

test('FIS12 §20: an answer to its question is taken up once, and what is escalated ends with money back', () => {
  const { acting } = walk('grievance-question', 'opened', fresh)
  const { steps, acting: resolved } = walk('grievance-question', 'added', acting)
  assert.deepEqual(steps, ['PROCESSING', 'RESOLVED'])
  assert.deepEqual(walk('grievance-question', 'added', resolved).steps, ['silence'])
  for (const scenario of ['grievance-silent', 'grievance-untold', 'grievance-late', null] as const)
    assert.deepEqual(walk(scenario, 'escalated', { ...fresh, escalated: true }).steps, ['PROCESSING', 'RESOLVED'])
  assert.equal(resolutionOf({ escalated: false }, null).action, 'NO-ACTION')
  assert.equal(resolutionOf({ escalated: true }, null).refund, '50000')
  assert.equal(resolutionOf({ escalated: false }, 'grievance-refund').action, 'REFUND')
})
