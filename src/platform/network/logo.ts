// Logos of lenders for the hosted page: fetched and served by the platform, so that a borrower's browser calls no lender.
import type { Seal } from '#kit/crypto/seal.ts'
import { sameDigest } from '#kit/crypto/token.ts'
import { call, UnreachableError } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { answer, anyone } from '#kit/http/server.ts'
import { type Cache, cache, underWay } from '#kit/runtime/cache.ts'
import { type Context, route } from '#platform/context.ts'
import { egressPolicyOf } from './identity.ts'

const path = '/lab/logo'

/** Proves that we issued the address, so that outsiders cannot make the platform fetch others. */
const markOf = (seal: Seal, url: string): Buffer => seal.digest(url, 'lender logo').subarray(0, 16)

/** The page's address of a lender's logo; null without a fetchable one. */
export const logoPath = (seal: Seal, url: string | null): string | null =>
  url && /^https?:/.test(url)
    ? `${path}?${new URLSearchParams({ url, mark: markOf(seal, url).toString('base64url') })}`
    : null

interface Logo {
  type: string
  bytes: Buffer
}

/** Pictures that a browser shows and does not run: what is in an SVG runs nowhere by the headers that it gets. */
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']
const mostBytes = 100_000
const dayMs = 86_400_000
const timeoutMs = 3000

const kept: Cache<Logo> = cache<Logo>({
  name: 'lender-logos',
  mostBytes: 8 << 20,
  forMs: dayMs,
  weigh: ({ bytes }) => bytes.length,
})
/** A logo that was missing a moment ago is not fetched again. */
const absent = cache<true>({ name: 'absent-lender-logos', mostBytes: 1 << 20, forMs: 600_000, weigh: () => 8 })

async function fetched({ config, log }: Pick<Context, 'config' | 'log'>, url: string): Promise<Logo | undefined> {
  try {
    const { status, headers, body } = await call({
      ...{ method: 'GET', url, timeoutMs, maxBytes: mostBytes, egress: egressPolicyOf(config) },
      headers: { accept: types.join(', ') },
    })
    const type = String(headers['content-type']).split(';')[0]?.trim().toLowerCase() ?? ''
    if (status === 200 && body.length > 0 && types.includes(type)) return { type, bytes: body }
    log.info({ status, type }, 'a lender has no logo that can be shown')
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    log.info({ why: error.message }, 'the logo of a lender could not be fetched')
  }
  return undefined
}

/** Running fetches, shared by pages that open at once. */
const fetching = underWay<Logo | undefined>()

async function logoAt(ctx: Pick<Context, 'config' | 'log'>, url: string): Promise<Logo | undefined> {
  const known = kept.get(url)
  if (known || absent.get(url)) return known
  const logo = await fetching(url, () => fetched(ctx, url))
  if (logo) kept.set(url, logo)
  else absent.set(url, true)
  return logo
}

/** For a picture from outside: it cannot run scripts, and other sites cannot embed it. */
export const pictureHeaders = (type: string, cacheControl: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': cacheControl,
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; sandbox`,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
})

/** GET /lab/logo: refused as `absent` where the address was not given out by us, or has no picture. */
export const logoRoute = route({
  method: 'GET',
  path,
  section: 'D1 §2.2',
  summary: 'The logo of a lender, for the hosted page',
  auth: anyone,
  query: Type.Object({ url: Type.String({ maxLength: 2000 }), mark: Type.String({ maxLength: 64 }) }),
  hidden: true,
  async handle({ query: { url, mark } }, ctx) {
    const isOurs = sameDigest(Buffer.from(mark, 'base64url'), markOf(ctx.seal, url))
    const logo = isOurs ? await logoAt(ctx, url) : undefined
    if (!logo) throw new Refusal('absent', 'there is no such logo')
    return answer(200, logo.bytes, pictureHeaders(logo.type, 'public, max-age=86400'))
  },
})
