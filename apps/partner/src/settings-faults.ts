// What is wrong with the partner's settings that are valid one by one: some need others, and some values are only for the sandbox.
import { type Config, sandboxValueFaults } from '@lendloom/foundation/config'
import { openIdFaults } from '@lendloom/identity/open-id-settings'
import { settings } from './settings.ts'

/** Settings whose defaults are public in our source code, or name parties of the sandbox. */
const sandboxOnly = [
  'BANK_BEARER',
  'BANK_NAME',
  'PARTNER_LENDER_NAME',
  'PARTNER_LENDER_ADDRESS',
  'PARTNER_GRIEVANCE_OFFICER',
  'PARTNER_LENDER_GSTIN',
  'PARTNER_REPAYMENT_ACCOUNT',
] as const

const addresses = ['PARTNER_PUBLIC_URL', 'PLATFORM_WEBHOOK_URL', 'BANK_URL'] as const

/** Returns a message for each fault in the settings that could be read. */
export const settingsFaults = (config: Partial<Config<typeof settings>>): string[] => [
  ...openIdFaults(config),
  ...unsafeOutsideSandbox(config),
]

/** Returns why the partner must not start outside the sandbox; empty in the sandbox. */
export function unsafeOutsideSandbox(config: Partial<Config<typeof settings>>): string[] {
  if (config.SANDBOX !== false) return []
  const { CLOCK_FILE, LENDLOOM_TIME_SCALE = 1, PARTNER_AUTOPILOT, PARTNER_CLIENTS = [], PARTNER_S3_URL } = config
  const isWebhookUrlUnused = PARTNER_CLIENTS.length > 0 && PARTNER_CLIENTS.every(({ webhook }) => webhook.url)
  const insecureAddresses = addresses.filter(
    (name) =>
      config[name] !== undefined &&
      !config[name].startsWith('https:') &&
      !(name === 'PLATFORM_WEBHOOK_URL' && isWebhookUrlUnused),
  )
  const insecureClients = PARTNER_CLIENTS.filter(({ webhook }) => webhook.url && !webhook.url.startsWith('https:'))
  return [
    ...sandboxValueFaults(settings, config, sandboxOnly),
    ...insecureAddresses.map((name) => `${name} must be https outside the sandbox`),
    ...insecureClients.map(
      ({ sender }) => `PARTNER_CLIENTS: the webhook of ${sender} must be https outside the sandbox`,
    ),
    ...(PARTNER_S3_URL?.startsWith('http:') ? ['PARTNER_S3_URL must be https outside the sandbox'] : []),
    ...(PARTNER_AUTOPILOT ? ['PARTNER_AUTOPILOT must be off outside the sandbox, where officers decide'] : []),
    ...(config.PARTNER_DESK_SECOND_FACTOR === 'optional'
      ? ['PARTNER_DESK_SECOND_FACTOR must be required outside the sandbox']
      : []),
    ...(CLOCK_FILE ? ['CLOCK_FILE changes the time, which is only allowed in a sandbox'] : []),
    ...(LENDLOOM_TIME_SCALE < 1 ? ['LENDLOOM_TIME_SCALE must not be below 1 outside the sandbox'] : []),
  ]
}
