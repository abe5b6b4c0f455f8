// One check of `lendloom doctor`: what it found, what the operator should do, and the report of all checks.
import { setTimeout as sleep } from 'node:timers/promises'
import { daysAfter } from '@lendloom/foundation/clock'
import { messageOf } from '@lendloom/foundation/thrown'
import type { CommandOutput } from './command.ts'

export interface Finding {
  state: 'ok' | 'warning' | 'failed'
  /** What was found, without personal data and secrets. */
  found: string
  action: string | null
}

export interface NamedFinding extends Finding {
  name: string
}

/** A key or certificate that expires within this time is to be replaced. */
export const warnDays = 30
/** Whether a key or certificate is to be replaced. */
export const isExpiring = (until: Date, now: Date): boolean => until <= daysAfter(now, warnDays)
/** Whole days until an instant; negative after it. */
export const daysUntil = (until: Date, now: Date): number => Math.floor((until.getTime() - now.getTime()) / 86_400_000)

/** A check by its name. It may throw: then it has failed. */
export type HealthCheck = [name: string, run: () => Promise<Finding>]

/** A finding that needs no action. */
export const ok = (found: string): Finding => ({ state: 'ok', found, action: null })
/** A finding that needs an action, although everything works now. */
export const warning = (found: string, action: string): Finding => ({ state: 'warning', found, action })
/** A finding because of which something does not work. */
export const failed = (found: string, action: string): Finding => ({ state: 'failed', found, action })

/** A check that takes longer has failed; the others still run. */
const timeoutMs = 15_000

/** Runs a check. One that throws or takes too long has failed. */
export async function runCheck([name, run]: HealthCheck): Promise<NamedFinding> {
  const stop = new AbortController()
  const late = sleep(
    timeoutMs,
    failed(`no result within ${timeoutMs / 1000} s`, 'check the address and the firewall'),
    {
      signal: stop.signal,
    },
  )
  late.catch(() => {})
  try {
    return { name, ...(await Promise.race([run(), late])) }
  } catch (error) {
    return { name, ...failed(messageOf(error), 'mend this, then run the command again') }
  } finally {
    stop.abort()
  }
}

const marks: Record<Finding['state'], string> = { ok: 'ok', warning: 'warning', failed: 'FAILED' }

/** The report of all findings. The exit code is 1 if a check failed. */
export function reportOf<Each extends NamedFinding & { title?: string }>(allFindings: Each[]): CommandOutput {
  const lines = allFindings.flatMap(({ name, title = name, state, found, action }) => [
    `${marks[state].padEnd(8)} ${title}: ${found.replaceAll('\n', '\n           ')}`,
    ...(action === null ? [] : [`         → ${action}`]),
  ])
  const count = (state: Finding['state']) => allFindings.filter((each) => each.state === state).length
  const summary = `Checks: ${allFindings.length}. Failed: ${count('failed')}. Warnings: ${count('warning')}.`
  const findings = allFindings.map(({ title: _, ...finding }) => finding)
  return { text: [...lines, '', summary].join('\n'), data: findings, exitCode: count('failed') > 0 ? 1 : 0 }
}
