// A small buyer app for tests: joins the network, signs its requests, verifies callbacks and records every message.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { conventionFaults } from '@lendloom/conformance/network/conventions'
import type { RecordedMessage } from '@lendloom/conformance/network/transcript'
import { type HttpAnswer, type HttpRequest, call as sendRequest } from '@lendloom/http/client'
import { uuidv4 } from '@lendloom/seal/id'
import { decryptChallenge, encryptionKeysFrom, sitePage, siteSignature } from '@lendloom/wire/network/challenge'
import {
  ack,
  actionUrl,
  contextOf,
  type Dialect,
  type NetworkDomain,
  networkDomains,
  type Party,
} from '@lendloom/wire/network/context'
import { fillForm, readForm } from '@lendloom/wire/network/html-form'
import type { Request } from '@lendloom/wire/network/sequence'
import { claimedKeyOf, signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import { deadlineMs } from '../deadline.ts'

export interface ReceivedCallback {
  action: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  body: any
}

interface Conversation {
  transactionId: string
  lender: { id: string }
}

export interface Buyer {
  id: string
  uri: string
  transcript: RecordedMessage[]
  publicKeys: Map<string, string>
  /** How many of the next callbacks get a 503 and are not stored. */
  failuresLeft: number
  /** Signs and sends a request; without a lender it goes to the gateway. */
  send(action: Request, message: object, options: SendOptions): Promise<HttpAnswer & { messageId: string }>
  /** Waits for the next callback of this action in this conversation that `receive` has not returned before. */
  receive(action: string, from: Conversation): Promise<ReceivedCallback>
  lookup(body: object, header?: string): Promise<HttpAnswer>
  /** Fills a form page as a buyer app does and returns the response of its action. */
  submit(url: string, answers: Record<string, string>): Promise<HttpAnswer>
  stop(): Promise<void>
}

export interface SendOptions {
  transactionId: string
  lender?: Party
  messageId?: string
  ttl?: string
  /** Defaults to 2.0.3. */
  version?: Dialect
  /** Defaults to ONDC:FIS12. */
  domain?: NetworkDomain
  at?: Date
  /** Changes the header or the bytes after signing. */
  tamper?(header: string, body: string): [header: string | undefined, body: string]
}

/** Joins the sandbox's network by the registry's own procedure (FIS12 §6.2). */
export async function startBuyer(sandboxUrl: string): Promise<Buyer> {
  const signing = signingKeysFrom(randomBytes(32))
  const encryption = encryptionKeysFrom(randomBytes(32))
  const id = `buyer-${randomBytes(3).toString('hex')}.test.example`
  const requestId = uuidv4()
  const transcript: RecordedMessage[] = []
  const publicKeys = new Map([[id, signing.publicKey]])
  const inbox: ReceivedCallback[] = []
  /** The bytes of every callback in the inbox. */
  const accepted = new Set<string>()
  const signer = { subscriberId: id, uniqueKeyId: 'key-1', privateKey: signing.privateKey }
  const { encr_public_key: registryKey } = await json(
    await call({ method: 'GET', url: `${sandboxUrl}/registry/encryption-key` }),
  )

  const server: Server = createServer(async (request, response) => {
    const raw = await bodyOf(request)
    if (request.url === '/ondc-site-verification.html')
      return response.setHeader('content-type', 'text/html').end(sitePage(siteSignature(requestId, signing.privateKey)))
    response.setHeader('content-type', 'application/json')
    if (request.url === '/ondc/on_subscribe') {
      const { challenge } = JSON.parse(raw)
      return response.end(JSON.stringify({ answer: decryptChallenge(challenge, encryption.privateKey, registryKey) }))
    }
    if (buyer.failuresLeft > 0) {
      buyer.failuresLeft--
      response.statusCode = 503
      return response.end()
    }
    const action = request.url!.split('/').at(-1)!
    const body = JSON.parse(raw)
    const lender = body.context.bpp_id
    const { authorization } = request.headers
    transcript.push({
      at: new Date(),
      direction: 'received',
      party: lender,
      action,
      headers: { authorization },
      body: raw,
    })
    const claimedSigner = claimedKeyOf(authorization)!
    const found = await lookup({ subscriber_id: claimedSigner.subscriberId, ukId: claimedSigner.uniqueKeyId }).catch(
      () => null,
    )
    // The sandbox stops while its last callback arrives.
    if (!found) return response.writeHead(503).end()
    const [participant] = await json(found)
    publicKeys.set(claimedSigner.subscriberId, participant.signing_public_key)
    // A busy machine answers so late that the sender repeats its callback.
    if (!accepted.has(raw)) inbox.push({ action, body })
    accepted.add(raw)
    response.end(JSON.stringify(ack))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const uri = `${origin}/ondc`
  /** Dialect 2.3.0 allows no port in an address, so host names of the sandbox map to its URL, and ours to this server. */
  const portlessUri = `http://${id}/ondc`
  const reachableUrl = (url: string) => url.replace(/^http:\/\/[a-z]+\.sandbox\.example(?=\/)/, sandboxUrl)

  const lookup: Buyer['lookup'] = (body, header) => {
    const raw = JSON.stringify(body)
    const authorization = header ?? signatureHeader(raw, { ...signer, at: new Date() })
    return call({ method: 'POST', url: `${sandboxUrl}/registry/v2.0/lookup`, headers: { authorization }, body: raw })
  }

  const subscribeReply = await call({
    method: 'POST',
    url: `${sandboxUrl}/registry/subscribe`,
    body: JSON.stringify(subscription(id, uri, requestId, signing.publicKey, encryption.publicKey)),
  })
  if (subscribeReply.status !== 200) throw new Error(subscribeReply.body.toString())

  const buyer: Buyer = {
    id,
    uri,
    transcript,
    publicKeys,
    failuresLeft: 0,
    lookup,
    async send(
      action,
      message,
      { transactionId, lender, messageId = uuidv4(), ttl, version, domain, at = new Date(), tamper },
    ) {
      const context = contextOf({
        action,
        bap: { id, uri: version === '2.3.0' ? portlessUri : uri },
        ...(lender && { bpp: lender }),
        transactionId,
        messageId,
        at,
        ...(ttl && { ttl }),
        ...(version && { version }),
        ...(domain && { domain }),
      })
      const signedBody = JSON.stringify({ context, message })
      const header = signatureHeader(signedBody, { ...signer, at: new Date() })
      const [authorization, body] = tamper ? tamper(header, signedBody) : [header, signedBody]
      const party = lender?.id ?? 'gateway'
      const url = lender ? reachableUrl(actionUrl(lender.uri, action)) : `${sandboxUrl}/gateway/search`
      if (!tamper)
        transcript.push({ at: new Date(), direction: 'sent', party, action, headers: { authorization }, body })
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
      return { ...(await call({ method: 'POST', url, headers, body })), messageId }
    },
    async receive(action, { transactionId, lender }) {
      const matches = ({ action: received, body: { context } }: ReceivedCallback) =>
        received === action && context.bpp_id === lender.id && context.transaction_id === transactionId
      for (const until = Date.now() + deadlineMs; Date.now() < until; await sleep(15)) {
        const at = inbox.findIndex(matches)
        const [received] = at >= 0 ? inbox.splice(at, 1) : []
        if (!received) continue
        // The sandbox's lenders include what official messages always carry (FIS12 §21).
        const { context, message } = received.body
        assert.deepEqual(conventionFaults(context.version, message), [], action)
        return received
      }
      throw new Error(`no ${action} from ${lender.id} within ${deadlineMs} ms`)
    },
    async submit(url, answers) {
      const page = await call({ method: 'GET', url })
      const form = readForm(page.body.toString(), url)
      const { entries } = fillForm(form, answers)
      return post(form.action, entries)
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return buyer
}

/** Calls the sandbox, and waits as long as a busy machine needs. */
export const call = (request: HttpRequest): Promise<HttpAnswer> => sendRequest({ timeoutMs: deadlineMs, ...request })

/** Posts fields as a browser's form does. */
export const post = (url: string, fields: Record<string, string> | [string, string][]): Promise<HttpAnswer> =>
  call({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
export const json = ({ body }: HttpAnswer): any => JSON.parse(body.toString())

export function subscription(id: string, uri: string, requestId: string, signingKey: string, encryptionKey: string) {
  return {
    context: { operation: { ops_no: 1 } },
    message: {
      request_id: requestId,
      timestamp: new Date().toISOString(),
      entity: {
        subscriber_id: id,
        unique_key_id: 'key-1',
        callback_url: '/ondc',
        country: 'IND',
        key_pair: {
          signing_public_key: signingKey,
          encryption_public_key: encryptionKey,
          valid_from: new Date(Date.now() - 60_000).toISOString(),
          valid_until: new Date(Date.now() + 86_400_000).toISOString(),
        },
      },
      network_participant: networkDomains.map((domain) => ({
        subscriber_url: uri,
        domain,
        type: 'buyerApp',
        msn: false,
        city_code: ['*'],
      })),
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
