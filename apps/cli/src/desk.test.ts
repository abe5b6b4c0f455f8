// The desk commands on a real database: users, passwords, roles, the audit log and the journal.
import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { choosePasswordByLink } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { UsageError } from './command.ts'
import { desk } from './desk.ts'
import { main } from './main.ts'

const partner = await startTestPartner({
  PARTNER_DESK_EMAIL: 'first@lender.example',
  PARTNER_DESK_PASSWORD: 'a'.repeat(12),
})
const env = { PARTNER_DATABASE_URL: partner.env.PARTNER_DATABASE_URL!, LENDLOOM_KEYS: partner.env.LENDLOOM_KEYS! }

async function run(verb: string, args: string[] = [], options: Record<string, string | string[] | boolean> = {}) {
  const found = desk.commands.find(({ name }) => name === `desk ${verb}`)!
  const printed = await found.run({ args, options, json: false, env })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}

/** Signs in at the desk. Returns the status (303 on success) and the session's cookie. */
async function signIn(email: string, password: string) {
  const body = new URLSearchParams({ email, password })
  const answer = await fetch(`${partner.url}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })
  return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}
const overview = async (cookie: string) =>
  (await fetch(`${partner.url}/desk`, { headers: { cookie }, redirect: 'manual' })).status

/** Runs a command that prints a password link, and chooses the user's password by the link. */
async function choosePassword(verb: string, email: string, options: Record<string, string | string[]> = {}) {
  const { text, data } = await run(verb, [email], { ...options, 'by-hand': true })
  return { text, data, email: data.email, password: await choosePasswordByLink(partner, text, `chosen by ${text}`) }
}

test('a new user chooses a password by a printed or mailed link', async () => {
  assert.match((await run('list')).text, /first@lender\.example +first +admin +\S+ \S+ +never/)
  const mailed = await run('add', ['mina@lender.example'], { name: 'Mina', role: ['viewer'] })
  assert.equal(mailed.data.link, null)
  assert.match(mailed.text, /the partner mails mina@lender\.example a link/)
  const { text, data, password } = await choosePassword('add', 'Ravi@lender.example', {
    name: 'Ravi Menon',
    role: ['credit'],
  })
  assert.match(
    text,
    /^http:\/\/127\.0\.0\.1:\d+\/desk\/password\/[\w-]{43}\n\nravi@lender\.example chooses a password at this link/,
  )
  assert.ok(!JSON.stringify((await run('list')).data).includes(data.link))
  assert.equal((await signIn('ravi@lender.example', password)).status, 303)
  assert.match((await run('list')).text, /ravi@lender\.example +Ravi Menon +credit +\S+ \S+ +\S+ \S+/)
  await assert.rejects(
    run('add', ['ravi@lender.example'], { name: 'Another', role: ['viewer'] }),
    /already has an account/,
  )
})

test('a password reset or removal ends all sessions of a user, and is recorded', async () => {
  const before = await choosePassword('add', 'lena@lender.example', { name: 'Lena', role: ['viewer'] })
  const first = await signIn(before.email, before.password)
  assert.equal(await overview(first.cookie), 200)
  await run('password', ['lena@lender.example'])
  assert.equal(await overview(first.cookie), 303, 'the session ends before the mail is sent')
  const after = await choosePassword('password', 'lena@lender.example')
  assert.equal(await overview(first.cookie), 303)
  assert.equal((await signIn(before.email, before.password)).status, 401)
  await partner.db`
    insert into person_totp (tenant_id, person_id, totp_sealed)
    select '00000000-0000-0000-0000-000000000000', staff_id, '\\x01' from staff where email = 'lena@lender.example'`
  await run('second-factor', ['lena@lender.example'])
  const second = await signIn(before.email, after.password)
  assert.equal(await overview(second.cookie), 200)
  assert.equal((await run('remove', ['lena@lender.example'])).text, 'removed lena@lender.example')
  assert.equal(await overview(second.cookie), 303)
  assert.equal((await signIn(before.email, after.password)).status, 401)
  await assert.rejects(run('remove', ['lena@lender.example']), Refusal)
  await assert.rejects(run('password', ['lena@lender.example']), Refusal)
  const acts = await partner.db<{ act: string; byStaff: boolean }>`
    select act, person_id is not null as by_staff from audit_entry
    where (subject = 'lena@lender.example' or act = 'SIGN_IN_FAILED'
        or person_id in (select staff_id from staff where email = 'lena@lender.example'))
      and act <> 'LIST_VIEWED'
    order by sequence`
  assert.deepEqual(
    acts.map(({ act, byStaff }) => `${act} ${byStaff}`),
    [
      'STAFF_ADDED false',
      'PASSWORD_CHOSEN true',
      'SIGNED_IN true',
      'STAFF_PASSWORD false',
      'STAFF_PASSWORD false',
      'PASSWORD_CHOSEN true',
      'SIGN_IN_FAILED false',
      'SECOND_FACTOR_RESET false',
      'SIGNED_IN true',
      'STAFF_REMOVED false',
      'SIGN_IN_FAILED false',
    ],
  )
  const again = await choosePassword('add', 'lena@lender.example', { name: 'Lena', role: ['viewer'] })
  assert.equal((await signIn(again.email, again.password)).status, 303, 'a removed user who is added again can sign in')
})

test('a user needs a known role, and the last admin stays an admin', async () => {
  await assert.rejects(
    run('add', ['nora@lender.example'], { name: 'Nora' }),
    /at least one --role is required: viewer, credit/,
  )
  await assert.rejects(run('add', ['nora@lender.example'], { name: 'Nora', role: ['king'] }), /not "king"/)
  await run('add', ['nora@lender.example'], { name: 'Nora', role: ['accounts', 'credit'] })
  assert.match((await run('list')).text, /nora@lender\.example +Nora +credit accounts/)
  await assert.rejects(run('roles', ['first@lender.example'], { role: ['viewer'] }), /the only admin/)
  await assert.rejects(run('remove', ['first@lender.example']), /the only admin/)
  await run('roles', ['nora@lender.example'], { role: ['admin'] })
  await run('roles', ['first@lender.example'], { role: ['viewer'] })
  assert.match((await run('list')).text, /first@lender\.example +first +viewer/)
  assert.match(
    (await run('verify')).text,
    /^all \d+ entries are valid; the last digest is [0-9a-f]{64}\nno head was sent out: .*; set AUDIT_EMAIL and SMTP_URL$/,
  )
  await partner.db`update audit_entry set subject = 'somebody' where sequence = 3`
  await assert.rejects(run('verify'), /entry 3 is invalid: its digest is wrong.*; the 2 entries before it are valid/)
})

test('--json prints results and errors as JSON', async () => {
  const printed: string[] = []
  const terminal = {
    env,
    print: (text: string) => void printed.push(text),
    complain: (text: string) => void printed.push(text),
  }
  assert.equal(await main(['desk', 'list', '--json'], terminal), 0)
  assert.ok(JSON.parse(printed[0]!).items.some(({ email }: { email: string }) => email === 'first@lender.example'))
  assert.equal(await main(['desk', 'add', 'no address', '--name', 'X', '--role', 'viewer', '--json'], terminal), 1)
  assert.equal(JSON.parse(printed[1]!).error.details.field, 'email')
  assert.equal(await main(['desk', 'add', '--help'], terminal), 0)
  assert.match(printed[2]!, /lendloom desk add <email> --name <name>/)
  await assert.rejects(run('add', ['x@lender.example']), /--name is missing/)
  await assert.rejects(run('remove', []), UsageError)
})

test('the journal of a period is written to a new file, never over an existing one', async () => {
  const out = join(await mkdtemp(join(tmpdir(), 'journal-')), 'journal.csv')
  const period = { from: '2026-10-01', to: '2026-10-31' }
  const { data } = await run('journal', [], { ...period, out })
  assert.deepEqual(data, { ...period, postings: 0, out })
  assert.match(await readFile(out, 'utf8'), /^\ufeffbusiness_on,case_ref,.*\r\n$/)
  await assert.rejects(run('journal', [], { ...period, out }), /--out cannot be written/)
  await assert.rejects(run('journal', [], { ...period, from: 'soon', out }), /--from must be a day/)
  await assert.rejects(run('journal', [], { ...period, out, format: 'xml' }), /--format must be csv or jsonl/)
})
