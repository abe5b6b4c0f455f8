// The providers' tables: verifications, files, uploads and callbacks.
import { createHash } from 'node:crypto'
import { required } from '@lendloom/foundation/required'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { ProviderFile } from '@lendloom/wire/provider/common-interface'
import type {
  Paper,
  ProviderVerification,
  VerificationFacts,
  VerificationKind,
  VerificationRequest,
} from './provider.ts'

const requestContext = (verificationId: string) => `verification/${verificationId}/asked`
const factsContext = (verificationId: string) => `verification/${verificationId}/facts`
const fileContext = (fileId: string) => `verification_file/${fileId}`
const uploadContext = (sha256: string) => `verification_upload/${sha256}`
const callbackContext = (eventId: string) => `verification_callback/${eventId}`

type VerificationRow = Omit<ProviderVerification, 'request' | 'facts'> & { requestSealed: Buffer; factsSealed: Buffer }

const verificationColumns = sql`verification_id, kind, client_reference, request_sealed, state, reason_code, facts_sealed, attempt, scenario,
  page_expires_at, created_at, updated_at`

function unseal(seal: Seal, row: VerificationRow): ProviderVerification {
  const { requestSealed, factsSealed, ...rest } = row
  return {
    ...rest,
    request: seal.openJson<VerificationRequest>(requestSealed, requestContext(row.verificationId)),
    facts: seal.openJson<VerificationFacts>(factsSealed, factsContext(row.verificationId)),
  }
}

/** Stores a verification; false when the client's reference exists. */
export async function storeVerification(
  tx: Tx,
  seal: Seal,
  verification: ProviderVerification,
  contentDigest: Buffer,
): Promise<boolean> {
  const { request, facts, ...rest } = verification
  const row = {
    ...rest,
    contentDigest,
    requestSealed: seal.json(request, requestContext(verification.verificationId)),
    factsSealed: seal.json(facts, factsContext(verification.verificationId)),
  }
  const stored =
    await tx`insert into verification ${tx(row)} on conflict (kind, client_reference) do nothing returning 1`
  return stored.length > 0
}

/** Finds a verification by the reference of the client, with the digest of its request. */
export async function verificationByReference(
  db: Run,
  seal: Seal,
  kind: VerificationKind,
  clientReference: string,
): Promise<{ verification: ProviderVerification; contentDigest: Buffer } | undefined> {
  const [row] = await db<VerificationRow & { contentDigest: Buffer }>`
    select ${verificationColumns}, content_digest from verification where kind = ${kind} and client_reference = ${clientReference}`
  if (!row) return undefined
  const { contentDigest, ...rest } = row
  return { verification: unseal(seal, rest), contentDigest }
}

/** Finds a verification by its id. */
export async function findVerification(
  db: Run,
  seal: Seal,
  verificationId: string,
): Promise<ProviderVerification | undefined> {
  const [row] =
    await db<VerificationRow>`select ${verificationColumns} from verification where verification_id = ${verificationId}`
  return row && unseal(seal, row)
}

/** Finds a verification, and locks it until the transaction ends. */
export async function lockVerification(
  tx: Tx,
  seal: Seal,
  verificationId: string,
): Promise<ProviderVerification | undefined> {
  const [row] =
    await tx<VerificationRow>`select ${verificationColumns} from verification where verification_id = ${verificationId} for update`
  return row && unseal(seal, row)
}

/** Writes the new state of a verification. */
export async function writeVerification(tx: Tx, seal: Seal, verification: ProviderVerification): Promise<void> {
  const { verificationId, state, reasonCode, facts, attempt, updatedAt } = verification
  await tx`update verification set state = ${state}, reason_code = ${reasonCode}, attempt = ${attempt},
    facts_sealed = ${seal.json(facts, factsContext(verificationId))}, updated_at = ${updatedAt}
    where verification_id = ${verificationId}`
}

