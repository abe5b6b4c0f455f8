// All environment settings of the partner, with defaults and purposes.

import { sealSettings } from '#kit/crypto/seal.ts'
import { poolerSetting } from '#kit/db/sql.ts'
import { serverSettings } from '#kit/http/server.ts'
import { inboxSettings } from '#kit/messaging/inbox.ts'
import { choice, flag, number, port, portOrNone, type Setting, text, url } from '#kit/runtime/config.ts'
import { mailSettings } from '#kit/runtime/mail.ts'
import { openIdSettings } from '#kit/staff/settings.ts'
import { bankSettings } from '#partner/bank/settings.ts'
import { collectionSettings } from '#partner/collection/settings.ts'
import { deskSettings } from '#partner/desk/settings.ts'
import { documentSettings } from '#partner/document/settings.ts'
import { clientList, webhookUrl } from '#partner/exchange/client.ts'
import { penaltySettings } from '#partner/loan/penalty.ts'
import { limitSettings } from '#partner/receiver/rate-limit.ts'
import { bankRuleSettings } from '#partner/review/bank/settings.ts'
import { productSettings } from '#partner/review/settings.ts'

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

export const settings = {
  HOST: text('The address to listen on', '127.0.0.1'),
  PARTNER_PORT: port('The port of the partner', 4100),
  PARTNER_OPERATIONS_PORT: portOrNone(
    'A port of its own for /healthz, /readyz and /metrics, which stays reachable while the public one has too many connections; with it /metrics is no longer on the public port',
  ),
  PARTNER_PUBLIC_URL: url('Where the platform and borrowers reach the partner', 'http://127.0.0.1:4100'),
  PARTNER_DATABASE_URL: url('PostgreSQL of the partner'),
  PARTNER_DATABASE_POOLER: poolerSetting,
  PARTNER_DATABASE_CONNECTIONS: number(
    'Connections this process may hold, beside one for /readyz and one for wakes of other processes',
    16,
    2,
    500,
  ),
  PARTNER_MODE: choice(
    'What this process does: everything, only answering, or only background work',
    ['all', 'api', 'worker'],
    'all',
  ),
  ...sealSettings,
  ...serverSettings,
  SANDBOX: flag('Whether this is a sandbox; outside it the defaults that suit it are refused', 'on'),
  CLOCK_FILE: text('A file that moves the clock of a simulation; the real time without one', ''),
  LOG_LEVEL: choice('How much is logged', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
  PARTNER_SENDER: text('What the partner calls itself in its events', 'CELESTIUM'),
  PARTNER_CLIENTS: clientList('The platforms that may call, with the credentials of both directions, as JSON'),
  PLATFORM_WEBHOOK_URL: webhookUrl('Where events for the platform go', 'http://127.0.0.1:4000/api/partner/webhook'),
  LENDLOOM_TIME_SCALE: fraction('What the delays between tries of an event are multiplied with', '1'),
  PARTNER_AUTOPILOT: flag('Whether rules decide where people would: reviews, disbursement and weekly debits', 'on'),
  PARTNER_DEDUPE_HOURS: number('How long a dedupe decision permits a lead', 24, 1, 720),
  PARTNER_MOST_LOANS: number('How many loans and open applications one borrower may have at once', 5, 1, 100),
  PARTNER_MOST_EXPOSURE: number(
    'How much one borrower may owe and have been offered at once, in rupees: principal of loans and amounts of open applications',
    2_500_000,
    1000,
    1_000_000_000,
  ),
  PARTNER_LEAST_AGE: number('The age from which the lender lends', 18, 18, 100),
  PARTNER_OFFER_DAYS: number('How many days an offer may be accepted', 5, 1, 60),
  PARTNER_OFFER_GRACE_MINUTES: number(
    'How long a decision that was made in time may still be on its way; every retry of its event fits in',
    360,
    0,
    10_080,
  ),
  PARTNER_KYC_REVIEW: choice(
    'When the lender reviews a KYC itself: always, or only when it was done by video',
    ['always', 'video'],
    'video',
  ),
  PARTNER_KYC_REJECTED: choice(
    'What follows when a KYC is rejected, by its provider or by the lender: the borrower may try again, or the application ends',
    ['again', 'end'],
    'again',
  ),
  PARTNER_STEPS_DAYS: number(
    'Days from the acceptance of an offer in which KYC, mandate and signature are to be finished; the application lapses then',
    30,
    1,
    180,
  ),
  PARTNER_PAYOUT_DAYS: number(
    'Days for which an application with everything in order waits for its payout; it lapses then. A transfer that failed begins them again',
    30,
    1,
    180,
  ),
  PARTNER_MANDATE: choice('Whether a loan needs an active mandate', ['required', 'optional'], 'required'),
  ...documentSettings,
  ...productSettings,
  ...bankRuleSettings,
  ...penaltySettings,
  ...bankSettings,
  ...collectionSettings,
  ...limitSettings,
  ...inboxSettings,
  ...mailSettings,
  ...deskSettings,
  ...openIdSettings,
}
