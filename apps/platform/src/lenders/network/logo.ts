// Serves lenders' logos for the hosted page, so that the borrower's browser calls no lender.

import { type Cache, cache, shareRunning } from '@lendloom/foundation/cache'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { call, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import { answer, anyone } from '@lendloom/http/server'
import type { Seal } from '@lendloom/seal/seal'
import { sameDigest } from '@lendloom/seal/token'
import { type Context, route } from '#platform/context.ts'

const logoRoutePath = '/lab/logo'

/** Returns a MAC, so that outsiders cannot make the platform fetch addresses that it did not issue. */
const macOf = (seal: Seal, url: string): Buffer => seal.digest(url, 'lender logo').subarray(0, 16)

/** Returns the path that serves a lender's logo; null if `url` is not an HTTP address. */
export const logoPath = (seal: Seal, url: string | null): string | null =>
  url && /^https?:/.test(url)
    ? `${logoRoutePath}?${new URLSearchParams({ url, mark: macOf(seal, url).toString('base64url') })}`
    : null

interface Logo {
  type: string
  bytes: Buffer
}

/** Accepted image types. Response headers keep an SVG from running scripts. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']
/** A larger picture is no logo, and would push others out of the cache. */
const maxBytes = 100_000
const dayMs = 86_400_000
/** The page shows the lender without a logo rather than wait longer. */
const timeoutMs = 3000

const logos: Cache<Logo> = cache<Logo>({
  name: 'lender-logos',
  maxBytes: 8 << 20,
  lifetimeMs: dayMs,
  weigh: ({ bytes }) => bytes.length,
})
/** Addresses without a logo, which are not fetched again for ten minutes. */
const missingLogos = cache<true>({
  name: 'absent-lender-logos',
  maxBytes: 1 << 20,
  lifetimeMs: 600_000,
  weigh: () => 8,
})

async function fetchLogo({ config, log }: Pick<Context, 'config' | 'log'>, url: string): Promise<Logo | undefined> {
  try {
    const { status, headers, body } = await call({
      method: 'GET',
      url,
      timeoutMs,
      maxBytes,
      egress: egressPolicyOf(config),
      headers: { accept: imageTypes.join(', ') },
    })
    const type = String(headers['content-type']).split(';')[0]?.trim().toLowerCase() ?? ''
    if (status === 200 && body.length > 0 && imageTypes.includes(type)) return { type, bytes: body }
    log.info({ status, type }, "a lender's logo cannot be shown")
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    log.info({ why: error.message }, "a lender's logo could not be fetched")
  }
  return undefined
}

const shareFetch = shareRunning<Logo | undefined>()

async function getLogo(ctx: Pick<Context, 'config' | 'log'>, url: string): Promise<Logo | undefined> {
  const cached = logos.get(url)
  if (cached || missingLogos.get(url)) return cached
  const logo = await shareFetch(url, () => fetchLogo(ctx, url))
  if (logo) logos.set(url, logo)
  else missingLogos.set(url, true)
  return logo
}

/** Headers for an external image: it cannot run scripts, and other sites cannot embed it. */
export const pictureHeaders = (type: string, cacheControl: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': cacheControl,
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; sandbox`,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
})

/** GET /lab/logo. Throws `absent` for an address that we did not issue, or that returns no image. */
export const logoRoute = route({
  method: 'GET',
  path: logoRoutePath,
  section: 'D1 §2.2',
  summary: 'The logo of a lender, for the hosted page',
  auth: anyone,
  query: Type.Object({ url: Type.String({ maxLength: 2000 }), mark: Type.String({ maxLength: 64 }) }),
  hidden: true,
  async handle({ query: { url, mark } }, ctx) {
    const isOurs = sameDigest(Buffer.from(mark, 'base64url'), macOf(ctx.seal, url))
    const logo = isOurs ? await getLogo(ctx, url) : undefined
    if (!logo) throw new Refusal('absent', 'the logo does not exist')
    return answer(200, logo.bytes, pictureHeaders(logo.type, 'public, max-age=86400'))
  },
})
