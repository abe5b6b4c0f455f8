// No credential opens another party's data: every operation of every program with every foreign credential.
import { setTimeout as sleep } from 'node:timers/promises'
import { secondPartnerRow } from '@lendloom/cli/src/start/second-partner.ts'
import { consoleUser } from '@lendloom/tests/setup/console'
import { newCredentials } from '@lendloom/tests/setup/exchange-proxy'
import type { SigningKey } from '@lendloom/wire/exchange/credentials'
import { partnerClientOf } from '@lendloom/wire/exchange/platform-credentials'
import { gateOf, gates } from './api/gates.ts'
import { idsOf } from './api/ids.ts'
import { operations } from './api/operations.ts'
import { fillOwner, type Owner } from './api/owner.ts'
import { buildPages } from './api/pages.ts'
import { deskCookies, platformContext } from './api/staff.ts'
import type { Outcome } from './main.ts'
import { type Checks, checks, wordsOf } from './setup/checks.ts'
import { type Installation, startInstallation } from './setup/installation.ts'
import { type Cell, callAll, type Markers, type Matrix } from './wall/cells.ts'
import { credentialsFor, otherPartiesOf, type Site, staffCredentials } from './wall/credentials.ts'
import { forgeCallbacks, forgeEvents, forgeUploads } from './wall/forged.ts'
import { callWithHeadersAlone } from './wall/headers-alone.ts'
import { callLinks, type ProofTarget, readOwn } from './wall/links.ts'
import { bodyObjects } from './wall/requests.ts'
import { callWithLowerRoles, permittedRoles, recordRoles, roleOperations } from './wall/roles.ts'
import { changedRows, ownIdentifiers, rowsOf } from './wall/rows.ts'

export const about = `Every operation of every program is called with every foreign credential; nothing may be seen or changed
Two tenants, each with a loan of the lending partner, a loan over the network, a gold loan and a loan against funds, with
webhooks, complaints, keys and people, all with marker words. Every operation from the route tables is called for each
tenant's objects with every credential of others: tenants, applications, borrowers, products, expired and revoked ones, keys
without the scope or outside their network, credentials of other kinds, every role of staff, other platforms and partners.
No answer may succeed, or contain a marker or an identifier of the owner; no row of the owner may change.
Options: --record-roles writes proofs/wall/roles.json, for a review of the difference.`

const words = ['alkmene', 'brunhild']

export async function run(args: string[]): Promise<Outcome> {
  const otherPlatform = newCredentials({ sender: 'OTHER' })
  const secondPartner = newCredentials({ owner: 'KAVERI' })
  buildPages()
  const installation = await startInstallation({
    each: 1,
    env: (credentials) => ({
      PARTNER_CLIENTS: JSON.stringify([partnerClientOf(credentials), partnerClientOf(otherPlatform)]),
      SANDBOX_PARTNERS: JSON.stringify([secondPartnerRow('http://127.0.0.1:9', secondPartner)]),
      REQUEST_LOG_DAYS: '30',
      SANDBOX_GRIEVANCE_SECONDS: '1',
    }),
  })
  try {
    const ctx = platformContext(installation)
    const site: Site = {
      installation,
      ctx,
      deskCookies: await deskCookies(installation),
      otherPlatform: { sender: 'OTHER', bearer: otherPlatform.bearer, key: otherPlatform },
      secondPartner: { sender: 'KAVERI', bearer: secondPartner.webhook.bearer, key: keyOf(secondPartner.webhook.keys) },
    }
    const [one, two] = await fillOwners(site)
    return await proveFor(site, [one, two], args)
  } finally {
    await installation.stop()
  }
}

const keyOf = ([key]: SigningKey[]): SigningKey => {
  if (!key) throw new Error('a partner has a signing key')
  return key
}

async function fillOwners({ installation, ctx }: Site): Promise<[Owner, Owner]> {
  const { platformUrl, tenant, secondTenant } = installation
  const fill = async (each: typeof tenant, word: string) => {
    const admin = await consoleUser({ url: platformUrl, ctx }, { role: 'admin', tenantId: each.tenantId })
    return fillOwner(installation, each, word, admin)
  }
  const [first = '', second = ''] = words
  return Promise.all([fill(tenant, first), fill(secondTenant, second)])
}

/** Signed messages of parties without a part in the loans, while the workers would apply them. */
async function proveForged(site: Site, owner: Owner, all: Checks): Promise<number> {
  const { installation, otherPlatform, secondPartner } = site
  const forgeries = [
    await forgeEvents(installation, owner, { side: 'platform', forger: otherPlatform }),
    await forgeEvents(installation, owner, { side: 'partner', forger: secondPartner }),
    await forgeUploads(installation, owner, otherPlatform),
    await forgeCallbacks(installation, owner),
  ]
  const faults = forgeries.flatMap((forged) => forged.faults)
  for (const fault of faults) console.log(`LEAK: ${fault}`)
  const calls = forgeries.reduce((sum, forged) => sum + forged.calls, 0)
  all.note(`no signed message of an outsider is applied to ${owner.word}`, faults.length === 0, calls)
  return calls
}

async function proveLinks(owner: Owner, target: ProofTarget, all: Checks): Promise<number> {
  const own = await readOwn(owner, target)
  const links = await callLinks(own.text, target, [owner.word])
  for (const leak of links.leaks) console.log(`LEAK: ${leak}`)
  const counts = `${links.cells}; with its own token ${links.opened} opened`
  all.note(`no page of ${owner.word} opens with another token`, links.leaks.length === 0, counts)
  all.note(`control: ${owner.word} reads its own data`, own.succeeded > 20, `${own.succeeded} of ${own.all}`)
  return links.cells
}

