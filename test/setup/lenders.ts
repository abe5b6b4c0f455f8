// Which lenders of the sandbox a test's tenant asks: the others are switched off for it, as an operator may.
import type { Tx } from '#kit/db/sql.ts'
import { insertSwitch } from '#platform/lender/switch/store.ts'
import { providerId } from '#sandbox/lender/core/order.ts'
import { policies, subscriberId } from '#sandbox/lender/core/policy.ts'

/** The lenders of the sandbox by their names in it. */
export const allLenders: readonly string[] = policies.map(({ slug }) => slug)
/** Those that a tenant asks unless its test says others. */
export const twoLenders: readonly string[] = ['meridian', 'kaveri']

/** Switches every other lender of the sandbox off for a tenant, as its operator may. */
export const enableOnlyLenders = (tx: Tx, tenantId: string, lenders = twoLenders) =>
  Promise.all(
    policies
      .filter(({ slug }) => !lenders.includes(slug))
      .map((policy) => {
        const lender = { bppId: subscriberId(policy), providerId: providerId(policy) }
        return insertSwitch(tx, { tenantId, ...lender, reason: 'few lenders', personId: null, offAt: new Date() })
      }),
  )
