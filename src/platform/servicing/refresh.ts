// The end of a request for how the loan stands: its lender has told.
import type { Tx } from '#kit/db/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { moveServicing } from './move.ts'
import { isOpen } from './servicing.ts'
import { listServicing } from './store.ts'

/** The lender has told how the loan stands: whoever asked has the answer. */
export async function refreshAnswered(tx: Tx, journey: Journey, at: Date): Promise<void> {
  for (const operation of await listServicing(tx, journey))
    if (operation.kind === 'STATUS_REFRESH' && isOpen(operation))
      await moveServicing({ tx, at }, journey, operation, { move: 'answered' })
}
