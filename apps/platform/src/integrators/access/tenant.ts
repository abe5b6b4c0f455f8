// Creates tenants (integrators) and their applications, and sets an application's products and allowed origins.

import { isOneOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { productIds } from '@lendloom/lending/product/products'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { findApplication, insertApplication, insertTenant, setOrigins, setProducts } from './tenant/store.ts'

export interface NewTenant {
  name: string
  applicationName: string
  origins: string[]
}

export async function createTenant(
  tx: Tx,
  { name, applicationName, origins }: NewTenant,
  at: Date,
): Promise<{ tenantId: string; applicationId: string }> {
  const tenantId = uuidv7(at.getTime())
  await insertTenant(tx, tenantId, name, at)
  const applicationId = await createApplication(tx, { tenantId, name: applicationName, origins }, at)
  return { tenantId, applicationId }
}

export async function createApplication(
  tx: Tx,
  { tenantId, name, origins }: { tenantId: string; name: string; origins: string[] },
  at: Date,
): Promise<string> {
  const applicationId = uuidv7(at.getTime())
  await insertApplication(tx, { tenantId, applicationId, name, origins: exactOrigins(origins) }, at)
  return applicationId
}

/**
 * Replaces the origins that may embed an application's journeys (`frame-ancestors`, `postMessage`). Origins that are
 * already allowed are not validated again, because sandbox origins have a port wildcard.
 */
export async function allowOrigins(db: Run, tenantId: string, applicationId: string, origins: string[]): Promise<void> {
  const application = await findApplication(db, tenantId, applicationId)
  if (!application) throw new Refusal('absent', 'there is no such application')
  const allowed = origins.map((each) => (application.origins.includes(each) ? each : exactOrigin(each)))
  await setOrigins(db, tenantId, applicationId, [...new Set(allowed)])
}

/** Enables exactly these products for new journeys; throws `invalid` for an unknown product. */
export async function enableProducts(
  db: Run,
  tenantId: string,
  applicationId: string,
  products: string[],
): Promise<void> {
  const unknown = products.find((product) => !isOneOf(productIds, product))
  if (unknown !== undefined)
    throw invalid({ path: 'products', message: `must be one of ${productIds.join(', ')}, not ${unknown}` })
  const exists = await setProducts(db, tenantId, applicationId, [...new Set(products)])
  if (!exists) throw new Refusal('absent', 'there is no such application')
}

const exactOrigins = (origins: string[]): string[] => [...new Set(origins.map(exactOrigin))]

/** Normalises an origin as browsers do; throws `invalid` for a path or a wildcard, which browsers would ignore. */
export function exactOrigin(text: string): string {
  const parsed = URL.parse(text)
  if (!parsed || !/^https?:\/\/[a-z0-9.-]+(:\d+)?\/$/.test(parsed.href))
    throw invalid({ path: 'origin', message: `must be an origin such as https://app.example, not ${text}` })
  return parsed.origin
}
