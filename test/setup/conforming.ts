// A lending partner with a bank that pays at once, and what its platforms need to try it: `lendloom exchange conform` without its command line.
import { main } from '#cli/main.ts'
import { conform } from '#conformance/exchange/conform.ts'
import { clientOf, type PartnerCredentials } from '#contract/exchange/credentials.ts'
import { startBank } from './bank.ts'
import { deadlineMs } from './deadline.ts'
import { newCredentials } from './exchange-proxy.ts'
import { startTestPartner } from './partner.ts'
import { freePort } from './platform.ts'

export interface ConformingPlatform {
  credentials: PartnerCredentials
  /** Where the partner sends its events. */
  port: number
}

/** A platform of that name, as it knows the partner. */
export async function newConformingPlatform(sender: string): Promise<ConformingPlatform> {
  return { credentials: newCredentials({ sender }), port: await freePort() }
}

/** The partner, told of these platforms; `webhookUrl` is where each of them receives. */
export async function startConformingPartner(
  platforms: ConformingPlatform[],
  webhookUrl = ({ port }: ConformingPlatform) => `http://127.0.0.1:${port}/in`,
) {
  const bank = await startBank()
  const clients = platforms.map((platform) => clientOf(platform.credentials, webhookUrl(platform)))
  return startTestPartner({
    PARTNER_CLIENTS: JSON.stringify(clients),
    BANK_URL: bank.url,
    BANK_BEARER: bank.bearer,
    BANK_POLL_SECONDS: '1',
    LENDLOOM_TIME_SCALE: '0.002',
  })
}

/** A run of that platform against what answers at the address. */
export const runConformance = (
  url: string,
  { credentials, port }: ConformingPlatform,
  given: Partial<Parameters<typeof conform>[0]> = {},
) =>
  conform({
    ...{ tried: 'partner', url, credentials, listenAt: { host: '127.0.0.1', port } },
    ...{ waitSeconds: deadlineMs / 1000, retryAfterSeconds: 1 },
    say: () => {},
    ...given,
  })

/** The command as it is typed. */
export async function runConformCommand(...args: string[]) {
  const [out, err]: string[][] = [[], []]
  const terminal = {
    env: {},
    print: (text: string) => void out!.push(text),
    complain: (text: string) => void err!.push(text),
  }
  const exitCode = await main(['exchange', 'conform', ...args], terminal)
  return { exitCode, out: out!.join('\n'), err: err!.join('\n') }
}
