// Runs the checks of the platform or of the partner: those of its settings and surroundings, then those in its
// database.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, readClockOffset } from '@lendloom/foundation/clock'
import { type Config, readSettings, secretText } from '@lendloom/foundation/config'
import { messageOf } from '@lendloom/foundation/thrown'
import { settingsFaults as partnerFaults } from '@lendloom/partner/operations/installation'
import { settings as partnerSettings } from '@lendloom/partner/settings'
import { settingsFaults as platformFaults } from '@lendloom/platform/operations/installation'
import { settings as platformSettings } from '@lendloom/platform/settings'
import { type Seal, sealFrom, type sealSettings } from '@lendloom/seal/seal'
import { failed, type HealthCheck, type NamedFinding, ok, runCheck } from '#cli/check.ts'
import { connectTo, databaseVariable } from '#cli/database.ts'
import type { RealProgram } from '#cli/program-names.ts'
import { checksInDatabase, requiredChecks } from './database.ts'
import { archivePlace, checkFileStore, partnerPlace } from './file-store.ts'
import {
  checkClientCertificate,
  checkDisk,
  checkMailServer,
  checkNetworkEntry,
  checkScanner,
  checkSmsProvider,
} from './outside.ts'

/** Runs all checks of a program. Those in a database run only if it can be reached. */
export async function examineProgram(program: RealProgram, env: NodeJS.ProcessEnv): Promise<NamedFinding[]> {
  const aheadMs = env.CLOCK_FILE ? readClockOffset(env.CLOCK_FILE).aheadMs : 0
  const clock: Clock = () => new Date(Date.now() + aheadMs)
  const { checks, sealing } = program === 'platform' ? platformChecks(env, clock) : partnerChecks(env)
  const [surroundings, inDatabase] = await Promise.all([
    Promise.all(checks.map(runCheck)),
    examineDatabase(program, env, { sealing, clock }),
  ])
  return [...surroundings, ...inDatabase]
}

/** After this time a query fails, so that the command ends even if the database no longer answers. */
const queryTimeoutMs = 12_000
/** Closing waits for running queries, which may never end. */
const closeTimeoutMs = 3000

/** Later checks are useless if the database cannot be reached, is that of another program, or lacks migrations. */
async function examineDatabase(
  program: RealProgram,
  env: NodeJS.ProcessEnv,
  { sealing, clock }: { sealing: Checks['sealing']; clock: Clock },
): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = []
  const name = databaseVariable[program]
  const url = URL.parse(secretText(env, name) ?? '')
  if (!url) return findings
  url.searchParams.set('query_timeout', `${queryTimeoutMs}`)
  const db = connectTo(program, { ...env, [name]: url.href, [`${name}_FILE`]: '' }, 4)
  try {
    for (const check of requiredChecks({ program, db })) {
      const finding = await runCheck(check)
      findings.push(finding)
      if (finding.state === 'failed') return findings
    }
    return [...findings, ...(await Promise.all(checksInDatabase({ program, db, sealing, clock }).map(runCheck)))]
  } finally {
    await Promise.race([db.close(), sleep(closeTimeoutMs, undefined, { ref: false })])
  }
}

interface Checks {
  checks: HealthCheck[]
  /** Null if the settings are invalid. */
  sealing: { seal: Seal; keys: string } | null
}

const platformChecks = (env: NodeJS.ProcessEnv, clock: Clock): Checks =>
  settingsAnd(readSettings(platformSettings, env, platformFaults), (config) => [
    ['network entry', () => checkNetworkEntry(config, clock)],
    ['mail server', () => checkMailServer(config)],
    ['SMS provider', () => checkSmsProvider(config)],
    ['malware scanner', () => checkScanner(config.CLAMD, 'CLAMD')],
    ...clientCertificateChecks(config, clock),
    ...archiveChecks(config),
  ])

function archiveChecks(config: Config<typeof platformSettings>): HealthCheck[] {
  const place = archivePlace(config)
  if (!place) return []
  const disk: HealthCheck = ['disk of the archive', () => checkDisk(place.directory)]
  return [['archive', () => checkFileStore(place)], ...(place.bucket ? [] : [disk])]
}

const clientCertificateChecks = (
  { CLIENT_CERTIFICATE: certificate }: Config<typeof platformSettings>,
  clock: Clock,
): HealthCheck[] =>
  certificate === null ? [] : [['client certificate', async () => checkClientCertificate(certificate, clock())]]

const partnerChecks = (env: NodeJS.ProcessEnv): Checks =>
  settingsAnd(readSettings(partnerSettings, env, partnerFaults), (config) => [
    ['mail server', () => checkMailServer(config)],
    ['malware scanner', () => checkScanner(config.PARTNER_CLAMD, 'PARTNER_CLAMD')],
    ['disk', () => checkDisk(config.PARTNER_FILES_DIR)],
    ['file store', () => checkFileStore(partnerPlace(config))],
  ])

/** The check of the settings, and if they are valid, those that use them. */
function settingsAnd<C extends Config<typeof sealSettings>>(
  { config, faults }: { config: C; faults: string[] },
  checksWith: (config: C) => HealthCheck[],
): Checks {
  const invalid = (found: string): Checks => ({
    checks: [['settings', async () => failed(found, 'correct these settings: docs/reference/settings.md')]],
    sealing: null,
  })
  if (faults.length > 0) return invalid(faults.join('\n'))
  try {
    const seal = sealFrom(config, [])
    return {
      checks: [['settings', async () => ok('complete and valid')], ...checksWith(config)],
      sealing: { seal, keys: config.LENDLOOM_KEYS },
    }
  } catch (error) {
    return invalid(messageOf(error))
  }
}
