// Validation of settings outside the sandbox: values that only the sandbox may have.
import { type Config, settingsAtDefault } from '#kit/runtime/config.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import { openIdFaults } from '#kit/staff/settings.ts'
import { partnerConfigFault } from '#platform/exchange/partner/from-settings.ts'
import {
  isDefaultAdapterUnused,
  missingSettings,
  type ProviderKind,
  providerKinds,
  providerSettings,
} from '#platform/provider/settings.ts'
import { settings } from '#platform/settings.ts'

/** Settings whose default values work only in the sandbox. */
const sandboxDefaults = [
  ...['NETWORK_SUBSCRIBER_ID', 'NETWORK_SETTLEMENT_IFSC', 'NETWORK_SETTLEMENT_ACCOUNT', 'NETWORK_SETTLEMENT_VPA'],
  ...['AA_ID', 'AA_HANDLE', 'AA_LSP_ID', 'AA_SECRET', 'AA_API_KEY'],
  ...['KYC_CREDENTIAL', 'KYC_CALLBACK_SECRET', 'MANDATE_CREDENTIAL', 'MANDATE_CALLBACK_SECRET'],
  ...['ESIGN_CREDENTIAL', 'ESIGN_CALLBACK_SECRET', 'STATEMENT_CREDENTIAL', 'STATEMENT_CALLBACK_SECRET'],
  'BUREAU_CREDENTIAL',
  ...['MFC_PASSWORD', 'MFC_ENCRYPTION_KEY', 'MFC_URL_KEY'],
  ...['GRIEVANCE_OFFICER_NAME', 'GRIEVANCE_OFFICER_PHONE', 'GRIEVANCE_OFFICER_EMAIL'],
  ...['NODAL_OFFICER_NAME', 'NODAL_OFFICER_PHONE', 'NODAL_OFFICER_EMAIL'],
] as const
/** Further such settings of a platform with a lending partner. */
const partnerDefaults = [
  ...['KYC_PROVIDER', 'MANDATE_PROVIDER', 'ESIGN_PROVIDER', 'STATEMENT_PROVIDER', 'BUREAU_PROVIDER'],
  'PARTNER_LENDER_NAME',
] as const

/** Addresses of providers that only network loans use. */
const networkProviderAddresses = ['AA_REGISTRY_URL', 'MFC_URL', 'MFC_PAGE_URL'] as const
const requiredHttpsUrls = [
  'PUBLIC_URL',
  'NETWORK_REGISTRY_URL',
  'NETWORK_GATEWAY_URL',
  ...networkProviderAddresses,
] as const
type NetworkProviderAddress = (typeof networkProviderAddresses)[number]
type ProviderAddress = Exclude<Extract<keyof typeof providerSettings, `${string}_URL`>, NetworkProviderAddress>
const providerAddresses = Object.keys(providerSettings).filter(
  (name): name is ProviderAddress => name.endsWith('_URL') && !isOneOf(networkProviderAddresses, name),
)

/** The prefix of the settings of the first adapter, by kind of provider. */
const settingPrefixes: Record<ProviderKind, string> = {
  kyc: 'KYC_',
  esign: 'ESIGN_',
  mandate: 'MANDATE_',
  'bank-statement': 'STATEMENT_',
  bureau: 'BUREAU_',
  'account-aggregator': 'AA_',
  registrar: 'MFC_',
}

/** Settings that may be empty only in the sandbox. */
const requiredOutsideSandbox = [
  'NETWORK_REGISTRY_ENCRYPTION_KEY',
  'AA_SIGNING_KEY',
  'MFC_SIGNING_KEY',
  'MFC_PUBLIC_KEY',
] as const

/** Returns a message for each fault in the settings that could be read. */
export const settingsFaults = (config: Partial<Config<typeof settings>>): string[] => [
  ...missingSettings(config),
  ...openIdFaults(config),
  ...unsafeSettings(config),
]

/** Returns a message for each setting that is unsafe outside the sandbox. Returns no messages in the sandbox. */
export function unsafeSettings(config: Partial<Config<typeof settings>>): string[] {
  if (config.SANDBOX !== false) return []
  const { CLOCK_FILE, LENDLOOM_TIME_SCALE = 1, PARTNER_URL = '', PARTNER_CREDENTIALS = null, PARTNER_CONTACT } = config
  const hasPartner = PARTNER_URL !== ''
  const choices = config.PROVIDER_CHOICES ?? []
  // The settings of MF Central are unused without its client secret.
  const isUnused = (kind: ProviderKind): boolean =>
    isDefaultAdapterUnused(choices, kind) ||
    (kind === 'registrar' && settingsAtDefault(settings, config, ['MFC_CLIENT_SECRET']).length > 0)
  const unusedPrefixes = providerKinds.filter(isUnused).map((kind) => settingPrefixes[kind])
  const isUsed = (name: string): boolean => !unusedPrefixes.some((prefix) => name.startsWith(prefix))
  const insecureUrls = [...requiredHttpsUrls, ...(hasPartner ? providerAddresses : [])].filter(
    (name) => isUsed(name) && config[name] !== undefined && !config[name].startsWith('https:'),
  )
  const partnerConfig = hasPartner &&
    PARTNER_CONTACT && { PARTNER_URL, PARTNER_CREDENTIALS, PARTNER_CONTACT, SANDBOX: false }
  return [
    ...settingsAtDefault(
      settings,
      config,
      [...sandboxDefaults, ...(hasPartner ? partnerDefaults : [])].filter(isUsed),
    ).map((name) => `${name} is still the sandbox's`),
    ...insecureUrls.map((name) => `${name} must be https outside the sandbox`),
    ...requiredOutsideSandbox
      .filter((name) => isUsed(name) && config[name] === '')
      .map((name) => `${name} must be set outside the sandbox`),
    ...(CLOCK_FILE ? ['CLOCK_FILE changes the clock and is allowed only in the sandbox'] : []),
    ...(LENDLOOM_TIME_SCALE < 1 ? ['LENDLOOM_TIME_SCALE must not be below 1 outside the sandbox'] : []),
    ...(partnerConfig ? (partnerConfigFault({ config: partnerConfig })?.split('; ') ?? []) : []),
  ]
}
