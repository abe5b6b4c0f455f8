// Serves the API reference for integrators at /docs, the reference for lending partners at /docs/partner-exchange, and
// the guides below /docs/guide.

import { referencePage } from '@lendloom/http/api-reference'
import type { OpenApiDocument } from '@lendloom/http/openapi-document'
import type { Answer } from '@lendloom/http/server'
import { webBuild } from '#platform/api/web-build.ts'
import { type Context, route } from '#platform/context.ts'
import { guideRoutes } from './guide-pages.ts'
import { computedOnce, fileRoutes, hiddenGet } from './openapi-files.ts'

const guides = { href: '/docs/guide/', text: 'Guides' }

/** `documentOf` returns the OpenAPI document for integrators; it is called only once. */
export function apiPages(documentOf: (config: Context['config']) => OpenApiDocument) {
  const document = computedOnce(documentOf)
  return [
    ...fileRoutes(document),
    ...guideRoutes(),
    route({
      ...hiddenGet,
      path: '/docs',
      summary: 'Get the API reference',
      handle: (): Answer =>
        referencePage({
          title: 'Lendloom: API reference',
          documentUrl: '/openapi.json',
          scalar: webBuild().scalar,
          links: [guides, { href: '/docs/partner-exchange', text: 'Partner exchange' }],
          maySend: true,
        }),
    }),
    route({
      ...hiddenGet,
      path: '/docs/partner-exchange',
      summary: 'Get the reference of the partner exchange',
      handle: (): Answer =>
        referencePage({
          title: 'Lendloom: partner exchange',
          documentUrl: '/api/partner/openapi.json',
          scalar: webBuild().scalar,
          links: [guides, { href: '/docs', text: 'API for integrators' }],
          maySend: false,
        }),
    }),
  ]
}
