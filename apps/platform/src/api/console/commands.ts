// How the command line offers the console's operations: `lendloom <noun> <verb>`. `npm run docs` joins this table with the
// routes into `apps/cli/src/console/operations.json`; names, types and limits of options come from the routes' schemas.

import { complaintCommands } from './complaints/commands.ts'
import { developerCommands } from './developers/commands.ts'
import { journeyCommands } from './journeys/commands.ts'
import { lenderCommands } from './lenders/commands.ts'
import { mailCommands } from './mail/commands.ts'
import { overviewCommands } from './overview/commands.ts'
import { peopleCommands } from './people/commands.ts'
import { privacyCommands } from './privacy/commands.ts'
import type { RouteCommand } from './route-command.ts'
import { webhookCommands } from './webhooks/commands.ts'

/** By method and path below `/api/console`, in the order of the help. */
export const routeCommands: Readonly<Record<string, RouteCommand>> = {
  ...peopleCommands,
  ...overviewCommands,
  ...developerCommands,
  ...journeyCommands,
  ...lenderCommands,
  ...webhookCommands,
  ...complaintCommands,
  ...mailCommands,
  ...privacyCommands,
}

/** Steps of signing in, secrets that a person types, and what only a page shows. */
export const routesOfPages: readonly string[] = [
  'POST /sign-in',
  'POST /sign-out',
  'POST /password',
  'POST /totp',
  'PUT /totp',
  'DELETE /totp',
  'POST /sign-in/passkey/options',
  'POST /sign-in/passkey',
  'POST /passkeys/options',
  'POST /passkeys',
  'GET /sign-in/ways',
  'POST /sign-in/openid',
  'POST /sign-in/openid/code',
  'GET /command-line/{userCode}',
  'POST /command-line/{userCode}',
  'POST /invitations/view',
  'POST /invitations/accept',
  'POST /developers/applications/{applicationId}/theme/effect',
  'GET /developers/applications/{applicationId}/theme/preview',
  'GET /journeys/{journeyId}/live',
  'GET /audit/acts',
  // `lendloom privacy` finds the borrower of a journey.
  'GET /journeys/{journeyId}/privacy',
  'POST /journeys/{journeyId}/privacy/export',
  'POST /journeys/{journeyId}/privacy/erasure',
  'POST /journeys/{journeyId}/privacy/hold',
  'POST /journeys/{journeyId}/privacy/release',
  'POST /journeys/{journeyId}/privacy/nominee',
]

/** Operations of commands that are written by hand in `apps/cli`, because they are more than a call. */
export const routesByHand: readonly string[] = [
  'GET /me',
  'POST /sign-in/command-line',
  'POST /sign-in/command-line/session',
  'POST /developers/sandbox/journeys/{journeyId}/advance',
  'GET /developers/sandbox/clock',
  'POST /developers/sandbox/clock',
  'GET /journeys/{journeyId}',
  'GET /journeys/{journeyId}/timeline',
  'POST /lending-partners',
  'PATCH /lending-partners/{partnerId}',
  'POST /lending-partners/{partnerId}/rotate',
  'POST /webhooks/endpoints/{endpointId}/check-signature',
  'POST /webhooks/replays',
  'POST /webhooks/replays/{replayId}/resume',
  'POST /webhooks/listeners',
  'POST /webhooks/listeners/{endpointId}/pull',
  'GET /webhooks/alerts',
  'PUT /webhooks/alerts',
]