/** Stores a file of a verification; one of the same kind stays as it is. */
export async function storePaper(
  tx: Tx,
  seal: Seal,
  verificationId: string,
  { kind, contentType, bytes, createdAt }: Paper & { createdAt: Date },
): Promise<void> {
  const fileId = uuidv4()
  const row = {
    verificationId,
    fileId,
    kind,
    contentType,
    sizeBytes: bytes.length,
    sha256: sha256Of(bytes),
    bytesSealed: seal.bytes(bytes, fileContext(fileId)),
    createdAt,
  }
  await tx`insert into verification_file ${tx(row)} on conflict (verification_id, kind) do nothing`
}

/** The files of a verification, as an answer lists them. */
export async function filesOf(db: Run, verificationId: string): Promise<ProviderFile[]> {
  const rows = await db<{ fileId: string; kind: string; contentType: string; sizeBytes: number; sha256: string }>`
    select file_id, kind, content_type, size_bytes, sha256 from verification_file
    where verification_id = ${verificationId} order by created_at, kind`
  return rows.map(({ fileId, kind, contentType, sizeBytes, sha256 }) => ({
    file_id: fileId,
    kind,
    content_type: contentType,
    size_bytes: sizeBytes,
    sha256,
  }))
}

/** Returns a file of a verification. */
export async function paperOf(
  db: Run,
  seal: Seal,
  verificationId: string,
  fileId: string,
): Promise<{ contentType: string; bytes: Buffer } | undefined> {
  const [row] = await db<{ contentType: string; bytesSealed: Buffer }>`
    select content_type, bytes_sealed from verification_file
    where verification_id = ${verificationId} and file_id = ${fileId}`
  return row && { contentType: row.contentType, bytes: seal.open(row.bytesSealed, fileContext(fileId)) }
}

export interface Upload {
  fileId: string
  sha256: string
  sizeBytes: number
}

/** Stores an upload; the same bytes return the same file id. */
export async function storeUpload(db: Run, seal: Seal, bytes: Buffer, at: Date): Promise<Upload> {
  const sha256 = sha256Of(bytes)
  const bytesSealed = seal.bytes(bytes, uploadContext(sha256))
  const row = { sha256, fileId: uuidv4(), sizeBytes: bytes.length, bytesSealed, createdAt: at }
  await db`insert into verification_upload ${db(row)} on conflict (sha256) do nothing`
  const [stored] = await db<Upload>`
    select file_id, sha256, size_bytes from verification_upload where sha256 = ${sha256}`
  return required(stored, 'stored upload')
}

/** Returns an upload. */
export async function uploadOf(
  db: Run,
  seal: Seal,
  fileId: string,
): Promise<{ sha256: string; bytes: Buffer } | undefined> {
  const [row] = await db<{ sha256: string; bytesSealed: Buffer }>`
    select sha256, bytes_sealed from verification_upload where file_id = ${fileId}`
  return row && { sha256: row.sha256, bytes: seal.open(row.bytesSealed, uploadContext(row.sha256)) }
}

export interface CallbackRow {
  eventId: string
  verificationId: string
  url: string
  body: Buffer
  createdAt: Date
}

/** Stores a callback, which is signed when it is sent. */
export async function storeCallback(tx: Tx, seal: Seal, { body, ...rest }: CallbackRow): Promise<void> {
  const bodySealed = seal.bytes(body, callbackContext(rest.eventId))
  await tx`insert into verification_callback ${tx({ ...rest, bodySealed, tries: 0 })}`
}

/** Finds a callback with the kind of its verification. */
export async function findCallback(
  db: Run,
  seal: Seal,
  eventId: string,
): Promise<(CallbackRow & { kind: VerificationKind }) | undefined> {
  const [row] = await db<Omit<CallbackRow, 'body'> & { bodySealed: Buffer; kind: VerificationKind }>`
    select event_id, verification_id, url, body_sealed, verification_callback.created_at, kind
    from verification_callback join verification using (verification_id) where event_id = ${eventId}`
  if (!row) return undefined
  const { bodySealed, ...rest } = row
  return { ...rest, body: seal.open(bodySealed, callbackContext(eventId)) }
}

/** Records how the client answered a callback. */
export async function recordTry(db: Run, eventId: string, answer: string, at: Date): Promise<void> {
  await db`update verification_callback set tries = tries + 1, tried_at = ${at}, answer = ${answer}
    where event_id = ${eventId}`
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
