// The network's registry and gateway for the strict lender: look-ups, subscriptions and broadcast searches (FIS12 §2, §5, §6).
import { createCipheriv, createPublicKey, diffieHellman, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { authorizationHeader, type Json, newKeys, signatureFault } from './wire.ts'

export interface Participant {
  subscriber_id: string
  ukId: string
  type: 'BAP' | 'BPP' | 'BG'
  domain: string
  subscriber_url: string
  signing_public_key: string
  valid_from: string
  valid_until: string
  status: string
}

export interface Call {
  method: string
  path: string
  query?: URLSearchParams
  headers: Record<string, string | undefined>
  raw: string
  body: Json
}

export interface Reply {
  status: number
  body: Json
}

export const ack = { message: { ack: { status: 'ACK' } } }
const nack = (code: string, message: string) => ({
  message: { ack: { status: 'NACK' } },
  error: { code, message },
})

const commonFields = {
  valid_from: '2020-01-01T00:00:00.000Z',
  valid_until: '2099-01-01T00:00:00.000Z',
}

export class Directory {
  readonly participants: Participant[] = []
  private readonly encryption = generateKeyPairSync('x25519')
  private readonly gateway = { id: 'gateway.official.example', keyId: 'g-1', ...newKeys() }

  constructor() {
    const { id, keyId, publicKey } = this.gateway
    this.enter({ subscriber_id: id, ukId: keyId, type: 'BG', subscriber_url: '', signing_public_key: publicKey })
  }

  enter(
    party: Omit<Participant, 'domain' | 'valid_from' | 'valid_until' | 'status'>,
    domains: readonly string[] = ['ONDC:FIS12'],
  ): void {
    for (const domain of domains) this.participants.push({ ...commonFields, ...party, domain, status: 'SUBSCRIBED' })
  }

  readonly keyOf = (id: string, keyId: string): string | undefined =>
    this.participants.find((each) => each.subscriber_id === id && each.ukId === keyId)?.signing_public_key

  urlOf(id: string): string {
    return this.participants.find(({ subscriber_id }) => subscriber_id === id)!.subscriber_url
  }

  async answer(call: Call): Promise<Reply> {
    if (call.path === '/registry/encryption-key')
      return { status: 200, body: { encr_public_key: spkiOf(this.encryption.publicKey) } }
    if (call.path === '/registry/v2.0/lookup') return this.lookup(call)
    if (call.path === '/registry/subscribe') return this.subscribe(call.body)
    if (call.path === '/gateway/search') return this.broadcast(call)
    return { status: 404, body: {} }
  }

  /** Look-ups must be signed; an unknown caller gets 1020. */
  private lookup({ raw, body, headers }: Call): Reply {
    const fault = signatureFault(raw, headers.authorization, null, this.keyOf)
    if (fault !== null) return { status: 401, body: nack('1020', fault) }
    const names = ['subscriber_id', 'ukId', 'type', 'domain'] as const
    const found = this.participants.filter((each) => names.every((name) => !body[name] || body[name] === each[name]))
    return { status: 200, body: found }
  }

  /** Subscription version 1.0: verifies the page with the signed request id, then the challenge that only the key owner can decrypt. */
  private async subscribe({ message }: Json): Promise<Reply> {
    const { request_id, entity, network_participant } = message
    const { signing_public_key, encryption_public_key } = entity.key_pair
    const [{ subscriber_url }] = network_participant
    const { origin } = new URL(subscriber_url)
    const page = await pageAt(`${origin}/ondc-site-verification.html`)
    const proof = Buffer.from(/content="([^"]+)"/.exec(page)?.[1] ?? '', 'base64')
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(signing_public_key, 'base64').toString('base64url') },
      format: 'jwk',
    })
    if (!verify(null, Buffer.from(request_id), key, proof))
      return { status: 400, body: nack('400', 'the page is not signed') }
    const secret = randomBytes(12).toString('hex')
    const subscriberKey = createPublicKey({
      key: Buffer.from(encryption_public_key, 'base64'),
      format: 'der',
      type: 'spki',
    })
    const shared = diffieHellman({ privateKey: this.encryption.privateKey, publicKey: subscriberKey })
    const cipher = createCipheriv('aes-256-ecb', shared, null)
    const challenge = Buffer.concat([cipher.update(secret), cipher.final()]).toString('base64')
    const opened = await post(`${origin}${entity.callback_url}/on_subscribe`, {
      body: JSON.stringify({ subscriber_id: entity.subscriber_id, challenge }),
    })
    if (opened.body?.answer !== secret) return { status: 400, body: nack('400', 'the challenge was not decrypted') }
    const { subscriber_id, unique_key_id: ukId } = entity
    const domains = network_participant.map(({ domain }: Json) => domain)
    this.enter({ subscriber_id, ukId, type: 'BAP', subscriber_url, signing_public_key }, domains)
    return { status: 200, body: ack }
  }

  /** Forwards the same bytes to every lender, with the signatures of sender and gateway. */
  private async broadcast({ raw, body, headers }: Call): Promise<Reply> {
    const fault = signatureFault(raw, headers.authorization, body.context.bap_id, this.keyOf)
    if (fault !== null) return { status: 401, body: nack('10001', fault) }
    const { bap_id: sender, domain } = body.context
    const ofDomain = this.participants.filter((each) => each.domain === domain)
    if (!ofDomain.some((each) => each.subscriber_id === sender && each.type === 'BAP'))
      return { status: 401, body: nack('10001', `${sender} is not subscribed in ${domain}`) }
    const forwarded = {
      authorization: headers.authorization!,
      'x-gateway-authorization': authorizationHeader(raw, this.gateway),
    }
    for (const { type, subscriber_url } of ofDomain)
      if (type === 'BPP') void post(`${subscriber_url}/search`, { headers: forwarded, body: raw })
    return { status: 200, body: ack }
  }
}

const spkiOf = (key: ReturnType<typeof generateKeyPairSync>['publicKey'] | Json): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64')

/** Returns an empty page if the server does not answer yet; the subscriber is then refused and retries. */
const pageAt = async (url: string): Promise<string> => {
  try {
    return await (await fetch(url)).text()
  } catch {
    return ''
  }
}

/** Posts JSON and returns the reply, with status 0 if there was no response. */
export async function post(
  url: string,
  { body, headers = {} }: { body: string; headers?: Record<string, string> },
): Promise<Reply> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
  } catch (error) {
    return { status: 0, body: String(error) }
  }
}
