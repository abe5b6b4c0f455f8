// One seed of the simulation, in a process of its own because it replaces clocks, timers, network and disk.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { deadlineMs } from '#test/setup/deadline.ts'

test('D3 §2.2: a loan under simulated faults loses, doubles and disorders nothing', () => {
  // `--only` names every fault, and leaves out the controls, which the full tier runs.
  const few = ['--loans', '1', '--faults', '6', '--only', '0,1,2,3,4,5', '--seconds', '5', '--days', '0']
  const args = ['--conditions=inside', 'proofs/main.ts', 'simulate', '--seeds', '1', ...few]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 3 * deadlineMs })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /simulate: PASSED: 1 seeds/)
})
