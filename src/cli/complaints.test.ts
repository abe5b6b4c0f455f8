// Complaints at the command line: listed, shown, answered, noted, assigned, escalated, resolved, closed, reopened, merged, reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listNewest } from '#platform/staff/audit/store.ts'
import { complaintSetup, words } from '#test/setup/complaints.ts'
import { main } from './main.ts'

const { platform, borrower, tenant, mails, officer } = await complaintSetup()
const { ctx } = platform
const env = {
  DATABASE_URL: ctx.config.DATABASE_URL,
  LENDLOOM_KEYS: ctx.config.LENDLOOM_KEYS,
  PUBLIC_URL: ctx.config.PUBLIC_URL,
  NETWORK_SIGNING_KEY: ctx.config.NETWORK_SIGNING_KEY,
  NETWORK_ENCRYPTION_KEY: ctx.config.NETWORK_ENCRYPTION_KEY,
}

async function lendloom(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const terminal = {
    env,
    print: (text: string) => void out.push(text),
    complain: (text: string) => void err.push(text),
  }
  const code = await main(['complaints', ...args], terminal)
  return { code, out: out.join('\n'), err: err.join('\n') }
}
const json = async (...args: string[]) => {
  const { code, out, err } = await lendloom(...args, '--json')
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

test('D3 §1: whatever officers do in the console can be done at the command line, and is in the audit log', async () => {
  const asha = await borrower()
  const { id, number } = await asha.complain()
  const { number: other } = await asha.complain({ text: 'The same once more, in other words.' })
  const { complaints } = await json('list', '--tenant', tenant.tenantId)
  assert.deepEqual(new Set(complaints.map((each: { number: string }) => each.number)), new Set([number, other]))
  assert.equal(JSON.stringify(complaints).includes(asha.email), false)
  assert.equal((await json('show', number.toLowerCase())).thread[0].text, words)
  assert.equal(
    (await json('answer', number, '--text', 'We are looking into it.', '--ask')).status,
    'WAITING_FOR_BORROWER',
  )
  assert.match((await mails(id)).at(-1)!.text, /We are looking into it/)
  await json('note', number, '--text', 'The bank says no.')
  assert.equal((await json('assign', number, '--to', officer.person.email)).assigneeId, officer.person.personId)
  assert.equal((await json('merge', other, '--into', number)).status, 'MERGED')
  assert.equal((await asha.ask('POST', `/complaints/${id}/words`, { text: 'It was the 18th, I think.' })).status, 200)
  const replied = async () => (await json('list', '--replied')).complaints.length
  assert.equal(await replied(), 1)
  assert.equal((await json('seen', number)).repliedAt, null)
  assert.equal(await replied(), 0)
  const escalated = async () => (await json('list', '--escalated')).complaints.length
  assert.equal(await escalated(), 0)
  assert.equal((await json('escalate', number)).escalatedBecause, 'OFFICER')
  assert.equal(await escalated(), 1)
  const refused = await lendloom('resolve', number, '--text', 'It is paid back.', '--outcome', 'maybe')
  assert.deepEqual([refused.code, /--outcome must be one of/.test(refused.err)], [2, true])
  assert.equal((await json('resolve', number, '--text', 'It is paid back.', '--outcome', 'upheld')).status, 'RESOLVED')
  assert.equal((await json('close', number)).status, 'CLOSED')
  assert.equal((await json('reopen', number)).status, 'IN_PROGRESS')
  const why = ['--reason', 'the ombudsman asks for it'] as const
  assert.match((await lendloom('export', number, '--csv', ...why)).out, /BORROWER,WORDS/)
  assert.equal((await json('export', number, ...why)).complaint.contact.email, asha.email)
  assert.equal(
    (await json('report', '--tenant', tenant.tenantId)).total.received,
    1,
    'what was merged is counted where it went on',
  )
  const acts = new Set((await listNewest(ctx.db, tenant.tenantId, null, 50)).map(({ act }) => act))
  for (const act of ['ANSWERED', 'NOTED', 'ASSIGNED', 'MERGED', 'ESCALATED', 'CLOSED', 'REOPENED', 'EXPORTED'])
    assert.ok(acts.has(`COMPLAINT_${act}`), act)
  const absent = await lendloom('show', 'GR-2611-22222')
  assert.deepEqual([absent.code, absent.err.includes('there is no complaint GR-2611-22222')], [1, true])
})

test('D3 §1: what officers do in the console alone has its command too: written down, matched, moved, and who answers', async () => {
  const asha = await borrower()
  const opened = await json('open', '--category', 'other', '--text', 'Said on the telephone.', '--name', 'Asha')
  assert.match(opened.number, /^GR-/)
  const matched = await json('match', opened.number, '--journey', asha.journeyId)
  assert.equal(matched.tenantId, tenant.tenantId)
  assert.equal((await json('category', opened.number, '--to', 'app')).category, 'APP')
  const named = ['--name', 'Meera Rao', '--email', 'meera@lend.example', '--phone', '080-400040']
  const { items } = await json('name-officer', 'PLATFORM', ...named)
  assert.ok(items.some(({ name }: { name: string }) => name === 'Meera Rao'))
  assert.match((await lendloom('officers')).out, /Meera Rao/)
  const wrong = await lendloom('open', '--category', 'weather', '--text', 'It rains too much.')
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /category/)
})
