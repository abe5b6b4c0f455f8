// The console's layout: navigation, tenant, search and user menu.

import { Icon } from '@lendloom/design/icon'
import { magnifier } from '@lendloom/design/icons'
import { zoneNotice } from '@lendloom/lending/time-text'
import { platformRoles, roleNames, tenantRoles } from '@lendloom/wire/console/lists'
import type { Me, Role } from '@lendloom/wire/console/staff'
import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { Area, AreaProps } from './area.ts'
import { account, areas, commandLine } from './areas.ts'
import { attention, attentionCount, useAttention } from './attention.ts'
import { Bell } from './attention-lines.tsx'
import { Help } from './keyboard-shortcuts.tsx'
import { go, query, segments, to, toOf } from './router.ts'
import { isOpen, Palette } from './search-palette.tsx'
import { chooseTenant, hasRole, isOfPlatform, signOut, tenantId } from './session.ts'
import { Brand } from './sign-in.tsx'
import { assign } from './ui/assign-signal.ts'
import { ageTick } from './ui/clock.ts'
import { Empty, Loading, PageHead, Trouble } from './ui/components.tsx'
import { useRefresh } from './ui/periodic-refresh.ts'
import { isHelpOpen } from './ui/shortcut-hints.ts'
import { AttentionCount, useCurrentLink } from './ui/tabs.tsx'

const visibleAreas = (): Area[] => areas.filter((each) => hasRole(...rolesOf(each)))

/** The roles of the user’s side, platform or tenant, that see an area. */
function rolesOf({ roles, rolesOfTenant }: Area): Role[] {
  const allowed = isOfPlatform.value ? roles : (rolesOfTenant ?? roles)
  const all: readonly Role[] = isOfPlatform.value ? platformRoles : tenantRoles
  return all.filter((each) => !allowed || allowed.includes(each))
}

/** Whether the user may see the tenant in the URL; otherwise the console reports that the page does not exist. */
function maySeeTenant({ person: { tenantId: own } }: Pick<Me, 'person'>): boolean {
  const tenant = query.value('tenant')
  return own === null || tenant === '' || tenant === own
}

/** A grievance officer begins with the complaints. */
const firstAreaId = (): string => (hasRole('grievance-officer') ? 'complaints' : (visibleAreas()[0]?.id ?? account.id))

export function Shell({ me }: { me: Me }) {
  useKeys()
  useAttention()
  useRefresh(() => assign(ageTick, ageTick.peek() + 1))
  const [id = firstAreaId(), ...rest] = segments.value
  const area = [...visibleAreas(), account, commandLine].find((each) => each.id === id)
  const isVisible = maySeeTenant(me)
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="home" href={to()} aria-label="Lendloom console">
          <Brand />
        </a>
        <Tenants me={me} />
        {me.sandbox && <span class="tag">Sandbox</span>}
        <button
          type="button"
          class="search"
          aria-keyshortcuts="Control+K Meta+K /"
          onClick={() => assign(isOpen, true)}
        >
          <Icon path={magnifier} /> <span class="words">Search anything</span>{' '}
          <span class="key" aria-hidden="true">
            Ctrl K
          </span>
        </button>
        <Bell />
        <Person me={me} />
      </header>
      <Areas now={isVisible ? area : undefined} isVisible={isVisible} />
      <main id="main" tabIndex={-1}>
        {area && isVisible ? <Content key={area.id} area={area} rest={rest} /> : <NotShown id={id} me={me} />}
        <p class="zone">{zoneNotice}</p>
      </main>
      {isOpen.value && <Palette areas={visibleAreas()} />}
      {isHelpOpen.value && <Help areas={[...visibleAreas(), account]} />}
    </div>
  )
}

function Areas({ now, isVisible }: { now: Area | undefined; isVisible: boolean }) {
  return (
    <nav ref={useCurrentLink(now, attention.value !== null)} class="side" aria-label="Areas">
      {visibleAreas().map((each) => (
        <a
          key={each.id}
          href={isVisible ? to(each.id) : toOf('', each.id)}
          aria-current={each === now ? 'page' : undefined}
        >
          <Icon path={each.icon} />
          {each.name}
          <AttentionCount count={attentionCount(each.id)} />
        </a>
      ))}
    </nav>
  )
}

