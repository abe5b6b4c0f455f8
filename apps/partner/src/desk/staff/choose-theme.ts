// The colours of the desk in one browser, stored in a cookie.

import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { tokenCookie } from '@lendloom/http/session-cookie'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { goTo } from '#partner/desk/frame.ts'
import { readField } from '#partner/desk/parts/read-fields.ts'
import type { DeskTheme } from '#partner/people/person.ts'
import { anyStaff } from './desk-auth.ts'

const path = '/desk/me/theme'
const cookieName = 'desk-theme'
const yearSeconds = 365 * 86_400
const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** The card on the page of the user. */
export const themeCard = (chosen: DeskTheme | null = null): Html =>
  html`<form class="card" method="post" action="${path}"><h2>Theme</h2><div class="kinds inline" role="group" aria-label="Colours">${themes.map(([theme, name]) => html`<button name="theme" value="${theme}" aria-pressed="${theme === (chosen ?? 'system') ? 'true' : 'false'}">${name}</button>`)}</div></form>`

/** Stores the choice. The system's own theme needs no cookie. */
export const chooseTheme = deskRoute({
  section: 'operation',
  hidden: true,
  viewAct: null,
  auth: anyStaff,
  method: 'POST',
  accepts: 'raw',
  path,
  summary: 'Choose the colours of the desk in this browser',
  handle({ raw }, { config: { PARTNER_PUBLIC_URL: publicUrl } }) {
    const value = readField(formFrom(raw), 'theme', /^(?:system|light|dark)$/)
    const seconds = value === 'system' ? 0 : yearSeconds
    return goTo('/desk/me', { 'set-cookie': tokenCookie({ name: cookieName, value, seconds, publicUrl }) })
  },
})
