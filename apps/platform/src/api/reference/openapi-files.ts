// Serves the OpenAPI document, cacheable, by version, and readable from any origin.
import { createHash } from 'node:crypto'
import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import type { OpenApiDocument } from '@lendloom/http/openapi-document'
import { type Answer, answer, anyone } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'

/** Options of a public route that is not in the OpenAPI document. */
export const hiddenGet = {
  method: 'GET',
  section: 'operation',
  auth: anyone,
  hidden: true,
} as const

export function fileRoutes(document: (config: Context['config']) => OpenApiDocument) {
  const openapiFile = computedOnce((config) => documentFile(document(config), document(config).info.version))
  return [
    route({
      ...hiddenGet,
      path: '/openapi.json',
      summary: 'Get the API for integrators as OpenAPI 3.1',
      handle: ({ headers }, { config }) => fileAnswer(openapiFile(config), headers),
    }),
    route({
      ...hiddenGet,
      path: '/openapi/{file}',
      summary: 'Get the OpenAPI document by its version: /openapi/2026-11-01.json',
      params: Closed({ file: Type.String() }),
      handle({ params, headers }, { config }) {
        const { version } = document(config).info
        if (params.file !== `${version}.json`)
          throw new Refusal('absent', `there is no such version of the document; the current one is ${version}`)
        return fileAnswer(openapiFile(config), headers)
      },
    }),
  ]
}

/** Computes a value on first use and caches it, because settings do not change at runtime. */
export function computedOnce<T>(make: (config: Context['config']) => T): (config: Context['config']) => T {
  let value: T | undefined
  return (config) => (value ??= make(config))
}

interface DocumentFile {
  text: string
  etag: string
  version: string
}

function documentFile(document: object, version: string): DocumentFile {
  const text = JSON.stringify(document)
  return { text, version, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** Returns the file, or 304 if it has not changed. Any origin may read the response and cache it for five minutes. */
function fileAnswer(
  { text, etag, version }: DocumentFile,
  headers: Record<string, string | string[] | undefined>,
): Answer {
  const commonHeaders = {
    etag,
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'etag, x-lendloom-api-version',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'x-lendloom-api-version': version,
  }
  const knownTags = String(headers['if-none-match'] ?? '')
  if (knownTags.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag))
    return answer(304, null, commonHeaders)
  return answer(200, text, { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' })
}
