// Runs the Python package's own tests, which use the same webhook vectors as the Node package.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pythonSkipReason, runPython } from './python.ts'

test('D1 §6: the tests of the Python package pass', { skip: pythonSkipReason() ?? false }, async () => {
  const report = await runPython(['-m', 'unittest', 'discover', '-s', 'tests'])
  assert.match(report, /^Ran \d{1,3} tests[\s\S]*^OK$/m)
})
