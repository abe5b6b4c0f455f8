// Tables of MF Central: mf_client and mf_request.

import { parse } from '@lendloom/foundation/schema'
import { type Run, sql } from '@lendloom/postgres/sql'
import type { PublicJwk } from '@lendloom/seal/jws'
import type { Seal } from '@lendloom/seal/seal'
import { CasRequest } from '@lendloom/wire/registrar/encrypted-envelope'

/** Adds a key of a client, because each of its processes may have its own. */
export async function storeClientKey(db: Run, clientId: string, key: PublicJwk, at: Date): Promise<void> {
  const keys = JSON.stringify([key])
  await db`insert into mf_client ${db({ clientId, keys, updatedAt: at })}
    on conflict (client_id) do update set keys = excluded.keys || mf_client.keys, updated_at = excluded.updated_at
    where not mf_client.keys @> excluded.keys`
}

export async function clientKeys(db: Run, clientId: string): Promise<PublicJwk[]> {
  const [row] = await db<{ keys: PublicJwk[] }>`select keys from mf_client where client_id = ${clientId}`
  return row?.keys ?? []
}

export type StatementStatus = 'PENDING' | 'SHARED' | 'EMPTY' | 'DECLINED'

export interface FundStatementRequest {
  /** The request id: decimal digits. */
  requestId: string
  otpRef: string
  request: CasRequest
  status: StatementStatus
  /** The fund houses that the investor chose. */
  companies: string[]
  createdAt: Date
}

const sealContext = (otpRef: string): string => `mf_request/${otpRef}`

interface NewRequest {
  clientId: string
  otpRef: string
  request: CasRequest
  createdAt: Date
}

/** Stores a request and returns its number; null when the client has used the reference before. */
export async function insertRequest(
  db: Run,
  seal: Seal,
  { clientId, otpRef, request, createdAt }: NewRequest,
): Promise<string | null> {
  const { clientRefNo } = request
  const requestSealed = seal.json(request, sealContext(otpRef))
  const [row] = await db<{ requestId: string }>`
    insert into mf_request ${db({ clientId, clientRefNo, otpRef, requestSealed, status: 'PENDING', createdAt })}
    on conflict (client_id, client_ref_no) do nothing returning request_id::text`
  return row?.requestId ?? null
}

interface StatementRow extends Omit<FundStatementRequest, 'request'> {
  requestSealed: Buffer
}
const columns = sql`request_id::text, otp_ref, request_sealed, status, companies, created_at`

const requestOf = (seal: Seal, { requestSealed, ...row }: StatementRow): FundStatementRequest => ({
  ...row,
  request: parse(CasRequest, seal.openJson(requestSealed, sealContext(row.otpRef))),
})

/** Finds a request by its number and the reference of its one-time password. */
export async function findRequest(
  db: Run,
  seal: Seal,
  { reqId, otpRef }: { reqId: string; otpRef: string },
): Promise<FundStatementRequest | undefined> {
  const [row] =
    await db<StatementRow>`select ${columns} from mf_request where request_id::text = ${reqId} and otp_ref::text = ${otpRef}`
  return row && requestOf(seal, row)
}

/** Records the investor's first decision; later ones change nothing. */
export async function decideRequest(
  db: Run,
  { requestId, status, companies }: Pick<FundStatementRequest, 'requestId' | 'status' | 'companies'>,
): Promise<void> {
  await db`
    update mf_request set status = ${status}, companies = ${companies} where request_id = ${requestId} and status = 'PENDING'`
}
