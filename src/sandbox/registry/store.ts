// The registry's tables: participants of the network as its directory knows them, and the keys of the parties that this program plays.
import { join, type Run, sql, type Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'

const columns = sql`subscriber_id, unique_key_id, type, domain, subscriber_url, country, city, signing_public_key,
  encryption_public_key, valid_from, valid_until, status, created_at, updated_at`

/** Participants that fit every given fact. A participant of city `*` is in every city. */
export function findParticipants(db: Run, by: Criteria): Promise<ParticipantRow[]> {
  const facts = [sql`true`]
  if (by.subscriberId !== undefined) facts.push(sql`subscriber_id = ${by.subscriberId}`)
  if (by.uniqueKeyId !== undefined) facts.push(sql`unique_key_id = ${by.uniqueKeyId}`)
  if (by.type !== undefined) facts.push(sql`type = ${by.type}`)
  if (by.domain !== undefined) facts.push(sql`domain = ${by.domain}`)
  if (by.country !== undefined) facts.push(sql`country = ${by.country}`)
  if (by.city !== undefined) facts.push(sql`city in ('*', ${by.city})`)
  return db<ParticipantRow>`select ${columns} from participant where ${join(facts, ' and ')} order by created_at`
}

/** Enters a participant, or renews its entry. */
export async function enterParticipant(tx: Run, participant: ParticipantRow): Promise<void> {
  const { subscriberUrl, city, signingPublicKey, encryptionPublicKey, validFrom, validUntil, status, updatedAt } =
    participant
  await tx`insert into participant ${tx({ ...participant })}
    on conflict (subscriber_id, unique_key_id, type) do update set
      subscriber_url = ${subscriberUrl}, city = ${city}, signing_public_key = ${signingPublicKey},
      encryption_public_key = ${encryptionPublicKey}, valid_from = ${validFrom}, valid_until = ${validUntil},
      status = ${status}, updated_at = ${updatedAt}`
}

export interface KeptIdentity {
  subscriberId: string
  uniqueKeyId: string
  keysSealed: Buffer
}

/** Keeps the first identity of a subscriber and gives the one that is kept. */
export async function keepIdentity(tx: Tx, fresh: KeptIdentity & { createdAt: Date }): Promise<KeptIdentity> {
  await tx`insert into identity ${tx({ ...fresh })} on conflict do nothing`
  const [kept] = await tx<KeptIdentity>`
    select subscriber_id, unique_key_id, keys_sealed from identity where subscriber_id = ${fresh.subscriberId}`
  return required(kept, `identity of ${fresh.subscriberId}`)
}

/** A participant of the network as its directory knows it, and what makes one current (FIS12 §6.1). */
export type ParticipantRole = 'BAP' | 'BPP' | 'BG'

export const networkDomain = 'ONDC:FIS12'

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

/** Whether a participant's key counts at this instant (FIS12 §5, verification step 5). */
export const isCurrent = ({ status, validFrom, validUntil }: ParticipantRow, at: Date): boolean =>
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
