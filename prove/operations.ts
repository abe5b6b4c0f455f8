// Platform and partner operated with the usual parts: TLS before them, a mail server, Prometheus with its alerts, a container.
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import type { Part } from './setup/part.ts'
import { figures } from './setup/prometheus.ts'
import { mail } from './setup/smtp.ts'
import { behindTls } from './setup/tls.ts'

export const about = `Behind TLS, with a mail server, under Prometheus with its alert rules, and in a container built from the Containerfile`

const parts: Part[] = [behindTls, mail, figures]

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
  const left = skipped.length > 0 ? [`SKIPPED: ${skipped.join(', ')}`] : []
  return {
    passed: all.total > 0 && all.failed.length === 0,
    figures: [...counted, wordsOf(all), ...left].join('; '),
  }
}
