// The registry's tables: the participants of the network, and the keys of the parties that this program plays.

import { required } from '@lendloom/foundation/required'
import { join, type Run, sql, type Tx } from '@lendloom/postgres/sql'

const columns = sql`subscriber_id, unique_key_id, type, domain, subscriber_url, country, city, signing_public_key,
  encryption_public_key, valid_from, valid_until, status, created_at, updated_at`

/** Participants that match all criteria. City `*` matches every city. */
export function findParticipants(db: Run, criteria: Criteria): Promise<ParticipantRow[]> {
  const conditions = [sql`true`]
  if (criteria.subscriberId !== undefined) conditions.push(sql`subscriber_id = ${criteria.subscriberId}`)
  if (criteria.uniqueKeyId !== undefined) conditions.push(sql`unique_key_id = ${criteria.uniqueKeyId}`)
  if (criteria.type !== undefined) conditions.push(sql`type = ${criteria.type}`)
  if (criteria.domain !== undefined) conditions.push(sql`domain = ${criteria.domain}`)
  if (criteria.country !== undefined) conditions.push(sql`country = ${criteria.country}`)
  if (criteria.city !== undefined) conditions.push(sql`city in ('*', ${criteria.city})`)
  return db<ParticipantRow>`select ${columns} from participant where ${join(conditions, ' and ')} order by created_at`
}

export async function enterParticipant(tx: Run, participant: ParticipantRow): Promise<void> {
  const { subscriberUrl, city, signingPublicKey, encryptionPublicKey, validFrom, validUntil, status, updatedAt } =
    participant
  await tx`insert into participant ${tx({ ...participant })}
    on conflict (subscriber_id, unique_key_id, type, domain) do update set
      subscriber_url = ${subscriberUrl}, city = ${city}, signing_public_key = ${signingPublicKey},
      encryption_public_key = ${encryptionPublicKey}, valid_from = ${validFrom}, valid_until = ${validUntil},
      status = ${status}, updated_at = ${updatedAt}`
}

export interface StoredIdentity {
  subscriberId: string
  uniqueKeyId: string
  keysSealed: Buffer
}

/** Stores the subscriber's identity unless one exists, and returns the stored one. */
export async function storeIdentity(tx: Tx, identity: StoredIdentity & { createdAt: Date }): Promise<StoredIdentity> {
  await tx`insert into identity ${tx({ ...identity })} on conflict do nothing`
  const [stored] = await tx<StoredIdentity>`
    select subscriber_id, unique_key_id, keys_sealed from identity where subscriber_id = ${identity.subscriberId}`
  return required(stored, `identity of ${identity.subscriberId}`)
}

/** A participant's role on the network (FIS12 §6.1). */
export type ParticipantRole = 'BAP' | 'BPP' | 'BG'

export interface ParticipantRow {
  subscriberId: string
  uniqueKeyId: string
  type: ParticipantRole
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

/** Whether a participant's key is valid at this instant (FIS12 §5, verification step 5). */
export const isCurrent = ({ status, validFrom, validUntil }: ParticipantRow, at: Date): boolean =>
  status === 'SUBSCRIBED' && validFrom <= at && at < validUntil

/** Search criteria; absent ones are ignored. */
export interface Criteria {
  subscriberId?: string
  uniqueKeyId?: string
  type?: string
  domain?: string
  country?: string
  city?: string
}

/** The element of a look-up's answer (FIS12 §6.1). */
export const participantToWire = (participant: ParticipantRow) => ({
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
