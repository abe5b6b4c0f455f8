// Checks whether a message has a valid signature of an endpoint, and finds the reason if not.
import type { SignatureFinding } from '#contract/console/webhooks.ts'
import { isSignedBy, type SignedHeaders, toleranceSeconds } from '#contract/webhook/signature.ts'

export interface GivenMessage {
  headers: Map<string, string>
  body: Buffer
}

/** The data for the check; never shown. */
export interface SignatureEvidence {
  /** The endpoint's secrets, newest first. */
  secrets: string[]
  /** Secrets of the application's other endpoints. */
  others: { endpointId: string; secrets: string[] }[]
  /** The exact bytes sent under its `webhook-id`; null when unknown. */
  sent: Buffer | null
}

export interface SignatureCheck {
  finding: SignatureFinding
  header: string | null
  endpointId: string | null
  secondsAway: number | null
}

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** Lines of `name: value`; other lines are skipped. */
export function headersIn(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*([\w-]+)\s*:(.*)$/.exec(line))
  return new Map(lines.flatMap((line) => (line ? [[(line[1] ?? '').toLowerCase(), line[2]?.trim() ?? '']] : [])))
}

export function checkSignature({ headers, body }: GivenMessage, known: SignatureEvidence, at: Date): SignatureCheck {
  const nothing = { header: null, endpointId: null, secondsAway: null }
  const [id, timestamp, signatures] = names.map((name) => headers.get(name) ?? '')
  if (!id || !timestamp || !signatures)
    return { ...nothing, finding: 'header-missing', header: names.find((name) => !headers.get(name)) ?? null }
  if (!/^\d{1,12}$/.test(timestamp)) return { ...nothing, finding: 'timestamp-unreadable' }
  if (!/(^| )v1,/.test(signatures)) return { ...nothing, finding: 'no-signature' }
  const secondsAway = Math.round(at.getTime() / 1000) - Number(timestamp)
  const { finding, endpointId = null } = judge({ id, timestamp, signatures }, body, known)
  const isRight = finding === 'right' || finding === 'right-by-old-secret'
  if (isRight && Math.abs(secondsAway) > toleranceSeconds) return { ...nothing, finding: 'too-old', secondsAway }
  return { ...nothing, finding, endpointId, secondsAway }
}

type SignatureMatch = { finding: SignatureFinding; endpointId?: string }

function judge(signed: SignedHeaders, body: Buffer, { secrets, others, sent }: SignatureEvidence): SignatureMatch {
  const byAny = (each: string[], bytes: Buffer) => each.some((secret) => isSignedBy(secret, signed, bytes))
  const [current, ...old] = secrets
  if (current !== undefined && isSignedBy(current, signed, body)) return { finding: 'right' }
  if (byAny(old, body)) return { finding: 'right-by-old-secret' }
  const other = others.find((each) => byAny(each.secrets, body) || (sent && byAny(each.secrets, sent)))
  if (other) return { finding: 'other-endpoint', endpointId: other.endpointId }
  const text = body.toString('utf8')
  if (/\s$/.test(text) && byAny(secrets, Buffer.from(text.trimEnd()))) return { finding: 'line-break-added' }
  if (sent && byAny(secrets, sent))
    return { finding: sameJson(text, sent.toString('utf8')) ? 'body-reformatted' : 'body-changed' }
  if (sent?.equals(body)) return { finding: 'wrong-secret' }
  return { finding: 'unknown' }
}

function sameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return false
  }
}
