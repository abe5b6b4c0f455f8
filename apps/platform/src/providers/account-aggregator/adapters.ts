// Finds the adapter of an account aggregator by its name.
import { ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { AdapterName } from '#platform/providers/settings.ts'
import type { AggregatorPort } from './port.ts'
import { rebitAggregator } from './rebit.ts'

const aggregators: Record<AdapterName<'account-aggregator'>, AggregatorPort> = { rebit: rebitAggregator }

export const aggregatorNamed = (name: string): AggregatorPort =>
  required(ownValue(aggregators, name), `adapter ${name}`)
