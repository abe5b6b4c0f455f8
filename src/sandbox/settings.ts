// Everything the sandbox reads from its environment, with defaults and what each is for.

import { agreedWithProviders } from '#contract/provider/request.ts'
import { sealSettings } from '#kit/crypto/seal.ts'
import { poolerSetting } from '#kit/db/sql.ts'
import { serverSettings } from '#kit/http/server.ts'
import { type Config, number, port, portOrNone, type Setting, secret, text, url } from '#kit/runtime/config.ts'
import { isObject } from '#kit/runtime/record.ts'
import type { VerificationSettings } from './verification/verification-settings.ts'

const bearers = (about: string): Setting<Record<string, string>> => ({
  ...secret(about, '{}'),
  read(value) {
    const wrong = new Error('must be a JSON object of bearers by the name of an account')
    const given: unknown = jsonOr(value, wrong)
    if (!isBearers(given)) throw wrong
    return given
  },
})

const isBearers = (given: unknown): given is Record<string, string> =>
  isObject(given) && Object.values(given).every((bearer) => typeof bearer === 'string' && bearer.length >= 16)

function jsonOr(value: string, wrong: Error): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw wrong
  }
}

export const settings = {
  HOST: text('The address to listen on', '127.0.0.1'),
  SANDBOX_PORT: port('The port of the sandbox', 4200),
  SANDBOX_URL: url('Where the platform and browsers reach the sandbox', 'http://127.0.0.1:4200'),
  SANDBOX_DATABASE_URL: url('PostgreSQL of the sandbox'),
  SANDBOX_DATABASE_POOLER: poolerSetting,
  ...sealSettings,
  ...serverSettings,
  SANDBOX_DEMO_URL: text('Where the demo app of the platform is, in which the front page begins journeys', 'none'),
  SANDBOX_DISBURSAL_SECONDS: number('How long after the sanction a loan is disbursed', 2, 0, 86_400),
  SANDBOX_GRIEVANCE_SECONDS: number('How long a lender takes over each step with a complaint', 5, 0, 86_400),
  SANDBOX_BANK_BEARER: secret('What a lender calls its bank with', 'sandbox-bearer-of-the-bank'),
  SANDBOX_BANK_OTHERS: bearers(
    'What other lenders call the same bank with, as JSON: a bearer by the name of each account',
  ),
  SANDBOX_BANK_SECONDS: number('How long the bank takes over a transfer or a debit', 2, 0, 86_400),
  SANDBOX_BANK_SILENT_SECONDS: number('How long the bank keeps silent where a rule makes it', 15, 0, 600),
  SANDBOX_PROVIDER_SECONDS: number('How long officials, banks and analysers behind the providers take', 1, 0, 86_400),
  SANDBOX_SMTP_PORT: portOrNone('The port of the mail server that takes every mail and shows it at /mailbox'),
  PLATFORM_MAIL_URL: text('Where the platform takes in mail that is written at /mailbox, as smtp://host:port', 'none'),
  PLATFORM_MAIL_ADDRESS: text('Whom one writes to there', 'grievance@lendloom.example'),
  ...agreedWithProviders,
  CLOCK_FILE: text('A file that moves the clock of a simulation; the real time without one', ''),
  LOG_LEVEL: text('trace, debug, info, warn, error or silent', 'info'),
}

/** What each provider has agreed on with its client, and how long it takes. */
export const verificationSettings = (config: Config<typeof settings>): VerificationSettings => ({
  clients: {
    kyc: { credential: config.KYC_CREDENTIAL, callbackSecret: config.KYC_CALLBACK_SECRET },
    mandate: { credential: config.MANDATE_CREDENTIAL, callbackSecret: config.MANDATE_CALLBACK_SECRET },
    esign: { credential: config.ESIGN_CREDENTIAL, callbackSecret: config.ESIGN_CALLBACK_SECRET },
    statement: { credential: config.STATEMENT_CREDENTIAL, callbackSecret: config.STATEMENT_CALLBACK_SECRET },
  },
  seconds: config.SANDBOX_PROVIDER_SECONDS,
})
