// A participant's key as the network's registry states it (FIS12 §6.1).
import { type Static, Type } from '#kit/http/schema.ts'

export const Participant = Type.Object({
  subscriber_id: Type.String(),
  ukId: Type.String(),
  subscriber_url: Type.Optional(Type.String()),
  type: Type.String(),
  domain: Type.Optional(Type.String()),
  signing_public_key: Type.String(),
  valid_from: Type.String(),
  valid_until: Type.String(),
  status: Type.String(),
})

/** A key of a participant, as the registry states it. */
export type Participant = Static<typeof Participant>
