// The theme of an application's hosted page: reading, changing, resetting and previewing it.

import { accentIn, contrastsOf } from '@lendloom/design/accent'
import { inHex } from '@lendloom/design/colour'
import { tokenOf } from '@lendloom/design/style'
import { fontOf, type Theme, themeTokens } from '@lendloom/design/theme'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { ApplicationParams } from '@lendloom/wire/console/developers'
import { OfTenant } from '@lendloom/wire/console/staff'
import { PreviewQuery, ThemeChoices, ThemeEffect, ThemeRequest, ThemeView } from '@lendloom/wire/console/theme'
import { previewPage } from '#platform/api/page/themed-page.ts'
import { webBuild } from '#platform/api/web-build.ts'
import { route } from '#platform/context.ts'
import { findApplication } from '#platform/integrators/access/tenant/store.ts'
import { type ApplicationKey, deleteTheme, findTheme } from '#platform/integrators/access/theme/store.ts'
import { changeTheme, logoOf, readLogo } from '#platform/integrators/access/theme.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOf } from '#platform/people/person.ts'
import { consoleCall, consolePrefix } from './console-route.ts'
import { byDevelopers } from './rights.ts'

const path = `${consolePrefix}/developers/applications/{applicationId}/theme`
const readRoute = { ...byDevelopers, params: ApplicationParams, query: OfTenant } as const
const managementRoute = {
  ...consoleCall,
  auth: inConsole('developer', 'admin'),
  params: ApplicationParams,
  query: OfTenant,
} as const

const defaultTheme = (): Theme => ({ accent: inHex(tokenOf('--accent').light), corner: 'soft', font: 'system' })

async function readTheme(db: Run, key: ApplicationKey): Promise<ThemeView> {
  const application = await findApplication(db, key.tenantId, key.applicationId)
  if (!application) throw new Refusal('absent', 'there is no such application')
  const row = await findTheme(db, key)
  const { accent, corner, font } = row ?? defaultTheme()
  return {
    applicationId: application.applicationId,
    isOwn: row !== undefined,
    name: row?.name ?? application.name,
    accent,
    corner,
    font,
    logo: logoOf(key, row),
    contrasts: contrastsOf(accent),
  }
}

const show = route({
  ...readRoute,
  method: 'GET',
  path,
  summary: "The theme of an application's hosted page",
  reply: { 200: ThemeView },
  handle: ({ who, query, params: { applicationId } }, { db }) =>
    readTheme(db, { tenantId: tenantOf(who, query.tenantId), applicationId }),
})

const change = route({
  ...managementRoute,
  method: 'PUT',
  path,
  summary: "Change the theme of an application's hosted page",
  body: ThemeRequest,
  reply: { 200: ThemeView },
  async handle({ who, query, params: { applicationId }, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    const newTheme = { ...body, logo: await readLogo(body.logo) }
    return ctx.db.tx(async (tx) => {
      const logoVersion = await changeTheme(tx, { tenantId, applicationId }, newTheme, at)
      const theme = await readTheme(tx, { tenantId, applicationId })
      const { name, accent, corner, font } = theme
      const detail = { name, accent, corner, font, logo: logoVersion ?? 'none' }
      await noteStaffAct({ tx, at }, who, { act: 'THEME_CHANGED', subject: applicationId, tenantId, detail })
      return theme
    })
  },
})

const reset = route({
  ...managementRoute,
  method: 'DELETE',
  path,
  summary: "Reset the theme of an application's hosted page",
  reply: { 200: ThemeView },
  async handle({ who, query, params: { applicationId }, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    return ctx.db.tx(async (tx) => {
      const wasDeleted = await deleteTheme(tx, { tenantId, applicationId })
      const theme = await readTheme(tx, { tenantId, applicationId })
      if (wasDeleted) await noteStaffAct({ tx, at }, who, { act: 'THEME_RESET', subject: applicationId, tenantId })
      return theme
    })
  },
})

const showEffect = route({
  ...readRoute,
  method: 'POST',
  path: `${path}/effect`,
  summary: 'Derived colours and contrasts of a theme, without saving it',
  body: ThemeChoices,
  reply: { 200: ThemeEffect },
  async handle({ who, query, params: { applicationId }, body }, { db }): Promise<ThemeEffect> {
    if (!(await findApplication(db, tenantOf(who, query.tenantId), applicationId)))
      throw new Refusal('absent', 'there is no such application')
    return effectOf(body)
  },
})

function effectOf(theme: Theme): ThemeEffect {
  const tokens = themeTokens(theme)
  const inTone = (tone: 'light' | 'dark') => ({
    ...Object.fromEntries(tokens.map(([name, token]) => [name, token[tone]])),
    '--rim': accentIn(theme.accent, tone).rim ?? 'transparent',
  })
  return {
    light: inTone('light'),
    dark: inTone('dark'),
    font: fontOf(theme),
    contrasts: contrastsOf(theme.accent),
  }
}

const preview = route({
  ...readRoute,
  method: 'GET',
  path: `${path}/preview`,
  summary: 'A preview of the hosted page without scripts, for a frame of the console',
  query: PreviewQuery,
  async handle({ who, query, params: { applicationId } }, { db }) {
    const { name, accent, corner, font } = await readTheme(db, {
      tenantId: tenantOf(who, query.tenantId),
      applicationId,
    })
    return previewPage(webBuild(), { name, theme: { accent, corner, font }, tone: query.tone })
  },
})

export const themeRoutes = [show, change, reset, showEffect, preview]
