// Several settings as one JSON object, as in GRIEVANCE_OFFICER={"name": "…", "phone": "…", "email": "…"}.
import type { Setting } from './config.ts'
import { isObject, ownValue } from './record.ts'

export interface GroupField {
  setting: string
  pattern: RegExp
  format: string
}

export const line = (setting: string): GroupField => ({
  setting,
  pattern: /^\P{Cc}{1,300}$/u,
  format: 'a text of 1 to 300 characters in one line',
})

export const httpsUrl = (setting: string): GroupField => ({
  setting,
  pattern: /^https:\/\/[^\s/]\S{0,1990}$/,
  format: 'an https URL',
})

export type SettingGroup = Record<string, string>

/** Each field is the default of its setting. Null if the group is not set. Values are never printed. */
export function settingGroup(about: string, fields: Record<string, GroupField>): Setting<SettingGroup | null> {
  const names = Object.values(fields).map(({ setting }) => setting)
  return {
    about: `${about}, as JSON: ${Object.keys(fields).join(', ')}. Replaces ${names.join(', ')}`,
    fallback: '',
    read: (text) => (text === '' ? null : groupFrom(fields, text)),
    derived: {
      names,
      fields: Object.keys(fields),
      defaultsFrom(text) {
        const group = text === '' ? {} : groupFrom(fields, text)
        return Object.fromEntries(
          Object.entries(fields).map(([field, { setting }]) => [setting, ownValue(group, field) ?? '']),
        )
      },
    },
  }
}

function groupFrom(fields: Record<string, GroupField>, text: string): SettingGroup {
  const value = parsedOrNull(text)
  if (!isObject(value)) throw new Error(`must be a JSON object of ${Object.keys(fields).join(', ')}`)
  const group: SettingGroup = {}
  const faults = Object.keys(value)
    .filter((field) => ownValue(fields, field) === undefined)
    .map((field) => `${JSON.stringify(field.slice(0, 40))} is not a known field`)
  for (const [field, { pattern, format }] of Object.entries(fields)) {
    const part = ownValue(value, field)
    if (typeof part === 'string' && pattern.test(part)) group[field] = part
    else faults.push(`${field} must be ${format}`)
  }
  if (faults.length > 0) throw new Error(`is not valid: ${faults.join('; ')}`)
  return group
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
