// Programs that the test files of a process share; each file has its own tenants.

import { issueKey, scopes } from '@lendloom/platform/src/integrators/access/api-key.ts'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import {
  findApplication,
  insertApplication,
  insertTenant,
} from '@lendloom/platform/src/integrators/access/tenant/store.ts'
import { uuidv7 } from '@lendloom/seal/id'
import { enableOnlyLenders } from './lenders.ts'
import { outsideOfTests } from './process-end.ts'
import { type ProgramOptions, type Programs, startPrograms } from './programs.ts'

const started = new Map<string, Promise<Programs>>()

/**
 * Returns the running programs with these settings, or starts them. Transcripts are checked when all files are done; a file
 * sees only errors that are logged after its call. A file that kills a program must start it again; a file that ends
 * programs uses `startPrograms`. After `checkJourneys` (as in `resealAll`), the next file starts new programs.
 */
export async function sharedPrograms({
  env = {},
  lenders,
}: Pick<ProgramOptions, 'env' | 'lenders'> = {}): Promise<Programs> {
  const name = JSON.stringify(Object.entries(env).sort())
  const programs = started.get(name) ?? outsideOfTests(() => startPrograms({ env }))
  started.set(name, programs)
  const { errorLines, checkJourneys, ...shared } = await programs
  const tenant = await newTenant(await programs, lenders)
  const secondTenant = await newTenant(await programs, lenders)
  const checkAndRelease = () => {
    started.delete(name)
    return checkJourneys()
  }
  const knownLines = errorLines.length
  return {
    ...shared,
    tenant,
    secondTenant,
    checkJourneys: checkAndRelease,
    get errorLines() {
      return errorLines.slice(knownLines).filter((line) => mayConcern([tenant, secondTenant], line))
    },
  }
}

/** Whether a log line may concern these tenants. Deliveries to tenants of finished files fail, so their lines are ignored. */
function mayConcern(tenants: SandboxTenant[], line: string): boolean {
  const [, loggedTenantId] = line.match(/"tenantId":"([^"]+)"/) ?? []
  return loggedTenantId === undefined || tenants.some(({ tenantId }) => tenantId === loggedTenantId)
}

/** Creates a tenant with all scopes and the page origins of the sandbox tenant. */
async function newTenant({ db, tenant }: Programs, lenders?: readonly string[]): Promise<SandboxTenant> {
  const at = new Date()
  const ids = { tenantId: uuidv7(at.getTime()), applicationId: uuidv7(at.getTime()) }
  const { origins } = (await findApplication(db, tenant.tenantId, tenant.applicationId))!
  return db.tx(async (tx) => {
    await insertTenant(tx, ids.tenantId, 'An app', at)
    await enableOnlyLenders(tx, ids.tenantId, lenders)
    await insertApplication(tx, { ...ids, name: 'An app', origins }, at)

    const key = { ...ids, label: 'tests', scopes: [...scopes], isLive: false, expiresAt: null }
    return { ...ids, apiKey: (await issueKey(tx, key, at)).apiKey }
  })
}
