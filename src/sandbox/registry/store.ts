// The registry's tables: participants of the network, and the keys of the parties that this program plays.

import { join, type Run, sql, type Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'
import type { Criteria, Participant } from './participant.ts'

const columns = sql`subscriber_id, unique_key_id, type, domain, subscriber_url, country, city, signing_public_key,
  encryption_public_key, valid_from, valid_until, status, created_at, updated_at`

/** Participants that fit every given fact. A participant of city `*` is in every city. */
export function findParticipants(db: Run, by: Criteria): Promise<Participant[]> {
  const facts = [sql`true`]
  if (by.subscriberId !== undefined) facts.push(sql`subscriber_id = ${by.subscriberId}`)
  if (by.uniqueKeyId !== undefined) facts.push(sql`unique_key_id = ${by.uniqueKeyId}`)
  if (by.type !== undefined) facts.push(sql`type = ${by.type}`)
  if (by.domain !== undefined) facts.push(sql`domain = ${by.domain}`)
  if (by.country !== undefined) facts.push(sql`country = ${by.country}`)
  if (by.city !== undefined) facts.push(sql`city in ('*', ${by.city})`)
  return db<Participant>`select ${columns} from participant where ${join(facts, ' and ')} order by created_at`
}

/** Enters a participant, or renews its entry. */
export async function enterParticipant(tx: Run, participant: Participant): Promise<void> {
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
