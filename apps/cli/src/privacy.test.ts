// The commands about borrowers' data, on a real database.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { consoleUser } from '@lendloom/tests/setup/console'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { consoleOf } from './console/ask.ts'

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const { run, runJson, runFailing } = commandLine(keysAndAddressOf(platform.ctx))
const directory = mkdtempSync(join(tmpdir(), 'lendloom-privacy-'))
after(() => rmSync(directory, { recursive: true }))
const reason = ['--reason', 'asked for it in complaint GR-2611-7K3Q9'] as const

test('DPDP §11 to §14: export, hold, nominee and request for erasure at the command line, which cannot decide', async () => {
  const { body } = await openSession(platform.url, platform.tenant, newApplicant())
  const { journeyId } = await enter(platform.url, body.embedUrl)
  await platform.ctx.db`update journey set active = false, status = 'NOT_OFFERED' where journey_id = ${journeyId}`
  assert.match((await run('privacy', 'show', journeyId)).text, /PERSONAL_LOAN +NOT_OFFERED/)
  const file = join(directory, 'export.json')
  assert.equal((await runJson('privacy', 'export', journeyId, ...reason, '--out', file)).file, file)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).journeys[0].journeyId, journeyId)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const exists = await runFailing('privacy', 'export', journeyId, ...reason, '--out', file)
  assert.equal(exists.code, 1, 'an export overwrites no file')
  const nowhere = await runFailing('privacy', 'export', journeyId, ...reason, '--out', join(directory, 'no', 'a.json'))
  assert.match(nowhere.errorOutput, /--out: the file cannot be created/)
  const exports = await platform.ctx.db`select act from audit_entry where act = 'DATA_EXPORTED'`
  assert.equal(exports.length, 1, 'nothing is exported that cannot be written')
  const nominee = ['--name', 'Usha', '--relation', 'sister', '--contact', 'usha@mail.example']
  assert.ok((await runJson('privacy', 'nominee', journeyId, ...nominee)).nominee)
  assert.ok((await runJson('privacy', 'hold', journeyId, ...reason)).hold)
  assert.match((await run('privacy', 'show', journeyId)).text, /HELD/)
  assert.equal((await runJson('privacy', 'release', journeyId, ...reason)).hold, null)
  const { erasures } = await runJson('privacy', 'erase', journeyId, ...reason)
  assert.deepEqual((await runJson('privacy', 'requests', '--state', 'waiting')).items, erasures)
  const admin = await consoleUser(platform, { role: 'admin' })
  const decision = `/privacy/erasures/${erasures[0].erasureId}/decision`
  const ask = consoleOf(keysAndAddressOf(platform.ctx))
  await assert.rejects(ask(`POST ${decision}`, { body: { approve: true } }), /a person must decide, in the console/)
  assert.equal((await admin.ask('POST', decision, { approve: true })).status, 204)
  assert.match((await run('privacy', 'show', journeyId)).text, /ERASED AT/)
  assert.equal((await runJson('privacy', 'requests')).items[0].state, 'DONE')
})

test('a borrower without a journey is found by the app’s identifier, and erased by its id', async () => {
  const client = startHeadlessClient(platform)
  const body = client.newBorrower()
  const { borrowerID } = (await client.borrower(body)).session
  assert.equal((await runJson('privacy', 'find', body.borrowerExternalID)).items[0].borrowerId, borrowerID)
  assert.match((await run('privacy', 'show', borrowerID)).text, /borrower id +/)
  const { erasures } = await runJson('privacy', 'erase', body.borrowerExternalID, ...reason)
  assert.equal(erasures[0].state, 'WAITING')
  const unknown = await runFailing('privacy', 'show', erasures[0].erasureId)
  assert.match(unknown.errorOutput, /borrower .* does not exist: see lendloom privacy find/)
})

test('the periods are listed with their sources', async () => {
  const { text } = await run('privacy', 'periods')
  assert.match(text, /Limitation Act 1963/)
  assert.match(text, /12 months from the end of the/)
})
