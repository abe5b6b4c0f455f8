// The state machine of a conversation: reachable stages, and stages that cannot be skipped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { next } from '@lendloom/foundation/machine'
import fc from 'fast-check'
import { type ConversationMove, type ConversationStage, conversationStageNames, conversationStages } from './stage.ts'

const stageAfterMoves = (moves: ConversationMove[], from: ConversationStage = 'DISCOVERED'): ConversationStage =>
  moves.reduce<ConversationStage>(
    (stage, move) => next(conversationStages, stage, move) ?? assert.fail(`${move} at ${stage}`),
    from,
  )

test('FIS12 §8.1: a conversation reaches DISBURSED without an account aggregator', () => {
  const toOffer: ConversationMove[] = ['formSent', 'formAccepted', 'select', 'offered']
  const toFinalTerms: ConversationMove[] = ['formSent', 'formAccepted', 'select', 'finalTerms', 'pageDone']
  const toAccount: ConversationMove[] = ['init', 'bankRequested', 'formSent', 'formAccepted']
  const toMandate: ConversationMove[] = ['init', 'mandateRequested', 'pageDone']
  const toAgreement: ConversationMove[] = ['init', 'agreementRequested', 'pageDone']
  const toDisbursal: ConversationMove[] = ['confirm', 'confirmed', 'disbursed']
  assert.equal(
    stageAfterMoves([...toOffer, ...toFinalTerms, ...toAccount, ...toMandate, ...toAgreement, ...toDisbursal]),
    'DISBURSED',
  )
})

test('FIS12 §7.8: with an account aggregator, select follows the consent and approve the sanction', () => {
  assert.equal(stageAfterMoves(['select', 'consentRequested', 'select', 'select', 'offered'], 'PROFILED'), 'OFFERED')
  assert.equal(
    stageAfterMoves(['select', 'consentRequested', 'select', 'consentRequested', 'select'], 'PROFILED'),
    'CONSENT_GIVEN',
  )
  assert.equal(
    stageAfterMoves(['confirmed', 'consentRequested', 'approve', 'approve', 'disbursed'], 'CONFIRM_SENT'),
    'DISBURSED',
  )
  assert.equal(next(conversationStages, 'CONSENT_REQUESTED', 'formSent'), undefined)
  assert.equal(next(conversationStages, 'CONFIRMED', 'approve'), undefined)
})

test('FIS12 §3.4: a conversation recovers from a refused account, a failed page and a lost confirm', () => {
  assert.equal(stageAfterMoves(['formSent', 'formAccepted', 'init'], 'INITIATED'), 'INITIATED')
  assert.equal(stageAfterMoves(['pageFailed', 'pageWaiting', 'pageDone'], 'MANDATE_REQUESTED'), 'MANDATE_DONE')
  assert.equal(stageAfterMoves(['notConfirmed', 'confirm', 'confirmed'], 'CONFIRM_SENT'), 'CONFIRMED')
})

test('FIS12 §12.4.4: no moves reach DISBURSED without confirm, or confirm without the signed agreement', () => {
  const moves = [
    ...new Set(conversationStageNames.flatMap((stage) => Object.keys(conversationStages[stage]) as ConversationMove[])),
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 200 }), (sequence) => {
      const visited: ConversationStage[] = ['DISCOVERED']
      for (const move of sequence) visited.push(next(conversationStages, visited.at(-1)!, move) ?? visited.at(-1)!)
      const firstVisitTo = (stage: ConversationStage) =>
        visited.indexOf(stage) < 0 ? Number.POSITIVE_INFINITY : visited.indexOf(stage)
      const requiredOrder: ConversationStage[] = [
        'OFFERED',
        'FINAL_TERMS',
        'KYC_DONE',
        'AGREEMENT_DONE',
        'CONFIRM_SENT',
      ]
      for (const [i, stage] of requiredOrder.entries())
        if (i > 0) assert.ok(firstVisitTo(stage) >= firstVisitTo(requiredOrder[i - 1]!))
      if (visited.includes('DISBURSED')) assert.ok(firstVisitTo('CONFIRM_SENT') < firstVisitTo('DISBURSED'))
    }),
  )
})

test('FIS12 §11.3: a conversation can end at any stage before disbursal, and has no moves after its end', () => {
  for (const stage of conversationStageNames)
    assert.equal(next(conversationStages, stage, 'end') === 'ENDED', stage !== 'DISBURSED' && stage !== 'ENDED', stage)
  assert.deepEqual(conversationStages.ENDED, {})
})
