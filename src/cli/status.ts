// `lendloom status`: the context of commands, the person and the platform.

import type { Me } from '#contract/console/staff.ts'
import { command } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { fieldLines } from './console/words.ts'
import { contextName, contextOf, localName } from './contexts.ts'

export const status = command({
  name: 'status',
  summary: 'show the context, the person and their tenants, and how fast the platform answers',
  usage: '',
  options: {},
  async run({ env }) {
    const context = contextOf(env)
    const began = performance.now()
    const { person, tenants, sandbox } = await consoleOf(env)<Me>('GET /me')
    const answeredMs = Math.round(performance.now() - began)
    const data = {
      context: contextName(env) ?? localName,
      url: context?.url ?? null,
      name: person.name,
      email: person.email || null,
      role: person.role,
      signedInUntil: context?.expiresAt ?? null,
      tenants: tenants.map(({ tenantId, name }) => ({ tenantId, name })),
      isSandbox: sandbox,
      answeredMs,
    }
    const shown = { ...data, tenants: tenants.map(({ name }) => name).join(', '), isSandbox: sandbox ? 'yes' : 'no' }
    return { text: fieldLines({ ...shown, answeredMs: `${answeredMs} ms` }), data }
  },
})
