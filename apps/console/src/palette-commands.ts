// The palette's pages within areas, and its global commands.
import type { Area } from './area.ts'
import { chooseTheme, themes } from './colour-theme.ts'
import { go, to, toOf, withQuery } from './router.ts'
import { chooseTenant, hasRole, isOfPlatform, mayHandleData, me, signOut, tenantId } from './session.ts'
import { assign } from './ui/assign-signal.ts'
import { isHelpOpen } from './ui/shortcut-hints.ts'

export interface PaletteChoice {
  key: string
  /** The heading above it. */
  group: PaletteGroup
  text: string
  about: string
  /** Further search words. */
  words?: string | undefined
  run(): void
}

export type PaletteGroup = 'Found' | 'Recent' | 'Go to' | 'Saved views' | 'Actions' | 'Endpoints' | 'Tenants'

/** An entry that opens a page. */
export const pageEntry = (href: string, entry: Omit<PaletteChoice, 'key' | 'run'>): PaletteChoice => ({
  key: `${entry.group} ${href} ${entry.text}`,
  run: () => go(href),
  ...entry,
})

/** The URL of a page that opens the dialog `name`. */
const dialogUrl = (name: string, ...parts: string[]): string => withQuery(to(...parts), `open=${name}`)

interface PalettePage {
  path: readonly string[]
  name: string
  words?: string
  isShown?(): boolean
}

const isDeveloper = (): boolean => hasRole('developer', 'admin', 'operator')
const pages: PalettePage[] = [
  { path: ['webhooks'], name: 'Endpoints', words: 'pause test resume rotate secret add endpoint' },
  { path: ['webhooks', 'deliveries'], name: 'Deliveries', words: 'replay missed webhook' },
  { path: ['webhooks', 'replays'], name: 'Replays', words: 'replay send again' },
  { path: ['webhooks', 'signature'], name: 'Signature checker', words: 'verify hmac secret', isShown: isDeveloper },
  { path: ['webhooks', 'alerts'], name: 'Alerts', words: 'outages mail', isShown: isDeveloper },
  { path: ['lenders', 'partners'], name: 'Lending partners', words: 'credentials events outbox inbox gaps files' },
  { path: ['lenders'], name: 'Registry', words: 'network keys ondc subscriber', isShown: () => isOfPlatform.value },
  { path: ['complaints', 'officers'], name: 'Officers', words: 'nodal grievance' },
  {
    path: ['complaints', 'erasures'],
    name: 'Erasure requests',
    words: 'personal data privacy erase delete dpdp',
    isShown: mayHandleData,
  },
  { path: ['complaints', 'report'], name: 'Report', words: 'monthly complaints csv' },
  { path: ['developers'], name: 'API keys', words: 'scopes roll revoke' },
  { path: ['developers', 'requests'], name: 'Requests', words: 'api log' },
  { path: ['developers', 'embedding'], name: 'Embedding', words: 'origins iframe frame' },
  {
    path: ['developers', 'sandbox'],
    name: 'Sandbox',
    words: 'clock time move begin journey scenario',
    isShown: () => me.value?.sandbox === true,
  },
  { path: ['audit', 'sign-ins'], name: 'Failed sign-ins', isShown: () => hasRole('admin') },
]

function subPages(areas: Area[]): PaletteChoice[] {
  const names = new Map(areas.map(({ id, name }) => [id, name]))
  return pages
    .filter(({ path: [area = ''], isShown }) => names.has(area) && (isShown?.() ?? true))
    .map(({ path, name, words }) =>
      pageEntry(to(...path), { group: 'Go to', text: name, about: names.get(path[0] ?? '') ?? '', words }),
    )
}

const dialogActions = [
  ['Create an API key', 'developers', 'new-key', 'new make', () => hasRole('developer', 'admin')],
  ['Invite a person', 'people', 'invite', 'add colleague member', () => hasRole('admin')],
] as const

function actions(areas: Area[]): PaletteChoice[] {
  const dialogs = dialogActions
    .filter(([, area, , , isShown]) => isShown() && areas.some(({ id }) => id === area))
    .map(([text, area, name, words]) => pageEntry(dialogUrl(name, area), { group: 'Actions', text, about: '', words }))
  const themeActions = themes.map(([id, name]) => ({
    key: `theme ${id}`,
    group: 'Actions' as const,
    text: `Theme: ${name.toLowerCase()}`,
    about: '',
    words: 'appearance colours mode',
    run: () => chooseTheme(id),
  }))
  return [
    ...dialogs,
    ...themeActions,
    {
      key: 'reference',
      group: 'Actions',
      text: 'API reference',
      about: 'opens a new tab',
      words: 'docs openapi',
      run: () => void open('/docs', '_blank', 'noopener'),
    },
    {
      key: 'help',
      group: 'Actions',
      text: 'Keyboard shortcuts',
      about: 'press ?',
      words: 'help keys',
      run: () => assign(isHelpOpen, true),
    },
    {
      key: 'sign-out',
      group: 'Actions',
      text: 'Sign out',
      about: '',
      words: 'log out leave',
      run: () => void signOut(),
    },
  ]
}

/** Platform users select one tenant or all. */
function tenants(): PaletteChoice[] {
  if (!isOfPlatform.value) return []
  const all = [{ tenantId: '', name: 'all tenants' }, ...(me.value?.tenants ?? [])]
  return all
    .filter((each) => each.tenantId !== tenantId.value)
    .map((each) => ({
      key: `tenant ${each.tenantId}`,
      group: 'Tenants' as const,
      text: `Switch to ${each.name}`,
      about: '',
      words: 'tenant change',
      run: () => chooseTenant(each.tenantId),
    }))
}

export const commandsFor = (areas: Area[]): PaletteChoice[] => [...subPages(areas), ...actions(areas), ...tenants()]

/** Whether every typed word occurs in the entry's texts. */
export const isMatch = ({ text, about, words = '' }: PaletteChoice, typed: string): boolean => {
  const searchText = `${text} ${about} ${words}`.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searchText.includes(word))
}

/** The URL of a page; for platform users it also selects the tenant. */
export const urlWithTenant = (tenant: string, ...parts: string[]): string =>
  isOfPlatform.value ? toOf(tenant, ...parts) : to(...parts)
