// Programs that test files of a process share because they leave them as they found them: each file has tenants of its own in them.

import { uuidv7 } from '#kit/crypto/id.ts'
import { issueKey, scopes } from '#platform/access/api-key.ts'
import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { findApplication, insertApplication, insertTenant } from '#platform/access/tenant/store.ts'
import { enableOnlyLenders } from './lenders.ts'
import { outsideOfTests } from './process-end.ts'
import { type ProgramOptions, type Programs, startPrograms } from './programs.ts'

const started = new Map<string, Promise<Programs>>()

/**
 * The programs with these settings that another file of this process started, or new ones. Their transcripts are judged when
 * all files are done; a file sees the errors that are logged from when it has them. A program that a file ends must run
 * again when the file is done. A file that needs programs for itself, or ends them, calls `startPrograms`. A file that has them
 * judged (`resealAll` does) ends them: the next one starts new ones.
 */
export async function sharedPrograms({
  env = {},
  lenders,
}: Pick<ProgramOptions, 'env' | 'lenders'> = {}): Promise<Programs> {
  const name = JSON.stringify(Object.entries(env).sort())
  const programs = started.get(name) ?? outsideOfTests(() => startPrograms({ env }))
  started.set(name, programs)
  const { complaints, judge, ...shared } = await programs
  const [tenant, secondTenant] = [await newTenant(await programs, lenders), await newTenant(await programs, lenders)]
  const judgeAndLeave = () => {
    started.delete(name)
    return judge()
  }
  const known = complaints.length
  return {
    ...shared,
    ...{ tenant, secondTenant, judge: judgeAndLeave },
    get complaints() {
      return complaints.slice(known).filter((line) => isOf([tenant, secondTenant], line))
    },
  }
}

/** Whether a line of a log may be about these tenants: what is still sent to a tenant of an earlier file fails once that is done. */
function isOf(tenants: SandboxTenant[], line: string): boolean {
  const [, named] = line.match(/"tenantId":"([^"]+)"/) ?? []
  return named === undefined || tenants.some(({ tenantId }) => tenantId === named)
}

/** What a tenant of the sandbox may do, the same pages included. */
async function newTenant({ db, tenant }: Programs, lenders?: readonly string[]): Promise<SandboxTenant> {
  const at = new Date()
  const ids = { tenantId: uuidv7(at.getTime()), applicationId: uuidv7(at.getTime()) }
  const { origins } = (await findApplication(db, tenant.tenantId, tenant.applicationId))!
  return db.tx(async (tx) => {
    await insertTenant(tx, ids.tenantId, 'An app', at)
    await enableOnlyLenders(tx, ids.tenantId, lenders)
    await insertApplication(tx, { ...ids, name: 'An app', origins }, at)

    const key = { ...ids, label: 'tests', scopes: [...scopes], live: false, expiresAt: null }
    return { ...ids, apiKey: (await issueKey(tx, key, at)).apiKey }
  })
}
