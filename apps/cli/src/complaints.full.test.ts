// The commands about complaints, on a real database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listNewest } from '@lendloom/platform/src/people/audit/store.ts'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { complaintSetup, complaintText } from '@lendloom/tests/setup/complaints'

const { platform, borrower, tenant, mails, officer } = await complaintSetup()
const { ctx } = platform
const { run, runJson } = commandLine(keysAndAddressOf(ctx))
const lendloom = (...args: string[]) => run('complaints', ...args)
const json = (...args: string[]) => runJson('complaints', ...args)

test('D3 §1: the audit log records the acts of officers at the command line', async () => {
  const asha = await borrower()
  const { id, number } = await asha.complain()
  const { number: other } = await asha.complain({ text: 'The same once more, in other words.' })
  const { items } = await json('list', '--tenant', tenant.tenantId)
  assert.deepEqual(new Set(items.map((each: { number: string }) => each.number)), new Set([number, other]))
  assert.equal(JSON.stringify(items).includes(asha.email), false)
  const masked = await json('show', number.toLowerCase())
  assert.equal(masked.thread[0].text, complaintText)
  assert.equal(masked.email === asha.email, false)
  const reason = ['--reason', 'the ombudsman asks for it'] as const
  assert.equal((await json('reveal', number, ...reason)).email, asha.email)
  assert.equal(
    (await json('answer', number, '--text', 'We are looking into it.', '--kind', 'question')).status,
    'WAITING_FOR_BORROWER',
  )
  assert.match((await mails(id)).at(-1)!.text, /We are looking into it/)
  await json('note', number, '--text', 'The bank says no.')
  assert.equal(
    (await json('assign', number, '--assignee', officer.person.email)).assignee.personId,
    officer.person.personId,
  )
  const unassigned = await json('assign', number, '--no-assignee')
  assert.equal(unassigned.assignee, null)
  assert.equal((await lendloom('assign', number)).code, 2)
  assert.equal((await json('answer', number, '--text', 'We still look into it.')).assignee, null, 'nobody is made up')
  assert.equal((await json('merge', other, '--into', number)).status, 'MERGED')
  assert.equal((await asha.ask('POST', `/complaints/${id}/words`, { text: 'It was the 18th, I think.' })).status, 200)
  const replied = async () => (await json('list', '--replied')).items.length
  assert.equal(await replied(), 1)
  assert.equal((await json('seen', number)).repliedAt, null)
  assert.equal(await replied(), 0)
  const escalated = async () => (await json('list', '--escalated')).items.length
  assert.equal(await escalated(), 0)
  assert.equal((await json('escalate', number)).escalatedBecause, 'OFFICER')
  assert.equal(await escalated(), 1)
  const resolution = ['--kind', 'resolution', '--text', 'It is paid back.'] as const
  const refused = await lendloom('answer', number, ...resolution, '--outcome', 'maybe')
  assert.equal(refused.code, 2)
  assert.match(refused.errorOutput, /--outcome must be one of/)
  assert.equal((await json('answer', number, ...resolution, '--outcome', 'upheld')).status, 'RESOLVED')
  assert.equal((await json('close', number)).status, 'CLOSED')
  assert.equal((await json('reopen', number)).status, 'IN_PROGRESS')
  assert.match((await lendloom('export', number, '--format', 'csv', ...reason)).text, /BORROWER,WORDS/)
  assert.equal((await json('export', number, ...reason)).complaint.contact.email, asha.email)
  assert.equal(
    (await json('report', '--tenant', tenant.tenantId)).total.received,
    1,
    'a merged complaint counts only as the one that continues',
  )
  const acts = new Set((await listNewest(ctx.db, tenant.tenantId, null, 50)).map(({ act }) => act))
  assert.ok(acts.has('PERSONAL_DATA_REVEALED'))
  for (const act of ['ANSWERED', 'NOTED', 'ASSIGNED', 'MERGED', 'ESCALATED', 'CLOSED', 'REOPENED', 'EXPORTED'])
    assert.ok(acts.has(`COMPLAINT_${act}`), act)
  const unknown = await lendloom('show', 'GR-2611-22222')
  assert.equal(unknown.code, 1)
  assert.equal(unknown.errorOutput.includes('complaint GR-2611-22222 does not exist'), true)
})

test('D3 §1: commands can record a complaint, match it to a journey, change its category, and set officers', async () => {
  const asha = await borrower()
  const opened = await json('open', '--category', 'other', '--text', 'Said on the telephone.', '--name', 'Asha')
  assert.match(opened.number, /^GR-/)
  const matched = await json('match', opened.number, '--journey', asha.journeyId)
  assert.equal(matched.tenantId, tenant.tenantId)
  assert.equal((await json('category', opened.number, '--to', 'app')).category, 'APP')
  const officerOptions = ['--name', 'Meera Rao', '--email', 'meera@lend.example', '--phone', '080-400040']
  const { items } = await json('name-officer', 'PLATFORM', ...officerOptions)
  assert.ok(items.some(({ name }: { name: string }) => name === 'Meera Rao'))
  assert.match((await lendloom('officers')).text, /Meera Rao/)
  const wrong = await lendloom('open', '--category', 'weather', '--text', 'It rains too much.')
  assert.equal(wrong.code, 2)
  assert.match(wrong.errorOutput, /--category must be one of/)
})
