// Every flow that the other lender plays, by its id.
import { fundLoans } from './funds.ts'
import { goldLoans } from './gold.ts'
import { personalLoans } from './personal.ts'
import type { Flow } from './talk.ts'

export const officialFlows: readonly Flow[] = [...personalLoans, ...goldLoans, ...fundLoans]

export const flowNamed = (id: string): Flow => officialFlows.find((flow) => flow.id === id)!
