// An app's free-form metadata on a journey, sealed because they may be personal data.

import { invalid } from '#kit/http/refusal.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { JourneyKey } from '#platform/journey/journey.ts'
import { findNote, type Note, saveNote } from './store.ts'

const context = ({ tenantId, journeyId }: JourneyKey): string => `journey_note:${tenantId}:${journeyId}`

export const metadataIn = (
  { seal }: Context,
  key: JourneyKey,
  { metadataSealed }: Pick<Note, 'metadataSealed'>,
): Record<string, unknown> => (metadataSealed ? seal.openJson(metadataSealed, context(key)) : {})

/** Limit of an app's metadata on one journey, in characters of its JSON. */
const maxCharacters = 65_536

/** Merges metadata into the stored metadata, key by key. Throws `invalid` at `metadata` when the result is too long. */
export async function mergeMetadata(ctx: TxContext, key: JourneyKey, update: Record<string, unknown>): Promise<void> {
  const { tx, at } = ctx
  const metadata = { ...metadataIn(ctx, key, await findNote(tx, key)), ...update }
  if (JSON.stringify(metadata).length > maxCharacters)
    throw invalid({ path: 'metadata', message: `must be at most ${maxCharacters} characters in all` })
  await saveNote(tx, key, { metadataSealed: ctx.seal.json(metadata, context(key)) }, at)
}
