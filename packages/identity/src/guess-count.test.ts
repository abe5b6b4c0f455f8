// Guesses at a secret on a real database: counted across processes, with growing pauses.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '@lendloom/postgres/sql'
import { testDatabase } from '@lendloom/tests/setup/database'
import {
  clearGuesses,
  codeLimit,
  countGuess,
  deleteOldGuesses,
  findPause,
  isTemporaryPause,
  passwordLimit,
  takeBackGuess,
} from './guess-count.ts'

const url = await testDatabase('platform')
const firstProcess = connect(url, { connections: 4 })
const secondProcess = connect(url, { connections: 4 })
after(() => Promise.all([firstProcess.close(), secondProcess.close()]))
const tenantId = '00000000-0000-0000-0000-000000000000'
const startMs = Date.parse('2026-11-21T10:00:00Z')
const at = (minutes: number) => new Date(startMs + minutes * 60_000)

test('allows five of many concurrent guesses in two processes, and the fifth begins a pause', async () => {
  const key = { tenantId, subject: 'together' }
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => countGuess(i % 2 ? firstProcess : secondProcess, key, codeLimit, at(0))),
  )
  assert.equal(guesses.filter(({ isAllowed }) => isAllowed).length, 5)
  assert.ok(guesses.every((each) => each.isAllowed || each.pausedUntil.getTime() === at(15).getTime()))
  assert.equal((await countGuess(firstProcess, key, codeLimit, at(14))).isAllowed, false)
  assert.equal((await countGuess(firstProcess, key, codeLimit, at(15))).isAllowed, true)
})

test('pauses grow: codes allow twenty guesses in all, passwords repeat the last pause', async () => {
  const countAllowed = async (subject: string, limit: typeof codeLimit, days: number) => {
    const key = { tenantId, subject }
    let count = 0
    let pausedUntil = at(0)
    for (let minute = 0; minute < days * 1440; ) {
      const guess = await countGuess(firstProcess, key, limit, at(minute))
      if (guess.isAllowed) count++
      else pausedUntil = guess.pausedUntil
      if (guess.isAllowed) continue
      if (!isTemporaryPause(pausedUntil, at(minute))) break
      minute = (pausedUntil.getTime() - startMs) / 60_000
    }
    return count
  }
  assert.equal(await countAllowed('codes', codeLimit, 1000), 20)
  assert.equal(
    await countAllowed('passwords', passwordLimit, 1),
    10 * (1 + 1 + 23),
    'ten at once, after 15 minutes, and each hour',
  )
  await deleteOldGuesses(firstProcess, at(10_000_000))
  const rows = await firstProcess<{ subject: string }>`select subject from guess_count order by subject`
  assert.deepEqual(rows, [{ subject: 'codes' }], 'a permanent pause is not deleted')
  await clearGuesses(firstProcess, { tenantId, subject: 'codes' })
  assert.equal(await countAllowed('codes', codeLimit, 1), 15)
})

test('a limit that pauses after every guess pauses after the first one', async () => {
  const key = { tenantId, subject: 'every one' }
  const limit = { every: 1, pauseMinutes: [1, 10] }
  const together = await Promise.all(Array.from({ length: 10 }, () => countGuess(firstProcess, key, limit, at(0))))
  assert.equal(together.filter(({ isAllowed }) => isAllowed).length, 1)
  assert.equal((await findPause(firstProcess, key, at(0)))?.getTime(), at(1).getTime())
  assert.equal(await findPause(firstProcess, key, at(1)), null)
  assert.equal((await countGuess(firstProcess, key, limit, at(1))).isAllowed, true)
  assert.equal((await findPause(firstProcess, key, at(2)))?.getTime(), at(11).getTime())
})

test('a right guess that is taken back does not count, and ends only the pause that it began', async () => {
  const key = { tenantId, subject: 'taken back' }
  const limit = { every: 3, pauseMinutes: [15] }
  for (let i = 0; i < 10; i++) {
    await countGuess(firstProcess, key, limit, at(0))
    await countGuess(firstProcess, key, limit, at(0))
    const right = await countGuess(firstProcess, key, limit, at(0))
    assert.equal(right.isAllowed, true)
    await takeBackGuess(firstProcess, key, right)
    assert.equal(await findPause(firstProcess, key, at(0)), null)
    await clearGuesses(firstProcess, key)
  }
  const early = await countGuess(firstProcess, key, limit, at(0))
  await countGuess(firstProcess, key, limit, at(0))
  await countGuess(firstProcess, key, limit, at(0))
  await takeBackGuess(firstProcess, key, early)
  assert.notEqual(await findPause(firstProcess, key, at(0)), null, 'another guess began it')
})
