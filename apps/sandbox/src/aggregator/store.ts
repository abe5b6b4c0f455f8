// The aggregator's tables: the parties of the network with their public keys, the signers of our own parties, consents
// and data sessions.

import { required } from '@lendloom/foundation/required'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { PublicJwk } from '@lendloom/seal/jws'
import type { HandleStatus } from '@lendloom/wire/aggregator/consent-api'
import type { KeyMaterial } from '@lendloom/wire/aggregator/data-encryption'

export interface EntityRow {
  entityId: string
  type: 'AA' | 'FIU' | 'LSP'
  name: string
  apiKeyDigest: Buffer | null
  secretSealed: Buffer | null
  keys: PublicJwk[]
  updatedAt: Date
}

/** Enters or updates a party. New keys are added to the stored ones, because each of its processes may have a key. */
export async function enterEntity(db: Run, entity: EntityRow): Promise<void> {
  const { name, apiKeyDigest, secretSealed, updatedAt } = entity
  const keys = JSON.stringify(entity.keys)
  await db`insert into aa_entity ${db({ ...entity, keys })}
    on conflict (entity_id) do update set name = ${name}, api_key_digest = ${apiKeyDigest},
      secret_sealed = ${secretSealed}, keys = excluded.keys || aa_entity.keys, updated_at = ${updatedAt}
    where not aa_entity.keys @> excluded.keys or aa_entity.secret_sealed is distinct from excluded.secret_sealed`
}

const entityColumns = sql`entity_id, type, name, api_key_digest, secret_sealed, keys, updated_at`

/** Finds a party of the network. */
export async function findEntity(db: Run, entityId: string): Promise<EntityRow | undefined> {
  const [row] = await db<EntityRow>`select ${entityColumns} from aa_entity where entity_id = ${entityId}`
  return row
}

/** Finds the party that has an API key. */
export async function entityByKey(db: Run, apiKeyDigest: Buffer): Promise<EntityRow | undefined> {
  const [row] = await db<EntityRow>`select ${entityColumns} from aa_entity where api_key_digest = ${apiKeyDigest}`
  return row
}

export interface SignerRow {
  entityId: string
  kid: string
  privateKeySealed: Buffer
  createdAt: Date
}

/** Stores the party's signer unless one exists, and returns the stored one. */
export async function storeSigner(db: Run, fresh: SignerRow): Promise<SignerRow> {
  await db`insert into aa_signer ${db({ ...fresh })} on conflict do nothing`
  return required(await findSigner(db, fresh.entityId), `signer of ${fresh.entityId}`)
}

/** Finds the signer of one of our parties. */
export async function findSigner(db: Run, entityId: string): Promise<SignerRow | undefined> {
  const [row] = await db<SignerRow>`
    select entity_id, kid, private_key_sealed, created_at from aa_signer where entity_id = ${entityId}`
  return row
}

export interface ConsentRow {
  handle: string
  requestor: string
  txnid: string
  detailSealed: Buffer
  customerDigest: Buffer
  status: Exclude<HandleStatus, 'READY' | 'FAILED'>
  expiresAt: Date
  consentId: string | null
  artefactStatus: 'ACTIVE' | 'REVOKED' | 'EXPIRED' | null
  signedConsentSealed: Buffer | null
  createdAt: Date
  decidedAt: Date | null
}

const consentColumns = sql`handle, requestor, txnid, detail_sealed, customer_digest, status, expires_at, consent_id,
  artefact_status, signed_consent_sealed, created_at, decided_at`

/** Stores a requested consent and returns its handle; a repeated request returns the first handle. */
export async function storeConsent(
  db: Run,
  fresh: Pick<
    ConsentRow,
    'handle' | 'requestor' | 'txnid' | 'detailSealed' | 'customerDigest' | 'status' | 'expiresAt' | 'createdAt'
  >,
): Promise<string> {
  await db`insert into aa_consent ${db({ ...fresh })} on conflict (requestor, txnid) do nothing`
  const [stored] = await db<{ handle: string }>`
    select handle from aa_consent where requestor = ${fresh.requestor} and txnid = ${fresh.txnid}`
  return required(stored, 'stored consent').handle
}

/** Finds a consent by its handle. */
export async function findConsent(db: Run, handle: string): Promise<ConsentRow | undefined> {
  const [row] = await db<ConsentRow>`select ${consentColumns} from aa_consent where handle = ${handle}`
  return row
}

/** Finds a consent, and locks it until the transaction ends. */
export async function lockConsent(tx: Tx, handle: string): Promise<ConsentRow | undefined> {
  const [row] = await tx<ConsentRow>`select ${consentColumns} from aa_consent where handle = ${handle} for update`
  return row
}

/** Finds an approved consent by its id. */
export async function consentById(db: Run, consentId: string): Promise<ConsentRow | undefined> {
  const [row] = await db<ConsentRow>`select ${consentColumns} from aa_consent where consent_id = ${consentId}`
  return row
}

/** Records what the customer decided. */
export async function decideConsent(
  tx: Tx,
  handle: string,
  decision: Pick<ConsentRow, 'status' | 'consentId' | 'artefactStatus' | 'signedConsentSealed'>,
  at: Date,
): Promise<void> {
  const { status, consentId, artefactStatus, signedConsentSealed } = decision
  await tx`update aa_consent set status = ${status}, consent_id = ${consentId}, artefact_status = ${artefactStatus},
    signed_consent_sealed = ${signedConsentSealed}, decided_at = ${at} where handle = ${handle}`
}

export interface DataSessionRow {
  sessionId: string
  consentId: string
  requestor: string
  keyMaterial: KeyMaterial
  createdAt: Date
}

/** Stores a session, in which a party fetches the data of a consent. */
export async function storeDataSession(db: Run, session: DataSessionRow): Promise<void> {
  await db`insert into aa_data_session ${db({ ...session, keyMaterial: JSON.stringify(session.keyMaterial) })}`
}

/** Finds a data session. */
export async function findDataSession(db: Run, sessionId: string): Promise<DataSessionRow | undefined> {
  const [row] = await db<DataSessionRow>`
    select session_id, consent_id, requestor, key_material, created_at from aa_data_session where session_id = ${sessionId}`
  return row
}
