// Store of the table lender: the lenders that a tenant's journeys have met.

import { daysAfter } from '@lendloom/foundation/clock'
import type { Lender } from '@lendloom/lending/lender'
import { oneRow, type Run, type Tx } from '@lendloom/postgres/sql'

interface NewLender {
  tenantId: string
  lenderId: string
  bppId: string
  providerId: string
  identity: Lender
  at: Date
}

/** Writes a known lender once a day: other journeys wait for the row, and a write changes the tag of every open page. */
export async function storeLender(tx: Tx, { at, identity, ...lender }: NewLender): Promise<string> {
  const stored = JSON.stringify(identity)
  const [known] = await tx<{ lenderId: string }>`
    select lender_id from lender where tenant_id = ${lender.tenantId} and bpp_id = ${lender.bppId}
      and provider_id = ${lender.providerId} and identity = ${stored}::jsonb and updated_at > ${daysAfter(at, -1)}`
  if (known) return known.lenderId
  const rows = await tx<{ lenderId: string }>`
    insert into lender ${tx({ ...lender, identity: stored, updatedAt: at })}
    on conflict (tenant_id, bpp_id, provider_id) do update set identity = ${stored}, updated_at = ${at}
    returning lender_id`
  return oneRow(rows).lenderId
}

export async function readLender(db: Run, tenantId: string, lenderId: string): Promise<Lender | undefined> {
  const [row] = await db<{ identity: Lender }>`
    select identity from lender where tenant_id = ${tenantId} and lender_id = ${lenderId}`
  return row?.identity
}
