// The version of a case on the page where a person decided. Of two concurrent decisions the second is refused.

import { Refusal } from '#kit/http/refusal.ts'
import { type Static, Type } from '#kit/http/schema.ts'
import type { Case } from '#partner/case/lifecycle.ts'

/** The query of a form's address; a page without a version must be reloaded. */
export const versionQuery = Type.Object({ version: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })) })
export type SeenVersion = Static<typeof versionQuery>['version']

/** Adds the version that the page shows to the address of its form. */
export const withVersion = (address: string, { snapshotVersion }: Pick<Case, 'snapshotVersion'>): string =>
  `${address}?version=${snapshotVersion}`

/** Throws `wrong-state` unless the author saw the latest version. Locking the case has increased its version by one. */
export function requireSeenVersion({ snapshotVersion }: Pick<Case, 'snapshotVersion'>, seen: SeenVersion): void {
  if (seen !== String(snapshotVersion - 1))
    throw new Refusal(
      'wrong-state',
      'this case has changed since you opened it, so nothing was done. Read it again, then decide',
    )
}
