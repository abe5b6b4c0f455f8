// The providers' tables: the requests and what came of them, the papers, what was handed in, and the callbacks.
import { createHash } from 'node:crypto'
import type { ProviderFile } from '#contract/provider/request.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'
import type {
  Paper,
  ProviderVerification,
  VerificationFacts,
  VerificationKind,
  VerificationRequest,
} from './verification.ts'

const requestPlace = (verificationId: string) => `verification/${verificationId}/asked`
const factsPlace = (verificationId: string) => `verification/${verificationId}/facts`
const filePlace = (fileId: string) => `verification_file/${fileId}`
const uploadPlace = (sha256: string) => `verification_upload/${sha256}`
const callbackPlace = (eventId: string) => `verification_callback/${eventId}`

type VerificationRow = Omit<ProviderVerification, 'request' | 'facts'> & { requestSealed: Buffer; factsSealed: Buffer }

const columns = sql`verification_id, kind, client_reference, request_sealed, state, reason_code, facts_sealed, attempt, scenario,
  page_expires_at, created_at, updated_at`

function opened(seal: Seal, row: VerificationRow): ProviderVerification {
  const { requestSealed, factsSealed, ...rest } = row
  return {
    ...rest,
    request: seal.openJson<VerificationRequest>(requestSealed, requestPlace(row.verificationId)),
    facts: seal.openJson<VerificationFacts>(factsSealed, factsPlace(row.verificationId)),
  }
}

/** Keeps a request unless the client's reference is taken; tells whether it was free. */
export async function keepVerification(
  tx: Tx,
  seal: Seal,
  fresh: ProviderVerification,
  contentDigest: Buffer,
): Promise<boolean> {
  const { request, facts, ...rest } = fresh
  const row = {
    ...rest,
    contentDigest,
    requestSealed: seal.json(request, requestPlace(fresh.verificationId)),
    factsSealed: seal.json(facts, factsPlace(fresh.verificationId)),
  }
  const kept = await tx`insert into verification ${tx(row)} on conflict (kind, client_reference) do nothing returning 1`
  return kept.length > 0
}

export async function verificationUnder(
  db: Run,
  seal: Seal,
  kind: VerificationKind,
  clientReference: string,
): Promise<{ verification: ProviderVerification; contentDigest: Buffer } | undefined> {
  const [row] = await db<VerificationRow & { contentDigest: Buffer }>`
    select ${columns}, content_digest from verification where kind = ${kind} and client_reference = ${clientReference}`
  if (!row) return undefined
  const { contentDigest, ...rest } = row
  return { verification: opened(seal, rest), contentDigest }
}

export async function findVerification(
  db: Run,
  seal: Seal,
  verificationId: string,
): Promise<ProviderVerification | undefined> {
  const [row] = await db<VerificationRow>`select ${columns} from verification where verification_id = ${verificationId}`
  return row && opened(seal, row)
}

export async function lockVerification(
  tx: Tx,
  seal: Seal,
  verificationId: string,
): Promise<ProviderVerification | undefined> {
  const [row] =
    await tx<VerificationRow>`select ${columns} from verification where verification_id = ${verificationId} for update`
  return row && opened(seal, row)
}

export async function writeVerification(tx: Tx, seal: Seal, changed: ProviderVerification): Promise<void> {
  const { verificationId, state, reasonCode, facts, attempt, updatedAt } = changed
  await tx`update verification set state = ${state}, reason_code = ${reasonCode}, attempt = ${attempt},
    facts_sealed = ${seal.json(facts, factsPlace(verificationId))}, updated_at = ${updatedAt}
    where verification_id = ${verificationId}`
}

export async function keepPaper(
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
    bytesSealed: seal.bytes(bytes, filePlace(fileId)),
    createdAt,
  }
  await tx`insert into verification_file ${tx(row)} on conflict (verification_id, kind) do nothing`
}

/** The papers of a verification as an answer lists them. */
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

export async function paperOf(
  db: Run,
  seal: Seal,
  verificationId: string,
  fileId: string,
): Promise<{ contentType: string; bytes: Buffer } | undefined> {
  const [row] = await db<{ contentType: string; bytesSealed: Buffer }>`
    select content_type, bytes_sealed from verification_file
    where verification_id = ${verificationId} and file_id = ${fileId}`
  return row && { contentType: row.contentType, bytes: seal.open(row.bytesSealed, filePlace(fileId)) }
}

export interface Upload {
  fileId: string
  sha256: string
  sizeBytes: number
}

/** Keeps what is handed in; the same bytes again are the same file. */
export async function keepUpload(db: Run, seal: Seal, bytes: Buffer, at: Date): Promise<Upload> {
  const sha256 = sha256Of(bytes)
  const bytesSealed = seal.bytes(bytes, uploadPlace(sha256))
  const row = { sha256, fileId: uuidv4(), sizeBytes: bytes.length, bytesSealed, createdAt: at }
  await db`insert into verification_upload ${db(row)} on conflict (sha256) do nothing`
  const [kept] = await db<Upload>`
    select file_id, sha256, size_bytes from verification_upload where sha256 = ${sha256}`
  return required(kept, 'an upload')
}

export async function uploadOf(
  db: Run,
  seal: Seal,
  fileId: string,
): Promise<{ sha256: string; bytes: Buffer } | undefined> {
  const [row] = await db<{ sha256: string; bytesSealed: Buffer }>`
    select sha256, bytes_sealed from verification_upload where file_id = ${fileId}`
  return row && { sha256: row.sha256, bytes: seal.open(row.bytesSealed, uploadPlace(row.sha256)) }
}

export interface CallbackRow {
  eventId: string
  verificationId: string
  url: string
  body: Buffer
  createdAt: Date
}

export async function keepCallback(tx: Tx, seal: Seal, { body, ...rest }: CallbackRow): Promise<void> {
  const bodySealed = seal.bytes(body, callbackPlace(rest.eventId))
  await tx`insert into verification_callback ${tx({ ...rest, bodySealed, tries: 0 })}`
}

export async function callbackWith(
  db: Run,
  seal: Seal,
  eventId: string,
): Promise<(CallbackRow & { kind: VerificationKind }) | undefined> {
  const [row] = await db<Omit<CallbackRow, 'body'> & { bodySealed: Buffer; kind: VerificationKind }>`
    select event_id, verification_id, url, body_sealed, verification_callback.created_at, kind
    from verification_callback join verification using (verification_id) where event_id = ${eventId}`
  if (!row) return undefined
  const { bodySealed, ...rest } = row
  return { ...rest, body: seal.open(bodySealed, callbackPlace(eventId)) }
}

export async function noteTry(db: Run, eventId: string, answer: string, at: Date): Promise<void> {
  await db`update verification_callback set tries = tries + 1, tried_at = ${at}, answer = ${answer}
    where event_id = ${eventId}`
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
