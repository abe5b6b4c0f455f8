// Loses the primary while the programs run: with a synchronous standby, nothing acknowledged is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failover, holds } from '../../../proofs/failover.ts'

const times = { seconds: 1, cutMs: 500 }
/** Killing all processes of a server relies on Linux. */
const linux = { skip: process.platform !== 'linux' && 'needs /proc' }

test(
  'D1 §1, D3 §4.2: what was acknowledged is there after the primary was killed, and is applied once',
  linux,
  async () => {
    const result = await failover({ synchronous: true, ...times })
    assert.ok(holds(result), JSON.stringify(result))
  },
)

test(
  'D3 §4.2: the same with an asynchronous standby loses what was acknowledged, so that a loss is seen',
  linux,
  async () => {
    const { lost, accepted } = await failover({ synchronous: false, ...times })
    assert.ok(lost > 0, `${accepted} accepted`)
  },
)
