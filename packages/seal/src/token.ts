// Tokens of callers: a prefix for the kind, the owner, an id, a secret and a checksum. Only a digest is stored.

import { hash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { cache } from '@lendloom/foundation/cache'
import { isOneOf } from '@lendloom/foundation/record'
import { base62, base62Digit, base62Of, buckets, formatUuid, fromBase62, randomDigits, uuidBytes } from './id.ts'

export interface MintedToken {
  /** The whole token: shown once, never stored. */
  token: string
  tokenId: string
  digest: Buffer
}

export interface ReadToken<Prefix extends string> {
  prefix: Prefix
  tenantId: string
  tokenId: string
  digest: Buffer
}

/** Base62 digits of an id of 8 bytes, which begins with the bucket, and of a secret of 32 bytes. */
const idDigits = 11
const bucketDigits = 3
/** How many values of three digits encode the same bucket. */
const valuesPerBucket = Math.floor(62 ** bucketDigits / buckets)
const secretDigits = 43

/** Cached, because a process mints tokens for few tenants. */
const digitsOfTenants = cache<string>({ name: 'token-tenants', maxBytes: 1 << 20, lifetimeMs: 3_600_000 })

function tenantDigits(tenantId: string): string {
  const known = digitsOfTenants.get(tenantId)
  if (known !== undefined) return known
  const digits = base62(uuidBytes(tenantId))
  digitsOfTenants.set(tenantId, digits)
  return digits
}

/** The owner of a token: a tenant, and for a borrower's token the bucket of the borrower. */
export interface TokenOwner {
  tenantId: string
  bucket?: number
}

/** Mints a token. `random` returns new random bytes on each call. */
export function mintToken(
  prefix: string,
  { tenantId, bucket }: TokenOwner,
  random: (size: number) => Uint8Array,
): MintedToken {
  const tokenId =
    bucket === undefined
      ? randomDigits(idDigits, random)
      : base62Of(bucket + buckets * (Buffer.from(random(4)).readUInt32BE() % valuesPerBucket), bucketDigits) +
        randomDigits(idDigits - bucketDigits, random)
  const unchecked = `${prefix}_${tenantDigits(tenantId)}${tokenId}${randomDigits(secretDigits, random)}`
  const token = unchecked + checksum(unchecked)
  return { token, tokenId, digest: digestOf(token) }
}

const format = /^([a-z_]+)_([0-9A-Za-z]{22})([0-9A-Za-z]{11})[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** Parses a token with one of these prefixes; null when its form is invalid. Does not check that it was issued. */
export function readToken<Prefix extends string>(token: string, prefixes: readonly Prefix[]): ReadToken<Prefix> | null {
  const match = format.exec(token)
  if (!match) return null
  const [, prefix = '', tenant = '', tokenId = '', sum] = match
  const tenantBytes = fromBase62(tenant, 16)
  if (!tenantBytes || !isOneOf(prefixes, prefix) || checksum(token.slice(0, -6)) !== sum) return null
  return {
    prefix,
    tenantId: formatUuid(tenantBytes),
    tokenId,
    digest: digestOf(token),
  }
}

/** Returns the bucket of the borrower whose token has this id. */
export const bucketOfToken = (tokenId: string): number =>
  [...tokenId.slice(0, bucketDigits)].reduce((sum, digit) => sum * 62 + base62Digit(digit), 0) % buckets

/** Returns six base62 digits of the CRC-32 of the text. */
function checksum(text: string): string {
  return base62Of(crc32(text), 6)
}

/** The token of an `Authorization: Bearer` header; null when there is none. */
export function bearer(headers: Record<string, string | string[] | undefined>): string | null {
  const { authorization } = headers
  return typeof authorization === 'string' ? (/^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? null) : null
}

/** The stored form of a secret. */
export const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Compares in constant time, so that the time taken does not reveal how close a guess was. */
export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
