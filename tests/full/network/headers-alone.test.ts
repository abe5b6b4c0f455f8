// No route of the three programs waits for the body of a caller that it does not know.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPrograms } from '#test/setup/programs.ts'
import { callWithHeadersAlone } from '../../../proofs/wall/headers-alone.ts'

test('D1 §5: headers without a credential are refused on every route, before a byte of the body', async () => {
  const { platformUrl, partnerUrl, sandboxUrl } = await startPrograms({ partner: true })
  const { calls, faults } = await callWithHeadersAlone({
    platform: platformUrl,
    partner: partnerUrl,
    sandbox: sandboxUrl,
  })
  assert.deepEqual(faults, [])
  assert.ok(calls > 500, `${calls} calls`)
})
