// Which adapter something is begun with: by the settings, for an application and a lender; pure.
import { adapterNames, type ProviderChoices, type ProviderKind } from './settings.ts'

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
