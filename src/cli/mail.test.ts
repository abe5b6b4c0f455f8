// The mail commands on a real database: what was given up or set aside is shown, and done again once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { nobody } from '#kit/messaging/queue.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { partPlace } from '#platform/mail/receive.ts'
import { insertArrived, noteTry, settleArrived } from '#platform/mail/store.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { CannotRun, UsageError } from './command.ts'
import { mail } from './mail.ts'

const { ctx, tenant } = await testPlatform()
const env = { DATABASE_URL: ctx.config.DATABASE_URL, LENDLOOM_KEYS: ctx.config.LENDLOOM_KEYS }
const at = new Date('2026-11-21T10:00:00Z')

async function run(verb: string, args: string[] = []) {
  const found = mail.commands.find(({ name }) => name === `mail ${verb}`)!
  const printed = await found.run({ args, options: {}, json: false, env })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}

test('a mail that was given up is listed with the answer, and sent again once', async () => {
  assert.equal((await run('failed')).text, 'No mail was given up.')
  const key = { tenantId: tenant.tenantId, subjectId: uuidv4(), kind: 'complaint' } as const
  const content = {
    to: 'asha@mail.example',
    subject: 'Re',
    text: 'x',
    replyTag: null,
    inReplyTo: null,
    attachments: [],
  }
  const { mailId } = await ctx.db.tx((tx) => queueMail({ ...ctx, tx, at }, { ...key, ...content }))
  await noteTry(ctx.db, { ...key, mailId }, { state: 'FAILED', answer: 'no such user', at, nextTryAt: null })
  await ctx.db`delete from job`
  assert.match((await run('failed')).text, new RegExp(`${mailId} .* no such user`))
  await run('send-again', [mailId])
  assert.equal((await run('failed')).text, 'No mail was given up.')
  await assert.rejects(run('send-again', [mailId]), Refusal)
  await assert.rejects(run('send-again', [uuidv4()]), CannotRun)
  await assert.rejects(run('send-again', ['x']), UsageError)
})

test('mail that goes out is listed with its state, masked', async () => {
  const { LENDLOOM_KEYS, NETWORK_SIGNING_KEY, NETWORK_ENCRYPTION_KEY, PUBLIC_URL } = ctx.config
  const own = { ...env, LENDLOOM_KEYS, NETWORK_SIGNING_KEY, NETWORK_ENCRYPTION_KEY, PUBLIC_URL }
  const listed = async (options: Record<string, string>) => {
    const found = mail.commands.find(({ name }) => name === 'mail list')!
    return (await found.run({ args: [], options, json: false, env: own }))?.text
  }
  assert.match((await listed({})) ?? '', /a•••@mail\.example +QUEUED +1 /)
  assert.equal(await listed({ state: 'failed' }), 'There is none.')
})

test('a mail that was set aside is listed with the reason, printed as it came, and handled again once', async () => {
  const key = { tenantId: nobody, mailId: uuidv7(at.getTime()) }
  await ctx.db.tx(async (tx) => {
    await insertArrived(tx, {
      ...{ ...key, digest: ctx.seal.digest('x', 'mail_in'), sizeBytes: 11, receivedAt: at },
      envelopeSealed: ctx.seal.json({ from: null, tag: null }, partPlace('envelope', key)),
      messageSealed: ctx.seal.bytes(Buffer.from('Subject: x\n'), partPlace('message', key)),
    })
    await settleArrived(tx, key, 'nobody reads mail here', at)
  })
  assert.match((await run('set-aside')).text, new RegExp(`${key.mailId} .* nobody reads mail here`))
  assert.equal((await run('raw', [key.mailId])).text, 'Subject: x\n')
  await run('handle-again', [key.mailId])
  assert.equal((await run('set-aside')).text, 'No mail was set aside.')
  await assert.rejects(run('handle-again', [key.mailId]), Refusal)
  const acts = await ctx.db<{ act: string }>`select act from audit_entry where tenant_id = ${nobody} order by sequence`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['MAIL_READ', 'MAIL_HANDLED_AGAIN'],
  )
})
