// Tests the link to the signed agreement of a partner's loan, which the borrower's page lists.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdfOf } from '@lendloom/documents/pdf'
import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { faults } from '@lendloom/foundation/schema'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { startProviders } from '@lendloom/tests/setup/providers'
import { statementsOf } from '@lendloom/tests/setup/round-trips'
import { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { pageViewOf } from '#platform/api/page/page-view.ts'
import { agreementUrl } from '#platform/lenders/partner/agreement-link.ts'
import { paperUrl } from '#platform/lenders/partner/paper-link.ts'
import { documentContext } from '#platform/lenders/partner/partner-document.ts'
import { registerFile } from '#platform/lenders/partner/reactions/provider-file.ts'
import { insertDocument } from '#platform/lenders/partner/store.ts'
import { lendloomEsign } from '#platform/providers/esign/lendloom.ts'

const providers = await startProviders()
let now = new Date()
const platform = await testPlatform(sandboxProviders(providers.url), () => now)
const { ctx } = platform
const agreement = await pdfOf({
  title: 'Loan agreement',
  author: 'A lender',
  blocks: [{ kind: 'text', text: 'Everything that was agreed.' }],
  createdAt: now,
})

type JourneyIds = { tenantId: string; journeyId: string }
async function readView({ tenantId, journeyId }: JourneyIds): Promise<EmbedView> {
  const embedView = await pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, now)
  assert.deepEqual(faults(EmbedView, embedView), [])
  return embedView
}

/** Creates a case whose borrower has signed the agreement. Returns its document and the provider's bytes. */
async function signedCase(overrides: { sha256?: string } = {}) {
  const partnerCase = await caseAt(platform, 'ACCEPTED')
  const beginning = { ...providers.newRequest(), pdf: agreement, title: 'Loan agreement' }
  const { reference, url } = await lendloomEsign.begin(ctx, beginning)
  await providers.choose(url, 'approve')
  const [file] = (await lendloomEsign.fetch(ctx, reference)).documents
  const loanCase = await partnerCase.loanCase()
  const document = await ctx.db.tx((tx) =>
    registerFile({ ...ctx, tx, at: now }, loanCase, {
      from: 'esign',
      adapter: 'lendloom',
      reference,
      ...file!,
      ...overrides,
    }),
  )
  const download = await fetch(`${providers.url}/verification/esign/requests/${reference}/files/${file!.fileId}`, {
    headers: { authorization: `Bearer ${ctx.config.ESIGN_CREDENTIAL}` },
  })
  return { partnerCase, document, bytes: Buffer.from(await download.arrayBuffer()) }
}

const statusAt = async (url: string): Promise<number> => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

test('D3 §4.3: the borrower’s page links to the signed agreement, and each link expires after a day', async () => {
  const { partnerCase, bytes } = await signedCase()
  const { documents } = await readView(partnerCase)
  assert.deepEqual(
    documents.map(({ code, name }) => ({ code, name })),
    [{ code: 'LOAN_AGREEMENT', name: 'signed-loan-agreement.pdf' }],
  )
  const { url } = documents[0]!
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.equal(answer.headers.get('content-length'), String(bytes.length))
  assert.equal(answer.headers.get('content-disposition'), 'inline; filename="signed-loan-agreement.pdf"')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  now = secondsAfter(now, 86_399)
  assert.equal(await statusAt(url), 200)
  now = daysAfter(now, 1)
  assert.equal(await statusAt(url), 404, 'the link has expired')
  assert.equal(await statusAt((await readView(partnerCase)).documents[0]!.url), 200, 'the page has a new link')
})

test('D3 §4.3: a signed agreement is served only for its own link', async () => {
  const { partnerCase, document } = await signedCase()
  const { url } = (await readView(partnerCase)).documents[0]!
  const other = await caseAt(platform, 'ACCEPTED')
  assert.deepEqual((await readView(other)).documents, [], 'the page of another journey does not list it')
  const { documentReferenceId } = document
  const key = { tenantId: partnerCase.tenantId, caseRef: partnerCase.ids.caseRef, documentReferenceId }
  assert.equal(await statusAt(agreementUrl(ctx, key, now)), 200)
  for (const wrongKey of [{ caseRef: other.ids.caseRef }, { tenantId: platform.secondTenant.tenantId }])
    assert.equal(await statusAt(agreementUrl(ctx, { ...key, ...wrongKey }, now)), 404, JSON.stringify(wrongKey))
  const paper = paperUrl(ctx, { ...key, name: 'statement' }, now)
  assert.equal(await statusAt(paper.replace('/papers/', '/agreements/')), 404, 'the link of a paper')
  assert.equal(await statusAt(url.replace('/agreements/', '/papers/')), 404)
  assert.equal(await statusAt(`${url.slice(0, -4)}AAAA`), 404, 'a changed link')
  const kycReport = { ...key, documentReferenceId: uuidv7(now.getTime(), bucketOf(partnerCase.ids.caseRef)) }
  const bytesSealed = ctx.seal.bytes(Buffer.from('%PDF-'), documentContext('bytes', kycReport))
  await ctx.db.tx((tx) => insertDocument(tx, { ...document, ...kycReport, documentType: 'KYC_REPORT', bytesSealed }))
  assert.equal(
    await statusAt(agreementUrl(ctx, kycReport, now)),
    404,
    'the link of a document that is not an agreement',
  )
  assert.equal((await readView(partnerCase)).documents.length, 1)
})

test('the download of an agreement is aborted if its digest differs from the stored digest', async () => {
  const { partnerCase } = await signedCase({ sha256: '0'.repeat(64) })
  const { url } = (await readView(partnerCase)).documents[0]!
  const status = await statusAt(url).catch(() => 'aborted')
  assert.notEqual(status, 200)
})

test('the link gets 404 after the provider has deleted the file', async () => {
  const { partnerCase, document } = await signedCase()
  const { url } = (await readView(partnerCase)).documents[0]!
  const key = {
    tenantId: partnerCase.tenantId,
    caseRef: partnerCase.ids.caseRef,
    documentReferenceId: document.documentReferenceId,
  }
  const missingFile = {
    ...ctx.seal.openJson<object>(document.sourceSealed!, documentContext('source', key)),
    fileId: 'none',
  }
  const sourceSealed = ctx.seal.json(missingFile, documentContext('source', key))
  await ctx.db`update partner_document set source_sealed = ${sourceSealed} where case_ref = ${key.caseRef}`
  const answer = await fetch(url)
  assert.equal(answer.status, 404)
  assert.match(answer.headers.get('content-type')!, /html/)
})

test('the page runs the query for the agreement only if there is a loan', async () => {
  const statementCount = ({ tenantId, journeyId }: JourneyIds) =>
    statementsOf(ctx.db, () => pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, now))
  const { partnerCase } = await signedCase()
  const unsigned = await caseAt(platform, 'ACCEPTED')
  assert.equal(await statementCount(partnerCase), await statementCount(unsigned))
  const offered = await journeyWithOffers(platform, [terms])
  assert.ok(
    (await statementCount({ tenantId: partnerCase.tenantId, journeyId: offered.journeyId })) <
      (await statementCount(partnerCase)),
  )
})
