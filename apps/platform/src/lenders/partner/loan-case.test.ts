// The possible transitions between the stages of a case.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsTo, next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { roundsOf, runsAllRounds } from '@lendloom/tests/setup/law-rounds'
import { exampleDedupeReply } from '@lendloom/wire/exchange/example/answer'
import fc from 'fast-check'
import {
  type CaseStage,
  canTransition,
  caseStageNames,
  caseStages,
  isWithPartner,
  type StageTransition,
  stageAfter,
  stopReasonOf,
} from './loan-case.ts'

const transitions = [...new Set(Object.values(caseStages).flatMap((row) => Object.keys(row)))] as StageTransition[]

/** Returns the stages of a random walk. Each number picks a transition; only multiples of ten may end the case. */
function stagesOfWalk(picks: number[]): CaseStage[] {
  const visited: CaseStage[] = ['CHECKING']
  for (const pick of picks) {
    const possible = Object.entries(caseStages[visited.at(-1)!]).filter(
      ([transition]) => transition !== 'end' || pick % 10 === 0,
    )
    if (possible.length > 0) visited.push(possible[pick % possible.length]![1])
  }
  return visited
}

test('D3 §1.1: no case is disbursed without check, lead, registration, offer, acceptance and confirmation', () => {
  const requiredStages: CaseStage[] = [
    'CHECKING',
    'WEIGHING',
    'RECOMMENDED',
    'CHOSEN',
    'SUBMITTED',
    'REGISTERED',
    'OFFERED',
    'DECIDED',
    'ACCEPTED',
  ]
  let disbursedWalks = 0
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 }), (walk) => {
      const visited = stagesOfWalk(walk)
      const disbursedAt = visited.indexOf('DISBURSED')
      if (disbursedAt < 0) return
      disbursedWalks++
      const before = visited.slice(0, disbursedAt)
      assert.deepEqual(
        requiredStages.filter((stage) => !before.includes(stage)),
        [],
      )
    }),
    { numRuns: roundsOf(2000) },
  )
  if (runsAllRounds()) assert.ok(disbursedWalks > 100, `${disbursedWalks} walks reached disbursal`)
})

test('D3 §3: accepted, disbursed and ended cases cannot return to an earlier stage', () => {
  for (const stage of ['DECIDED', 'ACCEPTED', 'DISBURSED'] as const)
    assert.equal(leadsTo(caseStages, stage, 'OFFERED'), false)
  assert.deepEqual(caseStages.ENDED, {})
  assert.deepEqual(
    caseStageNames.filter((stage) => next(caseStages, stage, 'closed')),
    ['DISBURSED'],
  )
  assert.equal(canTransition({ stage: 'DISBURSED' }, 'end'), false, 'a disbursed loan cannot end')
  for (const stage of caseStageNames)
    if (!['DISBURSED', 'CLOSED', 'ENDED'].includes(stage)) assert.equal(stageAfter({ stage }, 'end'), 'ENDED')
})

test('D3 §3: rejects every transition that the table does not contain', () => {
  for (const stage of caseStageNames)
    for (const transition of transitions)
      if (!next(caseStages, stage, transition))
        assert.throws(
          () => stageAfter({ stage }, transition),
          (error) => error instanceof Refusal && error.kind === 'wrong-state',
        )
})

test('D3 §4.1: a case continues only if the duplicate check decides PROCEED', () => {
  const reply = exampleDedupeReply()
  assert.equal(stopReasonOf(reply), null)
  assert.equal(stopReasonOf({ ...reply, match_status: 'MATCH' }), null, 'a known record does not stop the case')
  for (const decision of ['DECLINE', 'REVIEW_REQUIRED'] as const) assert.ok(stopReasonOf({ ...reply, decision }))
})

test('D3 §1.1 rule 2: the partner has a case from the submission of the lead until the case ends', () => {
  assert.deepEqual(
    caseStageNames.filter((stage) => !isWithPartner({ stage })),
    ['CHECKING', 'WEIGHING', 'RECOMMENDED', 'CHOSEN', 'ENDED'],
  )
})
