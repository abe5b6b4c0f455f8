// What the platform and its lending partner know each other by: two credentials, one for each direction (D3 §5).
import { type Setting, secret } from '#kit/runtime/config.ts'

/** A signing secret by the name that `X-Key-Id` gives it. */
export interface SigningKey {
  keyId: string
  secret: string
}

/** What we present to the partner, and in `webhook` what it presents to us. The two are never interchangeable. */
export interface PartnerCredentials {
  /** What we call ourselves in `sender`. */
  sender: string
  bearer: string
  keyId: string
  secret: string
  webhook: {
    /** What the partner calls itself. */
    sender: string
    bearer: string
    /** One or two secrets it signs with: two while they are being rotated. */
    keys: SigningKey[]
  }
}

const shape = 'a JSON object {sender, bearer, keyId, secret, webhook: {sender, bearer, keys: [{keyId, secret}]}}'

/** `PARTNER_CREDENTIALS`; empty where there is no partner. Its values are never repeated in a message. */
export const partnerCredentials = (about: string): Setting<PartnerCredentials | null> => ({
  ...secret(about, ''),
  read(text) {
    if (text === '') return null
    const value = jsonIn(text)
    if (!areCredentials(value)) throw new Error(`must be ${shape}`)
    return value
  },
})

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`must be ${shape}`)
  }
}

function areCredentials(value: unknown): value is PartnerCredentials {
  const { sender, bearer, keyId, secret, webhook } = (value ?? {}) as Partial<PartnerCredentials>
  return (
    isText(sender) &&
    isSecret(bearer) &&
    isText(keyId) &&
    isSecret(secret) &&
    isText(webhook?.sender) &&
    webhook.sender !== sender &&
    isSecret(webhook.bearer) &&
    webhook.bearer !== bearer &&
    Array.isArray(webhook.keys) &&
    [1, 2].includes(webhook.keys.length) &&
    webhook.keys.every((key) => isText(key?.keyId) && isSecret(key?.secret)) &&
    new Set(webhook.keys.map((key) => key.keyId)).size === webhook.keys.length
  )
}

const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,500}$/.test(value)
/** Shorter ones can be guessed. */
const isSecret = (value: unknown): value is string => isText(value) && value.length >= 16
