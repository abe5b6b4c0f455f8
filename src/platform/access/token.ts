// Tokens: a prefix that says what it opens, whose it is, a secret, and a checksum that catches a bad copy at once.
import { crc32 } from 'node:zlib'
import { base62, formatUuid, fromBase62, uuidBytes } from '#kit/id.ts'
import { digestOf } from '#kit/secret.ts'

export type TokenPrefix = 'sk_live' | 'sk_test' | 'st' | 'rt' | 'bt'

export interface MintedToken {
  /** The whole secret: shown once, never stored. */
  token: string
  tokenId: string
  /** What is stored. */
  digest: Buffer
}

export interface ReadToken {
  prefix: TokenPrefix
  tenantId: string
  tokenId: string
  digest: Buffer
}

const idBytes = 8
const secretBytes = 32

/** Makes a token of a tenant; `random` gives the bytes for its id and secret. */
export function mintToken(prefix: TokenPrefix, tenantId: string, random: (size: number) => Uint8Array): MintedToken {
  const tokenId = base62(random(idBytes))
  const opening = `${prefix}_${base62(uuidBytes(tenantId))}${tokenId}${base62(random(secretBytes))}`
  const token = opening + checksum(opening)
  return { token, tokenId, digest: digestOf(token) }
}

const format = /^(sk_live|sk_test|st|rt|bt)_([0-9A-Za-z]{22})([0-9A-Za-z]{11})[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** Reads a token without knowing whether it was ever issued; null when it cannot have been. */
export function readToken(token: string): ReadToken | null {
  const match = format.exec(token)
  if (!match) return null
  const [, prefix, tenant, tokenId, sum] = match
  const tenantBytes = fromBase62(tenant!, 16)
  if (!tenantBytes || checksum(token.slice(0, -6)) !== sum) return null
  return {
    prefix: prefix as TokenPrefix,
    tenantId: formatUuid(tenantBytes),
    tokenId: tokenId!,
    digest: digestOf(token),
  }
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62(bytes)
}
