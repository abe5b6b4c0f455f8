// Moves a database from one PostgreSQL to several servers as documented, without loss.
import { spawnSync } from 'node:child_process'
import { createDatabase, databaseUrl } from '@lendloom/cli/src/postgres/server.ts'
import { runStatements } from '@lendloom/tests/setup/distributed'
import type { Checks } from './checks.ts'
import { type Citus, startCitus } from './citus.ts'
import { counted, type Databases, databasesOn, lineOf, more, type ProgramsOptions, startPrograms } from './programs.ts'
import type { Traffic } from './traffic.ts'

/** Runs load on one server, moves the stopped databases, and runs load on several servers; nothing accepted may be missing. */
export async function move(all: Checks): Promise<string> {
  const citus = await startCitus({ servers: 2 })
  try {
    const databases = await databasesOn(citus.coordinator.url)
    const before = await runLoad(databases, async () => {
      const without = distribute(databases, 'platform')
      all.note(
        'without Citus it explains what to do',
        without.code === 1 && /citus/i.test(without.text),
        firstLine(without.text),
      )
      await join(citus, databases)
      const refused = distribute(databases, 'platform')
      const names = /still connected/.test(refused.text)
      all.note('refuses to move while programs are connected', refused.code === 1 && names, firstLine(refused.text))
    })
    const began = performance.now()
    for (const program of ['platform', 'partner'] as const) {
      const { code, text } = distribute(databases, program)
      all.note(`the tables of the ${program} are moved`, code === 0, text.trim().split('\n').at(-1))
    }
    const seconds = (performance.now() - began) / 1000
    const again = distribute(databases, 'platform')
    all.note('a second run has nothing to move', again.code === 0 && /already/.test(again.text))
    const countsBefore = await counted(databases, before)
    all.note(
      'everything accepted before the move is stored',
      countsBefore.lost === 0 && countsBefore.notOnce === 0,
      lineOf(countsBefore),
    )
    const after = await runLoad(databases, async () => {}, { isSecond: true })
    const countsAfter = await counted(databases, after)
    all.note('everything accepted after the move is stored', countsAfter.lost === 0, lineOf(countsAfter))
    return `${countsBefore.accepted} accepted before the move and ${countsAfter.accepted} after it, ${countsBefore.lost + countsAfter.lost} lost, moved in ${seconds.toFixed(0)} s`
  } finally {
    citus.stop()
  }
}

/** Sends sessions and events; `meanwhile` runs under this load. */
async function runLoad(databases: Databases, meanwhile = () => {}, options: ProgramsOptions = {}): Promise<Traffic[]> {
  const programs = await startPrograms(databases, options)
  const traffics = programs.send()
  try {
    for (let i = 0; i < rounds; i++) await more(traffics)
    await meanwhile()
    for (const traffic of traffics) await traffic.finish()
    await counted(databases, traffics)
  } finally {
    for (const traffic of traffics) traffic.abandon()
    programs.stop()
  }
  return traffics
}
const rounds = 20

/** The operator's steps: creates the Citus extension on every server and adds the servers to the coordinator. */
async function join({ coordinator, servers }: Citus, databases: Databases): Promise<void> {
  for (const url of [databases.platform, databases.partner]) {
    const name = new URL(url).pathname.slice(1)
    for (const server of servers) await createDatabase(server.url, name)
    for (const server of [coordinator, ...servers])
      await runStatements(databaseUrl(server.url, name), 'create extension citus')
    await runStatements(url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
    for (const { port } of servers) await runStatements(url, `select citus_add_node('127.0.0.1', ${port})`)
  }
}

function distribute(databases: Databases, program: 'platform' | 'partner'): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['apps/cli/src/main.ts', 'database', 'distribute', '--program', program, '--shards', '12'],
    {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: databases.platform, PARTNER_DATABASE_URL: databases.partner },
    },
  )
  return { code: status, text: `${stderr}${stdout}` }
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''
