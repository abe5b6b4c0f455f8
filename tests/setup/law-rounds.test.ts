// How many rounds a law takes by the share of the run.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import fc from 'fast-check'
import { roundsOf, roundsVariable, usualRounds } from './law-rounds.ts'

const shareOfRun = process.env[roundsVariable]
afterEach(() => {
  if (shareOfRun === undefined) delete process.env[roundsVariable]
  else process.env[roundsVariable] = shareOfRun
})

test('a law takes a tenth of its rounds before a commit, and at least twenty if it gives no number', () => {
  process.env[roundsVariable] = '0.1'
  assert.equal(roundsOf(2000), 200)
  assert.equal(roundsOf(5), 1)
  assert.equal(usualRounds(), 20)
  process.env[roundsVariable] = '0.5'
  assert.equal(usualRounds(), 50)
  process.env[roundsVariable] = '1'
  assert.equal(usualRounds(), 100)
})

test('a law that gives no number takes the usual rounds of the run', () => {
  let rounds = 0
  fc.assert(fc.property(fc.integer(), () => void rounds++))
  assert.equal(rounds, usualRounds())
})
