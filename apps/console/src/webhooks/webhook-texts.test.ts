// The words of webhooks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replayedText } from './webhook-texts.ts'

test('D1 §6: a replay counts the missed and the waiting updates as the endpoint does', () => {
  for (const [counts, text] of [
    [{ updates: 91, missed: 22, waiting: 69 }, '22 missed and 69 waiting behind them'],
    [{ updates: 1, missed: 1, waiting: 0 }, '1 missed'],
    [{ updates: 5, missed: 0, waiting: 5 }, '5 waiting'],
    [{ updates: 9, missed: 2, waiting: 3 }, '2 missed, 3 waiting behind them and 4 delivered before'],
    [{ updates: 4, missed: 0, waiting: 0 }, '4 delivered updates'],
  ] as const)
    assert.equal(replayedText(counts), text)
})
