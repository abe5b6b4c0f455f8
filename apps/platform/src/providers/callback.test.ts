// Tests provider callbacks that are forged, old, duplicated, out of order, late or lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import type { Received } from '@lendloom/tests/setup/receiver'
import { kycMachine } from '@lendloom/wire/exchange/event/kyc'
import { signCallback } from '@lendloom/wire/provider/common-interface'
import { lendloomEsign } from './esign/lendloom.ts'
import { lendloomKyc } from './kyc/lendloom.ts'
import { endpointOf } from './lendloom.ts'
import type { KycStatusReport } from './ports.ts'
import { securePage } from './provider-client.ts'
import { type DatedReport, isNewReport } from './status-report.ts'

const providers = await startProviders()
const { ctx } = providers
// The digits of the PAN select a fault of the sandbox's providers (docs/reference/sandbox.md); 1234 selects none.
const begin = (panDigits?: string) =>
  lendloomKyc.begin(ctx, { ...providers.newRequest(panDigits), mode: 'VIDEO_AND_MANUAL_REVIEW' })
const isRefused = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind

/** Applies reports in this order and returns the current report afterwards. */
function applyAll(reports: DatedReport<KycStatusReport>[]): DatedReport<KycStatusReport> | null {
  let current: DatedReport<KycStatusReport> | null = null
  for (const report of reports) if (isNewReport(kycMachine, current, report)) current = report
  return current
}

async function receiveReports(reference: string, count: number): Promise<DatedReport<KycStatusReport>[]> {
  const received = await providers.waitForCallbacks(reference, count)
  return received.map(({ body, headers }) => lendloomKyc.verifyCallback(ctx, body, headers, new Date()).report)
}

test('D3 §1.1: a callback is accepted only with a recent signature of its exact bytes by this provider', async () => {
  const { reference, url } = await begin()
  await providers.choose(url, 'hang-up')
  const [{ body, headers, id }] = (await providers.waitForCallbacks(reference, 1)) as [Received]
  const now = new Date()
  const { providerEventId, report } = lendloomKyc.verifyCallback(ctx, body, headers, now)
  assert.equal(providerEventId, id)
  assert.equal(report.reference, reference)

  const forgedBody = Buffer.from(body.toString('utf8').replace('CALL_ENDED', 'VERIFIED'))
  const hourMs = 3_600_000
  const refused: [why: string, () => unknown][] = [
    ['a changed body', () => lendloomKyc.verifyCallback(ctx, forgedBody, headers, now)],
    ['an old signature', () => lendloomKyc.verifyCallback(ctx, body, headers, new Date(now.getTime() + hourMs))],
    [
      'a signature from the future',
      () => lendloomKyc.verifyCallback(ctx, body, headers, new Date(now.getTime() - hourMs)),
    ],
    ['no signature', () => lendloomKyc.verifyCallback(ctx, body, { 'webhook-id': id }, now)],
    ['the signature of another provider', () => lendloomEsign.verifyCallback(ctx, body, headers, now)],
  ]
  for (const [why, attempt] of refused) assert.throws(attempt, isRefused('bad-credential'), why)
})

test('D3 §1.1: a signed callback with a wrong format is refused', () => {
  const sign = (body: Buffer) => signCallback(ctx.config.KYC_CALLBACK_SECRET, 'event', new Date(), body)
  const verifyText = (text: string) => {
    const body = Buffer.from(text)
    return () => lendloomKyc.verifyCallback(ctx, body, sign(body), new Date())
  }
  assert.throws(verifyText('not json'), isRefused('malformed'))
  assert.throws(verifyText('{"event_id":"x","data":{}}'), isRefused('invalid'))
})

