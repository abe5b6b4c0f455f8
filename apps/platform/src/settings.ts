// All environment settings of the platform, with defaults and descriptions.

import { inboxSettings } from '@lendloom/event-log/inbox'
import { choice, databaseUrl, flag, number, port, portOrNone, text, url } from '@lendloom/foundation/config'
import { clientCertificateSetting } from '@lendloom/http/client-certificate'
import { serverSettings } from '@lendloom/http/server'
import { openIdSettings } from '@lendloom/identity/open-id-settings'
import { poolerSetting } from '@lendloom/postgres/sql'
import { sealSettings } from '@lendloom/seal/seal'
import { complaintSettings } from '#platform/complaints/complaint/settings.ts'
import { grievanceSettings } from '#platform/complaints/grievance/settings.ts'
import { rateLimitSettings } from '#platform/integrators/access/rate-limit.ts'
import { requestLogSettings } from '#platform/integrators/request-log/settings.ts'
import { networkSettings } from '#platform/lenders/network/settings.ts'
import { exchangeSettings } from '#platform/lenders/partner/settings.ts'
import { mailInSettings } from '#platform/mail/settings.ts'
import { providerSettings } from '#platform/providers/settings.ts'
import { archiveSettings } from '#platform/records/archive/settings.ts'
import { smsSettings } from '#platform/sms/settings.ts'
import { webhookSettings } from './integrators/webhook/delivery-policy.ts'

export const settings = {
  HOST: text('The address to listen on', '127.0.0.1'),
  PORT: port('The port of the platform', 4000),
  OPERATIONS_PORT: portOrNone(
    'A separate port for /healthz, /readyz and /metrics, which remains reachable when the public port has too many connections; outside the sandbox /metrics is only there',
  ),
  PUBLIC_URL: url('The URL at which browsers and lenders reach the platform', 'http://127.0.0.1:4000'),
  DATABASE_URL: databaseUrl("The platform's PostgreSQL database"),
  DATABASE_POOLER: poolerSetting,
  DATABASE_CONNECTIONS: number(
    'Database connections of this process, in addition to one for /readyz and one for notifications from other processes',
    16,
    2,
    500,
  ),
  ...sealSettings,
  ...serverSettings,
  MODE: choice(
    'What this process runs: everything, only the APIs, or only background work',
    ['all', 'api', 'worker'],
    'all',
  ),
  SANDBOX: flag(
    'Whether the sandbox simulates the network and the providers. It also allows http, loopback addresses and test triggers',
    'on',
  ),
  CLOCK_FILE: text('A file that shifts the clock of a simulation; empty for real time', ''),
  LOG_LEVEL: choice('The log level', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  EMBED_TOKEN_SECONDS: number(
    'Seconds in which the token of an embed URL may be exchanged for a session',
    120,
    10,
    3600,
  ),
  EMBED_SESSION_SECONDS: number("Lifetime in seconds of a hosted page's session", 1800, 60, 86_400),
  JOURNEY_IDLE_DAYS: number('Days without an act of the borrower after which a journey expires', 30, 1, 365),
  OFFER_WINDOW_SECONDS: number('Seconds in which lenders may still answer after the search has closed', 120, 1, 86_400),
  STATUS_POLL_SECONDS: number(
    'Seconds to wait for the report of a disbursal or payment before polling the lender',
    30,
    1,
    86_400,
  ),
  IFSC_FILE: text(
    "The Reserve Bank's list of branches as CSV, with the columns IFSC, BRANCH and CITY or CENTRE; without it the page shows only the bank of an IFSC",
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
  CLIENT_CERTIFICATE: clientCertificateSetting(
    'The certificate that we present to webhook receivers and lending partners that demand one, as PEM: certificate, intermediate certificates, private key',
  ),
  ...requestLogSettings,
  ...archiveSettings,
  ...mailInSettings,
  ...smsSettings,
  ...openIdSettings,
}
