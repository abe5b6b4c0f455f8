// Traces of OpenTelemetry over three real programs.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OfferCard } from '#contract/headless/offer.ts'
import { application, bankAccount, newApplicant } from '#test/setup/borrower.ts'
import { type CollectedSpan, startCollector } from '#test/setup/collector.ts'
import { cardsOf, type HeadlessBorrower, mustCall, offerPath, startHeadlessJourney } from '#test/setup/headless.ts'
import { startListener } from '#test/setup/listener.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const collector = await startCollector()
after(() => collector.stop())
const programs = await startPrograms({ partner: true, env: collector.env })
await startListener(programs.platformUrl, programs.tenant)

function pathTo(span: CollectedSpan, trace: CollectedSpan[]): string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathTo(parent, trace) : []), `${span.service.replace('lendloom-', '')}: ${span.name}`]
}

const waitForPath = (...names: RegExp[]): Promise<string> =>
  until(`a trace over ${names.join(', ')}`, () => {
    for (const trace of Map.groupBy(collector.spans(), ({ traceId }) => traceId).values())
      for (const span of trace) {
        const rest = [...names]
        for (const each of pathTo(span, trace)) if (rest[0]?.test(each)) rest.shift()
        if (rest.length === 0) return span.traceId
      }
    return undefined
  })

async function submitJourney(): Promise<HeadlessBorrower> {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { profile, workProfile, address } = application('ABCPE1234F')
  const path = `/journeys/${borrower.journeyId}/profile`
  const bankingInformation = { ...bankAccount, accountType: 'SAVINGS' }
  const body = { profile, workProfile: { ...workProfile, employmentType: 'selfEmployed' }, address, bankingInformation }
  await mustCall(borrower, 'PUT', path, body)
  await mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  return borrower
}

test('docs/how-to/monitor.md: one trace covers the request, jobs, deliveries, the other programs and their answers', async () => {
  const borrower = await submitJourney()
  const offer = await until('the offer of the partner', async () =>
    (await cardsOf(borrower)).find(
      ({ lenderName, status }: OfferCard) => lenderName === 'Celestium Finance Limited' && status === 'OFFER_RECEIVED',
    ),
  )
  await mustCall(borrower, 'POST', `${offerPath(borrower, offer.offerID)}/proceed`)

  const submission = /^platform: POST \/api\/v1\/headless\/journeys\/:journeyID\/profile\/submit$/
  await waitForPath(submission, /^platform: deliver PROFILED$/, /^platform: POST 127\.0\.0\.1$/)
  await waitForPath(submission, /^platform: job partner-dedupe$/, /^partner: POST \/dedupe$/, /^partner: insert$/)
  await waitForPath(
    ...[submission, /^platform: job network-call$/, /^sandbox: POST \/gateway\/search$/, /^sandbox: job forward /],
    ...[
      /^sandbox: POST \/lenders\/:lender\/ondc\/:action$/,
      /^sandbox: job answer request$/,
      /^sandbox: job send callback$/,
      /^platform: POST \/ondc\/on_search$/,
    ],
    ...[/^platform: job inbound-message$/],
  )
  await waitForPath(
    ...[
      /^platform: POST .*\/proceed$/,
      /^platform: job partner-lead$/,
      /^platform: deliver LEAD_SUBMITTED$/,
      /^platform: POST 127\.0\.0\.1$/,
    ],
    ...[/^partner: POST \/events$/, /^partner: apply LEAD_SUBMITTED$/, /^partner: deliver LEAD_REGISTERED$/],
    ...[/^platform: POST \/api\/partner\/webhook$/, /^platform: apply LEAD_REGISTERED$/],
  )
  const statements = collector.spans().map(({ attributes }) => String(attributes['db.query.text'] ?? ''))
  assert.ok(statements.some((text) => /^insert into job \(.*\) values \(\$1, \$2/.test(text)))
})
