// The tenants of a sandbox: the same ids and keys on every start, so that a restart invalidates nothing.

import { mintToken } from '@lendloom/seal/token'
import type { TxContext } from '#platform/context.ts'
import { scopes } from './api-key.ts'
import { findKey, insertKey, lockTenants } from './store.ts'
import { findApplication, insertApplication, insertTenant, setOrigins } from './tenant/store.ts'

export interface SandboxTenant {
  tenantId: string
  applicationId: string
  apiKey: string
}

const fixedTenants = {
  tenant: {
    name: 'Sandbox Pay',
    tenantId: '01930000-0000-7000-8000-000000000001',
    applicationId: '01930000-0000-7000-8000-000000000011',
  },
  secondTenant: {
    name: 'Second Sandbox App',
    tenantId: '01930000-0000-7000-8000-000000000002',
    applicationId: '01930000-0000-7000-8000-000000000022',
  },
}

/** A separate tenant, so that the demo app does not interfere with the two tenants that developers use. */
const fixedDemoTenant = {
  name: 'Demo App',
  tenantId: '01930000-0000-7000-8000-000000000003',
  applicationId: '01930000-0000-7000-8000-000000000033',
}

export const demoTenant = (ctx: TxContext): Promise<SandboxTenant> => ensureTenant(ctx, fixedDemoTenant)

/** Creates missing sandbox tenants, lets this installation's pages embed their journeys, and returns the tenants. */
export async function sandboxTenants(ctx: TxContext): Promise<Record<keyof typeof fixedTenants, SandboxTenant>> {
  const tenant = await ensureTenant(ctx, fixedTenants.tenant)
  return { tenant, secondTenant: await ensureTenant(ctx, fixedTenants.secondTenant) }
}

async function ensureTenant(
  ctx: TxContext,
  { name, tenantId, applicationId }: typeof fixedDemoTenant,
): Promise<SandboxTenant> {
  const { tx, at } = ctx
  await lockTenants(tx)
  const origins = ownOrigins(ctx.config.PUBLIC_URL)
  const application = await findApplication(tx, tenantId, applicationId)
  if (!application) {
    await insertTenant(tx, tenantId, name, at)
    await insertApplication(tx, { tenantId, applicationId, name, origins }, at)
  } else if (origins.some((origin) => !application.origins.includes(origin))) {
    await setOrigins(tx, tenantId, applicationId, [...new Set([...application.origins, ...origins])])
  }
  // The token is derived from the installation's key, so it is stable across starts and differs per installation.
  const { token, tokenId, digest } = mintToken('sk_test', { tenantId }, (size) =>
    ctx.seal.digest(`${tenantId}:${size}`, 'sandbox api key').subarray(0, size),
  )
  if (!(await findKey(tx, tenantId, tokenId)))
    await insertKey(tx, {
      tenantId,
      addresses: [],
      keyId: tokenId,
      applicationId,
      label: 'sandbox',
      digest,
      scopes: [...scopes],
      createdAt: at,
      expiresAt: null,
    })
  return { tenantId, applicationId, apiKey: token }
}

/** Origins of this installation, and of an integrator's development servers on the same machine. */
const ownOrigins = (publicUrl: string): string[] => [
  new URL(publicUrl).origin,
  'http://localhost:*',
  'http://127.0.0.1:*',
]
