// What is wrong with settings that are valid one by one: some need others, and some values are only for the sandbox.
import { type Config, sandboxValueFaults } from '@lendloom/foundation/config'
import { openIdFaults } from '@lendloom/identity/open-id-settings'
import { observabilityFaults } from '#platform/lenders/network/settings.ts'
import { partnerProviderFaults, usedSettings } from '#platform/providers/partner-providers.ts'
import { missingSettings } from '#platform/providers/settings.ts'
import { partnerConfigFault } from './lenders/partner/directory/partners-from-settings.ts'
import { settings } from './settings.ts'
import { smsFaults } from './sms/settings.ts'

/** Settings whose default values work only in the sandbox. */
const sandboxDefaults = [
  'NETWORK_SUBSCRIBER_ID',
  'NETWORK_SETTLEMENT_IFSC',
  'NETWORK_SETTLEMENT_ACCOUNT',
  'NETWORK_SETTLEMENT_VPA',
  'AA_ID',
  'AA_HANDLE',
  'AA_LSP_ID',
  'AA_SECRET',
  'AA_API_KEY',
  'MFC_PASSWORD',
  'MFC_ENCRYPTION_KEY',
  'MFC_URL_KEY',
  'GRIEVANCE_OFFICER_NAME',
  'GRIEVANCE_OFFICER_PHONE',
  'GRIEVANCE_OFFICER_EMAIL',
  'NODAL_OFFICER_NAME',
  'NODAL_OFFICER_PHONE',
  'NODAL_OFFICER_EMAIL',
] as const

const requiredHttpsUrls = [
  'PUBLIC_URL',
  'NETWORK_REGISTRY_URL',
  'NETWORK_GATEWAY_URL',
  'AA_REGISTRY_URL',
  'MFC_URL',
  'MFC_PAGE_URL',
] as const

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
  ...observabilityFaults(config),
  ...unsafeSettings(config),
]

/** Returns a message for each setting that is unsafe outside the sandbox. Returns no messages in the sandbox. */
export function unsafeSettings(config: Partial<Config<typeof settings>>): string[] {
  if (config.SANDBOX !== false) return []
  const { CLOCK_FILE, LENDLOOM_TIME_SCALE = 1, PARTNER_URL = '', PARTNER_CREDENTIALS = null, PARTNER_CONTACT } = config
  const isUsed = usedSettings(config)
  const insecureUrls = requiredHttpsUrls.filter(
    (name) => isUsed(name) && config[name] !== undefined && !config[name].startsWith('https:'),
  )
  const partnerConfig = PARTNER_URL !== '' &&
    PARTNER_CONTACT && { PARTNER_URL, PARTNER_CREDENTIALS, PARTNER_CONTACT, SANDBOX: false }
  return [
    ...sandboxValueFaults(settings, config, sandboxDefaults.filter(isUsed)),
    ...(PARTNER_URL === '' ? [] : sandboxValueFaults(settings, config, ['PARTNER_LENDER_NAME'])),
    ...(PARTNER_URL === '' ? [] : partnerProviderFaults(config)),
    ...insecureUrls.map((name) => `${name} must be https outside the sandbox`),
    ...requiredOutsideSandbox
      .filter((name) => isUsed(name) && config[name] === '')
      .map((name) => `${name} must be set outside the sandbox`),
    ...smsFaults(config),
    ...(CLOCK_FILE ? ['CLOCK_FILE changes the clock and is allowed only in the sandbox'] : []),
    ...(LENDLOOM_TIME_SCALE < 1 ? ['LENDLOOM_TIME_SCALE must not be below 1 outside the sandbox'] : []),
    // One message with all faults of the partner, of which each is a message here.
    ...(partnerConfig ? (partnerConfigFault({ config: partnerConfig })?.split('; ') ?? []) : []),
  ]
}
