// Checks of the platform of a context, for the people of a tenant: session, keys, origins, webhook endpoints.

import type { Applications, Keys } from '@lendloom/wire/console/developers'
import type { Me } from '@lendloom/wire/console/staff'
import type { Endpoint } from '@lendloom/wire/console/webhooks'
import { causeText } from '@lendloom/wire/webhook/answer-text-en'
import { failed, type HealthCheck, ok, reportOf, runCheck, warning } from '#cli/check.ts'
import { type CommandCall, type CommandOutput, command, type Options } from '#cli/command.ts'
import { type ConsoleCaller, consoleOf, everyItem } from '#cli/console/ask.ts'
import { contextOf, tenantOfContext } from '#cli/contexts.ts'

/** An answer that takes longer shows a bad connection. */
const slowMs = 2000
/** A key that ends within a week is to be replaced now. */
const soonMs = 7 * 86_400_000

interface PlatformCalls {
  ask: ConsoleCaller
  query: Record<string, string | undefined>
  at: Date
}

/** Checks the platform of the context; what belongs to a tenant only if there is one. */
export async function examinePlatform({ env }: Pick<CommandCall<Options>, 'env'>): Promise<CommandOutput> {
  const context = contextOf(env)
  const tenantId = tenantOfContext(env)
  const calls: PlatformCalls = { ask: consoleOf(env), query: { tenantId }, at: new Date() }
  const checks: HealthCheck[] = [['platform', () => checkSession(calls, context?.expiresAt)]]
  if (tenantId !== undefined)
    checks.push(
      ['API keys', () => checkKeys(calls)],
      ['embedding origins', () => checkOrigins(calls)],
      ['webhook endpoints', () => checkEndpoints(calls)],
    )
  return reportOf(await Promise.all(checks.map(runCheck)))
}

async function checkSession({ ask, at }: PlatformCalls, expiresAt: string | undefined) {
  const began = performance.now()
  const { person } = await ask<Me>('GET /me')
  const tookMs = Math.round(performance.now() - began)
  const found = `answers in ${tookMs} ms; you are ${person.email} (${person.role})`
  if (tookMs > slowMs) return warning(found, 'check your connection')
  const isEndingSoon = expiresAt !== undefined && Date.parse(expiresAt) - at.getTime() < 600_000
  return isEndingSoon ? warning(`${found}, until ${expiresAt}`, 'run lendloom login') : ok(found)
}

async function checkKeys({ ask, query, at }: PlatformCalls) {
  const { items } = await ask<Keys>('GET /developers/keys', { query })
  const expiry = ({ expiresAt }: Keys['items'][number]) => (expiresAt === null ? Infinity : Date.parse(expiresAt))
  const valid = items.filter((key) => key.revokedAt === null && expiry(key) > at.getTime())
  if (valid.length === 0) return failed('there is no valid API key', 'run lendloom key create, or ask an admin')
  const ending = valid.filter((key) => expiry(key) - at.getTime() < soonMs).map(({ label }) => label)
  return ending.length > 0
    ? warning(`${ending.join(', ')}: expires within seven days`, 'run lendloom key roll <keyId>')
    : ok(`${valid.length} valid`)
}

async function checkOrigins({ ask, query }: PlatformCalls) {
  const { items } = await ask<Applications>('GET /developers/applications', { query })
  const without = items.filter(({ origins }) => origins.length === 0).map(({ name }) => name)
  return without.length > 0
    ? warning(
        `${without.join(', ')}: no page may embed a journey`,
        'run lendloom tenant origins, if you embed journeys',
      )
    : ok('set for every application')
}

async function checkEndpoints({ ask, query }: PlatformCalls) {
  const endpoints = await everyItem<Endpoint>(ask, 'GET /webhooks/endpoints', { query })
  const called = endpoints.filter(({ isListener }) => !isListener)
  if (called.length === 0) return warning('there is none', 'run lendloom webhook add <url> --application <application>')
  const bad = called.filter(({ health }) => health === 'failing' || health === 'disabled')
  const list = bad.map(({ url, health, lastFailure: last }) =>
    health === 'failing' && last ? `${url} ${causeText(last.answer)}` : `${url} is ${health}`,
  )
  return bad.length > 0
    ? failed(list.join('\n'), 'mend your server, then run lendloom webhook resume or webhook replays')
    : ok(`${called.length}, none failing`)
}

export const platformDoctor = command({
  name: 'doctor',
  summary: 'check session, API keys, origins and webhook endpoints, and say what to do',
  usage: '',
  options: {},
  run: examinePlatform,
})
