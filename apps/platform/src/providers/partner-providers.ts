// The settings of providers that only applications to lending partners use, outside the sandbox.
import { type Config, sandboxValueFaults, settingsAtDefault } from '@lendloom/foundation/config'
import { isDefaultAdapterUnused, type ProviderKind, providerKinds, providerSettings } from './settings.ts'

export type ProviderConfig = Partial<Config<typeof providerSettings>>

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

/** Settings that must not keep their sandbox values. */
const partnerSettings = [
  'KYC_PROVIDER',
  'KYC_CREDENTIAL',
  'KYC_CALLBACK_SECRET',
  'MANDATE_PROVIDER',
  'MANDATE_CREDENTIAL',
  'MANDATE_CALLBACK_SECRET',
  'ESIGN_PROVIDER',
  'ESIGN_CREDENTIAL',
  'ESIGN_CALLBACK_SECRET',
  'STATEMENT_PROVIDER',
  'STATEMENT_CREDENTIAL',
  'STATEMENT_CALLBACK_SECRET',
  'BUREAU_PROVIDER',
  'BUREAU_CREDENTIAL',
] as const
const partnerUrls = ['KYC_URL', 'MANDATE_URL', 'ESIGN_URL', 'STATEMENT_URL', 'BUREAU_URL'] as const

/** Returns a test of a setting's name: whether the setting is used. It is not if another adapter was chosen for its kind. */
export function usedSettings(config: ProviderConfig): (name: string) => boolean {
  const choices = config.PROVIDER_CHOICES ?? []
  // The settings of MF Central are unused without its client secret.
  const isUnused = (kind: ProviderKind): boolean =>
    isDefaultAdapterUnused(choices, kind) ||
    (kind === 'registrar' && settingsAtDefault(providerSettings, config, ['MFC_CLIENT_SECRET']).length > 0)
  const unusedPrefixes = providerKinds.filter(isUnused).map((kind) => settingPrefixes[kind])
  return (name) => !unusedPrefixes.some((prefix) => name.startsWith(prefix))
}

/** Returns a message for each setting without which no partner may lend. Returns no messages in the sandbox. */
export function partnerProviderFaults(config: ProviderConfig & { SANDBOX?: boolean }): string[] {
  if (config.SANDBOX !== false) return []
  const isUsed = usedSettings(config)
  const insecureUrls = partnerUrls.filter(
    (name) => isUsed(name) && config[name] !== undefined && !config[name].startsWith('https:'),
  )
  return [
    ...sandboxValueFaults(providerSettings, config, partnerSettings.filter(isUsed)),
    ...insecureUrls.map((name) => `${name} must be https outside the sandbox`),
  ]
}
