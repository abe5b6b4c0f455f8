// All flows that the strict lender plays.
import { fundLoans } from './funds.ts'
import { goldLoans } from './gold.ts'
import { olderLoans } from './older.ts'
import { personalLoans } from './personal.ts'
import type { Flow } from './talk.ts'

export const officialFlows: readonly Flow[] = [...personalLoans, ...goldLoans, ...fundLoans, ...olderLoans]

export const flowNamed = (id: string): Flow => officialFlows.find((flow) => flow.id === id)!
