// The previous release and this version share the databases under load, as during a rolling upgrade.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { migrate } from '@lendloom/postgres/migrate'
import { newSealKey } from '@lendloom/seal/seal'
import { assertAllApplied, completePartnerLoan } from '@lendloom/tests/setup/lending-life'
import { until } from '@lendloom/tests/setup/programs'
import { option } from '../bench/setup/api.ts'
import type { Outcome } from './main.ts'
import { type Checks, checks, wordsOf } from './setup/checks.ts'
import { type Installation, type Process, startInstallation } from './setup/installation.ts'
import { missingOf, payouts, sessions } from './setup/sessions.ts'
import { send } from './setup/traffic.ts'

export const about = `A rolling upgrade from the previous release under load: no request fails, every loan is made, every event is applied once
Starts API and worker of platform and partner from the newest tag (without one from the commit of 0.1.0, or --from), with a sandbox,
and opens sessions and loans. Then it migrates the databases, starts the processes of this version beside the old ones, lets both work
on further loans, stops the old ones one by one, and makes the last loans with this version alone. The old version runs with the packages of this one.
Options: --from <commit>, --loans <n> (2) in each of the three phases.`

/** The commit of release 0.1.0, which has no tag: the last one before the notes of the next release. */
const firstRelease = '6fcd54e9fdb36861861d581b1379a636c1f0b46c'

export const missing = (): string | null =>
  previousRelease() || process.argv.includes('--from')
    ? null
    : `this clone has no tag of a release, and not the commit ${firstRelease} of release 0.1.0; run "git fetch --unshallow --tags", or name a commit with --from`

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** The newest tag of a release in the history of this clone, or the commit of 0.1.0; null without both. */
export function previousRelease(): string | null {
  const attempts = [
    ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'],
    ['rev-parse', '--verify', `${firstRelease}^{commit}`],
  ]
  for (const attempt of attempts)
    try {
      return git(...attempt)
    } catch {
      // The clone does not have it.
    }
  return null
}

export async function run(args: string[]): Promise<Outcome> {
  const at = args.indexOf('--from')
  const from = at >= 0 ? args[at + 1] : previousRelease()
  if (!from) throw new Error('--from needs a commit')
  const { all, figures } = await upgrade(from, option(args, 'loans', 2))
  return { passed: all.failed.length === 0, figures: `from ${from}: ${figures}; ${wordsOf(all)}` }
}

/** Upgrades an installation of the version `from` to this one; `loans` are made in each phase. */
export async function upgrade(from: string, loans: number): Promise<{ all: Checks; figures: string }> {
  const old = unpack(from)
  const installation = await startInstallation({ each: 1, version: old, env: { LENDLOOM_KEYS: oldKey } })
  const all = checks()
  try {
    const port = Number(new URL(installation.platformUrl).port)
    const traffic = send(port, { senders: 2, next: sessions(installation, 'upgrade'), pauseMs: 50 })
    const cases = await makeLoans(installation, loans)
    const spanning = makeLoans(installation, loans)
    spanning.catch(() => {})
    await migrate(installation.db, migrationsOf.platform)
    await migrate(installation.partnerDb, migrationsOf.partner)
    const added: Process[] = []
    for (const { program, mode } of installation.processes)
      added.push(await installation.add(program, mode, process.cwd()))
    const meanwhile = makeLoans(installation, loans)
    meanwhile.catch(() => {})
    await until('an offer of the partner for every loan', async () => {
      const offered = await installation.partnerDb`
        select from case_file where status not in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW')`
      return offered.length === 3 * loans
    })
    // A process of 0.1.0 shows no link to a page that this version stored: some loans wait until the old processes stop.
    for (const process of installation.processes) await process.stop()
    cases.push(...(await spanning), ...(await meanwhile), ...(await makeLoans(installation, loans)))
    await traffic.finish()
    for (const caseRef of cases) {
      await assertAllApplied(installation.db, installation.partnerDb, caseRef)
      await assertAllApplied(installation.partnerDb, installation.db, caseRef)
    }
    all.note('every loan was paid out once', (await payouts(installation)) === cases.length, cases.length)
    all.note('no request failed', traffic.failed() === 0, traffic.failed())
    all.note('no request was refused', traffic.refused.size === 0)
    all.note(
      'every acknowledged session is stored',
      (await missingOf(installation, traffic)) === 0,
      traffic.accepted.size,
    )
    const gap = (traffic.longestGapMs() / 1000).toFixed(1)
    return { all, figures: `${cases.length} loans, ${traffic.accepted.size} sessions, longest gap ${gap} s` }
  } finally {
    await installation.stop()
    rmSync(old, { recursive: true, force: true })
  }
}

/** A key as version 0.1.0 writes and reads it. */
export const oldKey = newSealKey('k1').replace(':v2', '')

let borrowers = 0
/** One borrower per loan, because the lender limits what it lends to one person. */
const makeLoans = (installation: Installation, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => completePartnerLoan(installation, `ABCPE${1200 + borrowers++}F`)))

/** Unpacks a commit into a new folder, with the packages of this version. */
export function unpack(commit: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-upgrade-'))
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'))
  mkdirSync(join(directory, 'dist'), { recursive: true })
  return directory
}