test('D3 §6: duplicated or reordered callbacks lead to the same report as a look-up', async () => {
  const duplicated = '9151'
  const reordered = '9152'
  for (const [panDigits, count] of [
    [duplicated, 4],
    [reordered, 2],
  ] as const) {
    const { reference, url } = await begin(panDigits)
    await providers.choose(url, 'approve')
    const reports = await receiveReports(reference, count)
    assert.equal(reports.length, count)
    assert.deepEqual(applyAll(reports), await lendloomKyc.fetch(ctx, reference))
    if (panDigits === reordered)
      assert.deepEqual(
        reports.map(({ status }) => status),
        ['APPROVED', 'REVIEW_READY'],
      )
    else assert.equal(new Set(reports.map(({ providerUpdatedAt }) => providerUpdatedAt.getTime())).size, 2)
  }
})

test('D3 §6 event rule 2: a forged callback that reports a success is refused', async () => {
  const { reference, url } = await begin('9155')
  await providers.choose(url, 'decline')
  const received = await providers.waitForCallbacks(reference, 2)
  const forged = received.find(({ body }) => body.includes('VERIFIED'))!
  const verify = () => lendloomKyc.verifyCallback(ctx, forged.body, forged.headers, new Date())
  assert.throws(verify, isRefused('bad-credential'))
  assert.equal((await lendloomKyc.fetch(ctx, reference)).status, 'REJECTED')
})

test('D3 §6: a callback signed with the sandbox’s secret is refused outside the sandbox', async () => {
  const { reference, url } = await begin()
  await providers.choose(url, 'hang-up')
  const [{ body, headers }] = (await providers.waitForCallbacks(reference, 1)) as [Received]
  const ctxOutside = { ...ctx, config: { ...ctx.config, SANDBOX: false } }
  assert.throws(() => lendloomKyc.verifyCallback(ctxOutside, body, headers, new Date()), isRefused('bad-credential'))
})

test('D3 §6: outside the sandbox, a provider’s page for the borrower must be https', () => {
  const endpoint = endpointOf(ctx, 'KYC')
  const ctxOutside = { ...ctx, config: { ...ctx.config, SANDBOX: false } }
  assert.equal(securePage(ctxOutside, endpoint, 'https://kyc.example/page'), 'https://kyc.example/page')
  assert.throws(() => securePage(ctxOutside, endpoint, 'http://kyc.example/page'), isRefused('upstream'))
  assert.equal(securePage(ctx, endpoint, 'http://kyc.example/page'), 'http://kyc.example/page')
})

test('D3 §6: a look-up returns the status when no callback arrives', async () => {
  const { reference, url } = await begin('9153')
  await providers.choose(url, 'approve')
  await until(
    'the look-up returns APPROVED',
    async () => (await lendloomKyc.fetch(ctx, reference)).status === 'APPROVED',
  )
  assert.equal(providers.received.filter(({ body }) => body.includes(reference)).length, 0)
})

test('D3 §6: a callback that was not acknowledged is resent with a new signature', async () => {
  let remainingFailures = 1
  providers.answer = () => (remainingFailures-- > 0 ? 503 : 204)
  const { reference, url } = await begin()
  await providers.choose(url, 'hang-up')
  const [first, second] = (await providers.waitForCallbacks(reference, 2)) as [Received, Received]
  providers.answer = () => 204
  assert.equal(second.id, first.id)
  assert.deepEqual(second.body, first.body)
  assert.ok(Number(second.headers['webhook-timestamp']) > Number(first.headers['webhook-timestamp']))
  const verify = ({ body, headers }: Received) => lendloomKyc.verifyCallback(ctx, body, headers, new Date())
  assert.deepEqual(verify(second), verify(first))
})

test('D3 §6: a callback that arrives after a look-up is accepted', async () => {
  const { reference, url } = await begin('9154')
  await providers.choose(url, 'decline')
  assert.equal((await lendloomKyc.fetch(ctx, reference)).status, 'REJECTED')
  const [report] = await receiveReports(reference, 1)
  assert.equal(report!.reasonCode, 'CONSENT_DENIED')
})
