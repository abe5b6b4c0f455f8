// The OpenAPI document and the Postman collection as files, at addresses that stay: cached, versioned, readable from any origin.
import { createHash } from 'node:crypto'
import type { OpenApiDocument } from '#kit/http/openapi.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { type Answer, answer, anyone } from '#kit/http/server.ts'
import { type Context, route } from '#platform/context.ts'
import { platformCollection } from '#platform/postman.ts'

/** Public, but not in any document. */
export const hiddenGet = {
  method: 'GET',
  section: 'operation',
  auth: anyone,
  hidden: true,
} as const

/** `document` is what integrators may call. */
export function fileRoutes(document: (config: Context['config']) => OpenApiDocument) {
  const openapiFile = once((config) => file(document(config), document(config).info.version))
  const postmanFile = once((config) => file(platformCollection(document(config)), document(config).info.version))
  return [
    route({
      ...hiddenGet,
      path: '/openapi.json',
      summary: 'What integrators may call, as OpenAPI 3.1',
      handle: ({ headers }, { config }) => fileAnswer(openapiFile(config), headers),
    }),
    route({
      ...hiddenGet,
      path: '/openapi/{file}',
      summary: 'The same under its version: /openapi/2026-11-01.json',
      params: Closed({ file: Type.String() }),
      handle({ params, headers }, { config }) {
        const { version } = document(config).info
        if (params.file !== `${version}.json`)
          throw new Refusal('absent', `there is no such version of the document; ${version} is`)
        return fileAnswer(openapiFile(config), headers)
      },
    }),
    route({
      ...hiddenGet,
      path: '/postman.json',
      summary: 'What integrators may call, as a Postman collection v2.1',
      handle: ({ headers }, { config }) => fileAnswer(postmanFile(config), headers),
    }),
  ]
}

/** Made when it is first asked for, and kept: settings do not change while the program runs. */
export function once<T>(make: (config: Context['config']) => T): (config: Context['config']) => T {
  let made: T | undefined
  return (config) => (made ??= make(config))
}

interface DocumentFile {
  text: string
  etag: string
  version: string
}

function file(document: object, version: string): DocumentFile {
  const text = JSON.stringify(document)
  return { text, version, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** The file, or that it has not changed. Pages of any origin may read it; it is asked for again after five minutes. */
function fileAnswer(
  { text, etag, version }: DocumentFile,
  headers: Record<string, string | string[] | undefined>,
): Answer {
  const about = {
    etag,
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'etag, x-lendloom-api-version',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'x-lendloom-api-version': version,
  }
  const held = String(headers['if-none-match'] ?? '')
  if (held.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag))
    return answer(304, null, about)
  return answer(200, text, { ...about, 'content-type': 'application/json; charset=utf-8' })
}
