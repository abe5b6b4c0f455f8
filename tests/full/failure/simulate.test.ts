// Ten seeds of the simulation, in a process of their own because it replaces clocks, timers, network and disk.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { deadlineMs } from '#test/setup/deadline.ts'
import { shrink } from '../../../proofs/simulate/shrink.ts'

test('D3 §2.2: ten seeds of loans under simulated faults lose, double and disorder nothing, and repeat exactly', () => {
  const few = ['--loans', '1', '--faults', '6', '--seconds', '5', '--days', '0']
  const args = ['--conditions=inside', 'proofs/main.ts', 'simulate', '--seeds', '10', ...few]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 3 * deadlineMs })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /holds: control: the first seed has the same trace again/)
  assert.match(stdout, /holds: control: an event that is acknowledged but not stored is found/)
})

test('D3 §2.2: a failing run of the simulation is shrunk to the loans and faults that make it fail', async () => {
  const passed = { failures: [], steps: 1, simulatedMs: 1, digest: '', figures: '' }
  const failed = { ...passed, failures: [{ claim: 'nothing is lost', what: 1 }] }
  const otherwise = { ...passed, failures: [{ claim: 'the books balance', what: 1 }] }
  const smallest = await shrink({ numbers: [...Array(20).keys()], loans: 4 }, failed, async ({ numbers, loans }) =>
    numbers.includes(3) && numbers.includes(14) && loans > 1 ? failed : numbers.includes(3) ? otherwise : passed,
  )
  assert.deepEqual(smallest, { numbers: [3, 14], loans: 2 })
})
