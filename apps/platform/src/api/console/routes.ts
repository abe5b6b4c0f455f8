// The console: its page, and the internal API of the page.

import { redirect } from '@lendloom/http/page-frame'
import type { Route } from '@lendloom/http/route'
import { type Api, anyone } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import { webBuild } from '#platform/api/web-build.ts'
import { type Context, route } from '#platform/context.ts'
import { complaintActRoutes } from './complaints/complaint-acts.ts'
import { complaintFileRoutes } from './complaints/complaint-exports.ts'
import { complaintMailRoutes } from './complaints/complaint-mails.ts'
import { complaintOpenRoutes } from './complaints/complaint-open.ts'
import { complaintRoutes } from './complaints/complaints.ts'
import { consoleDocument } from './console-page.ts'
import { consolePrefix } from './console-route.ts'
import { developerRoutes } from './developers/keys-and-origins.ts'
import { requestRoutes } from './developers/request-log.ts'
import { sandboxRoutes } from './developers/sandbox.ts'
import { journeyActRoutes } from './journeys/journey-acts.ts'
import { journeyNoteRoutes } from './journeys/journey-notes.ts'
import { journeyRoutes } from './journeys/journeys.ts'
import { liveRoutes } from './journeys/live-updates.ts'
import { revealRoutes } from './journeys/reveal-borrower.ts'
import { timelineRoutes } from './journeys/timeline.ts'
import { transcriptRoutes } from './journeys/transcript.ts'
import { lenderRoutes } from './lenders/lenders.ts'
import { lendingPartnerRoutes } from './lenders/lending-partners.ts'
import { partnerEventRoutes } from './lenders/partner-events.ts'
import { unstoredFileRoutes } from './lenders/unstored-files.ts'
import { mailRoutes } from './mail/mail.ts'
import { attentionRoutes } from './overview/attention.ts'
import { overviewRoutes } from './overview/overview.ts'
import { viewRoutes } from './overview/saved-views.ts'
import { auditRoutes } from './people/audit.ts'
import { commandLineRoutes } from './people/command-line.ts'
import { openIdRoutes } from './people/open-id.ts'
import { ownAccountRoutes } from './people/own-account.ts'
import { passkeyRoutes } from './people/passkeys.ts'
import { peopleRoutes } from './people/people.ts'
import { personSessionRoutes } from './people/person-sessions.ts'
import { signInRoutes } from './people/sign-in.ts'
import { privacyRoutes } from './privacy/privacy.ts'
import { themeRoutes } from './themes.ts'
import { alertRoutes } from './webhooks/webhook-alerts.ts'
import { deliveryRoutes } from './webhooks/webhook-deliveries.ts'
import { listenerRoutes } from './webhooks/webhook-listeners.ts'
import { replayRoutes } from './webhooks/webhook-replays.ts'
import { endpointRoutes } from './webhooks/webhooks.ts'

export const consoleApi: Api<Context> = {
  prefix: consolePrefix,
  closedQuery: true,
  // The console computes relative times with the platform's clock, which a sandbox can move.
  headers: (_, at) => ({ 'cache-control': 'no-store', 'x-platform-time': at.toISOString() }),
  routes: [
    ...signInRoutes,
    ...ownAccountRoutes,
    ...passkeyRoutes,
    ...openIdRoutes,
    ...commandLineRoutes,
    ...peopleRoutes,
    ...personSessionRoutes,
    ...auditRoutes,
    ...viewRoutes,
    ...developerRoutes,
    ...themeRoutes,
    ...requestRoutes,
    ...sandboxRoutes,
    ...overviewRoutes,
    ...attentionRoutes,
    ...journeyRoutes,
    ...timelineRoutes,
    ...transcriptRoutes,
    ...revealRoutes,
    ...journeyActRoutes,
    ...journeyNoteRoutes,
    ...liveRoutes,
    ...lenderRoutes,
    ...lendingPartnerRoutes,
    ...partnerEventRoutes,
    ...unstoredFileRoutes,
    ...endpointRoutes,
    ...deliveryRoutes,
    ...replayRoutes,
    ...listenerRoutes,
    ...alertRoutes,
    ...complaintRoutes,
    ...complaintOpenRoutes,
    ...complaintActRoutes,
    ...complaintMailRoutes,
    ...complaintFileRoutes,
    ...mailRoutes,
    ...privacyRoutes,
  ],
  refuse: refused,
}

/** Every path below /console returns the same HTML. The page's script shows the area that the path names. */
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

/** Paths of earlier versions, which bookmarks and mails contain, with the paths of their content. */
const movedPaths = {
  '/console/lenders/events': '/console/lenders/partners',
  '/console/lenders/files': '/console/lenders/partners',
  '/console/lenders/registry': '/console/lenders',
  '/console/developers/reference': '/docs',
}

const movedPage = ([from, to]: [from: string, to: string]): Route<Context, null> => ({
  ...page(from),
  summary: 'The earlier address of a page of the console',
  handle: ({ search }) => redirect(to + search, 302),
})

export const consolePages: Api<Context> = {
  prefix: '/console',
  routes: [
    ...Object.entries(movedPaths).map(movedPage),
    ...['/console', '/console/{area}', '/console/{area}/{id}', '/console/{area}/{id}/{part}'].map(page),
  ],
  refuse: refused,
}
