// The actions that an export expects are those that the strict lender plays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flowNamed } from '@lendloom/tests/setup/official-lender/flows'
import { exportableFlowIds, missingActionIn, officialFlowsOf, paymentLabelOf } from './flow-actions.ts'
import { networkFlows } from './flows.ts'

const playedActions = (id: string): string[] =>
  flowNamed(id).steps.flatMap((step) => {
    if ('push' in step) return [step.push]
    return step.optional ? [] : [step.on, `on_${step.on}`]
  })

test('FIS12 §8 to §20: each official flow that the platform supports has the actions that the strict lender plays', () => {
  const played = networkFlows.filter(({ spoken, official }) => spoken === 'yes' && official.length > 0)
  assert.deepEqual(exportableFlowIds, [...new Set(played.flatMap(({ official }) => official))].sort())
  for (const { id, version, official } of played)
    for (const officialId of official) {
      const hasConsent = official.length > 1 && officialId.includes('_With_Account')
      const consent = hasConsent ? ['select', 'on_select'] : []
      const [search, onSearch, ...rest] = playedActions(id)
      const expected = [search, onSearch, ...consent, ...rest]
      // The borrower's closing message of a complaint gets no callback.
      if (id.endsWith('-grievance')) expected.pop()
      // The check of the borrower is the whole flow; the strict lender can also lend afterwards.
      if (id === 'personal-loan-dedupe') expected.splice(4)
      const found = officialFlowsOf(officialId).filter(({ flow }) => flow.id === id)
      assert.deepEqual(
        found.map(({ actions }) => actions),
        [expected],
        `${officialId} in ${version}`,
      )
    }
})

test('FIS12 §22: an unknown flow and one that the platform does not support have no actions', () => {
  for (const id of [
    'Credit_Card',
    'Personal_Loan_&_Sachet_Insurance_with_AA_And_Monitoring_Consent',
    'constructor',
    '',
  ])
    assert.deepEqual(officialFlowsOf(id), [], id)
})

test('FIS12 §4.1: the first missing action is found, also one that came too early', () => {
  assert.equal(missingActionIn(['a', 'x', 'b', 'b', 'c'], ['a', 'b', 'b', 'c']), -1)
  assert.equal(missingActionIn(['b', 'a'], ['a', 'b']), 1)
  assert.equal(missingActionIn([], ['a']), 0)
})

test('FIS12 §11: a payment label tells the flows with the same actions apart', () => {
  const keys = networkFlows.flatMap((flow) => {
    const label = paymentLabelOf(flow)
    if (!label || flow.spoken !== 'yes' || flow.twin !== undefined) return []
    const [officialId = ''] = flow.official
    const actions = officialFlowsOf(officialId)
      .find((each) => each.flow === flow)
      ?.actions.join(' ')
    return [`${flow.product} ${flow.version} ${label} ${actions}`]
  })
  assert.equal(
    keys.length,
    17,
    'three of gold loans, of each shape of personal loans, and of mutual funds, two of lines',
  )
  assert.equal(new Set(keys).size, keys.length)
})
