// Checks whether a message has a valid signature of an endpoint, and finds the reason if not.
import type { SignatureFinding } from '@lendloom/wire/console/webhooks'
import { isSignedBy, type SignedHeaders, toleranceSeconds } from '@lendloom/wire/webhook/signature'

export interface ReceivedMessage {
  headers: Map<string, string>
  body: Buffer
}

/** Secrets and bytes that the check compares with; never shown to a user. */
export interface SignatureEvidence {
  /** The endpoint's secrets, newest first. */
  secrets: string[]
  otherEndpoints: { endpointId: string; secrets: string[] }[]
  /** The exact bytes that were sent with the message's `webhook-id`; null when unknown. */
  sentBody: Buffer | null
}

export interface SignatureCheck {
  finding: SignatureFinding
  header: string | null
  endpointId: string | null
  secondsAway: number | null
}

const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

const valuePatterns = {
  'webhook-id': String.raw`[^\s"',\]}]*`,
  'webhook-timestamp': String.raw`\d+`,
  'webhook-signature': String.raw`[^"'\r\n\]}]*`,
}

/** Finds the three headers in text: lines of `name: value`, or an object or list as a program logs it. */
export function readHeaders(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*([\w-]+)\s*:(.*)$/.exec(line))
  const byLine = new Map(
    lines.flatMap((line) => (line ? [[(line[1] ?? '').toLowerCase(), line[2]?.trim() ?? '']] : [])),
  )
  const logged = (name: keyof typeof valuePatterns) =>
    new RegExp(
      String.raw`(?<![\w-])${name}["']?\s{0,40}(?:=>|[:=,])\s{0,40}\[?(?:b?["'])?(${valuePatterns[name]})`,
      'i',
    ).exec(text)?.[1]
  return new Map(
    headerNames.flatMap((name) => {
      const value = byLine.get(name) ?? logged(name)
      return value === undefined ? [] : [[name, value.trim()]]
    }),
  )
}

/** Checks a message as a receiver would, and says what is wrong with it; a valid signature may still be too old. */
export function checkSignature(
  { headers, body }: ReceivedMessage,
  evidence: SignatureEvidence,
  at: Date,
): SignatureCheck {
  const emptyFields = { header: null, endpointId: null, secondsAway: null }
  const [id, timestamp, signatures] = headerNames.map((name) => headers.get(name) ?? '')
  if (!id || !timestamp || !signatures)
    return { ...emptyFields, finding: 'header-missing', header: headerNames.find((name) => !headers.get(name)) ?? null }
  if (!/^\d{1,12}$/.test(timestamp)) return { ...emptyFields, finding: 'timestamp-unreadable' }
  if (!/(^| )v1,/.test(signatures)) return { ...emptyFields, finding: 'no-signature' }
  const secondsAway = Math.round(at.getTime() / 1000) - Number(timestamp)
  const { finding, endpointId = null } = findMatch({ id, timestamp, signatures }, body, evidence)
  const isValid = finding === 'right' || finding === 'right-by-old-secret'
  if (isValid && Math.abs(secondsAway) > toleranceSeconds) return { ...emptyFields, finding: 'too-old', secondsAway }
  return { ...emptyFields, finding, endpointId, secondsAway }
}

type SignatureMatch = { finding: SignatureFinding; endpointId?: string }

function findMatch(
  signed: SignedHeaders,
  body: Buffer,
  { secrets, otherEndpoints, sentBody }: SignatureEvidence,
): SignatureMatch {
  const isSignedByAny = (each: string[], bytes: Buffer) => each.some((secret) => isSignedBy(secret, signed, bytes))
  const [current, ...old] = secrets
  if (current !== undefined && isSignedBy(current, signed, body)) return { finding: 'right' }
  if (isSignedByAny(old, body)) return { finding: 'right-by-old-secret' }
  const otherEndpoint = otherEndpoints.find(
    (each) => isSignedByAny(each.secrets, body) || (sentBody && isSignedByAny(each.secrets, sentBody)),
  )
  if (otherEndpoint) return { finding: 'other-endpoint', endpointId: otherEndpoint.endpointId }
  const text = body.toString('utf8')
  if (/\s$/.test(text) && isSignedByAny(secrets, Buffer.from(text.trimEnd()))) return { finding: 'line-break-added' }
  if (sentBody && isSignedByAny(secrets, sentBody))
    return { finding: sameJson(text, sentBody.toString('utf8')) ? 'body-reformatted' : 'body-changed' }
  if (sentBody?.equals(body)) return { finding: 'wrong-secret' }
  return { finding: 'unknown' }
}

function sameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
  } catch {
    return false
  }
}
