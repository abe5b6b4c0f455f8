// The smallest lender of the examples at a platform: what both say is checked by the published document, and some applicants fare otherwise.
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

/** The program of the example; it is ready when it has said so. */
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

/** What becomes of an applicant: dedupe declines, the lead cannot be applied, the review rejects, or a loan. */
export type LeadOutcome = 'DECLINE' | 'FAIL' | 'REJECT' | 'LEND'

/** A case of the lender, as it stands between the two. */
interface LentCase {
  fate: LeadOutcome
  /** The platform's events, by version. */
  taken: Json[]
  /** How often Status was read since the last payment. */
  looks: number
  correlation: Json
}

/** What a later release might add; receivers ignore it. */
const addition = { later: { addition: ['of', 2027] }, note: null }

/** Starts it, for a platform that calls itself so. */
export async function startExampleLender(platformSender: string, fateOf: (pan: string) => LeadOutcome) {
  const [me, them] = [onboarding('EXAMPLE_LENDER'), onboarding(platformSender)]
  const cases = new Map<string, LentCase>()
  const faults: string[] = []
  let document: PublishedDocument
  const caseOf = (reference: unknown): LentCase | undefined => cases.get(String(reference))

  /** What the platform asks, passed on to the lender; its answer. */
  async function ask({ operationId, query, body, ...message }: ReceivedRequest): Promise<Answer> {
    if (operationId === 'dedupe')
      cases.set(body.external_reference_id, {
        fate: fateOf(body.applicant.pan),
        taken: [],
        looks: 0,
        correlation: null,
      })
    const known = caseOf(body?.correlation?.external_reference_id ?? query.get('external_reference_id'))
    if (operationId === 'platformEvent' && known) take(known, body)
    if (operationId === 'status' && known) known.looks++
    const isUnfit = body?.event_type === 'LEAD_SUBMITTED' && known?.fate === 'FAIL'
    const raw = isUnfit ? bytesOf({ ...body, data: { ...body.data, dedupe_reference_id: 'NONE' } }) : message.raw
    const headers = isUnfit ? resign(message.headers, raw, them) : message.headers
    const answer = await forward(lenderUrl, { ...message, headers, raw })
    const isDeclined = operationId === 'dedupe' && caseOf(body.external_reference_id)?.fate === 'DECLINE'
    const isRejected = operationId === 'status' && answer.status === 200 && known?.fate === 'REJECT'
    return {
      status: answer.status,
      body: {
        ...jsonOf(answer.raw),
        ...(isDeclined && { decision: 'DECLINE' }),
        ...(isRejected && { case_status: 'REJECTED', offer: null }),
        ...addition,
      },
    }
  }

  function take({ taken }: LentCase, event: Json): void {
    if (taken.some(({ event_id }) => event_id === event.event_id)) return
    const { event_type, entity_version, data } = event
    if (entity_version !== taken.length + 1) faults.push(`version ${entity_version} of ${event_type}`)
    if (event_type === 'EVENT_PROCESSING_FAILED') faults.push(JSON.stringify(data))
    taken.push(event)
  }

  /** What the lender tells, passed on to the platform. */
  async function tell({ body }: ReceivedRequest): Promise<Answer> {
    const known = caseOf(body.correlation.external_reference_id)
    if (body.event_type === 'LEAD_REGISTERED' && known) known.correlation = body.correlation
    const isRejected = body.event_type === 'MANUAL_REVIEW_DECIDED' && known?.fate === 'REJECT'
    const rejection = {
      decision: 'REJECTED',
      offer: null,
      reason_code: 'POLICY',
      reason_message: 'Too little turnover',
    }
    return post({ ...body, ...addition, data: { ...body.data, ...(isRejected && rejection), ...addition } })
  }

  async function post(event: Json): Promise<Answer> {
    document.assertRequestBody('partnerEvent', event)
    const { status, body } = await sendRequest(document, 'partnerEvent', me, { body: event })
    assert.equal(status, 202, `${event.event_type}: ${JSON.stringify(body)}`)
    return { status, body }
  }

  const operations = {
    'POST /dedupe': 'dedupe',
    'POST /events': 'platformEvent',
    'POST /documents': 'uploadDocument',
    'GET /status': 'status',
  }
  const [forPlatform, forLender] = [
    await serveOperations(operations, them, ask),
    await serveOperations({ 'POST /in': 'partnerEvent' }, me, tell),
  ]
  const { sender, bearer, keyId, secret } = me
  const credentials = JSON.stringify({ ...them, webhook: { sender, bearer, keys: [{ keyId, secret }] } })
  const lenderUrl = await lender(credentials, `${forLender.url}/in`)

  return {
    me,
    cases,
    /** What the platform is told of it. */
    env: { PARTNER_URL: forPlatform.url, PARTNER_CREDENTIALS: credentials },
    /** Where either was not as the document says. */
    faults: () => [...faults, ...forPlatform.faults, ...forLender.faults],
    read(published: PublishedDocument): void {
      document = published
      for (const server of [forPlatform, forLender]) server.read(published)
    },
    /** The first debit has been paid: the payment of the document's example. */
    async collect(loanCase: LentCase): Promise<void> {
      loanCase.looks = 0
      const { correlation } = loanCase
      const example = document.example('PAYMENT_UPDATED', new Date())
      const data = { ...example.data, payment_id: `PAY-${randomUUID()}` }
      const ids = { event_id: randomUUID(), entity_id: data.payment_id, entity_version: 1 }
      await post({ ...example, ...ids, sender, correlation, data })
    },
  }
}

/** Its address; it ends with the test file. */
async function lender(credentials: string, webhookUrl: string): Promise<string> {
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
