// Files rejected by the lending partner are listed with the reason and can be uploaded again.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { PartnerDocument } from '@lendloom/platform/src/lenders/partner/partner-document.ts'
import { insertDocument } from '@lendloom/platform/src/lenders/partner/store.ts'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'

const platform = await testPlatform()
const { ctx } = platform
const lendloom = commandLine(keysAndAddressOf(ctx))
const resend = (...args: string[]) => lendloom.run('exchange', 'resend-file', ...args)
const refused = (...args: string[]) => lendloom.runFailing('exchange', 'resend-file', ...args)

test('D3 §4.3: a rejected file is listed with its reason and can be uploaded again under the same request id', async () => {
  const { ids, tenantId } = await caseAt(platform, 'REGISTERED')
  const { caseRef } = ids
  const row = (state: PartnerDocument['state']): PartnerDocument => ({
    tenantId,
    caseRef,
    documentReferenceId: uuidv7(Date.now(), bucketOf(caseRef)),
    requestId: randomUUID(),
    state,
    documentType: 'BUREAU_REPORT',
    fileName: 'bureau-report.pdf',
    contentType: 'application/pdf',
    providerReference: null,
    bytesSealed: Buffer.from('sealed'),
    sourceSealed: null,
    documentId: null,
    createdAt: ctx.clock(),
    storedAt: null,
    refusedBecause: state === 'REFUSED' ? 'answered 415' : null,
  })
  const refusedFile = row('REFUSED')
  const waitingFile = row('WAITING')
  await ctx.db.tx(async (tx) => {
    for (const each of [refusedFile, waitingFile, row('STORED')]) await insertDocument(tx, each)
  })
  const { text } = await lendloom.run('exchange', 'files')
  assert.match(text, new RegExp(`${refusedFile.documentReferenceId} +${caseRef} +BUREAU_R\\S* +REFUSED .+answered 415`))
  assert.equal((await lendloom.runJson('exchange', 'files')).items.length, 2)
  assert.deepEqual(await refused(waitingFile.documentReferenceId), {
    code: 1,
    errorOutput: 'lendloom: the file is pending and is retried automatically',
  })
  assert.match((await resend(refusedFile.documentReferenceId)).text, /BUREAU_REPORT of case .+ will be uploaded again/)
  const states = await ctx.db<{ state: string; requestId: string }>`
    select state, request_id from partner_document where document_reference_id = ${refusedFile.documentReferenceId}`
  assert.deepEqual(states, [{ state: 'WAITING', requestId: refusedFile.requestId }])
  const jobs =
    await ctx.db`select 1 from job where kind = 'partner-upload' and key = ${refusedFile.documentReferenceId}`
  assert.equal(jobs.length, 1)
  assert.deepEqual(await refused(randomUUID()), { code: 1, errorOutput: 'lendloom: there is no such file' })
  assert.equal((await refused()).code, 2)
  assert.equal((await refused('FILE-1')).code, 1)
})
