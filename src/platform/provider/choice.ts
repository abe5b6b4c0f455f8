// Which adapter something is begun with: by the settings, for an application and a lender; pure.
import type { Config } from '#kit/runtime/config.ts'
import { adapterNames, neededBy, type ProviderChoices, type ProviderKind, type providerSettings } from './settings.ts'

/** For whom something is begun: the integrator's application, and the lender by its name in the exchange or on the network. */
export interface ChosenFor {
  application: string
  lender: string
}

/** The name of the adapter: that of the first choice which fits, else the first one of the kind. */
export function adapterFor(
  { PROVIDER_CHOICES }: { PROVIDER_CHOICES: ProviderChoices },
  kind: ProviderKind,
  { application, lender }: ChosenFor,
): string {
  const choice = PROVIDER_CHOICES.find(
    (each) =>
      each.kind === kind && (each.application ?? application) === application && (each.lender ?? lender) === lender,
  )
  return choice?.use ?? adapterNames[kind][0]
}

/** What is missing for the adapters that were chosen; nothing in a configuration that works. */
export function unconfigured(config: Partial<Config<typeof providerSettings>>): string[] {
  const used = new Set((config.PROVIDER_CHOICES ?? []).map(({ use }) => use))
  return [...used].flatMap((use) =>
    (neededBy[use] ?? [])
      .filter((name) => config[name] === '')
      .map((name) => `${name} must be set where ${use} is used`),
  )
}

/** Whether an adapter is of no use for a kind: another one was chosen for everybody, and nobody has this one. */
export function isReplaced(choices: ProviderChoices, kind: ProviderKind, adapter: string): boolean {
  const own = choices.filter((each) => each.kind === kind)
  const isForAll = own.some(({ application, lender }) => application === undefined && lender === undefined)
  return isForAll && own.every(({ use }) => use !== adapter)
}
