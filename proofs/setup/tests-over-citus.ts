// Runs test files with their databases on a Citus cluster.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { clusterVariable } from '@lendloom/tests/setup/distributed'
import type { Citus } from './citus.ts'

/** Journeys without a browser that cover every action of the two APIs and the network. */
const journeys = [
  'hosted-loan',
  'gold-loan',
  'lamf-loan',
  'headless-loan',
  'second-offers',
  'endings',
  'time-limits',
  'servicing',
  'headless-servicing',
  'grievance',
]
/** Journeys with lending partners, the account aggregator, changing keys, and several integrators at once. */
const further = [
  'partner-loan',
  'two-partners',
  'independent-partner',
  'autopilot',
  'aggregator',
  'headless-consents',
  'denied-access',
  'both-apis',
  'partner-statement',
  'partner-video-kyc',
]
/** The partner's processing of many loans at once. */
const ofBook = [
  'loan/day-end',
  'loan/class/asset-class',
  'loan/month/month',
  'collection/receipt/payment-claim',
  'collection/transfer/order-refund',
]

/** The file of this name in any tier; the pattern itself if there is none, so that a test reports it. */
const found = (pattern: string): string => globSync(pattern)[0] ?? pattern
const fileOf = (name: string): string => found(`tests/full/*/${name}.test.ts`)
const partnerFileOf = (name: string): string => found(`apps/partner/src/{,*/}${name}{.test,.full.test}.ts`)
/** Every product to completion. */
export const productFiles = journeys.map(fileOf)

/** Tests that use the statements of both programs. */
export const routedFiles: string[] = [...[...journeys, ...further].map(fileOf), ...ofBook.map(partnerFileOf)]

/** The files whose path contains one of the texts after `--files`; without it, all. */
export function selected(files: string[], args: string[]): string[] {
  const at = args.indexOf('--files')
  const texts = (at < 0 ? '' : (args[at + 1] ?? '')).split(',')
  return files.filter((path) => texts.some((text) => path.includes(text)))
}

const ofPartner = [
  'api/history',
  'api/case.law',
  'api/lead',
  'api/offer',
  'api/get-status',
  'loan/loan',
  'loan/money.law',
  'loan/day-end',
  'loan/day-end.crash',
  'loan/part-payment',
  'loan/write-off',
  'loan/class/asset-class',
  'loan/month/month',
  'collection/debit/collect.law',
  'collection/receipt/payment-claim',
  'collection/transfer/order-refund',
  'desk/approval/acts',
  'desk/approval/approvals',
  'desk/staff/roles',
  'ledger/ledger',
  'desk/month-end/month-end',
  'desk/staff/second-factor',
  'desk/staff/sign-in-race',
  'desk/queue/queue',
  'desk/search/search',
  'archive/archive',
]
/** The partner's events in any order, its day ends, its desk, and a loan over 22 weeks. */
export const partnerFiles: string[] = [...ofPartner.map(partnerFileOf), 'tests/full/exactness/partner-weeks.test.ts']

const ofConsole = [
  'complaints/complaints',
  'complaints/suggest-journeys',
  'overview/attention',
  'mail/mail',
  'isolation',
  'webhooks/webhooks',
]
/** The console's lists, and the limit that all processes share. */
export const consoleFiles: string[] = [
  ...ofConsole.map((name) => found(`apps/platform/src/api/console/${name}{.test,.full.test}.ts`)),
  'packages/http/src/shared-limit.test.ts',
]

export interface Ran {
  passed: number
  failed: number
  seconds: number
}

/** Runs one test file and prints the output of failures. */
export async function runTests(file: string, { coordinator, servers, entry }: Citus): Promise<Ran> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    ['--test', '--test-reporter=spec', '--test-global-setup=tests/setup/global.ts', file],
    { env: { ...process.env, [clusterVariable]: JSON.stringify({ coordinator, servers, entry }) } },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk))
  const code = await new Promise<number>((resolve) => child.on('close', (ended) => resolve(ended ?? 1)))
  const countOf = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  const failed = countOf('fail') + countOf('cancelled')
  if (code !== 0) console.log(text.split('✖ failing tests:')[1] ?? text)
  return {
    passed: countOf('pass'),
    failed: failed || (code === 0 ? 0 : 1),
    seconds: (performance.now() - began) / 1000,
  }
}
