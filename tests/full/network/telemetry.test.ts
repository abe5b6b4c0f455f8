// Traces of OpenTelemetry over three real programs.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import type { Route } from '@lendloom/http/server'
import { partnerApis } from '@lendloom/partner/src/apis.ts'
import { settings } from '@lendloom/platform/settings'
import { platformApis } from '@lendloom/platform/src/apis.ts'
import { connect, type Db } from '@lendloom/postgres/sql'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import { createTransport } from 'nodemailer'
import { application, bankAccount } from '#test/setup/borrower.ts'
import { anyCanary, anyIdentifier, canaryCount, canaryOf, filledWith, leaksIn } from '#test/setup/canaries.ts'
import { type CollectedSpan, startCollector } from '#test/setup/collector.ts'
import { cardsOf, type HeadlessBorrower, mustCall, offerPath, startHeadlessJourney } from '#test/setup/headless.ts'
import { startListener } from '#test/setup/listener.ts'
import { ask, freePort, platformEnvironment } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const collector = await startCollector()
after(() => collector.stop())
const mailPort = await freePort()
const programs = await startPrograms({
  partner: true,
  env: { ...collector.env, LOG_LEVEL: 'debug', MAIL_IN_PORT: String(mailPort) },
})
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

/** Submits a journey whose borrower has personal values that are found wherever they leak. */
async function submitJourney(): Promise<HeadlessBorrower> {
  const contactNumber = canaryOf.mobile()
  const applicant = { borrowerProviderID: `person-${Date.now()}-${canaryCount()}`, profile: { contactNumber } }
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, applicant)
  const panName = canaryOf.name()
  const { profile, workProfile, address } = application(canaryOf.pan())
  const path = `/journeys/${borrower.journeyId}/profile`
  await mustCall(borrower, 'PUT', path, {
    profile: { ...profile, panName, personalemail: canaryOf.email() },
    workProfile: { ...workProfile, employmentType: 'selfEmployed', officialemail: canaryOf.email() },
    address: { ...address, addressL1: canaryOf.address() },
    bankingInformation: {
      ...bankAccount,
      accountHolderName: panName,
      accountNumber: canaryOf.account(),
      accountType: 'SAVINGS',
    },
  })
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
    submission,
    /^platform: job network-call$/,
    /^sandbox: POST \/gateway\/search$/,
    /^sandbox: job forward /,
    /^sandbox: POST \/lenders\/:lender\/ondc\/:action$/,
    /^sandbox: job answer request$/,
    /^sandbox: job send callback$/,
    /^platform: POST \/ondc\/on_search$/,
    /^platform: job inbound-message$/,
  )
  await waitForPath(
    /^platform: POST .*\/proceed$/,
    /^platform: job partner-lead$/,
    /^platform: deliver LEAD_SUBMITTED$/,
    /^platform: POST 127\.0\.0\.1$/,
    /^partner: POST \/events$/,
    /^partner: apply LEAD_SUBMITTED$/,
    /^partner: deliver LEAD_REGISTERED$/,
    /^platform: POST \/api\/partner\/webhook$/,
    /^platform: apply LEAD_REGISTERED$/,
  )
  const metrics = await (await fetch(`${programs.platformUrl}/metrics`)).text()
  const exemplar =
    /http_request_seconds_bucket\{.*route="\/api\/v1\/headless.*\} \d+ # \{trace_id="([0-9a-f]{32})"\}/.exec(
      metrics,
    )?.[1]
  assert.ok(
    collector.spans().some(({ traceId }) => traceId === exemplar),
    `the exemplar ${exemplar} is a trace`,
  )
  assert.match(metrics, /\njobs_total\{kind="network-call",outcome="done"\} \d/)
  assert.match(metrics, /# EOF\n$/)
  const statements = collector.spans().map(({ attributes }) => String(attributes['db.query.text'] ?? ''))
  assert.ok(statements.some((text) => /^insert into job \(.*\) values \(\$1, \$2/.test(text)))
})

const { apiKey } = programs.tenant
const config = configFrom(settings, {
  ...platformEnvironment('postgres://nobody', 1),
  LENDLOOM_KEYS: programs.keys.platform,
})
// biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
type AnyRoute = Route<any, any, any, any, any>
const routesOf = (apis: { routes: AnyRoute[] }[]): AnyRoute[] => apis.flatMap(({ routes }) => routes)

