// Settings of a buyer app on the open credit network, with sandbox defaults.

import { durationMs } from '@lendloom/foundation/clock'
import { type Config, choice, flag, number, type Setting, secret, text, url } from '@lendloom/foundation/config'
import { ownValue } from '@lendloom/foundation/record'
import { settingGroup } from '@lendloom/foundation/setting-group'
import { accountNumberPattern, storedIfscPattern } from '@lendloom/wire/identifier'
import { networkDomains, usualDomain } from '@lendloom/wire/network/context'
import { signingKey } from '@lendloom/wire/network/signing'
import { lendersByExtra } from './conversation.ts'

/** Adds a validation to a setting; `format` describes a valid value in the error. Secret values are never printed. */
const validated = (setting: Setting<string>, isValid: (value: string) => boolean, format: string): Setting<string> => ({
  ...setting,
  read(value) {
    if (!isValid(value)) throw new Error(setting.secret ? `must be ${format}` : `must be ${format}, not "${value}"`)
    return value
  },
})

const isSigningKey = (value: string): boolean => {
  try {
    return signingKey(value).type === 'private'
  } catch {
    return false
  }
}
const isEncryptionKey = (value: string): boolean => /^MC4CAQAwBQYDK2VuBCIEI[A-Za-z0-9+/]{43}=?$/.test(value)
const isDuration = (value: string): boolean => (durationMs(value) ?? 0) >= 1000
const isDecimal = (value: string): boolean => /^\d{1,9}(\.\d{1,4})?$/.test(value)
const isDomain = (value: string): boolean => /^(?!(?:https?|www)\.)[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(value)
const isJsonObject = (value: string): boolean => {
  try {
    return JSON.parse(value)?.constructor === Object
  } catch {
    return false
  }
}

/** The network's environments, with the addresses and the key that the network publishes. */
const networkEnvironments: Record<string, Record<string, string>> = {
  preprod: {
    NETWORK_REGISTRY_URL: 'https://preprod.registry.ondc.org',
    NETWORK_GATEWAY_URL: 'https://preprod.gateway.ondc.org',
    NETWORK_REGISTRY_ENCRYPTION_KEY: 'MCowBQYDK2VuAyEAa9Wbpvd9SsrpOZFcynyt/TO3x0Yrqyys4NUGIvyxX2Q=',
  },
  prod: {
    NETWORK_REGISTRY_URL: 'https://prod.registry.ondc.org',
    NETWORK_GATEWAY_URL: 'https://prod.gateway.ondc.org',
    NETWORK_REGISTRY_ENCRYPTION_KEY: 'MCowBQYDK2VuAyEAvVEyZY91O2yV8w8/CAwVDAnqIZDJJUPdLUUKwLo3K0M=',
  },
}
export const networkNames = ['preprod', 'prod'] as const

const networkChoice = {
  ...choice(
    "Environment of the network: gives the registry's URL and key and the gateway's URL, unless they are set",
    ['sandbox', ...networkNames],
    'sandbox',
  ),
  derived: {
    names: ['NETWORK_REGISTRY_URL', 'NETWORK_GATEWAY_URL', 'NETWORK_REGISTRY_ENCRYPTION_KEY'],
    defaultsFrom: (name: string): Record<string, string> => ownValue(networkEnvironments, name) ?? {},
  },
}

export const networkSettings = {
  NETWORK: networkChoice,
  NETWORK_REGISTRY_URL: url('URL of the network registry', 'http://127.0.0.1:4200/registry'),
  NETWORK_REGISTRY_ENCRYPTION_KEY: validated(
    text('X25519 public key of the registry, base64 DER; if empty, fetched from the (sandbox) registry', ''),
    (value) => value === '' || /^MCowBQYDK2VuAyEA[A-Za-z0-9+/]{43}=$/.test(value),
    'an X25519 public key in base64 SPKI DER',
  ),
  NETWORK_GATEWAY_URL: url('URL of the gateway that broadcasts our searches', 'http://127.0.0.1:4200/gateway'),
  NETWORK_SUBSCRIBER_ID: validated(
    text('Our subscriber id on the network: a domain name', 'buyer.lendloom.example'),
    isDomain,
    'a bare domain name',
  ),
  NETWORK_SUBSCRIBER_URL: text('Our URL for lenders; by default PUBLIC_URL with /ondc', ''),
  NETWORK_KEY_ID: text('The unique id of our key pair in the registry', 'key-1'),
  NETWORK_SIGNING_KEY: validated(
    secret('Our Ed25519 private key: base64 of seed and public key, or of the seed'),
    isSigningKey,
    'base64 of 32 bytes, or of 64 with the public key of the first 32',
  ),
  NETWORK_ENCRYPTION_KEY: validated(
    secret('Our X25519 private key: base64 of PKCS #8 DER'),
    isEncryptionKey,
    'an X25519 private key in base64 PKCS #8',
  ),
  NETWORK_ENTITY: validated(
    text('Our company details for the subscription, as JSON: gst, pan, name_of_authorised_signatory, …', '{}'),
    isJsonObject,
    'a JSON object',
  ),
  NETWORK_CALL_TTL: validated(
    text("How long we wait for a lender's answer to a request", 'PT30S'),
    isDuration,
    'an ISO 8601 duration',
  ),
  NETWORK_SEARCH_TTL: validated(
    text('How long lenders may answer a search', 'PT15S'),
    isDuration,
    'an ISO 8601 duration',
  ),
  NETWORK_OLDER_VERSIONS: validated(
    text(
      'Older versions in which loans are also searched, as 2.0.1,2.0.2: one more search for each. A lender that answers in one is always understood',
      '',
    ),
    (value) => /^(?:2\.0\.[12](?:,2\.0\.[12])?)?$/.test(value),
    'empty, or 2.0.1, 2.0.2 or both with a comma',
  ),
  NETWORK_DOMAINS: validated(
    text(
      'Domains in which we are subscribed: ONDC:FIS12, or ONDC:FIS12,ONDC:FIS12:SL. With the second one, loans against mutual funds are searched there too',
      usualDomain,
    ),
    (value) => value === usualDomain || value === networkDomains.join(),
    `${usualDomain} or ${networkDomains.join()}`,
  ),
  NETWORK_DEDUPE_LENDERS: validated(
    text(
      'Lenders that check a borrower before the application, if their catalogue offers the check: lender.example,other.example. They get PAN, birth date, mobile number and email first',
      '',
    ),
    (value) => value === '' || value.split(',').every((lender) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(lender)),
    'empty, or domain names in lower case with commas, such as lender.example,other.example',
  ),
  NETWORK_EXTRA_ACTIONS: validated(
    text(
      'Lenders that agreed to actions which no published flow has, with these: lender.example:cancel+support+track+rating,other.example:support',
      '',
    ),
    (value) => lendersByExtra(value) !== null,
    'empty, or domain names with actions of cancel, support, track, rating, such as lender.example:cancel+support',
  ),
  NETWORK_FORM_SECONDS: number('How long we retry the submission of a form', 30, 1, 3600),
  NETWORK_LOOKUP_CACHE_SECONDS: number('How long a key from the registry is cached', 300, 1, 86_400),
  NETWORK_CLOCK_SKEW_SECONDS: number("Accepted difference between a lender's clock and ours in signatures", 60, 0, 300),
  NETWORK_FINDER_FEE_TYPE: choice(
    "How the finder's fee is computed",
    ['percent-annualized', 'percent', 'amount'],
    'percent-annualized',
  ),
  NETWORK_FINDER_FEE: validated(text("The finder's fee: a percentage, or rupees", '1'), isDecimal, 'a decimal number'),
  NETWORK_DELAY_INTEREST: validated(
    text('Interest on a late fee, in percent a year', '2.5'),
    isDecimal,
    'a decimal number',
  ),
  NETWORK_STATIC_TERMS_URL: text('URL of our settlement terms; by default the page that we serve', ''),
  NETWORK_OFFLINE_CONTRACT: flag('Whether a contract outside the network overrides these terms', 'off'),
  NETWORK_SETTLEMENT_TYPE: choice('How lenders transfer our fee', ['neft', 'rtgs', 'upi'], 'neft'),
  NETWORK_SETTLEMENT: settingGroup('The account for our fee', {
    ifsc: {
      setting: 'NETWORK_SETTLEMENT_IFSC',
      pattern: new RegExp(storedIfscPattern),
      format: 'an IFSC in capitals',
    },
    account: {
      setting: 'NETWORK_SETTLEMENT_ACCOUNT',
      pattern: new RegExp(accountNumberPattern),
      format: 'an account number of 9 to 18 digits',
    },
    vpa: {
      setting: 'NETWORK_SETTLEMENT_VPA',
      pattern: /^[\w.-]{1,256}@[A-Za-z][\w.-]{1,63}$/,
      format: 'a UPI address',
    },
  }),
  NETWORK_SETTLEMENT_IFSC: text('IFSC of the account for our fee', 'LEND0000001'),
  NETWORK_SETTLEMENT_ACCOUNT: text('Number of that account', '000000000000'),
  NETWORK_SETTLEMENT_VPA: text('UPI address of that account', 'lendloom@sandbox'),
  NETWORK_OBSERVABILITY_URL: validated(
    text(
      "URL of the network's collector, to which every message is reported without personal data: https://analytics-api.aws.ondc.org/v1/api/push-txn-logs, in pre-production https://analytics-api-pre-prod.aws.ondc.org/v1/api/push-txn-logs; off if empty",
      '',
    ),
    (value) => value === '' || /^https?:\/\/[^\s/@?#]+\/[^\s?#]*$/.test(value),
    'an http(s) URL with a path, without user and query, because the console shows it',
  ),
  NETWORK_OBSERVABILITY_TOKEN: secret(
    'Bearer for the collector, from the participant portal of the network; required with NETWORK_OBSERVABILITY_URL',
    '',
  ),
}

export function observabilityFaults({
  NETWORK_OBSERVABILITY_URL: collector = '',
  NETWORK_OBSERVABILITY_TOKEN: token,
  SANDBOX,
}: Partial<Pick<Config<typeof networkSettings>, 'NETWORK_OBSERVABILITY_URL' | 'NETWORK_OBSERVABILITY_TOKEN'>> & {
  SANDBOX?: boolean
}): string[] {
  if (collector === '') return []
  return [
    ...(token === '' ? ['NETWORK_OBSERVABILITY_TOKEN must be set with NETWORK_OBSERVABILITY_URL'] : []),
    ...(SANDBOX === false && !collector.startsWith('https:')
      ? ['NETWORK_OBSERVABILITY_URL must be https outside the sandbox']
      : []),
  ]
}
