// Correctly signed messages about an owner's case or loan from a party that has nothing to do with it.
import { randomBytes, randomUUID } from 'node:crypto'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { findMainCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import type { Db } from '@lendloom/postgres/sql'
import { enterParticipant } from '@lendloom/sandbox/src/registry/store.ts'
import { samplePdf } from '@lendloom/tests/setup/files'
import type { SigningKey } from '@lendloom/wire/exchange/credentials'
import {
  type EventType,
  entityOf,
  eventTypes,
  type Side,
  senderOf,
  uncheckedEnvelopeOf,
} from '@lendloom/wire/exchange/envelope'
import { exampleData, exampleLead } from '@lendloom/wire/exchange/example/event'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import { type Reply, send } from '../api/call.ts'
import type { Owner } from '../api/owner.ts'
import type { Installation } from '../setup/installation.ts'
import { until } from '../setup/until.ts'

export interface Forger {
  /** The name with which this party sends events. */
  sender: string
  bearer: string
  key: SigningKey
}

export interface Forged {
  calls: number
  faults: string[]
}

/** Every event that a side may send, from another party of that side: none may be applied. */
export async function forgeEvents(
  installation: Installation,
  owner: Owner,
  { side, forger }: { side: Side; forger: Forger },
): Promise<Forged> {
  const { platformUrl, partnerUrl, db, partnerDb } = installation
  const { tenantId } = owner.tenant
  const loanCase = await findMainCase(db, { tenantId, journeyId: owner.headless.journeyId })
  if (!loanCase) throw new Error('the owner has a case')
  const { caseRef, leadId, loanId } = loanCase
  const [url, receiver] =
    side === 'platform' ? [`${partnerUrl}/events`, partnerDb] : [`${platformUrl}/api/partner/webhook`, db]
  const types = eventTypes.filter((type) => senderOf(type) === side)
  const faults: string[] = []
  for (const type of types) {
    const ids = { caseRef, leadId, loanId }
    const reply = await postEvent(url, forger, eventOf(type, { ids, sender: forger.sender }))
    if (reply.status >= 500 || (reply.status < 300 && reply.status !== 202))
      faults.push(`${type} of ${forger.sender} was answered ${reply.status}`)
  }
  const applied = await appliedOf(receiver, forger.sender)
  if (applied.length > 0) faults.push(`${forger.sender} changed the case: ${applied.join(', ')}`)
  return { calls: types.length, faults }
}

export function eventOf(
  type: EventType,
  { ids, sender }: { ids: { caseRef: string; leadId: string | null; loanId: string | null }; sender: string },
) {
  const data = exampleData(type)
  const paymentId = 'payment_id' in data ? String(data.payment_id) : randomUUID()
  const entityId = entityOf(type) === 'CASE' ? ids.caseRef : paymentId
  const own = { eventId: randomUUID(), occurredAt: new Date(), sender, entityVersion: 1 }
  return uncheckedEnvelopeOf({ ...own, type, entityId, ids, data })
}

function postEvent(url: string, { bearer, key }: Forger, event: ReturnType<typeof eventOf>): Promise<Reply> {
  const raw = Buffer.from(JSON.stringify(event))
  const headers = {
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
    'idempotency-key': event.event_id,
    ...signedHeaders({ ...key, at: new Date(), raw }),
  }
  return send({ method: 'POST', url, headers, body: raw })
}

/** A duplicate check and a file about the owner's case from another platform: neither may show or change the case. */
export async function forgeUploads(
  { partnerUrl, partnerDb, db }: Installation,
  { tenant, headless, word }: Owner,
  { bearer }: Forger,
): Promise<Forged> {
  const loanCase = await findMainCase(db, { tenantId: tenant.tenantId, journeyId: headless.journeyId })
  if (!loanCase) throw new Error('the owner has a case')
  const { caseRef, leadId, loanId } = loanCase
  const documents = () => partnerDb`select 1 from stored_document where case_ref = ${caseRef}`
  const before = (await documents()).length
  const requestId = randomUUID()
  const form = new FormData()
  const fields = { request_id: requestId, external_reference_id: caseRef, celestium_lead_id: String(leadId) }
  const more = { celestium_loan_id: String(loanId), document_reference_id: randomUUID(), document_type: 'KYC_REPORT' }
  for (const [name, value] of Object.entries({ ...fields, ...more })) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(await samplePdf('forged'))], { type: 'application/pdf' }), 'file.pdf')
  const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': requestId }
  const upload = await fetch(`${partnerUrl}/documents`, { method: 'POST', headers, body: form })
  const { pan, mobile, date_of_birth } = exampleLead().borrower
  const body = JSON.stringify({
    request_id: requestId,
    external_reference_id: caseRef,
    product: 'BUSINESS_LOAN',
    applicant: { pan, mobile, date_of_birth, name: 'Asha Kumar' },
  })
  const json = { ...headers, 'content-type': 'application/json' }
  const check = await send({ method: 'POST', url: `${partnerUrl}/dedupe`, headers: json, body })
  const texts = `${await upload.text()} ${check.text}`.toLowerCase()
  const faults = [
    ...(upload.status < 400 || upload.status >= 500 ? [`a foreign file was answered ${upload.status}`] : []),
    ...(check.status >= 500 ? [`a foreign duplicate check was answered ${check.status}`] : []),
    ...((await documents()).length === before ? [] : ['a foreign file was stored']),
    ...(texts.includes(word) || texts.includes(String(loanId)) ? ['another platform was shown the case'] : []),
  ]
  return { calls: 2, faults }
}

