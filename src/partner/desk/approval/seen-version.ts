// The version of a case that a decision's author saw: of two concurrent decisions the second must look again.

import { Refusal } from '#kit/http/refusal.ts'
import { type Static, Type } from '#kit/http/schema.ts'
import type { Case } from '#partner/case/lifecycle.ts'

/** In the form's address; an older page has none and must be reloaded. */
export const versionQuery = Type.Object({ version: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })) })
export type SeenVersion = Static<typeof versionQuery>['version']

/** The address of a form with the version of the case that its page shows. */
export const withVersion = (address: string, { snapshotVersion }: Pick<Case, 'snapshotVersion'>): string =>
  `${address}?version=${snapshotVersion}`

/** Under the lock of the case, which has counted its version up by one. Refused as `wrong-state` where the author saw another. */
export function mustBeSeen({ snapshotVersion }: Pick<Case, 'snapshotVersion'>, seen: SeenVersion): void {
  if (seen !== String(snapshotVersion - 1))
    throw new Refusal(
      'wrong-state',
      'this case has changed since you opened it, so nothing was done. Read it again, then decide',
    )
}
