// How a proof evaluates its counts: each forbidden outcome fails it, and so does a control without loss.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { outcomeOf as outcomeOfParts } from '../proofs/operations.ts'
import { outcomeOf } from '../proofs/patroni.ts'
import { consoleFiles, partnerFiles, productFiles, routedFiles } from '../proofs/setup/tests-over-citus.ts'

const good = { name: 'kill', accepted: 10, lost: 0, notOnce: 0, refused: 0, longestGapMs: 24_000, recovered: true }

test('D3 §4.2: the cluster faults pass if nothing is lost, everything is applied once and recovery is automatic', () => {
  const { passed, figures } = outcomeOf([good, { ...good, longestGapMs: 25_000 }], 7)
  assert.equal(passed, true)
  assert.equal(
    figures,
    '2 faults, 2 recovered automatically, 20 accepted, 0 lost, 0 cases not applied once, longest gap 25.0 s; the asynchronous control lost 7',
  )
  for (const bad of [{ lost: 1 }, { notOnce: 1 }, { refused: 1 }, { recovered: false }, { accepted: 0 }])
    assert.equal(outcomeOf([good, { ...good, ...bad }], 7).passed, false, JSON.stringify(bad))
})

test('a control without loss fails the proof, a skipped control does not', () => {
  assert.equal(outcomeOf([good], 0).passed, false)
  assert.equal(outcomeOf([good], null).passed, true)
  assert.equal(outcomeOf([], 3).figures, 'the asynchronous control lost 3')
})

test('docs/how-to/prove-failure-behaviour.md: a skipped part is named and does not count as passed', () => {
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

test('docs/how-to/prove-failure-behaviour.md: every test file that a proof on Citus runs exists', () => {
  const files = [...productFiles, ...partnerFiles, ...routedFiles, ...consoleFiles]
  assert.ok(files.length > 40, String(files.length))
  assert.deepEqual(
    files.filter((path) => !existsSync(path)),
    [],
  )
})
