// The API of D1 for integrators' servers. A refusal is sent in the envelope of D2 §2.1.

import type { Api } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import type { Context } from '#platform/context.ts'
import { createSession } from './create-session.ts'
import { eventFeedRoute } from './event-feed.ts'
import { featuresRoute } from './features.ts'
import { loanRoute } from './loan.ts'
import { revokeLinkRoute } from './revoke-link.ts'
import { webhookDeliveries } from './webhook-deliveries.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export const hostedApi: Api<Context> = {
  prefix: '/api/lab',
  routes: [
    createSession,
    revokeLinkRoute,
    featuresRoute,
    ...webhookEndpoints,
    ...webhookDeliveries,
    eventFeedRoute,
    loanRoute,
  ],
  blankIsAbsent: true,
  closedQuery: true,
  refuse: refused,
}
