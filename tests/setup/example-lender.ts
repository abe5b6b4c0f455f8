// The example lender at a platform: validates both sides' messages against the published document, and varies the outcome by applicant.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { bytesOf, forward, jsonOf, resign } from './exchange-proxy.ts'
import {
  type Answer,
  type Json,
  onboarding,
  type PublishedDocument,
  type ReceivedRequest,
  sendRequest,
  serveOperations,
} from './independent.ts'
import { freePort } from './platform.ts'

/** Starts the example program; resolves at its first output, when it is ready. */
export async function spawnExample(credentialsPath: string, env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['examples/partner/partner.ts', credentialsPath], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  return child
}

export async function killExample(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** An applicant's outcome: dedupe declines, the lead cannot be applied, the review rejects, or a loan. */
export type LeadOutcome = 'DECLINE' | 'FAIL' | 'REJECT' | 'LEND'

/** A case of the lender, as seen between lender and platform. */
interface LentCase {
  outcome: LeadOutcome
  /** The platform's events, by version. */
  receivedEvents: Json[]
  /** Number of Status reads since the last payment. */
  statusReads: number
  correlation: Json
}

/** Fields that a later release might add; receivers ignore them. */
const futureFields = { later: { addition: ['of', 2027] }, note: null }

export async function startExampleLender(platformSender: string, outcomeOf: (pan: string) => LeadOutcome) {
  const lenderIds = onboarding('EXAMPLE_LENDER')
  const platformIds = onboarding(platformSender)
  const cases = new Map<string, LentCase>()
  const faults: string[] = []
  let document: PublishedDocument
  const caseOf = (reference: unknown): LentCase | undefined => cases.get(String(reference))

  /** Forwards the platform's request to the lender and returns the answer. */
  async function forwardRequest({ operationId, query, body, ...message }: ReceivedRequest): Promise<Answer> {
    if (operationId === 'dedupe')
      cases.set(body.external_reference_id, {
        outcome: outcomeOf(body.applicant.pan),
        receivedEvents: [],
        statusReads: 0,
        correlation: null,
      })
    const loanCase = caseOf(body?.correlation?.external_reference_id ?? query.get('external_reference_id'))
    if (operationId === 'platformEvent' && loanCase) recordEvent(loanCase, body)
    if (operationId === 'status' && loanCase) loanCase.statusReads++
    const mustFail = body?.event_type === 'LEAD_SUBMITTED' && loanCase?.outcome === 'FAIL'
    const raw = mustFail ? bytesOf({ ...body, data: { ...body.data, dedupe_reference_id: 'NONE' } }) : message.raw
    const headers = mustFail ? resign(message.headers, raw, platformIds) : message.headers
    const answer = await forward(lenderUrl, { ...message, headers, raw })
    const isDeclined = operationId === 'dedupe' && caseOf(body.external_reference_id)?.outcome === 'DECLINE'
    const isRejected = operationId === 'status' && answer.status === 200 && loanCase?.outcome === 'REJECT'
    return {
      status: answer.status,
      body: {
        ...jsonOf(answer.raw),
        ...(isDeclined && { decision: 'DECLINE' }),
        ...(isRejected && { case_status: 'REJECTED', offer: null }),
        ...futureFields,
      },
    }
  }

  function recordEvent({ receivedEvents }: LentCase, event: Json): void {
    if (receivedEvents.some(({ event_id }) => event_id === event.event_id)) return
    const { event_type, entity_version, data } = event
    if (entity_version !== receivedEvents.length + 1) faults.push(`version ${entity_version} of ${event_type}`)
    if (event_type === 'EVENT_PROCESSING_FAILED') faults.push(JSON.stringify(data))
    receivedEvents.push(event)
  }

  /** Forwards the lender's event to the platform. */
  async function forwardEvent({ body }: ReceivedRequest): Promise<Answer> {
    const loanCase = caseOf(body.correlation.external_reference_id)
    if (body.event_type === 'LEAD_REGISTERED' && loanCase) loanCase.correlation = body.correlation
    const isRejected = body.event_type === 'MANUAL_REVIEW_DECIDED' && loanCase?.outcome === 'REJECT'
    const rejection = {
      decision: 'REJECTED',
      offer: null,
      reason_code: 'POLICY',
      reason_message: 'Too little turnover',
    }
    return post({ ...body, ...futureFields, data: { ...body.data, ...(isRejected && rejection), ...futureFields } })
  }

  async function post(event: Json): Promise<Answer> {
    document.assertRequestBody('partnerEvent', event)
    const { status, body } = await sendRequest(document, 'partnerEvent', lenderIds, { body: event })
    assert.equal(status, 202, `${event.event_type}: ${JSON.stringify(body)}`)
    return { status, body }
  }

  const operations = {
    'POST /dedupe': 'dedupe',
    'POST /events': 'platformEvent',
    'POST /documents': 'uploadDocument',
    'GET /status': 'status',
  }
  const platformServer = await serveOperations(operations, platformIds, forwardRequest)
  const lenderServer = await serveOperations({ 'POST /in': 'partnerEvent' }, lenderIds, forwardEvent)
  const { sender, bearer, keyId, secret } = lenderIds
  const credentials = JSON.stringify({ ...platformIds, webhook: { sender, bearer, keys: [{ keyId, secret }] } })
  const lenderUrl = await startLender(credentials, `${lenderServer.url}/in`)

  return {
    lenderIds,
    cases,
    /** The platform's settings for this lender. */
    env: { PARTNER_URL: platformServer.url, PARTNER_CREDENTIALS: credentials },
    /** Deviations of either side from the document. */
    faults: () => [...faults, ...platformServer.faults, ...lenderServer.faults],
    read(published: PublishedDocument): void {
      document = published
      for (const server of [platformServer, lenderServer]) server.read(published)
    },
    /** Reports the first debit as paid, with the payment from the document's example. */
    async collect(loanCase: LentCase): Promise<void> {
      loanCase.statusReads = 0
      const { correlation } = loanCase
      const example = document.example('PAYMENT_UPDATED', new Date())
      const data = { ...example.data, payment_id: `PAY-${randomUUID()}` }
      const ids = { event_id: randomUUID(), entity_id: data.payment_id, entity_version: 1 }
      await post({ ...example, ...ids, sender, correlation, data })
    },
  }
}

/** Starts the example lender and returns its address; it stops with the test file. */
async function startLender(credentials: string, webhookUrl: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-example-'))
  const path = join(directory, 'credentials.json')
  writeFileSync(path, credentials)
  const port = String(await freePort())
  const child = await spawnExample(path, { PORT: port, WEBHOOK_URL: webhookUrl, RETRY_SECONDS: '0.2' })
  after(async () => {
    await killExample(child)
    rmSync(directory, { recursive: true, force: true })
  })
  return `http://127.0.0.1:${port}`
}
