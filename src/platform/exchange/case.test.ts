// The stages of a case: what can never be skipped, and what can never be taken back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleDedupeReply } from '#contract/exchange/example/answer.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { leadsTo, next } from '#kit/runtime/machine.ts'
import {
  type CaseMove,
  type CaseStage,
  canMove,
  isWithPartner,
  stageAfter,
  stageNames,
  stages,
  stopsBecause,
} from './case.ts'

const moves = [...new Set(Object.values(stages).flatMap((row) => Object.keys(row)))] as CaseMove[]

/** The stages of a walk: each number picks one of the moves that are possible then, and every tenth one may end it. */
function walked(picks: number[]): CaseStage[] {
  const seen: CaseStage[] = ['CHECKING']
  for (const pick of picks) {
    const possible = Object.entries(stages[seen.at(-1)!]).filter(([move]) => move !== 'end' || pick % 10 === 0)
    if (possible.length > 0) seen.push(possible[pick % possible.length]![1])
  }
  return seen
}

test('D3 §1.1: no walk comes to the money without check, lead, registration, offer, acceptance and its confirmation', () => {
  const needed: CaseStage[] = [
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
  let arrived = 0
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 8, maxLength: 40 }), (walk) => {
      const seen = walked(walk)
      const paid = seen.indexOf('DISBURSED')
      if (paid < 0) return
      arrived++
      const before = seen.slice(0, paid)
      assert.deepEqual(
        needed.filter((stage) => !before.includes(stage)),
        [],
      )
    }),
    { numRuns: 2000 },
  )
  assert.ok(arrived > 100, `${arrived} walks came to the money`)
})

test('D3 §3: accepted terms are never offered again, what has ended stays so, and only a paid loan closes', () => {
  for (const stage of ['DECIDED', 'ACCEPTED', 'DISBURSED'] as const)
    assert.equal(leadsTo(stages, stage, 'OFFERED'), false)
  assert.deepEqual(stages.ENDED, {})
  assert.deepEqual(
    stageNames.filter((stage) => next(stages, stage, 'closed')),
    ['DISBURSED'],
  )
  assert.equal(canMove({ stage: 'DISBURSED' }, 'end'), false, 'a loan that is paid out is not ended by anybody’s word')
  for (const stage of stageNames)
    if (!['DISBURSED', 'CLOSED', 'ENDED'].includes(stage)) assert.equal(stageAfter({ stage }, 'end'), 'ENDED')
})

test('D3 §3: a move that the table does not have is refused, whichever it is', () => {
  for (const stage of stageNames)
    for (const move of moves)
      if (!next(stages, stage, move))
        assert.throws(
          () => stageAfter({ stage }, move),
          (error) => error instanceof Refusal && error.kind === 'wrong-state',
        )
})

test('D3 §4.1: of all answers PROCEED alone lets a case go on', () => {
  const reply = exampleDedupeReply()
  assert.equal(stopsBecause(reply), null)
  assert.equal(stopsBecause({ ...reply, match_status: 'MATCH' }), null, 'also after a known record')
  for (const decision of ['DECLINE', 'REVIEW_REQUIRED'] as const) assert.ok(stopsBecause({ ...reply, decision }))
})

test('D3 §1.1 rule 2: the partner has a case from the lead on', () => {
  assert.deepEqual(
    stageNames.filter((stage) => !isWithPartner({ stage })),
    ['CHECKING', 'WEIGHING', 'RECOMMENDED', 'CHOSEN', 'ENDED'],
  )
})
