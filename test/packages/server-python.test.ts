// The Python package: its own tests, which share the platform's vectors with the package for Node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lacksPython, python } from './python.ts'

test('D1 §6: the tests of the Python package pass', { skip: lacksPython() ?? false }, async () => {
  const report = await python(['-m', 'unittest', 'discover', '-s', 'tests'])
  assert.match(report, /^Ran \d{1,3} tests[\s\S]*^OK$/m)
})
