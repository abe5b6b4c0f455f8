// The signed-in user and the selected tenant. When a session expires, the page stays and asks the user to sign in again.

import type { Me, Role, SignInReply } from '@lendloom/wire/console/staff'
import { computed, signal } from '@preact/signals'
import { ApiError, get, onExpiry, post, queryText } from './api.ts'
import { query, setQuery } from './router.ts'

/** `undefined` until the platform has responded, `null` without a session. */
export const me = signal<Me | null | undefined>(undefined)
/** The error if the user could not be loaded. */
export const trouble = signal<ApiError | null>(null)
/** Whether the session has expired while the page is open. */
export const isExpired = signal(false)

const waitingCalls: ((isSameUser: boolean) => void)[] = []

// Calls wait until the same user has signed in again; they fail if another user signs in.
onExpiry(() => {
  if (!me.value) return Promise.resolve(false)
  isExpired.value = true
  return new Promise((resolve) => waitingCalls.push(resolve))
})

function endWait(isSameUser: boolean): void {
  isExpired.value = false
  for (const resolve of waitingCalls.splice(0)) resolve(isSameUser)
}

export async function load(): Promise<void> {
  trouble.value = null
  try {
    me.value = await get<Me>('/me')
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) me.value = null
    else if (error instanceof ApiError) trouble.value = error
    else throw error
  }
}

export interface Credentials {
  email: string
  password: string
  code?: string
}

/** Signs in. Returns true if a second-factor code is required first. Throws `ApiError`. */
export async function signIn(credentials: Credentials): Promise<boolean> {
  const reply = await post<SignInReply>('/sign-in', credentials)
  if (reply.needs) return true
  await loadAfterSignIn()
  return false
}

/** Signs in by another method, such as a passkey. Throws `ApiError`. */
export async function signInBy(path: string, proof: object): Promise<void> {
  await post<SignInReply>(path, proof)
  await loadAfterSignIn()
}

/** Sends the second-factor code after an OpenID sign-in, and opens the requested page. Throws `ApiError`. */
export async function confirmOpenId(code: string): Promise<void> {
  const { next = '/console' } = await post<SignInReply>('/sign-in/openid/code', { code })
  location.assign(next)
}

async function loadAfterSignIn(): Promise<void> {
  const previousId = me.value?.person.personId
  const user = await get<Me>('/me')
  me.value = user
  if (query.value('sign-in')) setQuery({ 'sign-in': '' })
  if (previousId !== undefined) endWait(previousId === user.person.personId)
}

export async function signOut(): Promise<void> {
  await post('/sign-out').catch(() => {})
  endWait(false)
  me.value = null
}

export const hasRole = (...roles: Role[]): boolean => !!me.value && roles.includes(me.value.person.role)
export const isOfPlatform = computed(() => me.value?.person.tenantId === null)
/** Whether the user answers for borrowers' personal data: export, erasure, legal holds and nominees. */
export const mayHandleData = (): boolean => isOfPlatform.value && hasRole('grievance-officer', 'admin')

/** The tenant of a tenant user, or the selection of a platform user; empty for all tenants. */
export const tenantId = computed(() => me.value?.person.tenantId ?? query.value('tenant'))
/** Adds the selected tenant to an API path. */
export const ofTenant = (path: string, tenant = tenantId.value): string => path + queryText({ tenantId: tenant })

export const lastTenantKey = 'console-tenant'

export function chooseTenant(id: string): void {
  if (id !== '') localStorage.setItem(lastTenantKey, id)
  setQuery({ tenant: id, after: '' }, true)
}
