// The adapters of every kind of provider, by name. A new one is a line here, and its name in `settings.ts`.
import { ownValue } from '#kit/runtime/record.ts'
import type { AggregatorPort } from './account-aggregator/port.ts'
import { rebitAggregator } from './account-aggregator/rebit.ts'
import { lendloomStatement } from './bank-statement/lendloom.ts'
import type { StatementPort } from './bank-statement/port.ts'
import { lendloomBureau } from './bureau/lendloom.ts'
import type { BureauPort } from './bureau/port.ts'
import { cashfreeEsign } from './esign/cashfree.ts'
import { lendloomEsign } from './esign/lendloom.ts'
import type { EsignPort } from './esign/port.ts'
import { lendloomKyc } from './kyc/lendloom.ts'
import type { KycPort } from './kyc/port.ts'
import { lendloomMandate } from './mandate/lendloom.ts'
import type { MandatePort } from './mandate/port.ts'
import { mfCentral } from './registrar/mfcentral.ts'
import type { RegistrarPort } from './registrar/port.ts'
import type { AdapterName, ProviderKind } from './settings.ts'

interface Ports {
  kyc: KycPort
  esign: EsignPort
  mandate: MandatePort
  'bank-statement': StatementPort
  bureau: BureauPort
  'account-aggregator': AggregatorPort
  registrar: RegistrarPort
}

/** Does not compile while a name of `settings.ts` has no adapter, or an adapter no name. */
const adapters: { [Kind in ProviderKind]: Record<AdapterName<Kind>, Ports[Kind]> } = {
  kyc: { lendloom: lendloomKyc },
  esign: { lendloom: lendloomEsign, cashfree: cashfreeEsign },
  mandate: { lendloom: lendloomMandate },
  'bank-statement': { lendloom: lendloomStatement },
  bureau: { lendloom: lendloomBureau },
  'account-aggregator': { rebit: rebitAggregator },
  registrar: { mfcentral: mfCentral },
}

/** The adapter that something was begun with. Throws for a name that this release does not have. */
export function adapterNamed<Kind extends ProviderKind>(kind: Kind, name: string): Ports[Kind] {
  const named: Partial<Record<string, Ports[Kind]>> = adapters[kind]
  const adapter = ownValue(named, name)
  if (!adapter) throw new Error(`there is no adapter "${name}" for ${kind}`)
  return adapter
}
