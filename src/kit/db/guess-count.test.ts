// Guesses at a secret on a real database: counted over processes and at the same time, paused for longer and longer.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/setup/database.ts'
import {
  clearGuesses,
  codeLimit,
  countGuess,
  deleteOldGuesses,
  isTemporaryPause,
  passwordLimit,
} from './guess-count.ts'
import { connect } from './sql.ts'

const url = await testDatabase('platform')
const [one, other] = [connect(url, { connections: 4 }), connect(url, { connections: 4 })]
after(() => Promise.all([one.close(), other.close()]))
const tenantId = '00000000-0000-0000-0000-000000000000'
const begin = Date.parse('2026-11-21T10:00:00Z')
const at = (minutes: number) => new Date(begin + minutes * 60_000)

test('of guesses at the same time in two processes five are looked at, and the fifth begins a pause', async () => {
  const key = { tenantId, subject: 'together' }
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => countGuess(i % 2 ? one : other, key, codeLimit, at(0))),
  )
  assert.equal(guesses.filter(({ isAllowed }) => isAllowed).length, 5)
  assert.ok(guesses.every((each) => each.isAllowed || each.pausedUntil.getTime() === at(15).getTime()))
  assert.equal((await countGuess(one, key, codeLimit, at(14))).isAllowed, false)
  assert.equal((await countGuess(one, key, codeLimit, at(15))).isAllowed, true)
})

test('pauses are longer each time: of codes there are twenty in all, of passwords the last pause repeats', async () => {
  const allowed = async (subject: string, limit: typeof codeLimit, days: number) => {
    const key = { tenantId, subject }
    let [count, last] = [0, at(0)]
    for (let minute = 0; minute < days * 1440; ) {
      const guess = await countGuess(one, key, limit, at(minute))
      if (guess.isAllowed) count++
      else last = guess.pausedUntil
      if (guess.isAllowed) continue
      if (!isTemporaryPause(last, at(minute))) break
      minute = (last.getTime() - begin) / 60_000
    }
    return count
  }
  assert.equal(await allowed('codes', codeLimit, 1000), 20)
  assert.equal(await allowed('passwords', passwordLimit, 1), 10 * (1 + 1 + 23))
  await deleteOldGuesses(one, at(10_000_000))
  const kept = await one<{ subject: string }>`select subject from guess_count order by subject`
  assert.deepEqual(kept, [{ subject: 'codes' }], 'a pause that time does not end stays')
  await clearGuesses(one, { tenantId, subject: 'codes' })
  assert.equal(await allowed('codes', codeLimit, 1), 15)
})
