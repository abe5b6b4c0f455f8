// The signed agreement of a partner's loan: listed on the borrower's page and downloaded by a link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbedView } from '#contract/hosted/embed.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import { pdfOf } from '#kit/files/pdf.ts'
import { faults } from '#kit/http/schema.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { registerFile } from '#platform/application/partner/uploading.ts'
import { viewOf } from '#platform/embed/view.ts'
import { agreementUrl } from '#platform/exchange/agreement-link.ts'
import { documentContext } from '#platform/exchange/case.ts'
import { paperUrl } from '#platform/exchange/paper.ts'
import { insertDocument } from '#platform/exchange/store.ts'
import { lendloomEsign } from '#platform/provider/esign/lendloom.ts'
import { sandboxProviders } from '#platform/provider/settings.ts'
import { journeyWithOffers, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { startProviders } from '#test/setup/providers.ts'
import { statementsOf } from '#test/setup/round-trips.ts'

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
async function view({ tenantId, journeyId }: JourneyIds): Promise<EmbedView> {
  const embedView = await viewOf(ctx, { tenantId, journeyId } as Parameters<typeof viewOf>[1], null, now)
  assert.deepEqual(faults(EmbedView, embedView), [])
  return embedView
}

/** Returns a case whose borrower has signed at the provider, with the bytes of the signed file. */
async function signedCase(overrides: { sha256?: string } = {}) {
  const partnerCase = await caseAt(platform, 'ACCEPTED')
  const beginning = { ...providers.newRequest(), pdf: agreement, title: 'Loan agreement' }
  const { reference, url } = await lendloomEsign.begin(ctx, beginning)
  await providers.choose(url, 'approve')
  const [file] = (await lendloomEsign.fetch(ctx, reference)).documents
  const application = await partnerCase.application()
  const document = await ctx.db.tx((tx) =>
    registerFile({ ...ctx, tx, at: now }, application, {
      ...{ from: 'esign', adapter: 'lendloom', reference },
      ...file!,
      ...overrides,
    }),
  )
  const bytes = await fetch(`${providers.url}/verification/esign/requests/${reference}/files/${file!.fileId}`, {
    headers: { authorization: `Bearer ${ctx.config.ESIGN_CREDENTIAL}` },
  })
  return { partnerCase, document, bytes: Buffer.from(await bytes.arrayBuffer()) }
}

const statusAt = async (url: string): Promise<number> => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

test('D3 §4.3: the borrower’s documents have the signed agreement, with a link that expires after a day', async () => {
  const { partnerCase, bytes } = await signedCase()
  const { documents } = await view(partnerCase)
  assert.deepEqual(
    documents.map(({ code, name }) => [code, name]),
    [['LOAN_AGREEMENT', 'signed-loan-agreement.pdf']],
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
  assert.equal(await statusAt((await view(partnerCase)).documents[0]!.url), 200, 'the page has a new one')
})

test('D3 §4.3: only the right link of a signed agreement opens it', async () => {
  const { partnerCase, document } = await signedCase()
  const { url } = (await view(partnerCase)).documents[0]!
  const other = await caseAt(platform, 'ACCEPTED')
  assert.deepEqual((await view(other)).documents, [], 'another journey')
  const { documentReferenceId } = document
  const key = { tenantId: partnerCase.tenantId, caseRef: partnerCase.ids.caseRef, documentReferenceId }
  assert.equal(await statusAt(agreementUrl(ctx, key, now)), 200)
  for (const wrong of [{ caseRef: other.ids.caseRef }, { tenantId: platform.secondTenant.tenantId }])
    assert.equal(await statusAt(agreementUrl(ctx, { ...key, ...wrong }, now)), 404, JSON.stringify(wrong))
  const paper = paperUrl(ctx, { ...key, name: 'statement' }, now)
  assert.equal(await statusAt(paper.replace('/papers/', '/agreements/')), 404, 'a link of another kind')
  assert.equal(await statusAt(url.replace('/agreements/', '/papers/')), 404)
  assert.equal(await statusAt(`${url.slice(0, -4)}AAAA`), 404, 'a forged link')
  const kycReport = { ...key, documentReferenceId: uuidv7(now.getTime(), bucketOf(partnerCase.ids.caseRef)) }
  const bytesSealed = ctx.seal.bytes(Buffer.from('%PDF-'), documentContext('bytes', kycReport))
  await ctx.db.tx((tx) => insertDocument(tx, { ...document, ...kycReport, documentType: 'KYC_REPORT', bytesSealed }))
  assert.equal(await statusAt(agreementUrl(ctx, kycReport, now)), 404, 'a file of another type')
  assert.equal((await view(partnerCase)).documents.length, 1)
})

test('a download is aborted when the file has another digest', async () => {
  const { partnerCase } = await signedCase({ sha256: '0'.repeat(64) })
  const { url } = (await view(partnerCase)).documents[0]!
  const status = await statusAt(url).catch(() => 'aborted')
  assert.notEqual(status, 200)
})

test('a file that the provider has deleted is absent', async () => {
  const { partnerCase, document } = await signedCase()
  const { url } = (await view(partnerCase)).documents[0]!
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

test('the view looks up the agreement only when there is a loan', async () => {
  const statementCount = ({ tenantId, journeyId }: JourneyIds) =>
    statementsOf(ctx.db, () => viewOf(ctx, { tenantId, journeyId } as Parameters<typeof viewOf>[1], null, now))
  const { partnerCase } = await signedCase()
  const unsigned = await caseAt(platform, 'ACCEPTED')
  assert.equal(await statementCount(partnerCase), await statementCount(unsigned))
  const offered = await journeyWithOffers(platform, [terms])
  assert.ok(
    (await statementCount({ tenantId: partnerCase.tenantId, journeyId: offered.journeyId })) <
      (await statementCount(partnerCase)),
  )
})
