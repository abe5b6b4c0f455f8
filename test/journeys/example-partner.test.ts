// The example of docs/tutorials/join-as-a-lender.md: a loan of the lending partner, run in a terminal.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { temporaryFolder } from '#test/packages/consumer.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { startPrograms } from '#test/setup/programs.ts'

const programs = await startPrograms({ partner: true })

test('D2 §4: the example of a self-employed borrower ends with a disbursal by the lending partner', async () => {
  const dataDir = temporaryFolder('lendloom-example-')
  const { platformUrl, tenant } = programs
  const sandbox = { platform: { url: platformUrl }, tenant: { apiKey: tenant.apiKey } }
  writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify(sandbox))
  const example = join(import.meta.dirname, '..', '..', 'examples', 'headless-loan.ts')
  const options = ['--self-employed', '--lender', 'Celestium', '--data-dir', dataDir]
  const run = spawn(process.execPath, [example, ...options], { timeout: deadlineMs })
  const [output, errors] = await Promise.all([text(run.stdout), text(run.stderr)])
  assert.match(output, /Disbursed/, `${output} ${errors}`)
})
