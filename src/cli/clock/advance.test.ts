// How a span of time is written on the command line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressOn } from '#cli/progress.ts'
import { millisecondsIn } from './advance.ts'

test('weeks, days, hours and minutes, also together; anything else is not understood', () => {
  assert.equal(millisecondsIn('22w'), 22 * 7 * 86_400_000)
  assert.equal(millisecondsIn('1d12h30m'), 131_400_000)
  for (const wrong of ['', 'w', '3', '3s', '-1d', '1.5d', '2 w', '1d x'])
    assert.throws(() => millisecondsIn(wrong), /no span of time/)
})

test('progress is a bar where a person looks, and a line for each tenth elsewhere', () => {
  const began = Date.parse('2026-11-20T00:00:00.000Z')
  const day = 86_400_000
  const written = (isTTY: boolean) => {
    const out: string[] = []
    const progress = progressOn(
      { isTTY, write: (text: string) => out.push(text) > 0 } as never,
      began,
      began + 20 * day,
    )
    for (const days of [1, 2, 3, 4, 20]) progress.isAt(began + days * day)
    progress.waitsFor(began + 20 * day, ['job aa-look', 'job sweep'])
    progress.end()
    return out.map((text) => text.replace('\r\x1b[K', ''))
  }
  assert.deepEqual(written(false), ['2026-11-22  10 %\n', '2026-11-24  20 %\n', '2026-12-10  100 %\n'])
  const drawn = written(true)
  assert.equal(drawn[3], `${'█'.repeat(6)}${'░'.repeat(24)} 2026-11-24`)
  assert.match(drawn[5]!, /waits for job aa-look and 1 more$/)
})