/** Calls a route with personal values in every field of its body, path and query, and in headers. */
async function callMistakenly(url: string, route: AnyRoute, bearer: string): Promise<void> {
  const query = new URLSearchParams({ pan: canaryOf.pan(), [canaryOf.email()]: anyCanary() })
  for (const [name, value] of Object.entries(route.query ? Object(filledWith(route.query)) : {}))
    query.append(name, String(value))
  const path = route.path.replace(/\{\w+\}/g, () => encodeURIComponent(anyCanary()))
  const correlationId = anyIdentifier()
  const answer = await fetch(`${url}${path}?${query}`, {
    method: route.method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'user-agent': anyCanary(),
      'x-correlation-id': correlationId,
      'idempotency-key': anyIdentifier(),
      'x-forwarded-for': canaryOf.mobile(),
      traceparent: canaryOf.pan(),
      referer: `http://x/${canaryOf.email()}`,
    },
    ...(route.method !== 'GET' && {
      body: JSON.stringify({ ...Object(route.body ? filledWith(route.body) : {}), comment: anyCanary() }),
    }),
  })
  assert.equal(answer.headers.get('x-correlation-id'), correlationId, 'D2 §9: the caller gets its own id')
  await answer.arrayBuffer()
}

/** Mails a complaint about a person, and waits until the platform has handled the mail. */
async function mailComplaint(): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mailPort, ignoreTLS: true })
  const text = Object.values(canaryOf)
    .map((canary) => canary())
    .join(', ')
  const from = { name: canaryOf.name(), address: canaryOf.email() }
  await transport.sendMail({ from, to: 'grievance@lendloom.example', subject: text, text: `A wrong charge: ${text}` })
  await until('the handled mail', async () => {
    const [row] = await programs.db`select from mail_in where settled_at is not null`
    return row !== undefined
  })
}

/** Every text of the tables that is not sealed, by table and column. */
async function unsealedLeaks(db: Db): Promise<string[]> {
  const columns = await db<{ table: string; column: string }>`
    select c.table_name as "table", c.column_name as "column" from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name !~ '_sealed$|digest|sha256|_hash$'
      and c.data_type in ('text', 'jsonb', 'json', 'ARRAY', 'bytea', 'character varying')`
  const leaks = await Promise.all(
    columns.map(async ({ table, column }) => {
      const { rows } = await db.pool.query(
        `select "${column}"::text as value from "${table}" where "${column}" is not null`,
      )
      const found = leaksIn(rows.map(({ value }) => value).join('\n'))
      return found.length > 0 ? [`${table}.${column}: ${found.slice(0, 3).join(', ')} (${found.length})`] : []
    }),
  )
  return leaks.flat()
}

test('D1 §6.6: personal values in any field, path, query or header reach no log, trace, metric or unsealed column', async () => {
  const borrower = await submitJourney()
  for (const route of routesOf(platformApis({ config }))) {
    const bearer = route.auth.scheme === 'sessionToken' ? borrower.sessionToken : apiKey
    await callMistakenly(programs.platformUrl, route, bearer)
  }
  for (const route of routesOf(partnerApis))
    await callMistakenly(programs.partnerUrl, route, programs.toPartner!.bearer)
  await mailComplaint()
  const headers = { 'x-correlation-id': 'last-request' }
  await ask(`${programs.platformUrl}/api/lab/webhook-endpoints`, { key: apiKey, headers })
  await until('the last request in the request log', async () => {
    const [row] = await programs.db`select from api_request where correlation_id = 'last-request'`
    return row !== undefined
  })
  for (const canary of Object.values(canaryOf)) assert.equal(leaksIn(`of ${canary()}, now`).length, 1)
  assert.ok(canaryCount() > 1000, `${canaryCount()} values`)
  const metrics = await Promise.all(
    [programs.platformUrl, programs.partnerUrl].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  )
  const partnerDb = connect(programs.partnerDatabaseUrl, { connections: 2 })
  after(() => partnerDb.close())
  const leaks = {
    logs: programs.logLines.filter((line) => leaksIn(line).length > 0),
    traces: leaksIn(collector.texts().join('\n')),
    metrics: leaksIn(metrics.join('\n')),
    platform: await unsealedLeaks(programs.db),
    partner: await unsealedLeaks(partnerDb),
  }
  assert.deepEqual(leaks, { logs: [], traces: [], metrics: [], platform: [], partner: [] })
})
