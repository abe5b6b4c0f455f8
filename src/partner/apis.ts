// The APIs of the partner: its four interfaces, the pages of an offer, and what every program answers about itself.
import { refusedExchange } from '#contract/exchange/error.ts'
import { frontRoutes, runningIt } from '#kit/http/front-page.ts'
import { healthRoutes } from '#kit/http/health.ts'
import type { Api } from '#kit/http/server.ts'
import type { Context } from '#partner/context.ts'
import { deskApi } from '#partner/desk/routes.ts'
import { getApi, getVectors } from '#partner/receiver/get-api.ts'
import { getStatus } from '#partner/receiver/get-status.ts'
import { offerPages } from '#partner/receiver/offer-pages.ts'
import { postDedupe } from '#partner/receiver/post-dedupe.ts'
import { postEvents } from '#partner/receiver/post-events.ts'
import { uploadDocument } from '#partner/receiver/upload-document.ts'

const front = frontRoutes<Context>(() => ({
  title: 'The lending partner',
  about:
    'A lender outside the network: it takes applications from the platform, decides on them, lends from its own books and collects. Borrowers meet it in the app that they applied in.',
  groups: [
    {
      title: 'For the staff of the lender',
      links: [{ href: '/desk', text: 'Desk', about: 'Cases to decide, loans, collections and the ledger; by sign-in' }],
    },
    {
      title: 'For those who integrate a lender',
      links: [
        { href: '/openapi.json', text: 'OpenAPI', about: 'The interface that the platform calls' },
        { href: '/signature-vectors.json', text: 'Signature vectors', about: 'To check an implementation with' },
      ],
    },
    { title: 'For operators', links: runningIt },
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
      getApi,
      getVectors,
      ...front,
      ...healthRoutes<Context>(({ scanner }) => scanner.lacks?.() ?? null),
    ],
    refuse: refusedExchange,
  },
  deskApi,
]