async function proveFor(site: Site, owners: [Owner, Owner], args: string[]): Promise<Outcome> {
  const { installation } = site
  const all = checks()
  let others = 0
  for (const owner of owners) others += await proveForged(site, owner, all)
  const alone = await callWithHeadersAlone(urlsOf(installation))
  for (const fault of alone.faults) console.log(`WAITS FOR ITS BODY: ${fault}`)
  all.note('headers without a credential are refused before a byte of the body', alone.faults.length === 0, alone.calls)
  for (const { mode, kill } of installation.processes) if (mode === 'worker') await kill()
  const matrices: Matrix[] = []
  for (const [owner, other] of [owners, owners.toReversed()] as [Owner, Owner][]) {
    const otherParties = await otherPartiesOf(site, owner, other)
    const credentials = await credentialsFor(site, owner, otherParties)
    const staff = await staffCredentials(site, owner, other)
    const target: ProofTarget = { ids: await idsOf(installation, owner), urls: urlsOf(installation) }
    if (args.includes('--record-roles')) {
      await recordRoles(staff, target)
      return { passed: true, figures: `${roleOperations().length} operations recorded` }
    }
    const isOwned = ownedBy(owner)
    const before = await settledRows(installation, isOwned)
    const markers: Markers = {
      words: [owner.word, ...owner.people.map(({ pan }) => pan)],
      identifiers: await ownIdentifiers(installation.db, isOwned),
    }
    others += await proveLinks(owner, target, all)
    const matrix = await callAll([...credentials, ...staff], { ...target, markers })
    const roles = await callWithLowerRoles(staff, target)
    matrices.push(matrix)
    others += roles.calls
    const changed = changedRows(before, await rowsOf(installation.db, isOwned))
    for (const leak of [...matrix.leaks, ...roles.leaks]) console.log(`LEAK: ${leak}`)
    all.note(`no answer shows or changes data of ${owner.word}`, matrix.leaks.length === 0, matrix.cells.length)
    all.note(`no role does more for ${owner.word} than roles.json permits`, roles.leaks.length === 0, roles.calls)
    for (const row of changed) console.log(`CHANGED: ${row.slice(0, 400)}`)
    all.note(`no row of ${owner.word} changed`, changed.length === 0, changed.length)
  }
  const unlisted = roleOperations().filter(({ name }) => !permittedRoles[name])
  all.note('roles.json lists every operation of console and desk', unlisted.length === 0, unlisted.length)
  printMatrix(matrices)
  const weak = weakCells(matrices)
  for (const line of weak) console.log(`WEAK: ${line}`)
  all.note('foreign objects are refused as foreign, not for another reason', weak.length === 0, weak.length)
  const cells = matrices.reduce((sum, matrix) => sum + matrix.cells.length, 0)
  const leaks = matrices.reduce((sum, matrix) => sum + matrix.leaks.length, 0)
  const figures = `${operations.length} operations, ${cells} cells, ${others} of roles, links and signatures, ${leaks} leaks; ${wordsOf(all)}`
  return { passed: all.failed.length === 0, figures }
}

const urlsOf = ({ platformUrl, partnerUrl, sandboxUrl }: Installation) => ({
  platform: platformUrl,
  partner: partnerUrl,
  sandbox: sandboxUrl,
})

/** Waits until the lenders of the sandbox have sent what they had to, and returns the rows. */
async function settledRows({ db }: Installation, isOwned: (text: string) => boolean) {
  let rows = await rowsOf(db, isOwned)
  for (let calm = 0; calm < 3; ) {
    await sleep(1000)
    const next = await rowsOf(db, isOwned)
    calm = changedRows(rows, next).length === 0 ? calm + 1 : 0
    rows = next
  }
  return rows
}

/** Whether the text of a row is about one of the owner's journeys; the gold loan is the same person's other product. */
function ownedBy({ headless, embed }: Owner): (text: string) => boolean {
  const ids = [headless.journeyId, headless.borrowerId, embed.journeyId]
  return (text) => ids.some((id) => text.includes(id))
}

/** By gate: credentials with the same answers, and how often each status came. */
function printMatrix(matrices: Matrix[]): void {
  const cells = matrices.flatMap((matrix) => matrix.cells)
  for (const gate of gates) {
    const own = cells.filter((cell) => cell.gate === gate)
    const count = operations.filter((operation) => gateOf(operation) === gate).length
    console.log(`\n${gate}: ${count} operations, ${own.length} cells`)
    const names = new Set(own.map(({ credential }) => credential.name))
    const byStatuses = Map.groupBy(names, (name) =>
      statusesOf(own.filter(({ credential }) => credential.name === name)),
    )
    for (const [statuses, same] of byStatuses) console.log(`  ${statuses.padEnd(40)} ${same.join(', ')}`)
  }
}

/** Refusals of another valid credential for a reason that may have hidden the foreign object, such as an invalid field. */
function weakCells(matrices: Matrix[]): string[] {
  const weak = matrices
    .flatMap((matrix) => matrix.cells)
    .filter(({ gate, credential, request }) => request.namesObject && credential.opens.includes(gate))
    .filter(({ reply }) => ![401, 403, 404].includes(reply.status))
    .filter(({ reply }) => !bodyObjects.some((field) => reply.text.includes(`"field":"${field}"`)))
  return [
    ...new Set(weak.map(({ operation, reply }) => `${operation.name} ${reply.status} ${reply.text.slice(0, 250)}`)),
  ]
}

function statusesOf(cells: Cell[]): string {
  const byStatus = Map.groupBy(cells, ({ reply }) => reply.status)
  return [...byStatus]
    .sort()
    .map(([status, same]) => `${status}×${same.length}`)
    .join(' ')
}
