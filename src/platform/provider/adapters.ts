// The adapters of every kind of provider, by name, and their selection. Add a new one here and in `settings.ts`.

import type { Config } from '#kit/runtime/config.ts'
import { ownValue } from '#kit/runtime/record.ts'
import type { AggregatorPort } from './account-aggregator/port.ts'
import { rebitAggregator } from './account-aggregator/rebit.ts'
import { lendloomStatement } from './bank-statement/lendloom.ts'
import type { StatementPort } from './bank-statement/port.ts'
import { lendloomBureau } from './bureau/lendloom.ts'
import type { BureauPort } from './bureau/port.ts'
import { cashfreeEsign } from './esign/cashfree.ts'
import { lendloomEsign } from './esign/lendloom.ts'
import { lendloomKyc } from './kyc/lendloom.ts'
import { lendloomMandate } from './mandate/lendloom.ts'
import type { EsignPort, KycPort, MandatePort } from './ports.ts'
import { mfCentral } from './registrar/mfcentral.ts'
import type { RegistrarPort } from './registrar/port.ts'
import {
  type AdapterName,
  adapterNames,
  type ProviderChoices,
  type ProviderKind,
  type providerSettings,
  requiredSettings,
} from './settings.ts'

interface Ports {
  kyc: KycPort
  esign: EsignPort
  mandate: MandatePort
  'bank-statement': StatementPort
  bureau: BureauPort
  'account-aggregator': AggregatorPort
  registrar: RegistrarPort
}

/** The type requires exactly the names of `settings.ts`. */
const adapters: { [Kind in ProviderKind]: Record<AdapterName<Kind>, Ports[Kind]> } = {
  kyc: { lendloom: lendloomKyc },
  esign: { lendloom: lendloomEsign, cashfree: cashfreeEsign },
  mandate: { lendloom: lendloomMandate },
  'bank-statement': { lendloom: lendloomStatement },
  bureau: { lendloom: lendloomBureau },
  'account-aggregator': { rebit: rebitAggregator },
  registrar: { mfcentral: mfCentral },
}

/** Returns an adapter by its name; throws for an unknown one. */
export function adapterNamed<Kind extends ProviderKind>(kind: Kind, name: string): Ports[Kind] {
  const byName: Partial<Record<string, Ports[Kind]>> = adapters[kind]
  const adapter = ownValue(byName, name)
  if (!adapter) throw new Error(`there is no adapter "${name}" for ${kind}`)
  return adapter
}

/**
 * The scope of an adapter choice: the integrator's application, and the lender's name in the exchange or on the network.
 */
export interface AdapterScope {
  application: string
  lender: string
}

/** Returns the adapter of the first matching choice, or else the first adapter of the kind. */
export function adapterFor(
  { PROVIDER_CHOICES }: { PROVIDER_CHOICES: ProviderChoices },
  kind: ProviderKind,
  { application, lender }: AdapterScope,
): string {
  const choice = PROVIDER_CHOICES.find(
    (each) =>
      each.kind === kind && (each.application ?? application) === application && (each.lender ?? lender) === lender,
  )
  return choice?.use ?? adapterNames[kind][0]
}

/** Returns a message for each missing setting of the chosen adapters. */
export function missingSettings(config: Partial<Config<typeof providerSettings>>): string[] {
  const used = new Set((config.PROVIDER_CHOICES ?? []).map(({ use }) => use))
  return [...used].flatMap((use) =>
    (requiredSettings[use] ?? [])
      .filter((name) => config[name] === '')
      .map((name) => `${name} must be set when ${use} is used`),
  )
}

/** Whether an adapter is unused for a kind: another one is the default, and no choice names this one. */
export function isAdapterUnused(choices: ProviderChoices, kind: ProviderKind, adapter: string): boolean {
  const own = choices.filter((each) => each.kind === kind)
  const isForAll = own.some(({ application, lender }) => application === undefined && lender === undefined)
  return isForAll && own.every(({ use }) => use !== adapter)
}
