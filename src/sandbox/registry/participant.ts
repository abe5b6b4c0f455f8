// A participant of the network as its directory knows it, and what makes one current (FIS12 §6.1).

export type Role = 'BAP' | 'BPP' | 'BG'

export const networkDomain = 'ONDC:FIS12'

export interface Participant {
  subscriberId: string
  uniqueKeyId: string
  type: Role
  domain: string
  subscriberUrl: string
  country: string
  city: string
  signingPublicKey: string
  encryptionPublicKey: string
  validFrom: Date
  validUntil: Date
  status: 'SUBSCRIBED' | 'UNSUBSCRIBED'
  createdAt: Date
  updatedAt: Date
}

/** Whether a participant's key counts at this instant (FIS12 §5, verification step 5). */
export const isCurrent = ({ status, validFrom, validUntil }: Participant, at: Date): boolean =>
  status === 'SUBSCRIBED' && validFrom <= at && at < validUntil

/** Searchable facts by their names on the wire; an absent one does not narrow. */
export interface Criteria {
  subscriberId?: string
  uniqueKeyId?: string
  type?: string
  domain?: string
  country?: string
  city?: string
}

/** The element of a look-up's answer (FIS12 §6.1). */
export const participantToWire = (participant: Participant) => ({
  subscriber_id: participant.subscriberId,
  subscriber_url: participant.subscriberUrl,
  ukId: participant.uniqueKeyId,
  br_id: participant.uniqueKeyId,
  type: participant.type,
  domain: participant.domain,
  city: participant.city,
  country: participant.country,
  signing_public_key: participant.signingPublicKey,
  encr_public_key: participant.encryptionPublicKey,
  valid_from: participant.validFrom.toISOString(),
  valid_until: participant.validUntil.toISOString(),
  status: participant.status,
  created: participant.createdAt.toISOString(),
  updated: participant.updatedAt.toISOString(),
})
