// A rolling upgrade from the previous release, where the clone has its commit; upgrade-recording.test.ts needs no history.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missing, previousRelease, upgrade } from '../../../proofs/upgrade.ts'

test('docs/how-to/upgrade.md: the previous release and this version serve side by side, and no request fails', {
  skip: missing() ?? false,
}, async () => {
  const { all } = await upgrade(previousRelease() ?? '', 1)
  assert.deepEqual(all.failed, [])
})
