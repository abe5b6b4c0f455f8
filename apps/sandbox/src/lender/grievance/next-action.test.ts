// A lender's steps on a complaint by fault rule, without a database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import { afterIssue, afterStep, resolutionOf } from './next-action.ts'
import type { Issue } from './store.ts'

type IssueActions = Pick<Issue, 'actions' | 'escalated'>
const withAction = (issue: IssueActions, action: Issue['actions'][number]['action']): IssueActions => ({
  ...issue,
  actions: [...issue.actions, { action, text: '', at: '2026-11-20T09:00:00.000Z' }],
})

/** The lender's answer to a change, and all its later steps. */
function stepsAfter(scenario: FaultScenario | null, change: 'opened' | 'added' | 'escalated', before: IssueActions) {
  const first = afterIssue(before, scenario, change)
  if (!first) return { steps: ['silence'], issue: before }
  let issue = withAction(before, first.step.action)
  const steps: string[] = [first.delay === 'now' ? first.step.action : `${first.delay} ${first.step.action}`]
  for (let next = afterStep(issue, scenario); next; next = afterStep(issue, scenario)) {
    issue = withAction(issue, next.action)
    steps.push(next.isSilent ? `silent ${next.action}` : next.action)
  }
  return { steps, issue }
}

const newIssue: IssueActions = { actions: [], escalated: false }

test('FIS12 §20: the lender processes and resolves a complaint, unless a fault rule changes that', () => {
  for (const [scenario, ...steps] of [
    [null, 'PROCESSING', 'RESOLVED'],
    ['grievance-late', 'late PROCESSING', 'RESOLVED'],
    ['grievance-question', 'PROCESSING', 'NEED-MORE-INFO'],
    ['grievance-silent', 'silence'],
    ['grievance-refund', 'PROCESSING', 'RESOLVED'],
    ['grievance-untold', 'PROCESSING', 'silent RESOLVED'],
  ] as [FaultScenario | null, ...string[]][])
    assert.deepEqual(stepsAfter(scenario, 'opened', newIssue).steps, steps, scenario ?? 'no scenario')
})

test('FIS12 §20: the lender continues after the answer to its question, and an escalated complaint ends with a refund', () => {
  const { issue } = stepsAfter('grievance-question', 'opened', newIssue)
  const { steps, issue: resolved } = stepsAfter('grievance-question', 'added', issue)
  assert.deepEqual(steps, ['PROCESSING', 'RESOLVED'])
  assert.deepEqual(stepsAfter('grievance-question', 'added', resolved).steps, ['silence'])
  for (const scenario of ['grievance-silent', 'grievance-untold', 'grievance-late', null] as const)
    assert.deepEqual(stepsAfter(scenario, 'escalated', { ...newIssue, escalated: true }).steps, [
      'PROCESSING',
      'RESOLVED',
    ])
  assert.equal(resolutionOf({ escalated: false }, null).action, 'NO-ACTION')
  assert.equal(resolutionOf({ escalated: true }, null).refund, '50000')
  assert.equal(resolutionOf({ escalated: false }, 'grievance-refund').action, 'REFUND')
})
