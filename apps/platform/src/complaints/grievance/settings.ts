// Settings of network grievances: the platform's grievance officer, the lenders' deadlines and the category codes.

import { durationMs } from '@lendloom/foundation/clock'
import { choice, type Setting, text } from '@lendloom/foundation/config'
import { isObject, isOneOf } from '@lendloom/foundation/record'
import { line, type SettingGroup, settingGroup } from '@lendloom/foundation/setting-group'
import { mailAddressPattern } from '@lendloom/wire/identifier'
import { igmVersions } from '@lendloom/wire/network/igm/codec'
import { categories, subCategories } from '@lendloom/wire/network/igm/codes'
import { type Topic, topics } from './topic.ts'

const duration = (about: string, fallback: string): Setting<string> => ({
  ...text(about, fallback),
  read(value) {
    if ((durationMs(value) ?? 0) < 1000) throw new Error(`must be an ISO 8601 duration, not "${value}"`)
    return value
  },
})

const codesSetting: Setting<Partial<Record<Topic, string>>> = {
  about: `Network codes of complaint topics, as JSON: ${topics.join(', ')}, each as CATEGORY/SUBCATEGORY`,
  fallback: '{}',
  read(value) {
    const input: unknown = JSON.parse(value)
    const isKnownCode = (code: unknown): boolean => {
      const [category, sub, ...extra] = String(code).split('/')
      return (
        extra.length === 0 && categories.some((each) => each === category) && subCategories.some((each) => each === sub)
      )
    }
    const message = `must be a JSON object of ${topics.join(', ')}, each a code such as PAYMENT/PMT01`
    if (!isObject(input)) throw new Error(message)
    const codes: Partial<Record<Topic, string>> = {}
    for (const [topic, code] of Object.entries(input)) {
      if (!isOneOf(topics, topic) || !isKnownCode(code)) throw new Error(message)
      codes[topic] = String(code)
    }
    return codes
  },
}

export const phonePattern = /^[+\d][\d ()-]{5,19}$/

export const officerGroup = (about: string, prefix: 'GRIEVANCE' | 'NODAL'): Setting<SettingGroup | null> =>
  settingGroup(about, {
    name: line(`${prefix}_OFFICER_NAME`),
    phone: { setting: `${prefix}_OFFICER_PHONE`, pattern: phonePattern, format: 'a telephone number' },
    email: {
      setting: `${prefix}_OFFICER_EMAIL`,
      pattern: new RegExp(mailAddressPattern),
      format: 'an e-mail address',
    },
  })

export const grievanceSettings = {
  GRIEVANCE_OFFICER: officerGroup('The officer who sends complaints to lenders', 'GRIEVANCE'),
  GRIEVANCE_OFFICER_NAME: text('Name of the officer who sends complaints to lenders', 'Neha Joshi'),
  GRIEVANCE_OFFICER_PHONE: text("The grievance officer's telephone number", '022-40007001'),
  GRIEVANCE_OFFICER_EMAIL: text("The grievance officer's email address", 'grievance@lendloom.example'),
  GRIEVANCE_RESPONSE_TIME: duration("Time limit for a lender's first answer to a complaint", 'PT2H'),
  GRIEVANCE_STATUS_AFTER: duration(
    'Time after a complaint was sent at which the lender that works on it is asked once how far it is',
    'PT5M',
  ),
  GRIEVANCE_RESOLUTION_TIME: duration(
    "Time limit for a lender's resolution of a complaint; after this time the borrower may escalate",
    'P1D',
  ),
  GRIEVANCE_CODES: codesSetting,
  GRIEVANCE_VERSION: choice(
    'Version of complaint messages to a lender that has not answered a complaint yet',
    igmVersions,
    '1.0.0',
  ),
}
