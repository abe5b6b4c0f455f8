// An app's free-form metadata on a journey. The metadata is sealed because it may contain personal data.

import { invalid } from '@lendloom/foundation/refusal'
import type { Context, TxContext } from '#platform/context.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { findNote, type Note, saveNote } from './store.ts'

const sealContext = ({ tenantId, journeyId }: JourneyKey): string => `journey_note:${tenantId}:${journeyId}`

export const metadataIn = (
  { seal }: Context,
  key: JourneyKey,
  { metadataSealed }: Pick<Note, 'metadataSealed'>,
): Record<string, unknown> => (metadataSealed ? seal.openJson(metadataSealed, sealContext(key)) : {})

/** Maximum length of a journey's metadata as JSON. */
const maxJsonLength = 65_536

/** Merges an update into the stored metadata, key by key. Throws `invalid` when the result is too long. */
export async function mergeMetadata(ctx: TxContext, key: JourneyKey, update: Record<string, unknown>): Promise<void> {
  const { tx, at } = ctx
  const metadata = { ...metadataIn(ctx, key, await findNote(tx, key)), ...update }
  if (JSON.stringify(metadata).length > maxJsonLength)
    throw invalid({ path: 'metadata', message: `must be at most ${maxJsonLength} characters in all` })
  await saveNote(tx, key, { metadataSealed: ctx.seal.json(metadata, sealContext(key)) }, at)
}
