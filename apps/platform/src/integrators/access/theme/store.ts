// Table application_theme: the look of an application's hosted page.

import type { Corner, Font } from '@lendloom/design/theme-lists'
import type { PictureType } from '@lendloom/files/file-content'
import { oneRow, type Run } from '@lendloom/postgres/sql'

export interface LogoRow {
  logo: Buffer
  logoType: PictureType
  logoWidth: number
  logoHeight: number
  logoVersion: string
}

/** The theme without the logo's bytes; all logo columns are null without a logo. */
export type ThemeRow = {
  name: string
  accent: string
  corner: Corner
  font: Font
} & { [Each in keyof Omit<LogoRow, 'logo'>]: LogoRow[Each] | null }

export interface ApplicationKey {
  tenantId: string
  applicationId: string
}

export async function findTheme(db: Run, { tenantId, applicationId }: ApplicationKey): Promise<ThemeRow | undefined> {
  const [row] = await db<ThemeRow>`
    select name, accent, corner, font, logo_type, logo_width, logo_height, logo_version from application_theme
    where tenant_id = ${tenantId} and application_id = ${applicationId}`
  return row
}

/** The origins and theme of a page's application in one query; undefined for an unknown application. */
export async function findPage(
  db: Run,
  { tenantId, applicationId }: ApplicationKey,
): Promise<{ name: string; origins: string[]; theme: ThemeRow | null } | undefined> {
  const [row] = await db<{ applicationName: string; origins: string[]; isThemed: boolean } & ThemeRow>`
    select a.name as application_name, origins, t.tenant_id is not null as is_themed, t.name, accent, corner, font,
      logo_type, logo_width, logo_height, logo_version
    from application a left join application_theme t using (tenant_id, application_id)
    where a.tenant_id = ${tenantId} and a.application_id = ${applicationId}`
  if (!row) return undefined
  const { applicationName: name, origins, isThemed, ...theme } = row
  return { name, origins, theme: isThemed ? theme : null }
}

export async function findLogo(
  db: Run,
  { tenantId, applicationId }: ApplicationKey,
  logoVersion: string,
): Promise<Pick<LogoRow, 'logo' | 'logoType'> | undefined> {
  const [row] = await db<Pick<LogoRow, 'logo' | 'logoType'>>`
    select logo, logo_type from application_theme
    where tenant_id = ${tenantId} and application_id = ${applicationId} and logo_version = ${logoVersion}`
  return row
}

interface ThemeChange extends Pick<ThemeRow, 'name' | 'accent' | 'corner' | 'font'> {
  /** Null removes the logo, undefined retains it. */
  logo: LogoRow | null | undefined
}

/** Stores the theme and returns the version of its logo; null without a logo. */
export async function saveTheme(
  db: Run,
  { tenantId, applicationId }: ApplicationKey,
  { name, accent, corner, font, logo }: ThemeChange,
  at: Date,
): Promise<string | null> {
  const retainsLogo = logo === undefined
  const columns = logo ?? { logo: null, logoType: null, logoWidth: null, logoHeight: null, logoVersion: null }
  const rows = await db<{ logoVersion: string | null }>`
    insert into application_theme as t ${db({
      tenantId,
      applicationId,
      name,
      accent,
      corner,
      font,
      logo: columns.logo,
      logoType: columns.logoType,
      logoWidth: columns.logoWidth,
      logoHeight: columns.logoHeight,
      logoVersion: columns.logoVersion,
      changedAt: at,
    })}
    on conflict (tenant_id, application_id) do update set
      name = excluded.name, accent = excluded.accent, corner = excluded.corner, font = excluded.font,
      logo = case when ${retainsLogo}::boolean then t.logo else excluded.logo end,
      logo_type = case when ${retainsLogo}::boolean then t.logo_type else excluded.logo_type end,
      logo_width = case when ${retainsLogo}::boolean then t.logo_width else excluded.logo_width end,
      logo_height = case when ${retainsLogo}::boolean then t.logo_height else excluded.logo_height end,
      logo_version = case when ${retainsLogo}::boolean then t.logo_version else excluded.logo_version end,
      changed_at = excluded.changed_at
    returning logo_version`
  return oneRow(rows).logoVersion
}

/** Deletes the theme; returns whether the application had one. */
export async function deleteTheme(db: Run, { tenantId, applicationId }: ApplicationKey): Promise<boolean> {
  const rows = await db`
    delete from application_theme where tenant_id = ${tenantId} and application_id = ${applicationId} returning 1`
  return rows.length > 0
}
