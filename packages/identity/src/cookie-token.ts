// Tokens in cookies and links: tenant id, row id, and 32 random bytes.
import { formatUuid, randomOctets, uuidBytes } from '@lendloom/seal/id'
import { digestOf } from '@lendloom/seal/token'

export interface StaffToken {
  tenantId: string
  /** The id of the session or the invitation. */
  id: string
  digest: Buffer
}

const secretBytes = 32

export function mintToken(tenantId: string, id: string): StaffToken & { token: string } {
  const token = Buffer.concat([uuidBytes(tenantId), uuidBytes(id), randomOctets(secretBytes)]).toString('base64url')
  return { token, tenantId, id, digest: digestOf(token) }
}

/** Parses a token without checking that it was issued; null when its form is invalid. */
export function readToken(token: string): StaffToken | null {
  if (!/^[\w-]{86}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  return {
    tenantId: formatUuid(bytes.subarray(0, 16)),
    id: formatUuid(bytes.subarray(16, 32)),
    digest: digestOf(token),
  }
}
