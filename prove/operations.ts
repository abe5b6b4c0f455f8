// Platform and partner operated with the usual parts: TLS before them, a mail server, Prometheus with its alerts, a container.
import type { Outcome } from './main.ts'
import { type Checks, checks, wordsOf } from './setup/checks.ts'
import { container } from './setup/container.ts'
import type { Part } from './setup/part.ts'
import { figures } from './setup/prometheus.ts'
import { mail } from './setup/smtp.ts'
import { behindTls } from './setup/tls.ts'

export const about = `Behind TLS, with a mail server, under Prometheus with its alert rules, and in a container built from the Containerfile
Parts, each of which is skipped where its packages are not installed:
tls        Debian's Caddy with a certificate of an authority of one's own before platform and partner: a session by a key that is
           bound to an address, and a document of 250 MiB. The control is a platform that is told nothing of the proxy.
mail       Debian's aiosmtpd: a mail is put off and arrives later, once; one is refused and shown; none goes by a TLS that nobody
           vouches for, and the control arrives once the authority is known.
figures    Debian's Prometheus scrapes platform and partner, APIs and workers, with the alert rules of docs/how-to/monitor.md: every
           figure of a rule is there, no alert is on, and two fire when a process is killed and a database is read-only.
container  podman builds the Containerfile on a base of debootstrap and runs platform and partner from it. Needs root, five
           minutes, some gigabytes in the temporary directory, and npm's registry.
Options: names of parts; all of them unless told.`

const parts: Part[] = [behindTls, mail, figures, container]

/** A part that cannot run is skipped by itself. */
export const missing = (): string | null =>
  parts.some((part) => part.missing() === null) ? null : parts.map((part) => part.missing()).join('; ')

export async function run(args: string[]): Promise<Outcome> {
  const unknown = args.filter((arg) => !parts.some(({ name }) => name === arg))
  if (unknown.length > 0) throw new Error(`there is no part "${unknown.join('", "')}"`)
  const wanted = parts.filter(({ name }) => args.length === 0 || args.includes(name))
  const all = checks()
  const counted: string[] = []
  const skipped: string[] = []
  for (const part of wanted) {
    const why = part.missing()
    console.log(why === null ? `\n${part.name}` : `\n${part.name}: SKIPPED: ${why}`)
    if (why === null) counted.push(await part.prove(all.note))
    else skipped.push(part.name)
  }
  return outcomeOf(all, counted, skipped)
}

/** What was skipped is said and proves nothing: without a check nothing is passed. */
export function outcomeOf(all: Checks, counted: string[], skipped: string[]): Outcome {
  const left = skipped.length > 0 ? [`SKIPPED: ${skipped.join(', ')}`] : []
  return {
    passed: all.total > 0 && all.failed.length === 0,
    figures: [...counted, wordsOf(all), ...left].join('; '),
  }
}
