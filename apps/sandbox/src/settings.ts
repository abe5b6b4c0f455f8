// The sandbox's settings from its environment, with defaults and descriptions.

import {
  type Config,
  choice,
  databaseUrl,
  number,
  port,
  portOrNone,
  type Setting,
  secret,
  text,
  url,
} from '@lendloom/foundation/config'
import { isObject, isOneOf } from '@lendloom/foundation/record'
import { serverSettings } from '@lendloom/http/server'
import { poolerSetting } from '@lendloom/postgres/sql'
import { sealSettings } from '@lendloom/seal/seal'
import { sharedProviderSettings } from '@lendloom/wire/provider/common-interface'
import { collectorToken, smsKey } from '@lendloom/wire/sandbox/provider-settings'
import type { OtherLender } from './bank/bank-route.ts'
import { type LenderVersion, lenderVersions } from './core/lender-version.ts'
import { policyOf } from './lender/core/lender-policies.ts'
import type { VerificationSettings } from './verification/verification-settings.ts'

const otherLenders = (description: string): Setting<Record<string, OtherLender>> => ({
  ...secret(description, '{}'),
  read(value) {
    const invalidValue = new Error('must be a JSON object of account names, each with a name and a bearer')
    const lenders: unknown = jsonOr(value, invalidValue)
    if (!isOtherLenders(lenders)) throw invalidValue
    return lenders
  },
})

const isOtherLenders = (value: unknown): value is Record<string, OtherLender> =>
  isObject(value) &&
  Object.values(value).every(
    (each) =>
      isObject(each) && typeof each.name === 'string' && typeof each.bearer === 'string' && each.bearer.length >= 16,
  )

function jsonOr(value: string, invalidValue: Error): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw invalidValue
  }
}

const versionsByLender = (about: string, fallback: string): Setting<ReadonlyMap<string, LenderVersion[]>> => ({
  ...text(about, fallback),
  read: (value) => new Map(value.split(',').filter(Boolean).map(versionsOfLender)),
})

function versionsOfLender(entry: string): [string, LenderVersion[]] {
  const [slug = '', text = ''] = entry.split('=')
  const versions = text.split('+').filter((each) => isOneOf(lenderVersions, each))
  if (!policyOf(slug) || versions.length === 0 || versions.length !== text.split('+').length)
    throw new Error('must be as tulsi=2.0.3-stops+2.3.0-stops,narmada=2.0.2')
  return [slug, versions]
}

export const settings = {
  HOST: text('The address to listen on', '127.0.0.1'),
  SANDBOX_PORT: port('The port of the sandbox', 4200),
  SANDBOX_URL: url('Where the platform and browsers reach the sandbox', 'http://127.0.0.1:4200'),
  SANDBOX_DATABASE_URL: databaseUrl('PostgreSQL of the sandbox'),
  SANDBOX_DATABASE_POOLER: poolerSetting,
  ...sealSettings,
  ...serverSettings,
  SANDBOX_DEMO_URL: text("URL of the platform's demo app, in which the front page starts journeys", 'none'),
  SANDBOX_DISBURSAL_SECONDS: number('Seconds from the sanction to the disbursal', 2, 0, 86_400),
  SANDBOX_LENDER_VERSIONS: versionsByLender(
    'Lenders that answer in another version of the network: 2.0.1 for personal loans, 2.0.2 or 2.0.3-stops (one page after the offer) for personal and gold loans, 2.3.0-stops (the same, in ONDC:FIS12:SL) for loans against mutual funds. Several of a lender have a plus between them',
    '',
  ),
  SANDBOX_GRIEVANCE_SECONDS: number('Seconds that a lender takes for each step of a complaint', 5, 0, 86_400),
  SANDBOX_BANK_BEARER: secret('The bearer with which a lender calls its bank', 'sandbox-bearer-of-the-bank'),
  SANDBOX_BANK_LENDER: text('Name of that lender on the pages of its bank', 'Celestium Finance Limited'),
  SANDBOX_BANK_OTHERS: otherLenders(
    'Other lenders at the same bank, each with a name and a bearer, as a JSON object keyed by account name',
  ),
  SANDBOX_BANK_SECONDS: number('Seconds that the bank takes for a transfer or a debit', 2, 0, 86_400),
  SANDBOX_BANK_SESSIONS: choice('Whether results of e-NACH debits wait for their session', ['on', 'off'], 'off'),
  SANDBOX_BANK_SILENT_SECONDS: number(
    'Seconds that the bank delays its response when a fault rule asks for it',
    15,
    0,
    600,
  ),
  SANDBOX_PROVIDER_SECONDS: number(
    'Seconds that the officials, banks and analysers behind the providers take',
    1,
    0,
    86_400,
  ),
  NETWORK_OBSERVABILITY_TOKEN: secret(
    "Bearer with which participants report to the network's collector",
    collectorToken,
  ),
  SANDBOX_SMTP_PORT: portOrNone('The port of the mail server that accepts every mail and shows it at /mailbox'),
  PLATFORM_MAIL_URL: text("The platform's mail server for mail written at /mailbox, as smtp://host:port", 'none'),
  PLATFORM_MAIL_ADDRESS: text('The address that mail written at /mailbox is sent to', 'grievance@lendloom.example'),
  SMS_API_KEY: secret('The bearer with which the platform sends an SMS, which is shown at /sms', smsKey),
  ...sharedProviderSettings,
  CLOCK_FILE: text('A file that moves the clock of a simulation; empty for real time', ''),
  LOG_LEVEL: text('trace, debug, info, warn, error or silent', 'info'),
}

/** Each provider's credentials with its client, and how long providers take. */
export const verificationSettings = (config: Config<typeof settings>): VerificationSettings => ({
  clients: {
    kyc: { credential: config.KYC_CREDENTIAL, callbackSecret: config.KYC_CALLBACK_SECRET },
    mandate: { credential: config.MANDATE_CREDENTIAL, callbackSecret: config.MANDATE_CALLBACK_SECRET },
    esign: { credential: config.ESIGN_CREDENTIAL, callbackSecret: config.ESIGN_CALLBACK_SECRET },
    statement: { credential: config.STATEMENT_CREDENTIAL, callbackSecret: config.STATEMENT_CALLBACK_SECRET },
  },
  seconds: config.SANDBOX_PROVIDER_SECONDS,
})
