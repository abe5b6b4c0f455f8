// All environment settings of the platform, with defaults and purposes.

import { sealSettings } from '#kit/crypto/seal.ts'
import { poolerSetting } from '#kit/db/sql.ts'
import { serverSettings } from '#kit/http/server.ts'
import { inboxSettings } from '#kit/messaging/inbox.ts'
import { choice, flag, number, port, portOrNone, text, url } from '#kit/runtime/config.ts'
import { openIdSettings } from '#kit/staff/settings.ts'
import { rateLimitSettings } from '#platform/access/rate-limit.ts'
import { complaintSettings } from '#platform/complaint/settings.ts'
import { exchangeSettings } from '#platform/exchange/settings.ts'
import { grievanceSettings } from '#platform/grievance/settings.ts'
import { mailInSettings } from '#platform/mail/settings.ts'
import { networkSettings } from '#platform/network/settings.ts'
import { providerSettings } from '#platform/provider/settings.ts'
import { requestLogSettings } from '#platform/request-log/settings.ts'
import { webhookSettings } from '#platform/webhook/delivery.ts'

export const settings = {
  HOST: text('The address to listen on', '127.0.0.1'),
  PORT: port('The port of the platform', 4000),
  OPERATIONS_PORT: portOrNone(
    'A port of its own for /healthz, /readyz and /metrics, which stays reachable while the public one has too many connections; with it /metrics is no longer on the public port',
  ),
  PUBLIC_URL: url('Where browsers and lenders reach the platform', 'http://127.0.0.1:4000'),
  DATABASE_URL: url('PostgreSQL of the platform'),
  DATABASE_POOLER: poolerSetting,
  DATABASE_CONNECTIONS: number(
    'Connections this process may hold, beside one for /readyz and one for wakes of other processes',
    16,
    2,
    500,
  ),
  ...sealSettings,
  ...serverSettings,
  MODE: choice(
    'What this process does: everything, only answering, or only background work',
    ['all', 'api', 'worker'],
    'all',
  ),
  SANDBOX: flag(
    'Whether the sandbox plays the network and the providers; allows http, loopback and test triggers',
    'on',
  ),
  CLOCK_FILE: text('A file that moves the clock of a simulation; the real time without one', ''),
  LOG_LEVEL: choice('How much is logged', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  EMBED_TOKEN_SECONDS: number('How long the token in an embed URL may be traded for a session', 120, 10, 3600),
  EMBED_SESSION_SECONDS: number('How long a hosted page stays signed in', 1800, 60, 86_400),
  JOURNEY_IDLE_DAYS: number('Days without an act of the borrower after which a journey expires', 30, 1, 365),
  OFFER_WINDOW_SECONDS: number('How long lenders may still answer after the search has closed', 120, 1, 86_400),
  STATUS_POLL_SECONDS: number('How long to wait for a disbursal to be announced before asking for it', 30, 1, 86_400),
  IFSC_FILE: text(
    "The Reserve Bank's list of branches as CSV, with the columns IFSC, BRANCH and CITY or CENTRE; without it the page shows the bank of an IFSC alone",
    '',
  ),
  ...rateLimitSettings,
  ...networkSettings,
  ...grievanceSettings,
  ...complaintSettings,
  ...inboxSettings,
  ...exchangeSettings,
  ...providerSettings,
  ...webhookSettings,
  ...requestLogSettings,
  ...mailInSettings,
  ...openIdSettings,
}
