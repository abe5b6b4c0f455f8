// `lendloom views …`: shared views of the console's lists.

import { isOneOf } from '@lendloom/foundation/record'
import { type ViewListName, viewListNames } from '@lendloom/wire/console/saved-view-lists'
import type { SavedView, SavedViews } from '@lendloom/wire/console/saved-views'
import { type CommandCall, command, type Group, requireArgument, requireOption, UsageError } from './command.ts'
import { type ConsoleCaller, consoleCommand, consoleOf } from './console/ask.ts'
import { idOf, resultTable } from './console/words.ts'

const tenant = {
  type: 'string',
  value: 'tenantId',
  about: 'tenant whose users see the views (default: platform users)',
} as const
const listOption = { type: 'string', value: viewListNames.join('|'), about: 'list that the view filters' } as const

function listNameIn(text: string): ViewListName {
  if (!isOneOf(viewListNames, text))
    throw new UsageError(`--list must be one of ${viewListNames.join(', ')}, not "${text}"`)
  return text
}

const filtersText = (filters: Record<string, string>): string =>
  Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

const list = consoleCommand({
  name: 'views list',
  summary: 'list shared views',
  usage: '[--tenant <tenantId>] [--list <list>]',
  options: { tenant, list: { ...listOption, about: 'only views of this list' } },
  route: 'GET /views',
  input: ({ options }) => ({
    query: { tenantId: options.tenant, list: options.list === undefined ? undefined : listNameIn(options.list) },
  }),
  text: ({ items }: SavedViews) =>
    resultTable(
      items,
      [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'LIST', of: (view) => view.list },
        { head: 'FILTERS', of: ({ filters }) => filtersText(filters) },
        { head: 'BY', of: ({ by }) => by ?? 'command line' },
        { head: 'VERSION', of: ({ version }) => version },
        { head: 'ID', of: ({ viewId }) => viewId },
      ],
      'No view is shared.',
    ),
})

const saveOptions = {
  tenant,
  list: listOption,
  id: { type: 'string', value: 'viewId', about: 'view to change (default: create one)' },
  name: { type: 'string', value: 'name', about: 'new name, with --id' },
} as const

function filtersFrom(words: string[]): Record<string, string> {
  const pairs = words.map((word) => /^([^=]+)=(.+)$/.exec(word) ?? word)
  const invalid = pairs.find((pair) => typeof pair === 'string')
  if (invalid !== undefined) throw new UsageError(`a filter must be <name>=<value>, not "${invalid}"`)
  return Object.fromEntries(pairs.flatMap((pair) => (typeof pair === 'string' ? [] : [[pair[1] ?? '', pair[2] ?? '']])))
}

async function saveView(
  ask: ConsoleCaller,
  args: string[],
  options: CommandCall<typeof saveOptions>['options'],
): Promise<SavedView> {
  const query = { tenantId: options.tenant }
  if (options.id === undefined) {
    const [name, ...filters] = args
    const listName = listNameIn(requireOption(options.list, 'list'))
    const body = {
      list: listName,
      name: requireOption(name, 'the name'),
      filters: filtersFrom(filters),
      isShared: true,
    }
    return ask('POST /views', { query, body })
  }
  const viewId = idOf([options.id], '--id')
  const { items } = await ask<SavedViews>('GET /views', { query })
  const version = items.find((each) => each.viewId === viewId)?.version ?? 1
  const filters = args.length > 0 ? filtersFrom(args) : undefined
  return ask('PATCH /views/{viewId}', { params: { viewId }, query, body: { version, name: options.name, filters } })
}

const save = command({
  name: 'views save',
  summary: 'save filters of a list as a shared view, or change a shared view',
  usage:
    '<name> <filter>=<value>… --list <list> [--tenant <tenantId>] | --id <viewId> [--name <name>] [<filter>=<value>…]',
  options: saveOptions,
  async run({ args, options, env }: CommandCall<typeof saveOptions>) {
    const view = await saveView(consoleOf(env), args, options)
    return { text: `saved ${view.name} of ${view.list}: ${filtersText(view.filters)}\n${view.viewId}`, data: view }
  },
})

const remove = consoleCommand({
  name: 'views delete',
  summary: 'delete a shared view',
  usage: '<viewId> [--tenant <tenantId>]',
  options: { tenant },
  route: 'DELETE /views/{viewId}',
  input: ({ args, options }) => ({
    params: { viewId: idOf([requireArgument(args, 'the id of the view')], 'the view') },
    query: { tenantId: options.tenant },
  }),
  text: (_, { args }) => `removed ${args[0]}`,
})

export const views: Group = {
  name: 'views',
  summary: 'saved views of the console’s lists: list, save, delete',
  commands: [list, save, remove],
}