/** Waits until every event of the sender was handled or waits for an earlier one; returns the types that were applied. */
async function appliedOf(db: Db, sender: string): Promise<string[]> {
  const rows = () => db<{ eventType: string; outcome: string | null; waits: boolean }>`
    select i.event_type, o.outcome, w.event_id is not null as waits from inbox i
    left join inbox_outcome o using (sender, event_id) left join inbox_waiting w using (sender, event_id)
    where i.sender = ${sender}`
  await until(async () => (await rows()).every(({ outcome, waits }) => outcome !== null || waits), 'events are handled')
  return (await rows()).flatMap((row) => (row.outcome === 'APPLIED' ? [row.eventType] : []))
}

/**
 * The lenders' own messages about the owner's loans, sent again by another lender: none may be acknowledged. Except
 * `on_search`, which any lender may send.
 */
export async function forgeCallbacks(installation: Installation, owner: Owner): Promise<Forged> {
  const { platformUrl, db, seal } = installation
  const messages = [
    ...(await transcriptOf({ db, seal }, owner.tenant.tenantId, owner.embed.journeyId)),
    ...(await transcriptOf({ db, seal }, owner.tenant.tenantId, owner.goldEmbed.journeyId)),
  ].filter(({ direction, action }) => direction === 'received' && action !== 'on_search')
  const intruder = await enterIntruder(installation)
  const faults: string[] = []
  for (const { action, body } of messages) {
    const message = JSON.parse(body)
    const url = new URL(message.context.bpp_uri)
    Object.assign(message.context, {
      bpp_id: intruder.subscriberId,
      bpp_uri: `${url.origin}/intruder`,
      timestamp: new Date().toISOString(),
      ttl: 'PT60S',
    })
    const raw = JSON.stringify(message)
    const authorization = signatureHeader(raw, { ...intruder, at: new Date() })
    const headers = { authorization, 'content-type': 'application/json' }
    const reply = await send({ method: 'POST', url: `${platformUrl}/ondc/${action}`, headers, body: raw })
    if (reply.text.includes('"ACK"') || reply.status >= 500)
      faults.push(`${action} of another lender was answered ${reply.status} ${reply.text.slice(0, 200)}`)
  }
  return { calls: messages.length, faults }
}

export async function enterIntruder({ sandboxDb }: Installation) {
  const { privateKey, publicKey } = signingKeysFrom(randomBytes(32))
  const subscriberId = `intruder-${randomUUID()}.example`
  const uniqueKeyId = 'k1'
  const at = new Date()
  await sandboxDb.tx((tx) =>
    enterParticipant(tx, {
      subscriberId,
      uniqueKeyId,
      type: 'BPP',
      domain: 'ONDC:FIS12',
      subscriberUrl: 'http://127.0.0.1:9',
      country: 'IND',
      city: '*',
      signingPublicKey: publicKey,
      encryptionPublicKey: '',
      status: 'SUBSCRIBED',
      validFrom: new Date(0),
      validUntil: new Date(at.getTime() + 86_400_000),
      createdAt: at,
      updatedAt: at,
    }),
  )
  return { subscriberId, uniqueKeyId, privateKey }
}
