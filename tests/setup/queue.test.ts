// Which test file a process runs next.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadlineMs } from './deadline.ts'
import { limitMsOf, nextFileIndex, type ProcessSharing, type TestFile } from './queue.ts'

/** A file that keeps half a processor busy. */
const fileOf = (sharing: ProcessSharing): TestFile => ({
  path: `${sharing}.test.ts`,
  sharing,
  seconds: 2,
  processor: 1,
})
const files = (['alone', 'browsers', 'journeys', 'any'] as const).map(fileOf)

/** The files that a process takes one after another, when it has room for each. */
function taken(process: ProcessSharing | 'new'): string[] {
  const waiting = [...files]
  const paths: string[] = []
  for (let i = nextFileIndex(waiting, process, 1); i >= 0; i = nextFileIndex(waiting, process, 1))
    paths.push(...waiting.splice(i, 1).map(({ path }) => path))
  return paths
}

test('only a new process takes a file that must be alone', () => {
  assert.equal(nextFileIndex(files, 'new', 1), 0)
  assert.deepEqual(taken('any'), ['browsers.test.ts', 'journeys.test.ts', 'any.test.ts'])
})

test('a process takes no file of another kind, and one alone takes none', () => {
  assert.deepEqual(taken('browsers'), ['browsers.test.ts', 'any.test.ts'])
  assert.deepEqual(taken('journeys'), ['journeys.test.ts', 'any.test.ts'])
  assert.deepEqual(taken('alone'), [])
})

test('the longest file that fits the free processors is next, otherwise the one with the lowest load', () => {
  const busy = { ...fileOf('any'), seconds: 9, processor: 18 }
  const idle = { ...fileOf('any'), seconds: 9, processor: 1 }
  assert.equal(nextFileIndex([busy, fileOf('any'), idle], 'any', 2), 0)
  assert.equal(nextFileIndex([busy, fileOf('any'), idle], 'any', 1), 1)
  assert.equal(nextFileIndex([busy, fileOf('any'), idle], 'any', 0), 2)
})

test('a file has the deadline of a test, ten times its recorded seconds and a minute, at most fifteen minutes more', () => {
  const limits = [0, 6, 500].map((seconds) => (limitMsOf({ ...fileOf('any'), seconds }) - deadlineMs) / 60_000)
  assert.deepEqual(limits, [1, 2, 15])
})
