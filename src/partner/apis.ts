// The APIs of the partner: its four interfaces, the pages of an offer, and what every program answers about itself.
import { refusedExchange } from '#contract/exchange/error.ts'
import { frontRoutes } from '#kit/http/front-page.ts'
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

const front = frontRoutes<Context>(
  'The lending partner',
  'A lender outside the network: it takes applications from the platform, lends, and collects.',
  () => [
    { href: '/desk', text: 'Desk', about: 'The cases, the ledger, and what the staff of the lender decides' },
    { href: '/healthz', text: 'Health', about: 'Whether this process is alive' },
  ],
)

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
