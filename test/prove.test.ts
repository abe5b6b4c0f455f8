// What a proof makes of its counts: each thing that must not happen fails it, and a control that sees no loss does too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf as outcomeOfParts } from '../prove/operations.ts'
import { outcomeOf } from '../prove/patroni.ts'

const good = { name: 'kill', accepted: 10, lost: 0, notOnce: 0, refused: 0, longestGapMs: 24_000, recovered: true }

test('D3 §4.2: the faults of a cluster are passed when nothing is lost, all is applied once and nobody had to help', () => {
  const { passed, figures } = outcomeOf([good, { ...good, longestGapMs: 25_000 }], 7)
  assert.equal(passed, true)
  assert.equal(
    figures,
    '2 faults, 2 recovered automatically, 20 accepted, 0 lost, 0 cases not applied once, longest gap 25.0 s; the asynchronous control lost 7',
  )
  for (const bad of [{ lost: 1 }, { notOnce: 1 }, { refused: 1 }, { recovered: false }, { accepted: 0 }])
    assert.equal(outcomeOf([good, { ...good, ...bad }], 7).passed, false, JSON.stringify(bad))
})

test('a control that loses nothing fails the proof, one that was left out does not', () => {
  assert.equal(outcomeOf([good], 0).passed, false)
  assert.equal(outcomeOf([good], null).passed, true)
  assert.equal(outcomeOf([], 3).figures, 'the asynchronous control lost 3')
})

test('docs/how-to/prove-failure-behaviour.md: a part that was skipped is named, and passes nothing by itself', () => {
  const checks = (total: number, failed: string[] = []) => ({ total, failed, note: () => {} })
  assert.deepEqual(outcomeOfParts(checks(3), ['2 mails taken'], ['container']), {
    passed: true,
    figures: '2 mails taken; all 3 checks hold; SKIPPED: container',
  })
  assert.equal(outcomeOfParts(checks(0), [], ['tls', 'mail']).passed, false)
  assert.deepEqual(outcomeOfParts(checks(3, ['it arrives']), [], []), {
    passed: false,
    figures: '1 of 3 checks fail: it arrives',
  })
})
