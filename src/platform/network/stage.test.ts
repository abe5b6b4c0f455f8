// The graph of a conversation's stages: which are reachable, and which cannot be skipped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { next } from '#kit/runtime/machine.ts'
import { type ConversationMove, type ConversationStage, stageNames, stages } from './stage.ts'

const walk = (moves: ConversationMove[], from: ConversationStage = 'DISCOVERED'): ConversationStage =>
  moves.reduce<ConversationStage>(
    (stage, move) => next(stages, stage, move) ?? assert.fail(`${move} at ${stage}`),
    from,
  )

test('FIS12 §8.1: reaches DISBURSED from the catalogue without account aggregator', () => {
  const offer: ConversationMove[] = ['formSent', 'formAccepted', 'select', 'offered']
  const final: ConversationMove[] = ['formSent', 'formAccepted', 'select', 'finalTerms', 'pageDone']
  const account: ConversationMove[] = ['init', 'bankRequested', 'formSent', 'formAccepted']
  const mandate: ConversationMove[] = ['init', 'mandateRequested', 'pageDone']
  const agreement: ConversationMove[] = ['init', 'agreementRequested', 'pageDone']
  const loan: ConversationMove[] = ['confirm', 'confirmed', 'disbursed']
  assert.equal(walk([...offer, ...final, ...account, ...mandate, ...agreement, ...loan]), 'DISBURSED')
})

test('FIS12 §7.8: with account aggregator, select is repeated after the consent, and approve follows the sanction', () => {
  assert.equal(walk(['select', 'consentRequested', 'select', 'select', 'offered'], 'PROFILED'), 'OFFERED')
  assert.equal(
    walk(['select', 'consentRequested', 'select', 'consentRequested', 'select'], 'PROFILED'),
    'CONSENT_GIVEN',
  )
  assert.equal(walk(['confirmed', 'consentRequested', 'approve', 'approve', 'disbursed'], 'CONFIRM_SENT'), 'DISBURSED')
  assert.equal(next(stages, 'CONSENT_REQUESTED', 'formSent'), undefined)
  assert.equal(next(stages, 'CONFIRMED', 'approve'), undefined)
})

test('FIS12 §3.4: recovers from a refused account, a failed page and a lost confirm', () => {
  assert.equal(walk(['formSent', 'formAccepted', 'init'], 'INITIATED'), 'INITIATED')
  assert.equal(walk(['pageFailed', 'pageWaiting', 'pageDone'], 'MANDATE_REQUESTED'), 'MANDATE_DONE')
  assert.equal(walk(['notConfirmed', 'confirm', 'confirmed'], 'CONFIRM_SENT'), 'CONFIRMED')
})

test('FIS12 §12.4.4: no sequence of moves reaches DISBURSED without confirm, or confirm without e-sign', () => {
  const moves = [...new Set(stageNames.flatMap((stage) => Object.keys(stages[stage]) as ConversationMove[]))]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 200 }), (sequence) => {
      const visited: ConversationStage[] = ['DISCOVERED']
      for (const move of sequence) visited.push(next(stages, visited.at(-1)!, move) ?? visited.at(-1)!)
      const firstVisitTo = (stage: ConversationStage) =>
        visited.indexOf(stage) < 0 ? Number.POSITIVE_INFINITY : visited.indexOf(stage)
      const order: ConversationStage[] = ['OFFERED', 'FINAL_TERMS', 'KYC_DONE', 'AGREEMENT_DONE', 'CONFIRM_SENT']
      for (const [i, stage] of order.entries()) if (i > 0) assert.ok(firstVisitTo(stage) >= firstVisitTo(order[i - 1]!))
      if (visited.includes('DISBURSED')) assert.ok(firstVisitTo('CONFIRM_SENT') < firstVisitTo('DISBURSED'))
    }),
  )
})

test('FIS12 §11.3: a conversation can end at any stage before disbursal, and has no moves after its end', () => {
  for (const stage of stageNames)
    assert.equal(next(stages, stage, 'end') === 'ENDED', stage !== 'DISBURSED' && stage !== 'ENDED', stage)
  assert.deepEqual(stages.ENDED, {})
})
