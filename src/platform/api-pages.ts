// The API reference at /docs, and for lending partners at /docs/partner-exchange, with the OpenAPI document it is made from.
import { exchangeApi } from '#contract/exchange/openapi.ts'
import { referencePage } from '#kit/http/api-reference.ts'
import type { OpenApiDocument } from '#kit/http/openapi.ts'
import type { Answer } from '#kit/http/server.ts'
import { type Context, route } from '#platform/context.ts'

const common = {
  method: 'GET',
  section: 'operation',
  auth: { scheme: null, check: () => null },
  hidden: true,
} as const

/** `documentOf` is what integrators may call; it is asked once, since it does not change while the program runs. */
export function apiPages(documentOf: (config: Context['config']) => OpenApiDocument) {
  const document = once(documentOf)
  const page = once((config) =>
    referencePage(document(config), '/openapi.json', [
      { href: '/docs/partner-exchange', text: 'Partner exchange, for lenders outside the network' },
    ]),
  )
  const exchangePage = once((config) =>
    referencePage(
      exchangeApi({ partnerUrl: config.PARTNER_URL || 'https://partner.example', platformUrl: config.PUBLIC_URL }),
      config.PARTNER_URL ? '/api/partner/openapi.json' : null,
      [{ href: '/docs', text: 'Hosted sessions and Headless API, for integrators' }],
    ),
  )
  return [
    route({
      ...common,
      path: '/openapi.json',
      summary: 'What integrators may call, as OpenAPI 3.1',
      handle: (_, { config }) => document(config),
    }),
    route({ ...common, path: '/docs', summary: 'The API reference', handle: (_, { config }): Answer => page(config) }),
    route({
      ...common,
      path: '/docs/partner-exchange',
      summary: 'The reference of the partner exchange',
      handle: (_, { config }): Answer => exchangePage(config),
    }),
  ]
}

function once<T>(make: (config: Context['config']) => T): (config: Context['config']) => T {
  let made: T | undefined
  return (config) => (made ??= make(config))
}
