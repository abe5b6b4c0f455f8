// The platforms that may call the partner, and how to call them: read once from the configuration (D3 §5).

import { type Setting, secret } from '#kit/runtime/config.ts'
import { isObject } from '#kit/runtime/record.ts'

/** A signing secret by its name in `X-Key-Id`. */
interface SigningKey {
  keyId: string
  secret: string
}

/** A platform that sends leads. Its two credentials, incoming and outgoing, are never interchangeable. */
export interface Client {
  /** The sender name in its events, unique to it. */
  sender: string
  bearer: string
  /** One or two secrets it signs with: two while they are being rotated. */
  keys: SigningKey[]
  /** The credentials of our events for it; `url` if it differs from `PLATFORM_WEBHOOK_URL`. */
  webhook: { url?: string; bearer: string; keyId: string; secret: string }
}

const shape = 'a JSON list of {sender, bearer, keys: [{keyId, secret}], webhook: {url?, bearer, keyId, secret}}'

/** `PARTNER_CLIENTS`. Its values are never repeated in a message. */
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
        throw new Error(`must give every client a ${name} of its own`)
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

/** Credentials and borrowers' data leave this machine by https alone (D3 §5). */
function isSafe(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname ?? ''))
}

/** `PLATFORM_WEBHOOK_URL`. */
export const webhookUrl = (about: string, fallback: string): Setting<string> => ({
  about,
  fallback,
  read(value) {
    if (!isSafe(value)) throw new Error('must be an https URL, or http of this machine')
    return value.replace(/\/$/, '')
  },
})

const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,500}$/.test(value)
/** Shorter ones can be guessed. */
const isSecret = (value: unknown): value is string => isText(value) && value.length >= 16
