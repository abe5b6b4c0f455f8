// Platform and partner in a usual operating environment: behind TLS, with a mail server, Prometheus alerts, and a container.
import type { Outcome } from './main.ts'
import { type Checks, checks, wordsOf } from './setup/checks.ts'
import { container } from './setup/container.ts'
import type { Part } from './setup/part.ts'
import { figures } from './setup/prometheus.ts'
import { mail } from './setup/smtp.ts'
import { behindTls } from './setup/tls.ts'

export const about = `Behind TLS, with a mail server, under Prometheus with its alert rules, and in a container built from the Containerfile
Parts; each is skipped if its packages are not installed:
tls        Debian's Caddy with a certificate of a private authority in front of platform and partner: a session with an API key
           bound to an address, and a document of 250 MiB. The control is a platform without the proxy setting.
mail       Debian's aiosmtpd: a deferred mail arrives later, once; a refused one is shown; none is sent over untrusted TLS, and
           the control arrives once the authority is trusted.
figures    Debian's Prometheus scrapes APIs and workers of platform and partner with the alert rules of docs/how-to/monitor.md:
           every metric of a rule exists, no alert fires, and two fire when a process is killed and a database is read-only.
container  podman builds the Containerfile on bases of mmdebstrap and runs platform and partner from it. Needs root, five
           minutes, some gigabytes in the temporary directory, and npm's registry.
Options: names of parts; default: all.`

const parts: Part[] = [behindTls, mail, figures, container]

/** The proof is skipped only if no part can run. */
export const missing = (): string | null =>
  parts.some((part) => part.missing() === null) ? null : parts.map((part) => part.missing()).join('; ')

export async function run(args: string[]): Promise<Outcome> {
  const unknown = args.filter((arg) => !parts.some(({ name }) => name === arg))
  if (unknown.length > 0) throw new Error(`unknown part "${unknown.join('", "')}"`)
  const chosenParts = parts.filter(({ name }) => args.length === 0 || args.includes(name))
  const all = checks()
  const counted: string[] = []
  const skipped: string[] = []
  for (const part of chosenParts) {
    const why = part.missing()
    console.log(why === null ? `\n${part.name}` : `\n${part.name}: SKIPPED: ${why}`)
    if (why === null) counted.push(await part.prove(all.note))
    else skipped.push(part.name)
  }
  return outcomeOf(all, counted, skipped)
}

/** Passes only if there was at least one check and none failed; lists skipped parts. */
export function outcomeOf(all: Checks, counted: string[], skipped: string[]): Outcome {
  const skippedText = skipped.length > 0 ? [`SKIPPED: ${skipped.join(', ')}`] : []
  return {
    passed: all.total > 0 && all.failed.length === 0,
    figures: [...counted, wordsOf(all), ...skippedText].join('; '),
  }
}
