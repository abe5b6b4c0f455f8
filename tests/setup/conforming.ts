// A lending partner with an immediate bank, and runs of the conformance checks against it.
import { main } from '@lendloom/cli/src/main.ts'
import { conform } from '@lendloom/conformance/exchange/conform'
import type { PartnerCredentials } from '@lendloom/wire/exchange/credentials'
import { partnerClientOf } from '@lendloom/wire/exchange/platform-credentials'
import { startBank } from './bank.ts'
import { deadlineMs } from './deadline.ts'
import { newCredentials } from './exchange-proxy.ts'
import { startTestPartner } from './partner.ts'
import { freePort } from './platform.ts'

export interface ConformingPlatform {
  credentials: PartnerCredentials
  /** The port that receives the partner's events. */
  port: number
}

/** Creates the credentials and port of a platform with this sender name. */
export async function newConformingPlatform(sender: string): Promise<ConformingPlatform> {
  return { credentials: newCredentials({ sender }), port: await freePort() }
}

/** Starts a partner that knows these platforms; `webhookUrl` is the address for each platform's events. */
export async function startConformingPartner(
  platforms: ConformingPlatform[],
  webhookUrl = ({ port }: ConformingPlatform) => `http://127.0.0.1:${port}/in`,
) {
  const bank = await startBank()
  const clients = platforms.map((platform) => partnerClientOf(platform.credentials, webhookUrl(platform)))
  return startTestPartner({
    PARTNER_CLIENTS: JSON.stringify(clients),
    BANK_URL: bank.url,
    BANK_BEARER: bank.bearer,
    BANK_POLL_SECONDS: '1',
    LENDLOOM_TIME_SCALE: '0.002',
  })
}

/** Runs the conformance checks as this platform against the partner at `url`. */
export const runConformance = (
  url: string,
  { credentials, port }: ConformingPlatform,
  overrides: Partial<Parameters<typeof conform>[0]> = {},
) =>
  conform({
    testedSide: 'partner',
    url,
    credentials,
    listenAt: { host: '127.0.0.1', port },
    waitSeconds: deadlineMs / 1000,
    retryAfterSeconds: 1,
    say: () => {},
    ...overrides,
  })

/** Runs `lendloom exchange conform` with these arguments. */
export async function runConformCommand(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const terminal = {
    env: {},
    print: (text: string) => void out.push(text),
    complain: (text: string) => void err.push(text),
  }
  const exitCode = await main(['exchange', 'conform', ...args], terminal)
  return { exitCode, out: out.join('\n'), err: err.join('\n') }
}
