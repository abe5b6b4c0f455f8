// Validates and stores the theme and the logo of an application's hosted page.

import type { Theme } from '@lendloom/design/theme'
import { BadContent, checkPicture } from '@lendloom/files/file-content'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { digestOf } from '@lendloom/seal/token'
import { maxLogoBytes } from '@lendloom/wire/console/lists'
import { findApplication } from './tenant/store.ts'
import { type ApplicationKey, type LogoRow, saveTheme, type ThemeRow } from './theme/store.ts'

export interface ThemeInput extends Theme {
  name: string
  /** Null removes the logo, undefined retains it. */
  logo: LogoRow | null | undefined
}

/**
 * Replaces an application's theme and returns the version of its logo, or null. Throws `invalid` for an invalid
 * field, `absent` for an unknown application.
 */
export async function changeTheme(db: Run, key: ApplicationKey, input: ThemeInput, at: Date): Promise<string | null> {
  if (!(await findApplication(db, key.tenantId, key.applicationId)))
    throw new Refusal('absent', 'there is no such application')
  const name = input.name.trim()
  // Characters that reverse or hide text could make a name look like another one.
  if (name === '' || /[\p{Cc}\p{Cf}]/u.test(name.replace(/[\u200c\u200d]/g, '')))
    throw invalid({ path: 'name', message: 'must have 1 to 30 characters, all of them visible' })
  const accent = input.accent.toLowerCase()
  return saveTheme(db, key, { ...input, name, accent }, at)
}

/**
 * Parses a logo: base64 of a PNG, WebP or SVG file. Returns null and undefined unchanged; throws `invalid` at `logo`.
 * Call it outside transactions.
 */
export async function readLogo(base64: string | null | undefined): Promise<LogoRow | null | undefined> {
  if (base64 === null || base64 === undefined) return base64
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0 || bytes.length > maxLogoBytes)
    throw invalid({ path: 'logo', message: `must be a file of at most ${maxLogoBytes / 1000} kB` })
  try {
    const { type, width, height } = await checkPicture(bytes)
    const logoVersion = digestOf(bytes.toString('base64')).toString('hex').slice(0, 32)
    return { logo: bytes, logoType: type, logoWidth: width, logoHeight: height, logoVersion }
  } catch (error) {
    if (error instanceof BadContent)
      throw invalid({ path: 'logo', message: `cannot be used: the file ${error.message}` })
    throw error
  }
}

/** The URL contains the logo's version, so that browsers may cache the logo forever. */
const logoUrlOf = ({ tenantId, applicationId }: ApplicationKey, logoVersion: string): string =>
  `/lab/application-logo?${new URLSearchParams({ tenant_id: tenantId, application_id: applicationId, v: logoVersion })}`

export interface LogoView {
  url: string
  width: number
  height: number
}

export const logoOf = (key: ApplicationKey, row: ThemeRow | null | undefined): LogoView | null =>
  row?.logoVersion != null && row.logoWidth !== null && row.logoHeight !== null
    ? { url: logoUrlOf(key, row.logoVersion), width: row.logoWidth, height: row.logoHeight }
    : null
