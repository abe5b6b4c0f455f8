// A fake network in one server: registry, gateway and one scripted lender, with real signatures.

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

import { jsonIn } from '@lendloom/foundation/json'
import { uuidv4 } from '@lendloom/seal/id'
import { encryptChallenge, encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { ack, contextOf, type MessageContext, nack } from '@lendloom/wire/network/context'
import type { AnyAction } from '@lendloom/wire/network/igm/actions'
import { type SigningKeys, signatureHeader, signingKeysFrom, verifySignature } from '@lendloom/wire/network/signing'

import { type Json, stepNamed } from '#test/network-messages/personal-loan.ts'
import { deadlineMs } from './deadline.ts'

export interface NetworkCall {
  path: string
  headers: Record<string, string | undefined>
  raw: string
  body: Json
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body: string | object
}

type AnswerHandler = (call: NetworkCall) => Answer | null | undefined | Promise<Answer | null | undefined>

export interface FakeNetwork {
  url: string
  lender: { id: string; uri: string; keyId: string; keys: SigningKeys }
  calls: NetworkCall[]
  /** Scripts the answers of `path`; null leaves the caller waiting, undefined is the default. Defaults: ACK, registry look-ups, accepted forms. */
  on(path: string, answer: AnswerHandler | undefined): void
  /** Waits for a call to this path, in this transaction, that `nextCall` has not returned before. */
  nextCall(path: string, transactionId?: string): Promise<NetworkCall>
  registerKey(id: string, keyId: string, publicKey: string, type?: 'BPP' | 'BAP' | 'BG', url?: string): void
  /** Enters the lender in a further domain, with the same key. */
  joinDomain(domain: string): void
  callback(action: AnyAction, about: CallbackContent): string
  postSigned(platformUrl: string, raw: string, by?: Partial<Signer>): Promise<{ status: number; body: Json }>
}

interface CallbackContent {
  transactionId: string
  messageId?: string
  message?: Json
  error?: Json
  context?: Partial<MessageContext>
}

interface Signer {
  id: string
  keyId: string
  privateKey: string
  at: Date
  header: string | null
  lifeSeconds: number
  mediaType: string
}

export const buyer = { id: 'buyer.lendloom.example', keyId: 'key-1' }

const profilePage = `<form method="POST" action="/form/profile"><input type="hidden" name="formId" value="F-1">
<input name="panName" required><input name="pan" required><input name="income" type="number">
<select name="gender"><option value="">-</option><option value="MALE">Male</option><option value="FEMALE">Female</option></select></form>`

export function exampleOf(step: string, network: Pick<FakeNetwork, 'url'>): Json {
  const text = JSON.stringify(stepNamed(step).message)
  return JSON.parse(
    text
      .replaceAll('https://sahyadri.example/forms', `${network.url}/form`)
      .replaceAll(/"pl-account-aggregator"/g, '"pl-bureau"'),
  )
}

export async function fakeNetwork(): Promise<FakeNetwork> {
  const calls: NetworkCall[] = []
  const returned = new Set<NetworkCall>()
  const answers = new Map<string, AnswerHandler>()
  const participants: Json[] = []
  const keys = signingKeysFrom(randomBytes(32))
  const registryKeys = encryptionKeysFrom(randomBytes(32))

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const lender = { id: 'sahyadri.example', uri: `${url}/ondc`, keyId: 'lender-key', keys }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString('utf8')
    const path = request.url!.split('?')[0]!
    const call = { path, headers: request.headers as NetworkCall['headers'], raw, body: jsonOrNull(raw) }
    if (request.method === 'POST') calls.push(call)
    const own = request.method === 'POST' ? answers.get(path) : answers.get(`GET ${path}`)
    const scripted = await own?.(call)
    const answer = scripted === undefined ? await defaultAnswer(call, request.method!) : scripted
    if (answer === null) return
    response.writeHead(answer.status, answer.headers)
    const { body } = answer
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }

  async function defaultAnswer(call: NetworkCall, method: string): Promise<Answer> {
    const { path, body } = call
    if (path === '/registry/v2.0/lookup')
      return {
        status: 200,
        body: participants.filter(
          (p) => p.subscriber_id === body.subscriber_id && (body.ukId === undefined || p.ukId === body.ukId),
        ),
      }
    if (path === '/registry/encryption-key') return { status: 200, body: { encr_public_key: registryKeys.publicKey } }
    if (path === '/registry/subscribe') return subscription(body)
    if (path.startsWith('/form/'))
      return method === 'GET'
        ? { status: 200, body: profilePage }
        : { status: 200, body: { success: true, submission_id: uuidv4() } }
    return isSignedByBuyer(call) ? { status: 200, body: ack } : { status: 401, body: nack({ code: '30016' }) }
  }

  async function subscription({ message }: Json): Promise<Answer> {
    const { entity, network_participant } = message
    const origin = new URL(network_participant[0].subscriber_url).origin
    const page = await (await fetch(`${origin}/ondc-site-verification.html`)).text()
    const challenge = encryptChallenge('open sesame', registryKeys.privateKey, entity.key_pair.encryption_public_key)
    const answer = await fetch(`${origin}${entity.callback_url}/on_subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subscriber_id: entity.subscriber_id, challenge }),
    })
    const opened = (await answer.json()) as Json
    if (!page.includes('ondc-site-verification') || opened.answer !== 'open sesame')
      return { status: 400, body: nack({ code: '400', message: 'verification failed' }) }
    registerKey(entity.subscriber_id, entity.unique_key_id, entity.key_pair.signing_public_key, 'BAP')
    return { status: 200, body: ack }
  }

  function isSignedByBuyer({ headers, raw }: NetworkCall): boolean {
    const known = participants.find(({ subscriber_id }) => subscriber_id === buyer.id)
    return (
      known === undefined ||
      verifySignature(raw, known.signing_public_key, { header: headers.authorization, at: new Date() }).ok
    )
  }

  function registerKey(
    id: string,
    keyId: string,
    publicKey: string,
    type: 'BPP' | 'BAP' | 'BG' = 'BPP',
    subscriber_url?: string,
  ): void {
    const before = participants.findIndex((p) => p.subscriber_id === id && p.ukId === keyId)
    if (before >= 0) participants.splice(before, 1)
    participants.push({
      subscriber_id: id,
      ukId: keyId,
      type,
      domain: 'ONDC:FIS12',
      signing_public_key: publicKey,
      valid_from: '2020-01-01T00:00:00.000Z',
      valid_until: '2099-01-01T00:00:00.000Z',
      status: 'SUBSCRIBED',
      ...(subscriber_url && { subscriber_url }),
    })
  }
  registerKey(lender.id, lender.keyId, keys.publicKey)

  return {
    url,
    lender,
    calls,
    registerKey,
    joinDomain: (domain) =>
      void participants.push({ ...participants.find((p) => p.subscriber_id === lender.id), domain }),
    on: (path, answer) => void (answer ? answers.set(path, answer) : answers.delete(path)),
    async nextCall(path, transactionId) {
      for (
        const end = Date.now() + deadlineMs;
        Date.now() < end;
        await new Promise((resolve) => setTimeout(resolve, 10))
      ) {
        const found = calls.find(
          (call) => call.path === path && !returned.has(call) && (!transactionId || call.raw.includes(transactionId)),
        )
        if (!found) continue
        returned.add(found)
        return found
      }
      throw new Error(`no call to ${path} arrived`)
    },
    callback(action, { transactionId, messageId = uuidv4(), message, error, context }) {
      const usualContext = contextOf({
        action,
        bap: { id: buyer.id, uri: 'http://127.0.0.1/ondc' },
        bpp: { id: lender.id, uri: lender.uri },
        transactionId,
        messageId,
        at: new Date(),
      })
      return JSON.stringify({ context: { ...usualContext, ...context }, ...(error ? { error } : { message }) })
    },
    async postSigned(platformUrl, raw, by = {}) {
      const {
        id = lender.id,
        keyId = lender.keyId,
        privateKey = keys.privateKey,
        at = new Date(),
        lifeSeconds = 300,
        mediaType = 'application/json',
      } = by
      const signed = signatureHeader(raw, { subscriberId: id, uniqueKeyId: keyId, privateKey, at, lifeSeconds })
      const header = by.header === undefined ? signed : by.header
      const { context } = jsonOrNull(raw) ?? {}
      const answer = await fetch(`${platformUrl}/ondc/${context?.action ?? 'on_search'}`, {
        method: 'POST',
        headers: { 'content-type': mediaType, ...(header !== null && { authorization: header }) },
        body: raw,
      })
      return { status: answer.status, body: await answer.json() }
    },
  }
}

const jsonOrNull = (text: string): Json => jsonIn(text)
