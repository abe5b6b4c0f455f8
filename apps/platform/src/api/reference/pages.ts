// Serves the API reference for integrators at /docs, the reference for lending partners at /docs/partner-exchange, and
// the guides below /docs/guide.

import { referencePage } from '@lendloom/http/api-reference'
import type { OpenApiDocument } from '@lendloom/http/openapi-document'
import type { Answer } from '@lendloom/http/server'
import { exchangeApi } from '@lendloom/wire/exchange/openapi'
import { type Context, route } from '#platform/context.ts'
import { examplePartnerUrl } from '#platform/lenders/partner/call.ts'
import { fileRoutes, hiddenGet, once } from './files.ts'
import { guideRoutes } from './guide-pages.ts'

const guides = { href: '/docs/guide/', text: 'Guides: quickstarts, tasks, explanations' }

/** `documentOf` returns the OpenAPI document for integrators; it is called only once. */
export function apiPages(documentOf: (config: Context['config']) => OpenApiDocument) {
  const document = once(documentOf)
  const page = once((config) =>
    referencePage(document(config), '/openapi.json', {
      links: [guides, { href: '/docs/partner-exchange', text: 'Partner exchange, for lenders outside the network' }],
      mayTry: true,
    }),
  )
  const exchangePage = once((config) =>
    referencePage(
      exchangeApi({ partnerUrl: examplePartnerUrl, platformUrl: config.PUBLIC_URL }),
      '/api/partner/openapi.json',
      { links: [guides, { href: '/docs', text: 'Hosted sessions and Headless API, for integrators' }] },
    ),
  )
  return [
    ...fileRoutes(document),
    ...guideRoutes(),
    route({
      ...hiddenGet,
      path: '/docs',
      summary: 'Get the API reference',
      handle: (_, { config }): Answer => page(config),
    }),
    route({
      ...hiddenGet,
      path: '/docs/partner-exchange',
      summary: 'Get the reference of the partner exchange',
      handle: (_, { config }): Answer => exchangePage(config),
    }),
  ]
}
