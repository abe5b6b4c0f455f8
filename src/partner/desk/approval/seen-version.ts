// Optimistic locking: a decision contains the case version that its page showed. Of two concurrent decisions on one
// version, the second is refused.

import { Refusal } from '#kit/http/refusal.ts'
import { type Static, Type } from '#kit/http/schema.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { placeQuery } from '#partner/desk/arrears/worklist.ts'

/** The query of a form's address. A decision without a version is refused. */
export const versionQuery = Type.Object({
  version: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
  list: placeQuery,
})
export type SeenVersion = Static<typeof versionQuery>['version']

/** Adds the version that a page shows to the address of the page's form. */
export const withVersion = (address: string, { snapshotVersion }: Pick<Case, 'snapshotVersion'>): string =>
  `${address}?version=${snapshotVersion}`

/** Throws `wrong-state` unless the page showed the latest version. `lockCase` has just increased the version by one. */
export function requireSeenVersion({ snapshotVersion }: Pick<Case, 'snapshotVersion'>, seen: SeenVersion): void {
  if (seen !== String(snapshotVersion - 1))
    throw new Refusal(
      'wrong-state',
      'this case has changed since you opened it, so nothing was done. Read it again, then decide',
    )
}