const loadedAreas = new Map<string, ComponentType<AreaProps>>()

/** Loads an area on first view. */
function Content({ area, rest }: { area: Area; rest: string[] }) {
  const component = useSignal<ComponentType<AreaProps> | null>(loadedAreas.get(area.id) ?? null)
  const failed = useSignal(false)
  const fetchArea = () => {
    failed.value = false
    area.load().then(
      (loadedArea) => {
        loadedAreas.set(area.id, loadedArea)
        component.value = loadedArea
      },
      () => {
        failed.value = true
      },
    )
  }
  useEffect(() => {
    document.title = `${area.name} · Lendloom console`
    if (!component.value) fetchArea()
  }, [area])
  if (failed.value) return <Trouble error={new Error('The area could not be loaded.')} retry={fetchArea} />
  const AreaPage = component.value
  return AreaPage ? <AreaPage rest={rest} /> : <Loading />
}

const orList = new Intl.ListFormat('en-IN', { type: 'disjunction' })

/** The page of an area that the user’s role cannot see, or of an unknown address. */
function NotShown({ id, me: { person } }: { id: string; me: Me }) {
  const area = maySeeTenant({ person }) ? areas.find((each) => each.id === id) : undefined
  const allowed = area ? rolesOf(area).map((each) => roleNames[each]) : []
  const about = allowed.length > 0 ? `needs the role ${orList.format(allowed)}` : 'is only for platform staff'
  return (
    <>
      <PageHead title={area ? area.name : 'Page not found'} />
      <Empty title={area ? `${area.name} ${about}` : 'This page does not exist, or your role cannot see it'}>
        {area && (
          <p>
            Your role is {roleNames[person.role]}.{allowed.length > 0 && ' An admin can change it.'}
          </p>
        )}
        <p>
          <a href={toOf('')}>Go to the start of the console</a>
        </p>
      </Empty>
    </>
  )
}

/** The selected tenant. Platform users can change it. */
function Tenants({ me }: { me: Me }) {
  const [own] = me.tenants
  if (me.person.tenantId !== null) return <strong class="tenant">{own?.name}</strong>
  return (
    <select
      class="tenant"
      aria-label="Tenant"
      value={tenantId.value}
      onChange={(event) => chooseTenant(event.currentTarget.value)}
    >
      <option value="">All tenants</option>
      {me.tenants.map((each) => (
        <option key={each.tenantId} value={each.tenantId}>
          {each.name}
        </option>
      ))}
    </select>
  )
}

const Person = ({ me: { person } }: { me: Me }) => (
  <div class="person">
    <button
      type="button"
      popovertarget="person-menu"
      aria-haspopup="menu"
      aria-label={`${initials(person.name)}: ${person.name}, ${roleNames[person.role]}`}
    >
      <span aria-hidden="true">{initials(person.name)}</span>
    </button>
    <div id="person-menu" popover="auto" class="menu">
      <p>
        <strong>{person.name}</strong>
        <span class="quiet small">{person.email}</span>
        <span class="quiet small">{roleNames[person.role]}</span>
      </p>
      <a href={to(account.id)} onClick={() => document.getElementById('person-menu')?.hidePopover()}>
        Your account
      </a>
      <a href="/docs" target="_blank" rel="noreferrer">
        API reference
      </a>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </div>
  </div>
)

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')

/** Handles shortcuts: `/` and Ctrl K open the search, `?` the list of shortcuts, `g` and a letter an area. */
function useKeys(): void {
  useLayoutEffect(() => {
    let isAfterG = false
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        isOpen.value = true
      }
      if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.key === '/' || event.key === '?') {
        event.preventDefault()
        assign(event.key === '/' ? isOpen : isHelpOpen, true)
      }
      const target = isAfterG && [...visibleAreas(), account].find(({ key }) => key === event.key)
      if (target) {
        event.preventDefault()
        go(to(target.id))
      }
      isAfterG = event.key === 'g'
    }
    // In the capture phase, before the list handlers for `j` and `k`.
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [])
}
