// The console: its page, and the API that the page, and only the page, calls.

import { refused } from '#contract/headless/envelope.ts'
import type { Route } from '#kit/http/route.ts'
import type { Api } from '#kit/http/server.ts'
import { anyone } from '#kit/http/server.ts'
import { type Context, route } from '#platform/context.ts'
import { webBuild } from '#platform/web-build.ts'
import { auditRoutes } from './audit.ts'
import { complaintActRoutes } from './complaint-acts.ts'
import { complaintFileRoutes } from './complaint-files.ts'
import { complaintMailRoutes } from './complaint-mails.ts'
import { complaintOpenRoutes } from './complaint-open.ts'
import { complaintRoutes } from './complaints.ts'
import { developerRoutes } from './developers.ts'
import { journeyActRoutes } from './journey-acts.ts'
import { journeyRoutes } from './journeys.ts'
import { lenderRoutes } from './lenders.ts'
import { lendingPartnerRoutes } from './lending-partners.ts'
import { liveRoutes } from './live.ts'
import { mailRoutes } from './mail.ts'
import { openIdRoutes } from './open-id.ts'
import { overviewRoutes } from './overview.ts'
import { ownAccountRoutes } from './own-account.ts'
import { consoleDocument } from './page.ts'
import { partnerRoutes } from './partner.ts'
import { passkeyRoutes } from './passkeys.ts'
import { peopleRoutes } from './people.ts'
import { personSessionRoutes } from './person-sessions.ts'
import { requestRoutes } from './requests.ts'
import { revealRoutes } from './reveal.ts'
import { prefix } from './route.ts'
import { sandboxRoutes } from './sandbox.ts'
import { signInRoutes } from './sign-in.ts'
import { themeRoutes } from './themes.ts'
import { timelineRoutes } from './timeline.ts'
import { viewRoutes } from './views.ts'
import { alertRoutes } from './webhook-alerts.ts'
import { deliveryRoutes } from './webhook-deliveries.ts'
import { replayRoutes } from './webhook-replays.ts'
import { endpointRoutes } from './webhooks.ts'

export const consoleApi: Api<Context> = {
  prefix,
  closedQuery: true,
  // The page reckons by the platform's clock, which a sandbox may have moved.
  headers: (_, at) => ({ 'cache-control': 'no-store', 'x-platform-time': at.toISOString() }),
  routes: [
    ...signInRoutes,
    ...ownAccountRoutes,
    ...passkeyRoutes,
    ...openIdRoutes,
    ...peopleRoutes,
    ...personSessionRoutes,
    ...auditRoutes,
    ...viewRoutes,
    ...developerRoutes,
    ...themeRoutes,
    ...requestRoutes,
    ...sandboxRoutes,
    ...overviewRoutes,
    ...journeyRoutes,
    ...timelineRoutes,
    ...revealRoutes,
    ...journeyActRoutes,
    ...liveRoutes,
    ...lenderRoutes,
    ...lendingPartnerRoutes,
    ...partnerRoutes,
    ...endpointRoutes,
    ...deliveryRoutes,
    ...replayRoutes,
    ...alertRoutes,
    ...complaintRoutes,
    ...complaintOpenRoutes,
    ...complaintActRoutes,
    ...complaintMailRoutes,
    ...complaintFileRoutes,
    ...mailRoutes,
  ],
  refuse: refused,
}

/** Every address below /console has the same document; what it shows is the browser's business. */
const page = (path: string): Route<Context, null> =>
  route({
    method: 'GET',
    path,
    section: 'console',
    summary: 'The console',
    auth: anyone,
    hidden: true,
    handle: () => consoleDocument(webBuild),
  })

export const consolePages: Api<Context> = {
  prefix: '/console',
  routes: ['/console', '/console/{area}', '/console/{area}/{id}', '/console/{area}/{id}/{part}'].map(page),
  refuse: refused,
}
