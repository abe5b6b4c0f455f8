// The HTTP APIs of the partner: the exchange with the platform, the offer pages, the desk, health and metrics.

import { frontRoutes, operationLinks } from '@lendloom/http/front-page'
import { healthRoutes } from '@lendloom/http/health-routes'
import type { Api } from '@lendloom/http/server'
import { refusedExchange } from '@lendloom/wire/exchange/error'
import { getOpenApi, getSignatureVectors } from '#partner/api/get-openapi.ts'
import { getStatus } from '#partner/api/get-status.ts'
import { offerPages } from '#partner/api/offer-pages.ts'
import { postDedupe } from '#partner/api/post-dedupe.ts'
import { postEvents } from '#partner/api/post-events.ts'
import { uploadDocument } from '#partner/api/upload-document.ts'
import { deskApi } from '#partner/desk/routes.ts'
import type { Context } from './context.ts'

const front = frontRoutes<Context>(() => ({
  title: 'The lending partner',
  about:
    'A lender outside the network: it receives applications from the platform, decides on them, disburses and collects loans, and keeps its own ledger. Borrowers use it through the app in which they applied.',
  groups: [
    {
      title: 'For lender staff',
      links: [
        { href: '/desk', text: 'Desk', about: 'Cases to decide, loans, collections and the ledger; sign-in required' },
      ],
    },
    {
      title: 'For integrators',
      links: [
        { href: '/openapi.json', text: 'OpenAPI', about: 'The interface that the platform calls' },
        { href: '/signature-vectors.json', text: 'Signature vectors', about: 'For testing an implementation' },
      ],
    },
    { title: 'For operators', links: operationLinks },
  ],
}))

export const partnerApis: Api<Context>[] = [
  {
    prefix: '/',
    routes: [
      postDedupe,
      getStatus,
      uploadDocument,
      postEvents,
      ...offerPages,
      getOpenApi,
      getSignatureVectors,
      ...front,
      ...healthRoutes<Context>(({ scanner }) => scanner.fault?.() ?? null),
    ],
    refuse: refusedExchange,
  },
  deskApi,
]
