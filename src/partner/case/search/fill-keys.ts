// Makes the search keys of cases that came before there were any, a page at a time.

import type { DataOf } from '#contract/exchange/envelope.ts'
import { DamagedValue } from '#kit/crypto/seal.ts'
import { loop, type Worker } from '#kit/messaging/queue.ts'
import { checkContext, leadContext } from '#partner/case/case.ts'
import type { Context } from '#partner/context.ts'
import { keysOfLead, keysOfReferences, type SearchKey } from './key.ts'
import { addLeadKeys, leadsWithoutKeys } from './store.ts'

type Means = Pick<Context, 'db' | 'seal' | 'log'>
type Unkeyed = Awaited<ReturnType<typeof leadsWithoutKeys>>[number]

const pageRows = 100

/** One page; gives how many it was. Several processes may do so at once, and it may be stopped and begun again at any time. */
export async function fillSearchKeys(means: Means): Promise<number> {
  const rows = await leadsWithoutKeys(means.db, pageRows)
  for (const row of rows) {
    const keys = keysIn(means, row)
    await means.db.tx((tx) => addLeadKeys(tx, row.caseRef, keys))
  }
  return rows.length
}

/** A lead that does not open is found by its numbers alone: the others do not wait for it. */
function keysIn({ seal, log }: Means, { caseRef, leadSealed, checks }: Unkeyed): SearchKey[] {
  try {
    const lead = seal.openJson<DataOf<'LEAD_SUBMITTED'>>(leadSealed, leadContext(caseRef))
    const references = checks.flatMap(({ name, factsSealed }) =>
      keysOfReferences(seal, seal.openJson<object>(Buffer.from(factsSealed, 'hex'), checkContext(caseRef, name))),
    )
    return [...keysOfLead(seal, lead), ...references]
  } catch (error) {
    if (!(error instanceof DamagedValue)) throw error
    log.error({ err: error, caseRef }, 'a lead does not open: its case is not found by name, mobile or PAN')
    return []
  }
}

const pollMs = 60_000

/** As long as there are cases without keys; processes of the version before may still add some. */
export const fillingSearchKeys = (means: Means): Worker =>
  loop<null>({
    ...{ queue: 'search-keys', db: means.db, log: means.log, pollMs, concurrency: 1 },
    claim: async () => ((await fillSearchKeys(means)) > 0 ? [null] : []),
    handle: async () => {},
  })
