// Signed events as the platform sends them, each with a new id and signature, prepared before the measurement.
import { randomUUID } from 'node:crypto'
import { exampleEvent } from '@lendloom/wire/exchange/example/event'
import { sign } from '@lendloom/wire/exchange/signature'
import type { Client } from './partner.ts'

/** Shares of short, medium and long events, with their sizes in bytes. */
const sizes = [
  [0.6, 926],
  [0.3, 1289],
  [0.1, 2720],
] as const
export const meanBytes = Math.round(sizes.reduce((sum, [share, bytes]) => sum + share * bytes, 0))

const placeholders = {
  event: '00000000-0000-4000-8000-000000000000',
  caseRef: 'CASE-OF-THE-BENCHMARK',
  version: 987_654_321,
}

const templates = sizes.map(([, bytes]) => templateOf(bytes))

/** A KYC update, padded to its size by a key that receivers ignore (D3 §9) and split at its variable parts. */
function templateOf(bytes: number): string[] {
  const event = exampleEvent('KYC_UPDATED', { event_id: placeholders.event, entity_version: placeholders.version })
  const whole = {
    ...event,
    entity_id: placeholders.caseRef,
    correlation: { ...event.correlation, external_reference_id: placeholders.caseRef },
  }
  const text = JSON.stringify({ ...whole, padding: '' })
  const padded = JSON.stringify({ ...whole, padding: 'x'.repeat(Math.max(0, bytes - text.length)) })
  return padded.split(new RegExp(`(${placeholders.event}|${placeholders.caseRef}|${placeholders.version})`))
}

function pickTemplate(): string[] {
  let left = Math.random()
  for (const [i, [share]] of sizes.entries()) {
    left -= share
    if (left < 0) return templates[i]!
  }
  return templates[0]!
}

/** Returns the bytes of a whole HTTP request. */
export function eventRequest({
  client,
  host,
  caseRef,
  version,
}: {
  client: Client
  host: string
  caseRef: string
  version: number
}): Buffer {
  const eventId = randomUUID()
  const values: Record<string, string> = {
    [placeholders.event]: eventId,
    [placeholders.caseRef]: caseRef,
    [String(placeholders.version)]: String(version),
  }
  const raw = Buffer.from(
    pickTemplate()
      .map((piece) => values[piece] ?? piece)
      .join(''),
  )
  const sentAt = Math.floor(Date.now() / 1000)
  const head =
    `POST /events HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${raw.length}\r\n` +
    `authorization: Bearer ${client.bearer}\r\nidempotency-key: ${eventId}\r\nx-key-id: ${client.keyId}\r\n` +
    `x-sent-at: ${sentAt}\r\nx-signature: ${sign({ secret: client.secret, sentAt, raw })}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), raw])
}
