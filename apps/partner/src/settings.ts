// All environment settings of the partner, with defaults and descriptions.

import { inboxSettings } from '@lendloom/event-log/inbox'
import {
  choice,
  databaseUrl,
  flag,
  number,
  port,
  portOrNone,
  type Setting,
  text,
  url,
} from '@lendloom/foundation/config'
import { serverSettings } from '@lendloom/http/server'
import { openIdSettings } from '@lendloom/identity/open-id-settings'
import { mailSettings } from '@lendloom/mail/mail'
import { poolerSetting } from '@lendloom/postgres/sql'
import { sealSettings } from '@lendloom/seal/seal'
import { limitSettings } from '#partner/api/rate-limit.ts'
import { bankSettings } from '#partner/bank/settings.ts'
import { ledgerSettings } from '#partner/books/ledger/settings.ts'
import { deskSettings } from '#partner/desk/settings.ts'
import { clientList, webhookUrl } from '#partner/exchange/clients-setting.ts'
import { documentSettings } from '#partner/origination/document/settings.ts'
import { bankRuleSettings } from '#partner/origination/review/bank/settings.ts'
import { productSettings } from '#partner/origination/review/settings.ts'
import { penaltySettings } from '#partner/origination/terms/penalty.ts'
import { collectionSettings } from '#partner/servicing/collection/settings.ts'

/** A positive decimal number, such as 0.01. */
const fraction = (about: string, fallback: string): Setting<number> => ({
  about,
  fallback,
  read(value) {
    if (!/^\d{1,4}(\.\d{1,6})?$/.test(value) || Number(value) === 0)
      throw new Error(`must be a positive number, not "${value}"`)
    return Number(value)
  },
})

/** Each setting with its description and default; documented in docs/reference/settings.md. */
export const settings = {
  HOST: text('The address to listen on', '127.0.0.1'),
  PARTNER_PORT: port('The port of the partner', 4100),
  PARTNER_OPERATIONS_PORT: portOrNone(
    'A separate port for /healthz, /readyz and /metrics, which stays reachable while the public port has too many connections; outside the sandbox /metrics is only there',
  ),
  PARTNER_PUBLIC_URL: url('Public URL of the partner, for the platform and borrowers', 'http://127.0.0.1:4100'),
  PARTNER_DATABASE_URL: databaseUrl('PostgreSQL database of the partner'),
  PARTNER_DATABASE_POOLER: poolerSetting,
  PARTNER_DATABASE_CONNECTIONS: number(
    'Maximum database connections of this process, plus one for /readyz and one for LISTEN',
    16,
    2,
    500,
  ),
  PARTNER_MODE: choice(
    'Role of this process: all, only the APIs, or only the workers',
    ['all', 'api', 'worker'],
    'all',
  ),
  ...sealSettings,
  ...serverSettings,
  SANDBOX: flag('Sandbox mode; if off, sandbox-only defaults are rejected', 'on'),
  CLOCK_FILE: text('File with a clock offset for simulations; without it the real time', ''),
  LOG_LEVEL: choice('Minimum level of log messages', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  PARTNER_SENDER: text('Sender name of the partner in its events', 'CELESTIUM'),
  PARTNER_CLIENTS: clientList(
    'Platforms that may call the partner, with the credentials of both directions, as JSON: [{"sender": …, "bearer": …, "keys": [{"keyId": …, "secret": …}], "webhook": {"bearer": …, "keyId": …, "secret": …}}]',
  ),
  PLATFORM_WEBHOOK_URL: webhookUrl('URL of the platform for events', 'http://127.0.0.1:4000/api/partner/webhook'),
  LENDLOOM_TIME_SCALE: fraction('Multiplier for event retry delays', '1'),
  PARTNER_AUTOPILOT: flag(
    'Autopilot: rules instead of officers decide on reviews, disbursement and weekly debits',
    'on',
  ),
  PARTNER_DEDUPE_HOURS: number('Hours for which a dedupe decision permits a lead', 24, 1, 720),
  PARTNER_MOST_LOANS: number('Maximum number of loans and open applications of one borrower', 5, 1, 100),
  PARTNER_MOST_EXPOSURE: number(
    'Maximum exposure of one borrower, in rupees: principal of loans and amounts of open applications',
    2_500_000,
    1000,
    1_000_000_000,
  ),
  PARTNER_LEAST_AGE: number('Minimum age of a borrower', 18, 18, 100),
  PARTNER_OFFER_DAYS: number('Days for which an offer may be accepted', 5, 1, 60),
  PARTNER_OFFER_GRACE_MINUTES: number(
    'Grace period, in minutes, for events of decisions made before the offer expired; must cover all retries of an event',
    360,
    0,
    10_080,
  ),
  PARTNER_KYC_REVIEW: choice(
    'When the lender reviews a KYC: always, or only a video KYC',
    ['always', 'video'],
    'video',
  ),
  PARTNER_KYC_REJECTED: choice(
    'Effect of a KYC rejected by the provider or the lender: the borrower may repeat it, or the application ends',
    ['again', 'end'],
    'again',
  ),
  PARTNER_STEPS_DAYS: number(
    'Days from the acceptance of an offer to complete KYC, mandate and signature; then the application lapses',
    30,
    1,
    180,
  ),
  PARTNER_PAYOUT_DAYS: number(
    'Days for which an application that is ready to disburse waits for its disbursement order; then it lapses. A failed transfer restarts this period',
    30,
    1,
    180,
  ),
  PARTNER_MANDATE: choice('Whether a loan needs an active mandate', ['required', 'optional'], 'required'),
  ...documentSettings,
  ...productSettings,
  ...bankRuleSettings,
  ...penaltySettings,
  ...ledgerSettings,
  ...bankSettings,
  ...collectionSettings,
  ...limitSettings,
  ...inboxSettings,
  ...mailSettings,
  ...deskSettings,
  ...openIdSettings,
}
