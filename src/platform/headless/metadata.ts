// An app's free-form data on a journey; possibly personal, so it is sealed.

import { invalid } from '#kit/http/refusal.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { JourneyKey } from '#platform/journey/journey.ts'
import { findNote, keepNote, type Note } from './store.ts'

const context = ({ tenantId, journeyId }: JourneyKey): string => `journey_note:${tenantId}:${journeyId}`

export const metadataIn = (
  { seal }: Context,
  of: JourneyKey,
  { metadataSealed }: Pick<Note, 'metadataSealed'>,
): Record<string, unknown> => (metadataSealed ? seal.openJson(metadataSealed, context(of)) : {})

/** Limit of an app's data on one journey, as JSON. */
const mostCharacters = 65_536

/** Merges metadata into what was kept, key by key. Refused as `invalid` at `metadata` when it becomes too much. */
export async function noteMetadata(ctx: TxContext, of: JourneyKey, update: Record<string, unknown>): Promise<void> {
  const { tx, at } = ctx
  const metadata = { ...metadataIn(ctx, of, await findNote(tx, of)), ...update }
  if (JSON.stringify(metadata).length > mostCharacters)
    throw invalid({ path: 'metadata', message: `must not be more than ${mostCharacters} characters in all` })
  await keepNote(tx, of, { metadataSealed: ctx.seal.json(metadata, context(of)) }, at)
}
