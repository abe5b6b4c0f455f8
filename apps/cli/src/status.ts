// `lendloom status`: the context of commands, the person and the platform.

import type { Applications } from '@lendloom/wire/console/developers'
import type { Me } from '@lendloom/wire/console/staff'
import { command } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { localTime } from './console/show.ts'
import { fieldLines } from './console/words.ts'
import { contextName, contextOf, localName, tenantOfContext } from './contexts.ts'

export const status = command({
  name: 'status',
  summary: 'show the context, the person and their tenants, and how fast the platform answers',
  usage: '',
  options: {},
  async run({ env }) {
    const context = contextOf(env)
    const began = performance.now()
    const ask = consoleOf(env)
    const { person, tenants, sandbox } = await ask<Me>('GET /me')
    const answeredMs = Math.round(performance.now() - began)
    const tenantId = tenantOfContext(env)
    // Roles without developer's rights may not list applications.
    const applications = tenantId
      ? await ask<Applications>('GET /developers/applications', { query: { tenantId } }).catch(() => null)
      : null
    const data = {
      context: contextName(env) ?? localName,
      url: context?.url ?? null,
      name: person.name,
      email: person.email || null,
      role: person.role,
      signedInUntil: context?.expiresAt ?? null,
      tenants: tenants.map(({ tenantId, name }) => ({ tenantId, name })),
      applications: applications?.items.map(({ applicationId, name }) => ({ applicationId, name })) ?? null,
      isSandbox: sandbox,
      answeredMs,
    }
    const names = (items: { name: string }[] | null) => items?.map(({ name }) => name).join(', ') ?? null
    const shown = {
      context: data.context,
      url: data.url,
      name: data.name,
      email: data.email,
      role: data.role,
      'signed in until': data.signedInUntil && localTime(data.signedInUntil),
      tenants: names(data.tenants),
      applications: names(data.applications),
      sandbox: sandbox ? 'yes' : 'no',
      'answered in': `${answeredMs} ms`,
    }
    return { text: fieldLines(shown), data }
  },
})
