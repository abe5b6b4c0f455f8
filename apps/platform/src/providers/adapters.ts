// Finds the adapter of a provider that verifies a lending partner's borrowers, by kind and name.

import { ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { lendloomStatement } from './bank-statement/lendloom.ts'
import type { StatementPort } from './bank-statement/port.ts'
import { lendloomBureau } from './bureau/lendloom.ts'
import type { BureauPort } from './bureau/port.ts'
import { cashfreeEsign } from './esign/cashfree.ts'
import { lendloomEsign } from './esign/lendloom.ts'
import { lendloomKyc } from './kyc/lendloom.ts'
import { lendloomMandate } from './mandate/lendloom.ts'
import type { EsignPort, KycPort, MandatePort } from './ports.ts'
import type { AdapterName } from './settings.ts'

interface Ports {
  kyc: KycPort
  esign: EsignPort
  mandate: MandatePort
  'bank-statement': StatementPort
  bureau: BureauPort
}

/** The type requires an adapter for each name in `adapterNames`. */
const adapters: { [Kind in keyof Ports]: Record<AdapterName<Kind>, Ports[Kind]> } = {
  kyc: { lendloom: lendloomKyc },
  esign: { lendloom: lendloomEsign, cashfree: cashfreeEsign },
  mandate: { lendloom: lendloomMandate },
  'bank-statement': { lendloom: lendloomStatement },
  bureau: { lendloom: lendloomBureau },
}

/** Throws if no adapter of this kind has this name. */
export function adapterNamed<Kind extends keyof Ports>(kind: Kind, name: string): Ports[Kind] {
  const byName: Partial<Record<string, Ports[Kind]>> = adapters[kind]
  return required(ownValue(byName, name), `adapter ${name} for ${kind}`)
}
