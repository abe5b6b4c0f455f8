// `lendloom context …`: lists, selects, changes and removes contexts: platforms to which a person has signed in.

import { type CommandCall, type CommandTree, command, type Options, requireArgument } from './command.ts'
import { fittedTable } from './console/show.ts'
import { type Context, changeContexts, contextName, contextNamed, localName, readContexts } from './contexts.ts'

const list = command({
  name: 'context list',
  summary: 'list contexts; a star marks the one of commands without --context',
  usage: '',
  options: {},
  async run({ env }) {
    const current = contextName(env) ?? localName
    const items = Object.entries(readContexts(env).contexts).map(([name, context]) =>
      contextRow(name, context, current),
    )
    const local: Partial<(typeof items)[number]> = {
      isCurrent: current === localName,
      name: localName,
      url: 'the installation on this machine',
    }
    const text = fittedTable(
      [local, ...items],
      [
        { head: '', of: ({ isCurrent }) => (isCurrent ? '*' : '') },
        { head: 'NAME', of: ({ name }) => name },
        { head: 'URL', of: ({ url }) => url },
        { head: 'PERSON', of: ({ email }) => email },
        { head: 'ROLE', of: ({ role }) => role },
        { head: 'TENANT', of: ({ tenant }) => tenant },
        { head: 'SIGNED IN UNTIL', of: ({ expiresAt }) => expiresAt },
      ],
    )
    return { text, data: { items, next: null } }
  },
})

const contextRow = (name: string, { url, person, tenant, application, expiresAt }: Context, current: string) => ({
  name,
  url,
  email: person.email,
  role: person.role,
  tenant: tenant ?? person.tenantId,
  application,
  expiresAt,
  isCurrent: name === current,
})

const use = command({
  name: 'context use',
  summary: `select the context of the following commands; "${localName}" is the installation on this machine`,
  usage: '<name>',
  options: {},
  async run({ args, env }) {
    const name = requireArgument(args, 'the name of the context')
    if (name !== localName) contextNamed(env, name)
    changeContexts(env, (file) => {
      file.current = name === localName ? null : name
    })
    return { text: `Commands now use the context ${name}.`, data: { name } }
  },
})

const setOptions = {
  tenant: { type: 'string', value: 'tenant', about: 'tenant of commands without --tenant: its id or name' },
  application: { type: 'string', value: 'application', about: 'application of commands without --application' },
} as const

const setContext = command({
  name: 'context set',
  summary: 'set the tenant and the application that commands of a context use',
  usage: '<name> [--tenant <tenant>] [--application <application>]',
  options: setOptions,
  run: async (call) => setDefaults(call),
})

function setDefaults({ args, options, env }: CommandCall<typeof setOptions>) {
  const name = requireArgument(args, 'the name of the context')
  const changed = { ...contextNamed(env, name), ...givenDefaults(options) }
  changeContexts(env, ({ contexts }) => {
    contexts[name] = changed
  })
  return { text: `Changed the context ${name}.`, data: contextRow(name, changed, contextName(env) ?? localName) }
}

/** Returns the default values that the command line gives. */
const givenDefaults = (options: CommandCall<Options>['options']): object =>
  Object.fromEntries(Object.entries(options).filter(([key, value]) => key in setOptions && value !== undefined))

const remove = command({
  name: 'context remove',
  summary: 'remove a context from this machine; lendloom logout also ends its session',
  usage: '<name>',
  options: {},
  async run({ args, env }) {
    const name = requireArgument(args, 'the name of the context')
    contextNamed(env, name)
    forgetContext(env, name)
    return { text: `Removed the context ${name}.`, data: { name } }
  },
})

/** Removes a context. Commands then speak to the installation on this machine. */
export function forgetContext(env: NodeJS.ProcessEnv, name: string): void {
  changeContexts(env, (file) => {
    delete file.contexts[name]
    if (file.current === name) file.current = null
  })
}

export const context: CommandTree = {
  name: 'context',
  summary: 'the platforms to which you have signed in: list, use, set, remove',
  commands: [list, use, setContext, remove],
}
