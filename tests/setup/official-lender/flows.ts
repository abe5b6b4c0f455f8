// All flows that the strict lender plays.
import { fundLoans } from './funds.ts'
import { lineDrawdown } from './funds-drawdown.ts'
import { fundStops } from './funds-stops.ts'
import { goldGrievanceByConsent, goldLoans, goldServicingByConsent } from './gold.ts'
import { goldStops } from './gold-stops.ts'
import { olderLoans } from './older.ts'
import { personalLoans, personalServicingByConsent } from './personal.ts'
import { personalStops } from './personal-stops.ts'
import type { Flow } from './talk.ts'

/** The flows with account aggregator that our list joins with those without. */
export const flowsByConsent: readonly Flow[] = [
  ...personalServicingByConsent,
  ...goldServicingByConsent,
  goldGrievanceByConsent,
]

/** The flows of 2.0.3 whose progress comes in stops. */
export const stopsFlows: readonly Flow[] = [...personalStops, ...goldStops]

export const officialFlows: readonly Flow[] = [
  ...personalLoans,
  ...goldLoans,
  ...fundLoans,
  ...olderLoans,
  ...flowsByConsent,
  ...stopsFlows,
  ...fundStops,
  lineDrawdown,
]

export const flowNamed = (id: string): Flow => officialFlows.find((flow) => flow.id === id)!
