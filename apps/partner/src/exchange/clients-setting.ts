// The setting PARTNER_CLIENTS: the platforms that may call the partner, and their webhooks (D3 §5).

import { type Setting, secret } from '@lendloom/foundation/config'
import { isObject } from '@lendloom/foundation/record'

/** A signing secret with its `X-Key-Id`. */
interface SigningKey {
  keyId: string
  secret: string
}

/** A platform that sends leads. */
export interface Client {
  /** The unique sender name in the platform's events. */
  sender: string
  bearer: string
  /** The platform's signing secrets: one, or two during a rotation. */
  keys: SigningKey[]
  /** Credentials for sending events to the platform. Without `url`, they go to `PLATFORM_WEBHOOK_URL`. */
  webhook: { url?: string; bearer: string; keyId: string; secret: string }
}

const shape = 'a JSON list of {sender, bearer, keys: [{keyId, secret}], webhook: {url?, bearer, keyId, secret}}'

/** The setting `PARTNER_CLIENTS`. Its values are secret, so error messages do not contain them. */
export const clientList = (about: string): Setting<Client[]> => ({
  ...secret(about),
  read(text) {
    let list: unknown
    try {
      list = JSON.parse(text)
    } catch {
      throw new Error(`must be ${shape}`)
    }
    if (!Array.isArray(list) || list.length === 0 || !list.every(isClient)) throw new Error(`must be ${shape}`)
    for (const name of ['sender', 'bearer'] as const)
      if (new Set(list.map((client) => client[name])).size < list.length)
        throw new Error(`must have a different ${name} for every client`)
    return list
  },
})

function isClient(value: unknown): value is Client {
  if (!isObject(value)) return false
  const { sender, bearer, keys, webhook } = value
  return (
    isText(sender) &&
    isSecret(bearer) &&
    Array.isArray(keys) &&
    [1, 2].includes(keys.length) &&
    keys.every(isSigningKey) &&
    new Set(keys.map(({ keyId }) => keyId)).size === keys.length &&
    isWebhook(webhook)
  )
}

const isSigningKey = (key: unknown): key is SigningKey => isObject(key) && isText(key.keyId) && isSecret(key.secret)

const isWebhook = (webhook: unknown): webhook is Client['webhook'] =>
  isObject(webhook) &&
  isSecret(webhook.bearer) &&
  (webhook.url === undefined || (typeof webhook.url === 'string' && isSafe(webhook.url))) &&
  isText(webhook.keyId) &&
  isSecret(webhook.secret)

/**
 * Whether a URL is https or of this machine. Credentials and personal data may leave this machine only over https (D3
 * §5).
 */
function isSafe(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname ?? ''))
}

export const webhookUrl = (about: string, fallback: string): Setting<string> => ({
  about,
  fallback,
  read(value) {
    if (!isSafe(value)) throw new Error('must be an https URL, or an http URL of this machine')
    return value.replace(/\/$/, '')
  },
})

const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,500}$/.test(value)
/** Whether a value is a secret of at least 16 characters; shorter secrets can be guessed. */
const isSecret = (value: unknown): value is string => isText(value) && value.length >= 16
