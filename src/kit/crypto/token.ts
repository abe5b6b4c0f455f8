// Tokens and secrets that callers present: a prefix that names the kind, the owner, a secret that is stored as a
// digest, and a checksum.

import { hash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { cache } from '#kit/runtime/cache.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import { base62, base62Digit, base62Of, buckets, formatUuid, fromBase62, randomDigits, uuidBytes } from './id.ts'

export interface MintedToken {
  /** The whole secret: shown once, never stored. */
  token: string
  tokenId: string
  /** The stored digest. */
  digest: Buffer
}

export interface ReadToken<Prefix extends string> {
  prefix: Prefix
  tenantId: string
  tokenId: string
  digest: Buffer
}

/** Enough base-62 digits for 8 bytes, and for 32. The first three encode the bucket. */
const idDigits = 11
const bucketDigits = 3
/** How many times all buckets fit into three digits. */
const rounds = Math.floor(62 ** bucketDigits / buckets)
const secretDigits = 43

/** A process mints tokens for few tenants; digits of further tenants are computed on each use. */
const digitsOfTenants = cache<string>({ name: 'token-tenants', maxBytes: 1 << 20, lifetimeMs: 3_600_000 })

function tenantDigits(tenantId: string): string {
  const known = digitsOfTenants.get(tenantId)
  if (known !== undefined) return known
  const digits = base62(uuidBytes(tenantId))
  digitsOfTenants.set(tenantId, digits)
  return digits
}

/** The owner of a token: the tenant, and the bucket of the borrower if it is a borrower's. */
export interface TokenOwner {
  tenantId: string
  bucket?: number
}

/** Mints a token; `random` returns the bytes for its id and secret, on each call. */
export function mintToken(
  prefix: string,
  { tenantId, bucket }: TokenOwner,
  random: (size: number) => Uint8Array,
): MintedToken {
  const tokenId =
    bucket === undefined
      ? randomDigits(idDigits, random)
      : base62Of(bucket + buckets * (Buffer.from(random(4)).readUInt32BE() % rounds), bucketDigits) +
        randomDigits(idDigits - bucketDigits, random)
  const opening = `${prefix}_${tenantDigits(tenantId)}${tokenId}${randomDigits(secretDigits, random)}`
  const token = opening + checksum(opening)
  return { token, tokenId, digest: digestOf(token) }
}

const format = /^([a-z_]+)_([0-9A-Za-z]{22})([0-9A-Za-z]{11})[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** Reads a token of one of these prefixes without knowing whether it was ever issued; null when it cannot have been. */
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

/** The bucket of the borrower whose token has this id. */
export const bucketOfToken = (tokenId: string): number =>
  [...tokenId.slice(0, bucketDigits)].reduce((sum, digit) => sum * 62 + base62Digit(digit), 0) % buckets

/** Six digits, as `base62` writes the four bytes of a number. */
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
export const sameDigest = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
