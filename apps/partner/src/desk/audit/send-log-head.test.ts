// The mailed head of the desk's audit log detects a truncated log.

import assert from 'node:assert/strict'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { desk } from '@lendloom/cli/src/desk.ts'
import { signHead } from '@lendloom/postgres/chain-head'
import { noTenantId } from '@lendloom/queue/queue'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { until } from '@lendloom/tests/setup/programs'
import { assertUnsentHeadWarning } from '@lendloom/tests/setup/unsent-head'
import { auditHeadWorker, sendLogHead } from './send-log-head.ts'

const mails = await mailServer()
const partner = await startTestPartner({ SMTP_URL: mails.url, AUDIT_EMAIL: 'auditor@firm.example' })
const { db } = partner
const { PARTNER_DATABASE_URL, LENDLOOM_KEYS } = partner.env

const verify = async (heads?: string[]) => {
  const command = desk.commands.find(({ name }) => name === 'desk verify')!
  const env = { PARTNER_DATABASE_URL: PARTNER_DATABASE_URL!, LENDLOOM_KEYS: LENDLOOM_KEYS! }
  return command.run({ args: [], options: { ...(heads && { heads }) }, json: false, env })
}

test('verification against the mailed head fails when the log was truncated and its head reset', async () => {
  await until('the first mail of the day', async () =>
    mails.mails.some(({ to }) => to.includes('auditor@firm.example')),
  )
  await deskPerson(partner, 'Meera', 'admin')
  await sendLogHead(partner.ctx)
  const file = join(await mkdtemp(join(tmpdir(), 'heads-')), 'mail.eml')
  await writeFile(file, mails.mails.at(-1)!.text)
  await verify([file])
  await db.tx(async (tx) => {
    await tx`delete from audit_entry where sequence = (select sequence from audit_chain)`
    await tx`
      update audit_chain c set sequence = a.sequence, digest = a.digest
      from audit_entry a where a.sequence = c.sequence - 1`
  })
  await verify()
  await assert.rejects(verify([file]), /is invalid: it is missing, and was the head that was sent out on/)
  await writeFile(file, 'nothing')
  await assert.rejects(verify([file]), /contains no head/)
  const headOfOtherLog = signHead(partner.ctx.seal, noTenantId, { sequence: 1, digest: Buffer.alloc(32) }, new Date())
  await writeFile(file, headOfOtherLog)
  await assert.rejects(verify([file]), /are about other logs/, 'a head of another log is refused')
})

test('outside the sandbox, a start without mail settings logs one warning that names the settings', () =>
  assertUnsentHeadWarning((settings, log) =>
    auditHeadWorker({ ...partner.ctx, log, config: { ...partner.ctx.config, ...settings } }).stop(),
  ))
