// The mail commands on a real database: failed outgoing and quarantined incoming mail is listed, and retried once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queueMail } from '@lendloom/platform/src/mail/queue-mail.ts'
import { mailPartContext } from '@lendloom/platform/src/mail/receive-mail.ts'
import { finishReceivedMail, insertReceivedMail, recordTry } from '@lendloom/platform/src/mail/store.ts'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv4, uuidv7 } from '@lendloom/seal/id'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { testPlatform } from '@lendloom/tests/setup/platform'

const { ctx, tenant } = await testPlatform()
const lendloom = commandLine(keysAndAddressOf(ctx))
const run = (...args: string[]) => lendloom.run('mail', ...args)
const refused = (...args: string[]) => lendloom.runFailing('mail', ...args)
const at = new Date('2026-11-21T10:00:00Z')

describe('mail that was given up, one story', () => {
  test('mail that was given up is listed with the server’s response, and can be resent once', async () => {
    assert.equal((await run('list', '--state', 'failed')).text, 'There is no such mail.')
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
    await recordTry(ctx.db, { ...key, mailId }, { state: 'FAILED', answer: 'no such user', at, nextTryAt: null })
    await ctx.db`delete from job`
    assert.match(
      (await run('list', '--state', 'failed')).text,
      new RegExp(`${mailId} .* a•••@mail\\.example +FAILED .* no such user`),
    )
    assert.equal((await run('send-again', mailId)).text, 'The mail will be sent again.')
    assert.equal((await run('list', '--state', 'failed')).text, 'There is no such mail.')
    assert.equal((await refused('send-again', mailId)).code, 1)
    assert.deepEqual(await refused('send-again', uuidv4()), { code: 1, errorOutput: 'lendloom: there is no such mail' })
    assert.deepEqual(await refused('send-again', 'x'), { code: 1, errorOutput: 'lendloom: <mailId> must be an id' })
  })

  test('outgoing mail is listed with its state and a masked address', async () => {
    assert.match((await run('list')).text, /a•••@mail\.example +QUEUED +1 /)
    assert.equal((await run('list', '--state', 'failed')).text, 'There is no such mail.')
  })
})

test('quarantined mail is listed with the reason, can be printed raw, and can be processed again once', async () => {
  const key = { tenantId: noTenantId, mailId: uuidv7(at.getTime()) }
  await ctx.db.tx(async (tx) => {
    await insertReceivedMail(tx, {
      ...key,
      digest: ctx.seal.digest('x', 'mail_in'),
      sizeBytes: 11,
      receivedAt: at,
      envelopeSealed: ctx.seal.json({ from: null, tag: null }, mailPartContext('envelope', key)),
      messageSealed: ctx.seal.bytes(Buffer.from('Subject: x\n'), mailPartContext('message', key)),
    })
    await finishReceivedMail(tx, key, 'no officer reads this address', at)
  })
  assert.match((await run('set-aside')).text, new RegExp(`${key.mailId} .* no officer reads this address`))
  assert.equal((await refused('read', key.mailId, '--raw')).code, 2)
  assert.equal((await run('read', key.mailId, '--raw', '--reason', 'The parser fails on it')).text, 'Subject: x')
  assert.equal((await run('handle-again', key.mailId)).text, 'The mail will be processed again.')
  assert.equal((await run('set-aside')).text, 'No mail is quarantined.')
  assert.equal((await refused('handle-again', key.mailId)).code, 1)
  const acts = await ctx.db<{
    act: string
  }>`select act from audit_entry where tenant_id = ${noTenantId} order by sequence`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['MAIL_READ', 'MAIL_HANDLED_AGAIN'],
  )
})
