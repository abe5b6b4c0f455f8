// All flows that the strict lender plays.
import { fundLoans } from './funds.ts'
import { goldGrievanceByConsent, goldLoans, goldServicingByConsent } from './gold.ts'
import { olderLoans } from './older.ts'
import { personalLoans, personalServicingByConsent } from './personal.ts'
import type { Flow } from './talk.ts'

/** The flows with account aggregator that our list joins with those without. */
export const flowsByConsent: readonly Flow[] = [
  ...personalServicingByConsent,
  ...goldServicingByConsent,
  goldGrievanceByConsent,
]

export const officialFlows: readonly Flow[] = [
  ...personalLoans,
  ...goldLoans,
  ...fundLoans,
  ...olderLoans,
  ...flowsByConsent,
]

export const flowNamed = (id: string): Flow => officialFlows.find((flow) => flow.id === id)!
