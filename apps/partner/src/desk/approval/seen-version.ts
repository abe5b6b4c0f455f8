// Optimistic locking: a decision names the version of the case that its page showed; a later version refuses it.

import { Refusal } from '@lendloom/foundation/refusal'
import { type Static, Type } from '@lendloom/foundation/schema'
import { placeQuery } from '#partner/desk/arrears/worklist.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'

/** The query of a form's address. A decision without a version is refused. */
export const versionQuery = Type.Object({
  version: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
  seen: Type.Optional(Type.String({ pattern: '^[0-9]{13}$' })),
  list: placeQuery,
})
export type SeenVersion = Static<typeof versionQuery>['version']

/** Adds the version that a page shows, and the time of the page, to the address of the page's form. */
export const withVersion = (address: string, { snapshotVersion }: Pick<Case, 'snapshotVersion'>, at: Date): string =>
  `${address}?version=${snapshotVersion}&seen=${at.getTime()}`

export class ChangedCase extends Refusal {
  constructor() {
    super('wrong-state', 'this case has changed since you opened it, so nothing was done. Read it again, then decide')
  }
}

/** Throws `wrong-state` unless the page showed the latest version. `lockCase` has just increased the version by one. */
export function requireSeenVersion({ snapshotVersion }: Pick<Case, 'snapshotVersion'>, seen: SeenVersion): void {
  if (seen !== String(snapshotVersion - 1)) throw new ChangedCase()
}
