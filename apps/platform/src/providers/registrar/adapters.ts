// Finds the adapter of a registrar of mutual funds by its name.
import { ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { AdapterName } from '#platform/providers/settings.ts'
import { mfCentral } from './mfcentral.ts'
import type { RegistrarPort } from './port.ts'

const registrars: Record<AdapterName<'registrar'>, RegistrarPort> = { mfcentral: mfCentral }

export const registrarNamed = (name: string): RegistrarPort => required(ownValue(registrars, name), `adapter ${name}`)
