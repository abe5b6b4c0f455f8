// The signed agreement of a partner's loan: named on the page of its borrower, given out whole, and to nobody without the link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbedView } from '#contract/hosted/embed.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import { pdfOf } from '#kit/files/pdf.ts'
import { faults } from '#kit/http/schema.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { expectFile } from '#platform/application/partner/uploading.ts'
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

type Place = { tenantId: string; journeyId: string }
async function view({ tenantId, journeyId }: Place): Promise<EmbedView> {
  const seen = await viewOf(ctx, { tenantId, journeyId } as Parameters<typeof viewOf>[1], null, now)
  assert.deepEqual(faults(EmbedView, seen), [])
  return seen
}

/** A case whose borrower has signed at the provider, and the bytes that the provider gives out for it. */
async function signed(change: { sha256?: string } = {}) {
  const of = await caseAt(platform, 'ACCEPTED')
  const beginning = { ...providers.newRequest(), pdf: agreement, title: 'Loan agreement' }
  const { reference, url } = await lendloomEsign.begin(ctx, beginning)
  await providers.choose(url, 'approve')
  const [file] = (await lendloomEsign.fetch(ctx, reference)).documents
  const application = await of.application()
  const kept = await ctx.db.tx((tx) =>
    expectFile({ ...ctx, tx, at: now }, application, {
      ...{ from: 'esign', adapter: 'lendloom', reference },
      ...file!,
      ...change,
    }),
  )
  const bytes = await fetch(`${providers.url}/verification/esign/requests/${reference}/files/${file!.fileId}`, {
    headers: { authorization: `Bearer ${ctx.config.ESIGN_CREDENTIAL}` },
  })
  return { of, kept, bytes: Buffer.from(await bytes.arrayBuffer()) }
}

const statusAt = async (url: string): Promise<number> => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

test('D3 §4.3: the borrower of the loan has the signed agreement among its documents, whole and for a day', async () => {
  const { of, bytes } = await signed()
  const { documents } = await view(of)
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
  assert.equal(await statusAt(url), 404, 'the link has ended')
  assert.equal(await statusAt((await view(of)).documents[0]!.url), 200, 'the page has a new one')
})

test('D3 §4.3: before it is signed and for any other borrower there is none, and no other link opens it', async () => {
  const { of, kept } = await signed()
  const { url } = (await view(of)).documents[0]!
  const other = await caseAt(platform, 'ACCEPTED')
  assert.deepEqual((await view(other)).documents, [], 'of another journey')
  const { documentReferenceId } = kept
  const place = { tenantId: of.tenantId, caseRef: of.ids.caseRef, documentReferenceId }
  assert.equal(await statusAt(agreementUrl(ctx, place, now)), 200)
  for (const wrong of [{ caseRef: other.ids.caseRef }, { tenantId: platform.secondTenant.tenantId }])
    assert.equal(await statusAt(agreementUrl(ctx, { ...place, ...wrong }, now)), 404, JSON.stringify(wrong))
  const paper = paperUrl(ctx, { ...place, name: 'statement' }, now)
  assert.equal(await statusAt(paper.replace('/papers/', '/agreements/')), 404, 'a link of another kind')
  assert.equal(await statusAt(url.replace('/agreements/', '/papers/')), 404)
  assert.equal(await statusAt(`${url.slice(0, -4)}AAAA`), 404, 'a forged one')
  const report = { ...place, documentReferenceId: uuidv7(now.getTime(), bucketOf(of.ids.caseRef)) }
  const bytesSealed = ctx.seal.bytes(Buffer.from('%PDF-'), documentContext('bytes', report))
  await ctx.db.tx((tx) => insertDocument(tx, { ...kept, ...report, documentType: 'KYC_REPORT', bytesSealed }))
  assert.equal(await statusAt(agreementUrl(ctx, report, now)), 404, 'no other file is given out')
  assert.equal((await view(of)).documents.length, 1)
})

test('a file that is not the one that was signed is not given out to its end', async () => {
  const { of } = await signed({ sha256: '0'.repeat(64) })
  const { url } = (await view(of)).documents[0]!
  const status = await statusAt(url).catch(() => 'broken off')
  assert.notEqual(status, 200)
})

test('what its provider no longer has is absent here too', async () => {
  const { of, kept } = await signed()
  const { url } = (await view(of)).documents[0]!
  const place = { tenantId: of.tenantId, caseRef: of.ids.caseRef, documentReferenceId: kept.documentReferenceId }
  const nowhere = { ...ctx.seal.openJson<object>(kept.sourceSealed!, documentContext('source', place)), fileId: 'none' }
  const sourceSealed = ctx.seal.json(nowhere, documentContext('source', place))
  await ctx.db`update partner_document set source_sealed = ${sourceSealed} where case_ref = ${place.caseRef}`
  const answer = await fetch(url)
  assert.equal(answer.status, 404)
  assert.match(answer.headers.get('content-type')!, /html/)
})

test('a view looks it up where there is a loan, and not before', async () => {
  const cost = ({ tenantId, journeyId }: Place) =>
    statementsOf(ctx.db, () => viewOf(ctx, { tenantId, journeyId } as Parameters<typeof viewOf>[1], null, now))
  const { of } = await signed()
  const without = await caseAt(platform, 'ACCEPTED')
  assert.equal(await cost(of), await cost(without))
  const before = await journeyWithOffers(platform, [terms])
  assert.ok((await cost({ tenantId: of.tenantId, journeyId: before.journeyId })) < (await cost(of)))
})
