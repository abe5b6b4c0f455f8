// The matrix of roles: which staff may use each operation of console and desk. `roles.json` is the reviewed list.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { type Reply, send } from '../api/call.ts'
import { gateOf } from '../api/gates.ts'
import type { Ids } from '../api/ids.ts'
import { type ApiOperation, operations, type ProgramName } from '../api/operations.ts'
import type { Credential } from './credentials.ts'
import { requestOf } from './requests.ts'

const file = join(import.meta.dirname, 'roles.json')

/** By operation, the roles that may use it. */
export const permittedRoles: Record<string, string[]> = JSON.parse(readFileSync(file, 'utf8'))

/** The operations that staff uses by role. */
export const roleOperations = (): ApiOperation[] =>
  operations.filter((operation) => ['console', 'desk'].includes(gateOf(operation)))

const isRefused = ({ status, text, headers }: Reply): boolean =>
  status === 401 ||
  status === 403 ||
  (status === 303 && String(headers.location).includes('sign-in')) ||
  (status === 404 && text.includes('there is nothing at this address'))

interface RoleCalls {
  ids: Ids
  urls: Record<ProgramName, string>
}

const gates = { console: 'console', desk: 'desk' } as const

const callsOf = (staff: Credential[]) =>
  roleOperations().flatMap((operation) =>
    staff
      .filter(({ role, opens }) => role !== undefined && opens.includes(gates[gateOf(operation) as 'console']))
      .map((credential) => ({ operation, credential, role: credential.role ?? '' })),
  )

async function callAs({ operation, credential }: ReturnType<typeof callsOf>[number], { ids, urls }: RoleCalls) {
  const request = requestOf(operation, ids, { urls, namesTenant: credential.namesTenant === true })
  return send({ ...request, headers: { ...request.headers, ...credential.headers } })
}

/** Calls every operation with each role that is not permitted; returns the number of calls and those let in. */
export async function callWithLowerRoles(staff: Credential[], target: RoleCalls) {
  const limit = pLimit(6)
  const forbidden = callsOf(staff).filter(
    ({ operation, role }) => !(permittedRoles[operation.name] ?? []).includes(role),
  )
  const leaks = await Promise.all(
    forbidden.map((each) =>
      limit(async () => {
        const reply = await callAs(each, target)
        if (isRefused(reply) || reply.status >= 500) return []
        return [`${each.operation.name} lets in ${each.credential.name} (${reply.status})`]
      }),
    ),
  )
  return { calls: forbidden.length, leaks: leaks.flat() }
}

/** Writes which roles each operation lets in now, for a review of the difference. */
export async function recordRoles(staff: Credential[], target: RoleCalls): Promise<void> {
  const found: Record<string, string[]> = Object.fromEntries(roleOperations().map(({ name }) => [name, []]))
  for (const each of callsOf(staff)) {
    const reply = await callAs(each, target)
    if (!isRefused(reply)) found[each.operation.name]?.push(each.role)
  }
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
}
