// A lending partner with a bank that pays at once, and what its platforms need to try it: `lendloom exchange conform` without its command line.
import { randomBytes } from 'node:crypto'
import { main } from '#cli/main.ts'
import { conform } from '#conformance/exchange/conform.ts'
import type { PartnerCredentials } from '#contract/exchange/credentials.ts'
import { startBank } from './bank.ts'
import { deadlineMs } from './deadline.ts'
import { startTestPartner } from './partner.ts'
import { freePort } from './platform.ts'

const secret = () => randomBytes(18).toString('base64url')

export interface ConformingPlatform {
  credentials: PartnerCredentials
  /** Where the partner sends its events. */
  port: number
}

/** A platform of that name, as it knows the partner. */
export async function platformNamed(sender: string): Promise<ConformingPlatform> {
  const webhook = { sender: 'CELESTIUM', bearer: secret(), keys: [{ keyId: 'partner-1', secret: secret() }] }
  const credentials = { sender, bearer: secret(), keyId: `${sender}-1`, secret: secret(), webhook }
  return { credentials, port: await freePort() }
}

/** The partner, told of these platforms; `webhookUrl` is where each of them receives. */
export async function partnerOf(
  platforms: ConformingPlatform[],
  webhookUrl = ({ port }: ConformingPlatform) => `http://127.0.0.1:${port}/in`,
) {
  const bank = await startBank()
  const clients = platforms.map((platform) => {
    const { sender, bearer, keyId, secret: signing, webhook } = platform.credentials
    const [key] = webhook.keys
    return {
      ...{ sender, bearer, keys: [{ keyId, secret: signing }] },
      webhook: { url: webhookUrl(platform), bearer: webhook.bearer, ...key },
    }
  })
  return startTestPartner({
    PARTNER_CLIENTS: JSON.stringify(clients),
    BANK_URL: bank.url,
    BANK_BEARER: bank.bearer,
    BANK_POLL_SECONDS: '1',
    LENDLOOM_TIME_SCALE: '0.002',
  })
}

/** A run of that platform against what answers at the address. */
export const conformOf = (
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
export async function lendloom(...args: string[]) {
  const [out, err]: string[][] = [[], []]
  const terminal = {
    env: {},
    print: (text: string) => void out!.push(text),
    complain: (text: string) => void err!.push(text),
  }
  const exitCode = await main(['exchange', 'conform', ...args], terminal)
  return { exitCode, out: out!.join('\n'), err: err!.join('\n') }
}
