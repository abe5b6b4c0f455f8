// Files that the lending partner refused: they are listed with the reason, and sent again when somebody says so.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { PartnerDocument } from '#platform/exchange/document.ts'
import { insertDocument } from '#platform/exchange/store.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { CannotRun, UsageError } from './command.ts'
import { files, resendFile } from './exchange/files.ts'

const platform = await testPlatform()
const { ctx } = platform
const call = { json: false, env: { DATABASE_URL: ctx.config.DATABASE_URL } }
const listed = async (caseRef: string) => (await files.run({ ...call, args: [], options: { case: caseRef } }))!
const resend = (...args: string[]) => resendFile.run({ ...call, args, options: {} })

test('D3 §4.3: a refused file is listed with its reason, and sent again under the same request', async () => {
  const { ids, tenantId } = await caseAt(platform, 'REGISTERED')
  const { caseRef } = ids
  const row = (state: PartnerDocument['state']): PartnerDocument => ({
    ...{
      tenantId,
      caseRef,
      documentReferenceId: uuidv7(Date.now(), bucketOf(caseRef)),
      requestId: randomUUID(),
      state,
    },
    ...{ documentType: 'BUREAU_REPORT', fileName: 'bureau-report.pdf', contentType: 'application/pdf' },
    ...{ providerReference: null, bytesSealed: Buffer.from('sealed'), sourceSealed: null, documentId: null },
    ...{ sha256: null, createdAt: ctx.clock(), storedAt: null },
    refusedBecause: state === 'REFUSED' ? 'answered 415' : null,
  })
  const [refused, waiting] = [row('REFUSED'), row('WAITING')]
  await ctx.db.tx(async (tx) => {
    for (const each of [refused, waiting, row('STORED')]) await insertDocument(tx, each)
  })
  const { text, data } = await listed(caseRef)
  assert.match(text, new RegExp(`${refused.documentReferenceId} +${caseRef} +BUREAU_REPORT +REFUSED .+answered 415`))
  assert.equal((data as unknown[]).length, 2)
  await assert.rejects(resend(waiting.documentReferenceId), CannotRun, 'it is tried by itself')
  assert.match((await resend(refused.documentReferenceId))!.text, /BUREAU_REPORT of case .+ is uploaded again/)
  const states = await ctx.db<{ state: string; requestId: string }>`
    select state, request_id from partner_document where document_reference_id = ${refused.documentReferenceId}`
  assert.deepEqual(states, [{ state: 'WAITING', requestId: refused.requestId }])
  const jobs = await ctx.db`select 1 from job where kind = 'partner-upload' and key = ${refused.documentReferenceId}`
  assert.equal(jobs.length, 1)
  await assert.rejects(resend(randomUUID()), CannotRun)
  await assert.rejects(resend(), UsageError)
  await assert.rejects(listed('CASE-1'), UsageError)
})
