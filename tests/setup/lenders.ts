// The sandbox lenders of a test's tenant; the others are switched off, as an operator may do.

import { insertSwitch } from '@lendloom/platform/src/lending/lender/switch/store.ts'
import type { Tx } from '@lendloom/postgres/sql'
import { policies, subscriberId } from '@lendloom/sandbox/src/lender/core/lender-policies.ts'
import { providerId } from '@lendloom/sandbox/src/lender/core/message-parts.ts'

export const allLenders: readonly string[] = policies.map(({ slug }) => slug)
/** The default lenders of a test's tenant. */
export const twoLenders: readonly string[] = ['meridian', 'kaveri']

/** Switches every other sandbox lender off for a tenant. */
export const enableOnlyLenders = (tx: Tx, tenantId: string, lenders = twoLenders) =>
  Promise.all(
    policies
      .filter(({ slug }) => !lenders.includes(slug))
      .map((policy) => {
        const lender = { bppId: subscriberId(policy), providerId: providerId(policy) }
        return insertSwitch(tx, { tenantId, ...lender, reason: 'few lenders', personId: null, offAt: new Date() })
      }),
  )
